"""What a step came to: the library's report, as Python objects that stay as they are."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any, Optional

import numpy as np

from ._library import ffi, text


class _Row:
    """Shows its fields as a table in notebooks."""

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{field.name}</th><td>{escape(repr(getattr(self, field.name)))}"
                       "</td></tr>" for field in fields(self))  # type: ignore[arg-type]
        return f"<table>{rows}</table>"


@dataclass(frozen=True)
class Volume(_Row):
    """A filled volume, such as the air in a tyre."""

    volume: float  #: m³
    pressure: float  #: Pa, absolute, inside


@dataclass(frozen=True)
class Bearing(_Row):
    """A rim that turns about an axis."""

    angle: float  #: rad, from rest, all turns counted
    speed: float  #: rad/s
    torque: float  #: N m, what drives it


@dataclass(frozen=True)
class Action(_Row):
    """Force and travel of a load or a joint."""

    joint: bool  #: it is a joint and has a travel
    force: np.ndarray  #: N, on the body, of a joint on the first
    torque: np.ndarray  #: N m, on the same about the origin
    travel: float  #: m that a joint's points are apart or shifted, or rad it has turned


@dataclass(frozen=True)
class Reaction(_Row):
    """What a boundary or an obstacle does to the bodies."""

    obstacle: bool  #: or else a boundary
    force: np.ndarray  #: N, on the bodies
    torque: np.ndarray  #: N m, on them about the origin


@dataclass(frozen=True)
class Pair(_Row):
    """Contact between two objects."""

    touching: int  #: vertices
    sticking: int  #: vertices
    normal_force: float  #: N, sum of magnitudes
    friction: np.ndarray  #: N, on the vertices
    force: np.ndarray  #: N, pressing and friction on the first; the other gets the opposite
    torque: np.ndarray  #: N m, on the first about the origin
    other_torque: np.ndarray  #: N m, on the other; 0 for obstacles, which feel nothing
    lost: float  #: J, taken from the motion of both in the step, stored energy included


@dataclass(frozen=True)
class BodyReport(_Row):
    """Properties of a body."""

    mass: float  #: kg
    volume: float  #: m³, of its tets
    centre: np.ndarray  #: m, of mass
    velocity: np.ndarray  #: m/s, of that
    momentum: np.ndarray  #: kg m/s
    angular_momentum: np.ndarray  #: kg m²/s about its centre
    kinetic_energy: float  #: J
    elastic_energy: float  #: J, of tets, membranes and bending
    potential_energy: float  #: J, of gravity
    contact_force: np.ndarray  #: N, of all that it touches
    contact_torque: np.ndarray  #: N m, the same about its centre


@dataclass(frozen=True)
class Probe(_Row):
    """A point of the scene's probes."""

    point: np.ndarray  #: m
    velocity: np.ndarray  #: m/s
    distance: float  #: m, to its other end; NaN: it has none


@dataclass(frozen=True)
class Contact(_Row):
    """All contacts in this state, and how well they keep the laws of friction."""

    touching: int  #: vertices, once for each of their contacts
    sticking: int  #: of those
    normal_force: float  #: N, sum of magnitudes
    friction_force: float  #: N, sum of magnitudes
    cone_violation: float  #: N, largest |friction| − μ × normal force; NaN: no friction
    friction_power: float  #: W, dissipated: negative; not what anchors store and return
    pair_net_force: float  #: N, largest over pairs of two bodies; action is reaction: zero
    normal_force_error: float  #: N, largest error of the normal force that friction went by
    deepest_gap: float  #: m, negative: inside; NaN: nothing touches
    deepest_vertex: int  #: −1: none
    creep_speed: float  #: m/s, fastest of the sticking vertices
    held_displacement: float  #: m, the largest elastic displacement that an anchor holds
    sticking_speed: float  #: m/s, below which it sticks where friction holds by velocity; 0: nowhere
    stiffness_growth: float  #: largest ratio of a contact's stiffness to the scene's
    repeats: int  #: of the step with stiffer contact


@dataclass(frozen=True)
class Certificate(_Row):
    """The worst of all steps so far."""

    deepest_gap: float  #: m
    deepest_time: float  #: s
    deepest_vertex: int  #: −1: none
    overlapping_steps: int  #: that ended inside something
    cone_violation: float  #: N
    friction_power: float  #: W
    pair_net_force: float  #: N
    normal_force_error: float  #: N
    creep_speed: float  #: m/s
    held_displacement: float  #: m


@dataclass(frozen=True)
class Judge(_Row):
    """What an independent check of the geometry found in this state. The judge knows positions only
    and shares nothing with contact."""

    checked: bool  #: it looked at this state; else the counts are 0
    crossings: int  #: edges of one body through triangles of another
    self_crossings: int  #: edges of a body through triangles of the same body
    obstacle_crossings: int  #: triangles and edges that reach into obstacles
    vertices_inside: int  #: surface vertices inside another body or an obstacle
    inverted_tets: int  #: tets without positive volume
    passages: int  #: pairs of triangles that passed through each other in the step


@dataclass(frozen=True)
class JudgeRecord(_Row):
    """What the judge found in all states so far; counts are the most in one state."""

    states: int  #: that it looked at
    findings: int  #: of those, with anything found
    crossings: int
    self_crossings: int
    obstacle_crossings: int
    vertices_inside: int
    inverted_tets: int
    passages: int
    first_time: float  #: s, of the first state with a finding; NaN: there is none


@dataclass(frozen=True)
class Report(_Row):
    """One step, or the state that a simulation starts from."""

    step: int  #: steps so far
    time: float  #: s, at its end
    step_size: float  #: s
    newton_iterations: int  #: of all attempts at the step, rejected ones included
    linear_iterations: int  #: Krylov iterations, or factorisations of the direct solver; the same
    residual_evaluations: int  #: by Newton's method; the same
    retries: int  #: rejected attempts before the accepted one
    solved_by: str  #: "newton": at once; else what it took
    residual: float  #: m/s, what was left over when the step was accepted
    seconds: float  #: wall time
    kinetic_energy: float  #: J
    total_energy: float  #: J, with those of all forces
    external_work: float  #: J, external work in the step
    energy_gain: float  #: J, what the total gained beyond that; negative: lost
    energy_error: float  #: J, a gain that the errors of method and solver explain
    momentum: np.ndarray  #: kg m/s
    angular_momentum: np.ndarray  #: kg m²/s about the origin
    centre_of_mass: np.ndarray  #: m
    tet_volume: float  #: m³, of all tets
    energies: dict[str, float]  #: J, of each force that acts; NaN for those without one
    volumes: dict[str, Volume]  #: by name
    bearings: dict[str, Bearing]  #: by name
    actions: dict[str, Action]  #: loads and joints, by name
    pairs: dict[str, Pair]  #: by name: "block|floor"; the first 1024, and what touched
    bodies: dict[str, BodyReport]  #: by name
    probes: dict[str, Probe]  #: by name
    reactions: dict[str, Reaction]  #: of boundaries and obstacles, by name
    judge: Judge  #: what the judge found in this state
    judged: JudgeRecord  #: what it found so far
    contact: Optional[Contact]  #: None where nothing can touch
    certificate: Optional[Certificate]  #: None where nothing can touch

    def __repr__(self) -> str:
        touching = f", {self.contact.touching} touching" if self.contact else ""
        return (f"<Report step {self.step}: t = {self.time:.6g} s, h = {self.step_size:.3g} s, "
                f"{self.newton_iterations} Newton iterations, "
                f"energy {self.total_energy:.6g} J{touching}>")


def _value(value: Any) -> Any:
    if isinstance(value, ffi.CData) and ffi.typeof(value).kind == "array":
        return np.array(list(value))
    return value


def _copy(kind: type, source: Any) -> Any:
    return kind(**{field.name: _value(getattr(source, field.name)) for field in fields(kind)})


def _named(kind: type, count: int, source: Any) -> dict[str, Any]:
    return {text(source[i].name): _copy(kind, source[i]) for i in range(count)}


_NAMES = [field.name for field in fields(Report)]
_PLAIN = [name for name in _NAMES[:_NAMES.index("energies")] if name != "solved_by"]


def from_c(source: Any) -> Report:
    """A copy of a StictionReport."""
    touches = source.has_contact
    return Report(
        **{name: _value(getattr(source, name)) for name in _PLAIN},
        solved_by=text(source.solved_by),
        energies={text(source.force[i].name): source.force[i].energy
                  for i in range(source.force_count)},
        volumes=_named(Volume, source.volume_count, source.volume),
        bearings=_named(Bearing, source.bearing_count, source.bearing),
        actions=_named(Action, source.action_count, source.action),
        pairs=_named(Pair, source.pair_count if touches else 0, source.pair),
        bodies=_named(BodyReport, source.body_count, source.body),
        probes=_named(Probe, source.probe_count, source.probe),
        reactions=_named(Reaction, source.reaction_count, source.reaction),
        judge=_copy(Judge, source.judge),
        judged=_copy(JudgeRecord, source.judged),
        contact=_copy(Contact, source.contact) if touches else None,
        certificate=_copy(Certificate, source.certificate) if touches else None)
