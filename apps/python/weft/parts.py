"""The parts of a simulation: cloths, bodies and forces."""

from __future__ import annotations

import difflib
import math
from typing import Any, Callable, Generic, Iterator, Optional, Sequence, TypeVar, Union

import numpy as np

from . import arrays
from .arrays import Array, StateArray
from .attributes import Checked
from .parameters import AnyParameters, Fabric, parameters_of

# in the order of weft_select_kind
_SELECTORS = ("vertices", "side", "corner", "box", "sphere", "nearest", "group", "all")
_ORIGIN = (0.0, 0.0, 0.0)

Part = TypeVar("Part", bound="_Part")


class Token:
    """The identity of a part in the lists of a simulation. It does not refer to the simulation, so that one without
    other references is freed at once."""

    def __init__(self, name: str) -> None:
        self.name = name


def _index(tokens: list[Token], token: Token) -> int:
    for i, each in enumerate(tokens):
        if each is token:
            return i
    raise ValueError(f"{token.name} was removed from its simulation")


class Parts(Sequence[Part], Generic[Part]):
    """Parts of a simulation, by index or by name."""

    def __init__(self, parts: list[Part], what: str) -> None:
        self._parts = parts
        self._what = what

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self._parts[key]
        for part in self._parts:
            if part.name == key:
                return part
        near = difflib.get_close_matches(key, self.names(), 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(self.names()) or 'none'}"
        raise KeyError(f"no {self._what} {key!r}{hint}")

    def __contains__(self, key: object) -> bool:
        return key in self.names() if isinstance(key, str) else key in self._parts

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[Part]:
        return iter(self._parts)

    def names(self) -> list[str]:
        """The names, in order."""
        return [part.name for part in self._parts]

    def __repr__(self) -> str:
        return f"[{', '.join(repr(part) for part in self._parts)}]"


class _Part:
    """Something in a list of the simulation. Its index may change when others are removed."""

    _list = ""
    _sim: Any
    _token: Token

    def __init__(self, sim: Any, token: Token) -> None:
        object.__setattr__(self, "_sim", sim)
        object.__setattr__(self, "_token", token)

    @property
    def name(self) -> str:
        """The name of a cloth, or of the component of a body or force."""
        return self._token.name

    @property
    def index(self) -> int:
        """The number of the part in its simulation."""
        return _index(getattr(self._sim, self._list), self._token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Part) and self._token is other._token

    def __hash__(self) -> int:
        return id(self._token)


class _Component(_Part):
    """A body or force. The parameters of its component are attributes."""

    _scene_list = ""
    _kind = ""

    def __init__(self, sim: Any, token: Token) -> None:
        super().__init__(sim, token)
        tokens, scene_list = getattr(sim, self._list), self._scene_list
        made = parameters_of(self._kind, token.name)
        object.__setattr__(self, "parameters", made(sim, lambda: f"{scene_list}.{_index(tokens, token)}"))

    parameters: AnyParameters  #: all parameters, each with its help text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.parameters, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.parameters, name, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.parameters._rows]

    def set(self, **values: Any) -> None:
        """Set several parameters."""
        self.parameters.set(**values)


class Force(_Component):
    """A force on all cloths. Its parameters are attributes: ``wind.speed = 6``."""

    _list, _scene_list, _kind = "_forces", "forces", "force"

    def remove(self) -> None:
        """Remove the force."""
        self._sim._remove("force", self)

    def __repr__(self) -> str:
        return f"<force {self.name}>"


class Body(_Component):
    """A solid object that cloth collides with. Its parameters are attributes: ``ball.radius = 0.2``."""

    _list, _scene_list, _kind = "_bodies", "bodies", "body"

    def surface(self) -> tuple[Array, Array]:
        """Positions (n, 3), m, and triangles (m, 3) at the present time."""
        x, triangles = self._sim._body_surface(self.index)
        return arrays.own(x), arrays.own(triangles)

    def move(self, at: Any, rotate: Any = _ORIGIN) -> None:
        """Move the body during the next step, so that it pushes cloth in its way. It then stays there. m, rad.

        Raises if cloth is in the way of a move that is longer than twice the size of the cloths: use more steps, or `place`.
        """
        self._sim._move_body(self.index, arrays.vector(at, "at"), arrays.vector(rotate, "rotate"))

    def place(self, at: Any, rotate: Any = _ORIGIN) -> None:
        """Put the body somewhere at once, however far, without pushing cloth. m, rad. Raises if it would cut cloth."""
        self._sim._place_body(self.index, arrays.vector(at, "at"), arrays.vector(rotate, "rotate"))

    def animate(self, keys: Any) -> None:
        """Set keys of the motion: dicts with `time`, and `offset`, `angle` and `scale` where they differ from rest."""
        rows = []
        for key in keys:
            unknown = set(key) - {"time", "offset", "angle", "scale"}
            if unknown or "time" not in key:
                raise ValueError(f"keys: needs time, and may have offset, angle and scale, not {key!r}")
            offset = arrays.vector(key.get("offset", _ORIGIN), "offset")
            rows.append((key["time"], *offset, key.get("angle", 0.0), key.get("scale", 1.0)))
        self._sim._set_body_keys(self.index, arrays.vectors(rows, "keys", 6) if rows else b"")

    def animate_mesh(self, frames: Any, rate: float, start: float = 0.0) -> None:
        """Set the shapes of a mesh body, such as a character: (frames, n, 3), m, `rate` per second from `start` on."""
        shapes = np.asarray(frames, dtype=float)
        if shapes.ndim != 3:
            raise ValueError(f"frames: needs shape (frames, vertices, 3), not {shapes.shape}")
        self._sim._set_body_frames(self.index, arrays.vectors(shapes, "frames"), shapes.shape[1], float(rate), float(start))

    def remove(self) -> None:
        """Remove the body."""
        self._sim._remove("body", self)

    def __repr__(self) -> str:
        return f"<body {self.name}>"


class Cloth(_Part, Checked):
    """A cloth of a simulation: its state as arrays, its fabric and model, and its pins."""

    _list = "_cloths"

    def _described(self) -> str:
        return f"cloth {self.name!r}"

    def _sections(self) -> Iterator[tuple[str, Any]]:
        yield "cloth.fabric", self.fabric._rows
        yield "cloth.model", self.model._rows
        yield from self._sim._sections()

    def _prefix(self, section: str) -> Callable[[], str]:
        tokens, token = self._sim._cloths, self._token
        return lambda: f"cloth.{_index(tokens, token)}.{section}"

    def _view(self, kind: str) -> Any:
        self._sim._ready()
        return arrays.show(self._sim._array(kind, self.index))

    @property
    def positions(self) -> StateArray:
        """Positions, m: (n, 3). A read-only view of the engine's memory, stale after the next step."""
        return self._view("positions")

    @property
    def velocities(self) -> StateArray:
        """Velocities, m/s: (n, 3). A read-only view of the engine's memory, stale after the next step."""
        return self._view("velocities")

    @property
    def triangles(self) -> StateArray:
        """Vertices of the triangles, counter-clockwise: (m, 3). Stale once the mesh changes."""
        return self._view("triangles")

    @property
    def rest(self) -> StateArray:
        """Positions at rest, m: (n, 3)."""
        return self._view("rest")

    @property
    def uv(self) -> Optional[StateArray]:
        """Rest coordinates along weft and warp, m: (n, 2), or None."""
        return self._view("uv")

    @property
    def mass(self) -> StateArray:
        """Mass of each vertex, kg: (n,)."""
        return self._view("mass")

    @property
    def area(self) -> StateArray:
        """Area at rest of each vertex, m2: (n,)."""
        return self._view("area")

    @property
    def held(self) -> StateArray:
        """Whether a pin or drag holds each vertex now: (n,)."""
        return self._view("held")

    @property
    def open_faces(self) -> StateArray:
        """Whether each face is torn open: (faces,)."""
        return self._view("open_faces")

    @property
    def normals(self) -> Array:
        """Unit normals of the vertices: (n, 3). A copy."""
        self._sim._ready()
        return arrays.own(self._sim._normals(self.index))

    @property
    def strain(self) -> Array:
        """Strain of each triangle along weft and warp, and engineering shear: (m, 3). A copy."""
        self._sim._ready()
        return arrays.own(self._sim._strains(self.index))[:, :3]

    @property
    def stress(self) -> Array:
        """Stress of each triangle along weft and warp, and shear, N/m: (m, 3). A copy."""
        self._sim._ready()
        return arrays.own(self._sim._strains(self.index))[:, 3:]

    @property
    def pressure(self) -> Array:
        """Contact pressure of bodies on each vertex at the end of the last step, Pa: (n,). A copy."""
        self._sim._ready()
        return arrays.own(self._sim._pressures(self.index))[:, 0]

    @property
    def reactions(self) -> Array:
        """Forces with which pins and drags hold the vertices, N: (n, 3). A copy."""
        self._sim._ready()
        return arrays.own(self._sim._reactions(self.index))

    @property
    def generations(self) -> Array:
        """Refinement generation of each triangle; 0: as given. A copy."""
        self._sim._ready()
        return arrays.own(self._sim._generations(self.index))

    @property
    def pieces(self) -> int:
        """Number of connected parts."""
        self._sim._ready()
        return self._sim._pieces(self.index)

    @property
    def mesh_changes(self) -> bool:
        """Whether adaptation, tearing or cuts may change the mesh."""
        return self._sim._changes(self.index)

    @property
    def fabric(self) -> Fabric:
        """The parameters of the fabric."""
        return Fabric(self._sim, self._prefix("fabric"))

    @property
    def model(self) -> AnyParameters:
        """The parameters of the model: a class of weft.parameters, such as CorotationalModel."""
        name = self._sim._model_names()[self.index]
        return parameters_of("model", name)(self._sim, self._prefix("model"))

    @property
    def model_name(self) -> str:
        """Name of the model, such as "corotational"."""
        return self._sim._model_names()[self.index]

    # -- pins, drags and cuts --

    def select(self, **selector: Any) -> Array:
        """Indices of vertices at their present positions, by exactly one selector, as in scene files:

        side="left", corner="top-left", vertices=[...], box=(corner, corner), sphere=(centre, radius), nearest=point,
        group="name", all=True.
        """
        if len(selector) != 1 or next(iter(selector)) not in _SELECTORS:
            raise ValueError(f"a selector is one of {', '.join(_SELECTORS)}, not {', '.join(selector) or 'nothing'}")
        (kind, value), name, a, b, radius, members = *selector.items(), None, _ORIGIN, _ORIGIN, 0.0, b""
        if kind in ("side", "corner", "group"):
            name = str(value)
        elif kind == "box":
            a, b = arrays.vector(value[0], "box"), arrays.vector(value[1], "box")
        elif kind == "sphere":
            a, radius = arrays.vector(value[0], "sphere"), float(value[1])
        elif kind == "nearest":
            a = arrays.vector(value, "nearest")
        elif kind == "vertices":
            members = arrays.indices(value, "vertices")
        self._sim._ready()
        found = self._sim._select(self.index, _SELECTORS.index(kind), name, a, b, radius, members)
        return np.frombuffer(found, dtype=np.int32)

    def pin(
        self,
        *,
        release: float = math.inf,
        keys: Sequence[dict[str, Any]] = (),
        axis: Any = (0.0, 1.0, 0.0),
        centre: Any = _ORIGIN,
        **selector: Any,
    ) -> Array:
        """Pin vertices, given by a selector as for select(), until the time `release`, s. Returns their indices.

        `keys` move them: dicts with `time`, and `offset` (m) and `angle` (rad, about `axis` through `centre`).
        """
        rows = []
        for key in keys:
            if "time" not in key or set(key) - {"time", "offset", "angle"}:
                raise ValueError(f"keys: needs time, and may have offset and angle, not {key!r}")
            rows.append((key["time"], *arrays.vector(key.get("offset", _ORIGIN), "offset"), key.get("angle", 0.0)))
        vertices = self.select(**selector)
        self._sim._add_pin(
            self.index,
            vertices.tobytes(),
            float(release),
            arrays.vectors(rows, "keys", 5) if rows else b"",
            arrays.vector(axis, "axis"),
            arrays.vector(centre, "centre"),
        )
        return vertices

    def unpin(self, **selector: Any) -> None:
        """Remove vertices from all pins."""
        self._sim._unpin(self.index, self.select(**selector).tobytes())

    def drag(self, vertex: int, to: Any) -> None:
        """Drag a vertex to a point, m, from the next step on, until let_go()."""
        self._sim._drag(self.index, int(vertex), arrays.vector(to, "to"))

    def let_go(self, vertex: int) -> None:
        """End the drag of a vertex."""
        self._sim._release(self.index, int(vertex))

    def cut(self, eye: Any, rays: Any) -> int:
        """Cut along a fan of rays from `eye`, m: at least two directions (k, 3). Returns the number of opened edges."""
        return self._sim._cut(self.index, arrays.vector(eye, "eye"), arrays.vectors(rays, "rays"))

    def add_cut(self, path: Any, at: float = 0.0, along: Any = _ORIGIN) -> None:
        """Cut at the time `at`, s, along a path of points on the cloth at rest: (k, 3), m.

        `along` is the direction of the blade; zero means the mean normal of the cloth at rest.
        """
        self._sim._ready()
        self._sim._add_cut(self.index, float(at), arrays.vector(along, "along"), arrays.vectors(path, "path"))

    def place(self, positions: Any = None, velocities: Any = None) -> None:
        """Set positions (n, 3), m, and velocities (n, 3), m/s, of all vertices. None keeps them.

        The values are written into the engine's memory, so arrays that show it see them.
        """
        self._sim._ready()
        self._sim._place(
            self.index,
            None if positions is None else arrays.vectors(positions, "positions"),
            None if velocities is None else arrays.vectors(velocities, "velocities"),
        )

    def set_map(self, name: str, values: Any) -> None:
        """Set factors on a property of the fabric, one for each vertex of the input mesh.

        `name` is density, stretch, bend, tear or refine. Call it before the simulation is prepared.
        """
        self._sim._set_map(self.index, name, arrays.vectors(np.ravel(values), "values", 1))

    def set_velocity(self, velocity: Any) -> None:
        """Set the initial velocity of all vertices, m/s. Call it before the simulation is prepared."""
        self._sim._set_velocity(self.index, arrays.vector(velocity, "velocity"))

    def remove(self) -> None:
        """Remove the cloth with its pins, drags and cuts."""
        self._sim._remove("cloth", self)

    def __repr__(self) -> str:
        size = f", {len(self.rest)} vertices" if self._sim.prepared else ""
        return f"<cloth {self.name!r}, {self.model_name}{size}>"


FabricLike = Union[str, dict[str, Any], None]
