"""References of the schemes that add a bias to the logits, NumPy float64; see scheme_references.py
for the hooks. None of the biases is divided by sqrt(D)."""

import numpy as np

from scheme_references import Scheme


class Bias(Scheme):
    """A scheme that adds `bias(place)`, [H, T, S], whatever the tokens are."""

    def bias(self, place):
        raise NotImplementedError

    def score(self, logits, q, k, inputs, place):
        return logits + self.bias(place)

    def head_numbers(self):
        """1 to H, to be spread over [H, T, S]."""
        return np.arange(1, self.setting.heads + 1)[:, None, None]


def t5_bucket(rel, buckets, max_distance, causal):
    """The bucket of an integer rel, as in T5 (Raffel et al. 2020, arXiv 1910.10683; Hugging Face's
    _relative_position_bucket), in exact arithmetic. Causal: the past has all the buckets, the
    future shares bucket 0. Otherwise the past has the first half and the future the second.
    Half of a side's buckets are exact; bucket exact + j begins at the smallest n with
    (n / exact)^(count - exact) >= (max_distance / exact)^j."""
    if causal:
        first, count, n = 0, buckets, max(rel, 0)
    else:
        count = buckets // 2
        first, n = (count if rel < 0 else 0), abs(rel)
    exact = count // 2
    if n < exact:
        return first + n
    wide = count - exact
    j = 0
    while j + 1 < wide and n**wide * exact ** (j + 1) >= max_distance ** (j + 1) * exact**wide:
        j += 1
    return first + exact + j


class T5Bias(Bias):
    """Row t5_bucket(rel) of a table, one column for each head. T5 itself leaves 1 / sqrt(D) out of
    q.k; here q.k is divided as everywhere."""
    name = "t5_bias"

    def shapes(self):
        return {"table": (self.option("buckets", 32), self.setting.heads)}

    def bucket(self, rel):
        return t5_bucket(rel, self.option("buckets", 32), self.option("max_distance", 128),
                         self.setting.causal)

    def bias(self, place):
        rows = np.array([[self.bucket(int(rel)) for rel in row] for row in place.rel])
        return np.moveaxis(self.parameters["table"][rows], -1, 0)


def alibi_slopes(heads):
    """Press et al. 2022 (arXiv 2108.12409), section 3 and the authors' code: 2^(-8h/H) when H is a
    power of two; otherwise those of the power below, then the 1st, 3rd, ... of the power above."""
    below = 1
    while 2 * below <= heads:
        below *= 2
    slopes = [2.0 ** (-8.0 * h / below) for h in range(1, below + 1)]
    odd_numbers = range(1, 2 * (heads - below), 2)
    return np.array(slopes + [2.0 ** (-8.0 * h / (2 * below)) for h in odd_numbers])


class Alibi(Bias):
    """Press et al. 2022: -m_h rel; of the absolute distance, so that it serves without a mask."""
    name = "alibi"

    def slopes(self):
        return alibi_slopes(self.setting.heads)

    def distances(self, place):
        return np.abs(place.rel)

    def bias(self, place):
        return -self.slopes()[:, None, None] * self.distances(place)


class KerpleLog(Bias):
    """Chi et al. 2022 (arXiv 2205.09921), the logarithmic variant: -r1 ln(1 + r2 |rel|), r1 and r2
    positive and per head."""
    name = "kerple_log"

    def shapes(self):
        return {"r1": (self.setting.heads,), "r2": (self.setting.heads,)}

    def draw(self, name, normal):
        return 0.3 + np.abs(normal)

    def logarithm(self, r2, distance):
        return np.log(1 + r2 * distance)

    def bias(self, place):
        r1, r2 = (self.parameters[name][:, None, None] for name in ("r1", "r2"))
        return -r1 * self.logarithm(r2, np.abs(place.rel))


class Sandwich(Bias):
    """Chi et al. 2023 (arXiv 2212.10356), the code of its appendix E: the dot product of two
    sinusoidal encodings, sum_k cos(rel base^(-2k / width)), divided by 8h / H, h = 1 to H.
    k begins at 0, as in that code. NeMo's class begins at 1 and takes width / 2 from the sum."""
    name = "sandwich"

    def numbers(self, width):
        return np.arange(width // 2)

    def compression(self):
        return 8.0 * self.head_numbers() / self.setting.heads

    def bias(self, place):
        width = self.option("pe_width", 128)
        frequencies = self.option("base", 10000.0) ** (-2.0 * self.numbers(width) / width)
        return np.cos(place.rel[..., None] * frequencies).sum(-1) / self.compression()


class Perceptron(Bias):
    """A bias that is an MLP 1 - hidden - H with ReLU of one number for each query and key."""

    def shapes(self):
        hidden, heads = self.option("hidden", 32), self.setting.heads
        return {"mlp.up.weight": (hidden, 1), "mlp.up.bias": (hidden,),
                "mlp.down.weight": (heads, hidden), "mlp.down.bias": (heads,)}

    def draw(self, name, normal):
        return 0.3 * normal if name == "mlp.down.weight" else 0.6 * normal

    def number(self, place):
        raise NotImplementedError

    def bias(self, place):
        up = self.parameters["mlp.up.weight"][:, 0], self.parameters["mlp.up.bias"]
        hidden = np.maximum(self.number(place)[..., None] * up[0] + up[1], 0)
        bias = np.einsum("tsn,hn->hts", hidden, self.parameters["mlp.down.weight"])
        return bias + self.parameters["mlp.down.bias"][:, None, None]


class Fire(Perceptron):
    """Li et al. 2023 (arXiv 2310.04418), the code of its appendix:
    MLP(psi(rel) / (psi(max(query position, |multiplier threshold|)) + 1e-6)),
    psi(x) = ln(|c x| + 1), which takes the absolute distance."""
    name = "fire"

    def shapes(self):
        return {"c": (1,), "multiplier": (1,), **super().shapes()}

    def draw(self, name, normal):
        if name in ("c", "multiplier"):
            return np.sign(normal) * (0.4 + 0.1 * np.abs(normal))
        return super().draw(name, normal)

    def psi(self, x):
        return np.log(np.abs(self.parameters["c"] * x) + 1)

    def threshold(self):
        threshold = self.option_or("threshold", self.setting.context)
        return np.abs(self.parameters["multiplier"] * threshold)

    def reach(self, place):
        """[T, 1]: what the distances are measured by."""
        return np.maximum(place.queries, self.threshold())[:, None]

    def number(self, place):
        return self.psi(place.rel) / (self.psi(self.reach(place)) + 1e-6)


class DynamicBias(Perceptron):
    """The continuous bias of Swin v2 (Liu et al. 2022, arXiv 2111.09883) and of CrossFormer
    (Wang et al. 2022, arXiv 2108.00154) in one dimension: an MLP of rel, or of
    sign(rel) ln(1 + |rel|)."""
    name = "dynamic_bias"

    def distances(self, place):
        return place.rel

    def number(self, place):
        rel = self.distances(place)
        if self.option("input", "linear") == "linear":
            return 0.0 + rel
        return np.sign(rel) * np.log1p(np.abs(rel))
