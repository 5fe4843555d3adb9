"""Files of Phasor in other programs' hands, and theirs in Phasor's.

    /usr/bin/python3 tests/python/interop_test.py

- the logits of notebooks/interop/gpt_torch.py equal Phasor's, for each scheme that it knows; with a
  wrong setting they do not, and settings that it does not know are refused
- tests/golden/safetensors.py, written from the format's description, reads what Phasor writes, and
  Phasor reads what it writes
- .npy files written by NumPy are read by Phasor, and the other way round

Exits with 77 when PyTorch or NumPy is missing. Written for Python 3.11, PyTorch 1.13 and
NumPy 1.24, or newer.
"""
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("left out: no python3-numpy")
    sys.exit(77)
try:
    import torch
except ImportError:
    print("left out: no python3-torch")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "notebooks" / "interop"), str(ROOT / "tests" / "golden")]

import compare
import run_files
import safetensors
from common import BUILD
from interop_cases import BEYOND, MISTAKES, VARIANTS

PHASOR = BUILD / "phasor"
SCRATCH = None  # set by main
RUNS = {}  # case of compare.CASES -> folder of its run
DIFFERENCES = {}


def phasor(*arguments):
    return subprocess.run([PHASOR, *map(str, arguments)], capture_output=True, text=True)


def copy_of(run, changes=()):
    """The run in another folder, its model's settings changed."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
    shutil.copytree(run, folder, dirs_exist_ok=True)
    config = json.loads((folder / "config.json").read_text())
    config["model"].update(changes)
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def logits_bytes(run):
    """What `phasor logits` writes for the tokens in the run's folder."""
    compare.phasor_logits(PHASOR, run, np.load(run / "tokens.npy"))
    return (run / "logits.npy").read_bytes()


class Torch(unittest.TestCase):
    def test_logits_are_equal(self):
        for name, largest in DIFFERENCES.items():
            with self.subTest(name):
                self.assertLessEqual(largest, compare.LIMIT)

    def test_logits_of_variants_are_equal(self):
        for name, (options, sizes, length) in VARIANTS.items():
            with self.subTest(name):
                run = SCRATCH / name
                compare.train(PHASOR, run, options, sizes)
                tokens = compare.random_tokens(run, 2, length)
                largest = compare.largest_difference(
                    compare.phasor_logits(PHASOR, run, tokens), compare.torch_logits(run, tokens))
                self.assertLessEqual(largest, compare.LIMIT)

    def test_a_mistake_shows(self):
        for name, changes in MISTAKES.items():
            with self.subTest(name):
                tokens = np.load(RUNS[name] / "tokens.npy")
                wrong = compare.torch_logits(copy_of(RUNS[name], changes), tokens)
                right = np.load(RUNS[name] / "logits.npy")
                self.assertGreater(compare.largest_difference(right, wrong), 10 * compare.LIMIT)

    def test_what_is_not_known_is_refused(self):
        for changes, word in BEYOND:
            with self.subTest(changes), self.assertRaisesRegex(ValueError, f"supported: .*{word}"):
                run_files.read_settings(copy_of(RUNS["none"], changes))

    def test_dropped_positions_are_refused(self):
        run = copy_of(RUNS["rope, half"])
        config = json.loads((run / "config.json").read_text())
        config["train"]["drop_positions_at"] = 10
        (run / "config.json").write_text(json.dumps(config))
        with self.assertRaisesRegex(ValueError, "drop_positions_at"):
            run_files.read_settings(run)


class Safetensors(unittest.TestCase):
    def test_an_independent_reader_takes_both_files(self):
        for name, run in RUNS.items():
            with self.subTest(name):
                weights, metadata = safetensors.check(run / "model.safetensors")
                self.assertEqual(metadata.keys(), {"format", "config", "digest"})
                self.assertEqual(metadata["format"], "pt")
                self.assertIn("head.weight", weights)
                saved, metadata = safetensors.check(run / "checkpoint.safetensors")
                self.assertEqual(metadata["steps"], "20")
                self.assertEqual(len(saved), 3 * len(weights))
                for path, weight in weights.items():
                    self.assertEqual(weight.dtype, np.float32)
                    np.testing.assert_array_equal(saved[path], weight)
                    for moment in ("first", "second"):
                        self.assertEqual(saved[f"adamw.{moment}.{path}"].shape, weight.shape)

    def test_weights_written_by_another_writer_are_read(self):
        for name, run in RUNS.items():
            with self.subTest(name):
                other = copy_of(run)
                self.rewrite(other / "model.safetensors")
                self.assertEqual(logits_bytes(other), (run / "logits.npy").read_bytes())

    def test_it_is_the_rewritten_file_that_is_read(self):
        other = copy_of(RUNS["none"])
        weights, metadata = safetensors.read(other / "model.safetensors")
        weights["norm.weight"] = 2 * weights["norm.weight"]
        safetensors.write(other / "model.safetensors", weights, metadata)
        refused = phasor("logits", "--run", other, "--tokens", other / "tokens.npy", "--out",
                         other / "logits.npy")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("is damaged: its contents are not those", refused.stderr)
        safetensors.write(other / "model.safetensors", weights, {"format": "pt"})
        self.assertNotEqual(logits_bytes(other), (RUNS["none"] / "logits.npy").read_bytes())

    def test_a_checkpoint_written_by_another_writer_is_resumed(self):
        for name, run in RUNS.items():
            with self.subTest(name):
                other = copy_of(run)
                self.rewrite(other / "checkpoint.safetensors")
                self.assertEqual(self.resume(name, other).returncode, 0)
        tensors, metadata = safetensors.read(other / "checkpoint.safetensors")
        del tensors["adamw.second.norm.bias"]
        safetensors.write(other / "checkpoint.safetensors", tensors, metadata)
        self.assertEqual(self.resume(name, other).returncode, 2)

    def rewrite(self, path):
        """Order is free in the format: sorted by name, as Hugging Face's writer leaves it, no
        tensor stays where it was."""
        before = path.read_bytes()
        tensors, metadata = safetensors.read(path)
        safetensors.write(path, dict(sorted(tensors.items())), metadata)
        self.assertNotEqual(path.read_bytes(), before)

    def resume(self, name, run):
        return phasor("train", *compare.SIZES, *compare.TRAINING, *compare.CASES[name],
                      "--resume", "--out", run)


class NumpyFiles(unittest.TestCase):
    def setUp(self):
        self.run = RUNS["alibi"]
        self.tokens = np.load(self.run / "tokens.npy")
        self.file = SCRATCH / "tokens.npy"

    def logits(self):
        return phasor("logits", "--run", self.run, "--tokens", self.file, "--out",
                      SCRATCH / "logits.npy")

    def assert_read(self):
        done = self.logits()
        self.assertEqual(done.returncode, 0, done.stderr)
        written = (SCRATCH / "logits.npy").read_bytes()
        self.assertEqual(written, (self.run / "logits.npy").read_bytes())

    def assert_refused(self, *words):
        done = self.logits()
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Aphasor: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_every_integer_type_is_read(self):
        for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            with self.subTest(kind):
                np.save(self.file, self.tokens.astype(kind))
                self.assert_read()

    def test_fortran_order_is_read(self):
        np.save(self.file, np.asfortranarray(self.tokens))
        self.assertIn(b"'fortran_order': True", self.file.read_bytes())
        self.assert_read()

    def test_every_version_is_read(self):
        for version in ((1, 0), (2, 0), (3, 0)):
            with self.subTest(version), open(self.file, "wb") as file:
                np.lib.format.write_array(file, self.tokens, version=version)
                file.flush()
                self.assertEqual(self.file.read_bytes()[6:8], bytes(version))
                self.assert_read()

    def test_other_types_are_refused(self):
        for kind, words in (("float32", ["float32", "integers"]), ("float64", ["float64"]),
                            ("bool", ["bool"]), (">i8", ["big-endian"]),
                            ("complex64", ["integers"])):
            with self.subTest(kind):
                np.save(self.file, self.tokens.astype(kind))
                self.assert_refused(*words)

    def test_other_shapes_and_tokens_are_refused(self):
        for wrong, word in ((self.tokens[0], "[B, T]"), (self.tokens[None], "[B, T]"),
                            (self.tokens - 100, "holds token"), (self.tokens + 100, "holds token")):
            with self.subTest(word):
                np.save(self.file, wrong)
                self.assert_refused(word)

    def test_an_archive_and_a_cut_file_are_refused(self):
        np.savez(SCRATCH / "tokens.npz", self.tokens)
        shutil.move(SCRATCH / "tokens.npz", self.file)
        self.assert_refused("not an .npy file")
        np.save(self.file, self.tokens)
        self.file.write_bytes(self.file.read_bytes()[:-1])
        self.assert_refused("bytes of values")

    def written(self, *arguments):
        """The array in the file that a command writes, which is float32 in C order."""
        file = SCRATCH / "written.npy"
        done = phasor(*arguments, "--out", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        array = np.load(file)
        self.assertEqual(array.dtype, np.dtype("<f4"))
        self.assertTrue(array.flags.c_contiguous)
        self.assertIn(b"'fortran_order': False", file.read_bytes())
        file.unlink()
        return array

    def test_the_sinusoidal_encoding_is_read(self):
        table = self.written("encode", "--scheme", "sinusoidal", "--positions", 50, "--width", 12)
        angles = np.arange(50)[:, None] / 10000 ** (np.arange(0, 12, 2) / 12)
        wanted = np.empty((50, 12))
        wanted[:, 0::2], wanted[:, 1::2] = np.sin(angles), np.cos(angles)
        self.assertEqual(table.shape, wanted.shape)
        np.testing.assert_allclose(table, wanted, rtol=0, atol=1e-6)

    def test_the_bias_of_alibi_is_read(self):
        bias = self.written("bias", "--scheme", "alibi", "--heads", 8, "--positions", 20)
        self.assertEqual(bias.shape, (8, 20, 20))
        visible = np.tril(np.ones((20, 20), dtype=bool))
        np.testing.assert_allclose(bias[:, visible], self.alibi(8, 20)[:, visible], rtol=1e-6)

    def test_the_kernel_of_alibi_is_read(self):
        """q and k are ones of D = 16 columns: q . k / sqrt(D) = 4."""
        kernel = self.written("kernel", "--scheme", "alibi", "--heads", 8, "--width", 128,
                              "--positions", 20)
        hidden = np.broadcast_to(np.triu(np.ones((20, 20), dtype=bool), 1), (8, 20, 20))
        np.testing.assert_array_equal(np.isnan(kernel), hidden)
        np.testing.assert_allclose(kernel[~hidden], (4 + self.alibi(8, 20))[~hidden], rtol=1e-6)

    def test_attention_is_read(self):
        weights = self.written("attention", "--run", self.run, "--prompt", "the cat ")
        self.assertEqual(weights.shape, (2, 4, 8, 8))
        np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-6)
        np.testing.assert_array_equal(np.triu(weights, 1), 0)
        self.assertTrue((weights[..., np.tril(np.ones((8, 8), dtype=bool))] > 0).all())

    def alibi(self, heads, positions):
        """-m_h (t - s), m_h = 2^(-8h/H)"""
        slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
        places = np.arange(positions)
        return -slopes[:, None, None] * (places[:, None] - places)


def main():
    global SCRATCH
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        SCRATCH = pathlib.Path(folder)
        for name, options in compare.CASES.items():
            RUNS[name] = SCRATCH / "runs" / name
            DIFFERENCES[name] = compare.difference(PHASOR, RUNS[name], options)
        return 0 if unittest.main(exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
