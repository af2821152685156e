"""A dataset of random simulations: fabrics and winds in, shapes of a hanging cloth out, all in one .npz file.

usage: python3 dataset.py [--count N] [--out FILE.npz]
"""

from __future__ import annotations

import argparse
import os
from functools import partial

import numpy as np

import weft

CELLS, FRAMES = 12, 30
INPUTS = ("density", "stretch", "bend", "wind")


def draw(seed: int) -> dict[str, float]:
    """Random inputs of one simulation. They depend on its number alone."""
    random = np.random.default_rng(seed)
    return {
        "density": random.uniform(0.05, 0.4),  # kg/m2
        "stretch": 10 ** random.uniform(2, 4),  # N/m
        "bend": 10 ** random.uniform(-6, -4),  # N m
        "wind": random.uniform(0, 6),  # m/s
    }


def make(seed: int) -> weft.Sim:
    """A cloth that hangs from two corners in the wind."""
    inputs = draw(seed)
    sim = weft.Sim(threads=1)
    sim.time.set(step=0.01, rate=30)
    sim.air.seed = seed
    fabric = {
        "preset": "cotton", "density": inputs["density"], "bend_weft": inputs["bend"], "bend_warp": inputs["bend"],
        "stretch_weft": inputs["stretch"], "stretch_warp": inputs["stretch"],
    }
    cloth = sim.add_cloth("cloth", weft.grid((CELLS, CELLS)), fabric)
    cloth.pin(corner="top-left")
    cloth.pin(corner="top-right")
    sim.add_force("gravity")
    sim.add_force("wind", speed=inputs["wind"], direction=(0, 0, 1))
    return sim


def shape(sim: weft.Sim) -> np.ndarray:
    """The result that is kept of each simulation."""
    return sim.cloths["cloth"].positions.copy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="number of simulations (200)")
    parser.add_argument("--out", default="out/dataset.npz", help="the file to write")
    options = parser.parse_args()
    # Functions instead of simulations: each exists only while it runs.
    shapes = weft.run_many([partial(make, seed) for seed in range(options.count)], FRAMES, result=shape, progress=True)
    inputs = np.array([[draw(seed)[name] for name in INPUTS] for seed in range(options.count)])
    os.makedirs(os.path.dirname(options.out) or ".", exist_ok=True)
    np.savez_compressed(
        options.out, inputs=inputs, input_names=INPUTS, positions=np.array(shapes, np.float32),
        triangles=make(0).cloths[0].triangles.copy(),
    )
    data = np.load(options.out)
    print(f"{options.out}: positions {data['positions'].shape}, inputs {data['inputs'].shape}")


if __name__ == "__main__":
    main()
