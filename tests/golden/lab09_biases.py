"""Golden values for Lab 09: labs/lab09_biases/golden.hpp.

    /usr/bin/python3 tests/golden/lab09_biases.py

Slopes as the authors of ALiBi compute them (Press et al. 2021: a recursion for numbers of heads
that are no power of two). Buckets of T5 (Raffel et al. 2020) in whole numbers, without logarithms:
half of n buckets are exact, e = n / 2 of them, and bucket e + j begins at the first r with
(r / e)^(n - e) >= (M / e)^j, which is r^(n-e) e^j >= M^j e^(n-e). Shifted scores as the sum over a
double loop (Dai et al. 2019, appendix B). NumPy float64.
"""
import pathlib

import numpy as np

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab09_biases/golden.hpp"


def slopes(heads):
    if heads & (heads - 1) == 0:
        start = 2 ** (-(2 ** -(np.log2(heads) - 3)))
        return [start * start ** i for i in range(heads)]
    power = 1 << (heads.bit_length() - 1)
    return slopes(power) + slopes(2 * power)[0::2][:heads - power]


def bucket(rel, buckets, most, causal):
    side, n = 0, buckets
    if causal:
        r = max(rel, 0)
    else:
        n = buckets // 2
        side, r = (n if rel < 0 else 0), abs(rel)
    e = n // 2
    if r < e:
        return side + r
    j = 0
    while j < n - e - 1 and r ** (n - e) * e ** (j + 1) >= most ** (j + 1) * e ** (n - e):
        j += 1
    return side + e + j


def shifted():
    """Queries [3, 4], rows of distances [5, 4] from distance 4 to 0, and the visible scores."""
    random = np.random.default_rng(9)
    queries, rows = (np.round(random.normal(size=shape), 2) for shape in ((3, 4), (5, 4)))
    scores = np.full((3, 5), np.nan)
    for i in range(3):
        for j in range(5):
            distance = (5 - 3 + i) - j
            if distance >= 0:
                scores[i, j] = sum(queries[i, c] * rows[4 - distance, c] for c in range(4))
    return queries @ rows.T, scores


def lines(values, count):
    return ",\n".join("    " + ", ".join(values[i:i + count]) for i in range(0, len(values), count))


def doubles(name, values):
    words = ["kHidden" if np.isnan(v) else repr(float(v)) for v in np.asarray(values).ravel()]
    return (f"inline constexpr std::array<double, {len(words)}> {name} = {{\n"
            + lines(words, 4) + "};\n")


def table(name, first, last, buckets, most, causal):
    """The buckets of the distances first to last."""
    words = [str(bucket(rel, buckets, most, causal)) for rel in range(first, last + 1)]
    return (f"inline constexpr std::array<std::size_t, {len(words)}> {name} = {{\n"
            + lines(words, 20) + "};\n")


def header():
    by_distance, scores = shifted()
    return ("// Made by tests/golden/lab09_biases.py, in whole numbers and with NumPy; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n#include <cstddef>\n#include <limits>\n\n"
            "namespace phasor::lab09 {\n\n"
            "// Slopes of 1, 6, 8 and 12 heads.\n"
            + "".join(doubles(f"kGoldenSlopes{n}", slopes(n)) for n in (1, 6, 8, 12))
            + "\n// 32 buckets up to distance 128, causal: distances -5 to 199.\n"
            + table("kGoldenCausal", -5, 199, 32, 128, True)
            + "\n// 32 buckets up to distance 128, both sides: distances -150 to 150.\n"
            + table("kGoldenBoth", -150, 150, 32, 128, False)
            + "\n// 12 buckets up to distance 50, causal: distances 0 to 79.\n"
            + table("kGoldenSmall", 0, 79, 12, 50, True)
            + "\n// 10 buckets up to distance 160, causal, which begin at 10, 20, 40, 80: 0 to 179.\n"
            + table("kGoldenWhole", 0, 179, 10, 160, True)
            + "\n// Scores [3, 5] by distance, 4 to 0, and by key.\n"
            + "inline constexpr double kHidden = std::numeric_limits<double>::quiet_NaN();\n"
            + doubles("kGoldenByDistance", by_distance) + doubles("kGoldenByKey", scores)
            + "\n}  // namespace phasor::lab09\n")


if __name__ == "__main__":
    HEADER.write_text(header())
