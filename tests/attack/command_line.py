"""Runs a program as a shell would and judges how it ended: what the attacks on the command line
have in common."""

import os
import re
import resource
import signal
import stat
import subprocess

MOST_SECONDS = 10  # of the processor
LONGEST_WAIT = 300  # s, for a program that does nothing
LONGEST_MESSAGE = 1200  # the limit of a message and the program's name

# Work of more than two seconds tells how far it is.
PROGRESS = re.compile(r"^[a-z]+: \d+/\d+ [^\n]*\n", re.MULTILINE)


def snapshot(folder):
    """Everything below `folder`, with what would show that it was changed."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            status = os.lstat(path)
            # A folder's time and size change with drafts that are gone again.
            # A device's time changes when something is written to it.
            is_file = stat.S_ISREG(status.st_mode)
            contents = (status.st_size, status.st_mtime_ns, status.st_ino) if is_file else ()
            found[path] = (status.st_mode, *contents)
    return found


class Outcome:
    """How a program ended."""

    def __init__(self, code, output, message):
        self.code = code  # None: it did not end in time
        self.output = output
        self.message = message

    def complaints(self, allowed_codes=(0, 2)):
        """What is wrong with the exit code and the message; nothing in the good case."""
        if self.code is None:
            return [f"it did not end within {LONGEST_WAIT} s"]
        if self.code == -signal.SIGXCPU:
            return [f"it took more than {MOST_SECONDS} s of the processor"]
        if self.code < 0:
            return [f"ended by {signal.Signals(-self.code).name}"]
        if self.code not in allowed_codes:
            return [f"exit code {self.code}"]
        if self.code != 2:
            return []
        text = PROGRESS.sub("", self.message.decode("utf-8", "surrogateescape"))
        faults = []
        if text.count("\n") != 1 or not text.endswith("\n"):
            faults.append(f"a message of {text.count(chr(10))} lines")
        if not text.rstrip("\n").isprintable():
            faults.append("a message that is not printable")
        if len(text) > LONGEST_MESSAGE:
            faults.append(f"a message of {len(text)} characters")
        return faults


def run(arguments, folder, stdout="pipe"):
    """Runs a command to its end, with a limit on the processor time it may take: the machine may be
    busy with other work. `stdout` is pipe, full (a full disk) or closed."""

    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        if stdout == "closed":
            os.close(1)

    with open("/dev/full", "wb") as full:
        output = {"pipe": subprocess.PIPE, "full": full, "closed": None}[stdout]
        try:
            done = subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                  stderr=subprocess.PIPE, timeout=LONGEST_WAIT, check=False,
                                  preexec_fn=prepare)
        except subprocess.TimeoutExpired:
            return Outcome(None, b"", b"")
    return Outcome(done.returncode, done.stdout or b"", done.stderr)
