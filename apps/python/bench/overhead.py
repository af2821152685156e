"""What Python costs: stepping the benchmark HANG (N = 32) from Python, against the same loop in C, and two simulations
in two threads against one.

usage: PYTHONPATH=build/release/python python3 apps/python/bench/overhead.py

The loops alternate frame by frame on the same simulation, so that both see the same machine. The figures are those of
the least frame and of the median. `make python` prints nothing of this; timings are not tests.
"""

from __future__ import annotations

import statistics
import threading
import time

import numpy as np

import weft

RATE = 60


def hang(n: int, substeps: int) -> weft.Sim:
    """The sheet of lab/bench/sheet.c: 1 m x 1 m from two corners, with a ripple of 1 mm."""
    sim = weft.Sim(threads=1)
    stiffness = 50.0 * n
    fabric = {
        "density": 0.2, "stretch_weft": stiffness, "stretch_warp": stiffness, "shear": 400,
        "poisson_weft": 0, "poisson_warp": 0,
    }
    model = {"name": "springs", "stiffness": "fabric", "flexion": False, "damping": 0, "damping_time": 0.0002}
    cloth = sim.add_cloth("sheet", weft.grid((n - 1, n - 1)), fabric, model)
    sim.add_force("gravity")
    sim.integrator = "projective"
    cloth.pin(vertices=[0, n - 1])
    x = cloth.positions.copy()
    ripple = 1e-3 * np.sin(6 * np.pi * x[:, 0] + 0.5) * np.sin(4 * np.pi * x[:, 1] + 0.3)
    ripple[[0, n - 1]] = 0
    x[:, 2] += ripple
    cloth.place(x)
    sim.steps(1 / RATE / substeps, substeps)
    return sim


def overhead(n: int = 32, substeps: int = 2, frames: int = 4000) -> None:
    sim = hang(n, substeps)
    dt = 1 / RATE / substeps
    in_python, in_c = [], []
    for frame in range(frames):
        start = time.perf_counter()
        if frame % 2:
            sim.steps(dt, substeps)
        else:
            for _ in range(substeps):
                sim.step(dt)
        (in_c if frame % 2 else in_python).append(time.perf_counter() - start)
    for what, pick in (("least", min), ("median", statistics.median)):
        ours, c = pick(in_python), pick(in_c)
        print(
            f"hang {n}: {what} of {frames // 2} frames, {substeps} steps each: Python {1e6 * ours:.1f} us, "
            f"C {1e6 * c:.1f} us, {100 * (ours / c - 1):+.1f} %"
        )


def waited() -> float:
    """Seconds for which this thread was ready to run, but other programs had the processors (Linux)."""
    with open("/proc/thread-self/schedstat", encoding="ascii") as file:
        return int(file.read().split()[1]) / 1e9


def two_threads(n: int = 48, steps: int = 400, rounds: int = 9) -> None:
    """Time of two simulations in two threads, against one alone. On a busy machine the time for which a thread waits for
    a processor does not count; the time for which it waits for the interpreter does."""
    alone, both = [], []

    def run(sim: weft.Sim, times: list[float]) -> None:
        start, queue = time.perf_counter(), waited()
        for _ in range(steps):
            sim.step(1 / RATE / 2)
        times.append(time.perf_counter() - start - (waited() - queue))

    for _ in range(rounds):
        first, second = hang(n, 2), hang(n, 2)
        run(first, alone)
        each: list[float] = []
        threads = [threading.Thread(target=run, args=(sim, each)) for sim in (first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        both.append(max(each))
    for what, pick in (("least", min), ("median", statistics.median)):
        print(
            f"two threads: {what} of {rounds}: one {pick(alone):.3f} s, two at once {pick(both):.3f} s, "
            f"factor {pick(both) / pick(alone):.2f}"
        )


if __name__ == "__main__":
    overhead()
    two_threads()
