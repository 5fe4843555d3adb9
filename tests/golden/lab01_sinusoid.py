"""Golden values for Lab 01: labs/lab01_sinusoid/golden.hpp.

    python3 tests/golden/lab01_sinusoid.py

Two probes: widths 8 and 12 with base 50, a base that nobody types by habit. A pair of columns is
one complex number, exp(i p w_k) with w_k = base^(-2k / width): its imaginary part is the sine and
its real part the cosine (Vaswani et al. 2017, section 3.5). NumPy float64.
"""
import pathlib

import numpy as np

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab01_sinusoid/golden.hpp"
POSITIONS, BASE, WIDTHS = 6, 50.0, (8, 12)


def encoding(width):
    """[POSITIONS, width], sine in even columns and cosine in odd ones."""
    w = np.exp(-np.log(BASE) * np.arange(0, width, 2) / width)
    turns = np.exp(1j * np.outer(np.arange(POSITIONS), w))
    return np.stack([turns.imag, turns.real], axis=-1).reshape(POSITIONS, width)


def probe(width):
    numbers = [float(value) for value in encoding(width).ravel()]
    lines = ["    " + ", ".join(repr(n) for n in numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<double, {len(numbers)}> kGoldenWidth{width} = {{\n"
            + ",\n".join(lines) + "};\n")


def header():
    return ("// Made by tests/golden/lab01_sinusoid.py, with NumPy and complex numbers; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n#include <cstddef>\n\n"
            f"inline constexpr std::size_t kGoldenPositions = {POSITIONS};\n"
            f"inline constexpr double kGoldenBase = {BASE};\n"
            + "".join(probe(width) for width in WIDTHS))


if __name__ == "__main__":
    HEADER.write_text(header())
