from __future__ import annotations

import os
from typing import Any, Callable, Sequence, Union

_Path = Union[str, "os.PathLike[str]"]

version: str

def tables() -> dict[str, list[Any]]: ...
def components() -> list[Any]: ...
def presets() -> list[Any]: ...
def use_exceptions(classes: Sequence[type[Exception]]) -> None: ...
def checkpoint_read(path: _Path) -> bytes: ...
def checkpoint_write(path: _Path, frame: int, snapshot: bytes) -> None: ...

class Array:
    """An array of the engine. numpy.asarray() shows it without a copy."""

    __array_interface__: dict[str, Any]
    @property
    def stale(self) -> bool: ...

class Mesh:
    arrays: Callable[..., Mesh]
    file: Callable[..., Mesh]
    grid: Callable[..., Mesh]
    def add_group(self, name: str, members: bytes) -> None: ...
    def show(self) -> tuple[Any, Any, Any]: ...

class Recorder:
    record: Callable[..., Recorder]
    def write(self) -> None: ...
    def close(self, finished: bool) -> None: ...

class Report:
    """What happened in a step, or in the steps of a frame."""

    status: str
    """numerical outcome of the last step: 'ok', 'diverged' or 'intersects'"""
    steps: int
    dt: float
    """length of the last step, s; of its last part if it was halved"""
    halvings: int
    torn: int
    """links broken and edges opened"""
    newton: int
    """linear solves"""
    newton_not_converged: int
    iterations: int
    """iterations of the linear solver, summed over all solves"""
    not_converged: int
    residual: float
    contacts: int
    impulses: int
    zones: int
    unresolved: int
    intersections: int
    inserted: int
    removed: int
    slowest: float
    """wall time of the longest step, s"""
    asleep: int
    seconds: dict[str, float]
    """wall time by phase, s"""
    def _asdict(self) -> dict[str, Any]: ...

class Sim:
    threads: int
    """number of CPU threads; 0: one per processor. Results do not depend on it"""
    @property
    def frame(self) -> int:
        """Number of complete frames."""
    @property
    def prepared(self) -> bool:
        """Whether models and masses are prepared. Reading arrays prepares them."""
    @property
    def seconds(self) -> float:
        """Simulated time, s."""
    @property
    def step_count(self) -> int:
        """Number of steps made."""
    def prepare(self) -> None:
        """Prepare models and masses. The first step does it if needed."""
    def step(self, dt: float, /) -> Report:
        """Make one step of dt seconds. Arrays of positions and velocities become stale."""
    def steps(self, dt: float, count: int, /) -> Report:
        """Make several steps of dt seconds without returning to Python between them. The report is of the last one."""
    def snapshot(self) -> bytes:
        """The state, for restore()."""
    def restore(self, snapshot: bytes, forget: bool = False) -> None:
        """Return to the state of a snapshot of this simulation. Give forget=True if the integrator has changed since."""

    # used by the package
    _add_body: Callable[..., Any]
    _add_cloth: Callable[..., Any]
    _add_cut: Callable[..., Any]
    _add_force: Callable[..., Any]
    _add_function: Callable[..., Any]
    _add_pin: Callable[..., Any]
    _advance_frame: Callable[..., Any]
    _advance_step: Callable[..., Any]
    _array: Callable[..., Any]
    _body_names: Callable[..., Any]
    _body_surface: Callable[..., Any]
    _changes: Callable[..., Any]
    _cloth_names: Callable[..., Any]
    _cut: Callable[..., Any]
    _drag: Callable[..., Any]
    _events: Callable[..., Any]
    _force_names: Callable[..., Any]
    _generations: Callable[..., Any]
    _get: Callable[..., Any]
    _hash: Callable[..., Any]
    _integrator_name: Callable[..., Any]
    _intersections: Callable[..., Any]
    _load: Callable[..., Any]
    _load_text: Callable[..., Any]
    _measure: Callable[..., Any]
    _model_names: Callable[..., Any]
    _move_body: Callable[..., Any]
    _normals: Callable[..., Any]
    _paths: Callable[..., Any]
    _picture: Callable[..., Any]
    _pieces: Callable[..., Any]
    _place: Callable[..., Any]
    _place_body: Callable[..., Any]
    _pressures: Callable[..., Any]
    _ray: Callable[..., Any]
    _reactions: Callable[..., Any]
    _release: Callable[..., Any]
    _remove_body: Callable[..., Any]
    _remove_cloth: Callable[..., Any]
    _remove_force: Callable[..., Any]
    _select: Callable[..., Any]
    _set: Callable[..., Any]
    _set_adapt: Callable[..., Any]
    _set_body_frames: Callable[..., Any]
    _set_body_keys: Callable[..., Any]
    _set_integrator: Callable[..., Any]
    _set_map: Callable[..., Any]
    _set_velocity: Callable[..., Any]
    _stable_step: Callable[..., Any]
    _strains: Callable[..., Any]
    _unpin: Callable[..., Any]
