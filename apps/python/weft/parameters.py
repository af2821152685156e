"""Parameters as typed properties. The classes are made at import from the engine's tables, which are the only description
of each setting; parameters.pyi has the same classes for type checkers."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ._tables import Component, Param, class_name, class_rows, component, components, groups_of, tables
from .attributes import nearest

__all__ = ["Component", "Param", "Parameters", "classes", "component", "components", "parameters_of", "tables", "to_json"]


def _default(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be part of a scene: {value!r}")


def to_json(value: Any) -> str:
    """A value as JSON, which the engine reads as YAML. Numbers keep all their digits."""
    return json.dumps(value, default=_default)


def to_text(row: Param, value: Any) -> str:
    """A value as in a scene file. Text passes as it is, so that it may have a unit: "4 mm"."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        if row.type in ("bool", "choice"):
            return "true" if value else "false"
        raise TypeError(f"{row.name}: needs a {row.type}, not {value!r}")
    if row.type in ("pair", "vector"):
        count = 2 if row.type == "pair" else 3
        numbers = np.asarray(value, dtype=float).ravel()
        if numbers.size != count:
            raise TypeError(f"{row.name}: needs {count} numbers, not {value!r}")
        return "[" + ", ".join(repr(float(number)) for number in numbers) + "]"
    if row.type not in ("real", "int", "map"):
        raise TypeError(f"{row.name}: needs a {row.type}, not {value!r}")
    number = float(value)
    return str(int(number)) if row.type == "int" and number.is_integer() else repr(number)


def from_text(row: Param, text: str) -> Any:
    """The value of a text that the engine wrote."""
    if row.type in ("real", "map"):
        return float(text)
    if row.type == "int":
        return int(text)
    if row.type == "bool":
        return text == "true"
    if row.type in ("pair", "vector"):
        return tuple(float(number) for number in text.strip("[]").split(","))
    return text


class Parameters:
    """The parameters of one part of a simulation. Each is a property; its docstring is the engine's help text.

    A value is a number in SI units, or text as in a scene file: ``"4 mm"``. A value out of range raises BadInputError.
    """

    _rows: dict[str, Param] = {}
    _groups: list[str] = []  # each is a property with its own Parameters
    _former: dict[str, Param] = {}  # by the name that a setting had before it became part of a group

    def __init__(self, sim: Any, prefix: Any) -> None:
        object.__setattr__(self, "_sim", sim)
        object.__setattr__(self, "_prefix", prefix)

    def _path(self) -> str:
        return self._prefix() if callable(self._prefix) else self._prefix

    def set(self, **values: Any) -> None:
        """Set several parameters."""
        for name, value in values.items():
            if name not in self._rows:
                # the engine knows the name that was meant, and says so
                self._sim._set(f"{self._path()}.{name}", value if isinstance(value, str) else repr(value))
            setattr(self, name, value)

    def as_dict(self) -> dict[str, Any]:
        """All values by name."""
        values = {name: getattr(self, name) for name in self._rows}
        return {**values, **{name: getattr(self, name).as_dict() for name in self._groups}}

    def _present(self, name: str) -> tuple["Parameters", str]:
        """The object and the attribute for a former name."""
        row = self._former[name]
        warnings.warn(f"{self._path()}.{name} is now {self._path()}.{row.name}", DeprecationWarning, stacklevel=3)
        return getattr(self, row.group), row.attribute

    def _missing(self, name: str) -> str:
        return f"{self._path()} has no parameter {name!r}{nearest(name, [*self._rows, *self._groups])}"

    if not TYPE_CHECKING:  # a type checker would accept any name

        def __getattr__(self, name: str) -> Any:
            if name in self._former:
                return getattr(*self._present(name))
            raise AttributeError(name if name.startswith("_") else self._missing(name))

        def __setattr__(self, name: str, value: Any) -> None:
            if name in self._former:
                group, name = self._present(name)
                setattr(group, name, value)
                return
            if name not in self._rows and name not in self._groups:
                raise AttributeError(self._missing(name))
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        lines = [f"{name}={value!r}" for name, value in self.as_dict().items()]
        return f"{type(self).__name__}({', '.join(lines)})"


#: for type checkers: the parameters of a component of which only the run knows which it is
AnyParameters = Parameters


def _property(row: Param) -> property:
    def get(self: Parameters) -> Any:
        return from_text(row, self._sim._get(f"{self._path()}.{row.name}"))

    def put(self: Parameters, value: Any) -> None:
        self._sim._set(f"{self._path()}.{row.name}", to_text(row, value))

    return property(get, put, None, row.describe())


def _group_property(group: str, made: type) -> property:
    def get(self: Parameters) -> Any:
        return made(self._sim, lambda: f"{self._path()}.{group}")

    def put(self: Parameters, values: dict[str, Any]) -> None:
        get(self).set(**values)

    return property(get, put, None, f"{made.__doc__}\n\nAssign a dict to set several.")


def make_class(name: str, rows: list[Param], doc: str, base: type = Parameters) -> type:
    """A class with a property for each row, and for each group, whose class was made before."""
    direct, groups = [row for row in rows if not row.group], groups_of(rows)
    members: dict[str, Any] = {row.attribute: _property(row) for row in direct}
    members.update({group: _group_property(group, classes[name + class_name(group)]) for group in groups})
    former = {row.was: row for row in rows if row.group and row.was}
    members.update(_rows={row.attribute: row for row in direct}, _groups=groups, _former=former)
    members.update(__doc__=doc, __module__=__name__)
    return type(name, (base,), members)


#: the classes by name; they are attributes of this module too
classes: dict[str, type] = {}
for _name, (_doc, _table) in class_rows().items():
    classes[_name] = make_class(_name, _table, _doc)
globals().update(classes)


def parameters_of(kind: str, name: str) -> type:
    """The class of a component's parameters."""
    return classes.get(class_name(name, kind), Parameters)
