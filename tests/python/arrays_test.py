"""Arrays cross without a copy on the way out, and are checked on the way in."""
import gc
import unittest

import numpy as np

from common import main

import phasor
from phasor import analysis


def small(**fields):
    return phasor.Model(phasor.Config(vocabulary=11, width=16, heads=2, layers=1, context=8, **fields))


TOKENS = np.arange(6).reshape(2, 3)


class HandedOver(unittest.TestCase):
    def test_results_lie_where_the_library_computed_them(self):
        model = small()
        layer = model.layers(TOKENS)[0]
        for array in (model.logits(TOKENS), layer.weights, layer.stream,
                      model.gradients(TOKENS, TOKENS)[1]["norm.weight"],
                      model.parameters()["token_embedding.weight"], phasor.encode(),
                      phasor.bias("t5_bias"), phasor.kernel("rope"), phasor.angles(),
                      analysis.sinusoid(9, 8), analysis.norms(np.ones((2, 2)))):
            self.assertFalse(array.flags.owndata)
            self.assertEqual(phasor.address_of(array), array.ctypes.data)

    def test_an_array_outlives_its_model(self):
        model = small()
        logits, weight = model.logits(TOKENS), model.parameters()["token_embedding.weight"]
        kept = logits.copy(), weight.copy()
        del model
        gc.collect()
        small().logits(TOKENS)  # would take the memory if it had been given back
        np.testing.assert_array_equal(logits, kept[0])
        np.testing.assert_array_equal(weight, kept[1])

    def test_parameters_are_the_models_own(self):
        model = small()
        before = model.logits(TOKENS).copy()
        self.assertEqual(*(phasor.address_of(model.parameters()["norm.weight"]) for _ in range(2)))
        model.parameters()["norm.weight"][:] *= 2
        # Twice the scale of the last norm, which has no bias yet; a power of two is exact.
        np.testing.assert_array_equal(model.logits(TOKENS), 2 * before)

    def test_results_are_new_every_time(self):
        model = small()
        first = model.logits(TOKENS)
        kept = first.copy()
        second = model.logits(TOKENS[:, ::-1])
        self.assertNotEqual(first.ctypes.data, second.ctypes.data)
        np.testing.assert_array_equal(first, kept)

    def test_address_of_knows_its_own_alone(self):
        for array in (np.ones(3), phasor.encode()[1:]):
            with self.assertRaisesRegex(TypeError, "none that phasor handed over"):
                phasor.address_of(array)


class Taken(unittest.TestCase):
    rows = np.random.default_rng(1).standard_normal((6, 4))

    def test_strides_make_no_difference(self):
        wanted = analysis.cosine_similarity(self.rows)
        for same in (np.asfortranarray(self.rows), np.repeat(self.rows, 2, axis=0)[::2],
                     self.rows[::-1][::-1], self.rows.tolist()):
            np.testing.assert_array_equal(analysis.cosine_similarity(same), wanted)

    def test_another_dtype_is_refused(self):
        for dtype in (np.float32, np.float16, np.int64, complex):
            with self.assertRaisesRegex(TypeError, f"float64 is wanted, got .*{np.dtype(dtype)}|numbers"):
                analysis.norms(self.rows.astype(dtype))

    def test_lists_of_numbers_may_be_whole(self):
        for positions in ([0, 1, 2], range(3), np.arange(3), (0.0, 1.0, 2.0)):
            np.testing.assert_array_equal(phasor.encode(positions=positions), phasor.encode(positions=3))

    def test_the_argument_is_left_alone(self):
        rows = self.rows.copy()
        analysis.rotated(rows, range(6))
        np.testing.assert_array_equal(rows, self.rows)

    def test_empty_arrays(self):
        self.assertEqual(analysis.norms(np.empty((0, 4))).shape, (0,))


if __name__ == "__main__":
    main()
