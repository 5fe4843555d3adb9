"""A progress bar for a terminal, a notebook, or a file."""
from __future__ import annotations

import sys
import time


def _in_notebook() -> bool:
    """Whether output is shown by a notebook's front end."""
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell else None
    return current is not None and type(current).__name__ == "ZMQInteractiveShell"


class Progress:
    """`training [#####.....] 120/400  loss 1.234  8 s left`.

    One line that is redrawn, in a notebook as on a terminal, and nothing for work of less than half
    a second. Elsewhere (a file, a pipe) a line every ten seconds.
    """

    WIDTH = 20

    def __init__(self, label: str, total: int) -> None:
        self.label, self.total, self.done, self.first, self.text = label, total, 0, None, ""
        self._notebook = _in_notebook()
        self._live = self._notebook or sys.stderr.isatty()
        self._begin = self._last = time.monotonic()
        self._handle = None
        self._drawn = False

    def update(self, done: int, text: str = "") -> None:
        """`done` of the total is done; `text` is anything worth seeing."""
        if self.first is None:
            self.first = done - 1  # of a run that is resumed, some was done before
        self.done, self.text = done, text
        now = time.monotonic()
        wait = (0.1 if self._drawn else 0.5) if self._live else 10
        if now - self._last >= wait:
            self._last = now
            self._draw(now)

    def finish(self) -> None:
        """Draws the last state, with the time the work took, if anything was drawn before."""
        if self._drawn:
            self._draw(time.monotonic(), "finished" if self.done == self.total else "stopped")
            if self._live and not self._notebook:
                print(file=sys.stderr)

    def _line(self, now: float, word: str) -> str:
        filled = self.WIDTH * self.done // max(self.total, 1)
        bar = "#" * filled + "." * (self.WIDTH - filled)
        seconds = now - self._begin
        here = self.done - (self.first or 0)
        left = seconds * (self.total - self.done) / here if here else 0
        when = f"{word} in {seconds:.0f} s" if word else f"{left:.0f} s left"
        return f"{self.label} [{bar}] {self.done}/{self.total}  {self.text}  {when}"

    def _draw(self, now: float, word: str = "") -> None:
        line = self._line(now, word)
        if self._notebook:
            from IPython.display import display
            shown = {"text/plain": line}
            if self._handle is None:
                self._handle = display(shown, raw=True, display_id=True)
            else:
                self._handle.update(shown, raw=True)
        elif self._live:
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)
        self._drawn = True
