"""What can go wrong, one class per kind. The text is the library's own: what is wrong, where, and
what would be right."""


class Error(Exception):
    """Base class of the library's errors."""


class BadInput(Error, ValueError):
    """A scene, a file or an argument is wrong; the text says where and what would be right."""


class SystemFault(Error, OSError):
    """The system failed: memory, disk, MPI."""


class NotSolved(Error, ArithmeticError):
    """A step could not be solved. The state is that of the last step that could."""


class Interrupted(Error):
    """Stopped on request, between two steps."""


class Found(Error):
    """A strict run finished, but the judge found crossings, overlaps or inverted elements. All
    results are there; the text is the verdict."""


class Bug(Error, AssertionError):
    """A check inside the library failed; please report it."""


STATUS = {1: BadInput, 2: SystemFault, 3: NotSolved, 4: Interrupted, 5: Bug}  # StictionStatus
EXIT = {2: BadInput, 3: SystemFault, 4: NotSolved, 5: Bug, 6: Found, 130: Interrupted}  # of the program
