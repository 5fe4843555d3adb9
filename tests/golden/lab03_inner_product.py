"""Golden values for Lab 03: labs/lab03_inner_product/golden.hpp and tests/course/product_golden.hpp.

    python3 tests/golden/lab03_inner_product.py

The first: inner products sorted by distance of a table of whole numbers, and of the encoding of
width 8 with base 50, where a pair of columns is one complex number exp(i p w_k) and the inner
product of two rows is the real part of the sum of z conj(z').

The second: what the claims about the inner product rest on. Products, similarities and L2 distances
come from the phases alone, |z - z'| = 2 |sin((p - p') w / 2)|, without an encoding. NumPy float64.
"""
import pathlib

import numpy as np

from cpp_header import in_namespace

ROOT = pathlib.Path(__file__).resolve().parents[2]
POSITIONS, BASE = 7, 50.0
EULER = 0.5772156649015329


def frequencies(width, base=10000.0):
    return np.exp(-np.log(base) * np.arange(0, width, 2) / width)


def by_distance(products):
    """products[i, j] -> [distance, i], NaN where i + distance has no row."""
    count = len(products)
    table = np.full((count, count), np.nan)
    for i in range(count):
        for j in range(i, count):
            table[j - i, i] = products[i, j]
    return table


def number(value):
    return "kNone" if np.isnan(value) else repr(float(value))


def array(name, values):
    numbers = [number(value) for value in np.ravel(values)]
    lines = ["    " + ", ".join(numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<double, {len(numbers)}> {name} = {{\n"
            + ",\n".join(lines) + "};\n")


def probe():
    rows = np.array([[1, -2, 3], [4, 0, -1], [-3, 5, 2], [7, 1, 1], [0, -6, 4]], dtype=float)
    turns = np.exp(1j * np.outer(np.arange(POSITIONS), frequencies(8, BASE)))
    return ("// Made by tests/golden/lab03_inner_product.py, with NumPy; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n#include <cstddef>\n#include <limits>\n\n"
            "inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();\n"
            "inline constexpr std::size_t kGoldenRowWidth = 3;\n"
            + array("kGoldenRows", rows) + array("kGoldenDots", by_distance(rows @ rows.T))
            + f"inline constexpr std::size_t kGoldenPositions = {POSITIONS};\n"
            + f"inline constexpr double kGoldenBase = {BASE};\n"
            + array("kGoldenSinusoid", by_distance((turns @ turns.conj().T).real)))


def shares(width, distances, base=10000.0):
    return np.cos(np.outer(distances, frequencies(width, base))).mean(axis=1)


def lengths(width, distances):
    """L2 distances between rows so far apart."""
    return 2 * np.sqrt((np.sin(np.outer(distances, frequencies(width)) / 2) ** 2).sum(axis=1))


def readable(values):
    last = 0
    while last + 2 < len(values) and values[last] > values[last + 1:].max() \
            and values[last + 1] > values[last + 2:].max():
        last += 1
    return last


def margin(width, base=10000.0):
    five, ten = shares(width, [5, 10], base)
    return five - ten


def findings():
    thousand, around = np.arange(1001), np.arange(900, 1101)
    first = shares(32, np.arange(64))
    l2 = lengths(128, np.arange(50))
    law = 1 - (np.log([50, 100, 1000]) + EULER) / np.log(10000)
    return ("// Made by tests/golden/lab03_inner_product.py, with NumPy; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n\n"
            "// Of 15 positions at width 8: distances 1, 3 ... 13.\n"
            + array("kFlatLines", 4 * shares(8, np.arange(1, 15, 2)))
            + "// PE(10) . PE(15) at width 128.\n" + array("kProduct", 64 * shares(128, [5]))
            + "// Width 2048 at distances 50, 100, 1000; the law there; where the law is 0.\n"
            + array("kFarShares", shares(2048, [50, 100, 1000])) + array("kLaw", law)
            + array("kLawZero", [10000 * np.exp(-EULER)])
            + "// Width 32: shares at distances 1 to 4; steps up and least of 24 and of 64.\n"
            + array("kNearShares", first[1:5])
            + array("kFall24", [(np.diff(first[:24]) > 0).sum(), first[:24].min()])
            + array("kFall64", [(np.diff(first) > 0).sum(), first.min(), first.argmin()])
            + "// The most similar distance from 1 to 10000 at widths 2 4 6 8 10 12 16 32 64.\n"
            + array("kMostSimilar", [1 + shares(width, np.arange(1, 10001)).argmax()
                                     for width in (2, 4, 6, 8, 10, 12, 16, 32, 64)])
            + "// Width 8 at distances 3 and 6.\n" + array("kThreeAndSix", shares(8, [3, 6]))
            + "// By how much 15 is more similar to 10 than 20 is, at the least over even widths.\n"
            + array("kTenAndTwenty", [min(margin(width) for width in range(2, 2049, 2))])
            + "// Of the even widths 4 to 128, at how many 20 is the more similar: bases 2 2.5 3 4 5 6.\n"
            + array("kSmallBases", [sum(margin(width, base) < 0 for width in range(4, 129, 2))
                                    for base in (2, 2.5, 3, 4, 5, 6)])
            + "// Width 64: least and most from 900 to 1100, and the neighbour.\n"
            + array("kThousand", [shares(64, around).min(), shares(64, around).max(),
                                  shares(64, [1])[0]])
            + "// Width 512: means over 900 to 1100 and over 5500 to 6500.\n"
            + array("kFarMeans", [shares(512, around).mean(),
                                  shares(512, np.arange(5500, 6501)).mean()])
            + "// Up to which distance products are readable at widths 4 32 128 512.\n"
            + array("kReadable", [readable(shares(width, thousand)) for width in (4, 32, 128, 512)])
            + "// L2 distances at width 128; up to which they grow, and steps down of 49.\n"
            + array("kDistances", l2[:10])
            + array("kDistanceSteps", [np.argmax(np.diff(l2) <= 0), (np.diff(l2) < 0).sum()])
            + "// The nearest of the first hundred.\n"
            + array("kNearest", [lengths(128, np.arange(1, 100)).min()]))


if __name__ == "__main__":
    (ROOT / "labs/lab03_inner_product/golden.hpp").write_text(
        in_namespace(probe(), "phasor::lab03"))
    (ROOT / "tests/course/product_golden.hpp").write_text(findings())
