"""Steps that are hard to solve, recorded once, to measure solvers on.

  hard-steps list                     what there is
  hard-steps record [NAME…]           run each scene up to its hard steps and keep the state
  hard-steps measure [NAME…]          take the steps from there and print iterations and processor time
"""
from pathlib import Path

from common import ROOT, out_folder, parser_of, program_path

from .measure import SETTINGS, can_set, measure
from .record import record
from .window import WINDOWS


def main(words):
    parser = parser_of("hard-steps", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is")
    for name, text in (("record", "run scenes up to their hard steps"), ("measure", "take the hard steps")):
        command = commands.add_parser(name, help=text)
        command.add_argument("name", nargs="*", help="all where none is given")
        command.add_argument("--program", nargs="*", type=program_path, default=[str(ROOT / "build" / "stiction")],
                             help="build/stiction; to measure, also several")
        command.add_argument("--cpu", type=float, default=120, metavar="SECONDS",
                             help="processor time of a run (%(default)s)")
        command.add_argument("--folder", type=Path, default=out_folder("hard-steps"), help="where the states are")
    command.add_argument("--settings", nargs="*", default=["policy"], choices=SETTINGS, metavar="WORD",
                         help=f"of the solver, for windows from 0 s: {', '.join(SETTINGS)} (policy)")
    given = parser.parse_args(words)
    for name in getattr(given, "name", []):
        if name not in WINDOWS:
            parser.error(f'there is no "{name}"; see hard-steps list')
    return COMMANDS[given.command](given)


def chosen(given):
    return [WINDOWS[name] for name in given.name] if given.name else WINDOWS.values()


def do_list(given):
    for window in WINDOWS.values():
        print(f"{window.name:10} {window.steps:3} steps from {window.start:5.3g} s  {window.why}")
    return 0


def do_record(given):
    failed = 0
    for window in chosen(given):
        outcome = record(window, given.folder / window.name, given.program[0], given.cpu)
        print(f"{window.name:10} {outcome}", flush=True)
        failed += outcome != "recorded"
    return 1 if failed else 0


def do_measure(given):
    print("| steps | program | solver | outcome | Newton per step, most | residuals, linear iterations per Newton "
          "| processor ms per step |")
    print("| --- | --- | --- | --- | ---: | ---: | ---: |")
    for window in chosen(given):
        for program in given.program:
            for name in filter(lambda name: can_set(window, SETTINGS[name]), given.settings):
                found = measure(window, given.folder / window.name, program, given.cpu, SETTINGS[name])
                print(row(window, Path(program).name, name, found), flush=True)
    return 0


def row(window, program, name, found):
    if found is None:
        return f"| {window.name} | {program} | {name} | not recorded | | | |"
    steps, newton = max(found["steps"], 1), max(found["newton"], 1)
    return (f"| {window.name} | {program} | {name} | {found['outcome']} | {found['newton'] / steps:.1f}, {found['most']} "
            f"| {found['residual'] / newton:.1f}, {found['linear'] / newton:.1f} | {1e3 * found['cpu'] / steps:.1f} |")


COMMANDS = {"list": do_list, "record": do_record, "measure": do_measure}
