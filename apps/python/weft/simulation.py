"""Simulations."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _engine, arrays, notebook
from .attributes import Checked
from .meshes import as_mesh
from .parameters import Air, AnyParameters, Contact, Device, Time, components, parameters_of, to_json
from .parts import Body, Cloth, FabricLike, Force, Parts, Token

Path = Union[str, "os.PathLike[str]"]
_Choice = Union[str, dict[str, Any]]

if TYPE_CHECKING:

    class _Chosen:
        """A component that is read as its parameters, and chosen by its name."""

        def __get__(self, sim: Any, owner: Any) -> AnyParameters: ...

        def __set__(self, sim: Any, value: _Choice) -> None: ...



class Measures(NamedTuple):
    """Energies and other sums over all cloths."""

    kinetic: float  #: kinetic energy, J
    elastic: float  #: elastic energy of the models, J
    potential: float  #: energy of the external forces that have one, J
    momentum: tuple[float, float, float]  #: kg m/s
    centre: tuple[float, float, float]  #: centre of mass, m
    stretch_mean: float  #: mean elongation of mesh edges; compressed edges count as 0
    stretch_max: float  #: largest elongation of mesh edges
    mass: float  #: kg
    links_broken: int  #: links broken and edges opened since the start

    @property
    def energy(self) -> float:
        """The sum of the energies, J."""
        return self.kinetic + self.elastic + self.potential


class Intersections(NamedTuple):
    """Numbers of edges that pass through triangles."""

    self: int  #: self-intersections
    cloths: int  #: between two cloths
    bodies: int  #: of a cloth with a body


class Event(NamedTuple):
    """Two objects began to intersect, or a cloth to lie inside a body. -1: no such object."""

    time: float  #: s
    cloth: int
    other: int
    body: int
    crossings: int
    left: int
    touches: int


class Hit(NamedTuple):
    """Where a ray meets a surface. -1: no such object."""

    cloth: int
    body: int
    triangle: int
    barycentric: tuple[float, float, float]
    distance: float  #: m
    position: tuple[float, float, float]  #: m
    normal: tuple[float, float, float]


class Summary(NamedTuple):
    """What happened in a run: sums over its frames."""

    frames: int
    steps: int
    wall_seconds: float
    halvings: int
    torn: int
    iterations: int
    not_converged: int
    contacts: int
    unresolved: int
    intersections: int


class Recorder:
    """Writes frames to files. Use it in a `with` statement: leaving it completes the files."""

    def __init__(self, files: Any) -> None:
        self._files = files

    def write(self) -> None:
        """Write the present state as the next frame."""
        self._files.write()

    def close(self, finished: bool = True) -> None:
        """Complete the files. Without `finished` they keep the ending .part."""
        self._files.close(finished)

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.close(kind is None)


class Sim(_engine.Sim, Checked):
    """A simulation: cloths, bodies, forces and one integrator. It begins with gravity, as a scene does:
    ``sim.forces["gravity"]``, which ``remove()`` removes.

    Only one thread at a time may use it. Steps release the interpreter lock, so several simulations run at once in
    several threads.
    """

    _free = frozenset({"notices"})

    def __init__(self, threads: int = 0) -> None:
        super().__init__()
        self._name = "scene"
        self._cloths: list[Token] = []
        self._bodies: list[Token] = []
        self._forces: list[Token] = [Token(each) for each in self._force_names()]
        self._functions: list[Any] = []  # keeps the functions of forces alive
        self._on_step: list[Callable[["Sim"], Any]] = []
        self._view_settings: dict[str, Any] = {}
        #: what was changed or ignored when the scene was read, as text
        self.notices: list[str] = []
        self.threads = threads

    def _described(self) -> str:
        return "the simulation"

    def _sections(self) -> Iterator[tuple[str, Any]]:
        for name in ("time", "contact", "integrator", "air", "adapt", "device"):
            yield f"sim.{name}", getattr(getattr(self, name), "_rows", ())
        for force in self.forces:
            yield f"sim.forces[{force.name!r}]", force.parameters._rows
        for body in self.bodies:
            yield f"sim.bodies[{body.name!r}]", body.parameters._rows

    # -- scenes --

    def _take_scene(self, name: str, read: tuple[list[str], dict[str, Any]]) -> None:
        self.notices, self._view_settings = read
        self._name = name
        self._cloths = [Token(each) for each in self._cloth_names()]
        self._bodies = [Token(each) for each in self._body_names()]
        self._forces = [Token(each) for each in self._force_names()]

    # -- building --

    @property
    def name(self) -> str:
        """The name of the scene: that of its file. It names written files."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = str(name)

    @property
    def cloths(self) -> Parts[Cloth]:
        """The cloths, by index or name: ``sim.cloths["flag"]``."""
        return Parts([Cloth(self, token) for token in self._cloths], "cloth")

    @property
    def bodies(self) -> Parts[Body]:
        """The bodies, by index or by the name of their component."""
        return Parts([Body(self, token) for token in self._bodies], "body")

    @property
    def forces(self) -> Parts[Force]:
        """The forces, by index or by the name of their component."""
        return Parts([Force(self, token) for token in self._forces], "force")

    def add_cloth(
        self, name: str, mesh: Any, fabric: FabricLike = None, model: Union[str, dict[str, Any], None] = None
    ) -> Cloth:
        """Add a cloth.

        `mesh` is grid(), mesh(), read_mesh() or a file name. `fabric` is the name of a preset or of a fabric file, or
        a dict of properties with an optional `preset`. `model` is a name, or a dict of parameters with a `name`.
        """
        settings = dict(model) if isinstance(model, dict) else {"name": model}
        chosen = settings.pop("name", None)
        material = {"preset": fabric} if isinstance(fabric, str) else fabric or {}
        self._add_cloth(name, as_mesh(mesh)._make(False), to_json(material), chosen)
        cloth = Cloth(self, self._enter(self._cloths, name))
        try:
            cloth.model.set(**settings)
        except Exception:
            cloth.remove()
            raise
        return cloth

    def add_force(self, force: Union[str, Callable[..., Any]], **parameters: Any) -> Force:
        """Add a force: the name of a component, such as "wind", with its parameters, or a function.

        Other forces act beside gravity. The first time that "gravity" is added to a new simulation, it is the gravity
        that is there from the start.

        A function force(time, x, v, mass, area) gets arrays of some vertices and returns their forces, N: (n, 3). The
        force on a vertex must depend on that vertex alone, because the engine calls the function for blocks of
        vertices. The function must not use the simulation. If it raises, the step is undone and raises the same.
        """
        if callable(force):
            if parameters:
                raise TypeError("a function takes no parameters")
            call = _adding(force)
            self._functions.append(call)
            index, name = self._add_function(call), "python"
        else:
            index, name = self._add_force(force), force
        is_new = index == len(self._forces)
        made = Force(self, self._enter(self._forces, name) if is_new else self._forces[index])
        try:
            made.set(**parameters)
        except Exception:
            if is_new:
                made.remove()
            raise
        return made

    def add_body(self, body: str, mesh: Any = None, **parameters: Any) -> Body:
        """Add a body: the name of a component, such as "sphere", with its parameters. A "mesh" body needs a mesh."""
        self._add_body(body, None if mesh is None else as_mesh(mesh)._make(True))
        made = Body(self, self._enter(self._bodies, body))
        try:
            made.set(**parameters)
        except Exception:
            made.remove()
            raise
        return made

    @staticmethod
    def _enter(tokens: list[Token], name: str) -> Token:
        tokens.append(Token(name))
        return tokens[-1]

    def _remove(self, kind: str, part: Any) -> None:
        index = part.index
        getattr(self, f"_remove_{kind}")(index)
        getattr(self, part._list).pop(index)

    def _read_integrator(self) -> AnyParameters:
        """The integrator's parameters. Assign a name, or a dict with a `name`, to choose another."""
        return parameters_of("integrator", self._integrator_name())(self, "integrator")

    def _choose_integrator(self, value: _Choice) -> None:
        settings = dict(value) if isinstance(value, dict) else {"name": value}
        self._set_integrator(settings.pop("name", self._integrator_name()))
        self.integrator.set(**settings)

    @property
    def integrator_name(self) -> str:
        """Name of the integrator."""
        return str(self._integrator_name())

    def _read_adapt(self) -> Optional[AnyParameters]:
        """The parameters of the adaptation, or None. Assign a name, or a dict with a `name`, to turn it on."""
        names = {path[6:] for path in self._paths() if path.startswith("adapt.")}
        for found in components:
            if names and found.kind == "adaptation" and names == {row.name for row in found.params}:
                return parameters_of("adaptation", found.name)(self, "adapt")
        return None

    def _choose_adapt(self, value: _Choice) -> None:
        settings = dict(value) if isinstance(value, dict) else {"name": value}
        self._set_adapt(settings.pop("name", "sqrt3"))
        chosen = self.adapt
        if chosen is not None:
            chosen.set(**settings)

    if TYPE_CHECKING:
        integrator: _Chosen
        adapt: _Chosen
    else:
        integrator = property(_read_integrator, _choose_integrator, None, _read_integrator.__doc__)
        adapt = property(_read_adapt, _choose_adapt, None, _read_adapt.__doc__)

    @property
    def time(self) -> Time:
        """Steps and frames. The simulated time is ``seconds``."""
        return Time(self, "time")

    @property
    def air(self) -> Air:
        """The air, and the random seed."""
        return Air(self, "air")

    @property
    def device(self) -> Device:
        """The processor that computes the steps."""
        return Device(self, "device")

    @property
    def contact(self) -> Contact:
        """Contact with bodies, contact between cloths, and self-collision."""
        return Contact(self, "contact")

    def get(self, path: str) -> str:
        """A parameter by its path, such as "cloth.flag.fabric.density", as text."""
        return self._get(path)

    def set(self, path: str, value: Any) -> None:
        """Set a parameter by its path. Text may have a unit."""
        self._set(path, value if isinstance(value, str) else to_json(value))

    def parameters(self) -> dict[str, str]:
        """All parameters by path, as text."""
        return {path: self._get(path) for path in self._paths()}

    # -- running --

    def on_step(self, function: Callable[["Sim"], Any]) -> Callable[["Sim"], Any]:
        """Call function(sim) after each step of run() and advance(). Can be used as a decorator."""
        self._on_step.append(function)
        return function

    def advance(self) -> _engine.Report:
        """Make the steps of one frame. The report has their sums."""
        if not self._on_step:
            return self._advance_frame()
        complete = False
        while not complete:
            report, complete = self._advance_step()
            for function in self._on_step:
                function(self)
        return report

    def run(
        self,
        frames: Optional[int] = None,
        progress: bool = False,
        *,
        each: Optional[Callable[["Sim"], Any]] = None,
        out: Optional[Path] = None,
        write: Iterable[Any] = (),
    ) -> Summary:
        """Simulate some frames; by default up to ``time.frames``. Returns sums of the reports.

        `each(sim)` is called after each frame. With `out`, the frames are written to that folder: a take for `weft
        render`, and the files of the writers in `write`, such as ["obj", ("pc2", {"up": "z"})].
        """
        count = max(int(self.time.frames) - self.frame, 0) if frames is None else int(frames)
        if count < 0:
            raise ValueError(f"frames: {count} is negative")
        if out is None:
            return self._run(count, progress, each, None)
        with self.record(out, write, frames=count) as recorder:
            recorder.write()
            return self._run(count, progress, each, recorder)

    def _run(self, count: int, progress: bool, each: Any, recorder: Optional[Recorder]) -> Summary:
        total: dict[str, Any] = dict.fromkeys(Summary._fields, 0)
        start = time.perf_counter()
        for done in range(1, count + 1):
            report = self.advance()
            for name in total:
                total[name] += getattr(report, name, 0)
            if recorder:
                recorder.write()
            if each:
                each(self)
            if progress:
                _show_progress(self._name, done, count, time.perf_counter() - start)
        total.update(frames=count, wall_seconds=time.perf_counter() - start)
        return Summary(**total)

    def record(
        self, out: Path, write: Iterable[Any] = (), *, frames: int = 0, take: bool = True, strain: bool = False
    ) -> Recorder:
        """Write frames to a folder, each with write(). `frames` is their number after the first."""
        if isinstance(write, str):
            write = write.split(",")
        writers = [(each, "{}") if isinstance(each, str) else (each[0], to_json(each[1])) for each in write]
        rate = float(self.time.rate)
        return Recorder(
            _engine.Recorder.record(self, out, self._name, rate, int(frames) + 1, take, strain, writers)
        )

    def _ready(self) -> None:
        """Prepares the simulation if it is not. A prepared one keeps its arrays."""
        if not self.prepared:
            self.prepare()

    # -- state --

    def measure(self) -> Measures:
        """Energies and other sums. Takes at least as long as a step."""
        return Measures(*self._measure())

    @property
    def energies(self) -> Measures:
        """The same as measure()."""
        return self.measure()

    def intersections(self) -> Intersections:
        """Count the intersections of the present state."""
        return Intersections(*self._intersections())

    def events(self) -> list[Event]:
        """The first 64 times at which objects began to intersect."""
        return [Event(*row) for row in self._events()]

    @property
    def state_hash(self) -> str:
        """Hash of all positions and velocities, as in report.json of the command."""
        return f"{self._hash():016x}"

    @property
    def stable_step(self) -> float:
        """Longest stable step by the models' bounds, s; infinite for integrators without a limit."""
        return self._stable_step()

    def ray(self, origin: Any, direction: Any, farthest: float = float("inf")) -> Optional[Hit]:
        """The nearest hit of a ray with cloths and bodies, or None."""
        hit = Hit(*self._ray(arrays.vector(origin, "origin"), arrays.vector(direction, "direction"), farthest))
        return None if hit.cloth < 0 and hit.body < 0 else hit

    # -- checkpoints --

    def save(self, path: Path) -> None:
        """Write the state to a checkpoint file."""
        _engine.checkpoint_write(path, self.frame, self.snapshot())

    def resume(self, path: Path) -> None:
        """Return to the state of a checkpoint file of this simulation."""
        self.restore(_engine.checkpoint_read(path))

    # -- pictures --

    def picture(self, width: int = 640, height: int = 480, **view: Any) -> notebook.Picture:
        """A picture of the present state: PNG bytes that a notebook shows.

        `view` are the parameters of `view:` in a scene (weft.parameters.tables["view"]), such as azimuth="30 deg",
        color="strain-weft" or wireframe=True. They start from the `view:` of the scene.
        """
        settings = {**self._view_settings, "width": width, "height": height, **view}
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            self._picture(folder, to_json(settings))
            with open(os.path.join(folder, "picture.png"), "rb") as file:
                return notebook.Picture(file.read())

    def view(self, height: int = 420) -> notebook.Page:
        """An interactive view of the present state: an HTML page in itself, which a notebook shows. See Film."""
        film = notebook.Film(self)
        return film.view(height)

    def __repr__(self) -> str:
        parts = [f"{len(self._cloths)} cloths", f"{len(self._bodies)} bodies", self._integrator_name()]
        return f"<Sim {self._name!r}: {', '.join(parts)}, {self.seconds:g} s>"


def _adding(function: Callable[..., Any]) -> Callable[..., None]:
    """Wraps a force for the engine, which passes an array to add to."""

    def call(time: float, x: Any, v: Any, mass: Any, area: Any, f: Any) -> None:
        force = function(time, arrays.own(x), arrays.own(v), arrays.own(mass), arrays.own(area))
        result = np.asarray(force)
        if result.dtype.kind not in "fiu":
            raise TypeError(f"a force must return an array of real numbers, not {force!r}")
        total = arrays.own(f)
        total += result

    return call


def _show_progress(name: str, done: int, count: int, seconds: float, unit: str = "frame") -> None:
    rate = done / seconds if seconds > 0 else 0.0
    left = (count - done) / rate if rate > 0 else 0.0
    end = "\n" if done == count else ""
    text = f"\r{name}: {unit} {done} of {count}, {rate:.1f} {unit}s/s, {left:.0f} s left "
    print(text, end=end, file=sys.stderr, flush=True)


def _changes(changes: Optional[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(path, value if isinstance(value, str) else to_json(value)) for path, value in (changes or {}).items()]


def load(path: Path, set: Optional[dict[str, Any]] = None, threads: int = 0) -> Sim:
    """A simulation from a scene file. `set` changes values, as --set of the command: {"cloth.fabric.density": 0.2}."""
    sim = Sim(threads)
    name = os.path.splitext(os.path.basename(os.fspath(path)))[0]
    sim._take_scene(name, sim._load(path, _changes(set)))
    return sim


def build(scene: dict[str, Any], set: Optional[dict[str, Any]] = None, threads: int = 0) -> Sim:
    """A simulation from a dict with the keys of a scene file. Arrays and paths may be part of it."""
    sim = Sim(threads)
    sim._take_scene("scene", sim._load_text(to_json(scene), "scene", _changes(set)))
    return sim


def run_many(
    sims: Iterable[Union[Sim, Callable[[], Sim]]],
    frames: Optional[int] = None,
    *,
    workers: Optional[int] = None,
    result: Optional[Callable[[Sim], Any]] = None,
    progress: bool = False,
) -> list[Any]:
    """Run many simulations at once, each on one thread of the processor. Returns a list in their order.

    An entry is a simulation, or a function that makes one, which then exists only while it runs. The list has
    result(sim) of each, or its Summary. `workers` is the number of threads; by default one per processor. An exception
    of one run is raised when all others have ended.
    """
    from concurrent.futures import ThreadPoolExecutor

    entries: Sequence[Union[Sim, Callable[[], Sim]]] = list(sims)
    finished = 0
    start = time.perf_counter()

    def one(entry: Union[Sim, Callable[[], Sim]]) -> Any:
        nonlocal finished
        sim = entry if isinstance(entry, Sim) else entry()
        threads, sim.threads = sim.threads, 1
        try:
            summary = sim.run(frames)
            return result(sim) if result else summary
        finally:
            sim.threads = threads
            finished += 1
            if progress:
                _show_progress("many", finished, len(entries), time.perf_counter() - start, "run")

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        tasks = [pool.submit(one, entry) for entry in entries]
    return [task.result() for task in tasks]
