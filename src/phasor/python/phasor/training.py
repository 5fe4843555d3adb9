"""Training, with a progress bar and a callback."""
from __future__ import annotations

import dataclasses
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasor import _engine
from phasor.model import Config, Model, checked_fields, load
from phasor.progress import Progress
from phasor.table import Table


@dataclass
class TrainConfig:
    """A model, a text, and how the one is trained on the other.

    text              toy, kjv, or the path of a text file
    model             a Config
    steps             of the optimizer, AdamW
    batch             windows in a pass
    accumulate        passes in a step, their gradients averaged
    lr, min_lr        the highest learning rate, and the last, after a cosine
    warmup            steps in which the learning rate climbs to the highest
    weight_decay      of matrices
    beta1, beta2      memory of AdamW's two moments
    clip              largest norm of the gradient; 0 for any
    seed              of weights, batches, dropout, and the toy language, which it draws anew
    drop_positions_at step after which a rotation is taken away (DroPE), 0 for never; that step's
                      record is of the model without it
    eval_every        steps between records of the validation loss
    eval_tokens       validation tokens in a record; 0 for all
    """

    text: str = "toy"
    model: Config = field(default_factory=Config)
    steps: int = 300
    batch: int = 32
    accumulate: int = 1
    lr: float = 2e-3
    min_lr: float = 2e-4
    warmup: int = 50
    weight_decay: float = 0.1
    beta1: float = 0.9
    beta2: float = 0.99
    clip: float = 1.0
    seed: int = 1
    drop_positions_at: int = 0
    eval_every: int = 100
    eval_tokens: int = 20000

    def __post_init__(self) -> None:
        checked_fields(self)

    def to_json(self) -> str:
        """As in a run's config.json."""
        train = dataclasses.asdict(self)
        text, model = train.pop("text"), train.pop("model")
        return json.dumps({"text": text, "model": model, "train": train, "symbols": "",
                           "fingerprint": ""})


@dataclass
class Result:
    """What came of a training.

    model        the Model, as it was last saved
    records      a Table: step, train_loss (the mean since the record before), validation_loss,
                 learning_rate, gradient_norm
    losses       of every step that this call has trained, in order
    steps        done in all, with those of the run that was resumed
    interrupted  by an interrupt of the kernel, or Ctrl-C
    """

    model: Model
    records: Table
    losses: NDArray[np.float64]
    steps: int
    interrupted: bool

    @property
    def validation_loss(self) -> float:
        """The last record's, nats per token."""
        return self.records[-1]["validation_loss"]

    def __repr__(self) -> str:
        return (f"Result({self.model!r}, {self.steps} steps, "
                f"validation loss {self.validation_loss:.4f})")


def train(config: TrainConfig | None = None, callback: Callable[[int, float], object] | None = None,
          *, out: str | os.PathLike | None = None, resume: bool = False, overwrite: bool = False,
          threads: int = 0, progress: bool = True, **fields: object) -> Result:
    """Trains a Mini-GPT.

        result = phasor.train(scheme="alibi", steps=200, context=64)

    config: what to train. Fields of TrainConfig and of Config may be given by name instead, or to
    change it; options of a scheme go into options={"base": 500}. callback(step, loss) is called
    after every step; training stops when it returns False, or raises. out: a folder for the run,
    which `load` and the command `phasor` read; without one the files are gone afterwards and the
    model stays. resume goes on with the run that is there, overwrite replaces it. threads: 0 for
    all cores; it changes no number.

    An interrupt (Ctrl-C, or the notebook's stop button) ends training after the step it is in. What
    was trained is saved and returned, with `interrupted` set.
    """
    config = _with_fields(config or TrainConfig(), fields)
    bar = Progress("training", config.steps) if progress else None
    losses: list[float] = []

    def on_step(step: int, loss: float) -> object:
        losses.append(loss)
        if bar:
            bar.update(step, f"loss {loss:.4f}")
        return callback(step, loss) if callback else None

    with tempfile.TemporaryDirectory() as scratch:
        folder = os.fspath(out) if out is not None else os.path.join(scratch, "run")
        try:
            report = _engine.train(config.to_json(), folder, resume, overwrite, threads, False,
                                   on_step)
        finally:  # what is said of an error begins on a line of its own
            if bar:
                bar.finish()
        model = load(folder)
    if report["interrupted"]:
        print(f"stopped after step {report['steps_done']} of {config.steps}", file=sys.stderr)
    columns = ("step", "train_loss", "validation_loss")
    return Result(model, Table(report["records"], columns), np.array(losses), report["steps_done"],
                  report["interrupted"])


def _with_fields(config: TrainConfig, fields: dict) -> TrainConfig:
    """`config` with some fields of its own, or of its model, replaced."""
    of_model = {entry.name for entry in dataclasses.fields(Config)}
    of_training = {entry.name for entry in dataclasses.fields(TrainConfig)}
    for name in fields:
        if name not in of_model | of_training:
            raise TypeError(f"train() knows no {name!r}; an option of a scheme goes into options="
                            f"{{...}}, the others are {', '.join(sorted(of_model | of_training))}")
    model = dataclasses.replace(fields.get("model", config.model),
                                **{name: fields[name] for name in fields if name in of_model})
    return dataclasses.replace(
        config, **{**{name: fields[name] for name in fields if name in of_training},
                   "model": model})


def corpus(source: str = "toy", seed: int = 1) -> tuple[str, float | None]:
    """A text to train on, toy, kjv or a file's, and its entropy in nats per character where that is
    known: the floor under every loss. Raises DataError."""
    return _engine.corpus(source, seed)
