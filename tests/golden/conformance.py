"""Golden values of every positional scheme: conformance/<scheme>.<case>.safetensors, and of wrong
implementations, conformance/<scheme>.mutant-<what>.safetensors, which a test must tell apart.

The schemes are in scheme_references.py, bias_references.py and rotation_references.py, the wrong
ones in *_mutants.py, which fill mutants.MUTANTS when imported. `attention` calls their hooks in
the order

    rotate q and k -> q.k / sqrt(D) -> mask -> score -> softmax -> times v -> mix

Random inputs and parameters are rounded to float32, so that single and double precision start from
the same numbers; each case draws from a generator seeded by its name. NumPy 1.24, float64.
"""
import dataclasses
import json
import math
import zlib

import numpy as np

import bias_mutants
import rotation_mutants
import safetensors
import scaling_mutants
import scheme_mutants
import schemes
from bias_references import Alibi, DynamicBias, Fire, KerpleLog, Sandwich, T5Bias
from content_references import Cope, Forgetting
from mutants import MUTANTS
from rotation_references import Pope, PRope, Rope, Xpos
from scheme_references import (HIDDEN, Deberta, Learned, Place, Scheme, Setting, Shaw,
                               Sinusoidal, TransformerXl)

VISIBLE_DIFFERENCE = 1e-3


@dataclasses.dataclass(frozen=True)
class Size:
    batch: int
    heads: int
    queries: int
    keys: int
    head_width: int
    context: int


ODD = Size(2, 3, 5, 7, 8, 16)
EVEN = Size(1, 4, 6, 6, 10, 12)
ONE = Size(1, 3, 3, 5, 8, 16)       # ODD with one shorter sequence
SMALL = Size(1, 2, 3, 4, 6, 10)
THREE = Size(1, 3, 3, 4, 4, 10)     # heads that are no power of two
WIDE = Size(1, 1, 3, 4, 16, 32)     # a head wide enough for the ramps of yarn and llama3
WIDER = Size(1, 1, 3, 4, 32, 64)

FAR = (0, 1, 2, 3, 5, 8, 40)
IN_TABLE = (0, 1, 2, 3, 5, 8, 15)
ROW = (0, 1, 2, 3, 4, 5)
REAL = (0, 0.5, 2.5, 11.25)         # not all of them integers
SPREAD = (0, 1, 4, 11)
WITHIN = (0, 1, 4, 6)
BEYOND = (0, 3, 20, 45)


@dataclasses.dataclass(frozen=True)
class Case:
    scheme: type
    name: str
    size: Size
    positions: tuple
    options: dict = dataclasses.field(default_factory=dict)
    causal: bool = True

    @property
    def setting(self):
        size = self.size
        return Setting(size.heads * size.head_width, size.heads, size.context, self.causal)


def usual(scheme, odd_options=None, small_options=None, odd=FAR, even=ROW, small=REAL,
          unmasked=(0, 1, 3, 8, 40)):
    """The cases that every scheme has."""
    odd_options = odd_options or {}
    cases = [Case(scheme, "odd", ODD, odd, odd_options), Case(scheme, "even", EVEN, even),
             Case(scheme, "small", SMALL, small, small_options or {})]
    if unmasked:
        cases.append(Case(scheme, "unmasked", ONE, unmasked, odd_options, causal=False))
    return cases


def table_cases():
    return [
        *usual(Scheme),
        *usual(Sinusoidal, {"base": "500", "layout": "concat"}),
        Case(Sinusoidal, "concat", SMALL, REAL, {"layout": "concat"}),
        Case(Sinusoidal, "concatenate", SMALL, SPREAD, {"combine": "concatenate"}),
        Case(Sinusoidal, "concatenate_concat", SMALL, REAL,
             {"combine": "concatenate", "layout": "concat", "base": "50"}),
        *usual(Learned, odd=IN_TABLE, small=(1, 2, 4, 9), unmasked=(0, 1, 3, 8, 15)),
        *usual(Shaw, {"max_distance": "4"}, {"max_distance": "3"}, even=(0, 1, 3, 9, 25, 60), small=SPREAD),
        *usual(TransformerXl, {"base": "500"}),
        *usual(Deberta, {"span": "6"}, {"span": "5"}, even=(0, 1, 3, 9, 20, 40), small=SPREAD),
        Case(Deberta, "released_code", SMALL, SPREAD, {"span": "5", "p2c": "code"}),
        Case(Deberta, "log", SMALL, (0, 3, 16, 75),
             {"distances": "log", "span": "8", "max_distance": "40"}),
        Case(Deberta, "log_default", SMALL, (0, 1, 12, 700), {"distances": "log"}),
        Case(Deberta, "log_unmasked", SMALL, (0, 3, 16, 75),
             {"distances": "log", "span": "8", "max_distance": "40"}, causal=False),
        *usual(Cope, {"rows": "3"}, {"rows": "4"}, unmasked=None),
        *usual(Forgetting, {"bias": "2"}, unmasked=None),
    ]


def bias_cases():
    hidden = {"hidden": "5"}
    return [
        *usual(T5Bias, {"buckets": "8", "max_distance": "20"},
               {"buckets": "12", "max_distance": "50"}, even=(0, 1, 50, 102, 140, 200),
               small=(0, 2, 9, 37)),
        Case(T5Bias, "default", SMALL, (0, 5, 52, 200)),
        Case(T5Bias, "unmasked_default", SMALL, (0, 5, 25, 200), causal=False),
        *usual(Alibi),
        Case(Alibi, "three_heads", THREE, REAL),
        *usual(KerpleLog),
        *usual(Sandwich, {"pe_width": "12", "base": "500"}, {"pe_width": "16"}),
        *usual(Fire, {**hidden, "threshold": "9"}, hidden, even=(0, 1, 3, 7, 20, 40)),
        Case(Fire, "beyond", SMALL, (0, 1, 7, 45), {**hidden, "threshold": "9"}),
        *usual(DynamicBias, {**hidden, "input": "log"}, hidden),
        Case(DynamicBias, "log", SMALL, REAL, {**hidden, "input": "log"}),
    ]


def rope(name, scaling="none", size=WIDE, positions=BEYOND, **options):
    if scaling != "none":
        options["scaling"] = scaling
    return Case(Rope, name, size, positions, options)


def rotation_cases():
    ramp = {"base": "100", "original": "32", "beta": "8"}
    wide = {"base": "100", "original": "32"}
    return [
        *usual(Rope, {"base": "500", "pairing": "half"}),
        rope("half", size=SMALL, positions=REAL, pairing="half"),
        rope("fraction", size=WIDE, positions=REAL, base="500", fraction="0.5"),
        rope("fraction_half", size=SMALL, positions=REAL, base="500", fraction="0.8",
             pairing="half"),
        rope("pi", "pi:4", SMALL, base="500"),
        rope("ntk", "ntk:4", SMALL, base="500"),
        rope("ntk_fraction", "ntk:4", SMALL, base="500", fraction="0.75", pairing="half"),
        rope("dynamic_ntk_hf", "dynamic_ntk:2", SMALL, base="500"),
        rope("dynamic_ntk_hf_within", "dynamic_ntk:2", SMALL, WITHIN, base="500"),
        rope("dynamic_ntk_hf_original", "dynamic_ntk:3", SMALL, base="500", original="25"),
        rope("dynamic_ntk_paper", "dynamic_ntk", SMALL, base="500", form="paper"),
        rope("dynamic_ntk_paper_within", "dynamic_ntk", SMALL, WITHIN, base="500",
             form="paper"),
        rope("yarn_code", "yarn:4", **ramp),
        rope("yarn_paper", "yarn:4", ramp="paper", **ramp),
        rope("yarn_limits", "yarn:4", alpha="0.5", **{**ramp, "beta": "3"}),
        rope("yarn_limits_paper", "yarn:4", alpha="0.5", ramp="paper", **{**ramp, "beta": "3"}),
        rope("yarn_attention_factor", "yarn:4", attention_factor="1.5", **ramp),
        rope("yarn_fraction", "yarn:4", fraction="0.75", pairing="half", **ramp),
        rope("yarn_default", "yarn:4", WIDER, (0, 100, 3000, 9000), original="4096"),
        rope("yarn_default_paper", "yarn:4", WIDER, (0, 100, 3000, 9000), original="4096",
             ramp="paper"),
        rope("llama3", "llama3:8", **wide),
        rope("llama3_limits", "llama3:8", alpha="0.5", beta="2", pairing="half", **wide),
        *usual(PRope, {"base": "500", "pairing": "half", "kept": "0.5"}),
        *usual(Xpos, {"base": "500", "scale_base": "12"}, unmasked=None),
        *usual(Pope, {"base": "500"}),
    ]


CASES = table_cases() + bias_cases() + rotation_cases()


def softmax(logits):
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(scheme, q, k, v, inputs, place):
    """Logits, weights [B, H, T, S] and out [B, H, T, D]."""
    scale = 1 / math.sqrt(q.shape[-1])
    q, k = scheme.rotate(q, k, place)
    logits = np.where(place.hidden, HIDDEN, scheme.dot(q, k, place) * scale)
    logits = np.where(place.hidden, HIDDEN, scheme.score(logits, q, k, inputs, place))
    weights = softmax(logits)
    out = np.einsum("bhts,bhsd->bhtd", weights, scheme.values(v, place))
    return logits, weights, scheme.mix(out, weights, place)


def draw(case):
    """The random inputs and parameters of a case, by the names of the file."""
    generator = np.random.Generator(np.random.PCG64(
        zlib.crc32(f"{case.scheme.name}.{case.name}".encode())))
    size, width = case.size, case.setting.width
    tokens, heads = (size.batch, size.keys), (size.batch, size.heads)
    tensors = {"positions": np.array(case.positions, np.float64)}
    for name, shape in (("x", (*tokens, width)), ("inputs", (*tokens, width)),
                        ("q", (*heads, size.queries, size.head_width)),
                        ("k", (*heads, size.keys, size.head_width)),
                        ("v", (*heads, size.keys, size.head_width))):
        tensors[name] = schemes.random_inputs(generator, *shape)
    scheme = case.scheme(case.setting, case.options)
    for name, shape in scheme.shapes().items():
        value = scheme.draw(name, generator.standard_normal(shape))
        tensors[f"parameter.{name}"] = value.astype(np.float32).astype(np.float64)
    return tensors


def results(scheme_type, case, tensors):
    """What `scheme_type` makes of the inputs of a case."""
    prefix = "parameter."
    parameters = {name[len(prefix):]: value for name, value in tensors.items()
                  if name.startswith(prefix)}
    scheme = scheme_type(case.setting, case.options, parameters)
    place = Place(tensors["positions"], case.size.queries, case.causal)
    embedded = scheme.embed(tensors["x"], tensors["positions"])
    q, k, v, inputs = (tensors[name] for name in ("q", "k", "v", "inputs"))
    logits, weights, out = attention(scheme, q, k, v, inputs, place)
    found = {"embedded": embedded, "logits": logits, "weights": weights, "out": out}
    assert all(np.isfinite(value).all() for value in found.values())
    return found


def metadata(case):
    setting = case.setting
    return {"scheme": case.scheme.name, "options": json.dumps(case.options),
            "width": str(setting.width), "heads": str(setting.heads),
            "context": str(setting.context), "causal": "true" if case.causal else "false"}


def difference(right, wrong):
    """The largest over what can be seen; hidden logits are equal and weigh nothing."""
    return max(np.abs(right[name] - wrong[name]).max() for name in ("embedded", "logits", "out"))


def save(folder, name, tensors, text):
    tensors = {key: np.ascontiguousarray(value, "<f8") for key, value in tensors.items()}
    safetensors.write(folder / f"{name}.safetensors", tensors, text)


def make(folder):
    folder = folder / "conformance"
    folder.mkdir(parents=True, exist_ok=True)
    by_name = {}
    for case in CASES:
        tensors = draw(case)
        right = results(case.scheme, case, tensors)
        name = f"{case.scheme.name}.{case.name}"
        assert name not in by_name, name
        by_name[name] = case, tensors, right
        save(folder, name, {**tensors, **right}, metadata(case))
    for mutant in MUTANTS:
        case, tensors, right = by_name[f"{mutant.name}.{mutant.case}"]
        wrong = results(mutant, case, tensors)
        if not difference(right, wrong) > VISIBLE_DIFFERENCE:
            raise AssertionError(f"{mutant.name}, {mutant.what}: cannot be told from the right one")
        text = {**metadata(case), "mutant": " ".join(mutant.__doc__.split()), "case": mutant.case}
        save(folder, f"{mutant.name}.mutant-{mutant.what}", {**tensors, **wrong}, text)


if __name__ == "__main__":
    make(schemes.FOLDER)
