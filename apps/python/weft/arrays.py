"""Arrays that show the engine's memory without a copy, and that refuse to be used once it is no longer the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .errors import StaleError

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]

    class StateArray(np.ndarray[Any, Any]):
        """Has all that an array has."""

        @property
        def stale(self) -> bool: ...

        def _fresh(self) -> Array: ...

else:
    Array = np.ndarray

    class StateArray(NDArrayOperatorsMixin):
        """A read-only array in the engine's memory.

        The engine exchanges its buffers in each step, so an array of positions or velocities is the state until the
        next step. After that every use raises StaleError, and ``stale`` is True. Read the property again for the new
        state, and use ``copy()`` to keep the old one. Slices and other views follow the same rule.

        It has everything that a numpy array has, and ``isinstance(array, numpy.ndarray)`` is true. It is not derived
        from ndarray: numpy would then read the memory of a stale array without asking.

        ``numpy.asarray(array)`` gives a plain array without this check. Its memory stays allocated, but its contents
        may be those of another step.
        """

        def __init__(self, values: Any, owner: Any) -> None:
            self._values = values  # a plain array that shows the engine's memory
            self._owner = owner  # the engine's array

        __class__ = property(lambda self: np.ndarray)

        @property
        def stale(self) -> bool:
            """True if the memory no longer is the state of the simulation."""
            return self._owner.stale

        # these do not read the memory
        shape = property(lambda self: self._values.shape)
        ndim = property(lambda self: self._values.ndim)
        size = property(lambda self: self._values.size)
        dtype = property(lambda self: self._values.dtype)

        def _fresh(self) -> Any:
            if self.stale:
                raise StaleError(
                    "the simulation has moved on since this array was read: read the property again, "
                    "or copy() the array to keep its values"
                )
            return self._values

        def _guard(self, found: Any) -> Any:
            """Views of the memory follow the same rule; results stay as they are."""
            if isinstance(found, np.ndarray) and np.may_share_memory(found, self._values):
                return StateArray(found, self._owner)
            return type(found)(map(self._guard, found)) if type(found) in (list, tuple) else found

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            plain = self._fresh()
            if dtype is not None and dtype != plain.dtype:
                return plain.astype(dtype)
            return plain.copy() if copy else plain

        @property
        def __array_interface__(self) -> Any:
            return self._fresh().__array_interface__

        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
            return getattr(ufunc, method)(*_plain(inputs), **_plain(options))

        def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
            return self._guard(function(*_plain(arguments), **_plain(options)))

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            found = getattr(self._fresh(), name)
            if not callable(found):
                return self._guard(found)

            def method(*arguments: Any, **options: Any) -> Any:
                return self._guard(getattr(self._fresh(), name)(*_plain(arguments), **_plain(options)))

            method.__name__ = name
            method.__doc__ = found.__doc__
            return method

        def __dir__(self) -> Any:
            return [*dir(np.ndarray), "stale"]

        def __getitem__(self, key: Any) -> Any:
            return self._guard(self._fresh()[_plain(key)])

        def __setitem__(self, key: Any, value: Any) -> None:
            self._fresh()[_plain(key)] = value  # raises, because the array is read-only

        def __len__(self) -> int:
            return len(self._values)

        def __iter__(self) -> Any:
            return map(self._guard, self._fresh())

        def __contains__(self, value: Any) -> bool:
            return value in self._fresh()

        def __bool__(self) -> bool:
            return bool(self._fresh())

        def __int__(self) -> int:
            return int(self._fresh())

        def __index__(self) -> int:
            return self._fresh().__index__()

        def __float__(self) -> float:
            return float(self._fresh())

        def __copy__(self) -> Any:
            return self._fresh().copy()

        def __deepcopy__(self, memo: Any) -> Any:
            return self._fresh().copy()

        def __reduce__(self) -> Any:
            return self._fresh().copy().__reduce__()

        def __repr__(self) -> str:
            return "<stale array>" if self.stale else repr(self._fresh())

        def __str__(self) -> str:
            return "<stale array>" if self.stale else str(self._fresh())

        def __format__(self, form: str) -> str:
            return format(str(self) if self.stale else self._fresh(), form)


def _plain(value: Any) -> Any:
    """Replaces the state arrays in a value by plain ones."""
    if type(value) is StateArray:
        return value._fresh()
    if type(value) in (tuple, list):
        return type(value)(map(_plain, value))
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    return value


def show(array: Any) -> Any:
    """The numpy array of an engine array. None stays None."""
    if array is None:
        return None
    return StateArray(np.asarray(array), array)


def own(array: Any) -> Array:
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
