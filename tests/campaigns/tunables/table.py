"""The table of a campaign."""
HEAD = ["| tunables | changed | steps | Newton | linear | CPU | largest change of Newton | other outcomes |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |"]
COUNTED = ("steps", "newton", "linear", "cpu")


def row(setting, initial, now):
    """Totals: of the initial values as they are, of others as the change in percent, over the scenes that finish both
    times."""
    both = [name for name in initial if initial[name]["outcome"] == now[name]["outcome"] == "finished"]
    changed = [name for name in both if any(initial[name][key] != now[name][key] for key in ("steps", "newton", "linear"))]
    totals = [[sum(counts[name][key] for name in both) for key in COUNTED] for counts in (initial, now)]
    cells = [f"{new:.4g}" if not setting else change(old, new) for old, new in zip(*totals)]
    other = [f"{name} {now[name]['outcome']}" for name in initial
             if now[name]["outcome"] != ("finished" if not setting else initial[name]["outcome"])]
    return (f"| {setting or 'initial'} | {len(changed)} of {len(both)} | {' | '.join(cells)} "
            f"| {largest(initial, now, changed)} | {', '.join(other) or 'none'} |")


def change(old, new):
    return f"{100 * (new / old - 1):+.1f} %" if old else "–"


def largest(initial, now, changed):
    moved = {name: now[name]["newton"] - initial[name]["newton"] for name in changed}
    name = max(moved, key=lambda name: abs(moved[name]), default=None)
    return "–" if name is None else f"{name} {initial[name]['newton']} → {now[name]['newton']}"
