"""The Mini-GPT from Python: the command's numbers, and what is inside."""
import json
import pathlib
import tempfile
import unittest

import numpy as np

from common import TINY, command, main

import phasor


class Trained(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name) / "run"
        cls.result = phasor.train(scheme="rope", steps=20, out=cls.folder, **TINY)
        cls.model = phasor.load(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_logits_are_the_commands_bit_for_bit(self):
        tokens = np.random.default_rng(1).integers(0, len(self.model.symbols), (3, 16))
        here = pathlib.Path(self.scratch.name)
        np.save(here / "tokens.npy", tokens)
        command("logits", "--run", self.folder, "--tokens", here / "tokens.npy",
                "--out", here / "logits.npy")
        np.testing.assert_array_equal(self.model.logits(tokens), np.load(here / "logits.npy"))

    def test_training_is_the_commands_bit_for_bit(self):
        words = [f"--{name.replace('_', '-')}={value}" for name, value in TINY.items()
                 if name != "progress"]
        there = pathlib.Path(self.scratch.name) / "there"
        command("train", "--scheme", "rope", "--steps", 20, "--out", there, *words)
        self.assertEqual(*((folder / "model.safetensors").read_bytes()
                           for folder in (self.folder, there)))

    def test_generates_what_the_command_does(self):
        printed = command("generate", "--run", self.folder, "--prompt", "the ", "--tokens", 30,
                          "--seed", 5, "--top-k", 4)
        self.assertEqual("the " + self.model.generate("the ", 30, seed=5, top_k=4) + "\n", printed)

    def test_evaluates_as_the_command_does(self):
        said = json.loads(command("eval", "--run", self.folder, "--context", 32, "--tokens", 640,
                                  "--json"))
        found = self.model.evaluate(context=32, tokens=640)
        self.assertEqual((found["loss"], found["tokens"]), (said["loss"], said["tokens"]))
        np.testing.assert_array_equal(found["by_position"], said["by_position"])

    def test_a_text_does_for_tokens(self):
        np.testing.assert_array_equal(self.model.logits("the"),
                                      self.model.logits(self.model.encode("the")))
        self.assertEqual(self.model.decode(self.model.encode("the")), "the")

    def test_attention_is_causal_and_sums_to_one(self):
        weights = self.model.attention("the dog.")
        self.assertEqual(weights.shape, (1, 2, 8, 8))
        # Eight numbers of at most 1 in single precision.
        np.testing.assert_allclose(weights.sum(-1), 1, rtol=0, atol=8 * 2.0**-23)
        self.assertEqual(np.abs(np.triu(weights, 1)).max(), 0)

    def test_layers_make_the_result(self):
        """softmax(logits) is weights, weights times values is mixed."""
        layer = self.model.layers("the dog.")[0]
        e = np.exp(layer.logits.astype(float))
        np.testing.assert_allclose(layer.weights, e / e.sum(-1, keepdims=True), atol=1e-6)
        np.testing.assert_allclose(layer.mixed, layer.weights @ layer.values, atol=1e-5)

    def test_saved_and_loaded(self):
        copy = pathlib.Path(self.scratch.name) / "copy"
        self.model.parameters()["norm.bias"][:] += 1
        self.model.save(copy)
        np.testing.assert_array_equal(phasor.load(copy).logits("the"), self.model.logits("the"))
        self.model.parameters()["norm.bias"][:] -= 1

    def test_options_of_the_scheme_can_be_replaced(self):
        scaled = phasor.load(self.folder, scaling="pi:2")
        self.assertEqual(scaled.config.options, {"scaling": "pi:2"})
        plain = self.model.logits(self.model.encode("the dog."), [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5])
        np.testing.assert_allclose(scaled.logits("the dog."), plain, atol=1e-5)

    def test_dropped_positions(self):
        model = phasor.load(self.folder)
        model.drop_positions()
        without = phasor.Model(phasor.Config(scheme="none", width=16, heads=2, layers=1, context=16),
                               symbols=model.symbols)
        for name, values in model.parameters().items():
            without.parameters()[name][:] = values
        np.testing.assert_array_equal(model.logits("the dog."), without.logits("the dog."))


class Untrained(unittest.TestCase):
    def test_config_round_trip(self):
        config = phasor.Config(scheme="t5_bias", options={"buckets": 16}, vocabulary=9, width=32,
                               norm="rms", activation="silu", tied=True)
        model = phasor.Model(config)
        found = model.config
        self.assertEqual(found.options, {"buckets": "16"})
        found.options = config.options
        self.assertEqual(found, config)
        self.assertIn("t5_bias", repr(model))

    def test_characters_are_sorted_and_unique(self):
        self.assertEqual(phasor.Model(symbols="cabba").symbols, "abc")

    def test_seeds(self):
        first, same, other = (phasor.Model(phasor.Config(vocabulary=5), seed=seed).parameters()
                              ["token_embedding.weight"] for seed in (1, 1, 2))
        np.testing.assert_array_equal(first, same)
        self.assertGreater(np.abs(first - other).max(), 0)

    def test_gradients_are_slopes_of_the_loss(self):
        """Along one random direction in every parameter at once."""
        model = phasor.Model(phasor.Config(vocabulary=7, width=16, heads=2, layers=1, context=8))
        rng = np.random.default_rng(1)
        inputs, targets = rng.integers(0, 7, (2, 3, 8))
        loss, gradients = model.gradients(inputs, targets)
        logits = model.logits(inputs).astype(float)
        chosen = np.take_along_axis(logits, targets[..., None], -1)[..., 0]
        self.assertAlmostEqual(loss, np.mean(np.log(np.exp(logits).sum(-1)) - chosen), places=6)
        parameters = model.parameters()
        directions = {name: rng.standard_normal(values.shape).astype(np.float32)
                      for name, values in parameters.items()}
        slope = sum((gradients[name].astype(float) * directions[name]).sum() for name in parameters)
        step, losses = 1e-3, []
        for sign in (1, -2):
            for name, values in parameters.items():
                values += np.float32(sign * step) * directions[name]
            losses.append(model.gradients(inputs, targets)[0])
        # A loss near 2 has 2e-7 of rounding, over 2e-3: 1e-4; the curvature adds its part.
        self.assertAlmostEqual((losses[0] - losses[1]) / (2 * step) / slope, 1, places=2)


if __name__ == "__main__":
    main()
