"""Fields of simulations and of frames."""

import pickle
import shutil
import unittest

import numpy as np

import stiction
from stiction import obstacles, shapes

G = 9.81


def pressed(order=1, **more):
    """A block of 0.5 kg that stands on a floor, and a sheet that hangs beside it."""
    scene = stiction.Scene()
    scene["analysis"] = "static"
    scene["load_steps"] = 2
    scene.add_material("rubber", young="1 MPa", poisson=0.3, density=1000)
    scene.add_material("foil", law="shell", young="1 MPa", poisson=0.3, thickness="1 mm",
                       density=1000)
    scene.add_body("block", shapes.box(size_x=0.1, size_y=0.1, size_z=0.05, edge="25 mm"),
                   material="rubber", translate=[0, 0, 0.02505], order=order)
    scene.add_body("sheet", shapes.sheet(width=0.1, length=0.1, edge="50 mm"), material="foil",
                   translate=[0.3, 0, 0.3], rotate={"axis": "x", "angle": "90 deg"})
    scene.add_boundary("rail", body="sheet", region={"box": {"min": [0, -1, 0.349],
                                                             "max": [1, 1, 1]}})
    scene.add_obstacle("floor", obstacles.half_space())
    scene.set_output(**more)
    return scene


def fresh(name):
    shutil.rmtree(name, ignore_errors=True)
    return name


class Fields(unittest.TestCase):
    def test_names(self):
        types = stiction.fields()
        self.assertEqual(types["contact_pressure"].unit, "Pa")
        self.assertEqual(types["contact_shear"].components, 3)
        self.assertTrue(types["strain"].of_cells)
        self.assertFalse(types["nodal_stress"].of_cells)

    def test_simulation(self):
        simulation = stiction.Simulation(pressed())
        for _ in simulation:
            pass
        block, sheet = simulation.bodies.values()
        cells = len(block.tets) + len(sheet.triangles)
        for name, kind in stiction.fields().items():
            rows = cells if kind.of_cells else simulation.vertex_count
            wanted = (rows, kind.components) if kind.components > 1 else (rows,)
            self.assertEqual(simulation.field(name).shape, wanted)
        rest = np.concatenate([block.rest, sheet.rest])
        np.testing.assert_array_equal(simulation.field("displacement"),
                                      simulation.positions - rest)
        np.testing.assert_allclose(simulation.field("stress")[:len(block.tets)], simulation.stress,
                                   atol=1e-9 * abs(simulation.stress).max())
        # A triangle of the sheet carries what hangs below its middle, some third of an edge wrong.
        hanging = simulation.field("stress")[len(block.tets):]
        self.assertGreater(hanging[:, 2].max(), 0.5 * 1000 * G * 0.1 / 2)
        pressure = simulation.field("contact_pressure")
        self.assertAlmostEqual(pressure[pressure > 0].mean(), 1000 * G * 0.05, delta=50)
        with self.assertRaisesRegex(stiction.BadInput, "there is no field \"colour\""):
            simulation.field("colour")

    def check_frames(self, order):
        folder = fresh(f"fields{order}")
        stiction.run(pressed(order), folder)
        simulation = stiction.Simulation(pressed(order))
        for _ in simulation:
            pass
        frame = stiction.frames(folder)[-1]
        for name, kind in stiction.fields().items():
            got, live = frame.field(name), simulation.field(name)
            if kind.of_cells and order == 2:
                parts = 8 * len(frame.tets)
                live = np.concatenate([live[:parts:8], live[parts:]])
            np.testing.assert_allclose(got, live, rtol=0, atol=1e-6 * abs(live).max())
            rows = len(frame.tets) + len(frame.triangles) if kind.of_cells else len(frame.positions)
            self.assertEqual(len(got), rows)
        np.testing.assert_array_equal(frame.field("velocity"), frame.points["velocity"])
        np.testing.assert_array_equal(frame.field("body"), frame.cells["body"])
        return frame

    def test_frames(self):
        frame = self.check_frames(1)
        again = pickle.loads(pickle.dumps(frame))
        np.testing.assert_array_equal(again.field("strain"), frame.field("strain"))

    def test_frames_of_second_order(self):
        self.check_frames(2)

    def test_frames_without_forces(self):
        folder = fresh("bare")
        stiction.run(pressed(forces=False, stress=False), folder)
        frame = stiction.frames(folder)[0]
        self.assertNotIn("stress", frame.cells)
        self.assertEqual(frame.field("stress").shape[1], 6)
        with self.assertRaisesRegex(stiction.BadInput, "they have no contact forces"):
            frame.field("contact_pressure")


if __name__ == "__main__":
    unittest.main()
