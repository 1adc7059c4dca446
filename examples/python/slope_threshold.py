#!/usr/bin/env python3
"""At which slope does a block begin to slide? A table is tilted until it does, for several
coefficients of friction; the angle should be arctan μ. Writes slope_threshold.svg.

    python3 examples/python/slope_threshold.py [--coefficients 0.1 0.2 …] [--rate DEGREES_PER_S]
"""

import argparse
import math

import stiction
from stiction import obstacles, shapes


def build(coefficient, rate):
    """A flat block on a table that is tilted by `rate` radians per second about the y-axis."""
    scene = stiction.Scene()
    scene.add_material("rubber", young="10 MPa", poisson=0.3, density=1000)
    scene.add_body("block", shapes.box(size_x=0.2, size_y=0.2, size_z=0.1, edge="10 cm"),
                   translate=[0, 0, 0.0501])
    scene.add_obstacle("table", obstacles.half_space(), material="wood")
    scene.add_friction(["rubber", "wood"], coefficient)
    scene.set_time(math.radians(60) / rate, step="10 ms")
    scene.set_motion("table", lambda time: stiction.Pose(rotation=[0, rate * time, 0]))
    return scene


def threshold(coefficient, rate):
    """The angle (rad) at which no vertex sticks any more."""
    simulation = stiction.Simulation(build(coefficient, rate))
    for report in simulation:
        settled = report.time > 0.1  # it drops by a hair at first
        if settled and report.contact.touching and not report.contact.sticking:
            return rate * report.time
    raise RuntimeError(f"the block still sticks at {math.degrees(rate * simulation.time):.0f} deg")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coefficients", type=float, nargs="+",
                        default=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    parser.add_argument("--rate", type=float, default=10, help="tilt, degrees per second")
    parser.add_argument("--out", default="slope_threshold.svg")
    given = parser.parse_args()

    rate = math.radians(given.rate)
    print("   μ    slides at   arctan μ")
    measured = []
    for coefficient in given.coefficients:
        measured.append(math.degrees(threshold(coefficient, rate)))
        print(f"{coefficient:5.2f}   {measured[-1]:6.2f}°    "
              f"{math.degrees(math.atan(coefficient)):6.2f}°")

    fine = [given.coefficients[-1] * i / 100 for i in range(101)]
    expected = [math.degrees(math.atan(coefficient)) for coefficient in fine]
    stiction.plot({"arctan μ": (fine, expected, "reference"),
                   "block": (given.coefficients, measured, "marks")}, given.out,
                  title="Slope at which a block begins to slide",
                  x="coefficient of friction μ", y="slope (deg)")
    print(f"drawn in {given.out}")


if __name__ == "__main__":
    main()
