"""The shared library: where it is, its declarations (read from its own header, so that they are
never out of step), the one session of this process, and statuses turned into exceptions."""

from __future__ import annotations

import atexit
import logging
import os
import re
import threading
from pathlib import Path
from typing import Any, Callable

import numpy as np
from cffi import FFI

from . import _errors as errors

_HERE = Path(__file__).resolve().parent
_LEVELS = {0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING}  # StictionLevel
_log = logging.getLogger("stiction")


def native(name: str, in_tree: str) -> Path:
    """A file that was installed with the package, or made in the tree that it is used from."""
    installed = _HERE / "_native" / name
    tree = _HERE.parents[1]
    built = Path(os.environ.get("STICTION_BUILD") or tree / "build")
    return installed if installed.exists() else Path(in_tree.format(tree=tree, build=built))


def _declarations(header: str) -> str:
    """The header without what only a preprocessor understands."""
    header = re.sub(r"#(ifdef __cplusplus|ifndef STICTION_UNCHECKED).*?#endif", "", header,
                    flags=re.S)
    header = re.sub(r"^\s*#(.*\\\n)*.*$", "", header, flags=re.M)
    return header.replace("STICTION_API ", "")


_STRUCTS = re.findall(r"^  X\((\w+)\)", native("stiction.h", "{tree}/include/stiction/stiction.h")
                      .read_text(encoding="utf-8"), flags=re.M)
ffi = FFI()
for _header in ("report.h", "stiction.h", "build.h", "recording.h", "plot.h"):
    ffi.cdef(_declarations(native(_header, "{tree}/include/stiction/" + _header)
                           .read_text(encoding="utf-8")))


def load(name: str) -> Any:
    """A shared library, which stays: things are freed until the interpreter is gone."""
    versions = sorted((_HERE / "_native").glob(name + ".*"))
    path = versions[0] if versions else native(name, "{build}/" + name)
    if not path.exists():
        raise errors.SystemFault(f"there is no {path}: the library was not built; `make build` "
                                 "does that, or `pip install .`")
    return ffi.dlopen(str(path), os.RTLD_NOW | os.RTLD_NODELETE)


def text(pointer: Any) -> str:
    """A C string; "" for NULL."""
    return ffi.string(pointer).decode() if pointer else ""


def refused(answer: Any) -> bool:
    """Whether a function said False, which None is not."""
    return isinstance(answer, (bool, np.bool_)) and not answer


class Handle:
    """Something of the library's, freed with the last reference to it, in whatever thread that
    goes: the library does not wait then, and frees it when no call is under way. What must outlive
    it (functions that C calls) is kept alive in `needs`."""

    def __init__(self, pointer: Any, free: Callable[[Any], None], needs: tuple = ()) -> None:
        self.pointer = pointer
        self.needs = needs
        self._free = free

    def close(self) -> None:
        if self.pointer is not None:
            self._free(self.pointer)
        self.pointer = None

    __del__ = close


class _Memory:
    """Memory of the library's, as numpy wants to hear of it. numpy keeps this as the base of the
    array and of every view of it, and so what the memory belongs to."""

    def __init__(self, owner: Handle, address: int, shape: tuple, kind: str,
                 writeable: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {"data": (address, not writeable), "shape": shape,
                                    "typestr": kind, "version": 3}


_KINDS = {"double": "<f8", "int": "<i4"}


def view(owner: Handle, pointer: Any, *shape: int, writeable: bool = False) -> np.ndarray:
    """An array that is the library's memory, not a copy of it."""
    item = ffi.typeof(pointer).item.cname
    if not pointer or 0 in shape:
        return np.empty(shape, dtype=_KINDS[item])
    address = int(ffi.cast("uintptr_t", pointer))
    return np.asarray(_Memory(owner, address, shape, _KINDS[item], writeable))


_place = threading.local()


def within_call() -> bool:
    """Whether this thread is in a function that the library called."""
    return getattr(_place, "depth", 0) > 0


def _marked(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        _place.depth = getattr(_place, "depth", 0) + 1
        try:
            return function(*arguments)
        finally:
            _place.depth -= 1

    return call


class Calls:
    """Python functions that C calls. An exception in one must not travel through C: it is kept, C
    is told to stop, and it goes on from where C was called."""

    def __init__(self) -> None:
        self._raised: list[BaseException] = []
        self._kept: list[Any] = []

    def wrap(self, type_name: str, function: Callable[..., Any], otherwise: Any = None) -> Any:
        """A C function pointer; `otherwise` is what C gets when the function raises."""
        raised = self._raised  # not self, which would be a cycle and keep simulations from going

        def note(_: Any, exception: BaseException, __: Any) -> None:
            raised.append(exception)

        pointer = ffi.callback(type_name, _marked(function), error=otherwise, onerror=note)
        self.keep(pointer)
        return pointer

    def keep(self, *things: Any) -> None:
        """Keeps what C points to for as long as this."""
        self._kept += things

    def check(self, status: int) -> None:
        """Raises what a function raised, or what the status says."""
        if self._raised:
            raised = self._raised[0]
            self._raised.clear()
            raise raised
        LIBRARY.check(status)


def _check_sizes(functions: Any) -> None:
    """A library of another version than the header would misread what it is given."""
    for name in _STRUCTS:
        if functions.stiction_size(name.encode()) != ffi.sizeof(name):
            raise errors.SystemFault(f"{name} has another size in the library than in its header: "
                                     "they are of different versions")


class Library:
    """The one library and the one session of this process; both are opened when first needed."""

    def __init__(self) -> None:
        self._opening = threading.RLock()
        self._functions: Any = None
        self._session: Any = None
        self._listener: Any = None
        self._closed = False

    @property
    def functions(self) -> Any:
        with self._opening:
            if self._functions is None:
                self._functions = load("libstiction.so")
                _check_sizes(self._functions)
        return self._functions

    @property
    def session(self) -> Any:
        with self._opening:
            if self._closed:
                raise errors.SystemFault("the library has been closed, since Python is ending")
            if self._session is None:
                self._open()
        return self._session

    def _open(self) -> None:
        slot = ffi.new("Stiction **")
        status = self.functions.stiction_open(slot)
        if status:
            raise self._error(status)
        self._session = slot[0]
        self._listener = ffi.callback("StictionListener", _marked(self._hear))
        self.functions.stiction_listen(self._session, self._listener, ffi.NULL)
        atexit.register(self._close)

    @property
    def process_count(self) -> int:
        """As mpiexec told; the library's own answer would need all of them to ask."""
        for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"):
            if name in os.environ:
                return int(os.environ[name])
        return 1

    def _close(self) -> None:
        # Arrays that are still held stay valid, and are freed with their last references.
        self._closed = True
        self._functions.stiction_close(self._session)

    @staticmethod
    def _hear(_: Any, level: int, message: Any) -> None:
        _log.log(_LEVELS.get(level, logging.INFO), "%s", text(message))

    def _error(self, status: int) -> errors.Error:
        message = text(self.functions.stiction_error(ffi.NULL))  # of this thread's last call
        return errors.STATUS.get(status, errors.Bug)(message)

    def check(self, status: int) -> None:
        if status:
            raise self._error(status)

    def last_error(self) -> errors.Error:
        """Of a call that answers with no status."""
        return errors.BadInput(text(self.functions.stiction_error(ffi.NULL)))

    def make(self, kind: str, call: Callable[[Any], int], free: Callable[[Any], None],
             needs: tuple = ()) -> Handle:
        """A handle to what `call` puts into a slot of this C type."""
        slot = ffi.new(f"{kind} **")
        self.check(call(slot))
        return Handle(slot[0], free, needs)

    def load_scene(self, path: str) -> Handle:
        functions = self.functions
        return self.make("StictionScene", lambda slot: functions.stiction_scene_load(
            self.session, os.fsencode(path), slot), functions.stiction_scene_free)

    def set_threads(self, scene: Handle, threads: int) -> None:
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise errors.BadInput(f"threads: a whole number from 1 on is needed, not {threads!r}; without "
                           "one all processors are used")
        self.check(self.functions.stiction_scene_set_threads(scene.pointer, min(threads, 1 << 30)))


LIBRARY = Library()


def quantity(value: Any, unit: str) -> float:
    """A number in SI, or a text with a unit."""
    if not isinstance(value, str):
        return float(value)
    slot = ffi.new("double *")
    LIBRARY.check(LIBRARY.functions.stiction_quantity(value.encode(), unit.encode(), slot))
    return slot[0]
