"""Rows that print as a table, in a terminal as in a notebook."""
from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


class Table(list):
    """A list of dicts. Only `columns` are shown; `table[0]` has all that there is in a row."""

    def __init__(self, rows: Iterable[dict], columns: Sequence[str] = ()) -> None:
        super().__init__(rows)
        self.columns = tuple(columns) or tuple(self[0] if self else ())

    def __getitem__(self, index: int | slice) -> dict | Table:
        """A row, or a table of some."""
        rows = super().__getitem__(index)
        return Table(rows, self.columns) if isinstance(index, slice) else rows

    def where(self, **equal: object) -> Table:
        """The rows with these values: claims.where(verdict="fails")."""
        return Table((row for row in self if all(row[name] == equal[name] for name in equal)),
                     self.columns)

    def column(self, name: str) -> list:
        """One value of every row."""
        return [row[name] for row in self]

    def __str__(self) -> str:
        lines = [self.columns] + [[_written(row[name]) for name in self.columns] for row in self]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
                         for line in lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{html.escape(name)}</th>"
                       for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(_written(row[name]))}</td>"
                             for name in self.columns) + "</tr>" for row in self)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "-" if value is None else str(value)
