"""The command line of contact-cases."""
import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

# Each adds its cases, in the order of the table.
from . import (slide, pinch, hold, mindlin, mindlin_ball, carry, stack, many, needle, cloth, sheets, on_cloth, press_drag, jaws, knot, degenerate, arch, rigid,  # noqa: F401
               start, momentum, curved, speed)
from . import sticks, table, trial
from .case import CASES, choose

ROOT = Path(__file__).resolve().parents[2]


def main(words, description):
    parser = argparse.ArgumentParser(prog="contact-cases", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is")
    make = commands.add_parser("make", help="write a scene and its meshes")
    make.add_argument("name")
    make.add_argument("--out", type=Path, required=True, help="folder, which is made anew")
    add_method(make)
    run = commands.add_parser("run", help="run cases and print a table")
    run.add_argument("name", nargs="*", help="cases, groups or beginnings of names; all where none is given")
    run.add_argument("--jobs", type=int, default=1)
    add_program(run)
    add_method(run)
    both = commands.add_parser("sticks", help="run cases with friction in both forms and print what each costs")
    both.add_argument("name", nargs="*", help="cases; where none is given stacks, grips and cloth")
    add_program(both)
    report = commands.add_parser("report", help="the table of earlier results")
    report.add_argument("results", type=Path)
    given = parser.parse_args(words)
    return COMMANDS[given.command](given)


def add_program(parser):
    parser.add_argument("--program", default=str(ROOT / "build" / "stiction"), help="build/stiction")
    parser.add_argument("--cpu", type=float, metavar="SECONDS", help="processor time of a run (600)")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "contact-cases")


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
    options = {"out": str(given.out), "program": str(Path(given.program).resolve()), "cpu": given.cpu,
               "method": given.method}
    given.out.mkdir(parents=True, exist_ok=True)
    path, results = given.out / "results.json", []
    print(table.HEAD, flush=True)
    with ProcessPoolExecutor(max_workers=given.jobs) as pool:
        futures = [pool.submit(trial.run, options, case.name) for case in choose(given.name)]
        try:
            for future in futures:
                results.append(future.result())
                path.write_text(json.dumps(results, indent=1) + "\n")
                print(table.row(results[-1]), flush=True)
        except BaseException:  # also Ctrl-C: start no further cases
            pool.shutdown(cancel_futures=True)
            raise
    print(f"\n{table.total(results)} Runs and results are in {given.out}")
    return 1 if any(result["wrong"] for result in results) else 0


def do_sticks(given):
    options = {"out": str(given.out), "program": str(Path(given.program).resolve()), "cpu": given.cpu}
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
