"""Golden values for Lab 00: labs/lab00_order/golden.hpp.

    python3 tests/golden/lab00_order.py

Attention query by query, over the list of keys that the query sees (so nothing is masked), sums by
math.fsum. Inputs come from a formula, wave(): sin(1 + 3 row + 5 column + 7 salt).

- OPEN, MASKED: 4 queries, 5 keys, D = 3, values of width 2; MASKED: query i sees keys 0 .. i + 1.
- LARGE: the same as OPEN with queries 1000 times as large, so that exp overflows if nothing is
  subtracted.
- STACK: two causal layers, x + attention(x Wq, x Wk, x Wv) Wo, width 4, four words in the orders
  0 1 2 3 and 2 1 0 3; the output at the last word, and the weights of layer 2 by place.
"""
import math
import pathlib

import numpy as np

from cpp_header import in_namespace

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab00_order/golden.hpp"


def wave(rows, columns, salt):
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    return np.sin(1.0 + 3 * i + 5 * j + 7 * salt)


def weights(query, keys):
    """The weights of one query over `keys`, largest logit subtracted."""
    logits = [math.fsum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
    terms = [math.exp(logit - max(logits)) for logit in logits]
    total = math.fsum(terms)
    return [term / total for term in terms]


def attention(q, k, v, seen):
    """seen(i): how many keys, from the first on, query i sees."""
    out = []
    for i, query in enumerate(q):
        w = weights(query, k[:seen(i)])
        out.append([math.fsum(a * value[c] for a, value in zip(w, v)) for c in range(v.shape[1])])
    return np.array(out)


def stack(order):
    x = wave(4, 4, 10)[order]
    for layer in (0, 1):
        wq, wk, wv, wo = (wave(4, 4, 20 + 4 * layer + n) for n in range(4))
        q, k, v = x @ wq, x @ wk, x @ wv
        last_weights = np.array([weights(q[i], k[:i + 1]) + [0.0] * (3 - i) for i in range(4)])
        x = x + attention(q, k, v, lambda i: i + 1) @ wo
    return x[3], last_weights


def array(name, values):
    numbers = [float(value) for value in np.asarray(values).ravel()]
    lines = ["    " + ", ".join(repr(n) for n in numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<double, {len(numbers)}> {name} = {{\n"
            + ",\n".join(lines) + "};\n")


def header():
    q, k, v = 2 * wave(4, 3, 1), wave(5, 3, 2), wave(5, 2, 3)
    first, first_weights = stack([0, 1, 2, 3])
    second, second_weights = stack([2, 1, 0, 3])
    return ("// Made by tests/golden/lab00_order.py, with NumPy; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n\n"
            + array("kGoldenOpen", attention(q, k, v, lambda i: 5))
            + array("kGoldenMasked", attention(q, k, v, lambda i: i + 2))
            + array("kGoldenLarge", attention(1000 * q, k, v, lambda i: 5))
            + array("kGoldenStackFirst", first) + array("kGoldenStackSecond", second)
            + array("kGoldenStackWeightsFirst", first_weights)
            + array("kGoldenStackWeightsSecond", second_weights))


if __name__ == "__main__":
    HEADER.write_text(in_namespace(header(), "phasor::lab00"))
