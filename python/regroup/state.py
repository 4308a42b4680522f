# SPDX-License-Identifier: BSD-3-Clause
"""Serializes states. Equal states give equal bytes on all ranks, to compare chains."""

import json
import struct

import numpy as np

ALLOWED = "bytes, NumPy arrays, numbers, text, None, and tuples, lists and dicts of them"


def described(value, parts):
    """Returns `value` as JSON; binary data are appended to `parts`."""
    if isinstance(value, np.generic):
        return {"scalar": described(np.asarray(value), parts)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        parts.append(bytes(value))
        return {"bytes": len(parts[-1])}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        parts.append(np.ascontiguousarray(value).tobytes())
        return {"array": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [described(one, parts) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[described(key, parts), described(one, parts)]
                         for key, one in value.items()]}
    raise TypeError(f"a state contains {type(value).__name__}; allowed: {ALLOWED}")


def packed(value):
    parts = []
    header = json.dumps(described(value, parts)).encode()
    return b"".join([struct.pack("<q", len(header)), header, *parts])


def unpacked(data):
    (size,) = struct.unpack_from("<q", data)
    position = 8 + size

    def take(number):
        nonlocal position
        position += number
        return data[position - number:position]

    def value_of(header):
        if not isinstance(header, dict):
            return header
        if "scalar" in header:
            return value_of(header["scalar"])[()]
        if "bytes" in header:
            return take(header["bytes"])
        if "array" in header:
            kind, shape = np.dtype(header["array"]), header["shape"]
            count = int(np.prod(shape, dtype=np.int64))
            return np.frombuffer(take(kind.itemsize * count), kind).reshape(shape).copy()
        if "dict" in header:
            return {value_of(key): value_of(one) for key, one in header["dict"]}
        ((kind, values),) = header.items()
        return {"tuple": tuple, "list": list}[kind](map(value_of, values))

    return value_of(json.loads(data[8:position]))
