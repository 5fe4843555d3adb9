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


@spoils("pi", "pi_multiplies")
class PiMultiplies(Rope):
    """Positions are multiplied by s and not divided."""

    def frequencies(self, place):
        return self.thetas(self.base()) * self.scaling()[1]


@spoils("ntk", "ntk_plain_base")
class NtkPlainBase(Rope):
    """base s for base s^(R / (R - 2)): the last pair is slowed by less than s."""

    def ntk_base(self, s):
        return self.base() * s


@spoils("ntk", "ntk_divides_too")
class NtkDividesToo(Rope):
    """The changed base and divided positions at once."""

    def frequencies(self, place):
        return super().frequencies(place) / self.scaling()[1]


@spoils("ntk_fraction", "ntk_whole_head")
class NtkWholeHead(Rope):
    """With a fraction, the exponent is D / (D - 2) and not R / (R - 2)."""

    def ntk_base(self, s):
        width = self.setting.head_width
        return self.base() * s ** (width / (width - 2))


@spoils("dynamic_ntk_hf", "dynamic_ntk_paper_for_hf")
class DynamicNtkPaperForHf(Rope):
    """max(1, l / L) where f l / L - (f - 1) was asked for."""

    def dynamic_factor(self, place):
        return max(1.0, (place.keys.max() + 1) / self.original())


@spoils("dynamic_ntk_hf", "dynamic_ntk_without_subtraction")
class DynamicNtkWithoutSubtraction(Rope):
    """f l / L for f l / L - (f - 1)."""

    def dynamic_factor(self, place):
        return super().dynamic_factor(place) + self.scaling()[1] - 1


@spoils("dynamic_ntk_hf_within", "dynamic_ntk_always")
class DynamicNtkAlways(Rope):
    """Form hf scales already within the original length, by f l / L - (f - 1) below 1."""

    def dynamic_factor(self, place):
        factor = self.scaling()[1]
        return factor * (place.keys.max() + 1) / self.original() - (factor - 1)


@spoils("dynamic_ntk_paper", "dynamic_ntk_length_by_count")
class DynamicNtkLengthByCount(Rope):
    """The length is the number of keys and not the largest position + 1."""

    def dynamic_factor(self, place):
        return max(1.0, len(place.keys) / self.original())


@spoils("yarn_code", "yarn_without_factor")
class YarnWithoutFactor(Rope):
    """Cosines and sines are not multiplied by 0.1 ln s + 1."""

    def factors(self):
        return 1.0, 1.0


@spoils("yarn_code", "yarn_factor_on_queries")
class YarnFactorOnQueries(Rope):
    """The attention factor enters the logits once, by the queries alone, and not squared."""

    def factors(self):
        return super().factors()[0], 1.0


@spoils("yarn_fraction", "yarn_factor_on_whole_head")
class YarnFactorOnWholeHead(Rope):
    """With a fraction, the columns that do not turn are multiplied by the attention factor too."""

    def turn(self, x, angles, factor=1.0):
        y = super().turn(x, angles, factor)
        y[..., self.rotated():] *= factor
        return y


@spoils("yarn_code", "yarn_paper_ramp")
class YarnPaperRamp(Rope):
    """The paper's ramp, linear in L / wavelength, where the code's was asked for."""

    def share_kept(self):
        alpha, beta = self.limits(1.0, 32.0)
        return np.clip((self.turns() - alpha) / (beta - alpha), 0, 1)


@spoils("yarn_paper", "yarn_code_ramp")
class YarnCodeRamp(Rope):
    """The code's ramp, linear in the pair's number, where the paper's was asked for."""

    def option(self, name, default):
        return "code" if name == "ramp" else super().option(name, default)


@spoils("yarn_code", "yarn_ramp_reversed")
class YarnRampReversed(Rope):
    """The fast pairs are interpolated and the slow ones kept."""

    def share_kept(self):
        return 1 - super().share_kept()


@spoils("llama3", "llama3_limits_swapped")
class Llama3LimitsSwapped(Rope):
    """Short wavelengths are divided by s and long ones kept."""

    def llama3_share_kept(self):
        return 1 - super().llama3_share_kept()


@spoils("llama3", "llama3_not_blended")
class Llama3NotBlended(Rope):
    """No blend: what lies between the limits is kept whole."""

    def llama3_share_kept(self):
        return np.where(super().llama3_share_kept() > 0, 1.0, 0.0)


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
