"""Trains a small Phasor model for each scheme that gpt_torch.py knows, reads it in PyTorch, and
compares the logits of both for the same tokens. Exits with 1 when they differ by more than LIMIT.

    python3 notebooks/interop/compare.py [--phasor build/phasor] [--out DIR]

Needs PyTorch 1.13 or newer and NumPy (apt-get install python3-torch python3-numpy).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch

import gpt_torch

LIMIT = 1e-4
PHASOR = pathlib.Path(__file__).resolve().parents[2] / "build" / "phasor"
CASES = {
    "none": ["--scheme", "none"],
    "sinusoidal": ["--scheme", "sinusoidal"],
    "learned": ["--scheme", "learned"],
    "rope, interleaved": ["--scheme", "rope", "--pairing", "interleaved"],
    "rope, half": ["--scheme", "rope", "--pairing", "half"],
    "alibi": ["--scheme", "alibi"],
    "t5_bias": ["--scheme", "t5_bias"],
}
# A few steps at a high learning rate move every weight, those of norms and biases too, well away
# from where it starts.
SIZES = ["--width", "32", "--heads", "4", "--layers", "2", "--context", "32"]
TRAINING = ["--text", "toy", "--steps", "20", "--lr", "0.01", "--warmup", "5", "--threads", "1"]


def train(phasor, run, options, sizes=SIZES):
    subprocess.run([phasor, "train", *sizes, *TRAINING, *options, "--overwrite", "--out", run],
                   check=True, stdout=subprocess.DEVNULL)


def random_tokens(run, texts=3, length=32):
    """[B, T]"""
    config = json.loads((run / "config.json").read_text())
    return np.random.default_rng(1).integers(config["model"]["vocabulary"], size=(texts, length))


def phasor_logits(phasor, run, tokens):
    """[B, T, V]; tokens and logits pass through .npy files in the run's folder."""
    np.save(run / "tokens.npy", tokens)
    subprocess.run([phasor, "logits", "--run", run, "--tokens", run / "tokens.npy",
                    "--out", run / "logits.npy"], check=True, stdout=subprocess.DEVNULL)
    return np.load(run / "logits.npy")


def torch_logits(run, tokens):
    with torch.no_grad():
        return gpt_torch.load(run)(torch.from_numpy(tokens)).numpy()


def largest_difference(ours, theirs):
    assert ours.shape == theirs.shape, f"logits {ours.shape} and {theirs.shape}"
    return float(np.abs(ours - theirs).max())


def difference(phasor, run, options):
    """Trains a model into `run` and returns how far the two programs' logits are apart."""
    train(phasor, run, options)
    tokens = random_tokens(run)
    return largest_difference(phasor_logits(phasor, run, tokens), torch_logits(run, tokens))


def compare(phasor, out):
    """Prints the table; true when all are equal."""
    print(f"{'scheme':<19}{'largest difference':<20}")
    all_equal = True
    for name, options in CASES.items():
        largest = difference(phasor, out / name.replace(", ", "-"), options)
        is_equal = largest <= LIMIT  # false for NaN
        all_equal = all_equal and is_equal
        verdict = f"equal (limit {LIMIT:.0e})" if is_equal else "DIFFERENT"
        print(f"{name:<19}{largest:<20.1e}{verdict}", flush=True)
    return all_equal


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--phasor", type=pathlib.Path, default=PHASOR)
    parser.add_argument("--out", type=pathlib.Path, help="keeps the runs here")
    arguments = parser.parse_args()
    if not arguments.phasor.is_file():
        parser.error(f"{arguments.phasor} is missing; build it with labs/run")
    if arguments.out:
        return 0 if compare(arguments.phasor, arguments.out) else 1
    with tempfile.TemporaryDirectory() as folder:
        return 0 if compare(arguments.phasor, pathlib.Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
