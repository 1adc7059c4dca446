#!/usr/bin/python3
"""Proves that VTK itself reads our files: counts, cell types, arrays, label names, volume.

usage: read_with_vtk.py FILE [points=N] [tets=N] [triangles=N] [vertices=N] [volume=X]
                             [point_array=NAME:COMPONENTS[:TYPE]]... [cell_array=...]...
                             [labels=NAME,NAME...] [time=X] [FILE ...]
What is given is checked; TYPE is one of double, float, int. Exit status 0 when all is as expected,
1 when something differs, 77 when VTK is not installed (so that CTest can skip).
"""
import sys

try:
    from vtkmodules.vtkCommonCore import vtkObject
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOLegacy import vtkUnstructuredGridReader
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError:
    print("VTK's Python modules are not installed (Debian: python3-vtk9)")
    sys.exit(77)

TETRA, TRIANGLE, VERTEX = 10, 5, 1


def read(path, problems):
    by_ending = {".vtk": vtkUnstructuredGridReader, ".vtkhdf": vtkHDFReader}
    reader = by_ending.get(path[path.rindex("."):], vtkXMLUnstructuredGridReader)()
    reader.SetFileName(path)
    for event in ("ErrorEvent", "WarningEvent"):
        reader.AddObserver(event, lambda *_: problems.append(f"VTK complains about {path}"))
    reader.Update()
    return reader.GetOutput()


def count(grid, kind):
    return sum(grid.GetCellType(i) == kind for i in range(grid.GetNumberOfCells()))


def volume(grid):
    total = 0.0
    for i in range(grid.GetNumberOfCells()):
        if grid.GetCellType(i) != TETRA:
            continue
        points = grid.GetCell(i).GetPoints()
        a, b, c, d = (points.GetPoint(k) for k in range(4))
        u, v, w = ([q - p for p, q in zip(a, x)] for x in (b, c, d))
        total += (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2])
                  + u[2] * (v[0] * w[1] - v[1] * w[0])) / 6
    return total


def check_array(data, wanted, size, problems):
    name, components, *kind = wanted.split(":")
    array = data.GetArray(name)
    if array is None:
        names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
        problems.append(f"no array {name}; there are {names}")
        return
    if array.GetNumberOfComponents() != int(components):
        problems.append(f"{name} has {array.GetNumberOfComponents()} components, not {components}")
    if array.GetNumberOfTuples() != size:
        problems.append(f"{name} has {array.GetNumberOfTuples()} tuples, not {size}")
    if kind and array.GetDataTypeAsString() != kind[0]:
        problems.append(f"{name} is of type {array.GetDataTypeAsString()}, not {kind[0]}")


def check(grid, key, value, problems):
    numbers = {
        "points": grid.GetNumberOfPoints,
        "tets": lambda: count(grid, TETRA),
        "triangles": lambda: count(grid, TRIANGLE),
        "vertices": lambda: count(grid, VERTEX),
    }
    if key in numbers:
        if numbers[key]() != int(value):
            problems.append(f"{key}: {numbers[key]()}, not {value}")
    elif key == "volume":
        if abs(volume(grid) - float(value)) > 1e-9 * max(1.0, abs(float(value))):
            problems.append(f"volume: {volume(grid)}, not {value}")
    elif key == "point_array":
        check_array(grid.GetPointData(), value, grid.GetNumberOfPoints(), problems)
    elif key == "cell_array":
        check_array(grid.GetCellData(), value, grid.GetNumberOfCells(), problems)
    elif key == "labels":
        names = grid.GetFieldData().GetAbstractArray("LabelNames")
        found = [names.GetValue(i) for i in range(names.GetNumberOfValues())] if names else []
        if found != value.split(","):
            problems.append(f"labels: {found}, not {value.split(',')}")
    elif key == "time":
        array = grid.GetFieldData().GetArray("TimeValue")
        if array is None or array.GetValue(0) != float(value):
            problems.append(f"time: {array.GetValue(0) if array else None}, not {value}")
    else:
        sys.exit(f"unknown expectation {key}\n{__doc__}")


def main(words):
    vtkObject.GlobalWarningDisplayOff()
    problems, grid = [], None
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            grid = read(word, problems)
            print(f"{word}: {grid.GetNumberOfPoints()} points, {grid.GetNumberOfCells()} cells")
        elif grid is None:
            sys.exit(__doc__)
        else:
            check(grid, key, value, problems)
    if grid is None:
        sys.exit(__doc__)
    for problem in problems:
        print(f"  {problem}")
    return 1 if problems else 0


sys.exit(main(sys.argv[1:]))
