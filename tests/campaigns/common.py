"""What campaigns share: where things are, options that all have, scenes as files, runs side by side."""
import argparse
import json
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def parser_of(name, description):
    return argparse.ArgumentParser(prog=f"campaign {name}", description=description,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def add_program(parser):
    parser.add_argument("--program", type=program_path, default=str(ROOT / "build" / "stiction"), help="build/stiction")


def program_path(text):
    """Runs have other working folders than the campaign."""
    return str(Path(text).resolve())


def out_folder(name):
    return ROOT / "out" / name


def write_scene(folder, scene):
    path = folder / "scene.json"
    path.write_text(json.dumps(scene, indent=1) + "\n")
    return path


def read_example(name):
    """A scene of examples/, without its comments."""
    text = (ROOT / "examples" / f"{name}.json").read_text()
    return json.loads(re.sub(r"^\s*//.*$|\s//.*$", "", text, flags=re.MULTILINE))


def each(function, items, jobs):
    """Yields function(item) of each item in their order; several processes work at once."""
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(function, item) for item in items]
        try:
            for future in futures:
                yield future.result()
        except BaseException:  # also Ctrl-C: start no further ones
            pool.shutdown(cancel_futures=True)
            raise
