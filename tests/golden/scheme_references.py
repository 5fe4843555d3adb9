"""References of the positional schemes in NumPy, float64, written from the papers: what they share,
and the schemes that look tables up or read the tokens. The additive biases are in
bias_references.py, the rotations in rotation_references.py.

A scheme has the hooks that `conformance.attention` calls, each the identity unless overridden:

    x = embed(x, positions)                           [B, S, C]
    q, k = rotate(q, k, place);  dot(q, k, place)     [B, H, T, D], [B, H, S, D] -> [B, H, T, S]
    logits = score(logits, q, k, inputs, place)       after 1 / sqrt(D) and the mask
    out = mix(out, weights, place)                    [B, H, T, D]

Everywhere rel = query position - key position. Options are strings, as on a command line.
Wrong forms (*_mutants.py) override one small method each, which is why the methods are small.
"""
import dataclasses
import math

import numpy as np

HIDDEN = -1e30


@dataclasses.dataclass(frozen=True)
class Setting:
    width: int
    heads: int
    context: int
    causal: bool

    @property
    def head_width(self):
        return self.width // self.heads


class Place:
    """Where the tokens stand. The queries are the last `length` of the keys' tokens; the mask goes
    by order: the query of token i sees the tokens up to i, whatever their positions."""

    def __init__(self, positions, length, causal):
        self.keys = np.asarray(positions, np.float64)
        self.queries = self.keys[-length:]
        self.rel = self.queries[:, None] - self.keys[None, :]
        order = np.arange(len(self.keys))
        self.token = order[-length:]
        self.hidden = (order[None, :] > self.token[:, None]) & causal


def sigmoid(x):
    """1 / (1 + exp(-x)) without overflow."""
    return np.exp(-np.logaddexp(0.0, -x))


class Scheme:
    """`none`: no positional information but the mask (Haviv et al. 2022, arXiv 2203.16634)."""
    name = "none"

    def __init__(self, setting, options=None, parameters=None):
        self.setting = setting
        self.options = options or {}
        self.parameters = parameters or {}

    def option(self, name, default):
        """The option's value, of the default's type."""
        return type(default)(self.options.get(name, default))

    def option_or(self, name, fallback):
        """A number; 0, which is also the default, stands for `fallback`."""
        return float(self.options.get(name, 0)) or fallback

    def shapes(self):
        """Shapes of the trainable tensors by name."""
        return {}

    def draw(self, name, normal):
        """A parameter's random value from standard normal numbers of its shape."""
        return 0.6 * normal

    def embed(self, x, positions):
        return x

    def rotate(self, q, k, place):
        return q, k

    def values(self, v, place):
        return v

    def dot(self, q, k, place):
        return np.einsum("bhtd,bhsd->bhts", q, k)

    def score(self, logits, q, k, inputs, place):
        return logits

    def mix(self, out, weights, place):
        return out


class Sinusoidal(Scheme):
    """Vaswani et al. 2017 (arXiv 1706.03762), section 3.5: sin(p w_k) and cos(p w_k),
    w_k = base^(-2k / width). Layout `interleaved` is the paper's, `concat` (all sines, then all
    cosines) tensor2tensor's. `add` adds the encoding to the token vector, `concatenate` puts one
    of half the width in the place of the last C/2 columns. The factor sqrt(C) of section 3.4 is
    not part of this hook."""
    name = "sinusoidal"

    def angles(self, positions, width):
        """[S, width / 2] for the sines and for the cosines: the same angles."""
        k = np.arange(width // 2)
        angles = np.outer(positions, self.option("base", 10000.0) ** (-2.0 * k / width))
        return angles, angles

    def encoding(self, positions, width):
        for_sines, for_cosines = self.angles(positions, width)
        encoding = np.empty((len(positions), width))
        sines, cosines = self.columns(width)
        encoding[:, sines] = np.sin(for_sines)
        encoding[:, cosines] = np.cos(for_cosines)
        return encoding

    def columns(self, width):
        """Where the sines and the cosines stand."""
        if self.option("layout", "interleaved") == "interleaved":
            return slice(0, width, 2), slice(1, width, 2)
        return slice(0, width // 2), slice(width // 2, width)

    def embed(self, x, positions):
        width = self.setting.width
        if self.option("combine", "add") == "add":
            return x + self.encoding(positions, width)
        y = x.copy()
        y[..., width // 2:] = self.encoding(positions, width // 2)
        return y


class Learned(Scheme):
    """Gehring et al. 2017 (arXiv 1705.03122), GPT-2: row p of a trained table is added."""
    name = "learned"

    def shapes(self):
        return {"table": (self.setting.context, self.setting.width)}

    def rows(self, positions):
        return np.asarray(positions).astype(int)

    def embed(self, x, positions):
        return x + self.parameters["table"][self.rows(positions)]


class Shaw(Scheme):
    """Shaw et al. 2018 (arXiv 1803.02155), equations 3 to 5: row clip(j - i, -K, K) + K of aK is
    added to the key and of aV to the value; j is the KEY's position, so j - i = -rel. The tables
    are shared by the heads."""
    name = "shaw"

    def clip(self):
        return self.option("max_distance", 16)

    def shapes(self):
        rows = 2 * self.clip() + 1
        return {"keys": (rows, self.setting.head_width), "values": (rows, self.setting.head_width)}

    def rows(self, place):
        return self.clip() + np.clip(-place.rel, -self.clip(), self.clip()).astype(int)

    def divisor(self):
        return math.sqrt(self.setting.head_width)

    def score(self, logits, q, k, inputs, place):
        keys = self.parameters["keys"][self.rows(place)]
        return logits + np.einsum("bhtd,tsd->bhts", q, keys) / self.divisor()

    def mix(self, out, weights, place):
        values = self.parameters["values"][self.rows(place)]
        return out + np.einsum("bhts,tsd->bhtd", weights, values)


class TransformerXl(Scheme):
    """Dai et al. 2019 (arXiv 1901.02860), section 3.3: terms (a) to (d) are
    (q + u).k + (q + v).(W_R R_rel), all divided by sqrt(D). R_rel is the sinusoidal encoding of
    rel in the authors' concat layout, of the model's width; W_R is [out, in] and head h owns the
    columns hD to (h+1)D of its output; u and v are per head."""
    name = "transformer_xl"
    layout = "concat"

    def shapes(self):
        width, heads, head_width = self.setting.width, self.setting.heads, self.setting.head_width
        return {"position.weight": (width, width), "u": (heads, head_width),
                "v": (heads, head_width)}

    def draw(self, name, normal):
        return normal / math.sqrt(self.setting.width) if name == "position.weight" else 0.6 * normal

    def distances(self, place):
        return place.rel

    def biases(self):
        return self.parameters["u"], self.parameters["v"]

    def score(self, logits, q, k, inputs, place):
        heads, width = self.setting.heads, self.setting.width
        options = {"base": self.options.get("base", "10000"), "layout": self.layout}
        sinusoidal = Sinusoidal(self.setting, options)
        encoding = sinusoidal.encoding(self.distances(place).ravel(), width)
        projected = encoding @ self.parameters["position.weight"].T
        projected = projected.reshape(*place.rel.shape, heads, self.setting.head_width)
        u, v = self.biases()
        content = np.einsum("hd,bhsd->bhs", u, k)[:, :, None, :]
        position = np.einsum("bhtd,tshd->bhts", q + v[:, None, :], projected)
        return logits + (content + position) / math.sqrt(self.setting.head_width)


def log_bucket(distance, size, max_distance):
    """DeBERTa v2's make_log_bucket_position for one integer distance >= 0, in exact arithmetic:
    the distance is first clamped to max_distance - 1; with mid = size // 2, distances up to mid
    stand for themselves, then mid + ceil((mid - 1) log(n / mid) / log((max_distance - 1) / mid));
    the ceiling is the smallest j with (n / mid)^(mid-1) <= ((max_distance - 1) / mid)^j."""
    mid = size // 2
    distance = min(distance, max_distance - 1)
    if distance <= mid:
        return distance
    j = 0
    while distance ** (mid - 1) * mid**j > (max_distance - 1) ** j * mid ** (mid - 1):
        j += 1
    return mid + j


class Deberta(Scheme):
    """He et al. 2021 (arXiv 2006.03654), equations 2 to 4:
    (q_i.k_j + q_i.Kr[delta(i,j)] + k_j.Qr[delta(j,i)]) / sqrt(3D),
    delta(i,j) = clip(i - j + K, 0, 2K - 1). `log` puts DeBERTa v2's buckets in the place of i - j.
    The last term is the paper's (its algorithm 1). The released code of Microsoft and Hugging Face
    reads Qr[delta(i,j)] there, by a gather before a transposition: option p2c `code`."""
    name = "deberta"

    def span(self):
        return int(self.option_or("span", self.setting.context))

    def shapes(self):
        width = self.setting.width
        return {"table": (2 * self.span(), width), "key.weight": (width, width),
                "query.weight": (width, width)}

    def draw(self, name, normal):
        return normal if name == "table" else normal / math.sqrt(self.setting.width)

    def bucket(self, distance):
        return log_bucket(distance, self.span(), self.option("max_distance", 512))

    def delta(self, rel):
        steps = rel.astype(int)
        if self.option("distances", "exact") == "log":
            flat = [int(np.sign(r)) * self.bucket(abs(int(r))) for r in steps.ravel()]
            steps = np.array(flat).reshape(rel.shape)
        return np.clip(steps + self.span(), 0, 2 * self.span() - 1)

    def rows_of_queries(self, place):
        """delta(j, i), or what the released code takes for it."""
        sign = 1 if self.option("p2c", "paper") == "code" else -1
        return self.delta(sign * place.rel)

    def divisor(self):
        return math.sqrt(3 * self.setting.head_width)

    def projected(self, name):
        """[2K, H, D]"""
        rows = self.parameters["table"] @ self.parameters[name].T
        return rows.reshape(len(rows), self.setting.heads, self.setting.head_width)

    def score(self, logits, q, k, inputs, place):
        keys = self.projected("key.weight")[self.delta(place.rel)]
        queries = self.projected("query.weight")[self.rows_of_queries(place)]
        total = (np.einsum("bhtd,bhsd->bhts", q, k) + np.einsum("bhtd,tshd->bhts", q, keys)
                 + np.einsum("bhsd,tshd->bhts", k, queries))
        return total / self.divisor()
