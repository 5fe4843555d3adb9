"""What the tests of the Python module share."""
import os
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PHASOR_BUILD", SOURCE / "build"))
sys.path.insert(0, str(BUILD / "python"))

#: A model that trains in a fraction of a second.
TINY = {"width": 16, "heads": 2, "layers": 1, "context": 16, "batch": 4, "eval_every": 10,
        "eval_tokens": 200, "progress": False}


def command(*arguments, **options):
    """Runs build/phasor; returns what it printed."""
    words = [str(word) for word in (BUILD / "phasor", *arguments)]
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def main():
    """Exit code 77, left out, where the module was not built."""
    if not list((BUILD / "python/phasor").glob("_engine.*.so")):
        print("left out: the Python module was not built")
        sys.exit(77)
    unittest.main()
