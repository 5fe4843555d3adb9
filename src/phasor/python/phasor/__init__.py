"""Phasor: positional schemes, the Mini-GPT they go into, and what is claimed of them.

    import phasor
    phasor.schemes()                                        the table of schemes
    phasor.encode("sinusoidal", positions=64, width=32)     an encoding, [64, 32]
    result = phasor.train(scheme="rope", steps=200)         a Mini-GPT, trained on a toy language
    result.model.logits("the ")                             [1, 4, V]
    result.model.generate("the ", 100)

What the library computes comes as NumPy arrays over its own memory, without a copy. Arguments are
checked and never converted silently: an array of another dtype is a TypeError, extents that do not
fit are a ShapeError, and every error that is raised on purpose is a phasor.Error.
"""
from phasor import analysis, plots
from phasor._engine import (CheckpointError, ConfigError, DataError, Error, GraphError,
                            PositionError, ShapeError, TrainingError, add_scheme, address_of,
                            angles, bias, encode, facts, frequencies, kernel, remove_scheme,
                            rotate, traits)
from phasor.course import Figure, claims, figure, figures
from phasor.model import Config, Layer, Model, load
from phasor.schemes import check_scheme, schemes
from phasor.table import Table
from phasor.training import Result, TrainConfig, corpus, train

__version__ = "0.1.0"
__all__ = [
    "CheckpointError", "Config", "ConfigError", "DataError", "Error", "Figure",
    "GraphError", "Layer", "Model", "PositionError", "Result", "ShapeError", "Table", "TrainConfig",
    "TrainingError", "add_scheme", "address_of", "analysis", "angles", "bias", "check_scheme",
    "claims", "corpus", "encode", "facts", "figure", "figures", "frequencies", "kernel", "load",
    "plots", "remove_scheme", "rotate", "schemes", "train", "traits",
]
