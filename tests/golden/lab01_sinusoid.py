"""Golden values for Lab 01: labs/lab01_sinusoid/golden.hpp and tests/course/sinusoid_golden.hpp.

    python3 tests/golden/lab01_sinusoid.py

The first:

Two probes: widths 8 and 12 with base 50, a base that nobody types by habit. A pair of columns is
one complex number, exp(i p w_k) with w_k = base^(-2k / width): its imaginary part is the sine and
its real part the cosine (Vaswani et al. 2017, section 3.5). NumPy float64.

The second: what the claims about the encoding itself rest on, from its formula in decimal arithmetic
of 40 digits; distances of positions from their difference alone, |z - z'| = 2 |sin((p - p') w / 2)|;
and frequencies in NumPy's single precision, in two ways.
"""
import pathlib
from decimal import Decimal, getcontext

import numpy as np

from cpp_header import in_namespace

getcontext().prec = 40
ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ROOT / "labs/lab01_sinusoid/golden.hpp"
CLAIMS = ROOT / "tests/course/sinusoid_golden.hpp"
PI = Decimal("3.141592653589793238462643383279502884197")
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


def wave(pair, width):
    """Positions in one turn: 2 pi 10000^(2 pair / width)."""
    return 2 * PI * Decimal(10000) ** (Decimal(2 * pair) / Decimal(width))


def nearest(positions, width):
    """The least distance of two of so many positions."""
    w = np.array([float(2 * PI / wave(k, width)) for k in range(width // 2)])
    apart = np.arange(1, positions)
    return np.sqrt((4 * np.sin(np.outer(apart, w) / 2) ** 2).sum(axis=1)).min()


def first_about(share):
    """The least width at which the lowest frequency is within `share` of 1/10000, and stays so."""
    width = 2
    while abs(2 * PI / wave(width // 2 - 1, width) * 10000 - 1) > share:
        width += 2
    return width


def first_wave(share):
    """The same for the longest wave and 2 pi 10000."""
    width = 2
    while abs(wave(width // 2 - 1, width) / (2 * PI * 10000) - 1) > share:
        width += 2
    return width


def odd_residual(width, positions=128, shift=5):
    """What the best fixed matrix leaves of a shift when the last sine has no cosine."""
    w = np.array([float(2 * PI / wave(k, width)) for k in range((width + 1) // 2)])
    turns = np.exp(1j * np.outer(np.arange(positions), w))
    rows = np.stack([turns.imag, turns.real], axis=-1).reshape(positions, -1)[:, :width]
    matrix = np.linalg.lstsq(rows[:-shift], rows[shift:], rcond=1e-13)[0]
    left = rows[shift:] - rows[:-shift] @ matrix
    return np.linalg.norm(left) / np.linalg.norm(rows[shift:])


def single_errors(width):
    """Largest relative errors of exp(-log) and of 1 / power in single precision."""
    exact = np.array([float(2 * PI / wave(k, width)) for k in range(width // 2)])
    two_k = np.arange(0, width, 2, dtype=np.float32)
    by_log = np.exp(two_k * np.float32(-np.log(10000.0) / width))
    by_power = np.float32(1) / np.power(np.float32(10000), two_k / np.float32(width))
    return [float(np.abs(found.astype(np.float64) / exact - 1).max()) for found in (by_log, by_power)]


def array(name, what, values):
    words = ", ".join(repr(float(value)) for value in values)
    return f"// {what}\ninline constexpr std::array<double, {len(values)}> {name} = {{{words}}};\n"


def claims():
    widths = (8, 32, 64, 128, 256, 512)
    dimensions = (0, 64, 128, 192, 254)
    return ("// Made by tests/golden/lab01_sinusoid.py; do not edit.\n// clang-format off\n"
            "#pragma once\n#include <array>\n\n"
            + array("kLongestWaves", "At widths 8, 32, 64, 128, 256 and 512.",
                    [wave(width // 2 - 1, width) for width in widths])
            + array("kClocksOf256", "Dimensions 0, 64, 128, 192 and 254 of width 256.",
                    [wave(i // 2, 256) for i in dimensions])
            + array("kClocksOf320", "The same of width 320.", [wave(i // 2, 320) for i in dimensions])
            + array("kFirstAbout", "From this width on the lowest frequency is 1/10000 to a tenth.",
                    [first_about(Decimal("0.1"))])
            + array("kWaveFirstAbout", "From this width on the longest wave is 62,832 to a tenth.",
                    [first_wave(Decimal("0.1"))])
            + array("kLastSineAlone", "What is left of a shift by 5, widths 1, 3, 5, 7: a sine alone.",
                    [odd_residual(width) for width in (1, 3, 5, 7)])
            + array("kNearest", "Of 10000 positions at width 8, of 100 at width 128.",
                    [nearest(10000, 8), nearest(100, 128)])
            + array("kMoves", "How far pairs 0 and 15 of width 32 move in a step.",
                    [2 * np.sin(float(PI / wave(k, 32))) for k in (0, 15)])
            + array("kSingleErrors", "exp(-log) and power in single precision, width 128.",
                    single_errors(128)))


if __name__ == "__main__":
    HEADER.write_text(in_namespace(header(), "phasor::lab01"))
    CLAIMS.write_text(claims())
