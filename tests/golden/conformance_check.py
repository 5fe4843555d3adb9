"""Checks of the references behind conformance/, called by self_check.py: known numbers, second
implementations, and the files themselves. Raises on the first failure.

The known numbers are those of the papers and of public implementations. The second implementations
follow another road than the references: floating point for exact arithmetic, sines and cosines for
complex numbers, cumulative sums for sums, gathers for indexed rows.
Written for and run with Python 3.11, PyTorch 1.13, NumPy 1.24.
"""
import json
import math

import numpy as np
import torch

import conformance
import safetensors
import schemes
from bias_references import Sandwich, T5Bias, alibi_slopes, t5_bucket
from rotation_references import Pope, PRope, Rope, Xpos
from scheme_mutants import DebertaSameDelta
from content_references import Cope, Forgetting
from scheme_references import (Deberta, Place, Setting, Shaw, Sinusoidal, TransformerXl,
                               log_bucket)

LARGEST_TOTAL = 1_500_000


def close(a, b, tolerance=1e-12):
    difference = float(np.abs(np.asarray(a) - np.asarray(b)).max())
    if not difference <= tolerance:
        raise AssertionError(f"differs by {difference:.1e}, more than {tolerance:.0e}")


def head(width, context, **options):
    """RoPE on one head."""
    return Rope(Setting(width, 1, context, True), options)


def starts(first, last, buckets, max_distance, causal):
    """The smallest distance into the past of each of the buckets first to last."""
    found = [t5_bucket(n, buckets, max_distance, causal) for n in range(1000)]
    return [found.index(bucket) for bucket in range(first, last + 1)]


def check_known_numbers():
    assert starts(0, 16, 32, 128, True) == list(range(17))
    assert starts(17, 31, 32, 128, True) == [19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87,
                                             99, 113]
    assert starts(8, 15, 32, 128, False) == [8, 12, 16, 23, 32, 46, 64, 91]
    assert [t5_bucket(-n, 32, 128, False) for n in (1, 7, 8, 91, 1000)] == [17, 23, 24, 31, 31]
    close(alibi_slopes(6), [.25, .0625, .015625, .00390625, .5, .125])
    close(alibi_slopes(12)[8:], [.70711, .35355, .17678, .08839], 5e-6)
    for heads in range(1, 17):
        close(alibi_slopes(heads), schemes.alibi_slopes(heads))

    ntk = head(64, 512, scaling="ntk:4")
    close(ntk.ntk_base(4.0), 41829.4, 0.05)
    slowed = head(64, 512).frequencies(None) / ntk.frequencies(None)
    close(slowed[[0, -1]], [1, 4])
    long = Place([0.0, 1023.0], 1, True)
    close(head(64, 512, scaling="dynamic_ntk:2").dynamic_factor(long), 3)
    close(head(64, 512, scaling="dynamic_ntk", form="paper").dynamic_factor(long), 2)

    yarn = {"scaling": "yarn:4"}
    close(head(128, 4096, ramp="paper", **yarn).share_kept()[33], .150, 5e-4)
    close(head(128, 4096, **yarn).share_kept()[33], .500, 5e-4)
    close(np.prod(head(128, 4096, **yarn).factors()), 1.2965, 5e-5)
    close(head(128, 128).turns().max(), 20.4, 0.05)


def check_buckets():
    """Against the published formulas in float32, at every integer distance between the positions
    of the cases: none lies so near a boundary that rounding decides."""
    for case in conformance.CASES:
        if not issubclass(case.scheme, (T5Bias, Deberta)):
            continue
        scheme = case.scheme(case.setting, case.options)
        rel = Place(case.positions, case.size.queries, case.causal).rel.astype(np.int64)
        if case.scheme is T5Bias:
            close([[scheme.bucket(int(r)) for r in row] for row in rel],
                  t5_formula(torch.from_numpy(rel), scheme.option("buckets", 32),
                             scheme.option("max_distance", 128), case.causal))
        elif scheme.option("distances", "exact") == "log":
            size, limit = scheme.span(), scheme.option("max_distance", 512)
            close([[np.sign(r) * log_bucket(abs(int(r)), size, limit) for r in row] for row in rel],
                  deberta_formula(torch.from_numpy(rel), size, limit))


def t5_formula(rel, buckets, limit, causal):
    side = torch.zeros_like(rel)
    if causal:
        n = rel.clamp(min=0)
    else:
        buckets //= 2
        side, n = (rel < 0).long() * buckets, rel.abs()
    exact = buckets // 2
    scaled = torch.log(n.float().clamp(min=1) / exact) / math.log(limit / exact)
    far = (exact + (scaled * (buckets - exact)).long()).clamp(max=buckets - 1)
    return side + torch.where(n < exact, n, far)


def deberta_formula(rel, size, limit):
    mid, n = size // 2, rel.abs().clamp(max=limit - 1).float()
    far = mid + torch.ceil(torch.log(n.clamp(min=mid) / mid) / math.log((limit - 1) / mid)
                           * (mid - 1))
    return torch.sign(rel) * torch.where(n <= mid, n, far)


def parameters(case):
    tensors = conformance.draw(case)
    return tensors, {name[len("parameter."):]: value for name, value in tensors.items()
                     if name.startswith("parameter.")}


def find(scheme, name):
    return next(c for c in conformance.CASES if c.scheme is scheme and c.name == name)


def check_rotations():
    """Complex numbers against a matrix of sines and cosines, and against schemes.py; PoPE against
    RoPE of magnitudes with a zero beside each."""
    for pairing, fraction in (("interleaved", 1.0), ("half", 0.5)):
        options = {"base": "500", "pairing": pairing, "fraction": str(fraction)}
        x = np.random.Generator(np.random.PCG64(3)).standard_normal((2, 1, 5, 12))
        place = Place([0, 1, 2.5, 7, 30], 5, True)
        turned = head(12, 16, **options).rotate(x, x, place)
        for y in turned:
            close(y, schemes.rope(x, place.keys, 500.0, fraction, pairing))

    case = find(Pope, "odd")
    tensors, trained = parameters(case)
    place = Place(case.positions, case.size.queries, True)
    theta = 500.0 ** (-np.arange(8) / 8)
    q, k = (np.log1p(np.exp(tensors[name])) for name in "qk")
    q = q * np.exp(1j * place.queries[:, None] * theta)
    k = k * np.exp(1j * (place.keys[:, None] * theta + trained["phase"][:, None, :]))
    close(Pope(case.setting, case.options, trained).dot(tensors["q"], tensors["k"], place),
          (q.conj() @ k.swapaxes(-1, -2)).real)


def check_content_schemes():
    """Forgetting by differences of cumulative sums, CoPE by np.interp over the table, Sandwich by
    dot products of encodings, Transformer-XL and Shaw by loops over query and key."""
    for scheme in (Forgetting, Cope, Sandwich, TransformerXl, Shaw):
        case = find(scheme, "odd")
        tensors, trained = parameters(case)
        right = conformance.results(scheme, case, tensors)["logits"]
        place = Place(case.positions, case.size.queries, True)
        q, k, inputs = (tensors[name] for name in ("q", "k", "inputs"))
        plain = q @ k.swapaxes(-1, -2) / math.sqrt(8)
        seen = [(t, s) for t in range(5) for s in range(7) if not place.hidden[t, s]]
        if scheme is Forgetting:
            gates = 1 / (1 + np.exp(-(inputs @ trained["weight"].T + trained["bias"])))
            total = np.cumsum(np.log(gates), 1).swapaxes(1, 2)
            added = total[:, :, place.token, None] - total[:, :, None, :]
        elif scheme is Cope:
            added = cope_by_loops(plain, q, trained["table"], seen)
        elif scheme is Sandwich:
            table = Sinusoidal(case.setting, {"base": "500"}).encoding(place.keys, 12)
            heads = 8 * np.array([1, 2, 3])[:, None, None] / 3
            added = (table[place.token] @ table.T) / heads
        elif scheme is TransformerXl:
            added = transformer_xl_by_loops(q, k, trained, place, seen) - plain
        else:
            added = np.zeros_like(plain)
            for t, s in seen:
                row = 4 + int(np.clip(place.keys[s] - place.queries[t], -4, 4))
                added[:, :, t, s] = q[:, :, t] @ trained["keys"][row] / math.sqrt(8)
        for t, s in seen:
            close(right[:, :, t, s], (plain + added)[:, :, t, s])


def cope_by_loops(plain, q, table, seen):
    added = np.zeros_like(plain)
    gates = 1 / (1 + np.exp(-plain))
    rows = np.arange(len(table))
    for t, s in seen:
        for b, h in np.ndindex(plain.shape[:2]):
            p = gates[b, h, t, s:t + 3].sum()       # query t is token t + 2
            added[b, h, t, s] = np.interp(p, rows, table @ q[b, h, t])
    return added


def transformer_xl_by_loops(q, k, trained, place, seen):
    logits = np.zeros((*q.shape[:3], k.shape[2]))
    frequencies = 500.0 ** (-np.arange(0, 24, 2) / 24)
    for t, s in seen:
        angles = place.rel[t, s] * frequencies
        r = trained["position.weight"] @ np.concatenate([np.sin(angles), np.cos(angles)])
        for h in range(3):
            content = (q[:, h, t] + trained["u"][h]) * k[:, h, s]
            position = (q[:, h, t] + trained["v"][h]) * r[8 * h:8 * h + 8]
            logits[:, h, t, s] = (content + position).sum(-1) / math.sqrt(8)
    return logits


def check_deberta_gathers():
    """The paper's algorithm 1 gathers column j of Qr Kc^T at delta(j, i) and gives the reference.
    The released code gathers along the rows of Kc Qr^T at clip(K - (i - j)) and then transposes,
    which gives delta(i, j): the mutant p2c_by_delta_ij."""
    case = find(Deberta, "even")
    tensors, trained = parameters(case)
    place = Place(case.positions, 6, True)
    span = case.setting.context
    for scheme_type, released in ((Deberta, False), (DebertaSameDelta, True)):
        scheme = scheme_type(case.setting, case.options, trained)
        rel = torch.from_numpy(place.rel).long().expand(1, 4, 6, 6)
        q, k = torch.from_numpy(tensors["q"]), torch.from_numpy(tensors["k"])
        keys, queries = (torch.from_numpy(scheme.projected(name).swapaxes(0, 1))
                         for name in ("key.weight", "query.weight"))
        c2p = (q @ keys.mT).gather(-1, (rel + span).clamp(0, 2 * span - 1))
        index = (span - rel).clamp(0, 2 * span - 1)
        if released:
            p2c = (k @ queries.mT).gather(-1, index).mT
        else:
            p2c = (queries @ k.mT).gather(-2, index)
        close(scheme.score(None, q.numpy(), k.numpy(), None, place),
              (q @ k.mT + c2p + p2c) / math.sqrt(30))


def check_shift():
    """Logits of the relative schemes do not change when all positions move by 7."""
    for case in conformance.CASES:
        moved = case.scheme.name in ("learned", "sinusoidal", "fire")
        if moved or "dynamic" in case.options.get("scaling", ""):
            continue
        tensors = conformance.draw(case)
        before = conformance.results(case.scheme, case, tensors)["logits"]
        tensors["positions"] = tensors["positions"] + 7
        after = conformance.results(case.scheme, case, tensors)["logits"]
        close(before, after, 1e-9)


def check_xpos_and_p_rope():
    """xPos is RoPE times zeta^(rel / scale_base), pair by pair; p-RoPE with everything kept is
    RoPE."""
    setting = Setting(2, 1, 10, True)
    place = Place([0.0, 3.0, 4.5], 2, True)
    x = np.random.Generator(np.random.PCG64(4)).standard_normal((2, 1, 1, 3, 2))
    q, k = x[0][..., 1:, :], x[1]
    one, other = (np.einsum("bhtd,bhsd->bhts", *scheme(setting).rotate(q, k, place))
                  for scheme in (Xpos, Rope))
    close(one, other * (0.4 / 1.4) ** (place.rel / 5))
    wide = Setting(10, 1, 10, True)
    close(PRope(wide, {"kept": "1"}).frequencies(place), Rope(wide).frequencies(place))


def check_files(folder):
    total = 0
    for file in sorted(folder.glob("*.safetensors")):
        tensors, metadata = safetensors.check(file)
        total += file.stat().st_size
        assert all(array.dtype == np.float64 for array in tensors.values()), file
        assert all(isinstance(v, str) for v in json.loads(metadata["options"]).values()), file
        assert file.name.startswith(metadata["scheme"] + "."), file
        assert (".mutant-" in file.name) == ("mutant" in metadata), file
        for name in ("x", "inputs", "q", "k", "v"):
            assert np.array_equal(tensors[name], tensors[name].astype(np.float32)), file
        close(tensors["weights"].sum(-1), 1)
        assert not tensors["weights"][tensors["logits"] == -1e30].any(), file
    assert 0 < total < LARGEST_TOTAL, total


def check(folder):
    check_known_numbers()
    check_buckets()
    check_rotations()
    check_content_schemes()
    check_deberta_gathers()
    check_shift()
    check_xpos_and_p_rope()
    check_files(folder)


if __name__ == "__main__":
    check(schemes.FOLDER / "conformance")
