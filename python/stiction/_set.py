"""Changes single values of a scene by keys with dots, as ``--set`` of the command line does."""

import difflib
import re
from collections.abc import MutableMapping, MutableSequence
from typing import Any

from ._errors import BadInput

# What is below these keys goes by names of the user's own.
_NAMED = ("materials", "bodies", "boundaries", "volumes", "bearings", "loads", "joints", "obstacles")


def put(scene: MutableMapping, key: str, value: Any) -> None:
    """Sets ``scene[…][…] = value`` along a key such as ``"friction[0].dynamic"``."""
    here, rest, path = scene, key, ""
    while True:
        name, after = _first(here, rest, key, path)
        if not after:
            break
        _check_name(here, name, key, path)
        if isinstance(here, MutableMapping):
            here.setdefault(name, {})
        here, rest, path = here[name], after, f"{path}.{name}" if path else str(name)
    if not isinstance(value, MutableMapping):
        _check_name(here, name, key, path)
    here[name] = value


def _first(here: Any, rest: str, key: str, path: str) -> tuple[Any, str]:
    """The first name or number of what is left of a key, and what comes after it."""
    if isinstance(here, MutableSequence):
        found = re.match(r"(?:\[(\d+)\]|(\d+)(?=\.|\[|$))\.?", rest)
        if not found:
            raise BadInput(f"set {key!r}: {path} is a list; its items go by number, {path}[0] being "
                           "the first")
        index = int(found[1] or found[2])
        if index >= len(here):
            raise BadInput(f"set {key!r}: {path} has {len(here)} items, counted from 0; there is no "
                           f"item {index}")
        return index, rest[found.end():]
    if not isinstance(here, MutableMapping):
        raise BadInput(f"set {key!r}: {path} is {here!r}, which has no keys")
    known = [name for name in here if re.match(re.escape(name) + r"(\.|\[|$)", rest)]
    name = max(known, key=len) if known else re.split(r"[.\[]", rest, maxsplit=1)[0]
    if not name:
        raise BadInput(f"set {key!r}: the key is not complete")
    after = rest[len(name):]
    return name, after[1:] if after.startswith(".") else after


def _check_name(here: Any, name: Any, key: str, path: str) -> None:
    if path not in _NAMED or name in here:
        return
    near = difflib.get_close_matches(name, here, n=1)
    raise BadInput(f"set {key!r}: there is no {name!r} in {path}; known: {', '.join(here)}"
                   + (f" (did you mean {near[0]!r}?)" if near else ""))
