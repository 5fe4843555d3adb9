"""Golden logits of the PyTorch Mini-GPT, in double precision: logits/<variant>/.

One forward pass for every positional scheme and its variants, with the norms, activations, MLP
widths and tied heads spread over them. Each folder holds config.json, weights.safetensors
(float32), tokens.npy [B, T] and logits.npy [B, T, V].
Written for and run with Python 3.11, PyTorch 1.13, NumPy 1.24, one thread.
"""
import dataclasses

import numpy as np
import torch

import mini_gpt
import safetensors
import schemes
import training

BATCH, LENGTH = 3, 7
SMALL = mini_gpt.Config(width=20, heads=2, layers=2, context=9, vocabulary=11)


def variant(scheme, options=None, **changes):
    return dataclasses.replace(SMALL, scheme=scheme, options=options or {}, **changes)


def rope(pairing, base=10000.0, fraction=1.0, **changes):
    return variant("rope", {"base": base, "fraction": fraction, "pairing": pairing}, **changes)


VARIANTS = {
    "none": variant("none", norm="rms", activation="relu"),
    "learned": variant("learned", norm="rms", activation="silu", tied=True),
    "sinusoidal": variant("sinusoidal", {"base": 10000.0, "layout": "interleaved"},
                          activation="gelu_erf", tied=True),
    "sinusoidal_concat_base500": variant("sinusoidal", {"base": 500.0, "layout": "concat"}),
    "rope_interleaved": rope("interleaved"),
    "rope_half": rope("half", norm="rms", activation="silu", tied=True),
    # The head is 10 wide: half of it is 5 columns, of which 4 turn.
    "rope_interleaved_fraction50_base500": rope("interleaved", 500.0, 0.5, activation="gelu_erf"),
    "rope_half_fraction50_base500": rope("half", 500.0, 0.5, activation="relu"),
    # Six heads: not a power of two.
    "alibi_heads6": variant("alibi", width=48, heads=6, mlp_ratio=2),
    "alibi_heads2": variant("alibi", norm="rms", tied=True),
}


def make(folder):
    torch.set_num_threads(1)
    for seed, (name, config) in enumerate(VARIANTS.items(), 50):
        target = folder / "logits" / name
        target.mkdir(parents=True, exist_ok=True)
        weights = mini_gpt.random_weights(config, seed)
        generator = np.random.Generator(np.random.PCG64(seed))
        tokens = generator.integers(0, config.vocabulary, (BATCH, LENGTH))
        with torch.no_grad():
            logits = mini_gpt.build(config, weights, torch.float64)(torch.from_numpy(tokens))
        safetensors.write(target / "weights.safetensors", weights)
        training.write_json(target / "config.json", dataclasses.asdict(config))
        schemes.save(target, "tokens", tokens)
        schemes.save(target, "logits", logits.numpy())


if __name__ == "__main__":
    make(schemes.FOLDER)
