"""Files to test a safetensors reader with: format/*.safetensors.

good.safetensors uses what the format allows and few writers do: the names stand in another order
than the data, one tensor is a scalar, one is empty, a name is not ASCII, there is metadata. Its
values are in good.<name>.npy. good_unpadded.safetensors holds `a` alone. Each
bad.<why>.safetensors breaks one rule and must be refused; the rules are in safetensors.py.
Written for and run with Python 3.11, NumPy 1.24.
"""
import json
import struct

import numpy as np

from schemes import FOLDER, save

A = np.arange(6, dtype="<f4").reshape(2, 3) / 8
B = np.array([-(2**53) - 1, 0, 2**62], dtype="<i8")
C = np.array([1 / 3, -np.pi], dtype="<f8")


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def pack(header, data, pad=True):
    text = header if isinstance(header, bytes) else json.dumps(header, ensure_ascii=False).encode()
    if pad:
        text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def good():
    header = {"__metadata__": {"made_by": "format.py", "text": "π"},
              "c": entry("F64", [2], 24, 40), "empty": entry("F32", [0, 3], 24, 24),
              "α.scalar": entry("F32", [], 64, 68),
              "a": entry("F32", [2, 3], 0, 24), "b": entry("I64", [3], 40, 64)}
    return pack(header, A.tobytes() + C.tobytes() + B.tobytes() + struct.pack("<f", 0.5))


def bad():
    data = A.tobytes()
    a = entry("F32", [2, 3], 0, 24)
    one = json.dumps(a).encode()
    yield "hole", pack({"a": a, "b": entry("F64", [2], 32, 48)}, data + bytes(8) + C.tobytes())
    yield "starts_late", pack({"a": entry("F32", [2, 3], 8, 32)}, bytes(8) + data)
    yield "overlap", pack({"a": a, "b": entry("F32", [2], 16, 24)}, data)
    yield "trailing_bytes", pack({"a": a}, data + b"\0")
    yield "truncated", pack({"a": a}, data[:-1])
    yield "duplicate_name", pack(b'{"a":%s,"a":%s}' % (one, one), data)
    yield "wrong_length", pack({"a": entry("F32", [2, 2], 0, 24)}, data)
    yield "reversed_offsets", pack({"a": a, "b": entry("F32", [2], 24, 16)}, data)
    yield "negative_size", pack({"a": entry("F32", [-2, -3], 0, 24)}, data)
    # 2^32 * 2^32 elements: the product is 0 in 64 bits.
    yield "overflow", pack({"a": entry("F32", [2**32, 2**32], 0, 0)}, b"")
    yield "unknown_dtype", pack({"a": entry("F31", [2, 3], 0, 24)}, data)
    yield "no_shape", pack({"a": {"dtype": "F32", "data_offsets": [0, 24]}}, data)
    yield "fractional_size", pack({"a": entry("F32", [2, 3.5], 0, 28)}, data + bytes(4))
    yield "metadata_not_text", pack({"__metadata__": {"step": 3}, "a": a}, data)
    yield "leading_space", pack(b' {"a":%s}' % one, data)
    yield "not_json", pack(b'{"a":%s' % one, data)
    yield "not_utf8", pack(b'{"\xff":%s}' % one, data)
    yield "header_past_end", struct.pack("<Q", 2**63) + b"{}      "
    yield "too_short", b"\x02\0\0\0"
    yield "empty", b""


def unpadded():
    """A header whose length is no multiple of 8: valid, though the reference writer makes none."""
    text = json.dumps({"a": entry("F32", [2, 3], 0, 24)}).encode()
    return pack(text + b" " * ((1 - len(text)) % 8), A.tobytes(), pad=False)


def make(folder):
    folder = folder / "format"
    for name, array in (("a", A), ("b", B), ("c", C)):
        save(folder, f"good.{name}", array)
    (folder / "good.safetensors").write_bytes(good())
    (folder / "good_unpadded.safetensors").write_bytes(unpadded())
    for why, raw in bad():
        (folder / f"bad.{why}.safetensors").write_bytes(raw)


if __name__ == "__main__":
    make(FOLDER)
