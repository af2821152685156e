"""Writes the scene that weft simulates: scene.yaml, meshes, and the motion of colliders and pins as point caches."""

import json
import math
import os
import re

import numpy as np

from . import forces, meshes, parameters, playback, properties
from .command import WeftError
from .point_cache import PointCacheWriter

_CHANGES_GEOMETRY = {"SUBSURF": ("levels", "render_levels"), "MULTIRES": ("levels", "render_levels")}


def plain_name(name, taken):
    """A name that files and scenes allow, and that no other object has."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:48] or "object"
    number, unique = 1, plain
    while unique in taken:
        number += 1
        unique = f"{plain}_{number}"
    taken.add(unique)
    return unique


class Cloth:
    """A cloth while it is exported and baked."""

    def __init__(self, obj, name):
        self.object_name, self.name = obj.name, name
        self.matrices = []  # of the object, in each frame
        self.pins = np.zeros(0, dtype=int)
        self.warnings = []
        self.moves = False

    def start(self, obj, depsgraph, space, folder):
        shape = meshes.Shape(obj, depsgraph, "polygons")
        if not len(shape.sizes):
            raise WeftError(f"{obj.name}: is cloth, but has no faces")
        self.counts, self.local, self.first = shape.counts, shape.local, None
        # Weft leaves out vertices without a face; they stay where they are.
        used = np.zeros(len(shape.local), dtype=bool)
        used[shape.corners] = True
        self.used = np.flatnonzero(used)
        numbers = np.cumsum(used)
        uv = self._uv(obj, shape)
        positions = meshes.transform(space.matrix(shape.matrix_world), shape.local)[self.used]
        meshes.write_obj(os.path.join(folder, self.name + ".obj"), positions, shape, numbers, uv)
        self._find_pins(obj, numbers)
        self.path_file = os.path.join(folder, self.name + "_pins.pc2")
        self.path = PointCacheWriter(self.path_file, len(self.pins)) if len(self.pins) else None

    def _uv(self, obj, shape):
        name = obj.weft.uv_map
        if not name:
            return None
        if name not in shape.uv:
            raise WeftError(f"{obj.name}: has no UV map '{name}'")
        return shape.uv[name]

    def _find_pins(self, obj, numbers):
        settings = obj.weft
        if not settings.pin_group:
            return
        if len(obj.data.vertices) != self.counts[0]:
            raise WeftError(
                f"{obj.name}: a modifier above Weft changes the number of vertices, so the pin group does not fit. "
                "Apply it, or move it below Weft"
            )
        weight = meshes.weights(obj, settings.pin_group, self.counts[0])
        held = (weight > 0) & (weight >= settings.pin_weight)
        self.pins = numbers[np.flatnonzero(held & np.isin(np.arange(len(held)), self.used))] - 1
        if not len(self.pins):
            self.warnings.append(self._nothing_held(obj, weight))

    @staticmethod
    def _nothing_held(obj, weight):
        name, least, in_group = obj.weft.pin_group, obj.weft.pin_weight, weight[weight > 0]
        if not len(in_group):
            return f"{obj.name}: its pin group '{name}' holds nothing, because no vertex has a weight in it"
        if in_group.max() >= least:
            return f"{obj.name}: its pin group '{name}' holds nothing, because its vertices have no face"
        low, high = (f"{value:.2g}" for value in (in_group.min(), in_group.max()))
        weights = f"weights of {low} to {high}" if low != high else f"a weight of {low}"
        return (
            f"{obj.name}: its pin group '{name}' holds nothing, because its {len(in_group)} vertices have {weights}, "
            f"below From Weight, {least:.2g}. Lower From Weight, or raise the weights"
        )

    def sample(self, obj, depsgraph, space, is_frame, where):
        if not self.path and not is_frame:
            return
        shape = meshes.Shape(obj, depsgraph)
        if shape.counts != self.counts:
            raise WeftError(f"{obj.name}: has other faces {where} than at the start; cloth must keep its faces")
        if is_frame:
            self.matrices.append(shape.matrix_world)
        if self.path:
            held = shape.local[self.used[self.pins]]
            positions = meshes.transform(space.matrix(shape.matrix_world), held).astype(np.float32)
            if self.first is None:
                self.first = positions
            self.moves |= not np.array_equal(positions, self.first)
            self.path.add(positions)

    def close(self):
        if self.path:
            self.path.close()
        if not self.moves and os.path.exists(self.path_file):
            os.remove(self.path_file)

    def entry(self, obj, rate):
        settings = obj.weft
        entry = {"name": self.name, "mesh": self.name + ".obj", "fabric": parameters.fabric_of(settings.fabric)}
        entry.update(parameters.changed(settings.place))
        model = parameters.choice_of(settings.model)
        if model:
            entry["model"] = model
        if len(self.pins):
            pin = {"vertices": [int(v) for v in self.pins]}
            if self.moves:
                pin.update({"cache": os.path.basename(self.path_file), "rate": rate, "start": 0})
            entry["pins"] = [pin]
        return entry

    def to_object(self, positions, space, frame):
        """From positions of Weft to all vertices in the object's coordinates."""
        back = np.linalg.inv(space.matrix(self.matrices[min(frame, len(self.matrices) - 1)]))
        local = self.local.copy()
        local[self.used] = meshes.transform(back, positions.astype(float))
        return local


class Collider:
    """A collider while it is exported."""

    def __init__(self, obj, name):
        self.object_name, self.name, self.moves = obj.name, name, False

    def start(self, obj, depsgraph, space, folder):
        shape = meshes.Shape(obj, depsgraph, "triangles")
        if not len(shape.sizes):
            raise WeftError(f"{obj.name}: is a collider, but has no faces")
        self.counts = shape.counts
        positions = meshes.transform(space.matrix(shape.matrix_world), shape.local)
        self.first = positions.astype(np.float32)
        meshes.write_obj(os.path.join(folder, self.name + ".obj"), positions, shape)
        self.file = os.path.join(folder, self.name + ".pc2")
        self.cache = PointCacheWriter(self.file, len(positions))

    def sample(self, obj, depsgraph, space, _is_frame, where):
        shape = meshes.Shape(obj, depsgraph)
        if shape.counts != self.counts:
            raise WeftError(f"{obj.name}: has other faces {where} than at the start; a collider must keep its faces")
        positions = meshes.transform(space.matrix(shape.matrix_world), shape.local).astype(np.float32)
        self.moves |= not np.array_equal(positions, self.first)
        self.cache.add(positions)

    def close(self):
        self.cache.close()
        if not self.moves:
            os.remove(self.file)

    def entry(self, obj, rate):
        entry = {"file": self.name + ".obj"}
        if self.moves:
            entry.update({"cache": os.path.basename(self.file), "rate": rate, "start": 0})
        entry.update(parameters.changed(obj.weft.body))
        return {"mesh": entry}


def _check_object(obj):
    if not obj.visible_get():
        raise WeftError(f"{obj.name}: is hidden in the viewport, where Blender does not evaluate it. Show it")
    if obj.weft.kind == "CLOTH" and obj.type != "MESH":
        raise WeftError(f"{obj.name}: is cloth, but not a mesh. Convert it to a mesh")


def _check_modifiers(obj):
    """What is above Weft must give the same vertices in renders."""
    for modifier in obj.modifiers:
        if modifier.name == playback.NAME:
            return
        for one, other in [("show_viewport", "show_render"), _CHANGES_GEOMETRY.get(modifier.type, ("name", "name"))]:
            if getattr(modifier, one) != getattr(modifier, other):
                raise WeftError(
                    f"{obj.name}: its modifier '{modifier.name}' is above Weft and differs between viewport and "
                    "render. Make both equal, or move it below Weft"
                )


class Export:
    """Exports the scene in small parts: `work` is a generator of the share that is done."""

    def __init__(self, scene, folder, origin=None):
        self.scene_name, self.folder = scene.name, folder
        self.first, self.last = properties.frame_range(scene)
        if self.last <= self.first:
            raise WeftError(f"The frame range {self.first} to {self.last} has no frames to bake")
        self.rate = scene.render.fps / scene.render.fps_base
        step = properties.step_of(scene.weft)
        self.steps = max(1, math.ceil(1 / (self.rate * step) - 1e-9))
        self.samples = scene.weft.samples or self.steps
        taken = set()
        objects = [o for o in scene.objects if o.weft.kind != "NONE"]
        for obj in objects:
            _check_object(obj)
        self.cloths = [Cloth(o, plain_name(o.name, taken)) for o in objects if o.weft.kind == "CLOTH"]
        self.colliders = [Collider(o, plain_name(o.name, taken)) for o in objects if o.weft.kind == "COLLIDER"]
        if not self.cloths:
            raise WeftError("No object is Weft cloth. Select one, and choose Cloth in Properties > Physics > Weft")
        for cloth in self.cloths:
            obj = scene.objects[cloth.object_name]
            playback.ensure_modifier(obj)
            _check_modifiers(obj)
        self.origin = origin
        self.forces = forces.Forces()

    def objects(self, scene):
        for one in [*self.cloths, *self.colliders]:
            obj = scene.objects.get(one.object_name)
            if obj is None:
                raise WeftError(f"{one.object_name}: was removed or renamed while it was exported")
            yield one, obj

    def work(self, context):
        scene = context.scene
        now, part = scene.frame_current, scene.frame_subframe
        switched = self._switch_off(scene)
        started = []
        try:
            yield from self._sample(context, scene, started)
        finally:
            for one in started:
                one.close()
            for obj, names in switched:
                for name in names:
                    obj.modifiers[name].show_viewport = True
            scene.frame_set(now, subframe=part)
        self._write(scene)

    def _switch_off(self, scene):
        """Weft and what is below it do not count for the shape that weft gets."""
        switched = []
        for cloth in self.cloths:
            obj = scene.objects[cloth.object_name]
            names = [m.name for m in obj.modifiers]
            below = names[names.index(playback.NAME) :]
            on = [name for name in below if obj.modifiers[name].show_viewport]
            for name in on:
                obj.modifiers[name].show_viewport = False
            switched.append((obj, on))
        return switched

    def _sample(self, context, scene, started):
        total = (self.last - self.first) * self.samples + 1
        for i in range(total):
            frame, part = divmod(i, self.samples)
            scene.frame_set(self.first + frame, subframe=part / self.samples)
            depsgraph = context.evaluated_depsgraph_get()
            if i == 0:
                self._start(scene, depsgraph, started)
            where = f"in frame {self.first + frame + part / self.samples:g}"
            for one, obj in self.objects(scene):
                one.sample(obj, depsgraph, self.space, part == 0, where)
            if part == 0:
                self.forces.sample(scene, depsgraph, self.space.unit)
            yield (i + 1) / total

    def _start(self, scene, depsgraph, started):
        if self.origin is None:
            centres = [scene.objects[c.object_name].evaluated_get(depsgraph).matrix_world for c in self.cloths]
            self.origin = [round(float(np.mean([m[i][3] for m in centres]))) for i in range(3)]
        self.space = meshes.Space(self.origin, meshes.unit_of(scene))
        for one, obj in self.objects(scene):
            one.start(obj, depsgraph, self.space, self.folder)
            started.append(one)

    def _write(self, scene):
        settings = scene.weft
        rate = self.rate * self.samples
        time = {**parameters.changed(settings.time), "step": properties.step_of(settings)}
        parts = {
            "time": {**time, "frames": self.last - self.first, "rate": self.rate},
            "integrator": parameters.choice_of(settings.integrator),
            "air": parameters.changed(settings.air),
            "contact": parameters.changed(settings.contact),
            "output": {"write": ["pc2"], "take": False, "keep": True, "checkpoint": settings.checkpoint},
            "cloth": [c.entry(scene.objects[c.object_name], rate) for c in self.cloths],
            "bodies": [c.entry(scene.objects[c.object_name], rate) for c in self.colliders],
            "forces": self.forces.entries(),
        }
        inputs = self.forces.inputs(self.steps)
        if inputs:
            with open(os.path.join(self.folder, "scene.inputs"), "w", encoding="ascii") as file:
                file.write(inputs)
            parts["inputs"] = "scene.inputs"
        write_scene(os.path.join(self.folder, "scene.yaml"), parts)


def write_scene(path, parts):
    """YAML with one line per entry; JSON is a part of YAML."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Made by the Weft add-on for Blender. The next bake replaces it.\n")
        for name, value in parts.items():
            if not value:
                continue
            if isinstance(value, list):
                file.write(f"{name}:\n" + "".join(f"  - {json.dumps(entry)}\n" for entry in value))
            else:
                file.write(f"{name}: {json.dumps(value)}\n")
