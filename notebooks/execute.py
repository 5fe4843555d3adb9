#!/usr/bin/env python3
"""Executes notebooks from top to bottom and writes them, with their outputs, as .ipynb and .html.

    notebooks/execute.py --out out/notebooks               all of them
    notebooks/execute.py --out out/notebooks 01_sinusoid   one

The originals stay without outputs. Exit code: 0 all ran, 1 one failed, 2 wrong use.
"""
import argparse
import os
import pathlib
import re
import sys
import time

try:
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from nbconvert import HTMLExporter
except ImportError as problem:
    sys.exit(f"{problem}: notebooks need packages; labs/run --notebooks installs them")

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 600  # seconds a cell may take: ten times what the slowest one does
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def chosen(names):
    """The notebooks named, or all. Exits with 2 on a name that is none."""
    there = {path.stem: path for path in sorted(HERE.glob("[0-9][0-9]_*.ipynb"))}
    for name in names:
        if name not in there:
            print(f"there is no notebook '{name}'; there are: {', '.join(there)}", file=sys.stderr)
            sys.exit(2)
    return [there[name] for name in names or there]


def executed(path):
    """The notebook with its outputs, and what went wrong, empty if nothing did."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=LONGEST, kernel_name="python3",
                            resources={"metadata": {"path": str(HERE)}})
    try:
        client.execute()
    except CellExecutionError as error:
        return notebook, COLOURS.sub("", str(error)).strip().splitlines()[-1]
    except (CellTimeoutError, DeadKernelError) as error:
        return notebook, str(error).splitlines()[0]
    return notebook, ""


def relinked(notebook, out, pages=False):
    """A copy whose links to the labs' guides lead there from `out`; with `pages`, those to other
    notebooks lead to their pages."""
    copy = nbformat.from_dict(notebook)
    guides = os.path.relpath(HERE.parent / "labs", out)
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace("](../labs/", f"]({guides}/")
            if pages:
                cell.source = re.sub(r"\]\((\d\d_\w+)\.ipynb\)", r"](\1.html)", cell.source)
    return copy


def write(notebook, stem, out):
    """As stem.ipynb and stem.html, each whole or not at all."""
    exporter = HTMLExporter(theme="light")
    exporter.exclude_anchor_links = True
    page = exporter.from_notebook_node(relinked(notebook, out, pages=True),
                                       {"metadata": {"name": stem}})[0]
    notebook = relinked(notebook, out)
    for name, text in ((f"{stem}.ipynb", nbformat.writes(notebook)), (f"{stem}.html", page)):
        draft = out / f"{name}.part"
        draft.write_text(text, encoding="utf-8")
        draft.replace(out / name)


def pictures(notebook):
    """How many there are among the outputs."""
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells
               for output in cell.get("outputs", []))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="01_sinusoid, for example; all by default")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the results")
    arguments = parser.parse_args()
    notebooks = chosen(arguments.names)
    arguments.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # else a warning in every kernel
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    failed, total = 0, 0.0
    print(f"{'notebook':<18} {'seconds':>8}  {'pictures':>8}", flush=True)
    for number, path in enumerate(notebooks, 1):
        print(f"executing {path.stem} ({number} of {len(notebooks)})", flush=True)
        begin = time.monotonic()
        notebook, problem = executed(path)
        write(notebook, path.stem, arguments.out)
        seconds = time.monotonic() - begin
        total += seconds
        failed += bool(problem)
        print(f"{path.stem:<18} {seconds:8.1f}  {pictures(notebook):8}  {problem or 'executed'}",
              flush=True)
    print(f"{len(notebooks)} notebooks{total:15.1f}            {len(notebooks) - failed} executed, "
          f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
