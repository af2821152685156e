"""No memory is lost when simulations come and go."""

import gc
import os

import weft


def resident():
    """Resident memory of this process, bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


GRID = weft.grid((3, 3))
CYCLES = int(os.environ.get("WEFT_CYCLES", "10000"))


def cycle(number=0):
    sim = weft.Sim(threads=1)
    cloth = sim.add_cloth("sheet", GRID, "cotton")
    sim.add_force("gravity")
    sim.add_force(lambda time, x, v, mass, area: 0 * x)
    if number % 50 == 0:  # with a body, preparing takes a hundred times as long
        sim.add_body("sphere", radius=0.1, at=(9, 9, 9))
    cloth.pin(corner="top-left")
    positions = cloth.positions
    sim.step(0.005)
    assert positions.stale
    return cloth.positions


def test_no_leak_over_10000_simulations():
    for number in range(300):
        cycle(number)
    gc.collect()
    start = resident()
    for number in range(CYCLES):
        cycle(number)
    gc.collect()
    grown = resident() - start
    # A simulation of this size takes about 100 kB. 10,000 leaks of 100 bytes would be 1 MB.
    assert grown < 1 << 20, f"{grown} bytes more after {CYCLES} simulations"


def test_simulations_are_freed_without_the_collector():
    gc.disable()
    try:
        for number in range(100):
            cycle(number)
        start = resident()
        for number in range(400):
            cycle(number)
        grown = resident() - start
    finally:
        gc.enable()
    assert grown < 1 << 20
