"""Golden values for Lab 02: labs/lab02_rotation/golden.hpp.

    python3 tests/golden/lab02_rotation.py

- SHIFT8, SHIFT12: shift matrices for k = 3 at width 8 and k = -7 at width 12, base 50, as matrix
  powers: with sine above cosine a step of one position is exp(G), G antisymmetric with the
  frequencies beside its diagonal. exp(k G) comes from the eigenvectors of the Hermitian i G.
- FLOAT_ERRORS: the norm of PE(p + k) - M_k PE(p) at width 64, base 10000, p = 10 and k = 1, 5, 10,
  50, 100, every step in PyTorch's float32.
"""
import pathlib

import numpy as np
import torch

from cpp_header import in_namespace

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab02_rotation/golden.hpp"
BASE = 50.0


def shift(k, width):
    w = np.exp(-np.log(BASE) * np.arange(0, width, 2) / width)
    generator = np.zeros((width, width))
    for c, frequency in enumerate(w):
        generator[2 * c, 2 * c + 1], generator[2 * c + 1, 2 * c] = frequency, -frequency
    values, vectors = np.linalg.eigh(1j * generator)
    return ((vectors * np.exp(-1j * k * values)) @ vectors.conj().T).real


def float_error(k, p=10, width=64):
    w = 1.0 / 10000.0 ** (torch.arange(0, width, 2).float() / width)

    def encoding(position):
        return torch.stack([torch.sin(position * w), torch.cos(position * w)], dim=1)

    cosine, sine = torch.cos(k * w), torch.sin(k * w)
    blocks = torch.stack([torch.stack([cosine, sine], 1), torch.stack([-sine, cosine], 1)], 1)
    matrix = torch.block_diag(*blocks)
    return torch.norm(encoding(p + k).ravel() - matrix @ encoding(p).ravel()).item()


def array(name, values):
    numbers = [float(value) for value in np.asarray(values).ravel()]
    lines = ["    " + ", ".join(repr(n) for n in numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<double, {len(numbers)}> {name} = {{\n"
            + ",\n".join(lines) + "};\n")


def header():
    return ("// Made by tests/golden/lab02_rotation.py, with NumPy and PyTorch; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n\n"
            f"inline constexpr double kGoldenBase = {BASE};\n"
            + array("kGoldenShift8", shift(3, 8)) + array("kGoldenShift12", shift(-7, 12))
            + array("kGoldenFloatErrors", [float_error(k) for k in (1, 5, 10, 50, 100)]))


if __name__ == "__main__":
    HEADER.write_text(in_namespace(header(), "phasor::lab02"))
