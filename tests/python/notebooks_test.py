"""Notebooks: how they are stored, that they run, and that they print what the labs compute.

A few are executed; all, and every lab beside them, where PHASOR_NOTEBOOKS is `all`.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from common import BUILD, SOURCE, main
from notebook_numbers import NUMBERS

LABS = sorted(path.name for path in (SOURCE / "labs").glob("lab[0-9][0-9]_*"))
NOTEBOOKS = {path.stem: json.loads(path.read_text())
             for path in sorted((SOURCE / "notebooks").glob("*.ipynb"))}
EXECUTED = (list(NOTEBOOKS) if os.environ.get("PHASOR_NOTEBOOKS") == "all" else
            ["01_sinusoid", "02_rotation"])


def sources(notebook, kind):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


class Stored(unittest.TestCase):
    def test_one_for_each_lab(self):
        self.assertEqual(["lab" + name for name in NOTEBOOKS], LABS)

    def test_form(self):
        for name, notebook in NOTEBOOKS.items():
            with self.subTest(name):
                code = sources(notebook, "code")
                text = sources(notebook, "markdown")
                self.assertLessEqual(len(code), 15)
                self.assertTrue(text[0].startswith(f"# {name[:2]} "))
                self.assertIn(f"../labs/lab{name}/README.md", text[0])
                self.assertIn('sys.path.insert(0, "../build/python")', code[0])
                self.assertIn("## The question", text[-1])
                self.assertIn("**Change it:**", "\n".join(text))
                self.assertRegex("\n".join(text), r"\$.+\$")  # mathematics
                changed = [cell for cell in notebook["cells"]
                           if "change-me" in cell["metadata"].get("tags", ())]
                self.assertEqual(len(changed), 1)
                self.assertLessEqual(max(map(len, "\n".join(code).splitlines())), 100)

    def test_without_outputs(self):
        for name, notebook in NOTEBOOKS.items():
            with self.subTest(name):
                for cell in notebook["cells"]:
                    if cell["cell_type"] == "code":
                        self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_each_prints_numbers_of_its_lab(self):
        for name in NOTEBOOKS:
            self.assertGreaterEqual(sum(entry[0] == name for entry in NUMBERS), 2, name)


def printed(notebook):
    """What its cells wrote, and what is shown of their last values, as text."""
    text = ""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if "text" in output:
                text += "".join(output["text"])  # a stream, which may be cut anywhere
            else:
                text += "".join(output.get("data", {}).get("text/plain", "")) + "\n"
    return text


class Executed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import nbclient, nbconvert  # noqa: F401
        except ImportError as problem:
            raise unittest.SkipTest(f"no notebook is executed: {problem}")
        cls.scratch = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.scratch.name)
        cls.ended = subprocess.run(
            [sys.executable, SOURCE / "notebooks/execute.py", "--out", cls.out, *EXECUTED],
            capture_output=True, text=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_from_top_to_bottom(self):
        self.assertEqual(self.ended.returncode, 0, self.ended.stdout + self.ended.stderr)
        self.assertIn(f"{len(EXECUTED)} executed, 0 failed", self.ended.stdout)

    def test_no_warning_and_no_empty_picture(self):
        for name in EXECUTED:
            notebook = json.loads((self.out / f"{name}.ipynb").read_text())
            outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
            for output in outputs:
                self.assertNotEqual(output.get("name"), "stderr", f"{name}: {output.get('text')}")
            pictures = [output["data"]["image/png"] for output in outputs
                        if "image/png" in output.get("data", {})]
            self.assertGreaterEqual(len(pictures), 2, name)
            self.assertIn("<img", (self.out / f"{name}.html").read_text())

    def test_links_lead_somewhere(self):
        for name in EXECUTED:
            page = (self.out / f"{name}.html").read_text()
            links = re.findall(r'<a href="([^"#:]+)"', page)
            self.assertGreaterEqual(len(links), 1)
            for link in links:
                if not re.fullmatch(r"\d\d_\w+\.html", link):  # of a notebook that is not executed
                    self.assertTrue((self.out / link).resolve().is_file(), f"{name}: {link}")

    def test_numbers_are_the_labs(self):
        """To the last digit printed: within half a unit of it."""
        for name in EXECUTED:
            folder = self.out / f"lab{name[:2]}"
            subprocess.run([BUILD / f"lab{name}", "--out", folder], check=True, capture_output=True)
        for name, pattern, path, row in NUMBERS:
            if name not in EXECUTED:
                continue
            with self.subTest(name=name, pattern=pattern):
                text = printed(json.loads((self.out / f"{name}.ipynb").read_text()))
                found = re.search(pattern, text, re.MULTILINE)
                self.assertIsNotNone(found, text)
                with open(self.out / path, newline="") as table:
                    rows = [line for line in csv.DictReader(table)
                            if all(line[key] == value for key, value in row.items())]
                self.assertEqual(len(rows), 1, f"{path}: {row}")
                number = found.group(1)
                digits = re.fullmatch(r"[+-]?\d+(?:\.(\d*))?(?:e([+-]\d+))?", number)
                unit = 10.0 ** (int(digits[2] or 0) - len(digits[1] or ""))
                # Half a unit, and the rounding of the difference itself.
                self.assertAlmostEqual(float(number), float(rows[0]["value"]),
                                       delta=0.5 * unit * (1 + 1e-9))


if __name__ == "__main__":
    main()
