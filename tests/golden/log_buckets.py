"""Golden values for tests/position/log_buckets_test.cpp: log_buckets_golden.hpp beside it.

    /usr/bin/python3 tests/golden/log_buckets.py          a minute; standard library only

Rows of t5_bias and of deberta with logarithmic distances, in whole numbers of any size and without
a logarithm. The bucket ln(r / e) / ln(M / e) * n of T5 (Raffel et al. 2020, arXiv 1910.10683,
section 2.1; the authors' code) has reached j when

    (r / e)^n >= (M / e)^j,  which is  r^n e^j >= M^j e^n,

and of DeBERTa (He et al. 2020, arXiv 2006.03654; make_log_bucket_position of the released code,
which first clamps the distance to M - 1) it is at most j with <= in its place. Written for every
number of buckets, or span, up to 64 and every max distance up to 1024: for each number of buckets
one digest over all max distances, of the distances where the row changes and the row from there on
(64-bit FNV-1a over 32-bit numbers). A float is only asked for a first guess.

Prints the smallest distance from a whole number that the logarithms have where they are not whole.
"""
import fractions
import math
import pathlib

HEADER = pathlib.Path(__file__).resolve().parents[1] / "position/log_buckets_golden.hpp"
LARGEST_BUCKETS, LARGEST_DISTANCE = 64, 1024


def reached(r, e, last, n, j):
    """The sign of (r / e)^n - (last / e)^j."""
    left, right = r**n * e**j, last**j * e**n
    return (left > right) - (left < right)


def first_with(is_so, guess):
    """The smallest whole number for which a condition that stays true becomes true."""
    while is_so(guess - 1):
        guess -= 1
    while not is_so(guess):
        guess += 1
    return guess


def t5_starts(count, most):
    """Where the buckets of one side begin, but for those without a whole distance:
    [(distance, bucket)]."""
    exact = count // 2
    n = count - exact
    found = [(r, r) for r in range(exact + 1)]
    for j in range(1, n):
        guess = round(exact * (most / exact) ** (j / n))
        first = first_with(lambda r: r >= exact and reached(r, exact, most, n, j) >= 0, guess)
        if found[-1][0] == first:
            found.pop()
        found.append((first, exact + j))
    return found


def both_sides(count, most):
    """The same for distances of both signs, from the far future on."""
    half = count // 2
    past = t5_starts(half, most)
    ends = [first - 1 for first, _ in past[1:]] + [most + 8]
    future = [(-end, half + bucket) for (_, bucket), end in zip(past[1:], ends[1:])]
    return future[::-1] + past


def deberta_changes(span, most):
    """Where the rows change, from the far future on: [(distance, row)]."""
    middle, last = span // 2, most - 1
    n = middle - 1
    buckets = [(r, r) for r in range(middle + 1)]  # the past: (first distance, bucket)
    for j in range(n):  # bucket middle + j + 1 begins where j is passed
        guess = round(middle * (last / middle) ** (j / n))
        first = first_with(lambda r: r > middle and reached(r, middle, last, n, j) > 0, guess)
        if buckets[-1][0] == first:
            buckets.pop()
        buckets.append((first, middle + j + 1))
    ends = [first - 1 for first, _ in buckets[1:]] + [most + 8]
    future = [(-end, -bucket) for (_, bucket), end in zip(buckets[1:], ends[1:])]
    changes = []
    for r, bucket in future[::-1] + buckets:
        row = min(max(bucket + span, 0), 2 * span - 1)
        if not changes or changes[-1][1] != row:
            changes.append((r, row))
    return changes


def deberta_row(r, span, most):
    changes = deberta_changes(span, most)
    return [row for first, row in changes if first <= max(r, changes[0][0])][-1]


def digest(numbers):
    value = 0xCBF29CE484222325
    for number in numbers:
        for byte in (number & 0xFFFFFFFF).to_bytes(4, "little"):
            value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def digest_of(changes, count, distances):
    return digest(number for most in distances for change in changes(count, most)
                  for number in change)


def smallest_gap():
    """Of n log(x / first) / log(last / first) from a whole number, where it is not whole: n is first
    or one more in T5, one less in DeBERTa."""
    least = (1.0, None)
    for first in range(1, LARGEST_BUCKETS // 2 + 1):
        for n in sorted({first - 1, first, first + 1} - {0}):
            for last in range(first + 1, LARGEST_DISTANCE + 1):
                ratio = n / math.log(last / first)
                for j in range(1, n):
                    border = first * (last / first) ** (j / n)
                    for x in (math.floor(border), math.ceil(border)):
                        gap = abs(ratio * math.log(x / first) - j)
                        if gap < least[0] and reached(x, first, last, n, j):
                            least = gap, (x, first, last, n)
    return least


def table(name, words):
    rows = ",\n".join("    " + ", ".join(words[i:i + 4]) for i in range(0, len(words), 4))
    return f"inline constexpr std::array<std::uint64_t, {len(words)}> {name} = {{\n{rows}}};\n"


def check():
    """Against fractions, and the borders that the papers' sizes have."""
    assert t5_starts(32, 128)[16:] == list(zip(
        (16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113), range(16, 32)))
    assert t5_starts(10, 160)[5:] == [(5, 5), (10, 6), (20, 7), (40, 8), (80, 9)]
    for x, first, last, n, j in ((20, 5, 160, 5, 2), (19, 5, 160, 5, 2), (21, 5, 160, 5, 2)):
        wanted = fractions.Fraction(x, first) ** n - fractions.Fraction(last, first) ** j
        assert reached(x, first, last, n, j) == (wanted > 0) - (wanted < 0)
    assert [deberta_row(r, 8, 40) for r in (0, 4, 39, 40, 4000, -39, -4000)] == \
        [8, 12, 15, 15, 15, 1, 1]


def header():
    counts = range(4, LARGEST_BUCKETS + 1)

    def digests(changes, above):
        """Of every max distance that is allowed: it must be larger than half of n, plus `above`."""
        return [f"{digest_of(changes, n, range(n // 2 + above + 1, LARGEST_DISTANCE + 1)):#018x}"
                for n in counts]

    return ("// Made by tests/golden/log_buckets.py, in whole numbers; do not edit.\n"
            "// clang-format off\n#pragma once\n#include <array>\n#include <cstdint>\n\n"
            "namespace phasor::log_buckets_golden {\n\n"
            "// A digest for 4 to 64 buckets, or a span of as many: see the script.\n"
            + table("kCausal", digests(t5_starts, 0)) + table("kBothSides", digests(both_sides, 0))
            + table("kDeberta", digests(deberta_changes, 1))
            + "\n}  // namespace phasor::log_buckets_golden\n")


if __name__ == "__main__":
    check()
    HEADER.write_text(header())
    gap, where = smallest_gap()
    print(f"the smallest gap is {gap:.2g}, at x, first, last, n = {where}")
