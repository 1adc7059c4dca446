"""Stepping: the state as arrays without copies, forces, reports, and what happens on mistakes."""

import gc
import logging
import unittest
import weakref
from dataclasses import fields

import numpy as np

import stiction
from stiction import _report
from stiction._library import LIBRARY, ffi
from world import block, floor, rod

G = 9.81


def address(array):
    return array.__array_interface__["data"][0]


class State(unittest.TestCase):
    def test_fall(self):
        scene = block()
        scene["integrator"] = "tr"
        simulation = stiction.Simulation(scene)
        start = simulation.positions.copy()
        reports = list(simulation)
        self.assertEqual(len(reports), 20)
        self.assertTrue(simulation.finished)
        self.assertAlmostEqual(simulation.time, 0.2, 12)
        # The trapezoidal rule is exact for constant acceleration.
        fallen = simulation.positions - start
        np.testing.assert_allclose(fallen[:, 2], -G * 0.2**2 / 2, rtol=1e-9)
        np.testing.assert_allclose(simulation.velocities[:, 2], -G * 0.2, rtol=1e-9)
        np.testing.assert_allclose(fallen[:, :2], 0, atol=1e-12)

    def test_threads_change_nothing(self):
        ends = []
        for threads in (1, 2):
            simulation = stiction.Simulation(block(edge="1 cm"), threads=threads)
            simulation.step()
            self.assertEqual(LIBRARY.functions.stiction_simulation_threads(simulation._handle.pointer), threads)
            ends.append(simulation.positions.copy())
        np.testing.assert_array_equal(*ends)
        for nonsense in (0, -1, 1.5, "two", True):
            with self.assertRaisesRegex(stiction.BadInput, "threads: a whole number from 1 on"):
                stiction.Simulation(block(), threads=nonsense)
        with self.assertRaisesRegex(stiction.BadInput, "from 1 to 256"):
            stiction.Simulation(block(), threads=1000)

    def test_arrays_are_the_librarys_memory(self):
        simulation = stiction.Simulation(block())
        pointer = simulation._handle.pointer
        functions = LIBRARY.functions
        for array, get in ((simulation.positions, functions.stiction_simulation_positions),
                           (simulation.velocities, functions.stiction_simulation_velocities)):
            self.assertEqual(address(array), int(ffi.cast("uintptr_t", get(pointer))))
            self.assertTrue(array.flags.writeable and array.flags.c_contiguous)
            self.assertFalse(array.flags.owndata)
        positions, before = simulation.positions, simulation.positions.copy()
        simulation.step()
        self.assertIs(simulation.positions, positions)
        self.assertEqual(address(positions),
                         int(ffi.cast("uintptr_t",
                                      functions.stiction_simulation_positions(pointer))))
        self.assertLess(positions[:, 2].max(), before[:, 2].max())
        self.assertEqual(address(positions[simulation.bodies["block"].vertices]),
                         address(positions))

    def test_arrays_keep_the_simulation(self):
        simulation = stiction.Simulation(block())
        simulation.step()
        handle = weakref.ref(simulation._handle)
        part = simulation.positions[2:5, 1]
        copy = part.copy()
        del simulation
        gc.collect()
        self.assertIsNotNone(handle())
        np.testing.assert_array_equal(part, copy)
        del part
        self.assertIsNone(handle(), "the simulation outlives the last array")

    def test_many_simulations_one_session(self):
        scene = block(duration="0.05 s")
        ends = {float(list(stiction.Simulation(scene))[-1].centre_of_mass[2]) for _ in range(5)}
        self.assertEqual(len(ends), 1)

    def test_writing_moves_on_from_there(self):
        scene = block(duration="1 s")
        scene["gravity"] = 0
        simulation = stiction.Simulation(scene)
        simulation.step()
        simulation.positions[:, 0] += 3.0
        simulation.velocities = [0.0, 2.0, 0.0]
        where = simulation.positions.copy()
        report = simulation.step()
        np.testing.assert_allclose(simulation.positions - where,
                                   np.tile([0, 2.0 * report.step_size, 0], (len(where), 1)),
                                   atol=1e-9)
        np.testing.assert_allclose(report.momentum, [0, 2.0, 0], atol=1e-6)

    def test_writing_before_the_first_step(self):
        scene = block()
        scene["gravity"] = 0
        simulation = stiction.Simulation(scene)
        simulation.velocities += [0, 0, 1.5]
        np.testing.assert_allclose(simulation.step().momentum, [0, 0, 1.5], atol=1e-9)
        simulation = stiction.Simulation(scene)
        simulation.velocities[0, 0] = np.inf
        with self.assertRaisesRegex(stiction.BadInput, "vertex 0"):
            simulation.step()

    def test_what_cannot_be_is_refused(self):
        simulation = stiction.Simulation(block())
        simulation.step()
        good = simulation.positions.copy()
        simulation.positions[:, 2] *= -1  # inside out
        with self.assertRaises(stiction.BadInput) as caught:
            simulation.step()
        self.assertGreater(len(str(caught.exception)), 20)
        np.testing.assert_array_equal(simulation.positions, good)
        self.assertEqual(simulation.step().step, 2)

    def test_bodies_and_boundaries(self):
        scene = block(edge="5 cm")
        scene.add_boundary("foot", body="block", region={"label": "z-"})
        simulation = stiction.Simulation(scene)
        body = simulation.bodies["block"]
        self.assertEqual(body.vertices, slice(0, simulation.vertex_count))
        self.assertEqual(body.tets.shape[1], 4)
        edges = body.rest[body.tets[:, 1:]] - body.rest[body.tets[:, :1]]
        self.assertAlmostEqual(abs(np.linalg.det(edges)).sum() / 6, 1e-3, 12)
        np.testing.assert_array_equal(np.unique(body.skin).size,
                                      (abs(body.rest).max(axis=1) > 0.0499).sum())
        foot = simulation.boundaries["foot"]
        np.testing.assert_allclose(body.rest[foot.vertices][:, 2], -0.05)
        self.assertEqual(foot.axis, (True, True, True))
        self.assertEqual(foot.release, np.inf)
        self.assertIn("z-", body.labels)


class Judged(unittest.TestCase):
    def test_what_contact_misses_is_found(self):
        simulation = stiction.Simulation(rod())
        findings = simulation.findings
        self.assertFalse(findings.vertices.any())
        self.assertEqual(findings.inverted.shape, (len(simulation.bodies["rod"].tets),))
        self.assertTrue(np.isnan(simulation.report.judged.first_time))
        found = 0
        for report in simulation:
            self.assertTrue(report.judge.checked)
            reaches = report.judge.obstacle_crossings > 0
            found += reaches
            self.assertEqual(findings.vertices.any(), reaches)
            self.assertTrue(set(np.unique(findings.vertices)) <= {0, 4})
        self.assertGreater(found, 0)
        self.assertEqual(report.judged.findings, found)
        self.assertEqual(report.judged.states, report.step + 1)
        self.assertGreater(report.judged.first_time, 0)
        self.assertEqual(report.judge.vertices_inside, 0)
        self.assertIn('("rod" and obstacle "post", first at t = ', simulation.verdict)

    def test_frames_only_and_off(self):
        scene = rod(duration="0.05 s")
        scene.set_output(judge="frame")
        simulation = stiction.Simulation(scene)
        for report in simulation:
            self.assertEqual(report.judge.checked, simulation.on_frame)
            self.assertEqual(simulation.findings is None, not simulation.on_frame)
        scene = rod(duration="0.02 s")
        scene.set_output(judge="off")
        simulation = stiction.Simulation(scene)
        self.assertIsNone(simulation.findings)
        self.assertTrue(simulation.verdict.startswith("Not checked: "))


class Forces(unittest.TestCase):
    def test_at_rest_contact_carries_the_weight(self):
        simulation = stiction.Simulation(floor(duration="1 s"))
        contact = simulation.forces["contact"]
        start = address(contact)
        for report in simulation:
            pass
        self.assertEqual(address(simulation.forces["contact"]), start)
        self.assertAlmostEqual(contact[:, 2].sum(), G, delta=1e-3 * G)
        self.assertAlmostEqual(report.pairs["block|floor"].normal_force, G, delta=1e-3 * G)
        self.assertAlmostEqual(report.contact.normal_force, G, delta=1e-3 * G)
        total = sum(simulation.forces.values())
        np.testing.assert_allclose(simulation.forces.total, total, atol=1e-9)
        self.assertEqual(set(simulation.forces), set(report.energies))
        self.assertIn("friction", simulation.forces)
        self.assertIn("no edge passes through a triangle", simulation.verdict)
        self.assertGreaterEqual(report.certificate.deepest_gap, 0)
        contacts = simulation.contacts
        self.assertEqual((contacts.state == 1).sum(), report.contact.sticking)
        self.assertAlmostEqual(contacts.normal_force.sum(), G, delta=1e-3 * G)
        self.assertEqual(simulation.stress.shape, (len(simulation.bodies["block"].tets), 6))
        # What stands under its own weight is compressed by half of it on average.
        self.assertAlmostEqual(simulation.stress[:, 2].mean(), -G / 0.01 / 2, delta=50)

    def test_read_only(self):
        simulation = stiction.Simulation(block())
        with self.assertRaises(ValueError):
            simulation.forces["gravity"][0, 0] = 1
        np.testing.assert_allclose(simulation.forces["gravity"].sum(axis=0), [0, 0, -G])

    def test_unknown(self):
        simulation = stiction.Simulation(block(self_contact=False))
        with self.assertRaisesRegex(KeyError, "no force 'magic' acts; those that do: .*gravity"):
            simulation.forces["magic"]
        self.assertIsNone(simulation.contacts)

    def test_load(self):
        scene = block(duration="1 s")
        scene["gravity"] = 0
        scene["integrator"] = "tr"
        scene.add_load("push")
        simulation = stiction.Simulation(scene)
        simulation.loads["push"][:, 0] = 0.5 / simulation.vertex_count
        reports = [simulation.step() for _ in range(10)]
        np.testing.assert_allclose(reports[-1].momentum, [0.5 * reports[-1].time, 0, 0], atol=1e-7)
        simulation.loads["push"][:] = 0
        np.testing.assert_allclose(simulation.step().momentum, simulation.report.momentum)
        np.testing.assert_allclose(simulation.forces["push"], 0)

    def test_own_force(self):
        stiffness = 50.0
        identity = np.eye(3)

        def pull(point, force):
            force -= stiffness * point.masses[:, None] * point.positions

        def blocks(point, by_position, by_velocity):
            every = np.arange(len(point.masses))
            return every, every, -by_position * stiffness * point.masses[:, None, None] * identity

        def energy(point):
            return stiffness / 2 * (point.masses[:, None] * point.positions**2).sum()

        def build(**given):
            scene = block(duration="1 s", step="2 ms", translate=[1.0, 0, 0])
            scene["gravity"] = 0
            scene["integrator"] = "tr"
            return stiction.Simulation(scene.add_force("pull", pull, **given))

        simulation = build(blocks=blocks, energy=energy)
        block_error, energy_error = simulation.check_force("pull", 1e-3)
        self.assertLess(block_error, 1e-7)
        self.assertLess(energy_error, 1e-7)
        before = simulation.report.total_energy
        # Vertices are the corners: the mean of |x|² is 1 + 3 × 0.05².
        self.assertAlmostEqual(simulation.report.energies["pull"], 25 * 1.0075, 9)
        while simulation.time < 0.5:
            report = simulation.step()
        self.assertAlmostEqual(report.centre_of_mass[0], np.cos(np.sqrt(stiffness) * report.time),
                               delta=1e-3)
        self.assertAlmostEqual(report.total_energy, before, delta=1e-3 * before)
        by_differences = build()
        while by_differences.time < 0.1:
            report = by_differences.step()
        self.assertAlmostEqual(report.centre_of_mass[0], np.cos(np.sqrt(stiffness) * report.time),
                               delta=1e-4)


class Motion(unittest.TestCase):
    def gripped(self, **more):
        scene = block(duration="1 s", **more)
        scene["gravity"] = 0
        scene.add_boundary("grip", body="block", region={"label": "x-"})
        return scene

    def test_translation(self):
        simulation = stiction.Simulation(self.gripped())
        simulation.set_motion("grip", lambda time: [0, 0, 0.1 * np.sin(time)])
        held = simulation.boundaries["grip"].vertices
        rest = simulation.bodies["block"].rest[held]
        for _ in range(5):
            report = simulation.step()
            lift = simulation.positions[held] - rest
            np.testing.assert_allclose(lift[:, 2], 0.1 * np.sin(report.time), atol=1e-12)
            np.testing.assert_allclose(simulation.velocities[held][:, 2],
                                       0.1 * np.cos(report.time), atol=1e-8)
        # Exchanged between steps.
        simulation.set_motion("grip", lambda time: None)
        simulation.step()
        np.testing.assert_allclose(simulation.positions[held], rest, atol=1e-12)

    def test_rotation(self):
        scene = self.gripped()
        scene.set_motion("grip", lambda time: stiction.Pose(rotation=[2.0 * time, 0, 0]))
        simulation = stiction.Simulation(scene)
        held = simulation.boundaries["grip"].vertices
        rest = simulation.bodies["block"].rest[held]
        report = simulation.step()
        angle = 2.0 * report.time
        turned = rest[:, 1] * np.cos(angle) - rest[:, 2] * np.sin(angle)
        np.testing.assert_allclose(simulation.positions[held][:, 1], turned, atol=1e-12)
        np.testing.assert_allclose(simulation.velocities[held][:, 1],
                                   -2.0 * simulation.positions[held][:, 2], atol=1e-8)

    def test_vertices(self):
        simulation = stiction.Simulation(self.gripped())
        simulation.set_motion("grip", lambda time, rest: rest * (1 + 0.1 * time), vertices=True)
        held = simulation.boundaries["grip"].vertices
        rest = simulation.bodies["block"].rest[held]
        report = simulation.step()
        np.testing.assert_allclose(simulation.positions[held], rest * (1 + 0.1 * report.time),
                                   atol=1e-12)
        np.testing.assert_allclose(simulation.velocities[held], 0.1 * rest, atol=1e-8)

    def test_obstacle(self):
        scene = floor(friction=0, duration="1 s")
        scene.set_motion("floor", lambda time: stiction.Pose([0, 0, 0.2 * time],
                                                             velocity=[0, 0, 0.2], spin=[0, 0, 0]))
        simulation = stiction.Simulation(scene)
        while simulation.time < 0.5:
            report = simulation.step()
        self.assertAlmostEqual(report.centre_of_mass[2], 0.05 + 0.2 * report.time, delta=2e-3)

    def test_exceptions_pass(self):
        simulation = stiction.Simulation(self.gripped())

        def fails(time):
            raise ZeroDivisionError("mine")

        simulation.set_motion("grip", fails)
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            simulation.step()
        simulation.set_motion("grip", lambda time: None)
        self.assertEqual(simulation.step().step, 1)

    def test_unknown_names(self):
        with self.assertRaises(stiction.BadInput) as caught:
            simulation = stiction.Simulation(self.gripped())
            simulation.set_motion("gripp", lambda time: None)
            simulation.step()
        self.assertIn("gripp", str(caught.exception))
        simulation = stiction.Simulation(self.gripped())
        simulation.step()
        with self.assertRaisesRegex(stiction.BadInput, "gripp"):
            simulation.set_motion("gripp", lambda time: None)


class Reports(unittest.TestCase):
    def test_every_field_of_the_library_is_there(self):
        counted = {"force_count", "volume_count", "bearing_count", "action_count", "pair_count",
                   "has_contact", "body_count", "probe_count", "reaction_count"}
        renamed = {"force": "energies", "volume": "volumes", "bearing": "bearings",
                   "action": "actions", "pair": "pairs", "body": "bodies", "probe": "probes",
                   "reaction": "reactions"}
        for kind, name in ((_report.Report, "StictionReport"), (_report.Pair, "StictionPairReport"),
                           (_report.Contact, "StictionContactReport"),
                           (_report.Certificate, "StictionCertificate"),
                           (_report.Volume, "StictionVolumeReport"),
                           (_report.Bearing, "StictionBearingReport"),
                           (_report.Action, "StictionActionReport"),
                           (_report.Reaction, "StictionReactionReport")):
            theirs = [field for field, _ in ffi.typeof(name).fields]
            wanted = [renamed.get(field, field) for field in theirs
                      if field not in counted | {"name"}] if kind is _report.Report else \
                [field for field in theirs if field != "name"]
            self.assertEqual(sorted(field.name for field in fields(kind)), sorted(wanted))

    def test_report_fits_the_state(self):
        simulation = stiction.Simulation(block(velocity=[1, 0, 0], angular_velocity=[0, 0, 3],
                                               self_contact=False))
        report = simulation.step()
        self.assertEqual((report.step, report.retries), (1, 0))
        self.assertGreaterEqual(report.newton_iterations, 1)
        self.assertAlmostEqual(report.momentum[0], 1, 6)
        self.assertAlmostEqual(report.tet_volume, 1e-3, delta=1e-6)
        np.testing.assert_allclose(report.centre_of_mass, simulation.positions.mean(axis=0),
                                   atol=1e-12)
        self.assertIsNone(report.contact)
        self.assertIn("step 1: t = 0.01 s", repr(report))
        self.assertIn("<th>kinetic_energy</th>", report._repr_html_())
        kept = report.time
        simulation.step()
        self.assertEqual(report.time, kept)

    def test_volumes(self):
        scene = stiction.Scene()
        scene.add_material("skin", stiction.materials.membrane(young=500, poisson=0.3,
                                                               area_density=0.1))
        scene.add_body("ball", stiction.shapes.sphere(fill="surface", radius=0.1, edge=0.05))
        scene.add_volume("air", stiction.volumes.ideal_gas(body="ball", overpressure=1000))
        scene.set_time(0.1)
        report = stiction.Simulation(scene).step()
        air = report.volumes["air"]
        self.assertGreater(air.volume, 0.003)
        self.assertGreater(air.pressure, 101325)

    def test_cage(self):
        # A tetrahedron's surface; without its last triangle it is open.
        corners = [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1]
        triangles = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
        for count, mass in ((12, 1 / 6), (9, None)):
            scene = stiction.Scene()
            scene.add_material("rubber", young="1 MPa", poisson=0.3, density=1000)
            scene.add_body("scan", mesh={"vertices": corners, "triangles": triangles[:count]},
                           fill="cage", edge="5 cm", translate=[0, 0, 0.01])
            scene.add_obstacle("floor", stiction.obstacles.half_space())
            scene.set_time("0.2 s", step="5 ms")
            simulation = stiction.Simulation(scene)
            for report in simulation:
                self.assertGreater(simulation.positions[:4, 2].min(), 0)
            weight = report.bodies["scan"].mass
            self.assertTrue(0 < weight < 1)
            if mass:
                self.assertAlmostEqual(weight, mass, delta=1e-12)

    def test_not_solved(self):
        scene = block(step="0.1 s")
        scene.set_solver(max_iterations=1, velocity_tolerance=1e-30, change_tolerance=1e-30)
        scene["time"]["smallest_step"] = "0.1 s"
        scene["bodies"]["block"]["angular_velocity"] = [50, 0, 0]
        simulation = stiction.Simulation(scene)
        start = simulation.positions.copy()
        with self.assertRaises(stiction.NotSolved) as caught:
            simulation.step()
        self.assertRegex(str(caught.exception), r"\d")
        np.testing.assert_array_equal(simulation.positions, start)

    def test_warnings_are_logged(self):
        scene = floor(friction=0)
        scene["bodies"]["block"]["translate"] = [0, 0, 0.0495]  # begins inside the floor
        with self.assertLogs("stiction", logging.WARNING) as caught:
            stiction.Simulation(scene).step()
        self.assertIn("block", " ".join(caught.output))


if __name__ == "__main__":
    unittest.main()
