"""The program `stiction`, for what the library alone does not do: experiments and lists."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any, Optional

from . import _errors as errors
from ._library import native


def path() -> str:
    found = native("stiction", "{build}/stiction")
    if not found.exists():
        raise errors.SystemFault(f"there is no {found}: the program was not built; "
                                 "`make build` does that, or `pip install .`")
    return str(found)


def call(*arguments: str, show: bool = False) -> str:
    """Runs it and returns what it printed; `show` lets it print itself. What it complains of is an
    exception with its text. Ctrl-C is passed on to it, once: it then saves and ends by itself."""
    output: Any = None if show else subprocess.PIPE
    # In a group of its own, or a terminal would send it a second Ctrl-C, which ends it at once.
    process = subprocess.Popen([path(), *arguments], stdin=subprocess.DEVNULL, stdout=output,
                               stderr=subprocess.PIPE, text=True, encoding="utf-8",
                               process_group=0)
    interrupt: Optional[KeyboardInterrupt] = None
    while True:
        try:
            printed, complaint = process.communicate()
            break
        except KeyboardInterrupt as caught:
            interrupt = caught
            process.send_signal(signal.SIGINT)
    if interrupt:
        raise interrupt
    if process.returncode:
        message = complaint.strip().removeprefix("stiction: ")
        raise errors.EXIT.get(process.returncode, errors.Bug)(message)
    return printed or ""


def main() -> None:
    """The command `stiction` that is installed with the package."""
    program = path()
    os.execv(program, ["stiction", *sys.argv[1:]])
