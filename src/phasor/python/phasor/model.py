"""The Mini-GPT: made from a configuration, or loaded from a run."""
from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasor import _engine

Tokens = NDArray[np.int64]
Floats = NDArray[np.float32]


def checked_fields(config: object) -> None:
    """Raises TypeError for a field of another type than its default: a width of 64.0 or "64"."""
    for entry in dataclasses.fields(config):
        value = getattr(config, entry.name)
        wanted = {"int": int, "float": (int, float), "str": str, "bool": bool, "dict": dict,
                  "Config": object}[entry.type.split("[")[0]]
        if not isinstance(value, wanted) or (isinstance(value, bool) and entry.type != "bool"):
            raise TypeError(f"{entry.name} must be {entry.type}, got {value!r}")
        if entry.type == "int" and value < 0:
            raise _engine.ConfigError(f"{entry.name} must be 0 or more, got {value}")


@dataclass
class Config:
    """What a Mini-GPT is before it is trained. Every field can be seen in a run's config.json.

    scheme           where positions enter; phasor.schemes() lists them
    options          of the scheme: {"base": 500}
    width            C, of the residual stream
    heads            H; each has width / heads columns
    layers           blocks
    context          tokens in a window of training
    vocabulary       V, for a model of tokens that stand for nothing; 0: as many as characters
    mlp_ratio        width of the MLP, in units of `width`
    dropout          share of activations that training puts to 0
    causal           no token sees those after it; only such a model can predict the next one
    norm             layer or rms
    activation       gelu_tanh, gelu_erf, relu or silu
    tied             the head shares the token embedding's weights
    embedding_scale  whether token embeddings are multiplied by sqrt(width): on, off, or auto, as the
                     scheme asks
    random_positions tokens stand at random positions below this in training; 0: at 0, 1, 2, ...
    """

    scheme: str = "sinusoidal"
    options: dict = field(default_factory=dict)
    width: int = 64
    heads: int = 4
    layers: int = 2
    context: int = 64
    vocabulary: int = 0
    mlp_ratio: int = 4
    dropout: float = 0.0
    causal: bool = True
    norm: str = "layer"
    activation: str = "gelu_tanh"
    tied: bool = False
    embedding_scale: str = "auto"
    random_positions: int = 0

    def __post_init__(self) -> None:
        checked_fields(self)

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))


@dataclass
class Layer:
    """What one layer was given and made of it, on B sequences of T tokens."""

    stream: Floats  # what the block was given, [B, T, C]
    inputs: Floats  # of attention: the stream after the norm, [B, T, C]
    queries: Floats  # as the scheme turned them, [B, H, T, D]
    keys: Floats  # [B, H, T, D]
    values: Floats  # [B, H, T, D]
    logits: Floats  # scaled, masked (-1e30) and with what the scheme adds, [B, H, T, T]
    weights: Floats  # after softmax, [B, H, T, T]; every row sums to 1
    mixed: Floats  # weights times values, [B, H, T, D]


class Model:
    """A Mini-GPT and the characters it reads.

    Wherever tokens [B, T] are wanted a text does as well, which is one sequence, [1, T].
    """

    def __init__(self, config: Config | None = None, *, symbols: str | None = None,
                 seed: int = 1) -> None:
        """A model that is not trained. `symbols`: its characters; without them it has those of the
        toy language, or, where config.vocabulary is given, tokens that stand for nothing."""
        config = config or Config()
        if symbols is None:
            symbols = "" if config.vocabulary else _toy_symbols()
        self.engine = _engine.Model(config.to_json(), "".join(sorted(set(symbols))), seed)

    @classmethod
    def _of(cls, engine: _engine.Model) -> Model:
        model = cls.__new__(cls)
        model.engine = engine
        return model

    def __repr__(self) -> str:
        config = self.config
        return (f"Model({config.scheme}, width {config.width}, {config.heads} heads, "
                f"{config.layers} layers, context {config.context}, "
                f"{self.parameter_count} parameters)")

    @property
    def config(self) -> Config:
        """A copy: changing it changes no model."""
        return Config(**json.loads(self.engine.config))

    @property
    def symbols(self) -> str:
        """The characters in the order of their tokens; empty where tokens stand for nothing."""
        return self.engine.symbols

    @property
    def parameter_count(self) -> int:
        return self.engine.parameter_count

    def encode(self, text: str) -> Tokens:
        """[1, T]. Raises DataError naming a character that the model does not know."""
        return self.engine.encode(text)

    def decode(self, tokens: Tokens) -> str:
        """The text of one sequence, [T] or [1, T]."""
        return self.engine.decode(tokens)

    def _tokens(self, given: Tokens | str) -> Tokens:
        return self.encode(given) if isinstance(given, str) else given

    def logits(self, tokens: Tokens | str, positions: list[float] | None = None) -> Floats:
        """[B, T] -> [B, T, V], over the memory in which they were computed.

        `positions`: where the T tokens stand; 0, 1, 2, ... by default. Raises TypeError unless the
        tokens are int64, ShapeError, DataError, and PositionError where the scheme has no encoding.
        """
        return self.engine.logits(self._tokens(tokens), positions)

    def layers(self, tokens: Tokens | str) -> list[Layer]:
        """What every layer was given and made of it. No array is copied."""
        return [Layer(**layer) for layer in self.engine.record(np.atleast_2d(self._tokens(tokens)))]

    def attention(self, text: Tokens | str) -> Floats:
        """Attention weights of one sequence by layer and head: [L, H, T, T], queries in rows."""
        layers = self.layers(text)
        if len(layers[0].weights) != 1:
            raise _engine.ShapeError(f"attention is shown for one sequence, [1, T], got "
                                     f"{len(layers[0].weights)}; layers() has that of all")
        return np.concatenate([layer.weights for layer in layers])

    def generate(self, prompt: Tokens | str, tokens: int = 200, *, temperature: float = 1.0,
                 top_k: int = 0, seed: int = 1, beyond_context: bool = False) -> str:
        """`prompt` continued by so many tokens; the prompt is not repeated.

        temperature 0: always the likeliest token. top_k: draw from the k likeliest, 0 for all.
        beyond_context: positions run on past the training context instead of moving a window.
        """
        return self.decode(self.engine.generate(self._tokens(prompt), tokens, temperature, top_k,
                                                seed, beyond_context))

    def evaluate(self, text: Tokens | str | None = None, *, context: int = 0, tokens: int = 0,
                 stride: int = 0, threads: int = 0) -> dict:
        """How well it predicts a text, read in windows: loss (nats per token), perplexity, tokens
        (how many were predicted) and by_position, the loss at each place of a window, [context].

        text: the validation part of its own text by default. context: 0 for that of training.
        tokens: about so many are measured, spread evenly; 0 for all. stride: from one window to the
        next, 0 for windows that do not overlap; of overlapping ones only the last `stride` places
        count, of the first one all. Raises PositionError, DataError.
        """
        text = self.validation() if text is None else self._tokens(text)
        return self.engine.evaluate(text, context or self.config.context, tokens, stride, threads)

    def validation(self, tokens: int = 2**62) -> Tokens:
        """The first tokens of the text's part that was not trained on, [1, N]."""
        return self.engine.validation(tokens)

    def gradients(self, inputs: Tokens, targets: Tokens) -> tuple[float, dict[str, Floats]]:
        """The mean cross entropy of targets [B, T], in single precision, and its gradient by each
        parameter. Targets that are -100 count for nothing."""
        return self.engine.gradients(inputs, targets)

    def parameters(self) -> dict[str, Floats]:
        """By name, as in model.safetensors. They are the model's own: writing into one changes it."""
        return self.engine.parameters()

    def drop_positions(self, temperature: float = 0.0) -> None:
        """Takes a rotation away (DroPE); with a temperature c, logits get 1 + c ln(length / context)
        beyond the context. Raises ConfigError unless the scheme is a rotation without parameters."""
        self.engine.drop_positions(temperature)

    def save(self, folder: str | os.PathLike) -> None:
        """Writes config.json and model.safetensors, which `load` and the command read."""
        self.engine.save(folder)


def load(run: str | os.PathLike, **options: float | str) -> Model:
    """The model in a run's folder, as it was last saved.

    Keywords replace options of its scheme: load("runs/rope", scaling="yarn:4"). Raises
    CheckpointError when there is no run or a damaged one, ConfigError on an unknown option.
    """
    return Model._of(_engine.Model.load(run, options))


def _toy_symbols() -> str:
    return "".join(sorted(set(_engine.corpus("toy", 1)[0])))
