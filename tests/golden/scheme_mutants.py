"""Wrong implementations of the schemes of scheme_references.py; see mutants.py."""
import math

import numpy as np

from mutants import spoils
from content_references import Cope
from scheme_references import Deberta, Learned, Shaw, Sinusoidal, TransformerXl, sigmoid


@spoils("small", "doubled_exponent")
class SinusoidalDoubledExponent(Sinusoidal):
    """The column's index takes the place of the pair's number k, which doubles the exponent."""

    def angles(self, positions, width):
        column = np.arange(0, width, 2)
        angles = np.outer(positions, self.option("base", 10000.0) ** (-2.0 * column / width))
        return angles, angles


@spoils("small", "cosine_at_next_frequency")
class SinusoidalCosineAtNextFrequency(Sinusoidal):
    """Every column has a frequency of its own: base^(-column / width), also between a sine and its
    cosine."""

    def angles(self, positions, width):
        base, column = self.option("base", 10000.0), np.arange(width)
        angles = np.outer(positions, base ** (-1.0 * column / width))
        return angles[:, 0::2], angles[:, 1::2]


@spoils("small", "sine_and_cosine_swapped")
class SinusoidalSwapped(Sinusoidal):
    """The cosine stands before the sine."""

    def columns(self, width):
        return super().columns(width)[::-1]


@spoils("concat", "interleaved_for_concat")
class SinusoidalOtherLayout(Sinusoidal):
    """The layout is interleaved where concat was asked for."""

    def columns(self, width):
        return slice(0, width, 2), slice(1, width, 2)


@spoils("concatenate", "frequencies_of_whole_width")
class SinusoidalWholeWidth(Sinusoidal):
    """The encoding of width C/2 is the first half of the one of width C."""

    def encoding(self, positions, width):
        return super().encoding(positions, self.setting.width)[:, :width]


@spoils("small", "next_row")
class LearnedNextRow(Learned):
    """Rows are counted from one: position p takes the row before its own."""

    def rows(self, positions):
        return super().rows(positions) - 1


@spoils("small", "row_by_order")
class LearnedRowByOrder(Learned):
    """The row is the token's number in the call and not its position."""

    def rows(self, positions):
        return np.arange(len(positions))


@spoils("small", "flipped_sign")
class ShawFlippedSign(Shaw):
    """Rows by query minus key position, where the paper has key minus query."""

    def rows(self, place):
        return 2 * self.clip() - super().rows(place)


@spoils("small", "clip_one_less")
class ShawClipOneLess(Shaw):
    """Distances are clipped at K - 1, so the outermost rows are never read."""

    def rows(self, place):
        inner = self.clip() - 1
        return self.clip() + np.clip(-place.rel, -inner, inner).astype(int)


@spoils("small", "values_forgotten")
class ShawValuesForgotten(Shaw):
    """The values' table is left out."""

    def mix(self, out, weights, place):
        return out


@spoils("small", "not_divided")
class ShawNotDivided(Shaw):
    """The position term is added after the division by sqrt(D)."""

    def divisor(self):
        return 1.0


@spoils("small", "interleaved")
class TransformerXlInterleaved(TransformerXl):
    """R has the interleaved layout of Vaswani et al. and not the authors' concat one."""
    layout = "interleaved"


@spoils("small", "u_and_v_swapped")
class TransformerXlSwapped(TransformerXl):
    """u goes with the position and v with the content."""

    def biases(self):
        return self.parameters["v"], self.parameters["u"]


@spoils("small", "flipped_sign")
class TransformerXlFlippedSign(TransformerXl):
    """R is taken at key minus query position."""

    def distances(self, place):
        return -place.rel


@spoils("small", "p2c_by_delta_ij")
class DebertaSameDelta(Deberta):
    """The position-to-content term reads row delta(i, j), as the content-to-position term does,
    and not the paper's delta(j, i)."""

    def rows_of_queries(self, place):
        return self.delta(place.rel)


@spoils("small", "sqrt_d")
class DebertaSqrtD(Deberta):
    """The three terms are divided by sqrt(D) and not by sqrt(3D)."""

    def divisor(self):
        return math.sqrt(self.setting.head_width)


@spoils("log", "floor")
class DebertaFloor(Deberta):
    """Logarithmic buckets are rounded down and not up."""

    def bucket(self, distance):
        mid, limit = self.span() // 2, self.option("max_distance", 512) - 1
        distance = min(distance, limit)
        if distance <= mid:
            return distance
        return mid + math.floor(math.log(distance / mid) / math.log(limit / mid) * (mid - 1))


@spoils("log", "not_clamped")
class DebertaNotClamped(Deberta):
    """Distances beyond the max distance go on to further buckets, until the table ends."""

    def bucket(self, distance):
        mid, limit = self.span() // 2, self.option("max_distance", 512) - 1
        if distance <= mid:
            return distance
        return mid + math.ceil(math.log(distance / mid) / math.log(limit / mid) * (mid - 1) - 1e-9)


@spoils("small", "unmasked_gates")
class CopeUnmaskedGates(Cope):
    """Gates come from the logits before the mask, so the future is counted."""

    def gates(self, logits, q, k):
        return sigmoid(np.einsum("bhtd,bhsd->bhts", q, k) / math.sqrt(q.shape[-1]))


@spoils("small", "unscaled_gates")
class CopeUnscaledGates(Cope):
    """Gates come from q.k before the division by sqrt(D)."""

    def gates(self, logits, q, k):
        return sigmoid(logits * math.sqrt(q.shape[-1]))


@spoils("small", "forward_sum")
class CopeForwardSum(Cope):
    """Gates are added up from the first key and not back from the query."""

    def sums(self, gates):
        return np.cumsum(gates, -1)


@spoils("small", "shares_swapped")
class CopeSharesSwapped(Cope):
    """The row above the position has the share of the row below."""

    def share_of_ceiling(self, p):
        return 1 - super().share_of_ceiling(p)


@spoils("small", "divided")
class CopeDivided(Cope):
    """q.e is divided by sqrt(D)."""

    def content(self, q):
        return super().content(q) / math.sqrt(q.shape[-1])
