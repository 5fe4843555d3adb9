"""Golden values for Lab 04: labs/lab04_design/golden.hpp and tests/course/design_golden.hpp.

    python3 tests/golden/lab04_design.py

Angles of six designs; rows that a known matrix moves; and what the best fixed matrix leaves of a
shift, by numpy.linalg.lstsq (singular values) instead of Gram-Schmidt. A residual below 1e-12 is
written as 0. Nearest positions come from phases, |z - z'| = 2 |sin((p - p') w / 2)|. NumPy float64.
"""
import pathlib

import numpy as np

from cpp_header import in_namespace

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACES, WIDTHS = (0, 1, 3, 7), (8, 12)
STEP = np.array([[0.5, 0.8, 0.0], [-0.7, 0.6, 0.1], [0.2, 0.0, 0.9]])


def frequencies(width, base=10000.0):
    return np.exp(-np.log(base) * np.arange(0, width, 2) / width)


DESIGNS = {
    "real": lambda p, d: np.outer(p, frequencies(d)),
    "linear": lambda p, d: np.outer(p, np.arange(1, d // 2 + 1) * 2 / d),
    "one": lambda p, d: np.outer(p, np.ones(d // 2)),
    "square": lambda p, d: np.outer(p**2, frequencies(d)),
    "log": lambda p, d: np.outer(np.log1p(p), frequencies(d)),
    "inverse": lambda p, d: np.outer(1 / (1 + p), frequencies(d)),
}


def encoding(angles):
    turns = np.exp(1j * angles)
    return np.stack([turns.imag, turns.real], axis=-1).reshape(len(angles), -1)


def residual(rows, k):
    start, end = rows[:-k], rows[k:]
    matrix = np.linalg.lstsq(start, end, rcond=1e-13)[0]
    share = np.linalg.norm(end - start @ matrix) / np.linalg.norm(end)
    return 0.0 if share < 1e-12 else share


def designed(name, positions, width):
    return encoding(DESIGNS[name](np.arange(float(positions)), width))


def array(name, values, kind="double"):
    numbers = [repr(float(v)) if kind == "double" else str(v) for v in np.ravel(values)]
    lines = ["    " + ", ".join(numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<{kind}, {len(numbers)}> {name} = {{\n"
            + ",\n".join(lines) + "};\n")


def walked():
    rows = [np.array([1.0, -2.0, 0.5])]
    for _ in range(9):
        rows.append(STEP @ rows[-1])
    return np.array(rows)


HEAD = ("// Made by tests/golden/lab04_design.py, with NumPy; do not edit.\n"
        "// clang-format off\n#pragma once\n#include <array>\n#include <cstddef>\n\n")


def probe():
    angles = [design(np.array(PLACES, dtype=float), width)
              for design in DESIGNS.values() for width in WIDTHS]
    return (HEAD + array("kGoldenPlaces", PLACES, "std::size_t")
            + array("kGoldenWidths", WIDTHS, "std::size_t")
            + "// By design, width, position, pair.\n"
            + array("kGoldenAngles", np.concatenate([a.ravel() for a in angles]))
            + array("kGoldenSteps", walked()) + array("kGoldenStep", STEP)
            + array("kGoldenTwoSteps", STEP @ STEP)
            + "// One pair, 128 positions, 5 positions on, by design.\n"
            + array("kGoldenResiduals", [residual(designed(name, 128, 2), 5) for name in DESIGNS]))


def nearest(width, base=10000.0, last=10000):
    distances = np.arange(1, last + 1)
    phases = np.outer(distances, frequencies(width, base)) / 2
    lengths = 2 * np.sqrt((np.sin(phases) ** 2).sum(axis=1))
    return [lengths.min(), distances[lengths.argmin()]]


def shares(w, distances):
    return np.cos(np.outer(distances, w)).mean(axis=1)


def base_change(base):
    distances = np.arange(512)
    return np.abs(shares(frequencies(128, base), distances)
                  - shares(frequencies(128), distances)).max()


def fourier(w):
    columns = encoding(np.outer(np.arange(128.0), w))
    unit = columns / np.linalg.norm(columns, axis=0)
    cosines = np.abs(unit.T @ unit) - np.eye(64)
    impulse = np.eye(128)[64]
    sizes = np.linalg.svd(columns, compute_uv=False)
    kept = np.linalg.svd(columns, full_matrices=False)[0][:, sizes > 0.01 * sizes[0]]
    return [cosines.max(), np.sum((kept.T @ impulse) ** 2)], kept.shape[1]


FOURIER = fourier(frequencies(64)), fourier(2 * np.pi * np.arange(1, 33) / 128)


def findings():
    usual = shares(frequencies(64), np.arange(403))
    finer = shares(np.arange(1, 33) / 64, np.arange(403))
    rule = 128 / (2 * np.pi)
    linear = shares(np.arange(1, 33) / 32, np.arange(301))
    sines = designed("real", 128, 8)[:, 0::2], designed("real", 128, 16)[:, 0::2]
    return (HEAD + "// What is left: p squared with one pair and four, log p with one and four.\n"
            + array("kLeft", [residual(designed(name, 128, width), 5)
                              for name in ("square", "log") for width in (2, 8)])
            + "// Of four sines, and of eight.\n" + array("kSines", [residual(s, 5) for s in sines])
            + "// Neighbours 0, 1 and 100, 101 with angles w / (1 + p), width 64.\n"
            + array("kInverse", [np.linalg.norm(a - b) for a, b in
                                 (designed("inverse", 102, 64)[i:i + 2] for i in (0, 100))])
            + "// Largest change of similarity from base 10000: bases 5000 8192 50000 100.\n"
            + array("kBaseChanges", [base_change(b) for b in (5000.0, 8192.0, 50000.0, 100.0)])
            + "// T = 128: the rule; longest waves with it and fitting bases at widths 8 32 64;\n"
            + "// the first width whose wave is within 5 %.\n"
            + array("kRule", [rule])
            + array("kRuleWaves", [2 * np.pi * rule ** ((d - 2) / d) for d in (8, 32, 64)])
            + array("kFitting", [rule ** (d / (d - 2)) for d in (8, 32, 64)])
            + array("kRuleWidth", [next(d for d in range(4, 513, 2)
                                        if abs(rule ** (-2 / d) - 1) < 0.05)])
            + "// Pairs of 32 that finish no turn in 128 positions.\n"
            + array("kUnfinished", [(frequencies(64) * 128 < 2 * np.pi).sum()])
            + "// sin 1 - sin 100, sin 1 - sin 45, the pairs of 0 and 710.\n"
            + array("kOne", [abs(np.sin(1) - np.sin(100)), abs(np.sin(1) - np.sin(45)),
                             abs(2 * np.sin(355))])
            + "// Steps of 1/32: similarity of neighbours, the most from 20 to 180, again, where.\n"
            + array("kLinear", [linear[1], np.abs(linear[20:181]).max(), linear[20:].max(),
                                20 + linear[20:].argmax()])
            + "// Nearest of 10,001 positions and at which distance: widths 2 8 12 16 64.\n"
            + array("kNearestPairs", [nearest(width) for width in (2, 8, 12, 16, 64)])
            + "// Of 128 positions and 64 columns, largest cosine between two and the share of an impulse\n"
            + "// that directions with a singular value above 1 % of the largest rebuild: geometric, then\n"
            + "// Fourier's. Then how many directions these are.\n"
            + array("kFourier", FOURIER[0][0] + [FOURIER[1][0][1], FOURIER[0][1], FOURIER[1][1]])
            + "// Steps of 1/64: neighbours, the most from 20 to 380, again, where; then of geometric\n"
            + "// spacing neighbours and the most from 20 to 380.\n"
            + array("kSixtyFourths", [finer[1], np.abs(finer[20:381]).max(), finer[381:].max(),
                                      381 + finer[381:].argmax(), usual[1],
                                      np.abs(usual[20:381]).max()])
            + "// What is left with angles w / (1 + p): one pair, four.\n"
            + array("kInverseLeft", [residual(designed("inverse", 128, width), 5)
                                     for width in (2, 8)]))


if __name__ == "__main__":
    (ROOT / "labs/lab04_design/golden.hpp").write_text(
        in_namespace(probe(), "phasor::lab04"))
    (ROOT / "tests/course/design_golden.hpp").write_text(findings())
