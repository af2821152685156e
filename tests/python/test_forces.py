"""Forces and callbacks in Python, and simulations in several threads."""

import threading

import numpy as np
import pytest

import weft
from conftest import make_sheet


def test_a_force_in_python_equals_the_built_in_one():
    results = []
    for own in (False, True):
        sim = weft.Sim(threads=1)
        cloth = sim.add_cloth("sheet", weft.grid((6, 6)), "cotton")
        cloth.pin(corner="top-left")
        if own:
            sim.forces["gravity"].remove()
            sim.add_force(lambda time, x, v, mass, area: np.outer(mass, (0, -9.81, 0)))
        sim.time.rate = 100
        sim.run(20)
        results.append(cloth.positions.copy())
    np.testing.assert_allclose(results[0], results[1], atol=1e-6)
    assert results[0][:, 1].min() < -1


def test_gravity_is_there_from_the_start_and_not_doubled():
    sim = weft.Sim()
    assert sim.forces.names() == ["gravity"] and sim.forces[0].acceleration == (0, -9.81, 0)
    with pytest.raises(weft.BadInputError):
        sim.add_force("gravity", acceleratio=3)
    assert sim.forces.names() == ["gravity"]
    moon = weft.Sim()
    wind = moon.add_force("wind", speed=2)
    gravity = moon.add_force("gravity", acceleration=(0, -1.62, 0))
    assert moon.forces.names() == ["gravity", "wind"] and gravity == moon.forces[0] and wind.index == 1
    assert moon.get("forces.gravity.acceleration") == "[0, -1.62, 0]"
    assert moon.add_force("gravity").index == 2  # a second one is meant
    gravity.remove()
    assert moon.forces.names() == ["wind", "gravity"] and wind.speed == 2


def test_arguments_of_a_force(sheet):
    seen = []

    def force(time, x, v, mass, area):
        seen.append((time, x.shape, v.shape, mass.shape, area.shape, threading.get_ident()))
        kept.append(x)
        return np.zeros_like(x)

    kept = []
    sheet.add_force(force)
    sheet.step(0.01)
    sheet.step(0.01)
    assert {entry[0] for entry in seen} >= {0.01} and all(len(entry[1]) == 2 for entry in seen)
    assert all(np.isfinite(x).all() for x in kept)  # arrays that a function keeps are its own


def test_forces_on_many_threads_give_the_same_bits():
    hashes = set()
    for threads in (1, 2, 4):
        sim = weft.Sim(threads)
        cloth = sim.add_cloth("sheet", weft.grid((100, 100)), "cotton", "springs")
        cloth.pin(side="top")
        sim.integrator = "symplectic-euler"
        sim.add_force(lambda time, x, v, mass, area: np.outer(mass, (0, -9.81, 0)) - 0.01 * v * area[:, None])
        for _ in range(5):
            sim.step(1e-4)
        hashes.add(sim.state_hash)
    assert len(hashes) == 1


def test_an_exception_in_a_force_undoes_the_step(sheet):
    sheet.step(0.005)
    before = sheet.state_hash

    def force(time, x, v, mass, area):
        raise KeyError("mistake")

    bad = sheet.add_force(force)
    for call in (lambda: sheet.step(0.005), lambda: sheet.run(1)):
        with pytest.raises(KeyError, match="mistake"):
            call()
    assert sheet.state_hash == before
    bad.remove()
    assert sheet.step(0.005).status == "ok" and sheet.state_hash != before


@pytest.mark.parametrize("returned", [None, "text", np.zeros((2, 3)), np.zeros(3) * 1j])
def test_bad_results_of_a_force(sheet, returned):
    sheet.add_force(lambda time, x, v, mass, area: returned)
    with pytest.raises((TypeError, ValueError)):
        sheet.step(0.005)


def test_a_force_must_not_use_the_simulation(sheet):
    sheet.add_force(lambda time, x, v, mass, area: sheet.cloths[0].positions)
    with pytest.raises(weft.UnsupportedError, match="in use"):
        sheet.step(0.005)


def test_callbacks_after_steps_and_frames(sheet):
    steps, frames = [], []

    @sheet.on_step
    def note(sim):
        steps.append(sim.seconds)
        sim.forces["gravity"].acceleration = (0, -1.0 * len(steps), 0)

    summary = sheet.run(3, each=lambda sim: frames.append(sim.frame))
    assert frames == [1, 2, 3] and len(steps) == sheet.step_count == 12
    assert summary.frames == 3
    assert sheet.forces[0].acceleration == (0, -12, 0)


def test_run_many_gives_the_results_of_single_runs():
    expected = []
    for i in range(6):
        sim = make_sheet((5 + i, 5))
        sim.run(3)
        expected.append(sim.state_hash)
    sims = [make_sheet((5 + i, 5)) for i in range(6)]
    assert weft.run_many(sims, 3, workers=3, result=lambda sim: sim.state_hash) == expected
    makers = [lambda i=i: make_sheet((5 + i, 5)) for i in range(6)]
    assert weft.run_many(makers, 3, workers=2, result=lambda sim: sim.state_hash) == expected
    assert weft.run_many([make_sheet()], 2)[0].frames == 2


def test_run_many_raises_after_all_have_ended():
    done = []
    bad, good = weft.Sim(), make_sheet()
    with pytest.raises(weft.Error):
        weft.run_many([bad, good], 2, result=lambda sim: done.append(sim))
    assert done == [good] and good.frame == 2


def test_steps_release_the_interpreter_lock():
    """Python code runs during a long step."""
    sim = make_sheet((60, 60))
    sim.prepare()
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            stop.wait(1e-4)

    thread = threading.Thread(target=count)
    thread.start()
    during = 0
    for _ in range(10):
        before = counted[0]
        sim.step(0.005)
        during += counted[0] - before
    stop.set()
    thread.join()
    assert during > 3
