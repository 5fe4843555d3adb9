"""Golden values of the fixed positional schemes, NumPy float64 only: schemes/*.npy.

- sinusoidal: Vaswani et al. 2017 (arXiv 1706.03762), section 3.5, one entry at a time. Layout
  `interleaved` is the paper's (sine in even columns, cosine in odd), `concat` is tensor2tensor's
  and Transformer-XL's (all sines, then all cosines).
- rope: Su et al. 2021 (arXiv 2104.09864), equation 13: a pair of columns as a complex number,
  multiplied by exp(i p theta_c). Pairing `interleaved` (2c, 2c+1) is the paper's, `half`
  (c, c + D_rot/2) is GPT-NeoX's. Only the first D_rot = 2 floor(fraction D / 2) columns of a head
  turn, theta_c = base^(-2c / D_rot).
- alibi: Press et al. 2022 (arXiv 2108.12409): m_h = 2^(-8h/H), h from 1; for H not a power of two
  the slopes of the power below, then every other slope of the next power, as in the authors' code.

Written for and run with Python 3.11, NumPy 1.24. The random inputs are rounded to float32, so that
single and double precision start from the same numbers.
"""
import itertools
import math
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent


def save(folder, name, array):
    """One .npy file: row major, little-endian float64 or int64, never of rank 0."""
    array = np.atleast_1d(np.asarray(array))
    wanted = "<i8" if array.dtype.kind in "iu" else "<f8"
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / f"{name}.npy", np.ascontiguousarray(array, wanted), allow_pickle=False)


def random_inputs(generator, *shape):
    """Standard normal numbers that float32 holds exactly, as float64."""
    return generator.standard_normal(shape).astype(np.float32).astype(np.float64)


def sinusoidal_table(length, width, base=10000.0, layout="interleaved"):
    """[length, width]: sin(p w_k) and cos(p w_k), w_k = base^(-2k / width)."""
    table = np.empty((length, width))
    for position in range(length):
        for k in range(width // 2):
            angle = position / base ** (2 * k / width)
            sine, cosine = (2 * k, 2 * k + 1) if layout == "interleaved" else (k, width // 2 + k)
            table[position, sine] = math.sin(angle)
            table[position, cosine] = math.cos(angle)
    return table


def rotated_width(width, fraction):
    return 2 * math.floor(fraction * width / 2)


def rope_angles(positions, rotated, base=10000.0):
    """[T, rotated / 2]: p base^(-2c / rotated)."""
    exponents = -2.0 * np.arange(rotated // 2) / rotated
    return np.outer(positions, np.power(float(base), exponents))


def rope(x, positions, base=10000.0, fraction=1.0, pairing="interleaved"):
    """x [..., T, D] turned as complex numbers; columns from D_rot on are left as they are."""
    rotated = rotated_width(x.shape[-1], fraction)
    half = rotated // 2
    first = slice(0, rotated, 2) if pairing == "interleaved" else slice(0, half)
    second = slice(1, rotated, 2) if pairing == "interleaved" else slice(half, rotated)
    turns = np.exp(1j * rope_angles(positions, rotated, base))
    turned = (x[..., first] + 1j * x[..., second]) * turns
    y = x.copy()
    y[..., first], y[..., second] = turned.real, turned.imag
    return y


def alibi_slopes(heads):
    """[heads]"""
    below = 2 ** math.floor(math.log2(heads))
    slopes = [2.0 ** (-8.0 * h / below) for h in range(1, below + 1)]
    above = [2.0 ** (-8.0 * h / (2 * below)) for h in range(1, 2 * below + 1)]
    return np.array(slopes + above[0::2][:heads - below])


def alibi_bias(slopes, queries, keys):
    """[H, T, S]: -m_h (q - k), signed, before any mask."""
    return -slopes[:, None, None] * (queries[:, None] - keys[None, :])


def make(folder):
    folder = folder / "schemes"
    for layout, base in itertools.product(("interleaved", "concat"), (10000, 50)):
        save(folder, f"sinusoidal.{layout}.base{base}", sinusoidal_table(17, 12, base, layout))

    generator = np.random.Generator(np.random.PCG64(20))
    q, k = random_inputs(generator, 2, 3, 5, 8), random_inputs(generator, 2, 3, 5, 8)
    positions = np.array([0.0, 1.0, 5.0, 100.0, 1000.5])
    for name, array in (("q", q), ("k", k), ("positions", positions)):
        save(folder, f"rope.{name}", array)
    variants = itertools.product(("interleaved", "half"), (10000, 500), (1.0, 0.5))
    for pairing, base, fraction in variants:
        name = f"rope.{pairing}.base{base}.fraction{fraction}"
        save(folder, f"{name}.q", rope(q, positions, base, fraction, pairing))
        save(folder, f"{name}.k", rope(k, positions, base, fraction, pairing))

    for heads in range(1, 17):
        save(folder, f"alibi.slopes.heads{heads}", alibi_slopes(heads))
    queries, keys = np.arange(3.0, 8.0), np.arange(8.0)
    save(folder, "alibi.queries", queries)
    save(folder, "alibi.keys", keys)
    for heads in (4, 6):
        bias = alibi_bias(alibi_slopes(heads), queries, keys)
        save(folder, f"alibi.bias.heads{heads}", bias)
        save(folder, f"alibi.bias_absolute.heads{heads}", -np.abs(bias))


if __name__ == "__main__":
    make(FOLDER)
