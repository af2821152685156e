"""Gravity and wind of a scene, and their changes as inputs of weft."""

import numpy as np

from . import parameters


def winds(scene):
    """The visible wind fields, in the order of the scene."""
    return [o for o in scene.objects if o.field and o.field.type == "WIND" and o.visible_get()]


def unused_fields(scene):
    """Names of fields that Weft does not use."""
    kinds = ("NONE", "WIND")
    return [o.name for o in scene.objects if o.field and o.field.type not in kinds and o.visible_get()]


def _vector(values):
    return [parameters.exact(v) + 0.0 for v in values]  # no -0.0


def _wind(obj, depsgraph):
    field = obj.evaluated_get(depsgraph).field
    axis = np.array(obj.evaluated_get(depsgraph).matrix_world, dtype=float)[:3, 2]
    length = np.linalg.norm(axis)
    axis = axis / length if length > 0 else np.array([0.0, 0.0, 1.0])
    strength = field.strength
    row = next(r for r in parameters.component("force", "wind")["parameters"] if r["name"] == "randomness")
    return {
        "speed": parameters.exact(abs(strength)),
        "direction": _vector(parameters.to_weft(axis if strength >= 0 else -axis)),
        "randomness": parameters.exact(min(field.noise, row["high"])),
    }


class Forces:
    """The forces of each frame."""

    def __init__(self):
        self.frames = []  # {force: {parameter: value}}

    def sample(self, scene, depsgraph, unit):
        now = {}
        if scene.use_gravity:
            now["gravity"] = {"acceleration": _vector(unit * g for g in parameters.to_weft(scene.gravity))}
        for i, obj in enumerate(winds(scene)):
            now[f"wind {i}"] = _wind(obj, depsgraph)
        self.frames.append(now)

    def entries(self):
        """The forces at the start."""
        return [{name.split()[0]: values} for name, values in self.frames[0].items()]

    def inputs(self, steps):
        """What changes later, before the first step of each frame; "" if nothing does."""
        lines = []
        places = {name: i for i, name in enumerate(self.frames[0])}
        now = {name: dict(values) for name, values in self.frames[0].items()}
        for frame, values in enumerate(self.frames[1:], start=1):
            for name, settings in values.items():
                for key, value in settings.items():
                    if name in now and now[name][key] != value:
                        now[name][key] = value
                        lines.append(f"{frame * steps} set forces.{places[name]}.{key} {_text(value)}\n")
        return "weft inputs 1\n" + "".join(lines) if lines else ""


def _text(value):
    return "[" + ", ".join(repr(v) for v in value) + "]" if isinstance(value, list) else repr(value)
