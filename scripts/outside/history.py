"""Reads the table of a run's steps."""
import csv

import numpy as np


def read_history(path):
    """Columns by name, without units."""
    with open(path, newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names = [name.split(" [")[0] for name in rows[0]]
    table = np.array([[number(cell) for cell in row] for row in rows[1:] if len(row) == len(names)])
    return {name: table[:, i] for i, name in enumerate(names)} if len(table) else {}


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return float("nan")
