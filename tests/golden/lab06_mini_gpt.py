"""Golden values for Lab 06: labs/lab06_mini_gpt/golden.hpp.

    python3 tests/golden/lab06_mini_gpt.py

A Mini-GPT of two layers with learned positions (mini_gpt.py), small enough that its weights need
no file: each is a sine of its place in its tensor, with a phase from the tensor's name. Two things
are computed in double precision: what the first block makes of a given stream, and the losses of
ten training steps (training.py) on tokens that follow from a formula. Where the lab trains in
single precision, the initial weights are rounded to it here too.
Needs PyTorch 1.13 and NumPy 1.24.
"""
import pathlib

import numpy as np
import torch

import mini_gpt
import training

from cpp_header import in_namespace

HEADER = pathlib.Path(__file__).resolve().parents[2] / "labs/lab06_mini_gpt/golden.hpp"
CONFIG = mini_gpt.Config(scheme="learned", width=8, heads=2, layers=2, context=6, vocabulary=7)
BATCH = 4


def phase(name):
    """The sum of the name's bytes, as an angle."""
    return 0.1 * sum(name.encode())


def formula_weights(dtype):
    """Matrices 0.4 s(i), norm weights 1 + 0.1 s(i), biases 0.1 s(i), s(i) = sin(phase + 0.7 i)."""
    weights = {}
    for name, parameter in mini_gpt.MiniGpt(CONFIG).named_parameters():
        wave = np.sin(phase(name) + 0.7 * np.arange(parameter.numel()))
        if parameter.ndim >= 2:
            values = 0.4 * wave
        else:
            values = 0.1 * wave + (1.0 if name.endswith("weight") else 0.0)
        weights[name] = values.reshape(tuple(parameter.shape)).astype(dtype)
    return weights


def stream():
    """What the block is given, [T, C]."""
    size = CONFIG.context * CONFIG.width
    return np.cos(0.9 * np.arange(size)).reshape(CONFIG.context, CONFIG.width)


def tokens():
    """inputs, targets [steps, B, T]: token t of window b in step s is (5 s + 3 b + t (t + b)) mod V."""
    step, row, place = np.meshgrid(np.arange(training.RECIPE["steps"]), np.arange(BATCH),
                                   np.arange(CONFIG.context + 1), indexing="ij")
    text = (5 * step + 3 * row + place * (place + row)) % CONFIG.vocabulary
    return torch.from_numpy(text[..., :-1].copy()), torch.from_numpy(text[..., 1:].copy())


def block_output():
    model = mini_gpt.MiniGpt(CONFIG).double()  # mini_gpt.build would round the weights to float32
    model.load_state_dict({name: torch.from_numpy(array)
                           for name, array in formula_weights(np.float64).items()})
    with torch.no_grad():
        return model.blocks[0](torch.from_numpy(stream())[None], model.position)[0].numpy()


def ten_losses():
    inputs, targets = tokens()
    weights = formula_weights(np.float32)
    return training.run(CONFIG, weights, inputs, targets, torch.float64, training.RECIPE)[1]


def array(name, values):
    numbers = [repr(float(value)) for value in values.ravel()]
    lines = ["    " + ", ".join(numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    return (f"inline constexpr std::array<double, {len(numbers)}> {name} = {{\n"
            + ",\n".join(lines) + "};\n")


def header():
    return ("// Made by tests/golden/lab06_mini_gpt.py, with PyTorch; do not edit.\n"
            "// clang-format off\n"
            "#pragma once\n#include <array>\n\n"
            "/// What the first block makes of the stream.\n"
            + array("kGoldenBlock", block_output())
            + "/// Nats per token before each of ten steps.\n"
            + array("kGoldenLosses", ten_losses()))


if __name__ == "__main__":
    torch.set_num_threads(1)
    HEADER.write_text(in_namespace(header(), "phasor::lab06"))
