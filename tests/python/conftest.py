"""Scenes shared by the tests of the Python package."""

import os
import sys

import pytest

import weft

sys.dont_write_bytecode = True


@pytest.fixture
def sheet():
    """A small sheet that hangs from two corners."""
    return make_sheet()


def make_sheet(cells=(6, 6), **time):
    sim = weft.Sim(threads=1)
    sim.time.set(step=0.005, rate=50, **time)
    cloth = sim.add_cloth("sheet", weft.grid(cells), "cotton")
    sim.add_force("gravity")
    cloth.pin(corner="top-left")
    cloth.pin(corner="top-right")
    return sim


@pytest.fixture(scope="session")
def source():
    """The root of the repository."""
    return os.environ["WEFT_SOURCE_DIR"]


@pytest.fixture(scope="session")
def command():
    """The command weft."""
    return os.environ["WEFT"]
