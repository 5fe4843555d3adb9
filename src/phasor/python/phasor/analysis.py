"""The mathematics of encodings: similarity, decay, shift matrices, attention taken apart.

Everything is in double and takes and gives arrays of float64, rows [T, d] with a row for every
position. `help(phasor.analysis)` lists the functions with their shapes.
"""
from phasor._engine import take_apart as _take_apart
from phasor._engine.analysis import (attended, causal_mask, column_cosines, cosine_similarity,
                                     decay_law, decompose, design_encoding, designs, determinant,
                                     distance_share, distances_from, dots_at_distance, dots_from,
                                     frequencies, full_mask, linear_fit, moved, nearest_pair,
                                     normal_rows, norms, permuted, random_layers, random_tokens,
                                     readable_up_to, rotated, run_stack, score_map, shares,
                                     shift_error_in_double, shift_error_in_float,
                                     shift_errors_by_pair_in_float, shift_fit, shift_matrix,
                                     shift_residual, sines_of, singular_values, sinusoid,
                                     spread_on_diagonals, steps_up, sum_of_cosines, turns_between,
                                     wavelengths, widest_spread)
from phasor.model import Model

__all__ = [
    "attended", "causal_mask", "column_cosines", "cosine_similarity", "decay_law", "decompose",
    "design_encoding", "designs", "determinant", "distance_share", "distances_from",
    "dots_at_distance", "dots_from", "frequencies", "full_mask", "linear_fit", "moved",
    "nearest_pair", "normal_rows", "norms", "permuted", "random_layers", "random_tokens",
    "readable_up_to", "rotated", "run_stack", "score_map", "shares", "shift_error_in_double",
    "shift_error_in_float", "shift_errors_by_pair_in_float", "shift_fit", "shift_matrix",
    "shift_residual", "sines_of", "singular_values", "sinusoid", "spread_on_diagonals",
    "steps_up", "sum_of_cosines", "take_apart", "turns_between", "wavelengths", "widest_spread",
]


def take_apart(model: Model, text: str) -> list[dict]:
    """The scores of the first layer of a trained model with a sinusoidal encoding, head by head.

    Each entry has `terms` (four arrays [T, T] by name, as `decompose` gives them), and `logits` and
    `weights` as the model itself computed them, NaN where a key is hidden.
    """
    return _take_apart(model.engine, text)
