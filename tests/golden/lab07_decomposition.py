"""Golden values for Lab 07: labs/lab07_decomposition/golden.hpp.

    python3 tests/golden/lab07_decomposition.py

The four terms of (x + p) Wq Wk^T (x + p)^T / sqrt(D) for inputs that follow from formulas, by one
einsum for each over a matrix W = Wq Wk^T that the lab never forms. NumPy float64.
"""
import pathlib

import numpy as np

from cpp_header import in_namespace

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab07_decomposition/golden.hpp"
T, C, D = 5, 6, 3


def wave(rows, columns, start, step):
    """sin(start + step i) over the row-major index i, [rows, columns]."""
    return np.sin(start + step * np.arange(rows * columns)).reshape(rows, columns)


def terms():
    x, p = wave(T, C, 0.3, 0.7), wave(T, C, 1.2, 0.9)
    wq, wk = wave(C, D, 0.5, 1.1), wave(C, D, 2.0, 0.4)
    w = np.einsum("cd,ed->ce", wq, wk) / np.sqrt(D)
    return {first + second: np.einsum("ic,ce,je->ij", parts[0], w, parts[1])
            for first, second, parts in (("Content", "Content", (x, x)),
                                         ("Content", "Position", (x, p)),
                                         ("Position", "Content", (p, x)),
                                         ("Position", "Position", (p, p)))}


def array(name, values):
    numbers = [repr(float(value)) for value in values.ravel()]
    lines = ["    " + ", ".join(numbers[i:i + T]) for i in range(0, len(numbers), T)]
    return (f"inline constexpr std::array<double, {len(numbers)}> kGolden{name} = {{\n"
            + ",\n".join(lines) + "};\n")


def header():
    return ("// Made by tests/golden/lab07_decomposition.py, with NumPy; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n#include <cstddef>\n\n"
            f"inline constexpr std::size_t kGoldenTokens = {T}, kGoldenWidth = {C}, "
            f"kGoldenHeadWidth = {D};\n"
            + "".join(array(name, values) for name, values in terms().items()))


if __name__ == "__main__":
    HEADER.write_text(in_namespace(header(), "phasor::lab07"))
