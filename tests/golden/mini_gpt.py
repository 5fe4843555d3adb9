"""The Mini-GPT in PyTorch, written from the papers: a pre-norm GPT-2 block (Radford et al. 2019),
attention of Vaswani et al. 2017, with a positional scheme chosen by name.

    x = token_embedding(tokens)                    [B, T, C]   + position (sinusoidal, learned)
    x = x + attention(norm1(x));  x = x + mlp(norm2(x))        in each block
    logits = norm(x) W_head^T                      [B, T, V]   W_head is W_token_embedding when tied
    attention: softmax(mask(rotate(q) rotate(k)^T / sqrt(D) + bias)) v, causal, q k v [B, H, T, D]

Sinusoidal: the token embeddings are multiplied by sqrt(C) first (Vaswani et al., section 3.4);
in the other schemes they are not. Norms use eps 1e-5. RMSNorm is Zhang and Sennrich 2019
(arXiv 1910.07467), without a bias. The weights of linear layers are [out, in].
Needs PyTorch 1.13 and NumPy 1.24 or newer; runs in the precision of its parameters.
"""
import dataclasses
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import schemes

ACTIVATIONS = {
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_erf": F.gelu,
    "relu": F.relu,
    "silu": F.silu,
}


@dataclasses.dataclass(frozen=True)
class Config:
    scheme: str = "learned"
    options: dict = dataclasses.field(default_factory=dict)
    width: int = 24
    heads: int = 3
    layers: int = 2
    context: int = 16
    vocabulary: int = 13
    mlp_ratio: int = 4
    norm: str = "layer"
    activation: str = "gelu_tanh"
    tied: bool = False


class RmsNorm(nn.Module):
    """y = x / sqrt(mean(x^2) + 1e-5) * w"""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight


def make_norm(config):
    return nn.LayerNorm(config.width, eps=1e-5) if config.norm == "layer" else RmsNorm(config.width)


class Position(nn.Module):
    """All schemes in one place: what is added to the embeddings, how q and k turn, what is added
    to the logits."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        if config.scheme == "learned":
            self.table = nn.Parameter(torch.zeros(config.context, config.width))

    def embed(self, x):
        config, length = self.config, x.shape[1]
        if config.scheme == "learned":
            return x + self.table[:length]
        if config.scheme == "sinusoidal":
            table = schemes.sinusoidal_table(length, config.width, **config.options)
            return x * math.sqrt(config.width) + torch.from_numpy(table).to(x.dtype)
        return x

    def rotate(self, x):
        """x [B, H, T, D]: each pair (a, b) becomes (a cos - b sin, a sin + b cos)."""
        if self.config.scheme != "rope":
            return x
        defaults = {"base": 10000.0, "fraction": 1.0, "pairing": "interleaved"}
        options = {**defaults, **self.config.options}
        rotated = schemes.rotated_width(x.shape[-1], options["fraction"])
        angles = schemes.rope_angles(np.arange(x.shape[-2]), rotated, options["base"])
        cos = torch.from_numpy(np.cos(angles)).to(x.dtype)
        sin = torch.from_numpy(np.sin(angles)).to(x.dtype)
        turning, rest = x[..., :rotated], x[..., rotated:]
        if options["pairing"] == "interleaved":
            a, b = turning[..., 0::2], turning[..., 1::2]
            turned = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)
        else:
            a, b = turning.chunk(2, dim=-1)
            turned = torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)
        return torch.cat((turned, rest), dim=-1)

    def score(self, logits):
        """logits [B, H, T, T], already divided by sqrt(D)."""
        if self.config.scheme != "alibi":
            return logits
        places = np.arange(float(logits.shape[-1]))
        bias = schemes.alibi_bias(schemes.alibi_slopes(self.config.heads), places, places)
        return logits + torch.from_numpy(bias).to(logits.dtype)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.query = nn.Linear(config.width, config.width)
        self.key = nn.Linear(config.width, config.width)
        self.value = nn.Linear(config.width, config.width)
        self.output = nn.Linear(config.width, config.width)

    def split_heads(self, x):
        """[B, T, C] -> [B, H, T, D]"""
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x, position):
        q = position.rotate(self.split_heads(self.query(x)))
        k = position.rotate(self.split_heads(self.key(x)))
        v = self.split_heads(self.value(x))
        logits = position.score(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
        future = torch.ones(logits.shape[-2:], dtype=torch.bool).triu(1)
        weights = logits.masked_fill(future, -math.inf).softmax(-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2))


class Mlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.width, config.mlp_ratio * config.width)
        self.down = nn.Linear(config.mlp_ratio * config.width, config.width)
        self.activation = ACTIVATIONS[config.activation]

    def forward(self, x):
        return self.down(self.activation(self.up(x)))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm1 = make_norm(config)
        self.attention = Attention(config)
        self.norm2 = make_norm(config)
        self.mlp = Mlp(config)

    def forward(self, x, position):
        x = x + self.attention(self.norm1(x), position)
        return x + self.mlp(self.norm2(x))


class MiniGpt(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocabulary, config.width)
        self.position = Position(config)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = make_norm(config)
        if not config.tied:
            self.head = nn.Linear(config.width, config.vocabulary, bias=False)
        self.tied = config.tied

    def forward(self, tokens):
        """tokens [B, T] int64 -> logits [B, T, V]"""
        x = self.position.embed(self.token_embedding(tokens))
        for block in self.blocks:
            x = block(x, self.position)
        x = self.norm(x)
        return F.linear(x, self.token_embedding.weight if self.tied else self.head.weight)

    def loss(self, tokens, targets):
        """Mean cross entropy in nats over all B * T targets."""
        return F.cross_entropy(self(tokens).flatten(0, 1), targets.flatten())


def random_weights(config, seed):
    """Weights by path, float32, from NumPy's PCG64. Matrices are normal with standard deviation
    1 / sqrt(last axis), biases 0.1 n, norm weights 1 + 0.1 n: nothing is zero or one, so that a
    wrong wiring of any parameter shows."""
    generator = np.random.Generator(np.random.PCG64(seed))
    weights = {}
    for name, parameter in MiniGpt(config).named_parameters():
        normal = generator.standard_normal(tuple(parameter.shape))
        if normal.ndim >= 2:
            values = normal / math.sqrt(normal.shape[-1])
        else:
            values = 0.1 * normal + (1.0 if name.endswith("weight") else 0.0)
        weights[name] = values.astype(np.float32)
    return weights


def build(config, weights, dtype):
    """A model in `dtype` with these weights (a dict of path -> array)."""
    model = MiniGpt(config)
    model.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    return model.to(dtype)
