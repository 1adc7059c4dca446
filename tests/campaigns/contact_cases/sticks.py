"""Cost of the two forms of sticking: the same cases held by anchors and by velocity."""
import copy
from pathlib import Path

from . import trial
from .case import CASES

FORMS = ("velocity", "anchored")
# Stacks, what is gripped and carried, and cloth.
USUAL = ("stack-17", "stack-unstructured", "gripper-shakes", "carry-1000g-20N", "belt-slab", "turntable-slab",
         "card-house", "fold")
HEAD = ("| case | held by velocity: Newton per step, mean / most; CPU ms per step | anchored | CPU, anchored over velocity |\n"
        "| --- | --- | --- | --- |")


def holding(case, form):
    """The case with every row of friction in that form."""
    def make(folder):
        scene = case.make(folder)
        for row in scene["friction"]:
            row["stick"] = form
            row.pop("sticking_speed" if form == "anchored" else "damping", None)
        return scene
    changed = copy.copy(case)
    changed.make = make
    return changed


def run(options, name):
    """The row of one case."""
    costs = {}
    for form in FORMS:
        given = {**options, "out": str(Path(options["out"]) / form)}
        outcome, ran = trial.run_once(holding(CASES[name], form), given, "primitives")
        costs[form] = {**trial.costs(outcome, ran), "outcome": outcome["outcome"]}
    return row(name, costs)


def row(name, costs):
    cells = [cell(costs[form]) for form in FORMS]
    spent = [costs[form]["cpu_per_step"] for form in FORMS]
    ratio = f"{spent[1] / spent[0]:.2f}" if all(spent) else "–"
    return f"| {name} | {cells[0]} | {cells[1]} | {ratio} |"


def cell(cost):
    if not cost["steps"]:
        return cost["outcome"]
    ended = "" if cost["outcome"] == "finished" else f" ({cost['outcome']} after {cost['steps']} steps)"
    return f"{cost['newton']:.1f} / {cost['most_newton']}; {1e3 * cost['cpu_per_step']:.3g}{ended}"
