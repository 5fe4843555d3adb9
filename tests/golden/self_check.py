"""Checks of the golden values' makers against second implementations; raises on the first failure.

- the tables of schemes.py, against entries known by hand
- the Mini-GPT with what is added to embeddings or logits, against
  torch.nn.TransformerEncoderLayer(norm_first=True) with an additive mask
- its rotation (sines and cosines, PyTorch), against schemes.py's (complex numbers, NumPy)
- its logits: unmoved by a later token, moved by an earlier one; no two variants alike
- clipping, against torch.nn.utils.clip_grad_norm_ (which divides by norm + 1e-6)
- the safetensors reader: reads format/good.safetensors, refuses every format/bad.*
- the references of conformance/, in conformance_check.py

The tolerances are rounding in double precision, except for clipping, where they hold that 1e-6.
Written for and run with Python 3.11, PyTorch 1.13, NumPy 1.24.
"""
import dataclasses

import numpy as np
import torch
from torch import nn

import conformance_check
import logits
import mini_gpt
import safetensors
import schemes
import training
from conformance_check import close


def random_model(config):
    weights = mini_gpt.random_weights(config, 1)
    return mini_gpt.build(config, weights, torch.float64).requires_grad_(False)


def embedded(model, config, tokens):
    x = model.token_embedding(tokens)
    if config.scheme == "learned":
        return x + model.position.table[:tokens.shape[1]]
    if config.scheme == "sinusoidal":
        table = schemes.sinusoidal_table(tokens.shape[1], config.width)
        return x * config.width**0.5 + torch.from_numpy(table)
    return x


def additive_mask(config, batch, length):
    """[B * H, T, T]: -inf on the future, ALiBi's bias below it."""
    rel = torch.arange(length, dtype=torch.float64)[:, None] - torch.arange(length)
    slopes = torch.tensor([2.0**-4, 2.0**-8, 2.0**-2] if config.scheme == "alibi" else [0.0] * 3)
    bias = -slopes[:, None, None] * rel
    return bias.masked_fill(rel < 0, float("-inf")).repeat(batch, 1, 1)


def check_blocks(scheme):
    config = mini_gpt.Config(scheme=scheme, activation="gelu_erf")
    model = random_model(config)
    tokens = torch.arange(24).view(2, 12) % config.vocabulary
    x = embedded(model, config, tokens)
    for block in model.blocks:
        layer = nn.TransformerEncoderLayer(
            config.width, config.heads, config.mlp_ratio * config.width, dropout=0.0,
            activation="gelu", batch_first=True, norm_first=True, dtype=torch.float64)
        mine, packed = block.attention, layer.self_attn
        inputs = (mine.query, mine.key, mine.value)
        with torch.no_grad():
            packed.in_proj_weight.copy_(torch.cat([linear.weight for linear in inputs]))
            packed.in_proj_bias.copy_(torch.cat([linear.bias for linear in inputs]))
            for theirs, ours in ((packed.out_proj, mine.output), (layer.linear1, block.mlp.up),
                                 (layer.linear2, block.mlp.down), (layer.norm1, block.norm1),
                                 (layer.norm2, block.norm2)):
                theirs.load_state_dict(ours.state_dict())
            x = layer(x, src_mask=additive_mask(config, 2, 12))
    close(model(tokens), model.norm(x) @ model.head.weight.T)


def check_tables():
    close(schemes.rope_angles([2.0, 1000.5], 8, 10000.0),
          [[2, 0.2, 0.02, 0.002], [1000.5, 100.05, 10.005, 1.0005]])
    sines, cosines = np.sin([3, 0.3]), np.cos([3, 0.3])
    close(schemes.sinusoidal_table(4, 4, 100.0)[3], [sines[0], cosines[0], sines[1], cosines[1]])
    close(schemes.sinusoidal_table(4, 4, 100.0, "concat")[3], [*sines, *cosines])
    close(schemes.alibi_slopes(8), [1/2, 1/4, 1/8, 1/16, 1/32, 1/64, 1/128, 1/256])
    close(schemes.alibi_slopes(6), [1/4, 1/16, 1/64, 1/256, 1/2, 1/8])
    close(schemes.alibi_slopes(12)[8:], 2.0 ** np.array([-0.5, -1.5, -2.5, -3.5]))


def check_rotation():
    x = np.random.Generator(np.random.PCG64(2)).standard_normal((2, 3, 5, 10))
    for options in ({}, {"pairing": "half"}, {"fraction": 0.5, "base": 500.0},
                    {"pairing": "half", "fraction": 0.5}):
        position = mini_gpt.Position(mini_gpt.Config(scheme="rope", options=options))
        close(position.rotate(torch.from_numpy(x)), schemes.rope(x, np.arange(5), **options))


def check_causality():
    for config in logits.VARIANTS.values():
        model = random_model(config)
        tokens = torch.arange(7)[None]
        changed = tokens.clone()
        changed[0, 3] = 9
        difference = (model(changed) - model(tokens)).abs().amax((0, 2))
        if difference[:3].any() or not (difference[3:] > 1e-6).all():
            raise AssertionError(f"{config.scheme}: not causal: {difference}")


def check_clipping():
    tokens = torch.arange(12)[None]
    for clip in (0.5, 100.0):
        ours, theirs = (random_model(mini_gpt.Config()).requires_grad_() for _ in range(2))
        for model in (ours, theirs):
            model.loss(tokens, tokens).backward()
        norm = training.clip_gradients(ours, clip)
        close(norm, nn.utils.clip_grad_norm_(theirs.parameters(), clip).item(), 1e-12 * norm)
        for a, b in zip(ours.parameters(), theirs.parameters()):
            close(a.grad, b.grad, 1e-6)


def check_variants_differ():
    """From the same weights no two variants of rope or of sinusoidal give the same logits."""
    tokens = torch.arange(7)[None]
    seen = []
    for name, config in logits.VARIANTS.items():
        if config.scheme not in ("rope", "sinusoidal"):
            continue
        plain = dataclasses.replace(config, norm="layer", activation="relu", tied=False)
        result = random_model(plain)(tokens)
        for other, values in seen:
            if (result - values).abs().max() < 1e-3:
                raise AssertionError(f"{name} and {other} give the same logits")
        seen.append((name, result))


def check_format(folder):
    tensors, metadata = safetensors.read(folder / "good.safetensors")
    assert list(tensors) == ["c", "empty", "α.scalar", "a", "b"] and metadata["text"] == "π"
    for name in "abc":
        assert np.array_equal(tensors[name], np.load(folder / f"good.{name}.npy"))
    assert tensors["α.scalar"].shape == () and tensors["α.scalar"] == 0.5
    unpadded, _ = safetensors.read(folder / "good_unpadded.safetensors")
    assert np.array_equal(unpadded["a"], tensors["a"])
    files = sorted(folder.glob("bad.*"))
    assert files
    for file in files:
        try:
            safetensors.read(file)
        except safetensors.FormatError:
            continue
        raise AssertionError(f"{file.name} was read")


def check(folder):
    check_tables()
    for scheme in ("none", "learned", "sinusoidal", "alibi"):
        check_blocks(scheme)
    check_rotation()
    check_causality()
    check_clipping()
    check_variants_differ()
    check_format(folder / "format")
    conformance_check.check(folder / "conformance")


if __name__ == "__main__":
    check(schemes.FOLDER)
