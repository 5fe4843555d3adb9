"""Wrong implementations of the scalings of rope in rotation_references.py; see mutants.py."""
import numpy as np

from mutants import spoils
from rotation_references import Rope


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
