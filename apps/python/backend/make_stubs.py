"""Writes parameters.pyi from the engine's tables: python make_stubs.py PACKAGE.

PACKAGE is the folder `weft` with the extension module. The package itself is not imported, because it needs numpy.
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from typing import Any

_HEADER = '''"""Parameters as typed properties. Written at build time from the engine's tables."""

from __future__ import annotations

from typing import Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union, overload

_Got = TypeVar("_Got", covariant=True)
_Taken = TypeVar("_Taken", contravariant=True)

class Value(Generic[_Got, _Taken]):
    """A parameter: what reading it gives, and what it takes. A descriptor, because the two differ."""

    @overload
    def __get__(self, parameters: None, owner: Any) -> property: ...
    @overload
    def __get__(self, parameters: Parameters, owner: Any) -> _Got: ...
    def __set__(self, parameters: Parameters, value: _Taken) -> None: ...

class Param(NamedTuple):
    name: str
    type: str
    low: float
    high: float
    default: str
    unit: str
    help: str
    choices: list[str]
    fixed: bool
    was: Optional[str]
    @property
    def group(self) -> str: ...
    @property
    def leaf(self) -> str: ...
    @property
    def attribute(self) -> str: ...
    def describe(self) -> str: ...

class Component(NamedTuple):
    kind: str
    name: str
    help: str
    paper: str
    params: list[Param]

class Parameters:
    _rows: dict[str, Param]
    def __init__(self, sim: Any, prefix: Any) -> None: ...
    def set(self, **values: Any) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class AnyParameters(Parameters):
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

tables: dict[str, list[Param]]
components: list[Component]
classes: dict[str, type[Any]]
def component(kind: str, name: str) -> Component: ...
def class_name(name: str, kind: str = "") -> str: ...
def parameters_of(kind: str, name: str) -> type[AnyParameters]: ...
def to_json(value: Any) -> str: ...
'''


def _types(row: Any) -> tuple[str, str]:
    """What a property returns, and what it takes."""
    got = {
        "real": "float",
        "map": "float",
        "int": "int",
        "bool": "bool",
        "pair": "tuple[float, float]",
        "vector": "tuple[float, float, float]",
        "string": "str",
    }.get(row.type)
    if row.type == "choice":
        got = "Literal[" + ", ".join(repr(choice) for choice in row.choices) + "]"
        return got, f"Union[{got}, bool]" if {"true", "false"} & set(row.choices) else got
    if row.type in ("pair", "vector"):
        return str(got), "Any"  # any sequence or array of numbers, or text
    return str(got), "str" if row.type == "string" else f"Union[{got}, str]"


def stub(tables: Any) -> str:
    """The text of the stub file."""
    lines = [_HEADER]
    for name, (doc, rows) in tables.class_rows().items():
        lines += ["", f"class {name}(Parameters):", f'    """{doc}"""']
        for group in tables.groups_of(rows):
            made = name + tables.class_name(group)
            lines += ["    @property", f"    def {group}(self) -> {made}: ..."]
            lines += [f"    @{group}.setter", f"    def {group}(self, values: dict[str, Any]) -> None: ..."]
        for row in rows:
            if row.group:
                continue
            got, taken = _types(row)
            text = row.describe().replace("\\", "\\\\").replace('"""', "'''").replace("\n\n", "\n\n    ")
            lines += [f"    {row.attribute}: Value[{got}, {taken}]", f'    """{text}"""']
    return "\n".join(lines) + "\n"


def main(folder: str) -> None:
    package = types.ModuleType("weft")
    package.__path__ = [folder]
    sys.modules["weft"] = package
    text = stub(importlib.import_module("weft._tables"))
    with open(os.path.join(folder, "parameters.pyi"), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
