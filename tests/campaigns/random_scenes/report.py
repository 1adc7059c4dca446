"""Tables of many trials: outcomes, iterations, energy, what the outside judge found."""
from collections import Counter

import numpy as np

from outside.judge import COUNTS

from .findings import is_trapezoidal

MOST = 12  # lines of a list


def line(result):
    """One trial in one line."""
    gain = result.get("gain")
    words = [f"{result['number']:4d} {result['integrator']:12s} {result['outcome']:10s}",
             f"{result['steps']:3d} steps {seconds(result):6.1f} s",
             f"newton ≤{max(result.get('newton') or [0]):4d}",
             f"gain {result['gain_share']:8.1e} ({gain:.2g} J)" if gain is not None else "gain     –       "]
    words += [f"{name} {result['worst_' + name]}" for name in COUNTS if result["worst_" + name]]
    if result["broken"]:
        words.append("BROKEN: " + ", ".join(result["broken"]))
    return "  ".join(words)


def seconds(result):
    """Of processor time; of a run that was killed, what was seen of it from outside."""
    return result.get("cpu") or result.get("used", 0.0)


def totals(results):
    """The numbers of a whole run, by name: what `compare` sets side by side."""
    slow = [result.get("slowest_step", 0) for result in results]
    table = {"scenes": len(results)}
    for outcome, count in sorted(Counter(result["outcome"] for result in results).items()):
        table["outcome: " + outcome] = count
    table.update(newton_totals(results, ""))
    table.update(newton_totals([result for result in results if result.get("gentle")], "gentle scenes: "))
    table["retries"] = sum(result.get("retries", 0) for result in results)
    table["processor time [s]"] = round(sum(map(seconds, results)), 1)
    table["slowest step [s]"] = round(max(slow, default=0), 2)
    table.update(energy_totals(results))
    for name in COUNTS:
        table[f"scenes with {name}"] = sum(bool(result["worst_" + name]) for result in results)
    for word in sorted({word for result in results for word in result["broken"]}):
        table["BROKEN: " + word] = sum(word in result["broken"] for result in results)
    table["BROKEN scenes"] = sum(bool(result["broken"]) for result in results)
    return table


def newton_totals(results, of):
    newton = np.array([n for result in results for n in result.get("newton") or []])
    table = {f"{of}newton iterations per step, {share} %": float(np.percentile(newton, share)) if len(newton) else 0
             for share in (50, 90, 99)}
    table[f"{of}newton iterations per step, most"] = int(newton.max(initial=0))
    table[f"{of}steps"] = len(newton)
    return table


def energy_totals(results):
    table = {}
    audited = [result for result in results if result.get("gain") is not None]
    table["scenes with audited energy"] = len(audited)
    for limit in (1e-6, 1e-3, 1e-2, 1e-1, 1):
        count = sum(result["gain_share"] > limit for result in audited if not is_trapezoidal(result))
        table[f"scenes with a step that gains > {limit:g} (tr aside)"] = count
    shares = [result["gain_share"] for result in audited if not is_trapezoidal(result)]
    table["worst gain of a step, share of the scene's energy (tr aside)"] = max(shares, default=0)
    rises = [result["rise_share"] for result in audited if not is_trapezoidal(result)]
    table["worst gain over several steps (tr aside)"] = max(rises, default=0)
    return table


def lists(results):
    """The worst scenes of each kind, as lines."""
    text = []

    def add(title, key, describe, chosen=lambda result: True):
        worst = sorted((r for r in results if key(r) and chosen(r)), key=key, reverse=True)
        if worst:
            text.append(f"\n{title}")
            text.extend(f"  {r['number']:4d} {r['integrator']:12s} {describe(r)}" for r in worst[:MOST])
            if len(worst) > MOST:
                text.append(f"       … {len(worst)} in all")

    add("Largest gains of energy in a step, by share of the scene's energy",
        lambda r: max(r.get("gain_share") or 0, 0) if r.get("gain") is not None else 0, gain_words,
        lambda r: r["gain_share"] > 1e-6)
    add("Largest gains of energy in a step, by energy",
        lambda r: max(r.get("gain") or 0, 0), gain_words, lambda r: r["gain_share"] > 1e-6)
    add("Steps accepted without an iteration, residual over tolerance",
        lambda r: r.get("worst_idle_residual", 0) / (r["tolerance"] or 1),
        lambda r: f"residual {r['worst_idle_residual']:.2g} m/s, tolerance {r['tolerance']:.2g} m/s",
        lambda r: r["worst_idle_residual"] > (r["tolerance"] or 0))
    add("Steps accepted with a residual above the tolerance",
        lambda r: r.get("worst_residual", 0) / (r["tolerance"] or 1),
        lambda r: f"residual {r['worst_residual']:.2g} m/s, tolerance {r['tolerance']:.2g} m/s",
        lambda r: r["worst_residual"] > (r["tolerance"] or 0))
    for name in COUNTS:
        add(f"Most {name} in a frame", lambda r: r["worst_" + name],
            lambda r: f"{r['worst_' + name]}  ({', '.join(r['shapes'])}; {', '.join(r['laws'])})")
    add("Most Newton iterations in a step", lambda r: max(r.get("newton") or [0]),
        lambda r: f"{max(r['newton'])}, slowest step {r['slowest_step']:.2f} s")
    add("Slowest", seconds,
        lambda r: f"{seconds(r):.1f} s, {r['steps']} steps, "
                  f"slowest step {r.get('slowest_step', 0):.2f} s, {r.get('retries', 0)} retries")
    add("Not finished", lambda r: r["outcome"] != "finished",
        lambda r: f"{r['outcome']}: {(r['reason'] or r['said'])[:150]}")
    return text


def gain_words(result):
    return (f"{result['gain_share']:9.2e} = {result['gain']:.3g} J of {result['gain_scale']:.3g} J, "
            f"step {result['gain_step']} (t = {result['gain_time']:.4g} s), {', '.join(result['laws'])}")


def show_totals(table):
    return [f"  {name:64s} {number(value)}" for name, value in table.items()]


def number(value):
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def compare(before, after):
    """Two tables side by side."""
    one, two = totals(before), totals(after)
    names = list(one) + [name for name in two if name not in one]
    return [f"  {name:64s} {number(one.get(name, 0)):>12s} {number(two.get(name, 0)):>12s}" for name in names]
