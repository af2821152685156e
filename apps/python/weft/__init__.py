"""Weft: cloth simulation.

>>> import weft
>>> sim = weft.load("flag.yaml")
>>> sim.run(frames=120, progress=True)
>>> sim.cloths["flag"].positions       # (n, 3), a view of the engine's memory

Quantities are in SI units. Coordinates are right-handed, with y up.
"""

from __future__ import annotations

from typing import Any

from . import _engine, parameters
from ._engine import Report
from .arrays import StateArray
from .errors import (
    BadFileError,
    BadInputError,
    DivergedError,
    Error,
    IntersectsError,
    NoMemoryError,
    StaleError,
    UnsupportedError,
)
from .meshes import Mesh, grid, mesh, read_mesh
from .notebook import Film, Page, Picture
from .parts import Body, Cloth, Force
from .simulation import Event, Hit, Intersections, Measures, Recorder, Sim, Summary, build, load, run_many

__version__: str = _engine.version

#: the fabric presets by name: help, source and properties of each
fabrics: dict[str, dict[str, Any]] = {
    name: {"help": help, "source": source, **values} for name, help, source, values in _engine.presets()
}

__all__ = [
    "BadFileError",
    "BadInputError",
    "Body",
    "Cloth",
    "DivergedError",
    "Error",
    "Event",
    "Film",
    "Force",
    "Hit",
    "Intersections",
    "IntersectsError",
    "Measures",
    "Mesh",
    "NoMemoryError",
    "Page",
    "Picture",
    "Recorder",
    "Report",
    "Sim",
    "StaleError",
    "StateArray",
    "Summary",
    "UnsupportedError",
    "build",
    "fabrics",
    "grid",
    "load",
    "mesh",
    "parameters",
    "read_mesh",
    "run_many",
]
