"""The files of a Phasor run: its settings, as far as gpt_torch.py knows them, and its weights."""
import json
import math
import pathlib

import torch

# What gpt_torch.py knows. A list holds every value it can take, a number stands for any number;
# the first of the list and the number are what holds when config.json does not say.
MODEL = {
    "width": 64, "heads": 4, "layers": 2, "context": 64, "mlp_ratio": 4, "vocabulary": 0,
    "scheme": ["none", "sinusoidal", "learned", "rope", "alibi", "t5_bias"],
    "norm": ["layer"], "activation": ["gelu_tanh"], "tied": [False, True], "causal": [True],
    "dropout": 0.0, "embedding_scale": ["auto"], "random_positions": [0],
}
OPTIONS = {
    "none": {}, "learned": {}, "alibi": {},
    "sinusoidal": {"base": 10000.0, "layout": ["interleaved"], "combine": ["add"]},
    "rope": {"base": 10000.0, "pairing": ["interleaved", "half"], "fraction": 1.0,
             "scaling": ["none"]},
    "t5_bias": {"buckets": 32, "max_distance": 128.0},
}


def read_settings(folder):
    """All settings of the model in one dict. Raises ValueError for one that is not known above."""
    config = json.loads(pathlib.Path(folder, "config.json").read_text())
    model = dict(config["model"])
    options = model.pop("options", {})
    settings = checked("model", model, MODEL)
    settings |= checked(settings["scheme"], options, OPTIONS[settings["scheme"]])
    checked("train", {"drop_positions_at": config["train"]["drop_positions_at"]},
            {"drop_positions_at": [0]})
    return settings


def checked(owner, given, known):
    """`given` completed by the defaults of `known`."""
    settings = {name: values[0] if isinstance(values, list) else values
                for name, values in known.items()}
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"{owner}: '{name}' is not supported; supported: {', '.join(known)}")
        if not isinstance(known[name], list):
            settings[name] = type(known[name])(float(value))  # options are stored as text
        elif value in known[name]:
            settings[name] = value
        else:
            raise ValueError(f"{owner}: {name} '{value}' is not supported; supported: "
                             f"{', '.join(map(str, known[name]))}")
    return settings


def read_weights(folder):
    """name -> tensor. A safetensors file is 8 bytes N (little endian), N bytes of JSON that say
    where each tensor lies in the rest, and the rest: values in row-major order, here float32."""
    raw = bytearray(pathlib.Path(folder, "model.safetensors").read_bytes())
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header.pop("__metadata__", None)
    return {name: torch.frombuffer(raw, dtype=torch.float32, count=math.prod(entry["shape"]),
                                   offset=start + entry["data_offsets"][0]).view(entry["shape"])
            for name, entry in header.items()}
