"""A small training recipe in PyTorch on any UTF-8 text: the loss that Phasor's own run is held to.

    python3 kjv_recipe.py --text FILE [--seed N] [--tied yes|no]

The model is the Mini-GPT of tests/golden/mini_gpt.py in float32: width 128, 4 heads, 4 layers,
context 64, learned positions, layer norm, tanh GELU. A character is a token; the vocabulary is
the sorted set of the whole text's characters. The first 90% of the characters train, the rest
validate. Weights start as in GPT-2 (Radford et al. 2019): normal with standard deviation 0.02,
output projections of attention and MLP 0.02 / sqrt(2 layers), biases 0, norm weights 1. AdamW,
2000 steps of 12 windows at uniformly random places; the optimizer, clipping and schedule are those
of tests/golden/training.py. The validation loss is the mean in nats per character over all
non-overlapping windows of 64 (the last, incomplete one is left out).
Needs PyTorch 1.13 and NumPy 1.24 or newer. OMP_NUM_THREADS=1 keeps it to one core.
"""
import argparse
import dataclasses
import math
import pathlib
import sys
import time

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
import mini_gpt  # noqa: E402
import training  # noqa: E402

CONFIG = mini_gpt.Config(scheme="learned", width=128, heads=4, layers=4, context=64)
RECIPE = {"steps": 2000, "batch": 12, "learning_rate": 1e-3, "min_learning_rate": 1e-4,
          "warmup": 100, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "weight_decay": 0.1,
          "clip": 1.0}
EVALUATE_EVERY = 500
WINDOWS_AT_ONCE = 256


def load(path):
    """Training tokens, validation tokens and the size of the vocabulary."""
    text = pathlib.Path(path).read_bytes().decode("utf-8")
    code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    vocabulary, tokens = np.unique(code_points, return_inverse=True)
    tokens = torch.from_numpy(tokens.astype(np.int64))
    cut = 9 * len(tokens) // 10
    return tokens[:cut], tokens[cut:], len(vocabulary)


def initialise(model, config, generator):
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.ndim >= 2:
                residual = name.endswith(("attention.output.weight", "mlp.down.weight"))
                deviation = 0.02 / math.sqrt(2 * config.layers) if residual else 0.02
                parameter.normal_(0.0, deviation, generator=generator)
            else:
                parameter.fill_(1.0 if name.endswith("weight") else 0.0)


def validation_loss(model, tokens, context):
    windows = (len(tokens) - 1) // context
    inputs = tokens[:windows * context].view(windows, context)
    targets = tokens[1:windows * context + 1].view(windows, context)
    total = 0.0
    with torch.no_grad():
        for x, y in zip(inputs.split(WINDOWS_AT_ONCE), targets.split(WINDOWS_AT_ONCE)):
            total += float(model.loss(x, y)) * len(x)
    return total / windows


def sample(tokens, context, batch, generator):
    starts = torch.randint(len(tokens) - context, (batch,), generator=generator)
    windows = tokens[starts[:, None] + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train(text, seed, tied):
    train_tokens, validation_tokens, vocabulary = load(text)
    config = dataclasses.replace(CONFIG, vocabulary=vocabulary, tied=tied)
    generator = torch.Generator().manual_seed(seed)
    model = mini_gpt.MiniGpt(config)
    initialise(model, config, generator)
    count = sum(p.numel() for p in model.parameters())
    print(f"{len(train_tokens)} + {len(validation_tokens)} characters, vocabulary {vocabulary}, "
          f"{count} parameters, seed {seed}, {'tied' if tied else 'untied'} head, "
          f"PyTorch {torch.__version__}", flush=True)
    optimizer = training.make_optimizer(model, RECIPE)
    start = time.perf_counter()
    for step in range(RECIPE["steps"]):
        x, y = sample(train_tokens, config.context, RECIPE["batch"], generator)
        loss, _ = training.train_step(model, optimizer, step, x, y, RECIPE)
        done = step + 1
        if done % EVALUATE_EVERY == 0 or done == RECIPE["steps"]:
            seconds = time.perf_counter() - start
            validation = validation_loss(model, validation_tokens, config.context)
            print(f"step {done:5d}  batch loss {loss:.4f}  validation loss {validation:.4f}  "
                  f"{seconds:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--text", required=True, help="a UTF-8 text file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tied", choices=("yes", "no"), default="no",
                        help="whether the head shares the token embedding's weights")
    arguments = parser.parse_args()
    train(arguments.text, arguments.seed, arguments.tied == "yes")


if __name__ == "__main__":
    main()
