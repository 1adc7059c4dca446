"""How much do fitted numbers of the engine matter? Scenes run with some of them at other values.

  tunables list                      the scenes; `stiction list --tunables` has the numbers
  tunables measure NAME=VALUE …      the change of steps, iterations and processor time, for each setting by itself;
                                     with commas, NAME=VALUE,NAME=VALUE, several numbers change together

A neutral value, at which the number does nothing, tells what its mechanism is worth. Scenes with contact are chaotic:
a change without a meaning, such as stiffness_gap=0.50000001, tells which differences mean nothing.
"""
import json
from functools import partial
from pathlib import Path

from common import add_program, each, out_folder, parser_of

from .measure import measure
from .scenes import SCENES
from .table import HEAD, row


def main(words):
    parser = parser_of("tunables", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the scenes")
    command = commands.add_parser("measure", help="run scenes with other values")
    command.add_argument("setting", nargs="+", metavar="NAME=VALUE")
    command.add_argument("--scene", nargs="*", default=list(SCENES), choices=SCENES, metavar="NAME", help="(all)")
    command.add_argument("--jobs", type=int, default=1)
    command.add_argument("--cpu", type=float, default=60, metavar="SECONDS", help="processor time of a run (%(default)s)")
    command.add_argument("--out", type=Path, default=out_folder("tunables"),
                         help="keeps results, also those of the initial values, which are measured once")
    add_program(command)
    given = parser.parse_args(words)
    return {"list": do_list, "measure": do_measure}[given.command](given)


def do_list(given):
    for scene in SCENES.values():
        print(f"{scene.name:12} {'whole' if scene.duration is None else f'{scene.duration:g} s'}")
    return 0


def do_measure(given):
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / "results.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    print("\n".join(HEAD))
    failed = False
    for setting in ["", *given.setting]:
        known = results.setdefault(setting, {})
        missing = [name for name in given.scene if name not in known]
        options = {"program": given.program, "cpu": given.cpu}
        found = each(partial(measure, options), [(setting, name) for name in missing], given.jobs)
        for name, counts in zip(missing, found):
            known[name] = counts
            path.write_text(json.dumps(results, indent=1) + "\n")
        print(row(setting, *({name: results[key][name] for name in given.scene} for key in ("", setting))), flush=True)
        failed = failed or any(known[name]["outcome"] == "refused" for name in given.scene)
    return 1 if failed else 0
