"""References of the schemes that rotate queries and keys, NumPy float64; see scheme_references.py
for the hooks. A pair of columns is a complex number, and a rotation its product with exp(i angle).
`interleaved` pairs (2c, 2c + 1), `half` pairs (c, c + R/2), R the number of rotated columns.
"""
import math

import numpy as np

from scheme_references import Scheme


class Rope(Scheme):
    """Su et al. 2021 (arXiv 2104.09864), equations 13 and 15: pair c turns by p theta_c,
    theta_c = base^(-2c / R). R = 2 floor(fraction D / 2) leading columns turn (GPT-NeoX's partial
    form), and R stands for the head's width in every formula. `scaling`, with L = `original`:

    - pi:s          Chen et al. 2023 (arXiv 2306.15595): positions divided by s
    - ntk:s         bloc97, in Peng et al. 2023 (arXiv 2309.00071), section 3.1:
                    base s^(R / (R - 2))
    - dynamic_ntk   the same with s of the length l = largest key position + 1. Form `paper`
                    (section 3.3): max(1, l / L). Form `hf`, dynamic_ntk:f: f l / L - (f - 1)
                    beyond L, 1 up to it
    - yarn:s        Peng et al. 2023, sections 3.2 and 3.4: each frequency between theta / s and
                    theta by a ramp; cosines and sines times 0.1 ln s + 1
    - llama3:s      Llama 3.1: kept below wavelength L / beta, divided by s above L / alpha, and
                    between them blended linearly in L / wavelength
    """
    name = "rope"

    def base(self):
        return self.option("base", 10000.0)

    def scaling(self):
        """The name and the number of the `scaling` option."""
        name, _, number = self.option("scaling", "none").partition(":")
        return name, float(number or 1)

    def rotated(self):
        return 2 * math.floor(self.option("fraction", 1.0) * self.setting.head_width / 2)

    def original(self):
        return self.option_or("original", self.setting.context)

    def thetas(self, base):
        return base ** (-2.0 * np.arange(self.rotated() // 2) / self.rotated())

    def turns(self):
        """L / wavelength of every pair: how often it turns within the original length."""
        return self.original() * self.thetas(self.base()) / (2 * math.pi)

    def ntk_base(self, s):
        return self.base() * s ** (self.rotated() / (self.rotated() - 2))

    def dynamic_factor(self, place):
        ratio = (place.keys.max() + 1) / self.original()
        if self.option("form", "hf") == "paper":
            return max(1.0, ratio)
        factor = self.scaling()[1]
        return factor * ratio - (factor - 1) if ratio > 1 else 1.0

    def limits(self, alpha, beta):
        """Where the blend ends and where it begins, in turns."""
        return self.option_or("alpha", alpha), self.option_or("beta", beta)

    def share_kept(self):
        """YaRN's ramp: 1 where theta is kept, 0 where it is divided by s. `paper`: section 3.2,
        linear in the turns. `code`: the authors' code, linear in the pair's number between the
        pairs that turn beta and alpha times, rounded outwards and held in [0, R - 1]."""
        alpha, beta = self.limits(1.0, 32.0)
        if self.option("ramp", "code") == "paper":
            return np.clip((self.turns() - alpha) / (beta - alpha), 0, 1)

        def pair_that_turns(times):
            length = self.original() / (2 * math.pi * times)
            return self.rotated() * math.log(length) / (2 * math.log(self.base()))

        low = max(math.floor(pair_that_turns(beta)), 0)
        high = min(math.ceil(pair_that_turns(alpha)), self.rotated() - 1)
        if low == high:
            high += 0.001
        return 1 - np.clip((np.arange(self.rotated() // 2) - low) / (high - low), 0, 1)

    def llama3_share_kept(self):
        alpha, beta = self.limits(1.0, 4.0)
        return np.clip((self.turns() - alpha) / (beta - alpha), 0, 1)

    def frequencies(self, place):
        """[R / 2]"""
        name, s = self.scaling()
        theta = self.thetas(self.base())
        if name == "pi":
            return theta / s
        if name == "ntk":
            return self.thetas(self.ntk_base(s))
        if name == "dynamic_ntk":
            return self.thetas(self.ntk_base(self.dynamic_factor(place)))
        if name in ("yarn", "llama3"):
            kept = self.share_kept() if name == "yarn" else self.llama3_share_kept()
            return kept * theta + (1 - kept) * theta / s
        return theta

    def factors(self):
        """What multiplies the rotated columns of q and of k."""
        name, s = self.scaling()
        own = 0.1 * math.log(s) + 1 if name == "yarn" else 1.0
        factor = self.option_or("attention_factor", own)
        return factor, factor

    def columns(self):
        """The first and the second of every pair."""
        rotated = self.rotated()
        if self.option("pairing", "interleaved") == "interleaved":
            return slice(0, rotated, 2), slice(1, rotated, 2)
        return slice(0, rotated // 2), slice(rotated // 2, rotated)

    def turn(self, x, angles, factor=1.0):
        """x [..., T, D] by angles [T, R / 2]; columns from R on stay."""
        first, second = self.columns()
        turned = (x[..., first] + 1j * x[..., second]) * (factor * np.exp(1j * angles))
        y = x.copy()
        y[..., first], y[..., second] = turned.real, turned.imag
        return y

    def angles(self, place):
        """Of the queries and of the keys."""
        frequencies = self.frequencies(place)
        return np.outer(place.queries, frequencies), np.outer(place.keys, frequencies)

    def rotate(self, q, k, place):
        for_queries, for_keys = self.angles(place)
        of_queries, of_keys = self.factors()
        return self.turn(q, for_queries, of_queries), self.turn(k, for_keys, of_keys)


class PRope(Rope):
    """Barbero et al. 2024 (arXiv 2410.06205): the frequencies of the whole head,
    base^(-2c / D), of which the floor(kept D / 2) fastest turn and the others stand still."""
    name = "p_rope"

    def frequencies(self, place):
        theta = self.thetas(self.base())
        count = math.floor(self.option("kept", 0.75) * self.setting.head_width / 2)
        return np.where(np.arange(len(theta)) < count, theta, 0.0)


class Xpos(Rope):
    """Sun et al. 2023 (arXiv 2212.10554) and the authors' code (torchscale): RoPE with
    pair c of q times zeta_c^(p / scale_base) and of k times zeta_c^(-p / scale_base),
    zeta_c = (2c / D + 0.4) / 1.4. A shift of all positions alike cannot be seen in the logits."""
    name = "xpos"

    def zeta(self):
        return (np.arange(0, self.rotated(), 2) / self.rotated() + 0.4) / 1.4

    def exponents(self, place):
        scale_base = self.option_or("scale_base", self.setting.context / 2)
        return place.queries / scale_base, -place.keys / scale_base

    def rotate(self, q, k, place):
        for_queries, for_keys = self.angles(place)
        of_queries, of_keys = (self.zeta() ** e[:, None] for e in self.exponents(place))
        return self.turn(q, for_queries, of_queries), self.turn(k, for_keys, of_keys)


class Pope(Scheme):
    """Gopalakrishnan et al. 2025 (arXiv 2509.10534): D frequencies base^(-c / D); the
    magnitudes are softplus(q_c) and softplus(k_c), the angle of a product is the paper's
    (s - t) theta_c + delta_c with t the query's position and s the key's: rel theta_c - phase_c."""
    name = "pope"

    def shapes(self):
        return {"phase": (self.setting.heads, self.setting.head_width)}

    def draw(self, name, normal):
        """Between -2 pi and 0, and not at its ends."""
        return -math.pi * (1 + np.tanh(normal)) * 0.99

    def frequencies(self):
        width = self.setting.head_width
        return self.option("base", 10000.0) ** (-np.arange(width) / width)

    def magnitude(self, x):
        return np.logaddexp(0.0, x)

    def phase(self):
        return self.parameters["phase"]

    def dot(self, q, k, place):
        angles = place.rel[None, ..., None] * self.frequencies() - self.phase()[:, None, None, :]
        q, k = self.magnitude(q), self.magnitude(k)
        return np.einsum("bhtd,bhsd,htsd->bhts", q, k, np.cos(angles))
