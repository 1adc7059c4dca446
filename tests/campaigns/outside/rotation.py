"""Rotations as scenes give them."""
import numpy as np


def rotation_matrix(rotations):
    """Of the key `rotate` of a scene: rotations in order, about axes through the origin."""
    matrix = np.eye(3)
    for turn in rotations:
        matrix = rotation_about(turn["axis"], turn["angle"]) @ matrix
    return matrix


def rotation_about(axis, angle):
    x, y, z = np.array(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
