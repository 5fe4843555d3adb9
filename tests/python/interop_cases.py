"""What interop_test.py tries beyond the table of notebooks/interop/compare.py."""
import compare

# More of each scheme's options, and of sizes, than the table in notebooks/interop has: name ->
# scheme and options, sizes, tokens in a text. Texts beyond the context reach t5_bias's last bucket.
VARIANTS = {
    "tied, part of each head, another base": (
        ["--scheme", "rope", "--pairing", "half", "--fraction", "0.5", "--base", "500", "--tied"],
        compare.SIZES, 100),
    "heads that are no power of two": (
        ["--scheme", "alibi"], ["--width", "36", "--heads", "6", "--mlp-ratio", "2"], 100),
    "all buckets": (["--scheme", "t5_bias"], compare.SIZES, 200),
    "fewer buckets": (
        ["--scheme", "t5_bias", "--buckets", "9", "--max-distance", "50"], compare.SIZES, 100),
    "short waves": (["--scheme", "sinusoidal", "--base", "50"], compare.SIZES, 100),
}
# For each case a setting that another implementation could take by mistake.
MISTAKES = {
    "none": {"scheme": "alibi"},
    "sinusoidal": {"options": {"base": "1000"}},
    "learned": {"scheme": "none"},
    "rope, interleaved": {"options": {"pairing": "half"}},
    "rope, half": {"options": {"pairing": "interleaved"}},
    "alibi": {"scheme": "none"},
    "t5_bias": {"options": {"max_distance": "64"}},
}
# Settings that gpt_torch.py must refuse, and a word that its message must have.
BEYOND = [
    ({"scheme": "xpos"}, "t5_bias"),
    ({"scheme": "rope", "options": {"scaling": "yarn:4"}}, "none"),
    ({"scheme": "rope", "options": {"pairing": "thirds"}}, "interleaved, half"),
    ({"scheme": "rope", "options": {"turns": "2"}}, "pairing"),
    ({"scheme": "sinusoidal", "options": {"layout": "concat"}}, "interleaved"),
    ({"norm": "rms"}, "layer"),
    ({"activation": "relu"}, "gelu_tanh"),
    ({"embedding_scale": "on"}, "auto"),
    ({"random_positions": 64}, "0"),
    ({"window": 8}, "scheme"),
]
