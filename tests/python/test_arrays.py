"""Arrays show the engine's memory, and say when they became stale."""

import copy
import gc
import pickle
import threading

import numpy as np
import pytest

import weft
from conftest import make_sheet


def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_are_views_at_the_engines_address(sheet):
    cloth = sheet.cloths["sheet"]
    for name in ("positions", "velocities", "mass", "area", "held", "rest", "triangles"):
        engine = sheet._array(name, 0).__array_interface__
        array = getattr(cloth, name)
        assert address(array) == engine["data"][0]
        assert array.shape == engine["shape"]
        assert not array.flags.owndata and not array.flags.writeable
    assert address(cloth.positions) == address(cloth.positions)


def test_a_changed_state_is_seen_in_the_array(sheet):
    cloth = sheet.cloths["sheet"]
    seen = cloth.positions
    moved = seen.copy() + (0, 0, 0.25)
    before = address(seen)
    cloth.place(moved)
    assert not seen.stale and address(cloth.positions) == before
    np.testing.assert_array_equal(seen, moved)


def test_shapes_and_types(sheet):
    cloth = sheet.cloths["sheet"]
    assert cloth.positions.shape == cloth.velocities.shape == cloth.rest.shape == (49, 3)
    assert cloth.triangles.shape == (72, 3) and cloth.triangles.dtype == np.int32
    assert cloth.uv.shape == (49, 2) and cloth.normals.shape == (49, 3)
    assert cloth.mass.shape == cloth.area.shape == (49,)
    assert cloth.held.dtype == bool and cloth.strain.shape == cloth.stress.shape == (72, 3)
    assert cloth.reactions.shape == (49, 3)
    np.testing.assert_allclose(cloth.area.sum(), 1.0)
    sheet.step(0.005)
    assert sorted(np.flatnonzero(cloth.held)) == [0, 6]
    np.testing.assert_allclose(np.linalg.norm(cloth.normals, axis=1), 1)


def test_views_become_stale_with_a_step(sheet):
    cloth = sheet.cloths["sheet"]
    positions, part, rest = cloth.positions, cloth.positions[3:5], cloth.rest
    kept, plain = positions.copy(), np.asarray(positions)
    sheet.step(0.005)
    assert positions.stale and part.stale and not rest.stale
    for use in (
        lambda: positions[0],
        lambda: positions + 1,
        lambda: positions.mean(),
        lambda: np.linalg.norm(positions, axis=1),
        lambda: np.concatenate([positions, kept]),
        lambda: part.copy(),
        lambda: list(positions),
        lambda: pickle.dumps(positions),
        lambda: np.array(positions),
        lambda: np.array(part),
        lambda: np.asarray(positions),
        lambda: np.array(positions, dtype=np.float32),
        lambda: np.ascontiguousarray(positions),
        lambda: np.array([positions, kept]),
        lambda: np.copy(positions),
        lambda: copy.deepcopy(positions),
        lambda: kept - positions,
        lambda: kept.dot(positions.T),
        lambda: float(part[0, 0]),
        lambda: sheet.cloths[0].place(positions),
        lambda: weft.mesh(positions, [(0, 1, 2)]),
    ):
        with pytest.raises(weft.StaleError, match="moved on"):
            use()
    assert "stale" in repr(positions)
    assert not getattr(kept, "stale", False) and kept.any()
    assert np.isfinite(plain).all()  # memory that is still there
    assert not cloth.positions.stale
    # the buffers rotate, and an old view does not come back to life
    for _ in range(6):
        sheet.step(0.005)
        assert positions.stale


def test_views_of_views_become_stale_too(sheet):
    positions = sheet.cloths[0].positions
    views = (
        positions.T, positions.reshape(-1), positions.ravel(), positions.view(), np.reshape(positions, -1),
        np.transpose(positions), np.split(positions, 7)[3], next(iter(positions)), positions[3:5][0], positions.swapaxes(0, 1),
    )
    for view in views:
        assert isinstance(view, np.ndarray) and not view.stale and np.isfinite(np.array(view)).all()
    sheet.step(0.005)
    for view in views:
        with pytest.raises(weft.StaleError):
            np.array(view)


def test_state_arrays_act_like_arrays(sheet):
    positions = sheet.cloths[0].positions
    plain = np.asarray(positions)
    assert isinstance(positions, np.ndarray) and type(plain) is np.ndarray
    assert (positions.shape, positions.ndim, positions.size, len(positions)) == ((49, 3), 2, 147, 49)
    assert positions.dtype == float and np.array(positions, np.float32).dtype == np.float32
    for made, expected in (
        (positions * 2, plain * 2), (1 - positions, 1 - plain), (-positions, -plain), (positions @ plain.T, plain @ plain.T),
        (positions > 0, plain > 0), (positions.argmax(axis=0), plain.argmax(axis=0)), (positions.astype(int), plain.astype(int)),
        (np.concatenate([positions, plain]), np.concatenate([plain, plain])), (positions.tolist(), plain.tolist()),
        (np.where(positions > 0.5, positions, 0), np.where(plain > 0.5, plain, 0)), (plain[positions[:, 1] < -0.5], plain[plain[:, 1] < -0.5]),
        (positions[positions < 0], plain[plain < 0]), (np.add(plain, 1, out=plain.copy(), where=positions > 0)[0], plain[0] + (plain[0] > 0)),
        (pickle.loads(pickle.dumps(positions)), plain), (copy.copy(positions), plain), (f"{positions[0, 1]:.2f}", f"{plain[0, 1]:.2f}"),
        (sheet.cloths[0].triangles.sum(), np.asarray(sheet.cloths[0].triangles).sum()),
    ):
        np.testing.assert_array_equal(made, expected)
    same = weft.mesh(positions, sheet.cloths[0].triangles)
    np.testing.assert_array_equal(same.positions, plain)


def test_results_are_plain_arrays(sheet):
    positions = sheet.cloths[0].positions
    for made in (positions + 1, positions.copy(), positions[[0, 1]], np.sqrt(np.abs(positions)), positions.flatten()):
        assert type(made) is np.ndarray and not np.may_share_memory(made, positions)
    with pytest.raises(ValueError, match="read-only"):
        positions[0] = 1
    with pytest.raises(ValueError):
        positions += 1


def test_memory_outlives_the_simulation():
    sim = make_sheet()
    positions = sim.cloths[0].positions
    expected = positions.copy()
    del sim
    gc.collect()
    filler = [make_sheet() for _ in range(20)]
    np.testing.assert_array_equal(positions, expected)
    assert not positions.stale and filler


def test_memory_outlives_a_changed_mesh():
    sim = weft.Sim(threads=1)
    cloth = sim.add_cloth("sheet", weft.grid((12, 12)), "cotton")
    sim.step(0.001)
    views = {name: getattr(cloth, name) for name in ("positions", "velocities", "triangles", "rest", "mass", "held")}
    plain = {name: np.asarray(view) for name, view in views.items()}
    expected = {name: array.copy() for name, array in plain.items()}
    opened = cloth.cut((0.52, 1, 1), [(0, -5, -1), (0, 5, -1)])
    assert opened > 0
    for _ in range(50):  # memory that was freed too early would be used again
        sim.step(0.001)
        make_sheet()
    for name in ("triangles", "rest"):
        assert views[name].stale
        np.testing.assert_array_equal(plain[name], expected[name])
    assert all(np.isfinite(array).all() for array in plain.values())
    assert len(cloth.positions) > len(plain["positions"])


def test_a_busy_simulation_refuses_other_threads():
    sim = make_sheet((60, 60))
    sim.prepare()
    started, errors = threading.Event(), []

    def other():
        started.wait()
        try:
            while not errors:
                sim.cloths[0].positions
        except weft.UnsupportedError as error:
            errors.append(error)

    thread = threading.Thread(target=other)
    thread.start()
    started.set()
    for _ in range(200):
        try:
            sim.step(0.001)
        except weft.UnsupportedError:
            pass
        if errors:
            break
    errors.append(None)
    thread.join()
    assert errors[0] is not None and "in use" in str(errors[0])
