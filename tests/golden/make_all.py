"""Makes every golden file and runs the checks of the makers.

    python3 make_all.py [FOLDER]       FOLDER: where to, this script's own when left out

Needs NumPy and PyTorch; see README.md for the versions and for what each file holds.
"""
import pathlib
import sys

import conformance
import format
import logits
import ops
import schemes
import self_check
import training


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else schemes.FOLDER
    for maker in (ops, schemes, format, logits, training, conformance):
        maker.make(folder)
    self_check.check(folder)


if __name__ == "__main__":
    main()
