"""Attributes that do not exist are refused, with the place of the one that was meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Iterable

from .errors import Error


def nearest(name: str, names: Iterable[str]) -> str:
    """The question that ends a message about an unknown name, or nothing."""
    near = difflib.get_close_matches(name, [each for each in names if not each.startswith("_")], 1)
    return f": did you mean {near[0]!r}?" if near else ""


class Checked:
    """An object that takes no unknown attributes: a misspelt one, or that of another object, would have no effect."""

    _free: frozenset[str] = frozenset()  #: attributes that are not in the class

    def _described(self) -> str:
        """What the object is called in messages."""
        raise NotImplementedError

    def _sections(self) -> Iterable[tuple[str, Iterable[str]]]:
        """Where parameters are, as Python has it, with their names."""
        raise NotImplementedError

    def _missing(self, name: str) -> str:
        text = f"{self._described()} has no attribute {name!r}"
        try:
            places = [place for place, names in self._sections() if name in names]
        except (Error, LookupError, ValueError):  # removed, or in use by another thread
            places = []
        return f"{text}: use {places[0]}.{name}" if places else text + nearest(name, dir(type(self)))

    if not TYPE_CHECKING:  # a type checker would accept any name

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(name if name.startswith("_") else self._missing(name))

        def __setattr__(self, name: str, value: Any) -> None:
            found = getattr(type(self), name, None)
            if not (name.startswith("_") or name in self._free):
                if found is None:
                    raise AttributeError(self._missing(name))
                if not hasattr(found, "__set__") or (isinstance(found, property) and found.fset is None):
                    raise AttributeError(f"{name!r} of {self._described()} cannot be assigned{self._instead(name)}")
            object.__setattr__(self, name, value)

    def _instead(self, name: str) -> str:
        """What to do instead of assigning an attribute: the end of a message."""
        return ": set its parameters" if hasattr(getattr(self, name, None), "_rows") else ""
