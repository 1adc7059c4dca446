"""Audits the energy of a run from its history: what the total gains in a step beyond the work done."""
import numpy as np


def drivers(scene):
    """Sources of work on the bodies of a scene, in words."""
    found = []
    for kind in ("boundaries", "obstacles"):
        found += [f"{name} moves" for name, item in scene.get(kind, {}).items() if "motion" in item]
    found += [f"{name} is pumped" for name, item in scene.get("volumes", {}).items()
              if isinstance(item.get("overpressure"), list)]
    found += [f"{name} is turned" for name, item in scene.get("bearings", {}).items() if item.get("torque", 0) != 0]
    found += ["an acceleration ends" for item in scene.get("accelerations", []) if "end" in item]
    return found


def audit(history, is_driven, least):
    """Gain of every step and the scale to hold it against, at least `least`, all in J. Gains of driven scenes are
    known only where the history has a column with the work that was done."""
    total = history["total_energy"]
    parts = np.stack([values for name, values in history.items()
                      if name.endswith("_energy") and name != "total_energy"], axis=1)
    work = history.get("external_work")
    change = np.diff(total)
    if work is not None:
        change = change - work[1:]
    elif is_driven:
        return None
    # What has been in motion so far, and what changed hands in the step itself: paid by what other parts lost.
    swing = np.maximum.accumulate(parts) - np.minimum.accumulate(parts)
    lost = np.sum(np.maximum(parts[:-1] - parts[1:], 0), axis=1)
    scale = np.sum(swing[:-1], axis=1) + history["kinetic_energy"][0] + lost
    if work is not None:
        scale = scale + np.cumsum(np.abs(work[1:]))
    rise = change_above_lowest(np.concatenate([[0], np.cumsum(change)]))
    return {"gain": change, "scale": np.maximum(scale, max(least, 1e-300)), "rise": rise[1:]}


def change_above_lowest(course):
    return course - np.minimum.accumulate(course)
