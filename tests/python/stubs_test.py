"""The type stubs say what the compiled module has: the same names, the same arguments."""
import ast
import inspect
import re
import unittest

from common import SOURCE, main

import phasor
from phasor import _engine, analysis

PACKAGE = SOURCE / "src/phasor/python/phasor"


def stubbed(path):
    """Functions by name, `Model.logits` for a method: the names of their arguments."""
    found = {}

    def collect(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                collect(node.body, f"{prefix}{node.name}.")
            if isinstance(node, ast.FunctionDef):
                arguments = node.args
                names = [a.arg for a in arguments.args + arguments.kwonlyargs if a.arg != "self"]
                found[prefix + node.name] = names + (["kwargs"] if arguments.kwarg else [])

    collect(ast.parse(path.read_text()).body, "")
    return found


def documented(function):
    """The names of the arguments in the signature that pybind11 writes into the docstring."""
    signature = function.__doc__.split("\n")[0]
    inside = re.search(r"\((.*)\)( ->|$)", signature).group(1)
    inside = re.sub(r"\[[^\]]*\]", "", inside)  # List[int], numpy.ndarray[numpy.float64]
    names = [re.split(r"[:=]", part)[0].strip().lstrip("*") for part in inside.split(", ")]
    return [name for name in names if name and name != "self"]


class Stubs(unittest.TestCase):
    def test_engine(self):
        stub = stubbed(PACKAGE / "_engine.pyi")
        there = {name: thing for name, thing in vars(_engine).items()
                 if inspect.isbuiltin(thing)}
        for name in vars(_engine.Model):
            if name == "__init__" or not name.startswith(("__", "_pybind11_")):
                there[f"Model.{name}"] = getattr(_engine.Model, name)
        self.assertEqual(set(stub), set(there))
        for name, thing in there.items():
            if callable(thing) and thing.__doc__:
                self.assertEqual(stub[name], documented(thing), name)

    def test_analysis(self):
        stub = stubbed(PACKAGE / "analysis.pyi")
        self.assertEqual(set(stub), set(analysis.__all__))
        for name in stub:
            function = getattr(analysis, name)
            if inspect.isbuiltin(function):
                self.assertEqual(stub[name], documented(function), name)
        self.assertEqual(set(vars(_engine.analysis)) - set(stub), {
            name for name in vars(_engine.analysis) if name.startswith("__")})

    def test_everything_public_is_documented(self):
        for module in (phasor, analysis, phasor.plots):
            for name in module.__all__:
                thing = getattr(module, name)
                if inspect.isroutine(thing) or inspect.isclass(thing):
                    self.assertGreater(len(thing.__doc__ or ""), 20, name)

    def test_shapes_stand_in_the_docstrings(self):
        """Whatever takes or gives an array says its shape."""
        for name in analysis.__all__:
            text = getattr(analysis, name).__doc__
            if "ndarray" in text.split("\n")[0] and name not in ("readable_up_to", "steps_up",
                                                                 "sum_of_cosines"):
                self.assertRegex(text.split("\n", 1)[1], r"\[.+\]|width/2", name)


if __name__ == "__main__":
    main()
