"""Defines a case, and lists all cases."""
from dataclasses import dataclass, field
from typing import Callable

CASES = {}
CPU = 600.0  # default limit on CPU seconds of a case


@dataclass
class Case:
    name: str
    group: str
    wanted: str  # expected result in words, for the table
    make: Callable  # folder → scene; writes meshes into the folder
    measure: Callable  # run, or runs by method → Finding
    methods: tuple = ()  # methods of contact to compare; empty: one run, by the method that is asked for
    cpu: float = CPU
    crossings: bool = True  # no state may have anything pass through anything
    # Nor may anything pass on a straight way from state to state. True only where nothing has a way around: a step is
    # solved along a path of several straight pieces, which may lead around a corner that the straight way cuts.
    passages: bool = False


@dataclass
class Finding:
    """The measurement in words, and the problems found."""
    text: str
    wrong: list = field(default_factory=list)

    def expect(self, good, words):
        if not good:
            self.wrong.append(words)
        return self


def add(name, group, wanted, make, measure, **more):
    assert name not in CASES
    CASES[name] = Case(name, group, wanted, make, measure, **more)


def choose(names):
    """Cases by name, group or prefix; all if none is given."""
    if not names:
        return list(CASES.values())
    chosen = []
    for name in names:
        found = [case for case in CASES.values() if name in (case.name, case.group)]
        found = found or [case for case in CASES.values() if case.name.startswith(name)]
        if not found:
            raise SystemExit(f"contact-cases: no case or group is called \"{name}\"; see contact-cases list")
        chosen += [case for case in found if case not in chosen]
    return chosen
