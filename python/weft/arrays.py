"""Arrays that show the engine's memory without a copy, and that refuse to be used once it is no longer the state."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import StaleError


class StateArray(np.ndarray):
    """A read-only array in the engine's memory.

    The engine exchanges its buffers in each step, so an array of positions or velocities is the state until the next
    step. After that every use raises StaleError, and ``stale`` is True. Read the property again for the new state, and
    use ``copy()`` to keep the old one. Slices follow the same rule.

    ``numpy.asarray(array)`` gives a plain array without this check. Its memory stays allocated, but its contents may be
    those of another step.
    """

    _owner: Any = None

    def __array_finalize__(self, source: Any) -> None:
        # copies own their memory, so they never become stale
        self._owner = getattr(source, "_owner", None) if self.base is not None else None

    @property
    def stale(self) -> bool:
        """True if the memory no longer is the state of the simulation."""
        return self._owner is not None and self._owner.stale

    def _fresh(self) -> np.ndarray:
        if self.stale:
            raise StaleError(
                "the simulation has moved on since this array was read: read the property again, "
                "or copy() the array to keep its values"
            )
        return self.view(np.ndarray)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [_plain(value) for value in inputs]
        if "out" in options:
            options["out"] = tuple(_plain(value) for value in options["out"])
        return getattr(ufunc, method)(*plain, **options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return function(*_plain(arguments), **_plain(options))

    def __getitem__(self, key: Any) -> Any:
        found = self._fresh()[key]
        if isinstance(found, np.ndarray) and np.may_share_memory(found, self):
            found = found.view(StateArray)
            found._owner = self._owner
        return found

    def copy(self, order: Any = "C") -> np.ndarray:
        """A plain array of the present values."""
        return self._fresh().copy(order)

    def __iter__(self) -> Any:
        return iter(self._fresh())

    def __repr__(self) -> str:
        return "<stale array>" if self.stale else repr(self._fresh())

    def __str__(self) -> str:
        return "<stale array>" if self.stale else str(self._fresh())

    def __float__(self) -> float:
        return float(self._fresh())

    def __reduce__(self) -> Any:
        return self._fresh().copy().__reduce__()


def _checked(name: str) -> Any:
    """A method of ndarray that checks first."""
    original = getattr(np.ndarray, name)

    def method(self: StateArray, *arguments: Any, **options: Any) -> Any:
        return original(self._fresh(), *arguments, **options)

    method.__name__ = name
    method.__doc__ = original.__doc__
    return method


for _name in (
    "all any argmax argmin argsort astype clip cumsum dot flatten max mean min nonzero prod ptp ravel "
    "repeat reshape round std sum take tobytes tolist trace transpose var"
).split():
    if hasattr(np.ndarray, _name):  # numpy 2 has no ptp
        setattr(StateArray, _name, _checked(_name))


def _plain(value: Any) -> Any:
    """Replaces the state arrays in a value by plain ones."""
    if isinstance(value, StateArray):
        return value._fresh()
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def show(array: Any) -> Any:
    """The numpy array of an engine array. None stays None."""
    if array is None:
        return None
    shown = np.asarray(array).view(StateArray)
    shown._owner = array
    return shown


def own(array: Any) -> np.ndarray:
    """The numpy array of an engine array that owns its memory."""
    return np.asarray(array)


def vectors(values: Any, what: str, columns: int = 3) -> bytes:
    """Rows of numbers as bytes, for the engine."""
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: needs numbers") from None
    if array.ndim == 0 or array.size % columns or (array.ndim > 1 and array.shape[-1] != columns):
        raise ValueError(f"{what}: needs rows of {columns} numbers, not an array of shape {array.shape}")
    return array.tobytes()


def indices(values: Any, what: str) -> bytes:
    """Whole numbers as bytes, for the engine."""
    array = np.asarray(values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{what}: needs whole numbers")
    if array.size and (array.min() < -(2**31) or array.max() >= 2**31):
        raise ValueError(f"{what}: a number does not fit into 32 bits")
    return np.ascontiguousarray(array, dtype=np.int32).tobytes()


def vector(value: Any, what: str) -> tuple[float, float, float]:
    """A point or direction."""
    try:
        x, y, z = (float(number) for number in value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: needs three numbers, not {value!r}") from None
    return x, y, z
