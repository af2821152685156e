"""Every parameter of the tables is a property that takes a value and gives it back."""

import ast
import inspect
import math
import os

import pytest

import weft
from weft import parameters
from weft.parameters import class_name, classes, components, tables


def candidates(row):
    """Values to try: the default, the limits, and one between."""
    if row.type == "bool":
        return [True, False]
    if row.type == "choice":
        return row.choices
    if row.type == "string":
        return ["some text"]
    if row.type == "vector":
        return [(0.5, 0.25, -0.125), (0.5, 0.25, 0.125)]
    if row.type == "pair":
        return [(max(row.low, 2.0), min(row.high, 3.0))]
    low, high = max(row.low, -1e6), min(row.high, 1e6)
    between = [low + (high - low) * share for share in (1e-9, 1e-6, 1e-3, 0.1, 0.5)]
    if row.type == "int":
        return sorted({int(math.ceil(low)), int(low + 1), int(between[3]), int(min(high, 7))})
    return [*between, low, high]


def fits(row, value):
    return row.type not in ("int", "real") or row.low <= value <= row.high


def round_trip(part, row):
    """How many of the candidates the engine took. What it took it must give back."""
    taken = 0
    for value in filter(lambda each: fits(row, each), candidates(row)):
        try:
            setattr(part, row.attribute, value)
        except weft.Error as error:
            assert row.name in str(error) or row.name.split("_")[0] in str(error), str(error)
            continue
        found = getattr(part, row.attribute)
        assert found == value and (row.type == "choice" or type(found) is type(value)), (row.name, value, found)
        taken += 1
    return taken


def bare():
    sim = weft.Sim(threads=1)
    sim.add_cloth("sheet", weft.grid((2, 2)), "cotton")
    return sim


def parts():
    """Each class of parameters, with an object of it."""
    sim = bare()
    for name in ("time", "air", "device", "contact"):
        yield class_name(name), getattr(sim, name)
    for group in ("barrier", "constraints", "impulses"):
        yield class_name("contact", group), getattr(sim.contact, group)
    yield "Fabric", sim.cloths[0].fabric
    for found in components:
        sim = bare()
        if found.kind == "force":
            part = sim.add_force(found.name).parameters
        elif found.kind == "body":
            tetrahedron = weft.mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
            part = sim.add_body(found.name, tetrahedron if found.name == "mesh" else None).parameters
        elif found.kind == "integrator":
            sim.integrator = found.name
            part = sim.integrator
        elif found.kind == "adaptation":
            sim.adapt = found.name
            part = sim.adapt
        elif found.kind == "model":
            part = sim.add_cloth("other", weft.grid((2, 2)), "cotton", found.name).model
        else:
            continue
        yield class_name(found.name, found.kind), part


PARTS = list(parts())


def test_every_class_is_covered():
    assert {name for name, _ in PARTS} == set(classes)


@pytest.mark.parametrize("name, part", PARTS, ids=[name for name, _ in PARTS])
def test_every_parameter_round_trips(name, part):
    assert type(part).__name__ == name
    for row in part._rows.values():
        assert round_trip(part, row) > 0, f"{name}.{row.name}: no value was taken"
    assert set(part.as_dict()) == {*part._rows, *part._groups}
    assert name in repr(part)


@pytest.mark.parametrize("name", classes)
def test_help_texts_are_docstrings(name):
    for row in classes[name]._rows.values():
        text = inspect.getdoc(getattr(classes[name], row.attribute))
        assert text.startswith(row.help) and (not row.unit or row.unit in text)


def test_values_have_units_and_ranges():
    sim = bare()
    sim.time.step = "4 ms"
    assert sim.time.step == 0.004
    fabric = sim.cloths[0].fabric
    fabric.density = "150 g/m2"
    assert fabric.density == 0.15
    with pytest.raises(weft.BadInputError, match="density.*-1"):
        fabric.density = -1
    assert fabric.density == 0.15
    with pytest.raises(TypeError, match="step"):
        sim.time.step = True
    with pytest.raises(TypeError, match="direction"):
        sim.add_force("wind", direction=(1, 2))
    assert sim.forces.names() == ["gravity"]  # a refused force is not added
    sim.contact.self = True
    assert sim.contact.self == "true"


def test_attributes_that_do_not_exist_are_refused():
    sim = bare()
    wind, ball, sheet = sim.add_force("wind"), sim.add_body("sphere"), sim.cloths[0]
    for part, name, says in (
        (sheet, "density", "cloth 'sheet' has no attribute 'density': use cloth.fabric.density"),
        (sheet, "damping", "use cloth.fabric.damping"),
        (sheet, "strain_limit", "use sim.contact.strain_limit"),
        (sheet, "postions", "did you mean 'positions'?"),
        (sheet, "colour", "cloth 'sheet' has no attribute 'colour'"),
        (sim, "friction", "the simulation has no attribute 'friction': use sim.contact.friction"),
        (sim, "step_size", "did you mean"),
        (sim, "frames", "use sim.time.frames"),
        (sim, "newton", "use sim.integrator.newton"),
        (sim, "speed", "use sim.forces['wind'].speed"),
        (sim.time, "stp", "time has no parameter 'stp': did you mean 'step'?"),
        (sheet.fabric, "densty", "cloth.0.fabric has no parameter 'densty': did you mean 'density'?"),
        (wind, "sped", "forces.1 has no parameter 'sped': did you mean 'speed'?"),
        (ball, "radus", "bodies.0 has no parameter 'radus': did you mean 'radius'?"),
    ):
        for attempt in (lambda: setattr(part, name, 5), lambda: getattr(part, name)):
            with pytest.raises(AttributeError) as caught:
                attempt()
            assert says in str(caught.value), str(caught.value)
        assert not hasattr(part, name)
    with pytest.raises(AttributeError, match="'positions'"):  # there, but not to be set
        sheet.positions = 0
    with pytest.raises(AttributeError, match="'fabric'.*set its parameters"):
        sheet.fabric = "silk"
    sim.name, sim.threads, sim.notices = "other", 1, []
    assert sim.name == "other"


def test_paths_of_the_engine_are_reached():
    """What sim.parameters() lists and what the properties reach is the same."""
    sim = bare()
    sim.add_body("sphere")
    sections = {
        "time": sim.time, "air": sim.air, "contact": sim.contact, "integrator": sim.integrator, "device": sim.device,
        "cloth.sheet.fabric": sim.cloths[0].fabric, "cloth.sheet.model": sim.cloths[0].model,
        "contact.barrier": sim.contact.barrier, "contact.constraints": sim.contact.constraints,
        "contact.impulses": sim.contact.impulses, "forces.gravity": sim.forces[0].parameters, "bodies.sphere": sim.bodies[0].parameters,
    }
    reached = {f"{section}.{row.name}" for section, part in sections.items() for row in part._rows.values()}
    assert reached == set(sim.parameters())
    sim.set("cloth.sheet.fabric.density", 0.3)
    assert float(sim.get("cloth.sheet.fabric.density")) == 0.3


def test_stubs_have_every_property():
    path = os.path.join(os.path.dirname(weft.__file__), "parameters.pyi")
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for name, made in classes.items():
        values = {node.target.id for node in found[name].body if isinstance(node, ast.AnnAssign)}
        functions = {node.name for node in found[name].body if isinstance(node, ast.FunctionDef)}
        assert values == set(made._rows)
        assert functions == set(made._groups)


def test_the_stub_of_the_engine_is_complete():
    path = os.path.join(os.path.dirname(weft.__file__), "_engine.pyi")
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for found in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        names = {node.name for node in found.body if isinstance(node, ast.FunctionDef)}
        names |= {node.target.id for node in found.body if isinstance(node, ast.AnnAssign)}
        there = {name for name in dir(getattr(weft._engine, found.name)) if not name.startswith("__")}
        assert there == {name for name in names if not name.startswith("__")}, found.name


def test_settings_of_a_contact_method_are_a_group():
    sim = bare()
    sim.contact.method = "constraints"
    sim.contact.constraints.solves = 3
    sim.contact.impulses = {"zones": 7, "stretch": 0.2}
    assert sim.get("contact.constraints.solves") == "3" and sim.contact.impulses.zones == 7
    assert sim.contact.as_dict()["constraints"] == {"bodies": True, "layers": True, "solves": 3}
    with pytest.raises(AttributeError, match="contact.constraints has no parameter 'solvs': did you mean 'solves'"):
        sim.contact.constraints.solvs = 1
    with pytest.raises(AttributeError, match="zonez"):
        sim.contact.zonez


@pytest.mark.parametrize("old, new, value, read", [
    ("sleep", "barrier.sleep", 0.01, 0.01), ("bodies", "constraints.bodies", "impulse", False),
    ("layers", "constraints.layers", "impulses", False), ("solves", "constraints.solves", 9, 9),
    ("sweeps", "impulses.sweeps", 9, 9), ("iterations", "impulses.iterations", 9, 9),
    ("zones", "impulses.zones", 9, 9), ("halvings", "impulses.halvings", 9, 9),
    ("stretch", "impulses.stretch", 0.3, 0.3),
])
def test_former_names_of_contact_settings(old, new, value, read):
    sim = bare()
    group, leaf = new.split(".")
    with pytest.warns(DeprecationWarning, match=f"contact.{old} is now contact.{new}"):
        setattr(sim.contact, old, value)
    assert getattr(getattr(sim.contact, group), leaf) == read
    with pytest.warns(DeprecationWarning):
        assert getattr(sim.contact, old) == read
    again = bare()
    again.set(f"contact.{old}", value)  # the path of the engine
    assert again.get(f"contact.{new}") == sim.get(f"contact.{new}") == sim.get(f"contact.{old}")
    scene = {"cloth": {"grid": {"cells": [2, 2]}}, "contact": {old: value}}
    built = weft.build(scene)
    assert built.get(f"contact.{new}") == sim.get(f"contact.{new}")
    assert any(f"contact.{old} is now contact.{new}" in notice for notice in built.notices)


def test_fabrics_and_tables():
    assert weft.fabrics["cotton"]["density"] > 0 and weft.fabrics["cotton"]["source"]
    assert {"view", "grid", "maps"} <= set(tables)
    assert any(found.kind == "writer" and found.name == "glb" for found in parameters.components)
    assert parameters.component("force", "wind").params


def test_fabric_files_are_named_like_presets():
    """As in a scene: a file of the fabric library by its name, with values over its own."""
    sim = weft.Sim(threads=1)
    published = sim.add_cloth("published", weft.grid((2, 2)), "petrak-m1-polyester-twill")
    assert published.fabric.density == pytest.approx(0.13517, rel=1e-12)
    changed = sim.add_cloth("changed", weft.grid((2, 2)), {"preset": "petrak-m1-polyester-twill", "density": 0.2})
    assert changed.fabric.density == 0.2 and changed.fabric.shear == published.fabric.shear
