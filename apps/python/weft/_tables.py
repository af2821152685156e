"""The engine's parameter tables. This module needs no numpy, so that a build can write the type stubs from it."""

from __future__ import annotations

import keyword
from typing import NamedTuple, Optional

from . import _engine


class Param(NamedTuple):
    """A row of a parameter table."""

    name: str
    type: str  #: real, int, bool, pair, vector, choice, string or map
    low: float
    high: float
    default: str
    unit: str
    help: str
    choices: list[str]
    fixed: bool  #: cannot change once the simulation is prepared
    was: Optional[str] = None  #: former name

    @property
    def group(self) -> str:
        """The group within the table: "constraints" for "constraints.solves", "" for most."""
        return self.name.rpartition(".")[0]

    @property
    def leaf(self) -> str:
        """The name without its group."""
        return self.name.rpartition(".")[2]

    @property
    def attribute(self) -> str:
        """The leaf as an attribute: "as", which Python reserves, becomes "as_"."""
        return self.leaf + "_" if keyword.iskeyword(self.leaf) else self.leaf

    def describe(self) -> str:
        """The help text, with type, unit, range and default."""
        facts = [self.type if self.type != "choice" else " | ".join(self.choices)]
        if self.unit:
            facts.append(f"in {self.unit}")
        if self.type in ("real", "int", "pair", "map"):
            facts.append(f"{self.low:g} .. {self.high:g}")
        facts.append(f"default {self.default or 'empty'}")
        if self.fixed:
            facts.append("fixed once the simulation is prepared")
        return f"{self.help}\n\n{', '.join(facts)}."


class Component(NamedTuple):
    """A model, integrator, force, body, adaptation or writer."""

    kind: str
    name: str
    help: str
    paper: str
    params: list[Param]


def class_name(name: str, kind: str = "") -> str:
    """"implicit-euler", "integrator" -> "ImplicitEulerIntegrator"."""
    words = (name + "-" + kind).replace("_", "-").split("-")
    return "".join(word[:1].upper() + word[1:] for word in words)


#: the tables that belong to no component, by name: time, air, contact, fabric, grid, maps, cut, view
tables: dict[str, list[Param]] = {
    name: [Param(*row) for row in rows] for name, rows in _engine.tables().items()
}
#: all components of the engine
components: list[Component] = [
    Component(kind, name, help, paper, [Param(*row) for row in rows])
    for kind, name, help, paper, rows in _engine.components()
]


def component(kind: str, name: str) -> Component:
    """The component of that kind and name."""
    for found in components:
        if (found.kind, found.name) == (kind, name):
            return found
    raise KeyError(f"there is no {kind} {name!r}")


#: the tables that become classes
headings = {
    "time": "How a run is divided into frames and steps.",
    "air": "The air, shared by all wind sources, and the random seed.",
    "device": "The processor that computes the steps.",
    "contact": "Contact with bodies, contact between cloths, and self-collision.",
    "fabric": "The material of a cloth.",
}


def groups_of(rows: list[Param]) -> list[str]:
    """The groups of a table, in order: those of contact are barrier, constraints and impulses."""
    return list(dict.fromkeys(row.group for row in rows if row.group))


def class_rows() -> dict[str, tuple[str, list[Param]]]:
    """The classes of parameters: the help text and the rows of each, by name. A group has a class of its own."""
    rows: dict[str, tuple[str, list[Param]]] = {}
    for name, heading in headings.items():
        for group in groups_of(tables[name]):
            inner = [row._replace(name=row.leaf) for row in tables[name] if row.group == group]
            rows[class_name(name, group)] = (f"The settings of {name} for the method {group}.", inner)
        rows[class_name(name)] = (heading, tables[name])
    for found in components:
        if found.kind != "writer":
            rows[class_name(found.name, found.kind)] = (found.help, found.params)
    return rows
