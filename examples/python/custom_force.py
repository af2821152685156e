"""A force in Python: a cloth that floats on waves.

Water pushes up a vertex with its area times its depth, and drags it along. On average over time the water must carry
the weight of the cloth. So the mean depth follows from the density, and the script compares the two.

usage: python3 custom_force.py [--out FOLDER]
"""

from __future__ import annotations

import argparse
import os

import numpy as np

import weft

HEIGHT, LENGTH, PERIOD = 0.03, 0.6, 0.8  # of the waves: m, m, s
LIFT = 200.0  # upward pressure per depth, N/m3
DRAG = 2.0  # N s/m3


def waves(time: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Height of the water at x, m, and its vertical speed, m/s."""
    phase = 2 * np.pi * (x[:, 0] / LENGTH - time / PERIOD)
    return HEIGHT * np.sin(phase), -HEIGHT * 2 * np.pi / PERIOD * np.cos(phase)


def water(time: float, x: np.ndarray, v: np.ndarray, mass: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Forces on some vertices, N: (n, 3). The engine calls it for blocks of vertices."""
    surface, speed = waves(time, x)
    depth = np.maximum(surface - x[:, 1], 0)
    force = np.where(depth[:, None] > 0, -DRAG * area[:, None] * v, 0.0)
    force[:, 1] += area * (LIFT * depth + np.where(depth > 0, DRAG * speed, 0.0))
    return force


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default="out/custom_force", help="folder for the picture and the view")
    options = parser.parse_args()
    sim = weft.Sim()
    cloth = sim.add_cloth("cloth", weft.grid((24, 16), (1.2, 0.8), origin=(-0.6, 0.1, 0.4), axes=("x", "-z")), "silk")
    sim.add_force("gravity")
    sim.add_force(water)
    sim.time.set(step=0.005, rate=50)

    depths: list[float] = []

    @sim.on_step
    def note(sim: weft.Sim) -> None:
        """Called after each step."""
        x = cloth.positions
        depth = np.maximum(waves(sim.seconds, x)[0] - x[:, 1], 0)
        depths.append(float(np.average(depth, weights=cloth.area)))

    film = weft.Film(sim)
    sim.run(160, progress=True, each=film.add)
    found = np.mean(depths[-int(2 * PERIOD / 0.005) :])  # two whole periods
    expected = cloth.fabric.density * 9.81 / LIFT
    print(f"mean depth: {1e3 * found:.2f} mm, by the weight {1e3 * expected:.2f} mm")
    os.makedirs(options.out, exist_ok=True)
    sim.picture(480, 360, elevation="25 deg", ground=False).save(os.path.join(options.out, "waves.png"))
    film.view().save(os.path.join(options.out, "waves.html"))
    if abs(found / expected - 1) > 0.05:
        raise SystemExit("the depth differs by more than 5 %")


if __name__ == "__main__":
    main()
