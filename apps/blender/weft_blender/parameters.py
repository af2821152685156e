"""Property groups from Weft's parameter table.

Each row of the table becomes a property with its name, help, range and default. Only values that differ from the
default, or from the fabric preset, go into a scene.
"""

import json
import struct

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

_table = {}
_INT_LIMIT = 2**31 - 1


def use(table):
    _table.clear()
    _table.update(table)


def section(name):
    return next(s for s in _table["sections"] if s["name"] == name)["parameters"]


def components(kind):
    return [c for c in _table["components"] if c["kind"] == kind]


def component(kind, name):
    return next(c for c in components(kind) if c["name"] == name)


def fabrics():
    return _table["fabrics"]


# -- numbers --


def to_single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def exact(number):
    """The shortest decimal number that is this single-precision number: 0.26, not 0.25999999046."""
    single = to_single(number)
    for digits in range(6, 9):
        text = f"{single:.{digits}g}"
        if to_single(float(text)) == single:
            return float(text)
    return float(f"{single:.9g}")


def from_weft(vector):
    """A direction of Weft, y up, in Blender's axes, z up."""
    x, y, z = vector
    return (x, -z, y)


def to_weft(vector):
    x, y, z = vector
    return (x, z, -y)


# -- rows --


def factor(row):
    """Blender shows six decimals, too few for bending in N m. Such rows are shown in millionths of their unit."""
    if row["type"] != "real" or not row["unit"]:
        return 1.0
    values = [row["default"]]
    if any(row is r for r in section("fabric")):
        values += [fabric["values"][row["name"]] for fabric in fabrics()]
    smallest = min((abs(v) for v in values if v), default=1.0)
    return 1e6 if smallest < 1e-4 else 1.0


def _split(row):
    """The group of a row, "" for most, and its name there: "constraints.solves" is one of the group "constraints"."""
    group, _, leaf = row["name"].rpartition(".")
    return group, leaf


def _label(row):
    group, leaf = _split(row)
    text = ((group + ": " if group else "") + leaf).replace("_", " ").capitalize()
    unit = row["unit"]
    if factor(row) == 1e6:
        unit = "µ" + unit
    return f"{text} ({unit})" if unit else text


def _limits(row, scale=1.0):
    low, high = row["low"], row["high"]
    limits = {}
    if low is not None:
        limits["min"] = low * scale
    if high is not None:
        limits["max"] = high * scale
    return limits


def default_of(row):
    """The default as a property has it."""
    kind, value = row["type"], row["default"]
    if kind == "real":
        return value * factor(row)
    if kind == "int":
        return int(value)
    if kind == "bool":
        return value == "true"
    if kind == "vector":
        return from_weft(json.loads(value))
    if kind == "pair":
        return tuple(json.loads(value))
    return value


def _property(row):
    kind, default = row["type"], default_of(row)
    words = {"name": _label(row), "description": row["help"]}
    if kind == "real":
        return FloatProperty(default=default, precision=6, step=1, **_limits(row, factor(row)), **words)
    if kind == "int":
        limits = {k: int(max(-_INT_LIMIT, min(_INT_LIMIT, v))) for k, v in _limits(row).items()}
        return IntProperty(default=default, **limits, **words)
    if kind == "bool":
        return BoolProperty(default=default, **words)
    if kind == "choice":
        items = [(c, c, row["help"]) for c in row["choices"]]
        return EnumProperty(items=items, default=default, **words)
    if kind == "vector":
        return FloatVectorProperty(size=3, default=default, precision=6, **words)
    if kind == "pair":
        return FloatVectorProperty(size=2, default=default, precision=6, **_limits(row), **words)
    return StringProperty(default=default, **words)


def attribute(row):
    """The name of the property, without its group. A few names of the table are taken by Blender."""
    name = _split(row)[1].replace("-", "_")
    return name + "_" if hasattr(bpy.types.PropertyGroup, name) else name


def in_scene(row, value):
    """The value of a property as a scene has it, in SI units and Weft's axes."""
    kind = row["type"]
    if kind == "real":
        return float(f"{exact(value) / factor(row):.9g}")
    if kind == "vector":
        return [exact(x) for x in to_weft(value)]
    if kind == "pair":
        return [exact(x) for x in value]
    return value


def value_of(group, row):
    return in_scene(row, getattr(group, attribute(row)))


def changed(group):
    """{name: value} of the rows that differ from their defaults. Those of a group are a dict in it."""
    values = {}
    for row in group.rows:
        if value_of(group, row) != in_scene(row, default_of(row)):
            inner, leaf = _split(row)
            (values.setdefault(inner, {}) if inner else values)[leaf] = value_of(group, row)
    return values


def make_group(class_name, rows, without=()):
    rows = [row for row in rows if row["type"] != "map" and row["name"] not in without]
    return type(
        class_name,
        (bpy.types.PropertyGroup,),
        {"__annotations__": {attribute(row): _property(row) for row in rows}, "rows": rows},
    )


# -- a component and its parameters, such as a model --


def make_choice(class_name, kind, automatic, label):
    """The classes of a group with `choice`, and one subgroup per component of the kind."""
    names = components(kind)
    groups = {c["name"]: make_group(class_name + str(i), c["parameters"]) for i, c in enumerate(names)}
    items = [("auto", "Automatic", automatic)] + [(c["name"], c["name"], c["help"]) for c in names]
    annotations = {"choice": EnumProperty(name=label, items=items, default="auto")}
    for name, group in groups.items():
        annotations[name.replace("-", "_")] = PointerProperty(type=group)
    return [*groups.values(), type(class_name, (bpy.types.PropertyGroup,), {"__annotations__": annotations})]


def chosen(group):
    """The subgroup of the chosen component, or None."""
    return None if group.choice == "auto" else getattr(group, group.choice.replace("-", "_"))


def choice_of(group):
    """The value for a scene, or None."""
    if group.choice == "auto":
        return None
    return {"name": group.choice, **changed(chosen(group))}


# -- fabrics --


def _take_preset(group, _context):
    values = next(f for f in fabrics() if f["name"] == group.preset)["values"]
    for row in group.rows:
        setattr(group, attribute(row), values[row["name"]] * factor(row))


def make_fabric(class_name):
    group = make_group(class_name, section("fabric"))
    default = next(
        f["name"] for f in fabrics() if all(f["values"][r["name"]] == r["default"] for r in section("fabric"))
    )
    group.__annotations__["preset"] = EnumProperty(
        name="Fabric",
        description="Sets all properties of the fabric. They can then be changed one by one",
        items=[(f["name"], f["name"], f["help"]) for f in fabrics()],
        default=default,
        update=_take_preset,
    )
    return group


def fabric_of(group):
    values = next(f for f in fabrics() if f["name"] == group.preset)["values"]
    scene = {"preset": group.preset}
    for row in group.rows:
        if value_of(group, row) != in_scene(row, values[row["name"]] * factor(row)):
            scene[row["name"]] = value_of(group, row)
    return scene
