"""Wrong calls: what is raised, and that one line says what was wanted, what came, and the way out."""
import unittest

import numpy as np

from common import main

import phasor
from phasor import analysis

MODEL = phasor.Model(phasor.Config(vocabulary=11, width=16, heads=2, layers=1, context=8,
                                   scheme="learned"))
TOKENS = np.zeros((1, 4), np.int64)
ROWS = np.ones((3, 4))

#: call, type, words of the message
WRONG = [
    (lambda: phasor.encode("sinus"), phasor.ConfigError, "unknown scheme 'sinus'; choose one of none"),
    (lambda: phasor.encode("rope"), phasor.ConfigError, "enters as: rotation.*choose one of sinusoidal"),
    (lambda: phasor.encode(width=7), phasor.ConfigError, "width must be even.*got 7; choose width 8"),
    (lambda: phasor.encode(bas=500), phasor.ConfigError, "no option 'bas'; its options: base"),
    (lambda: phasor.encode(base=True), TypeError, "base must be a number or a text, got True"),
    (lambda: phasor.encode(width=1.5), TypeError, "a whole number is wanted, got 1.5"),
    (lambda: phasor.encode(width=-2), ValueError, "whole number from 0 .*got -2"),
    (lambda: phasor.encode(64, 32), TypeError, "a text is wanted, got 64"),
    (lambda: phasor.encode(positions=0), phasor.ConfigError, "positions must be at least 1, got 0"),
    (lambda: phasor.encode(positions="abc"), TypeError, "array of float64 is wanted, got 'abc'"),
    (lambda: phasor.encode(positions=[[1]]), ValueError, r"one axis, got float64 \[1, 1\]"),
    (lambda: phasor.angles(scaling="pi"), phasor.ConfigError, "got 'pi'; for example scaling yarn:4"),
    (lambda: phasor.bias("rope"), phasor.ConfigError, "no bias of its own.*choose one of t5_bias"),
    (lambda: phasor.rotate(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32)),
     phasor.ConfigError, "head_dim must be even, got 3; choose width divisible by 2 . heads"),
    (lambda: phasor.rotate(np.ones((2, 4)), np.ones((2, 4))), TypeError,
     r"float32 is wanted, got float64 \[2, 4\]; convert it with .astype\(.float32.\)"),
    (lambda: phasor.add_scheme("rope"), phasor.ConfigError, "'rope' already; choose another name"),
    (lambda: phasor.add_scheme("mine", parameters=np.zeros), TypeError, "parameters need bias"),
    (lambda: analysis.norms(ROWS.astype(np.float32)), TypeError, r"got float32 \[3, 4\]; convert"),
    (lambda: analysis.norms(np.ones(3)), phasor.ShapeError, "must have 2 axes.*got 1"),
    (lambda: analysis.norms([[1, 2], [3]]), TypeError, "every row as many as the others"),
    (lambda: analysis.cosine_similarity(np.zeros((2, 2))), phasor.DataError, "row 0 is zero"),
    (lambda: analysis.permuted(ROWS, [0, 0, 1]), phasor.ShapeError, "name each of the rows"),
    (lambda: analysis.shares({}, causal=True), KeyError, "lack content-content"),
    (lambda: MODEL.logits(TOKENS.astype(np.int32)), TypeError, r"int64 is wanted, got int32 \[1, 4\]"),
    (lambda: MODEL.logits(TOKENS[0]), phasor.ShapeError, r"got \[4\]; one sequence is \[1, T\]"),
    (lambda: MODEL.logits(TOKENS + 11), phasor.DataError, "no token 11: the vocabulary has 0 to 10"),
    (lambda: MODEL.logits(None), TypeError, "int64 is wanted, got None"),
    (lambda: MODEL.logits("text"), phasor.DataError, "made without characters"),
    (lambda: MODEL.logits(TOKENS, [0]), phasor.ShapeError, "4 tokens need as many positions, got 1"),
    (lambda: MODEL.logits(np.zeros((1, 9), np.int64)), phasor.PositionError,
     "position 8 has no row.*train with a longer context"),
    (lambda: MODEL.attention(np.zeros((2, 3), np.int64)), phasor.ShapeError, "one sequence.*got 2"),
    (lambda: MODEL.gradients(TOKENS, TOKENS[:, 1:]), phasor.ShapeError, r"targets must be \[1, 4\]"),
    (lambda: MODEL.generate(TOKENS[:, :0]), phasor.DataError, "prompt is empty"),
    (lambda: MODEL.generate(TOKENS, temperature=-1), phasor.ConfigError, "temperature must be 0"),
    (lambda: MODEL.drop_positions(), phasor.ConfigError, "learned"),
    (lambda: MODEL.validation(), phasor.DataError, "not trained on a text.*give a text"),
    (lambda: MODEL.save("nowhere"), phasor.DataError, "made without characters"),
    (lambda: phasor.load("nowhere"), phasor.CheckpointError, "nowhere holds no run.*out folder"),
    (lambda: phasor.Config(width="64"), TypeError, "width must be int, got '64'"),
    (lambda: phasor.Config(heads=-1), phasor.ConfigError, "heads must be 0 or more, got -1"),
    (lambda: phasor.Model(phasor.Config(norm="batch")), phasor.ConfigError, "batch"),
    (lambda: phasor.train(stps=4), TypeError, "train.. knows no 'stps'; an option of"),
    (lambda: phasor.train(scheme="rop"), phasor.ConfigError, "unknown scheme 'rop'"),
    (lambda: phasor.train(width=30), phasor.ConfigError, "width 30 is not divisible by heads 4"),
    (lambda: phasor.train(text="/no/file.txt"), phasor.DataError, "no such text: '/no/file.txt'"),
    (lambda: phasor.train(min_lr=1.0), phasor.ConfigError, "min_lr must be from 0 to lr"),
    (lambda: phasor.train(out="x", resume=True, overwrite=True), phasor.ConfigError,
     "resume=True.*overwrite=True.*choose one"),
    (lambda: phasor.claims("D9"), phasor.ConfigError, "document 'D9'; choose one of D0, D1"),
    (lambda: phasor.claims(id="D3-tenth"), phasor.ConfigError, "D3-tenths is nearest"),
    (lambda: phasor.figure("D4-F"), phasor.ConfigError, "D4-F. is nearest"),
    (lambda: phasor.figure("D3-M", results="nowhere"), phasor.DataError, "nowhere.*labs/run 06"),
    (lambda: phasor.plots.lines(dict.fromkeys("abcdefgh", [1, 2])), ValueError, "at most 7 .*got 8"),
    (lambda: phasor.address_of(ROWS), TypeError, "none that phasor handed over"),
]


class WrongCalls(unittest.TestCase):
    def test_each_says_what_is_wrong(self):
        for number, (call, kind, words) in enumerate(WRONG):
            with self.subTest(number=number, words=words):
                with self.assertRaisesRegex(kind, words) as caught:
                    call()
                message = str(caught.exception)
                self.assertNotIn("\n", message)
                self.assertNotRegex(message, r"--[a-z]")  # options of the command

    def test_errors_are_of_the_kinds_that_python_knows(self):
        for kind in (phasor.ShapeError, phasor.ConfigError, phasor.PositionError, phasor.DataError,
                     phasor.CheckpointError):
            self.assertTrue(issubclass(kind, ValueError) and issubclass(kind, phasor.Error))
        for kind in (phasor.TrainingError, phasor.GraphError):
            self.assertTrue(issubclass(kind, RuntimeError) and issubclass(kind, phasor.Error))

    def test_training_that_explodes(self):
        with self.assertRaisesRegex(phasor.TrainingError, "lower lr"):
            phasor.train(steps=40, lr=1e30, min_lr=0.0, warmup=0, clip=0.0, width=16, heads=2,
                         layers=1, context=16, batch=4, progress=False)


if __name__ == "__main__":
    main()
