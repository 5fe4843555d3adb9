"""The table of positional schemes."""
from phasor import _engine
from phasor.table import Table


def schemes() -> Table:
    """Every scheme, a row each: name, kind (how position enters), summary, paper, equation, options.

    A row's `options` is a list of dicts with name, default, help, and range, choices or form.
    """
    return Table(_engine.schemes(), columns=("name", "kind", "summary", "paper"))


def check_scheme(name: str, **options: float | str) -> Table:
    """What every scheme has to hold to, checked in a small model: for one that was just written.

    A row for each property: what, measured, tolerance, passed, problem. The gradient of every
    parameter is among them, a later token that changes no earlier logit, and the cache.
    """
    return Table(_engine.check_scheme(name, **options), columns=("what", "measured", "passed"))
