"""Meshes of cloths and bodies: grids, arrays and files."""

from __future__ import annotations

import os
from typing import Any, Callable, Optional, Union

import numpy as np

from . import _engine, arrays
from .arrays import Array

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_DIAGONALS = ("alternating", "one-way", "criss-cross")


class Mesh:
    """A surface for a cloth or a body. It can be used for several simulations."""

    def __init__(self, make: Callable[[bool], Any], text: str) -> None:
        self._make = make  # of an engine mesh; the argument says whether it is for a body
        self._text = text
        self._shown: Optional[tuple[Array, Array, Optional[Array]]] = None

    def _arrays(self) -> tuple[Array, Array, Optional[Array]]:
        if self._shown is None:
            x, triangles, uv = self._make(False).show()
            self._shown = (arrays.own(x), arrays.own(triangles), None if uv is None else arrays.own(uv))
        return self._shown

    @property
    def positions(self) -> Array:
        """Positions at rest, m: (n, 3)."""
        return self._arrays()[0]

    @property
    def triangles(self) -> Array:
        """Vertices of the triangles: (m, 3)."""
        return self._arrays()[1]

    @property
    def uv(self) -> Optional[Array]:
        """Rest coordinates of the vertices, m: (n, 2), or None."""
        return self._arrays()[2]

    def __repr__(self) -> str:
        return self._text


def _axis(value: Any) -> tuple[float, float, float]:
    if isinstance(value, str):
        name, sign = value.lstrip("+-"), -1.0 if value.startswith("-") else 1.0
        if name not in _AXES:
            raise ValueError(f"axes: {value!r} is not one of x, y, z, -x, -y, -z or three numbers")
        x, y, z = _AXES[name]
        return sign * x, sign * y, sign * z
    return arrays.vector(value, "axes")


def grid(
    cells: Any = (10, 10),
    size: Any = (1.0, 1.0),
    origin: Any = (0.0, 0.0, 0.0),
    axes: Any = ("x", "-y"),
    diagonals: str = "alternating",
) -> Mesh:
    """A grid of cells[0] x cells[1] cells and size[0] x size[1] metres, from `origin` along two axes.

    An axis is "x", "-y", ... or three numbers. `diagonals` is alternating, one-way or criss-cross.
    """
    if diagonals not in _DIAGONALS:
        raise ValueError(f"diagonals: {diagonals!r} is not one of {', '.join(_DIAGONALS)}")
    columns, rows = (int(count) for count in cells)
    width, height = (float(length) for length in size)
    start, first, second = arrays.vector(origin, "origin"), _axis(axes[0]), _axis(axes[1])
    kind = _DIAGONALS.index(diagonals)

    def make(is_body: bool) -> Any:
        return _engine.Mesh.grid((columns, rows), (width, height), start, first, second, kind)

    make(False)  # a bad grid fails here, not when it is used
    return Mesh(make, f"grid({columns} x {rows}, {width:g} x {height:g} m)")


def mesh(positions: Any, faces: Any, uv: Any = None, groups: Optional[dict[str, Any]] = None) -> Mesh:
    """A mesh from arrays.

    `positions` is (n, 3), m. `faces` is an array (m, 3) or (m, 4), or a list of faces with any number of corners.
    `uv` are the rest coordinates: (n, 2) by vertex, or (corners, 2) by corner. `groups` names vertices, for pins.
    """
    x = arrays.vectors(positions, "positions")
    if isinstance(faces, np.ndarray):
        corners = np.ascontiguousarray(faces).reshape(-1)
        sizes = np.full(len(faces), faces.shape[1] if faces.ndim == 2 else 0)
    else:
        lists = [np.asarray(face) for face in faces]
        sizes = np.array([len(face) for face in lists])
        corners = np.concatenate(lists) if lists else np.empty(0, int)
    corner, size = arrays.indices(corners, "faces"), arrays.indices(sizes, "faces")
    coordinates = None
    if uv is not None:
        table = np.asarray(uv, dtype=float)
        if len(table) != len(corners):
            if len(table) != len(x) // 24:
                raise ValueError("uv: needs two numbers for each vertex or for each corner")
            table = table[corners]
        coordinates = arrays.vectors(table, "uv", 2)

    def make(is_body: bool) -> Any:
        made = _engine.Mesh.arrays(x, corner, size, coordinates, is_body)
        for name, members in (groups or {}).items():
            made.add_group(name, arrays.indices(np.unique(np.asarray(members)), f"group {name}"))
        return made

    return Mesh(make, f"mesh({len(x) // 24} vertices, {len(sizes)} faces)")


def read_mesh(path: Union[str, "os.PathLike[str]"]) -> Mesh:
    """A mesh from a file: OBJ, PLY, and what Assimp reads (FBX, glTF, STL, DAE, ...)."""

    def make(is_body: bool) -> Any:
        return _engine.Mesh.file(path, is_body)

    return Mesh(make, f"read_mesh({os.fspath(path)!r})")


def as_mesh(value: Any) -> Mesh:
    """A mesh, a file name, or a dict of grid()."""
    if isinstance(value, Mesh):
        return value
    if isinstance(value, dict):
        return grid(**value)
    if isinstance(value, (str, os.PathLike)):
        return read_mesh(value)
    raise TypeError(f"a mesh is needed: grid(), mesh(), read_mesh() or a file name, not {value!r}")
