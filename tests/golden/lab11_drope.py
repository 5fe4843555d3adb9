"""Golden values for Lab 11: labs/lab11_drope/golden.hpp.

    python3 tests/golden/lab11_drope.py

The temperature of a model without positions (Gelberg et al. 2025, arXiv 2512.12167): 1 + c ln(l / L)
beyond the trained length L, 1 up to it. The logarithm is taken as a sum of small steps, the area
under 1/x, by Gauss-Legendre quadrature: no call of a logarithm here. NumPy float64.
"""
import pathlib

import numpy as np

from cpp_header import in_namespace

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab11_drope/golden.hpp"
# c, length, trained length
CASES = [(0.4, 256, 64), (0.4, 512, 64), (0.1, 96, 64), (0.4, 64, 64), (0.4, 16, 64), (0.0, 512, 64),
         (1.0, 3000, 1000)]


def area(ratio):
    """The integral of 1/x from 1 to ratio, in 64 pieces of 20 points each."""
    x, weights = np.polynomial.legendre.leggauss(20)
    ends = np.linspace(1, ratio, 65)
    middle, half = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
    return float(np.sum(half[:, None] * weights / (middle[:, None] + half[:, None] * x)))


def temperature(c, length, trained):
    return 1 + c * area(length / trained) if length > trained else 1.0


def header():
    rows = [f"    {{{c}, {length}, {trained}, {temperature(c, length, trained)!r}}}"
            for c, length, trained in CASES]
    return ("// Made by tests/golden/lab11_drope.py, with NumPy and an integral; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n\n"
            "struct GoldenTemperature {\n  double c, length, trained_length, expected;\n};\n"
            f"inline constexpr std::array<GoldenTemperature, {len(CASES)}> kGoldenTemperatures = {{{{\n"
            + ",\n".join(rows) + "}};\n")


if __name__ == "__main__":
    HEADER.write_text(in_namespace(header(), "phasor::lab11"))
