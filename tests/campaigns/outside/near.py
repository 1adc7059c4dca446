"""Pairs of overlapping axis-aligned boxes."""
import numpy as np

ROWS = 400  # boxes compared with all others at a time
FEW = 2_000_000  # up to this many pairs, comparing all is quicker than sorting into cells
CROWDED = 30  # cells per box, on average, beyond which sorting into cells does not pay


def near_pairs(low_a, high_a, low_b, high_b):
    """Index pairs (a, b) of overlapping boxes, sorted."""
    if len(low_a) * len(low_b) > FEW:
        found = by_cells(low_a, high_a, low_b, high_b)
        if found is not None:
            return found
    return one_by_one(low_a, high_a, low_b, high_b)


def one_by_one(low_a, high_a, low_b, high_b):
    found = []
    for start in range(0, len(low_a), ROWS):
        part = slice(start, start + ROWS)
        meet = np.ones((len(low_a[part]), len(low_b)), bool)
        for k in range(3):
            meet &= low_a[part, k, None] <= high_b[None, :, k]
            meet &= high_a[part, k, None] >= low_b[None, :, k]
        rows, columns = np.nonzero(meet)
        found.append(np.stack([rows + start, columns], axis=1))
    return np.concatenate(found) if found else np.zeros((0, 2), int)


def by_cells(low_a, high_a, low_b, high_b):
    """Enters boxes into all grid cells that they overlap, and compares those of each cell. None: too crowded."""
    low, high = np.minimum(low_a.min(axis=0), low_b.min(axis=0)), np.maximum(high_a.max(axis=0), high_b.max(axis=0))
    extents = np.concatenate([high_a - low_a, high_b - low_b])
    size = np.maximum(1.5 * np.quantile(extents, 0.9, axis=0), 1e-3 * np.max(high - low) + 1e-300)
    sides = np.floor((high - low) / size).astype(np.int64) + 1
    entries = [enter(*boxes, low, size, sides) for boxes in ((low_a, high_a), (low_b, high_b))]
    if any(entry is None for entry in entries):
        return None
    (cell_a, box_a), (cell_b, box_b) = entries
    first = np.searchsorted(cell_b, cell_a, "left")
    count = np.searchsorted(cell_b, cell_a, "right") - first
    found = []
    for part in parts(count):
        a = np.repeat(box_a[part], count[part])
        b = box_b[np.repeat(first[part], count[part]) + within(count[part])]
        meet = np.all((low_a[a] <= high_b[b]) & (high_a[a] >= low_b[b]), axis=1)
        found.append(np.unique(a[meet].astype(np.int64) * len(low_b) + b[meet]))
    codes = np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)
    return np.stack([codes // len(low_b), codes % len(low_b)], axis=1)


def parts(count):
    """Slices of about a million each, so that memory stays bounded."""
    ends = np.cumsum(count)
    bounds = np.searchsorted(ends, np.arange(0, ends[-1] + 1, 1_000_000)[1:]) if len(ends) else []
    bounds = np.unique(np.concatenate([[0], bounds, [len(count)]]).astype(int))
    return [slice(start, end) for start, end in zip(bounds, bounds[1:])]


def within(count):
    """0 … count − 1 for each of the counts, one after another."""
    return np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)


def enter(low, high, origin, size, sides):
    """Cells and the boxes in them, sorted by cell."""
    first = np.floor((low - origin) / size).astype(np.int64)
    span = np.floor((high - origin) / size).astype(np.int64) - first + 1
    count = np.prod(span, axis=1)
    if count.sum() > CROWDED * len(low):
        return None
    box = np.repeat(np.arange(len(low)), count)
    index = within(count)
    span = span[box]
    steps = np.stack([index % span[:, 0], index // span[:, 0] % span[:, 1],
                      index // (span[:, 0] * span[:, 1])], axis=1)
    at = first[box] + steps
    cell = (at[:, 2] * sides[1] + at[:, 1]) * sides[0] + at[:, 0]
    order = np.argsort(cell, kind="stable")
    return cell[order], box[order]
