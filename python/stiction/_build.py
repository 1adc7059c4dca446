"""Scenes handed to the library value by value (stiction/build.h). Arrays go over as they are, so
that numbers keep their bits and large meshes are never a text."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Optional

import numpy as np

from ._errors import BadInput
from ._library import LIBRARY, Handle, ffi, text


def own(value: Any) -> Any:
    """A copy that shares nothing, of what a scene can hold: arrays of numbers stay arrays."""
    if isinstance(value, Mapping):
        return {key: own(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "fiu":
        return value.copy()
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [own(item) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (str, Real)):
        return value
    raise TypeError(f"a scene cannot hold a {type(value).__name__}: {value!r}")


def same(left: Any, right: Any) -> bool:
    """Whether two scenes say the same."""
    if isinstance(left, Mapping):
        return isinstance(right, Mapping) and list(left) == list(right) and \
            all(same(item, right[key]) for key, item in left.items())
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return np.array_equal(left, right)
    if isinstance(left, (list, tuple)):
        return isinstance(right, (list, tuple)) and len(left) == len(right) and \
            all(map(same, left, right))
    return type(left) is type(right) and left == right


def _c_text(value: str, what: str) -> bytes:
    if "\0" in value:
        raise BadInput(f"{what} has a zero character: {value!r}")
    return value.encode()


def _numbers(value: Sequence[Any]) -> Optional[np.ndarray]:
    """A list that holds numbers and nothing else, as an array."""
    if not isinstance(value, np.ndarray) and \
            not all(type(item) in (int, float) for item in value):
        return None
    array = np.asarray(value)
    return np.ascontiguousarray(array, dtype=np.float64) if array.ndim == 1 and \
        array.dtype.kind in "fiu" else None


def _put_list(part: Any, key: Any, value: Sequence[Any]) -> None:
    numbers = _numbers(value)
    if numbers is not None:
        LIBRARY.functions.stiction_part_set_numbers(
            part, key, len(numbers), ffi.cast("const double *", numbers.ctypes.data))
        return
    items = LIBRARY.functions.stiction_part_list(part, key)
    for item in value:
        _put(items, ffi.NULL, item)


def _put(part: Any, key: Any, value: Any) -> None:
    """Mistakes are the library's to tell, when the scene is made."""
    functions = LIBRARY.functions
    if isinstance(value, Mapping):
        fill(functions.stiction_part_object(part, key), value)
    elif isinstance(value, (list, tuple, np.ndarray)):
        _put_list(part, key, value)
    elif isinstance(value, (str, os.PathLike)):
        functions.stiction_part_set_text(part, key, _c_text(os.fspath(value), "a text"))
    elif isinstance(value, (bool, np.bool_)):
        functions.stiction_part_set_boolean(part, key, bool(value))
    elif isinstance(value, Real):
        functions.stiction_part_set_number(part, key, float(value))
    elif value is None:
        functions.stiction_part_set_json(part, key, b"null")
    else:
        raise TypeError(f"a scene cannot hold a {type(value).__name__}: {value!r}")


def fill(part: Any, data: Mapping[str, Any]) -> None:
    """Says all that a dictionary says."""
    for key, value in data.items():
        if not isinstance(key, str):
            raise TypeError(f"the keys of a scene are texts, not {key!r}")
        _put(part, _c_text(key, "a key"), value)


def build(data: Mapping[str, Any]) -> Handle:
    """The library's own form of a dictionary, not checked yet."""
    functions = LIBRARY.functions
    made = LIBRARY.make("StictionBuild", functions.stiction_build_create,
                        functions.stiction_build_free)
    fill(functions.stiction_build_root(made.pointer), data)
    return made


def scene(data: Mapping[str, Any], folder: str) -> Handle:
    """The scene that a dictionary says, checked. folder: where its relative paths start."""
    functions, made = LIBRARY.functions, build(data)
    LIBRARY.check(functions.stiction_build_set_folder(made.pointer, os.fsencode(folder)))
    return LIBRARY.make("StictionScene", lambda slot: functions.stiction_scene_build(
        LIBRARY.session, made.pointer, slot), functions.stiction_scene_free)


def to_json(data: Mapping[str, Any]) -> str:
    """The text of a scene file."""
    made = build(data)
    written = LIBRARY.functions.stiction_build_text(made.pointer)
    if not written:
        raise LIBRARY.last_error()
    return text(written)
