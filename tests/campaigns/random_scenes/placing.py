"""Places objects so that they start apart: their axis-aligned boxes must not overlap."""
import itertools

import numpy as np

from outside.rotation import rotation_matrix


def turned_box(shape, rotations):
    """Lowest and highest corner of the box around a turned shape."""
    corners = np.array(list(itertools.product(*zip(shape.low, shape.high))))
    corners = corners @ rotation_matrix(rotations).T
    return corners.min(axis=0), corners.max(axis=0)


class Yard:
    """The boxes that are taken so far."""

    def __init__(self):
        self.boxes = []

    def take(self, low, high):
        self.boxes.append((np.array(low), np.array(high)))

    def is_free(self, low, high):
        return all(np.any(low >= other_high) or np.any(high <= other_low) for other_low, other_high in self.boxes)

    def place(self, low, high, gap, direction, step):
        """Moves a box outward from the origin until it is free; returns how far, as a vector."""
        direction = np.array(direction) / np.linalg.norm(direction)
        middle, distance = (low + high) / 2, 0.0
        while not self.is_free(low - middle + direction * distance - gap, high - middle + direction * distance + gap):
            distance += step
        shift = direction * distance - middle
        self.take(low + shift, high + shift)
        return shift

    def around(self):
        return (np.min([low for low, _ in self.boxes], axis=0), np.max([high for _, high in self.boxes], axis=0))

    def lowest(self, normal):
        """How far the boxes reach against a direction."""
        reach = [np.where(normal > 0, low, high) @ normal for low, high in self.boxes]
        return float(min(reach))
