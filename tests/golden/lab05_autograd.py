"""Golden values for Lab 05: labs/lab05_autograd/golden.hpp.

    /usr/bin/python3 tests/golden/lab05_autograd.py

For each of six operations: inputs, a random cotangent dy, and the gradients of sum(dy * y) by the
inputs, from PyTorch's autograd in float64. No two extents of a matrix product are equal, a row of
layer norm has a variance near its epsilon, a row of the table is looked up three times, one row of
logits lies near 1000, whose exp is infinite, and the loss's own gradient is not 1.
"""
import pathlib

import torch
from torch.nn import functional as F

from cpp_header import in_namespace

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab05_autograd/golden.hpp"
EPSILON = 1e-5
ROWS, TARGETS = [1, 3, 1, 1], [0, 2, 2, 1]

torch.manual_seed(5)


def normal(*shape):
    """Rounded to three decimals, so that the numbers of a case can be read and typed."""
    return (torch.randn(shape, dtype=torch.float64) * 1000).round() / 1000


def case(name, function, inputs):
    """(name, inputs, dy, gradients), all tensors."""
    leaves = [x.clone().requires_grad_() for x in inputs]
    y = function(*leaves)
    dy = normal(*y.shape)
    y.backward(dy)
    return name, inputs, dy, [leaf.grad for leaf in leaves]


def cases():
    flat = normal(3, 4)
    flat[1] = 0.5 + flat[1] / 300
    high = normal(4, 5)
    high[2] += 1000
    return [
        case("mul", torch.mul, [normal(2, 3), normal(2, 3)]),
        case("matmul", torch.matmul, [normal(2, 3), normal(3, 4)]),
        case("softmax", lambda x: torch.softmax(x, -1), [normal(2, 5)]),
        case("layer norm", lambda x, w, b: F.layer_norm(x, (4,), w, b, EPSILON),
             [flat, normal(4), normal(4)]),
        case("embedding", lambda table: F.embedding(torch.tensor(ROWS), table), [normal(5, 3)]),
        case("cross entropy", lambda x: F.cross_entropy(x, torch.tensor(TARGETS)), [high]),
    ]


def numbers(values):
    lines, line = [], ""
    for word in (repr(float(v)) for v in values.flatten()):
        if len(line) + len(word) > 88:
            lines, line = lines + [line], ""
        line += word + ", "
    return "\n       ".join(line.rstrip() for line in lines + [line]).rstrip(",")


def tensor(values):
    return "{{" + ", ".join(map(str, values.shape)) + "},\n      {" + numbers(values) + "}}"


def text(name, inputs, dy, gradients):
    rows = [",\n     ".join(map(tensor, group)) for group in (inputs, gradients)]
    return f'    {{"{name}",\n    {{{rows[0]}}},\n     {tensor(dy)},\n    {{{rows[1]}}}}}'


def header():
    listed = ",\n".join(text(*c) for c in cases())
    rows, targets = (", ".join(map(str, group)) for group in (ROWS, TARGETS))
    return ("// Made by tests/golden/lab05_autograd.py, with PyTorch's autograd; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <cstddef>\n#include <string>\n#include <vector>\n\n"
            "struct GoldenTensor {\n  std::vector<std::size_t> shape;\n"
            "  std::vector<double> values;\n};\n\n"
            "struct GoldenGradients {\n  std::string op;\n  std::vector<GoldenTensor> inputs;\n"
            "  GoldenTensor dy;\n  std::vector<GoldenTensor> gradients;\n};\n\n"
            f"inline const std::vector<std::size_t> kGoldenRows = {{{rows}}};\n"
            f"inline const std::vector<std::size_t> kGoldenTargets = {{{targets}}};\n"
            f"inline const std::vector<GoldenGradients> kGoldenGradients = {{\n{listed}}};\n")


if __name__ == "__main__":
    HEADER.write_text(in_namespace(header(), "phasor::lab05"))
