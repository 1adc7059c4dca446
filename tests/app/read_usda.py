"""Reads USD's text format with a parser written from its description, and holds what is in it against the
run's own frames, read by VTK. Usage: read_usda.py RUN FILE FRAMES"""
import re
import sys
from pathlib import Path

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

TOKEN = re.compile(r'\s*(?:#[^\n]*\n\s*)*("(?:[^"\\]|\\.)*"|<[^>]*>|[A-Za-z_][\w:.\[\]]*|[-+]?[\d.]+(?:[eE][-+]?\d+)?'
                   r'|[-(){}\[\]=,;:])')


def need(condition, text):
    if not condition:
        sys.exit(text)


class Parser:
    def __init__(self, text):
        need(text.startswith("#usda 1.0\n"), "no USD file")
        self.tokens = TOKEN.findall(text)
        rest = TOKEN.sub("", text).strip()
        need(not rest, f"not understood: {rest[:40]}")
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        need(expected is None or token == expected, f"{expected} expected, {token} found at token {self.at}")
        self.at += 1
        return token

    def skip(self, token):
        found = self.peek() == token
        self.at += found
        return found

    def sequence(self, end):
        items = []
        while not self.skip(end):
            items.append(self.value())
            self.skip(",")
        return items

    def value(self):
        token = self.take()
        if token == "[":
            return self.sequence("]")
        if token == "(":
            return tuple(self.sequence(")"))
        if token == "{":
            return self.dictionary()
        if token[0] == '"':
            return token[1:-1]
        if token[0] == "<":
            return token
        return float(token)

    def dictionary(self):
        """Samples over time, or typed entries."""
        entries = {}
        while not self.skip("}"):
            words = [self.take()]
            while self.peek() not in (":", "="):
                words.append(self.take())
            self.take()
            entries[words[-1]] = self.value()
            self.skip(",")
        return entries

    def metadata(self):
        entries = {}
        if self.skip("("):
            while not self.skip(")"):
                words = [self.take()]
                while self.peek() != "=":
                    words.append(self.take())
                self.take("=")
                entries[words[-1]] = self.value()
        return entries

    def prim(self):
        self.take("def")
        prim = {"type": self.take(), "children": {}, "attributes": {}}
        name = self.take()[1:-1]
        need(re.fullmatch(r"[A-Za-z_]\w*", name), f"{name} is no name that USD allows")
        prim["metadata"] = self.metadata()
        self.take("{")
        while not self.skip("}"):
            if self.peek() == "def":
                child, made = self.prim()
                need(child not in prim["children"], f"two prims are called {child}")
                prim["children"][child] = made
                continue
            words = [self.take()]
            while self.peek() not in ("=", "def", "}") and (len(words) < 2 or words[0] in ("uniform", "custom")
                                                           and len(words) < 3):
                words.append(self.take())
            prim["attributes"][words[-1]] = (words, self.value() if self.skip("=") else None)
        return name, prim

    def stage(self):
        metadata, roots = self.metadata(), {}
        while self.peek() is not None:
            name, prim = self.prim()
            roots[name] = prim
        return metadata, roots


def value(prim, name):
    need(name in prim["attributes"], f"no {name}")
    return prim["attributes"][name][1]


def own_frame(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def outer(grid, body):
    """The surface of one body: its triangles by where their corners are, to a micrometre."""
    threshold = vtk.vtkThreshold()
    threshold.SetInputData(grid)
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "body")
    threshold.SetLowerThreshold(body)
    threshold.SetUpperThreshold(body)
    threshold.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
    skin = vtk.vtkDataSetSurfaceFilter()
    skin.SetInputConnection(threshold.GetOutputPort())
    skin.Update()
    data = skin.GetOutput()
    place = vtk_to_numpy(data.GetPoints().GetData())
    return place, [[data.GetCell(c).GetPointId(k) for k in range(3)] for c in range(data.GetNumberOfCells())]


def corners(place, triangles):
    rounded = numpy.rint(numpy.asarray(place) * 1e5).astype(int)
    return {frozenset(map(tuple, rounded[list(t)])) for t in triangles}


run, path, frames = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
metadata, roots = Parser(path.read_text()).stage()
need(metadata["upAxis"] == "Z" and metadata["metersPerUnit"] == 1, "axis or unit")
need(list(roots) == [metadata["defaultPrim"]], "the default prim is not the root")
rate = metadata["timeCodesPerSecond"]
root = roots[metadata["defaultPrim"]]
names = {child: prim["metadata"].get("customData", {}).get("name") for child, prim in root["children"].items()}
need(names == {"block": "block", "sheet": "sheet", "floor": "floor", "a_ball": "a ball", "materials": None},
     f"names: {names}")

grids = [own_frame(file) for file in sorted((run / "frames").glob("*.vtu"))]
times = [grid.GetFieldData().GetArray("TimeValue").GetValue(0) for grid in grids]
need(abs(metadata["startTimeCode"] - rate * times[0]) < 1e-6, "start")
need(abs(metadata["endTimeCode"] - rate * times[-1]) < 1e-6, "end")
for body, name in enumerate(("block", "sheet")):
    mesh = root["children"][name]
    need(mesh["type"] == "Mesh", f"{name} is no mesh")
    need(set(value(mesh, "faceVertexCounts")) == {3.0}, "other faces than triangles")
    index = numpy.array(value(mesh, "faceVertexIndices"), dtype=int).reshape(-1, 3)
    samples = {float(code): place for code, place in value(mesh, "points.timeSamples").items()}
    need(len(samples) == frames and len(grids) == frames, f"{len(samples)} samples")
    for grid, time in zip(grids, times):
        code = min(samples, key=lambda sample: abs(sample - rate * time))
        need(abs(code - rate * time) < 1e-6, f"no sample at {time} s")
        place, triangles = outer(grid, body)
        need(len(samples[code]) == len(place), f"{name}: {len(samples[code])} points")
        need(len(corners(place, triangles) ^ corners(samples[code], index)) == 0, f"{name} differs at {time} s")
        low, high = value(mesh, "extent.timeSamples")[f"{code:.9g}"]
        need(numpy.allclose(low, place.min(axis=0), atol=1e-6), "extent")
        need(numpy.allclose(high, place.max(axis=0), atol=1e-6), "extent")
    inside = sum(numpy.dot(a, numpy.cross(b, c)) for a, b, c in numpy.array(samples[0.0])[index])
    need(name == "sheet" or inside > 0, "the block is inside out")

ball = root["children"]["a_ball"]
need(numpy.allclose(numpy.linalg.norm(value(ball, "points"), axis=1), 0.1, atol=1e-6), "the ball is not round")
matrices = {float(code): numpy.array(m) for code, m in value(ball, "xformOp:transform.timeSamples").items()}
last = matrices[rate * times[-1]]
need(numpy.allclose(matrices[0.0][3], (-1, 0, 0.2, 1)) and numpy.allclose(last[3], (-1, 0.2, 0.2, 1)), "way of the ball")
# Rows times matrix: a quarter turn about z takes x to y.
need(numpy.allclose(numpy.array((1, 0, 0, 0)) @ last, (0, 1, 0, 0), atol=1e-6), "turn of the ball")
need("xformOp:transform" in root["children"]["floor"]["attributes"], "the floor has no place")
for name, prim in root["children"].items():
    if prim["type"] != "Mesh":
        continue
    bound = value(prim, "material:binding").strip("<>").split("/")[1:]
    need(bound[:2] == [metadata["defaultPrim"], "materials"], "binding")
    shader = root["children"]["materials"]["children"][bound[2]]["children"]["surface"]
    need(value(shader, "inputs:diffuseColor") == value(prim, "primvars:displayColor")[0], "colour")
