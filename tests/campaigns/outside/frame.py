"""Reads the frames of a run: VTU files with appended, compressed arrays. Independent of the program's code."""
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np

TYPES = {"Float64": "<f8", "Float32": "<f4", "Int32": "<i4", "Int64": "<i8", "UInt8": "u1", "UInt64": "<u8"}
TRIANGLE, TET = 5, 10


def unpacked(data, at, kind):
    """One array: number of blocks, their size, the last one's size, compressed sizes, blocks."""
    blocks = int(np.frombuffer(data, "<u8", 1, at)[0])
    sizes = np.frombuffer(data, "<u8", blocks, at + 24)
    at += 24 + 8 * blocks
    parts = []
    for size in sizes:
        parts.append(zlib.decompress(data[at:at + int(size)]))
        at += int(size)
    return np.frombuffer(b"".join(parts), TYPES[kind])


class Grid:
    """Points, cells and fields of one file."""

    def __init__(self, path):
        data = open(path, "rb").read()
        start = data.index(b"<AppendedData")
        root = ElementTree.fromstring(data[:start] + b"</VTKFile>")
        begin = data.index(b"_", start) + 1
        self.fields, self.time = {}, 0.0
        for array in root.iter("DataArray"):
            name = array.get("Name")
            if name == "TimeValue":
                self.time = float(array.text)
            if array.get("format") == "appended" and array.get("type") in TYPES:
                values = unpacked(data, begin + int(array.get("offset")), array.get("type"))
                width = int(array.get("NumberOfComponents", 1))
                self.fields[name] = values.reshape(-1, width) if width > 1 else values
        self.points = self.fields["Points"]
        types, connectivity = self.fields["types"], self.fields["connectivity"]
        starts = np.concatenate([[0], self.fields["offsets"][:-1]]).astype(int)
        self.is_tet, self.is_triangle = types == TET, types == TRIANGLE
        self.tets = connectivity[starts[self.is_tet][:, None] + np.arange(4)]
        self.triangles = connectivity[starts[self.is_triangle][:, None] + np.arange(3)]
        body = self.fields.get("body", np.zeros(len(types), int))
        self.tet_body, self.triangle_body = body[self.is_tet], body[self.is_triangle]
