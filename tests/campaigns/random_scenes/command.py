"""Makes random scenes, runs them and judges what comes out, from outside the program.

  random-scenes make SEED NUMBER          print one scene
  random-scenes run [--seed S] …          make, run and judge many; the table at the end says what broke
  random-scenes report RESULTS            the tables of a run's results, also while it goes on
  random-scenes judge RUN_DIR             judge a run that is already there
  random-scenes compare BEFORE AFTER      two results of `run`, side by side
"""
import json
import sys
from functools import partial
from pathlib import Path

from common import add_program, each, out_folder, parser_of

from . import findings, report, trial


def main(words):
    parser = parser_of("random-scenes", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="print one scene")
    make.add_argument("seed", type=int)
    make.add_argument("number", type=int)
    add_method(make)
    add_kind(make)
    add_run(commands.add_parser("run", help="make, run and judge many"))
    shown = commands.add_parser("report", help="the tables of a result, also of a run that goes on")
    shown.add_argument("results", type=Path)
    judge = commands.add_parser("judge", help="judge a run that is there")
    judge.add_argument("folder", type=Path)
    add_common(judge)
    both = commands.add_parser("compare", help="two results side by side")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    given = parser.parse_args(words)
    return COMMANDS[given.command](given)


def add_common(parser):
    add_program(parser)
    parser.add_argument("--gain", type=float, default=0.01, metavar="SHARE",
                        help="energy a step may gain, as a share of the scene's (0.01)")


def add_method(parser):
    parser.add_argument("--method", choices=["primitives", "smooth"], help="of contact, in all scenes")


def add_kind(parser):
    parser.add_argument("--kind", choices=sorted(trial.MAKERS), default="any", help="of scenes (any)")


def add_run(parser):
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="K")
    parser.add_argument("--to", dest="last", type=int, metavar="K", help="the last one; instead of --count")
    parser.add_argument("--only", type=int, action="append", metavar="K", help="this one; may be repeated")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cpu", type=float, default=120, metavar="SECONDS", help="processor time of a scene (120)")
    parser.add_argument("--out", type=Path, default=out_folder("random"))
    parser.add_argument("--json", type=Path, help="all results; OUT/SEED.json unless given")
    parser.add_argument("--keep", action="store_true", help="also the runs in which nothing broke")
    parser.add_argument("--quiet", action="store_true", help="no line per scene")
    add_method(parser)
    add_kind(parser)
    add_common(parser)


def do_make(given):
    print(json.dumps(trial.make(vars(given), given.number), indent=1))
    return 0


def do_run(given):
    last = given.first + given.count - 1 if given.last is None else given.last
    numbers = given.only or range(given.first, last + 1)
    options = {"seed": given.seed, "out": str(given.out), "program": given.program,
               "cpu": given.cpu, "gain": given.gain, "keep": given.keep, "method": given.method, "kind": given.kind}
    path = given.json or given.out / f"{given.seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    results = []
    for result in each(partial(trial.run, options), numbers, given.jobs):
        results.append(result)
        path.write_text(json.dumps(results, indent=1) + "\n")
        if not given.quiet:
            print(report.line(result), flush=True)
    return tell(results, path)


def tell(results, path):
    """The tables; 1 when something broke."""
    print("\n".join(report.lists(results)))
    print(f"\nAll results are in {path}")
    print("\n".join(report.show_totals(report.totals(results))))
    broken = [result for result in results if result["broken"]]
    for result in broken:
        print(f"BROKEN {', '.join(result['broken'])}: "
              f"tests/campaigns/campaign random-scenes run --seed {result['seed']} --only {result['number']} --keep")
    return 1 if broken else 0


def do_report(given):
    return tell(json.loads(given.results.read_text()), given.results)


def do_judge(given):
    text = (given.folder / "scene.json").read_text()
    found = findings.of_run(given.folder, json.loads(text), given.program, given.gain)
    json.dump(found, sys.stdout, indent=1)
    print()
    return 0


def do_compare(given):
    results = [json.loads(path.read_text()) for path in (given.before, given.after)]
    print("\n".join(report.compare(*results)))
    return 0


COMMANDS = {"make": do_make, "run": do_run, "report": do_report, "judge": do_judge, "compare": do_compare}
