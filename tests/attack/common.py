"""What the campaigns share: starting the command, small runs, safetensors files, and the count."""
import argparse
import json
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 10  # seconds that a command may take

# A text and a training of milliseconds that still has every part.
TEXT = "the quick brown fox jumps over the lazy dog. " * 60
TINY = ("--text small.txt --width 8 --heads 2 --layers 1 --context 8 --batch 4 --warmup 2 "
        "--eval-every 2 --eval-tokens 200 --threads 1").split()
RUN_FILES = {"config.json", "model.safetensors", "checkpoint.safetensors", "metrics.jsonl"}


def options(description, example):
    """The command line of a campaign."""
    parser = argparse.ArgumentParser(
        description=description, epilog=f"Example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=100, help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn (default 1)")
    parser.add_argument("--seconds", type=float, help="end after so many seconds, if tries are left")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "phasor",
                        help="the command (default build/phasor)")
    chosen = parser.parse_args()
    if not chosen.program.is_file():
        parser.error(f"no program {chosen.program}; build it with tests/run, or give --program")
    chosen.program = chosen.program.resolve()
    return chosen


class Failure(Exception):
    """Something that must never happen."""


def expect(holds, message):
    if not holds:
        raise Failure(message)


class Done:
    """A command that has ended."""

    def __init__(self, words, code, out, err):
        self.words, self.code, self.out, self.err = words, code, out, err

    def __str__(self):
        return (f"phasor {' '.join(map(str, self.words))}\n    code {self.code}, out "
                f"{self.out[-300:]!r}, err {self.err[-500:]!r}")

    def check_refused(self):
        """One line and exit code 2."""
        expect(self.code == 2 and self.err.startswith("phasor: ") and self.err.count("\n") == 1
               and self.err.endswith("\n"), f"no refusal in one line:\n    {self}")


class Phasor:
    """The command in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def start(self, *words):
        return subprocess.Popen([self.program, *map(str, words)], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(self, process, words):
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure(f"more than {LIMIT} s: phasor {' '.join(map(str, words))}") from None
        return Done(words, process.returncode, out.decode(errors="replace"),
                    err.decode(errors="replace"))

    def run(self, *words):
        return self.end(self.start(*words), words)

    def answer(self, *words):
        """Of a command that must succeed."""
        done = self.run(*words)
        expect(done.code == 0, f"it should succeed:\n    {done}")
        return done.out


def files_in(folder):
    """Path below the folder -> bytes; None for a folder. A file that goes meanwhile is left out."""
    files = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        try:
            files[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
        except FileNotFoundError:
            pass
    return files


def differences(found, wanted):
    return [name for name in sorted(found.keys() | wanted.keys())
            if found.get(name, 0) != wanted.get(name, 0)]


def read_safetensors(raw):
    """The header, a dict, and the data."""
    (length,) = struct.unpack("<Q", raw[:8])
    return json.loads(raw[8:8 + length]), raw[8 + length:]


def packed_safetensors(header, data):
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def campaign(chosen, prepare, attempt):
    """Calls attempt(prepared, rng) for every try, and returns the exit code. prepare(phasor) is
    called once, in an empty folder that is removed at the end unless something failed."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="phasor-attack-"))
    begin, counts, failures, tries = time.monotonic(), {}, 0, 0
    phasor = Phasor(chosen.program, scratch)
    (scratch / "small.txt").write_text(TEXT)
    prepared = prepare(phasor)
    for number in range(chosen.tries):
        if chosen.seconds and time.monotonic() - begin > chosen.seconds:
            break
        rng = random.Random(f"{chosen.seed} {number}")  # so that one try can be repeated alone
        tries += 1
        try:
            kind = attempt(prepared, rng)
            counts[kind] = counts.get(kind, 0) + 1
        except Failure as failure:
            failures += 1
            kept = scratch / f"failure-{number}"
            if (scratch / "run").exists():
                shutil.copytree(scratch / "run", kept, symlinks=True)
            print(f"try {number}, kept in {kept}: {failure}", flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:7d}  {kind}")
    seconds = time.monotonic() - begin
    print(f"{tries} tries, {failures} failures, seed {chosen.seed}, {seconds:.1f} s")
    if not failures:
        shutil.rmtree(scratch)
    return 1 if failures else 0


def main(description, example, prepare, attempt):
    sys.exit(campaign(options(description, example), prepare, attempt))
