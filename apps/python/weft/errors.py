"""Exceptions: one class per error code of the engine, with the engine's message."""

from . import _engine


class Error(Exception):
    """Base class of all errors of the engine. The text names the place, the value and what is allowed."""


class BadInputError(Error, ValueError):
    """An invalid value, mesh, scene or file content."""


class BadFileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class NoMemoryError(Error, MemoryError):
    """An allocation failed."""


class UnsupportedError(Error):
    """Valid on its own, but not in this combination or at this time."""


class DivergedError(Error, ArithmeticError):
    """A step was not made: the state would not be finite, or a solve failed. The state is the last good one."""


class IntersectsError(Error):
    """Surfaces began to intersect, and contact.on_intersection is stop."""


class StaleError(Error):
    """An array was used after the simulation had moved on. Read the property again, or copy() what you keep."""


# in the order of weft_code
_engine.use_exceptions(
    [BadInputError, BadFileError, NoMemoryError, UnsupportedError, DivergedError, IntersectsError]
)
