"""Golden values for tests/analysis/linear_attention_test.cpp: linear_attention_golden.hpp beside it.

    /usr/bin/python3 tests/golden/linear_attention.py

Four queries, keys [4, 6] and values [4, 2]; features elu(x) + 1 (Katharopoulos et al. 2020,
equation 7). Sums over all earlier keys are taken pair by pair. Su et al. (2021), equation 19: the
numerator of features turned to positions 0, 1, 2, 3 (base 50, by complex numbers), the denominator
of features as they are. Float64.
"""
import pathlib

import numpy as np
import torch

HEADER = pathlib.Path(__file__).resolve().parents[1] / "analysis/linear_attention_golden.hpp"


def turned(rows):
    w = 50.0 ** (-np.arange(0, rows.shape[1], 2) / rows.shape[1])
    pairs = rows[:, 0::2] + 1j * rows[:, 1::2]
    pairs = pairs * np.exp(1j * np.outer(np.arange(len(rows)), w))
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(rows.shape)


def sums(queries, keys, values):
    weights = np.tril(queries @ keys.T)
    return weights @ values, weights.sum(axis=1)


def array(name, values):
    words = [repr(float(v)) for v in np.asarray(values).ravel()]
    lines = ",\n".join("    " + ", ".join(words[i:i + 4]) for i in range(0, len(words), 4))
    return f"inline const std::vector<double> {name} = {{\n{lines}}};\n"


def header():
    random = np.random.default_rng(19)
    q, k, v = (np.round(random.normal(size=shape), 2) for shape in ((4, 6), (4, 6), (4, 2)))
    fq, fk = (torch.nn.functional.elu(torch.tensor(x)).numpy() + 1 for x in (q, k))
    numerators, denominators = sums(fq, fk, v)
    turned_numerators, turned_denominators = sums(turned(fq), turned(fk), v)
    return ("// Made by tests/golden/linear_attention.py, with PyTorch and NumPy; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <vector>\n\nnamespace phasor::linear_attention_golden {\n\n"
            + array("kQueries", q) + array("kKeys", k) + array("kValues", v)
            + array("kNumerators", numerators) + array("kDenominators", denominators)
            + array("kTurnedNumerators", turned_numerators)
            + array("kTurnedDenominators", turned_denominators)
            + array("kOutputs", turned_numerators / denominators[:, None])
            + "\n}  // namespace phasor::linear_attention_golden\n")


if __name__ == "__main__":
    HEADER.write_text(header())
