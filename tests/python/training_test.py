"""Training from Python: the callback, interrupts, resumption, and the bar."""
import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

import numpy as np

from common import BUILD, TINY, main

import phasor
from phasor.progress import Progress


class Callback(unittest.TestCase):
    def test_sees_every_step(self):
        seen = []
        result = phasor.train(None, lambda step, loss: seen.append((step, loss)), steps=12, **TINY)
        self.assertEqual([step for step, _ in seen], list(range(1, 13)))
        np.testing.assert_array_equal([loss for _, loss in seen], result.losses)
        self.assertEqual(result.records.column("step"), [0, 10, 12])
        self.assertEqual(result.validation_loss, result.records[-1]["validation_loss"])

    def test_stops_with_false_alone(self):
        for answer, steps in ((None, 12), (0, 12), (True, 12), (False, 3)):
            result = phasor.train(None, lambda step, loss: answer if step == 3 else None, steps=12,
                                  **TINY)
            self.assertEqual(result.steps, steps)
            self.assertFalse(result.interrupted)

    def test_what_it_raises_ends_training_and_keeps_the_run(self):
        def stumble(step, loss):
            if step == 5:
                raise LookupError("five")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(LookupError, "five"):
                phasor.train(None, stumble, steps=12, out=folder + "/run", **TINY)
            self.assertEqual(phasor.train(steps=12, out=folder + "/run", resume=True, **TINY).losses.size, 7)


class Interrupt(unittest.TestCase):
    def test_stops_after_the_step_and_can_be_resumed(self):
        """Resumed, a run ends in the same bytes as one that was never stopped."""
        def interrupt(step, loss):
            if step == 5:
                os.kill(os.getpid(), signal.SIGINT)
        with tempfile.TemporaryDirectory() as scratch:
            stopped, whole = pathlib.Path(scratch, "stopped"), pathlib.Path(scratch, "whole")
            with contextlib.redirect_stderr(io.StringIO()) as said:
                result = phasor.train(None, interrupt, steps=12, out=stopped, **TINY)
            self.assertTrue(result.interrupted)
            self.assertIn(result.steps, (5, 6))
            self.assertEqual(said.getvalue(), f"stopped after step {result.steps} of 12\n")
            phasor.train(steps=12, out=stopped, resume=True, **TINY)
            phasor.train(steps=12, out=whole, **TINY)
            self.assertEqual(*((folder / "model.safetensors").read_bytes()
                               for folder in (stopped, whole)))

    def test_generation_ends_with_the_usual_exception(self):
        """In a program of its own: the signal comes while tokens are drawn."""
        program = ("import os, signal, threading, phasor\n"
                   "model = phasor.Model(phasor.Config(vocabulary=9, width=64))\n"
                   "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                   "try: model.generate(model.logits([[1]]).argmax(-1), 10**8)\n"
                   "except KeyboardInterrupt: print('interrupted')\n")
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                               env={**os.environ, "PYTHONPATH": str(BUILD / "python")}, timeout=60)
        self.assertEqual((ended.stdout, ended.returncode), ("interrupted\n", 0), ended.stderr)


class Lock(unittest.TestCase):
    def test_other_threads_run_while_it_trains(self):
        """A thread counts while train() is in the library and calls nothing back."""
        counted, over = [], threading.Event()

        def count():
            while not over.wait(0.001):
                counted.append(1)
        thread = threading.Thread(target=count)
        thread.start()
        phasor.Model(phasor.Config(vocabulary=9)).evaluate(np.zeros((1, 20000), np.int64))
        over.set()
        thread.join()
        self.assertGreater(len(counted), 10)


class Fields(unittest.TestCase):
    def test_by_name_or_as_configurations(self):
        named = phasor.train(steps=3, scheme="alibi", **TINY)
        tiny = {name: value for name, value in TINY.items() if name != "progress"}
        model = phasor.Config(scheme="alibi", **{name: tiny.pop(name) for name in
                                                ("width", "heads", "layers", "context")})
        built = phasor.train(phasor.TrainConfig(model=model, steps=3, **tiny), progress=False)
        np.testing.assert_array_equal(named.losses, built.losses)

    def test_the_callers_configuration_is_left_alone(self):
        config = phasor.TrainConfig()
        phasor.train(config, steps=1, scheme="rope", **TINY)
        self.assertEqual(config, phasor.TrainConfig())

    def test_defaults_are_the_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "short.txt")
            path.write_text("the dog bites the man.\n" * 400)
            config = phasor.TrainConfig(text=str(path), steps=0)
            phasor.train(config, out=folder + "/here", progress=False)
            subprocess.run([BUILD / "phasor", "train", "--text", path, "--steps", "0", "--out",
                            folder + "/there"], check=True, capture_output=True)
            self.assertEqual(*(pathlib.Path(folder, name, "config.json").read_text()
                               for name in ("here", "there")))


class Bar(unittest.TestCase):
    def drawn(self, waits, live):
        """What a bar for four steps writes when each takes so long."""
        now = [0.0]
        stream = io.StringIO()
        stream.isatty = lambda: live
        with contextlib.redirect_stderr(stream):
            with unittest.mock.patch("phasor.progress.time.monotonic", lambda: now[0]):
                bar = Progress("training", 4)
                for step in range(1, 5):
                    now[0] += waits
                    bar.update(step, "loss 1.0")
                bar.finish()
        return stream.getvalue()

    def test_one_line_on_a_terminal(self):
        text = self.drawn(1.0, True)
        self.assertEqual(text.count("\n"), 1)
        self.assertIn("training [##########..........] 2/4  loss 1.0  2 s left", text)
        self.assertTrue(text.rstrip().endswith("4/4  loss 1.0  finished in 4 s\x1b[K"))

    def test_an_error_begins_on_a_line_of_its_own(self):
        def stumble(step, loss):
            raise LookupError
        stream = io.StringIO()
        stream.isatty = lambda: True
        tiny = {name: value for name, value in TINY.items() if name != "progress"}
        clock = iter(range(1000))
        with contextlib.redirect_stderr(stream), self.assertRaises(LookupError):
            with unittest.mock.patch("phasor.progress.time.monotonic", lambda: next(clock)):
                phasor.train(None, stumble, steps=4, **tiny)
        self.assertRegex(stream.getvalue(), r"1/4 .* stopped in \d+ s\x1b\[K\n$")

    def test_nothing_for_work_that_is_over_soon(self):
        self.assertEqual(self.drawn(0.1, True), "")
        self.assertEqual(self.drawn(1.0, False), "")

    def test_a_line_now_and_then_in_a_file(self):
        text = self.drawn(6.0, False)
        self.assertEqual([line.split("  ")[0] for line in text.splitlines()],
                         ["training [##########..........] 2/4"] + ["training [####################] 4/4"] * 2)


if __name__ == "__main__":
    main()
