#!/usr/bin/env python3
"""Finds the coefficient of friction and the speed of a block that slides to rest, from measured
positions, by Gauss-Newton on the derivatives of the simulation, with standard errors.

Usage: fit_slide.py [--noise METRES]"""

import argparse
import random

import numpy as np

import stiction

SCENE = {
    "title": "A block that slides to rest",
    "materials": {"wood": {"law": "rigid", "density": "600 kg/m^3"}},
    "bodies": {"block": {
        "shape": {"type": "box", "size_x": "30 cm", "size_y": "20 cm", "size_z": "10 cm", "edge": "10 cm"},
        "material": "wood", "translate": [0, 0, "5.31 cm"], "velocity": [1, 0, 0]}},
    "obstacles": {"floor": {"shape": {"type": "half_space"}, "material": "plank"}},
    "friction": [{"between": ["wood", "plank"], "dynamic": 0.5}],
    "contact": {"thickness": "3 mm"},
    "integrator": "bdf2",
    "time": {"duration": "0.4 s", "step": "5 ms", "frame_rate": "20 Hz"},
}
NUMBERS = ("friction[0].dynamic", "bodies.block.velocity[0]")


def track(values, derivatives):
    """Where the block's first vertex is along x at each frame, and the derivatives of that."""
    scene = stiction.Scene(SCENE)
    scene.data["friction"][0]["dynamic"] = float(values[0])
    scene.data["bodies"]["block"]["velocity"] = [float(values[1]), 0, 0]
    simulation = stiction.Simulation(scene, threads=1)
    by = simulation.differentiate(*NUMBERS) if derivatives else None
    places, slopes = [], []
    for _ in simulation:
        if simulation.on_frame:
            places.append(simulation.positions[0, 0])
            slopes.append([by.positions(number)[0, 0] for number in NUMBERS] if by else [])
    return np.array(places), np.array(slopes)


def misfit(measured, values):
    return np.sum((measured - track(values, False)[0]) ** 2)


def fit(measured, values):
    """Gauss-Newton: the values, and their standard errors from what is left. Steps are halved until
    they fit better, since derivatives know nothing of a stop that comes sooner or later."""
    for _ in range(30):
        places, slopes = track(values, True)
        left = measured - places
        change = np.linalg.lstsq(slopes, left, rcond=None)[0]
        while np.any(values + change <= 0) or misfit(measured, values + change) > left @ left:
            change /= 2
            if np.all(np.abs(change) < 1e-6 * values):
                break
        if np.all(np.abs(change) < 1e-6 * values):
            break
        values = values + change
    variance = left @ left / (len(left) - len(values))
    return values, np.sqrt(np.diag(variance * np.linalg.inv(slopes.T @ slopes)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noise", type=float, default=0.002, help="of the measurement, m")
    arguments = parser.parse_args()
    true = np.array([0.31, 1.2])
    noise = random.Random(1)
    measured = track(true, False)[0]
    measured += [noise.gauss(0, arguments.noise) for _ in measured]
    values, errors = fit(measured, np.array([0.5, 1.0]))
    for number, value, error, right in zip(NUMBERS, values, errors, true):
        print(f"{number:26} {value:.6f} ± {error:.6f}   true {right}")


if __name__ == "__main__":
    main()
