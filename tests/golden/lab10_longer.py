"""Golden values for Lab 10: labs/lab10_longer/golden.hpp.

    python3 tests/golden/lab10_longer.py

Frequencies of a slowed rotation at sizes and bases that nobody types by habit. Wavelengths are
computed first and frequencies from them, so that the formulas are walked in another order than in
the lab: interpolation makes every wavelength s times longer; NTK spaces them geometrically anew,
from 2 pi to s times the longest; YaRN mixes the frequency of both, by how many of its old
wavelengths fit into the trained length (Peng et al. 2023, arXiv 2309.00071, equations 16 to 20,
the paper's ramp and not the one of the authors' code). NumPy float64.
"""
import pathlib

import numpy as np

from cpp_header import in_namespace

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab10_longer/golden.hpp"
# name, head width, base, trained length, alpha, beta, factor
SMALL = ("Small", 16, 50.0, 100.0, 1.0, 8.0, 3.0)
LARGE = ("Large", 128, 10000.0, 4096.0, 1.0, 32.0, 4.0)


def wavelengths(width, base):
    longest = 2 * np.pi * base ** ((width - 2) / width)
    return np.geomspace(2 * np.pi, longest, width // 2)


def interpolated(width, base, length, alpha, beta, s):
    return 2 * np.pi / (s * wavelengths(width, base))


def ntk(width, base, length, alpha, beta, s):
    old = wavelengths(width, base)
    return 2 * np.pi / np.geomspace(old[0], s * old[-1], width // 2)


def yarn(width, base, length, alpha, beta, s):
    old = wavelengths(width, base)
    kept = np.interp(length / old, [alpha, beta], [0.0, 1.0])
    return (1 - kept) * 2 * np.pi / (s * old) + kept * 2 * np.pi / old


def array(name, values):
    numbers = [repr(float(value)) for value in values]
    lines = ["    " + ", ".join(numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<double, {len(numbers)}> {name} = {{\n"
            + ",\n".join(lines) + "};\n")


def setting(name, width, base, length, alpha, beta, s):
    return (f"inline constexpr TrainedRotation k{name} = {{{width}, {base}, {length}, {alpha}, "
            f"{beta}}};\n"
            f"inline constexpr double k{name}Factor = {s};\n")


def header():
    name, *sizes = SMALL
    text = ("// Made by tests/golden/lab10_longer.py, with NumPy and wavelengths; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n\n#include \"labs/lab10_longer/exercise.hpp\"\n\n"
            + setting(*SMALL) + array("kSmallInterpolation", interpolated(*sizes))
            + array("kSmallNtk", ntk(*sizes)) + array("kSmallYarn", yarn(*sizes)))
    name, *sizes = LARGE
    old = 2 * np.pi / wavelengths(sizes[0], sizes[1])
    share = (yarn(*sizes) / old - 1 / sizes[-1]) / (1 - 1 / sizes[-1])
    return (text + "\n// The share of its original frequency that YaRN's ramp leaves pair 33.\n"
            + setting(*LARGE) + f"inline constexpr double kLargeShareOfPair33 = {float(share[33])!r};\n"
            "\n// The base that NTK puts in place of 10000 at a head width of 64, four times longer.\n"
            "inline constexpr double kNtkBaseOfWidth64 = "
            f"{float(ntk(64, 10000.0, 0, 0, 0, 4.0)[1] ** -32)!r};\n")


if __name__ == "__main__":
    HEADER.write_text(in_namespace(header(), "phasor::lab10"))
