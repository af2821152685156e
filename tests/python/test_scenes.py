"""Scenes from files, from dicts and built in Python."""

import json
import math
import subprocess

import numpy as np
import pytest

import weft


def flag_in_python():
    sim = weft.Sim(threads=1)
    sim.time.set(step="4.2 ms", rate=60)
    sim.integrator = {"name": "bdf2", "precondition": "two-level"}
    sim.air.seed = 2
    cloth = sim.add_cloth(
        "flag",
        weft.grid((72, 48), (1.5, 1.0), origin=(0, 2.5, 0), axes=("x", "-y")),
        fabric={"preset": "cotton", "density": "150 g/m2", "drag": 0.4, "lift": 0.15},
        model={"name": "corotational", "bending": "isometric"},
    )
    cloth.pin(side="left")
    sim.add_force("gravity")
    sim.add_force("wind", speed=7, direction=(1, 0.05, 0.1), randomness=0.6, gust_frequency=1)
    return sim


def test_a_flag_built_in_python_has_the_hash_of_the_command(source, command, tmp_path):
    scene = f"{source}/data/scenes/flag.yaml"
    subprocess.run(
        [command, "run", scene, "--frames", "2", "--out", tmp_path / "out", "--write", "none", "--quiet"], check=True
    )
    expected = json.loads((tmp_path / "out" / "report.json").read_text())["state_hash"]
    built, read = flag_in_python(), weft.load(scene, threads=1)
    for sim in (built, read):
        assert sim.run(2).frames == 2
        assert sim.state_hash == expected
    assert read.name == "flag" and read.cloths.names() == ["flag"]
    assert [force.name for force in read.forces] == ["gravity", "wind"] and read.forces["wind"].speed == 7


def test_a_dict_is_a_scene():
    scene = {
        "time": {"step": 0.005, "frames": 3, "rate": 50},
        "cloth": {"name": "napkin", "grid": {"cells": [4, 4], "axes": ["x", "z"]}, "fabric": "silk"},
        "bodies": [{"sphere": {"radius": 0.2, "at": np.array([0.5, -0.3, 0.5])}}],
        "forces": ["gravity"],
    }
    sim = weft.build(scene, set={"cloth.fabric.density": 0.2})
    assert sim.cloths["napkin"].fabric.density == 0.2
    assert sim.bodies["sphere"].at == (0.5, -0.3, 0.5)
    summary = sim.run()
    assert summary.frames == 3 and sim.frame == 3 and sim.seconds == pytest.approx(0.06)
    assert sim.run().frames == 0
    x, triangles = sim.bodies[0].surface()
    np.testing.assert_allclose(np.linalg.norm(x - (0.5, -0.3, 0.5), axis=1), 0.2, rtol=1e-6)
    assert triangles.max() < len(x)


def test_a_mesh_from_arrays():
    x = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0.5, 0)], float)
    mesh = weft.mesh(x, [(0, 1, 2, 3), (1, 4, 2)], uv=x[:, :2], groups={"tip": [4]})
    assert mesh.triangles.shape == (3, 3)
    np.testing.assert_array_equal(mesh.positions, x)
    sim = weft.Sim()
    cloth = sim.add_cloth("patch", mesh, "wool")
    assert list(cloth.pin(group="tip")) == [4]
    np.testing.assert_array_equal(cloth.positions, x)
    np.testing.assert_array_equal(cloth.uv, x[:, :2])
    again = weft.Sim().add_cloth("patch", mesh)  # a mesh can be used again
    assert len(again.rest) == 5


def test_a_mesh_from_a_file(source, tmp_path):
    (tmp_path / "quad.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    assert weft.read_mesh(tmp_path / "quad.obj").positions.shape == (4, 3)
    assert len(weft.Sim().add_cloth("quad", str(tmp_path / "quad.obj")).rest) == 4


def test_selectors_and_pins(sheet):
    cloth = sheet.cloths["sheet"]
    assert list(cloth.select(side="top")) == list(range(7))
    assert list(cloth.select(corner="bottom-right")) == [48]
    assert list(cloth.select(nearest=(1, -1, 0))) == [48]
    assert list(cloth.select(sphere=((0, 0, 0), 0.01))) == [0]
    assert list(cloth.select(box=((-0.1, -0.1, -1), (0.4, 0.1, 1)))) == [0, 1, 2]
    assert len(cloth.select(all=True)) == 49
    moved = cloth.pin(
        vertices=[48], keys=[{"time": 0}, {"time": 0.1, "offset": (0, 0, 0.2), "angle": 0.0}], release=5
    )
    sheet.run(5)
    np.testing.assert_allclose(cloth.positions[moved[0]], cloth.rest[48] + (0, 0, 0.2), atol=1e-9)
    cloth.unpin(vertices=[48])
    assert not cloth.held[48] or sheet.step(0.001) and not cloth.held[48]
    with pytest.raises(ValueError, match="a selector is one of"):
        cloth.pin(sode="left")
    with pytest.raises(weft.BadInputError):
        cloth.pin(side="lft")


def test_drag_cut_and_move(sheet):
    cloth = sheet.cloths["sheet"]
    cloth.drag(48, (1, -1, 0.3))
    sheet.step(0.01)
    np.testing.assert_allclose(cloth.positions[48], (1, -1, 0.3))
    cloth.let_go(48)
    sheet.step(0.01)
    assert cloth.pieces == 1
    cloth.cut((0.52, 1, 1), [(0, -5, -1), (0, 5, -1)])
    sheet.step(0.001)
    assert cloth.mesh_changes and cloth.pieces == 2
    ball = sheet.add_body("sphere", radius=0.1, at=(3, 0, 0))
    ball.move((3, 1, 0))
    sheet.step(0.01)
    assert ball.at == (3, 1, 0)
    ball.remove()
    assert len(sheet.bodies) == 0
    with pytest.raises(ValueError, match="removed"):
        ball.radius = 1


def test_animated_bodies(sheet):
    ball = sheet.add_body("sphere", radius=0.1, at=(3, 0, 0))
    ball.animate([{"time": 0}, {"time": 0.1, "offset": (0, 1, 0)}])
    box = weft.mesh(
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    )
    solid = sheet.add_body("mesh", box, at=(5, 0, 0))
    solid.animate_mesh(np.stack([box.positions, 2 * box.positions]), rate=10)
    sheet.run(5)
    assert ball.surface()[0][:, 1].mean() == pytest.approx(1.0, abs=0.02)
    assert solid.surface()[0].max() == pytest.approx(7.0)


def test_energies_of_a_fall():
    """A falling sheet has the momentum of m g t and loses as much potential energy as it gains kinetic energy."""
    sim = weft.Sim(threads=1)
    sim.add_cloth("sheet", weft.grid((4, 4)), {"preset": "cotton", "damping": 0})
    sim.add_force("gravity")
    sim.integrator = "symplectic-euler"
    start = sim.measure()
    for _ in range(100):
        sim.step(1e-4)
    end = sim.energies
    assert end.momentum[1] == pytest.approx(-9.81 * 0.01 * end.mass, rel=1e-3)
    assert end.kinetic == pytest.approx(start.potential - end.potential, rel=2e-2)
    assert end.energy == end.kinetic + end.elastic + end.potential
    assert "kinetic" in repr(end) and sim.intersections() == (0, 0, 0)
    assert math.isfinite(sim.stable_step)


def test_rays_and_snapshots(sheet):
    hit = sheet.ray((0.51, -0.51, 2), (0, 0, -1))
    assert hit.cloth == 0 and hit.distance == pytest.approx(2) and sheet.ray((9, 9, 9), (1, 0, 0)) is None
    sheet.run(2)
    saved, expected = sheet.snapshot(), sheet.state_hash
    after = sheet.run(2) and sheet.state_hash
    sheet.restore(saved)
    assert sheet.state_hash == expected
    sheet.run(2)
    assert sheet.state_hash == after
    sheet.integrator = "implicit-euler"
    sheet.restore(snapshot=saved, forget=True)
    assert sheet.state_hash == expected


def test_adaptation_and_maps():
    sim = weft.Sim(threads=1)
    cloth = sim.add_cloth("sheet", weft.grid((6, 6)), "silk", "corotational")
    cloth.set_map("density", np.linspace(1, 2, 49))
    cloth.set_velocity((0, 0, 1))
    sim.adapt = {"name": "sqrt3", "every": 2}
    assert sim.adapt.every == 2
    assert cloth.mass.sum() == pytest.approx(1.5 * weft.fabrics["silk"]["density"], rel=1e-6)
    np.testing.assert_allclose(cloth.velocities, np.tile((0, 0, 1), (len(cloth.rest), 1)))
    assert len(cloth.generations) == len(cloth.triangles)
