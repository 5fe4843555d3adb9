"""What five texts on positional encoding claim, measured, and the data of their figures."""
from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from phasor import _engine
from phasor.table import Table

Folder = str | os.PathLike


def claims(document: str | None = None, lab: str | None = None, id: str | Sequence[str] | None = None,
           *, results: Folder = "out") -> Table:
    """Claims of a document ("D3"), of a lab ("lab02") or with these ids, or all, measured now.

    A row has id, document, statement, lab, figure, verdict (holds, holds only if, fails, not
    measured yet), measured (in words) and numbers, on which the verdict rests. `results`: where
    labs/run left its models, "../out" in a notebook; a claim that takes one that is not there is
    "not measured yet". An id begins with one of the documents that make the claim.
    """
    listed = _engine.claims()
    for name, given, known in (
            ("document", document, {d for row in listed for d in row["document"].split(", ")}),
            ("lab", lab, {row["lab"] for row in listed})):
        if given is not None and given not in known:
            raise _engine.ConfigError(f"no claim is of the {name} {given!r}; choose one of "
                                      f"{', '.join(sorted(known))}")
    ids = [id] if isinstance(id, str) else id
    chosen = ids or [row["id"] for row in listed
                     if document in (None, *row["document"].split(", "))
                     and lab in (None, row["lab"])]
    return Table((_engine.measure_claim(name, results) for name in chosen),
                 columns=("id", "statement", "verdict", "measured"))


@dataclass
class Figure:
    """A figure of the documents as data: its words, and its numbers panel by panel.

    Each panel is a dict with a title, the axes x and y, and a kind: lines, heatmap, dials, bars,
    table or graph, with the fields of that kind. `plot` draws lines, heatmaps and bars.
    """

    id: str  # of its files, "lab03-decay"
    documents_id: str  # "D4-F1"
    title: str
    caption: str
    alt: str  # what it shows, for those who do not see it
    columns: int
    panels: list[dict]
    csv: str  # every number drawn, as the labs write it

    def plot(self) -> object:
        """A matplotlib figure, with the palettes of the labs."""
        from phasor import plots
        return plots.draw(self)


def figures() -> Table:
    """The figures of the documents: id, lab, title."""
    return Table(_engine.figures())


def figure(id: str, *, results: Folder = "out") -> Figure:
    """A figure of the documents, computed now. Of a table in two parts the panels of both.

    Raises ConfigError on an unknown id, DataError with the lab to run when it takes a model that is
    not in `results`.
    """
    first, *others = (Figure(**made) for made in _engine.make_figure(id, results))
    for other in others:
        first.panels += other.panels
    return first
