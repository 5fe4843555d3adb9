"""The safetensors format in plain Python and NumPy, written from the published description.

Source: the "Format" section of the safetensors README (https://github.com/huggingface/safetensors).
  8 bytes   N, the length of the header, unsigned, little endian
  N bytes   the header: UTF-8 JSON that begins with '{' and may end with spaces,
            {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ...}
            and optionally "__metadata__": {"text": "text", ...}
  the rest  the tensors' bytes, row major, little endian; the offsets count from here

Reading is strict. Refused: a name that stands twice, unknown fields or dtypes, a range whose
length is not shape * size, holes, overlaps and bytes after the last tensor. Padding the header
with spaces until the data starts at a multiple of 8 is the reference writer's habit, not a rule
for readers; `check` demands it of the files it is given, `read` does not.
Known dtypes: F32, F64, I64. Tested with Python 3.11, NumPy 1.24.

  safetensors.py check FILE    validates FILE and prints the dtype, shape and name of each tensor;
                               exits 1 with one line when FILE is not valid
"""
import json
import math
import pathlib
import struct
import sys

import numpy as np

DTYPES = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8"), "I64": np.dtype("<i8")}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
MAX_HEADER = 100_000_000


class FormatError(ValueError):
    """The bytes are not a valid safetensors file."""


def expect(condition, message):
    if not condition:
        raise FormatError(message)


def write(path, tensors, metadata=None):
    """Writes `tensors`, a dict of name -> float32, float64 or int64 array, in the dict's order."""
    header, parts, offset = {}, [], 0
    if metadata:
        header["__metadata__"] = metadata
    for name, array in tensors.items():
        data = array.tobytes(order="C")
        header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + len(data)]}
        parts.append(data)
        offset += len(data)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def read(path):
    """The tensors of the file as a dict of name -> array, and its metadata as a dict of strings."""
    header, data = split(pathlib.Path(path).read_bytes())
    metadata = header.pop("__metadata__", {})
    expect(isinstance(metadata, dict) and all(isinstance(v, str) for v in metadata.values()),
           "__metadata__ is not a map of strings to strings")
    for name, entry in header.items():
        check_entry(name, entry)
    check_tiling(header, len(data))
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = np.frombuffer(data[begin:end], DTYPES[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"])
    return tensors, metadata


def split(raw):
    """The parsed header and the data bytes."""
    expect(len(raw) >= 8, f"a file of {len(raw)} bytes has no header length")
    (length,) = struct.unpack("<Q", raw[:8])
    expect(length <= MAX_HEADER, f"the header length {length} is above {MAX_HEADER}")
    expect(8 + length <= len(raw), f"the header length {length} reaches past the file's end")
    text = raw[8:8 + length]
    expect(text.startswith(b"{"), "the header does not begin with '{'")
    expect(text.rstrip(b" ").endswith(b"}"), "the header does not end with '}' and spaces")
    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=without_duplicates)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FormatError(f"the header is not UTF-8 JSON: {error}") from error
    return header, raw[8 + length:]


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    expect(len(keys) == len(set(keys)), f"a name stands twice in {keys}")
    return dict(pairs)


def is_size(value):
    return type(value) is int and 0 <= value < 2**63


def check_entry(name, entry):
    expect(isinstance(entry, dict) and set(entry) == {"dtype", "shape", "data_offsets"},
           f"{name}: wants exactly dtype, shape and data_offsets")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    expect(isinstance(dtype, str) and dtype in DTYPES, f"{name}: unknown dtype {dtype}")
    expect(isinstance(shape, list) and all(map(is_size, shape)), f"{name}: bad shape {shape}")
    expect(isinstance(offsets, list) and len(offsets) == 2 and all(map(is_size, offsets)),
           f"{name}: bad data_offsets {offsets}")
    wanted = math.prod(shape) * DTYPES[dtype].itemsize
    expect(offsets[1] - offsets[0] == wanted,
           f"{name}: {dtype} {shape} takes {wanted} bytes, data_offsets are {offsets}")


def check_tiling(header, size):
    """Every byte of the data belongs to exactly one tensor."""
    position = 0
    ranges = sorted((*entry["data_offsets"], name) for name, entry in header.items())
    for begin, end, name in ranges:
        expect(begin == position, f"{name}: begins at {begin}, the one before ends at {position}")
        position = end
    expect(position == size, f"the tensors end at {position}, the data at {size}")


def check(path):
    """What `read` gives, from a file that is also padded as the reference writer pads."""
    tensors, metadata = read(path)
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
    expect(length % 8 == 0, f"the header length {length} is not a multiple of 8")
    return tensors, metadata


def main(arguments):
    if len(arguments) != 2 or arguments[0] != "check":
        print("usage: safetensors.py check FILE", file=sys.stderr)
        return 2
    try:
        tensors, metadata = check(arguments[1])
    except (FormatError, OSError) as error:
        print(f"not a valid safetensors file: {error}", file=sys.stderr)
        return 1
    for key, value in metadata.items():
        print(f"# {key}: {value}")
    for name, array in tensors.items():
        print(f"{NAMES[array.dtype]}  {list(array.shape)}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
