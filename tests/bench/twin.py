"""The Mini-GPT of the speed comparison in PyTorch: one measurement, printed as JSON.

    twin.py train --size 64x4x2x64x32 --threads 1 --seconds 0.4
    twin.py generate --size 64x4x2 --threads 1 --tokens 1001 --generations 5

The block is the pre-norm one of GPT-2 (Radford et al. 2019) written as people write it: q, k and v
from one linear map, GELU, an untied head. `train` has learned positions, AdamW and clip 1, and
times forward, backward, clip and update. `generate` has no positions; it is greedy, with keys and
values kept in tensors that were allocated once, and without gradients.
Written for PyTorch 1.13 or newer, Debian's python3-torch. Run it through against_pytorch, which sets
OMP_NUM_THREADS and OPENBLAS_NUM_THREADS: BLAS reads them when it is loaded.
"""
import argparse
import json
import math
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

VOCABULARY = 65
BATCHES = 4
PLACES = (10, 100, 1000)


class Cache:
    """Keys and values of all tokens that were read, for one layer."""

    def __init__(self, heads, capacity, head_width):
        self.keys = torch.empty(1, heads, capacity, head_width)
        self.values = torch.empty(1, heads, capacity, head_width)
        self.length = 0

    def extended(self, k, v):
        """Appends one token's and returns all."""
        end = self.length + 1
        self.keys[:, :, self.length:end] = k
        self.values[:, :, self.length:end] = v
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.width, self.heads = width, heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask=None, cache=None):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in self.qkv(self.norm1(x)).split(width, 2))
        if cache is not None:
            k, v = cache.extended(k, v)
        logits = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        if mask is not None:
            logits = logits.masked_fill(mask, -math.inf)
        mixed = (logits.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width)
        x = x + self.output(mixed)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    """context: rows of the table of learned positions; None: no positions."""

    def __init__(self, width, heads, layers, context=None):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, width)
        self.positions = nn.Embedding(context, width) if context else None
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, VOCABULARY, bias=False)
        if context:
            future = torch.triu(torch.ones(context, context, dtype=torch.bool), 1)
            self.register_buffer("mask", future)

    def loss(self, x, y):
        """Mean cross entropy in nats of the targets y [B, T]."""
        hidden = self.tokens(x) + self.positions(torch.arange(x.shape[1]))
        for block in self.blocks:
            hidden = block(hidden, mask=self.mask)
        logits = self.head(self.norm(hidden))
        return F.cross_entropy(logits.view(-1, VOCABULARY), y.view(-1))

    def next_token(self, token, caches):
        """The likeliest token after `token` [1, 1]."""
        hidden = self.tokens(token)
        for block, cache in zip(self.blocks, caches):
            hidden = block(hidden, cache=cache)
        return self.head(self.norm(hidden)).argmax(-1)


def one_step(model, optimizer, x, y):
    """Seconds of one step."""
    start = time.perf_counter()
    loss = model.loss(x, y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return time.perf_counter() - start


def train(size, seconds):
    """The median step of as many as fit, at least two, after one that is not counted."""
    width, heads, layers, context, batch = size
    model = Gpt(width, heads, layers, context)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    batches = [(torch.randint(0, VOCABULARY, (batch, context)),
                torch.randint(0, VOCABULARY, (batch, context))) for _ in range(BATCHES)]
    one_step(model, optimizer, *batches[0])
    steps = []
    start = time.perf_counter()
    while len(steps) < 2 or time.perf_counter() - start < seconds:
        steps.append(one_step(model, optimizer, *batches[len(steps) % BATCHES]))
    return {"ms_per_step": 1000 * statistics.median(steps)}


def generate_once(model, size, tokens):
    """When each token was there, in seconds from the start."""
    width, heads, layers = size
    start = time.perf_counter()
    caches = [Cache(heads, tokens, width // heads) for _ in range(layers)]
    token, stamps = torch.tensor([[1]]), []
    for _ in range(tokens):
        token = model.next_token(token, caches)
        stamps.append(time.perf_counter() - start)
    return stamps


@torch.inference_mode()
def generate(size, tokens, generations):
    model = Gpt(*size)
    generate_once(model, size, min(tokens, 10))
    runs = [generate_once(model, size, tokens) for _ in range(generations)]
    ms_at = {str(place): 1000 * statistics.median(run[place - 1] - run[place - 2] for run in runs)
             for place in PLACES if place <= tokens}
    return {"ms_at": ms_at,
            "tokens_per_second": tokens * generations / sum(run[-1] for run in runs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("train", "generate"))
    parser.add_argument("--size", required=True, help="WxHxLxTxB, or WxHxL to generate")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--tokens", type=int, default=1001)
    parser.add_argument("--generations", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    size = [int(extent) for extent in arguments.size.split("x")]
    if arguments.what == "train":
        result = train(size, arguments.seconds)
    else:
        result = generate(size, arguments.tokens, arguments.generations)
    print(json.dumps({"pytorch": torch.__version__, **result}))


if __name__ == "__main__":
    main()
