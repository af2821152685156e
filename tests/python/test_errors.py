"""Bad input raises an exception of the right class, with a message that names the place and what is allowed."""

import numpy as np
import pytest

import weft


def test_classes_of_exceptions():
    assert issubclass(weft.BadInputError, (weft.Error, ValueError))
    assert issubclass(weft.BadFileError, OSError) and issubclass(weft.NoMemoryError, MemoryError)
    assert issubclass(weft.DivergedError, ArithmeticError) and issubclass(weft.StaleError, weft.Error)


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda: weft.load("missing.yaml"), weft.BadFileError, "missing.yaml"),
        (lambda: weft.build({"cloth": {"grid": {"cels": 3}}}), weft.BadInputError, "did you mean 'cells'"),
        (lambda: weft.build({"cloth": {"grid": {}, "fabric": "cottn"}}), weft.BadInputError, "cotton"),
        (lambda: weft.build({}, set={"time.step": "4 kg"}), weft.BadInputError, "time.step"),
        (lambda: weft.grid((0, 3)), weft.BadInputError, "0"),
        (lambda: weft.grid(axes=("x", "w")), ValueError, "'w'"),
        (lambda: weft.grid(diagonals="none"), ValueError, "alternating"),
        (lambda: weft.read_mesh("missing.obj").positions, weft.BadFileError, "missing.obj"),
        (lambda: weft.mesh([(0, 0, 0)], [(0, 1, 2)]).positions, weft.BadInputError, "mesh"),
        (lambda: weft.mesh([(0, 0)], [(0, 1, 2)]), ValueError, "rows of 3"),
        (lambda: weft.mesh(np.zeros((3, 3)), [(0.5, 1, 2)]), TypeError, "whole numbers"),
        (lambda: weft.Sim().add_cloth("a", "missing.obj"), weft.BadFileError, "missing.obj"),
        (lambda: weft.Sim().add_cloth("a", weft.grid(), "cottn"), weft.BadInputError, "cotton"),
        (lambda: weft.Sim().add_cloth("a", weft.grid(), model="spring"), weft.BadInputError, "springs"),
        (lambda: weft.Sim().add_cloth("a", 3), TypeError, "mesh"),
        (lambda: weft.Sim().add_force("gravty"), weft.BadInputError, "gravity"),
        (lambda: weft.Sim().add_body("spher"), weft.BadInputError, "sphere"),
        (lambda: weft.Sim().add_body("sphere", radius=-1), weft.BadInputError, "radius"),
        (lambda: weft.Sim().run(1), weft.Error, "cloth"),
        (lambda: weft.Sim().step(0.1), weft.Error, "cloth"),
        (lambda: weft.Sim().cloths["flag"], KeyError, "flag"),
        (lambda: setattr(weft.Sim(), "integrator", "bdf3"), weft.BadInputError, "bdf2"),
        (lambda: setattr(weft.Sim(), "threads", -1), weft.BadInputError, "threads"),
        (lambda: weft.Sim().restore(b"nonsense"), weft.Error, ""),
        (lambda: weft.Sim().run(-1), ValueError, "negative"),
    ],
)
def test_bad_input(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value) and "\n" not in str(caught.value)


def test_bad_arguments_of_a_prepared_simulation(sheet, tmp_path):
    cloth = sheet.cloths[0]
    for call, kind in [
        (lambda: sheet.step(0), weft.BadInputError),
        (lambda: sheet.step(float("nan")), weft.BadInputError),
        (lambda: sheet.step("x"), TypeError),
        (lambda: cloth.place(np.zeros((3, 3))), weft.BadInputError),
        (lambda: cloth.place(np.full((49, 3), np.nan)), weft.BadInputError),
        (lambda: cloth.drag(1000, (0, 0, 0)), weft.BadInputError),
        (lambda: cloth.let_go(3), weft.Error),
        (lambda: cloth.drag(1, (0, 0)), TypeError),
        (lambda: cloth.set_map("colour", np.ones(49)), weft.BadInputError),
        (lambda: sheet._array("positions", 7), IndexError),
        (lambda: sheet.restore(b""), weft.Error),
        (lambda: sheet.picture(width=0), weft.BadInputError),
        (lambda: sheet.picture(colour="red"), weft.BadInputError),
        (lambda: sheet.record(tmp_path, ["objj"]), weft.BadInputError),
        (lambda: sheet.record(tmp_path, [("obj", {"up": "w"})]), weft.BadInputError),
        (lambda: sheet.add_force("gravity", acceleratio=3), weft.BadInputError),
        (lambda: sheet.cloths["shet"], KeyError),
    ]:
        with pytest.raises(kind):
            call()
    assert sheet.forces.names() == ["gravity"]
    sheet.step(0.005)  # it still works


def test_divergence_is_an_exception():
    sim = weft.Sim(threads=1)
    sim.add_cloth("sheet", weft.grid((8, 8)), "cotton", "springs")
    sim.add_force("gravity")
    sim.integrator = "forward-euler"
    sim.time.set(step=0.1, rate=10, halvings=0)
    sim.cloths[0].pin(side="top")
    with pytest.raises(weft.DivergedError, match="time.step"):
        sim.run(200)
    assert np.isfinite(sim.cloths[0].positions).all()
