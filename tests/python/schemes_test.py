"""Schemes as NumPy arrays: against formulas written here, and schemes of one's own."""
import unittest

import numpy as np

from common import TINY, main

import phasor

ONE_FLOAT = 2.0**-23  # a value near 1 in single precision is off by no more


def formula(positions, width, base=10000.0):
    """PE(p, 2k) = sin(p w_k), PE(p, 2k + 1) = cos(p w_k), w_k = base^(-2k / width)."""
    angle = np.asarray(positions, float)[:, None] * base ** (-np.arange(0, width, 2) / width)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(angle), width)


class Table(unittest.TestCase):
    def test_has_every_scheme_with_its_options(self):
        table = phasor.schemes()
        self.assertEqual(len(table), 18)
        rope = next(row for row in table if row["name"] == "rope")
        self.assertEqual(rope["kind"], "rotation")
        pairing = next(option for option in rope["options"] if option["name"] == "pairing")
        self.assertEqual(pairing["choices"], ["interleaved", "half"])

    def test_traits_and_facts(self):
        self.assertEqual(phasor.traits("learned", width=8, heads=2, context=32)["max_positions"], 32)
        self.assertTrue(phasor.traits("alibi")["is_relative"])
        slopes = phasor.facts("alibi", heads=8, width=64)["slope of each head"]
        np.testing.assert_array_equal(slopes, 2.0 ** -np.arange(1, 9))


class Values(unittest.TestCase):
    def test_sinusoidal(self):
        encoding = phasor.encode("sinusoidal", 50, 32)
        self.assertEqual((encoding.dtype, encoding.shape), (np.float32, (50, 32)))
        np.testing.assert_allclose(encoding, formula(range(50), 32), rtol=0, atol=ONE_FLOAT)

    def test_sinusoidal_at_positions_of_ones_own(self):
        places = [0.5, 7, 1e4]
        np.testing.assert_allclose(phasor.encode(positions=places, width=8, base=500),
                                   formula(places, 8, 500), rtol=0, atol=ONE_FLOAT)

    def test_alibi(self):
        bias = phasor.bias("alibi", 5, 2)
        distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
        np.testing.assert_array_equal(bias, -np.array([2.0**-4, 2.0**-8])[:, None, None] * distance)

    def test_keys_of_the_future(self):
        """T5 has buckets for them where they are seen, and takes them for the query's own if not."""
        future = np.triu(np.ones((6, 6), bool), 1)
        self.assertEqual(np.ptp(phasor.bias("t5_bias", 6, 1)[:, future]), 0)
        self.assertGreater(np.ptp(phasor.bias("t5_bias", 6, 1, causal=False)[:, future]), 0)

    def test_rope_in_both_pairings(self):
        rng = np.random.default_rng(1)
        q, k = rng.standard_normal((2, 6, 8)).astype(np.float32)
        angle = phasor.angles("rope", 6, 8)
        np.testing.assert_allclose(angle, np.arange(6)[:, None] * 10000.0 ** (-np.arange(0, 8, 2) / 8),
                                   rtol=1e-15)
        for pairing, x, y in (("interleaved", slice(0, 8, 2), slice(1, 8, 2)),
                              ("half", slice(0, 4), slice(4, 8))):
            wanted = np.empty_like(q)
            wanted[:, x] = q[:, x] * np.cos(angle) - q[:, y] * np.sin(angle)
            wanted[:, y] = q[:, x] * np.sin(angle) + q[:, y] * np.cos(angle)
            turned = phasor.rotate(q, k, pairing=pairing)[0]
            # Two products of numbers below 3.
            np.testing.assert_allclose(turned, wanted, rtol=0, atol=8 * ONE_FLOAT)

    def test_rotation_of_heads_and_at_positions_of_ones_own(self):
        q = np.ones((2, 3, 4, 8), np.float32)
        here = phasor.rotate(q, q, positions=[5, 6, 7, 8])
        self.assertEqual(here[0].shape, q.shape)
        there = phasor.rotate(q, q, positions=[0, 1, 2, 3])
        score = [turned[0][0, 0] @ turned[1][0, 0].T for turned in (here, there)]
        # The common shift of 5 is all that differs; each score is a sum of 8 products.
        np.testing.assert_allclose(*score, rtol=0, atol=8 * 8 * ONE_FLOAT)

    def test_kernel_hides_the_future(self):
        kernel = phasor.kernel("rope", 6, width=8, heads=2)
        self.assertEqual(kernel.shape, (2, 6, 6))
        future = np.triu(np.ones((6, 6), bool), 1)
        self.assertTrue(np.isnan(kernel[:, future]).all())
        self.assertTrue(np.isfinite(kernel[:, ~future]).all())
        self.assertTrue(np.isfinite(phasor.kernel("rope", 6, causal=False)).all())

    def test_scaled_frequencies(self):
        plain, slowed = phasor.frequencies(), phasor.frequencies(scaling="pi:4")
        np.testing.assert_allclose(slowed, plain / 4, rtol=1e-15)


class Own(unittest.TestCase):
    def tearDown(self):
        phasor.remove_scheme("mine")

    def test_a_bias_passes_every_check(self):
        phasor.add_scheme("mine", bias=lambda head, distance: -0.1 * (head + 1) * distance)
        self.assertEqual([row["what"] for row in phasor.check_scheme("mine") if not row["passed"]], [])

    def test_the_bias_is_what_attention_gets(self):
        """Slopes of ALiBi's first heads, written in Python: the same training, bit for bit."""
        slopes = phasor.facts("alibi", width=16, heads=2)["slope of each head"]
        phasor.add_scheme("mine", bias=lambda head, distance: -slopes[head] * distance)
        losses = [phasor.train(scheme=name, steps=5, **TINY).losses for name in ("mine", "alibi")]
        np.testing.assert_allclose(*losses, rtol=1e-6)  # a bias [H, S] and one by distance

    def test_parameters_are_trained(self):
        phasor.add_scheme("mine", parameters=lambda heads: np.full((heads, 1), 0.1),
                          bias=lambda values, head, distance: -values[head, 0] * distance,
                          bias_slopes=lambda values, head, distance: np.array([-distance]))
        self.assertTrue(all(phasor.check_scheme("mine").column("passed")))
        model = phasor.train(scheme="mine", steps=5, **TINY).model
        self.assertGreater(np.abs(model.parameters()["position.parameters"] - 0.1).min(), 0)

    def test_wrong_slopes_are_found(self):
        phasor.add_scheme("mine", parameters=lambda heads: np.full((heads, 1), 0.1),
                          bias=lambda values, head, distance: -values[head, 0] * distance,
                          bias_slopes=lambda values, head, distance: np.array([distance]))
        failed = [row["what"] for row in phasor.check_scheme("mine") if not row["passed"]]
        self.assertEqual(failed, ["gradients are the slopes of the loss"])

    def test_what_the_function_raises_comes_back(self):
        phasor.add_scheme("mine", bias=lambda head, distance: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            phasor.train(scheme="mine", steps=5, **TINY)


if __name__ == "__main__":
    main()
