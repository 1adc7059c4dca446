"""Cases that contact between bodies must get right, each with an answer known beforehand, measured from outside.

  contact-cases list                      what there is
  contact-cases make NAME --out DIR       write one scene with its meshes
  contact-cases run [NAME…]               run cases, or groups of them, and print a table
  contact-cases sticks [NAME…]            run cases with friction in both forms and print what each costs
  contact-cases report RESULTS            the table of earlier results
"""
import json
from functools import partial
from pathlib import Path

from common import add_program, each, out_folder, parser_of

# Each adds its cases, in the order of the table.
from . import (slide, pinch, hold, mindlin, mindlin_ball, carry, stack, many, needle, cloth, sheets, on_cloth, press_drag, jaws, knot, degenerate, arch, rigid,  # noqa: F401
               start, momentum, curved, speed)
from . import sticks, table, trial
from .case import CASES, choose


def main(words):
    parser = parser_of("contact-cases", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is")
    make = commands.add_parser("make", help="write a scene and its meshes")
    make.add_argument("name")
    make.add_argument("--out", type=Path, required=True, help="folder, which is made anew")
    add_method(make)
    run = commands.add_parser("run", help="run cases and print a table")
    run.add_argument("name", nargs="*", help="cases, groups or beginnings of names; all where none is given")
    run.add_argument("--jobs", type=int, default=1)
    add_limits(run)
    add_method(run)
    both = commands.add_parser("sticks", help="run cases with friction in both forms and print what each costs")
    both.add_argument("name", nargs="*", help="cases; where none is given stacks, grips and cloth")
    add_limits(both)
    report = commands.add_parser("report", help="the table of earlier results")
    report.add_argument("results", type=Path)
    given = parser.parse_args(words)
    return COMMANDS[given.command](given)


def add_limits(parser):
    add_program(parser)
    parser.add_argument("--cpu", type=float, metavar="SECONDS", help="processor time of a run (600)")
    parser.add_argument("--out", type=Path, default=out_folder("contact-cases"))


def add_method(parser):
    parser.add_argument("--method", choices=["primitives", "smooth"], help="of contact; the program's own choice")


def do_list(given):
    for case in CASES.values():
        print(f"{case.group:12} {case.name:24} {case.wanted}")
    return 0


def do_make(given):
    case, = choose([given.name])
    trial.make(case, given.out, given.method or (case.methods or (None,))[-1])
    print(given.out / "scene.json")
    return 0


def do_run(given):
    options = {"out": str(given.out), "program": given.program, "cpu": given.cpu,
               "method": given.method}
    given.out.mkdir(parents=True, exist_ok=True)
    path, results = given.out / "results.json", []
    print(table.HEAD, flush=True)
    for result in each(partial(trial.run, options), [case.name for case in choose(given.name)], given.jobs):
        results.append(result)
        path.write_text(json.dumps(results, indent=1) + "\n")
        print(table.row(result), flush=True)
    print(f"\n{table.total(results)} Runs and results are in {given.out}")
    return 1 if any(result["wrong"] for result in results) else 0


def do_sticks(given):
    options = {"out": str(given.out), "program": given.program, "cpu": given.cpu}
    print(sticks.HEAD, flush=True)
    for case in choose(given.name or sticks.USUAL):
        print(sticks.run(options, case.name), flush=True)
    return 0


def do_report(given):
    results = json.loads(given.results.read_text())
    print(table.HEAD)
    print("\n".join(map(table.row, results)))
    print(f"\n{table.total(results)}")
    return 0


COMMANDS = {"list": do_list, "make": do_make, "run": do_run, "sticks": do_sticks, "report": do_report}
