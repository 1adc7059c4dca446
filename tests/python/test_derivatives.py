"""Derivatives by numbers of the scene."""

import unittest

import numpy as np

import stiction
from world import block, floor


class Derivatives(unittest.TestCase):
    def test_free_flight(self):
        scene = block(velocity=[1, 0, 0])
        with stiction.Simulation(scene) as simulation:
            derivatives = simulation.differentiate("bodies.block.velocity[0]")
            simulation.step(0.1)
            wanted = np.zeros((simulation.vertex_count, 3))
            wanted[:, 0] = 1
            number = derivatives.numbers[0]
            np.testing.assert_allclose(derivatives.velocities(number), wanted, atol=1e-9)
            np.testing.assert_allclose(derivatives.positions(number), 0.1 * wanted, atol=1e-9)
            report = derivatives.report
            self.assertEqual((report.cut, report.anchors_lost, report.settled), (0, 0, False))
            self.assertLess(report.error, 1e-8)
            self.assertIn("bodies.block.velocity[0]", repr(derivatives))

    def test_sliding_slows_by_friction(self):
        scene = floor(friction=0.5)
        scene.data["bodies"]["block"]["velocity"] = [2, 0, 0]
        simulation = stiction.Simulation(scene)
        derivatives = simulation.differentiate("friction[0].dynamic", "materials.rubber.young")
        simulation.step(0.1)
        by = derivatives.velocities("friction[0].dynamic")[:, 0].mean()
        self.assertAlmostEqual(by, -9.81 * 0.1, delta=0.05 * 9.81 * 0.1)  # it drops by a hair first

    def test_mistakes_are_named(self):
        simulation = stiction.Simulation(floor())
        with self.assertRaisesRegex(stiction.BadInput, "known: between, dynamic"):
            simulation.differentiate("friction[0].dynamik")
        derivatives = simulation.differentiate("friction[0].dynamic")
        with self.assertRaisesRegex(stiction.BadInput, "those that are: friction"):
            derivatives.positions("materials.rubber.young")
        simulation.step()
        simulation.parameters.gravity = [0, 0, -1]
        with self.assertRaisesRegex(stiction.BadInput, "while derivatives are followed"):
            simulation.step()
        simulation.differentiate()


if __name__ == "__main__":
    unittest.main()
