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


def read_contacts(path):
    """Of each pair, in either order of its names: its columns by name."""
    with open(path, newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names, pairs = [name.split(" [")[0] for name in rows[0]], {}
    for row in rows[1:]:
        if len(row) == len(names):
            pairs.setdefault(row[names.index("pair")], []).append([number(cell) for cell in row])
    return {pair: dict(zip(names, np.array(table).T)) for pair, table in pairs.items()}


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return float("nan")
