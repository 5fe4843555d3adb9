"""Golden values for Lab 08: labs/lab08_rope/golden.hpp.

    /usr/bin/python3 tests/golden/lab08_rope.py

Five rows of width 8 at positions 0, 1, 2.5, 7 and 100, with base 50, a base that nobody types by
habit. A pair of columns (x, y) is the complex number x + i y, and turning it is multiplying it by
exp(i p w_c), w_c = base^(-2c / width) (Su et al. 2021, equation 34). Two pairings: columns 2c and
2c + 1, or c and c + width / 2. The gradient is PyTorch's, of sum(dy * y) by x. Float64.
"""
import pathlib

import numpy as np
import torch

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab08_rope/golden.hpp"
POSITIONS, BASE, WIDTH = (0.0, 1.0, 2.5, 7.0, 100.0), 50.0, 8


def turned(x, pairing):
    """x [T, WIDTH], a torch tensor -> the same, every pair turned."""
    w = torch.tensor(np.exp(-np.log(BASE) * np.arange(0, WIDTH, 2) / WIDTH))
    angles = torch.outer(torch.tensor(POSITIONS, dtype=torch.float64), w)
    if pairing == "interleaved":
        pairs = torch.view_as_complex(x.reshape(len(POSITIONS), WIDTH // 2, 2).contiguous())
    else:
        pairs = torch.complex(x[:, :WIDTH // 2].contiguous(), x[:, WIDTH // 2:].contiguous())
    pairs = pairs * torch.polar(torch.ones_like(angles), angles)
    if pairing == "interleaved":
        return torch.view_as_real(pairs).reshape(len(POSITIONS), WIDTH)
    return torch.cat([pairs.real, pairs.imag], dim=1)


def array(name, values):
    numbers = [repr(float(value)) for value in np.asarray(values).ravel()]
    lines = ["    " + ", ".join(numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<double, {len(numbers)}> {name} = {{\n"
            + ",\n".join(lines) + "};\n")


def header():
    random = np.random.default_rng(8)
    x = torch.tensor(np.round(random.normal(size=(len(POSITIONS), WIDTH)), 3), requires_grad=True)
    dy = torch.tensor(np.round(random.normal(size=(len(POSITIONS), WIDTH)), 3))
    text = ("// Made by tests/golden/lab08_rope.py, with PyTorch and complex numbers; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n#include <cstddef>\n\nnamespace phasor::lab08 {\n\n"
            f"inline constexpr std::size_t kGoldenWidth = {WIDTH};\n"
            f"inline constexpr double kGoldenBase = {BASE};\n"
            + array("kGoldenPlaces", POSITIONS)
            + array("kGoldenRows", x.detach()) + array("kGoldenCotangent", dy))
    for pairing, name in (("interleaved", "Interleaved"), ("half", "Half")):
        y = turned(x, pairing)
        gradient, = torch.autograd.grad((y * dy).sum(), x)
        text += array(f"kGolden{name}", y.detach()) + array(f"kGolden{name}Gradient", gradient)
    return text + "\n}  // namespace phasor::lab08\n"


if __name__ == "__main__":
    HEADER.write_text(header())
