"""Wrong implementations of the schemes of bias_references.py; see mutants.py."""
import math

import numpy as np

from bias_references import Alibi, DynamicBias, Fire, KerpleLog, Sandwich, T5Bias, t5_bucket
from content_references import Forgetting
from mutants import spoils


@spoils("default", "last_bucket_at_max_distance")
class T5LastAtMaxDistance(T5Bias):
    """The boundaries are stretched so that the last bucket begins at max_distance."""

    def bucket(self, rel):
        count, limit = self.option("buckets", 32), self.option("max_distance", 128)
        exact, n = count // 2, max(rel, 0)
        if n < exact:
            return n
        steps = math.log(n / exact) / math.log(limit / exact) * (count - 1 - exact)
        return min(exact + math.floor(steps + 1e-9), count - 1)


@spoils("small", "flipped_sign")
class T5FlippedSign(T5Bias):
    """Buckets of key minus query position: the past falls into bucket 0."""

    def bucket(self, rel):
        return super().bucket(-rel)


@spoils("small", "off_by_one")
class T5OffByOne(T5Bias):
    """The token itself counts as one step back."""

    def bucket(self, rel):
        return super().bucket(rel + 1)


@spoils("small", "bidirectional_for_causal")
class T5BidirectionalForCausal(T5Bias):
    """A causal model uses half of the buckets for a future that it never sees."""

    def bucket(self, rel):
        return t5_bucket(rel, self.option("buckets", 32), self.option("max_distance", 128), False)


@spoils("unmasked", "halves_swapped")
class T5HalvesSwapped(T5Bias):
    """Without a mask the future has the first half of the buckets and the past the second."""

    def bucket(self, rel):
        return super().bucket(-rel)


@spoils("small", "slopes_from_zero")
class AlibiSlopesFromZero(Alibi):
    """Heads are counted from zero, so the first slope is 1."""

    def slopes(self):
        heads = self.setting.heads
        return 2.0 ** (-8.0 * np.arange(heads) / heads)


@spoils("three_heads", "plain_slopes")
class AlibiPlainSlopes(Alibi):
    """2^(-8h/H) although the number of heads is no power of two."""

    def slopes(self):
        heads = self.setting.heads
        return 2.0 ** (-8.0 * np.arange(1, heads + 1) / heads)


@spoils("small", "divided")
class AlibiDivided(Alibi):
    """The bias is divided by sqrt(D) together with q.k."""

    def bias(self, place):
        return super().bias(place) / math.sqrt(self.setting.head_width)


@spoils("small", "flipped_sign")
class AlibiFlippedSign(Alibi):
    """The bias grows with the distance."""

    def bias(self, place):
        return -super().bias(place)


@spoils("unmasked", "signed_distance")
class AlibiSignedDistance(Alibi):
    """Without a mask the signed distance rewards the future."""

    def distances(self, place):
        return place.rel


@spoils("small", "r2_added")
class KerpleAdded(KerpleLog):
    """ln(r2 + |rel|) for ln(1 + r2 |rel|)."""

    def logarithm(self, r2, distance):
        return np.log(r2 + distance)


@spoils("small", "flipped_sign")
class KerpleFlippedSign(KerpleLog):
    """The bias grows with the distance."""

    def bias(self, place):
        return -super().bias(place)


@spoils("small", "not_divided")
class SandwichNotDivided(Sandwich):
    """The sum is not divided by 8h / H: all heads are alike."""

    def compression(self):
        return 1.0


@spoils("small", "multiplied")
class SandwichMultiplied(Sandwich):
    """The sum is multiplied by 8h / H."""

    def compression(self):
        return 1 / super().compression()


@spoils("small", "frequencies_from_one")
class SandwichFrequenciesFromOne(Sandwich):
    """k runs from 1 to width / 2 and not from 0 to width / 2 - 1."""

    def numbers(self, width):
        return super().numbers(width) + 1


@spoils("beyond", "key_in_denominator")
class FireKeyInDenominator(Fire):
    """Distances are measured by the key's position."""

    def reach(self, place):
        return np.maximum(place.keys, self.threshold())[None, :]


@spoils("beyond", "no_maximum")
class FireNoMaximum(Fire):
    """Distances are measured by the threshold alone, also by queries beyond it."""

    def reach(self, place):
        return np.broadcast_to(self.threshold(), (len(place.queries), 1))


@spoils("beyond", "no_threshold")
class FireNoThreshold(Fire):
    """Distances are measured by the query's position alone, also before the threshold."""

    def reach(self, place):
        return place.queries[:, None]


@spoils("beyond", "no_logarithm")
class FireNoLogarithm(Fire):
    """Plain distances without psi's logarithm."""

    def psi(self, x):
        return np.abs(self.parameters["c"] * x)


@spoils("unmasked", "sign_lost")
class DynamicBiasSignLost(DynamicBias):
    """ln(1 + |rel|) without the sign: past and future are alike."""

    def distances(self, place):
        return np.abs(place.rel)


@spoils("small", "flipped_sign")
class DynamicBiasFlippedSign(DynamicBias):
    """The MLP reads key minus query position."""

    def distances(self, place):
        return -place.rel


@spoils("small", "key_included")
class ForgettingKeyIncluded(Forgetting):
    """The key's own gate counts too: the sum begins at s and not at s + 1."""

    def first(self, key):
        return key


@spoils("small", "flipped_bias")
class ForgettingFlippedBias(Forgetting):
    """The gates' bias is subtracted."""

    def shift(self):
        return -super().shift()
