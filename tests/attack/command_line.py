"""Runs a program as a shell would and judges how it ended: what the attacks on the command line
have in common."""

import os
import re
import signal
import subprocess

MOST_SECONDS = 10
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
            contents = () if name in folders else (status.st_size, status.st_mtime_ns, status.st_ino)
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
            return [f"it ran for more than {2 * MOST_SECONDS} s"]
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
    """Runs a command to its end. One that is slow gets a second try with twice the time, as the
    machine may be busy. `stdout` is pipe, full (a full disk) or closed."""
    for seconds in MOST_SECONDS, 2 * MOST_SECONDS:
        with open("/dev/full", "wb") as full:
            output = {"pipe": subprocess.PIPE, "full": full, "closed": None}[stdout]
            try:
                done = subprocess.run(
                    arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.PIPE, timeout=seconds, check=False,
                    preexec_fn=(lambda: os.close(1)) if stdout == "closed" else None)
                return Outcome(done.returncode, done.stdout or b"", done.stderr)
            except subprocess.TimeoutExpired:
                continue
    return Outcome(None, b"", b"")
