"""Claims, figures and pictures: the command's numbers, and drawn without a warning."""
import json
import pathlib
import tempfile
import unittest
import warnings

import numpy as np

from common import command, main

import phasor


class Claims(unittest.TestCase):
    def test_are_the_commands(self):
        said = {claim["id"]: claim for claim in json.loads(
            command("claims", "--document", "D3", "--results", "nowhere", "--json"))}
        found = phasor.claims("D3", results="nowhere")
        self.assertEqual(set(found.column("id")), set(said))
        for claim in found:
            for name in ("statement", "verdict", "measured", "lab", "figure"):
                self.assertEqual(claim[name], said[claim["id"]][name])

    def test_can_be_chosen(self):
        self.assertEqual({claim["lab"] for claim in phasor.claims(lab="lab02", results="nowhere")},
                         {"lab02"})
        self.assertEqual(phasor.claims(id="D3-tenths")[0]["id"], "D3-tenths")
        ids = ["D3-tenths", "D3-longest-wave"]
        self.assertEqual(phasor.claims(id=ids).column("id"), ids)


class Figures(unittest.TestCase):
    def test_data_are_what_the_command_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            command("figures", "D4-F1", "--out", folder, "--results", "nowhere")
            figure = phasor.figure("D4-F1")
            self.assertEqual(figure.csv, pathlib.Path(folder, figure.id + ".csv").read_text())
        curve = figure.panels[0]["series"][0]
        first = figure.csv.splitlines()[1].split(",")
        self.assertIn(curve["label"], figure.csv)
        self.assertEqual(curve["y"][0], float(first[5]))

    def test_pictures_are_drawn_without_a_warning(self):
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        drawn = 0
        for entry in phasor.figures():
            try:
                figure = phasor.figure(entry["id"], results="nowhere")
            except phasor.DataError:
                continue  # of a trained model
            if {panel["kind"] for panel in figure.panels} <= {"lines", "heatmap", "bars"}:
                with warnings.catch_warnings(), self.assertNoLogs("matplotlib"):
                    warnings.simplefilter("error")
                    page = figure.plot()
                    page.canvas.draw()
                self.assertEqual(len([ax for ax in page.axes if ax.get_label() != "<colorbar>"]),
                                 len(figure.panels), entry["id"])
                plt.close(page)
                drawn += 1
            else:
                with self.assertRaisesRegex(ValueError, "numbers are in panels"):
                    figure.plot()
        self.assertGreaterEqual(drawn, 5)

    def test_colours_are_the_labs(self):
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib.colors import to_hex
        ax = phasor.plots.heatmap([[-1.0, 0.0], [np.nan, 1.0]])
        image = ax.images[0]
        self.assertEqual([to_hex(image.cmap(image.norm(value))) for value in (-1.0, 0.0, 1.0)],
                         ["#053061", "#f7f7f7", "#67001f"])
        self.assertEqual(to_hex(image.cmap(np.ma.masked_invalid([np.nan]))[0]), "#bbbbbb")
        lines = phasor.plots.lines({"a": [1, 2], "b": [2, 1]}).get_lines()
        self.assertEqual([line.get_color() for line in lines], ["#0072B2", "#D55E00"])


class Plots(unittest.TestCase):
    def setUp(self):
        import matplotlib
        matplotlib.use("Agg")

    def test_lines(self):
        ax = phasor.plots.lines({"law": [1, 2, 4], "measured": [1, 2, 3]}, at=[1, 10, 100], x="n",
                                points=["measured"], log_x=10, log_y=2, floor=("least", 1.0))
        law, measured, floor = ax.get_lines()
        self.assertEqual([line.get_linestyle() for line in (law, measured, floor)], ["-", "None", "--"])
        self.assertEqual([line.get_marker() for line in (law, measured)], ["", "o"])
        self.assertEqual((ax.get_xscale(), ax.get_yscale(), ax.get_xlabel()), ("log", "log", "n"))
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()],
                         ["law", "measured", "least"])
        self.assertIsNone(phasor.plots.lines({"a": [1], "b": [2]}, legend="none").get_legend())

    def test_values_in_cells_stand_where_their_cells_are(self):
        ax = phasor.plots.heatmap([[-1.0, 0.25], [0.5, 1.0]], decimals=2, bar=False)
        self.assertEqual({text.get_position(): text.get_text() for text in ax.texts},
                         {(0, 0): "-1.00", (1, 0): "0.25", (0, 1): "0.50", (1, 1): "1.00"})
        self.assertEqual([text.get_color() for text in ax.texts], ["white", "black", "black", "white"])
        self.assertEqual(len(ax.figure.axes), 1)  # without the bar of colours

    def test_heads_hide_the_future(self):
        weights = np.full((1, 2, 3, 3), 0.5)
        figure = phasor.plots.heads(weights, labels="abc", title="all")
        maps = [ax for ax in figure.axes if ax.images]
        self.assertEqual([ax.get_title(loc="left") for ax in maps], ["layer 1, head 1", "layer 1, head 2"])
        drawn = np.ma.filled(maps[0].images[0].get_array(), np.nan)
        np.testing.assert_array_equal(np.isnan(drawn), np.triu(np.ones((3, 3), bool), 1))
        self.assertEqual([label.get_text() for label in maps[0].get_yticklabels()], list("abc"))
        self.assertEqual(weights.min(), 0.5)  # the caller's are left alone


class Tables(unittest.TestCase):
    def test_text_and_html(self):
        table = phasor.Table([{"a": 1.23456, "b": True, "c": "<x>"}, {"a": 2.0, "b": None, "c": ""}])
        self.assertEqual(str(table), "a      b    c\n1.235  yes  <x>\n2      -")
        self.assertIn("&lt;x&gt;", table._repr_html_())
        self.assertEqual(table.column("a"), [1.23456, 2.0])

    def test_only_the_columns_that_are_wanted_are_shown(self):
        table = phasor.Table([{"a": 1, "b": 2}, {"a": 3, "b": 4}], columns=["b"])
        self.assertEqual(str(table), "b\n2\n4")
        self.assertEqual(table[0], {"a": 1, "b": 2})
        self.assertEqual(str(table[1:]), "b\n4")
        self.assertEqual(str(table.where(a=1)), "b\n2")

    def test_nothing(self):
        self.assertEqual(str(phasor.Table([])), "")


if __name__ == "__main__":
    main()
