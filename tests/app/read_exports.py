"""Reads what `stiction export` wrote with readers that are not ours: VTK's for VTU, VTKHDF, OBJ and PLY;
for point caches one written here from the descriptions of the formats. Every frame of every format must
show the same vertices. Usage: read_exports.py RUN EXPORT NAME FRAMES [points=N] [triangles=N]"""
import json
import math
import struct
import sys
from pathlib import Path

import vtk
from vtk.util.numpy_support import vtk_to_numpy

run, export, name, frames = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
expected = dict(argument.split("=") for argument in sys.argv[5:])


def fail(text):
    sys.exit(f"{text}")


def need(condition, text):
    if not condition:
        fail(text)


def read(reader, path):
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput()
    need(data.GetNumberOfPoints() > 0, f"{path}: nothing in it")
    return data


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData())


def array(data, where, name):
    found = getattr(data, where)().GetArray(name)
    need(found is not None, f"no array {name}")
    return vtk_to_numpy(found)


def triangles(data, number):
    """The corners of all triangles, by the numbers of their points."""
    found = set()
    for i in range(data.GetNumberOfCells()):
        cell = data.GetCell(i)
        need(cell.GetNumberOfPoints() == 3, "a cell of the surface is no triangle")
        found.add(tuple(sorted(number[cell.GetPointId(k)] for k in range(3))))
    return found


def same(data, outer, what):
    """The same triangles between the same points, however these are numbered."""
    need(data.GetNumberOfPoints() == outer.GetNumberOfPoints(), f"{what}: {data.GetNumberOfPoints()} points")
    need(data.GetNumberOfCells() == outer.GetNumberOfCells(), f"{what}: {data.GetNumberOfCells()} triangles")
    locator = vtk.vtkPointLocator()
    locator.SetDataSet(outer)
    locator.BuildLocator()
    number = [locator.FindClosestPoint(data.GetPoint(i)) for i in range(data.GetNumberOfPoints())]
    for i, nearest in enumerate(number):
        distance = math.dist(data.GetPoint(i), outer.GetPoint(nearest))
        need(distance < 1e-6, f"{what}: point {i} is {distance} m away from where it should be")
    own = range(outer.GetNumberOfPoints())
    need(triangles(data, number) == triangles(outer, own), f"{what}: other triangles")


def read_pc2(path):
    data = path.read_bytes()
    head = struct.Struct("<12siiffi")
    magic, version, count, start, rate, samples = head.unpack_from(data)
    need(magic == b"POINTCACHE2\0" and version == 1, f"{path}: no PC2 file")
    need((start, rate) == (0.0, 1.0), f"{path}: samples are not one frame apart")
    need(len(data) == head.size + 12 * count * samples, f"{path}: of the wrong size")
    return [struct.unpack_from(f"<{3 * count}f", data, head.size + 12 * count * s) for s in range(samples)]


def read_mdd(path):
    data = path.read_bytes()
    samples, count = struct.unpack_from(">ii", data)
    times = struct.unpack_from(f">{samples}f", data, 8)
    start = 8 + 4 * samples
    need(len(data) == start + 12 * count * samples, f"{path}: of the wrong size")
    need(all(a < b for a, b in zip(times, times[1:])), f"{path}: times do not rise")
    return times, [struct.unpack_from(f">{3 * count}f", data, start + 12 * count * s) for s in range(samples)]


pc2 = read_pc2(export / f"{name}.pc2")
times, mdd = read_mdd(export / f"{name}.mdd")
need(pc2 == mdd and len(pc2) == frames, "the two caches differ")
cached = read(vtk.vtkOBJReader(), export / f"{name}.obj")

series = json.loads((export / "vtkhdf" / f"{name}.vtkhdf.series").read_text())["files"]
need(len(series) == frames, "the list of VTKHDF files is of the wrong length")

for frame in range(frames):
    own = read(vtk.vtkXMLUnstructuredGridReader(), run / "frames" / f"frame_{frame:05d}.vtu")
    vtu = read(vtk.vtkXMLUnstructuredGridReader(), export / "vtu" / "frames" / f"frame_{frame:05d}.vtu")
    hdf = read(vtk.vtkHDFReader(), export / "vtkhdf" / f"{name}_{frame:05d}.vtkhdf")
    obj = read(vtk.vtkOBJReader(), export / "obj" / f"{name}_{frame:05d}.obj")
    ply = read(vtk.vtkPLYReader(), export / "ply" / f"{name}_{frame:05d}.ply")
    time = array(own, "GetFieldData", "TimeValue")[0]
    need(series[frame]["name"] == f"{name}_{frame:05d}.vtkhdf", "the list names another file")
    need(abs(series[frame]["time"] - time) < 1e-12 and abs(times[frame] - time) < 1e-6, "wrong time")

    for other, what in ((vtu, "VTU"), (hdf, "VTKHDF")):
        need((points(other) == points(own)).all(), f"{what}: other points")
        need(other.GetNumberOfCells() == own.GetNumberOfCells(), f"{what}: other cells")
        for c in range(own.GetNumberOfCells()):
            need(other.GetCellType(c) == own.GetCellType(c), f"{what}: cell {c} is of another type")
        need(array(other, "GetFieldData", "TimeValue")[0] == time, f"{what}: another time")
        for where in ("GetPointData", "GetCellData"):
            fields = getattr(own, where)()
            for i in range(fields.GetNumberOfArrays()):
                field = fields.GetArrayName(i)
                theirs, ours = array(other, where, field), array(own, where, field)
                # Computed anew: the same but for a last bit of single precision.
                slack = 2e-7 * abs(ours).max() if field in ("stress", "von_mises") else 0
                need((abs(theirs - ours) <= slack).all(), f"{what}: {field} differs")
        for field in ("contact_pressure", "nodal_stress", "contact_shear"):
            need(other.GetPointData().HasArray(field), f"{what}: no {field}")
        for field in ("strain", "principal_stress", "energy_density"):
            need(other.GetCellData().HasArray(field), f"{what}: no {field}")

    skin = vtk.vtkDataSetSurfaceFilter()
    skin.SetInputData(own)
    skin.Update()
    outer = skin.GetOutput()
    same(obj, outer, "OBJ")
    same(ply, outer, "PLY")
    moved = vtk.vtkPoints()
    for i in range(0, len(pc2[frame]), 3):
        moved.InsertNextPoint(pc2[frame][i:i + 3])
    cached.SetPoints(moved)
    same(cached, outer, "the mesh with its cache")
    if "points" in expected:
        need(obj.GetNumberOfPoints() == int(expected["points"]), f"{obj.GetNumberOfPoints()} points")
    if "triangles" in expected:
        need(outer.GetNumberOfCells() == int(expected["triangles"]), f"{outer.GetNumberOfCells()} triangles")
