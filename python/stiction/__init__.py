"""Soft solids, cloth and inflated shells in frictional contact.

>>> import stiction
>>> from stiction import shapes, obstacles
>>> scene = stiction.Scene()
>>> scene.add_material("rubber", young="1 MPa", poisson=0.45)
>>> scene.add_body("ball", shapes.sphere(radius="5 cm"), translate=[0, 0, "20 cm"])
>>> scene.add_obstacle("floor", obstacles.half_space())
>>> scene.set_time("0.5 s", step="5 ms")
>>> simulation = stiction.Simulation(scene)
>>> for report in simulation:
...     print(report.time, simulation.positions[:, 2].min())
"""

from . import materials, mesh, obstacles, shapes, volumes
from ._errors import BadInput, Bug, Error, Found, Interrupted, NotSolved, SystemFault
from ._control import Hit, Parameters, State
from ._derivatives import DerivativeReport, Derivatives
from ._fields import FieldType, fields
from ._force import Point
from ._mesh import write_mesh
from ._motion import Pose
from ._plot import Plot, plot
from ._recording import Frame, Frames, History, contacts, frames, history, summary
from ._report import (Action, Bearing, BodyReport, Certificate, Contact, Judge, JudgeRecord, Pair,
                      Probe, Reaction, Report, Volume)
from ._rollouts import Rollout, RolloutProgress, RolloutResults, Rollouts
from ._running import Progress, catalogue, experiment, experiments, run, version
from ._scene import Scene
from ._sweeping import sweep
from ._viewing import LiveView, View, export, view, view_live
from ._simulation import Body, Boundary, Contacts, Findings, Forces, Simulation

__all__ = [
    "Scene", "Simulation", "Report", "run", "history", "contacts", "frames", "summary",
    "fields", "FieldType",
    "Rollouts", "Rollout", "RolloutResults", "RolloutProgress", "experiment", "experiments", "catalogue", "version", "plot", "view", "view_live", "View",
    "LiveView", "export", "sweep", "write_mesh", "Pose", "Point", "Progress",
    "Body", "Boundary", "Contacts", "Forces", "Findings", "Contact", "Certificate", "Judge",
    "JudgeRecord", "Pair", "Volume", "BodyReport", "Probe", "State", "Parameters", "Hit",
    "Action", "Bearing", "Reaction", "History", "Frames", "Frame", "Plot", "Error", "BadInput", "NotSolved",
    "SystemFault", "Interrupted", "Found", "Bug", "shapes", "materials", "volumes", "obstacles",
    "mesh", "Derivatives", "DerivativeReport",
]

# Tracebacks name exceptions by where users find them.
for _kind in (Error, BadInput, NotSolved, SystemFault, Interrupted, Found, Bug):
    _kind.__module__ = __name__
del _kind
