"""Opens the multi-block files of `stiction export --to vtm` with VTK's reader, as ParaView does: blocks have
the names of bodies and obstacles, bodies together are the run's own frame, obstacles are where the scene
says. Usage: read_blocks.py RUN FOLDER NAME FRAMES [surface]"""
import math
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

run, folder, name, frames = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
surface = "surface" in sys.argv[5:]


def need(condition, text):
    if not condition:
        sys.exit(text)


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData())


def blocks(data):
    """{name: block} of one level."""
    return {data.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME()): data.GetBlock(i)
            for i in range(data.GetNumberOfBlocks())}


def own_frame(time):
    for path in sorted((run / "frames").glob("*.vtu")):
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(path))
        reader.Update()
        grid = reader.GetOutput()
        if abs(grid.GetFieldData().GetArray("TimeValue").GetValue(0) - time) < 1e-12:
            return grid
    sys.exit(f"the run has no frame at {time}")


def same_fields(block, grid, first, count):
    fields = grid.GetPointData()
    for i in range(fields.GetNumberOfArrays()):
        array = block.GetPointData().GetArray(fields.GetArrayName(i))
        need(array is not None, f"{fields.GetArrayName(i)} is missing")
        whole = vtk_to_numpy(fields.GetArray(i))[first:first + count]
        need((vtk_to_numpy(array) == whole).all(), f"{fields.GetArrayName(i)} differs")
    volume = vtk_to_numpy(grid.GetCellData().GetArray("body"))
    inside = vtk_to_numpy(block.GetCellData().GetArray("body"))
    need(len(set(inside)) == 1, "a block holds cells of several bodies")
    for name in ("von_mises", "material"):
        whole = vtk_to_numpy(grid.GetCellData().GetArray(name))[volume == inside[0]]
        need((vtk_to_numpy(block.GetCellData().GetArray(name)) == whole).all(), f"{name} differs")


series = [(float(entry.get("timestep")), entry.get("file"))
          for entry in xml.parse(folder / f"{name}.pvd").getroot().iter("DataSet")]
need(len(series) == frames, f"{len(series)} frames are listed")
for time, file in series:
    reader = vtk.vtkXMLMultiBlockDataReader()
    reader.SetFileName(str(folder / file))
    reader.Update()
    top = blocks(reader.GetOutput())
    need(list(top) == ["bodies", "obstacles"], f"top level: {list(top)}")
    bodies, obstacles = blocks(top["bodies"]), blocks(top["obstacles"])
    need(list(bodies) == ["block", "sheet"], f"bodies: {list(bodies)}")
    need(list(obstacles) == ["floor", "a ball"], f"obstacles: {list(obstacles)}")
    grid = own_frame(time)
    need(sum(block.GetNumberOfCells() for block in bodies.values()) ==
         (88 if surface else grid.GetNumberOfCells()), "other cells")
    first = 0
    for block in bodies.values():
        count = block.GetNumberOfPoints()
        if surface:
            need({block.GetCellType(c) for c in range(block.GetNumberOfCells())} == {vtk.VTK_TRIANGLE},
                 "a surface has other cells than triangles")
            continue
        need((points(block) == points(grid)[first:first + count]).all(), "other points")
        same_fields(block, grid, first, count)
        first += count
    # The ball goes 0.2 m along y in 0.04 s, and half-way it is half-way.
    ball = points(obstacles["a ball"])
    centre = (ball.min(axis=0) + ball.max(axis=0)) / 2
    if time in (0.0, 0.02, 0.04):
        need(math.dist(centre, (-1, 5 * time, 0.2)) < 1e-6, f"the ball is at {centre} at {time} s")
    need(numpy.abs(numpy.linalg.norm(ball - centre, axis=1) - 0.1).max() < 1e-6, "the ball is not round")
    need((points(obstacles["floor"])[:, 2] == 0).all(), "the floor is not at 0")
