"""Schemes in which the content decides what counts: cope, forgetting. See scheme_references.py."""
import math

import numpy as np

from scheme_references import Scheme, sigmoid


class Cope(Scheme):
    """Golovneva et al. 2024 (arXiv 2405.18719), the code of its appendix: gates are sigmoids of the
    masked, scaled logits; p_ts is the sum of the gates from s to t, at most n - 1; the logits gain
    q.e at p, interpolated between the integers around it. q.e is not scaled."""
    name = "cope"

    def count(self):
        return int(self.option_or("rows", self.setting.context))

    def shapes(self):
        return {"table": (self.count(), self.setting.head_width)}

    def gates(self, logits, q, k):
        return sigmoid(logits)

    def sums(self, gates):
        return np.cumsum(gates[..., ::-1], -1)[..., ::-1]

    def share_of_ceiling(self, p):
        return p - np.floor(p)

    def content(self, q):
        """[B, H, T, n]: the queries against every row of the table."""
        return np.einsum("bhtd,nd->bhtn", q, self.parameters["table"])

    def score(self, logits, q, k, inputs, place):
        p = np.minimum(self.sums(self.gates(logits, q, k)), self.count() - 1)
        content, share = self.content(q), self.share_of_ceiling(p)
        above = np.take_along_axis(content, np.ceil(p).astype(int), -1)
        below = np.take_along_axis(content, np.floor(p).astype(int), -1)
        return logits + share * above + (1 - share) * below


class Forgetting(Scheme):
    """Lin et al. 2025 (arXiv 2503.02130), forgetting attention: f = sigmoid(w.x + b) for every
    token and head; the logits gain the sum of ln f over the tokens after the key's, up to the
    query's."""
    name = "forgetting"

    def shapes(self):
        return {"weight": (self.setting.heads, self.setting.width), "bias": (self.setting.heads,)}

    def draw(self, name, normal):
        return 0.6 * normal / math.sqrt(self.setting.width) if name == "weight" else 0.6 * normal

    def shift(self):
        return self.parameters["bias"]

    def first(self, key):
        """The first token whose gate counts against that key."""
        return key + 1

    def score(self, logits, q, k, inputs, place):
        gates = np.log(sigmoid(inputs @ self.parameters["weight"].T + self.shift()))
        bias = np.zeros_like(logits)
        for row, token in enumerate(place.token):
            for key in range(token + 1):
                bias[:, :, row, key] = gates[:, self.first(key):token + 1].sum(1)
        return logits + bias
