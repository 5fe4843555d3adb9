"""Matplotlib pictures with the palettes of the labs' figures, readable with any colour vision.

Every function draws on the axes that it is given, or on new ones, and returns them.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from phasor import _engine

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from phasor.course import Figure

__all__ = ["COLOURS", "bars", "draw", "heads", "heatmap", "lines"]

COLOURS: list[str] = _engine.line_colours()
"""Okabe and Ito's, without the yellow: in this order for the first, second ... curve."""


def _axes(ax: Axes | None, width: float = 6.4, height: float = 3.6) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _titles(ax: Axes, title: str, x: str, y: str) -> None:
    ax.set_title(title, loc="left", fontsize="medium", fontweight="bold")
    ax.set_xlabel(x)
    ax.set_ylabel(y)


def heatmap(values: ArrayLike, *, title: str = "", x: str = "", y: str = "", value: str = "",
            palette: str = "diverging", low: float | None = None, high: float | None = None,
            row_labels: Sequence[str] = (), column_labels: Sequence[str] = (),
            decimals: int = -1, bar: bool = True, extent: Sequence[float] | None = None,
            ax: Axes | None = None) -> Axes:
    """A matrix as colours, row 0 at the top; what is NaN is grey.

    palette: diverging (blue below zero, red above, symmetric about 0) or viridis (dark to light,
    for values with one direction). value: what the colours mean, with its unit. row_labels and
    column_labels: one for each row and column, tokens for example. decimals: 0 or more writes every
    value into its cell. bar: whether there is a bar of the colours, which panels with one scale can
    share.
    """
    from matplotlib.colors import LinearSegmentedColormap
    values = np.asarray(values, dtype=float)
    ax = _axes(ax, 5.6, 4.2)
    # An odd number, so that 0 is the colour in the middle.
    colours = LinearSegmentedColormap.from_list(palette, _engine.palette(palette), N=257)
    colours.set_bad("#bbbbbb")
    seen = values[np.isfinite(values)]
    largest = np.abs(seen).max(initial=0.0)
    if low is None:
        low = -largest if palette == "diverging" else seen.min(initial=np.inf)
    if high is None:
        high = largest if palette == "diverging" else seen.max(initial=-np.inf)
    image = ax.imshow(values, cmap=colours, vmin=low, vmax=high, aspect="auto",
                      interpolation="nearest", extent=extent)
    if bar:
        ax.figure.colorbar(image, ax=ax, label=value)
    if decimals >= 0:
        _write_cells(ax, image, decimals)
    if len(column_labels):
        ax.set_xticks(range(len(column_labels)), column_labels, fontsize=_size(column_labels))
    if len(row_labels):
        ax.set_yticks(range(len(row_labels)), row_labels, fontsize=_size(row_labels))
    _titles(ax, title, x, y)
    return ax


def _size(labels: Sequence[str]) -> str:
    """Of letters beside an axis: many labels would touch in the usual size."""
    return "medium" if len(labels) <= 12 else "x-small"


def _write_cells(ax: Axes, image: object, decimals: int) -> None:
    """Every value in its cell, in the ink, black or white, that is easier to read there."""
    values = image.get_array()
    left, right, bottom, top = image.get_extent()
    rows, columns = values.shape
    for row in range(rows):
        for column in range(columns):
            red, green, blue, _ = image.cmap(image.norm(values[row, column]))
            ink = "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
            ax.text(left + (column + 0.5) * (right - left) / columns,
                    top + (row + 0.5) * (bottom - top) / rows, f"{values[row, column]:.{decimals}f}",
                    color=ink, ha="center", va="center", fontsize="x-small")


def lines(curves: Mapping[str, ArrayLike], *, at: ArrayLike | None = None, title: str = "",
          x: str = "", y: str = "", floor: tuple[str, float] | None = None,
          points: bool | Collection[str] = False, log_x: int = 0, log_y: int = 0,
          legend: str = "inside", ax: Axes | None = None) -> Axes:
    """Curves by name, at most seven, as many as there are colours that everyone can tell apart.

    at: their common x, 0, 1, 2, ... by default. floor: a word and a value for a horizontal line.
    points: True marks the points of every curve; the curves named are points alone, for what is
    measured on another curve. log_x, log_y: 2 or 10 for a logarithmic axis. legend: inside the
    axes, right of them, or none. Raises ValueError on more than seven curves.
    """
    if len(curves) > len(COLOURS):
        raise ValueError(f"at most {len(COLOURS)} curves can be told apart, got {len(curves)}; "
                         "draw them in two panels")
    ax = _axes(ax)
    for (name, values), colour in zip(curves.items(), COLOURS):
        values = np.asarray(values, dtype=float)
        alone = not isinstance(points, bool) and name in points
        ax.plot(np.arange(len(values)) if at is None else at, values, color=colour, label=name,
                marker="o" if alone or points is True else "", markersize=4,
                linestyle="" if alone else "-")
    if floor:
        ax.axhline(floor[1], color="#666666", linewidth=1, linestyle="--", label=floor[0])
    if log_x:
        ax.set_xscale("log", base=log_x)
    if log_y:
        ax.set_yscale("log", base=log_y)
    if legend != "none" and (len(curves) > 1 or floor):
        place = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)} if legend == "right" else {}
        ax.legend(frameon=False, fontsize="small", **place)
    ax.grid(alpha=0.3)
    _titles(ax, title, x, y)
    return ax


def bars(values: Mapping[str, float], *, title: str = "", x: str = "", y: str = "",
         ax: Axes | None = None) -> Axes:
    """A bar for each name, with its value written on it."""
    ax = _axes(ax)
    drawn = ax.bar(list(values), list(values.values()), color=COLOURS[0])
    ax.bar_label(drawn, fmt="%.3g", fontsize="small")
    ax.margins(y=0.12)
    _titles(ax, title, x, y)
    return ax


def heads(weights: ArrayLike, *, labels: Sequence[str] = (), title: str = "",
          causal: bool = True) -> object:
    """Attention weights [L, H, T, T] as a grid, a row for each layer: a matplotlib figure.

    labels: the T tokens. causal: keys after their query are grey, which no query sees.
    """
    import matplotlib.pyplot as plt
    weights = np.array(weights, dtype=float)
    layers, count, size = weights.shape[:3]
    if causal:
        weights[..., np.triu(np.ones((size, size), bool), 1)] = np.nan
    side = max(2.4, 0.13 * size + 0.6 if len(labels) else 0)
    figure, grid = plt.subplots(layers, count, figsize=(side * count + 0.8, side * layers + 0.5),
                                squeeze=False, layout="constrained", sharex=True, sharey=True)
    for layer in range(layers):
        for head in range(count):
            heatmap(weights[layer, head], palette="viridis", low=0, high=1, bar=False,
                    ax=grid[layer][head], title=f"layer {layer + 1}, head {head + 1}",
                    x="key" if layer == layers - 1 else "", y="query" if head == 0 else "",
                    row_labels=labels, column_labels=labels)
    figure.colorbar(grid[0][0].images[0], ax=list(grid.flat), label="weight", shrink=0.6)
    figure.suptitle(title)
    return figure


def draw(figure: Figure) -> object:
    """A figure of the documents: lines, heatmaps and bars. Raises ValueError for other kinds, whose
    numbers are in its panels."""
    import matplotlib.pyplot as plt
    kinds = {"lines": _draw_lines, "heatmap": _draw_heatmap, "bars": _draw_bars}
    other = [panel["kind"] for panel in figure.panels if panel["kind"] not in kinds]
    if other:
        raise ValueError(f"{figure.id} has a panel of the kind {other[0]}, which is not drawn here; "
                         f"its numbers are in panels, its picture comes from phasor figures")
    rows = -(-len(figure.panels) // figure.columns)
    page, grid = plt.subplots(rows, figure.columns, figsize=(6.0 * figure.columns, 3.8 * rows),
                              squeeze=False, layout="constrained")
    for ax, panel in zip(grid.flat, figure.panels):
        kinds[panel["kind"]](panel, ax)
    for ax in list(grid.flat)[len(figure.panels):]:
        ax.remove()
    page.suptitle(figure.title)
    return page


def _axis(ax: Axes, panel: dict) -> None:
    _titles(ax, panel["title"], panel["x"]["title"], panel["y"]["title"])
    for name in ("x", "y"):
        axis = panel[name]
        if axis["log_base"]:
            getattr(ax, f"set_{name}scale")("log", base=axis["log_base"])
        getattr(ax, f"set_{name}lim")(axis["low"], axis["high"])
        if axis["ticks"]:
            getattr(ax, f"set_{name}ticks")(*zip(*axis["ticks"]))


def _draw_lines(panel: dict, ax: Axes) -> None:
    for number, curve in enumerate(panel["series"]):
        colour = COLOURS[number if curve["colour_of"] is None else curve["colour_of"]]
        at = curve["x"] if len(curve["x"]) else np.arange(len(curve["y"]))
        ax.plot(at, curve["y"], color=colour, label=curve["label"],
                linestyle=("--" if curve["dashed"] else "-") if curve["line"] else "",
                marker="o" if curve["points"] else "", markersize=4)
        if len(curve["low"]):
            ax.fill_between(at, curve["low"], curve["high"], color=colour, alpha=0.2, linewidth=0)
    for line in panel["references"]:
        ax.axhline(line["y"], color="#666666", linewidth=1, linestyle="--", label=line["label"])
    if any(curve["label"] for curve in panel["series"]) or panel["references"]:
        ax.legend(frameon=False, fontsize="small")
    ax.grid(alpha=0.3)
    _axis(ax, panel)


def _draw_heatmap(panel: dict, ax: Axes) -> None:
    values = panel["values"]
    (first_row, row_step), (first_column, column_step) = panel["rows"], panel["columns"]
    rows, columns = values.shape
    labelled = len(panel["row_labels"]) or len(panel["column_labels"])
    extent = None if labelled else (
        first_column - column_step / 2, first_column + (columns - 0.5) * column_step,
        first_row + (rows - 0.5) * row_step, first_row - row_step / 2)
    heatmap(values, value=panel["value_title"], palette=panel["palette"], low=panel["low"],
            high=panel["high"], row_labels=panel["row_labels"],
            column_labels=panel["column_labels"], decimals=panel["decimals"], extent=extent, ax=ax)
    _titles(ax, panel["title"], panel["x"]["title"], panel["y"]["title"])


def _draw_bars(panel: dict, ax: Axes) -> None:
    groups = panel["groups"]
    places = np.arange(len(panel["categories"]))
    width = 0.8 / len(groups)
    for number, group in enumerate(groups):
        ax.bar(places + (number - (len(groups) - 1) / 2) * width, group["values"], width,
               color=COLOURS[number], label=group["label"])
    ax.set_xticks(places, panel["categories"])
    if len(groups) > 1:
        ax.legend(frameon=False, fontsize="small")
    _titles(ax, panel["title"], panel["x"]["title"], panel["y"]["title"])
