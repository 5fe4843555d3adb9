"""Wrong implementations of the schemes of rotation_references.py; see mutants.py."""
import numpy as np

from mutants import spoils
from rotation_references import Pope, PRope, Rope, Xpos


@spoils("small", "half_for_interleaved")
class RopeHalf(Rope):
    """Pairs are (c, c + R/2) where (2c, 2c + 1) was asked for."""

    def columns(self):
        rotated = self.rotated()
        return slice(0, rotated // 2), slice(rotated // 2, rotated)


@spoils("half", "interleaved_for_half")
class RopeInterleaved(Rope):
    """Pairs are (2c, 2c + 1) where (c, c + R/2) was asked for."""

    def columns(self):
        rotated = self.rotated()
        return slice(0, rotated, 2), slice(1, rotated, 2)


@spoils("small", "turned_backwards")
class RopeBackwards(Rope):
    """Queries and keys turn by -p theta: (x cos + y sin, y cos - x sin)."""

    def angles(self, place):
        for_queries, for_keys = super().angles(place)
        return -for_queries, -for_keys


@spoils("small", "keys_backwards")
class RopeKeysBackwards(Rope):
    """Only the keys turn by -p theta, so the angle is the sum of the positions."""

    def angles(self, place):
        for_queries, for_keys = super().angles(place)
        return for_queries, -for_keys


@spoils("small", "halved_exponent")
class RopeHalvedExponent(Rope):
    """base^(-c / R) for base^(-2c / R)."""

    def thetas(self, base):
        return base ** (-np.arange(self.rotated() // 2) / self.rotated())


@spoils("small", "doubled_exponent")
class RopeDoubledExponent(Rope):
    """base^(-4c / R): the even columns' indices take the place of the pairs' numbers."""

    def thetas(self, base):
        return base ** (-4.0 * np.arange(self.rotated() // 2) / self.rotated())


@spoils("small", "frequencies_of_model_width")
class RopeModelWidth(Rope):
    """base^(-2c / C): the model's width takes the place of the head's."""

    def thetas(self, base):
        return base ** (-2.0 * np.arange(self.rotated() // 2) / self.setting.width)


@spoils("fraction", "frequencies_of_whole_head")
class RopeWholeHead(Rope):
    """With a fraction, base^(-2c / D): the whole head's width takes the place of R."""

    def thetas(self, base):
        return base ** (-2.0 * np.arange(self.rotated() // 2) / self.setting.head_width)


@spoils("fraction", "last_columns")
class RopeLastColumns(Rope):
    """With a fraction, the last R columns of the head turn and not the first."""

    def turn(self, x, angles, factor=1.0):
        rest = x.shape[-1] - self.rotated()
        rolled = super().turn(np.roll(x, -rest, -1), angles, factor)
        return np.roll(rolled, rest, -1)


@spoils("small", "keys_one_late")
class RopeKeysOneLate(Rope):
    """Keys are counted from one and queries from zero."""

    def angles(self, place):
        for_queries, for_keys = super().angles(place)
        return for_queries, for_keys + self.frequencies(place)


@spoils("small", "queries_from_zero")
class RopeQueriesFromZero(Rope):
    """With a cache, the queries begin at the first key's position again."""

    def angles(self, place):
        _, for_keys = super().angles(place)
        return for_keys[:len(place.queries)], for_keys


@spoils("small", "values_rotated")
class RopeValuesRotated(Rope):
    """Values turn with their keys."""

    def values(self, v, place):
        return self.turn(v, self.angles(place)[1])


@spoils("small", "fastest_left_out")
class PRopeFastestLeftOut(PRope):
    """The fastest pairs stand still and not the slowest."""

    def frequencies(self, place):
        theta = self.thetas(self.base())
        still = np.count_nonzero(super().frequencies(place) == 0)
        return np.where(np.arange(len(theta)) < still, 0.0, theta)


@spoils("small", "partial_for_p")
class PRopePartial(PRope):
    """Partial RoPE: the frequencies are spread over the columns that turn."""

    def frequencies(self, place):
        count = np.count_nonzero(super().frequencies(place))
        theta = np.zeros(self.rotated() // 2)
        theta[:count] = self.base() ** (-np.arange(count) / count)
        return theta


@spoils("small", "flipped_zeta")
class XposFlippedZeta(Xpos):
    """The exponents' signs are exchanged: far keys grow and do not fade."""

    def exponents(self, place):
        of_queries, of_keys = super().exponents(place)
        return -of_queries, -of_keys


@spoils("small", "keys_scaled_alike")
class XposKeysScaledAlike(Xpos):
    """Keys are multiplied by zeta^(+p / scale_base), as queries are."""

    def exponents(self, place):
        of_queries, of_keys = super().exponents(place)
        return of_queries, -of_keys


@spoils("small", "scale_base_512")
class XposScaleBase512(Xpos):
    """The published scale base of 512 whatever the context and the option."""

    def exponents(self, place):
        return place.queries / 512, -place.keys / 512


@spoils("small", "half_the_frequencies")
class PopeHalfTheFrequencies(Pope):
    """RoPE's D / 2 frequencies, each for two columns."""

    def frequencies(self):
        width = self.setting.head_width
        return self.option("base", 10000.0) ** (-2.0 * (np.arange(width) // 2) / width)


@spoils("small", "flipped_phase")
class PopeFlippedPhase(Pope):
    """cos(rel theta + phase): the phase has the sign of query minus key position."""

    def phase(self):
        return -super().phase()


@spoils("small", "relu")
class PopeRelu(Pope):
    """Magnitudes by ReLU and not by softplus."""

    def magnitude(self, x):
        return np.maximum(x, 0)
