"""Scenes that between them use most of the engine's tunables, each cut down to some seconds."""
import shutil
from dataclasses import dataclass
from typing import Callable

from common import ROOT, read_example, write_scene
from hard_steps.window import WINDOWS, case, example
from random_scenes.scene import make, with_method

SEEDS = (1, 2, 3)
NUMBERS = (0, 2, 3, 14)  # of each seed


@dataclass
class Scene:
    """write(folder) makes scene.json there, of which `duration` seconds are run; None: all."""
    name: str
    write: Callable
    duration: float | None = None


SCENES = {}


def add(name, write, duration=None):
    SCENES[name] = Scene(name, write, duration)


def window(name):
    return WINDOWS[name].write


def jacks(folder):
    shutil.copy(ROOT / "examples" / "jack.obj", folder)
    write_scene(folder, read_example("jacks"))


def random(seed, number):
    return lambda folder: write_scene(folder, with_method(make(seed, number), "primitives"))


add("pile", example("pile"), 0.25)
add("cloth", example("cloth"), 0.3)
add("jacks", jacks, 0.15)
add("cards", example("cards"), 0.2)
add("chain", example("chain"), 0.05)
add("dominoes", example("dominoes"))
add("tower", example("tower"), 0.4)
add("grip", example("grip"), 0.2)
add("crumple", example("crumple"), 0.4)
add("sail", example("sail"), 0.2)
add("cushion", example("cushion"), 0.1)
add("arch", case("arch-1m"))
add("stack", case("stack-17"), 0.5)
add("stack-30", window("stack-30"), 0.1)
add("sheets", case("sheets-pressed-edge"), 0.12)
add("mat", case("speed-mat"), 0.04)
add("sleeve", window("sleeve"), 0.01)
for SEED in SEEDS:
    for NUMBER in NUMBERS:
        add(f"random-{SEED}-{NUMBER}", random(SEED, NUMBER))
