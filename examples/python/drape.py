"""The drape coefficient of a fabric against its bending rigidity, as in Cusick's test.

A disc of 30 cm lies on a pedestal of 18 cm, and its rim hangs down. The coefficient is the area of the shadow outside
the pedestal, as a share of the disc's area outside it: 1 for a plate, near 0 for a fabric without stiffness.

usage: python3 drape.py [--quick] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import os

import numpy as np

import weft

DISC, PEDESTAL = 0.15, 0.09  # radii, m


def disc(rings: int) -> weft.Mesh:
    """A disc of concentric rings with six more vertices in each, in the plane y = 0."""
    points, first = [(0.0, 0.0)], [0]
    for ring in range(1, rings + 1):
        first.append(len(points))
        angles = 2 * np.pi * np.arange(6 * ring) / (6 * ring)
        radius = DISC * ring / rings
        points += [(radius * np.cos(a), radius * np.sin(a)) for a in angles]
    faces = []
    for ring in range(1, rings + 1):
        outer, inner = 6 * ring, max(6 * (ring - 1), 1)
        for side in range(6):
            for k in range(ring):
                a = first[ring] + (side * ring + k) % outer
                b = first[ring] + (side * ring + k + 1) % outer
                c = first[ring - 1] + (side * (ring - 1) + k) % inner
                faces.append((a, c, b))
                if k < ring - 1:
                    d = first[ring - 1] + (side * (ring - 1) + k + 1) % inner
                    faces.append((b, c, d))
    flat = np.array(points)
    return weft.mesh(np.column_stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]]), faces, uv=flat)


def shadow(x: np.ndarray, triangles: np.ndarray, cells: int = 240) -> float:
    """Area of the projection onto the ground, m2, by the centres of small squares."""
    side = 2.2 * DISC / cells
    covered = np.zeros((cells, cells), bool)
    centre = (np.arange(cells) + 0.5) * side - 1.1 * DISC
    for a, b, c in x[triangles][:, :, [0, 2]]:
        low = np.maximum(((np.min([a, b, c], 0) + 1.1 * DISC) / side - 1).astype(int), 0)
        high = ((np.max([a, b, c], 0) + 1.1 * DISC) / side + 2).astype(int)
        px, pz = centre[low[0] : high[0], None], centre[None, low[1] : high[1]]
        sides = [(q[0] - p[0]) * (pz - p[1]) - (q[1] - p[1]) * (px - p[0]) for p, q in ((a, b), (b, c), (c, a))]
        inside = np.logical_and.reduce([s >= 0 for s in sides]) | np.logical_and.reduce([s <= 0 for s in sides])
        covered[low[0] : high[0], low[1] : high[1]] |= inside
    return float(covered.sum()) * side**2


def hang(bend: float, mesh: weft.Mesh) -> weft.Sim:
    """A disc of a fabric like cotton with this bending rigidity, N m."""
    sim = weft.Sim()
    fabric = {"preset": "cotton", "bend_weft": bend, "bend_warp": bend, "damping": 0.005}
    cloth = sim.add_cloth("disc", mesh, fabric, {"name": "corotational", "bending": "isometric"})
    sim.add_force("gravity")
    sim.add_force("air-damping", coefficient=0.3, per="area")
    radius = np.hypot(mesh.positions[:, 0], mesh.positions[:, 2])
    cloth.pin(vertices=np.flatnonzero(radius < PEDESTAL + 1e-9))
    # a ripple of a tenth of a millimetre, so that folds can begin
    x = cloth.positions.copy()
    angle = np.arctan2(x[:, 2], x[:, 0])
    x[:, 1] += np.where(radius > PEDESTAL, 1e-4 * np.sin(5 * angle) * (radius - PEDESTAL) / DISC, 0)
    cloth.place(x)
    sim.time.set(step=0.005, rate=50)
    return sim


def coefficient(sim: weft.Sim) -> float:
    cloth = sim.cloths["disc"]
    hole = np.pi * PEDESTAL**2
    return (shadow(cloth.positions.copy(), cloth.triangles.copy()) - hole) / (np.pi * DISC**2 - hole)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a coarse disc and few fabrics")
    parser.add_argument("--out", default="out/drape", help="folder for the plot and the picture")
    options = parser.parse_args()
    mesh = disc(8 if options.quick else 12)
    rigidity = np.geomspace(1e-7, 1e-3, 3 if options.quick else 7)
    frames = 40 if options.quick else 75
    sims = [hang(bend, mesh) for bend in rigidity]
    found = weft.run_many(sims, frames, result=coefficient, progress=True)
    print("bending rigidity, N m   drape coefficient")
    for bend, value in zip(rigidity, found):
        print(f"{bend:21.3g}   {value:.3f}")

    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    os.makedirs(options.out, exist_ok=True)
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.semilogx(rigidity, found, "o-")
    axes.set_xlabel("bending rigidity (N m)")
    axes.set_ylabel("drape coefficient")
    axes.set_ylim(0, 1.05)
    axes.grid(alpha=0.3)
    figure.savefig(os.path.join(options.out, "drape.png"), dpi=110)
    sims[len(sims) // 2].picture(480, 360, elevation="35 deg").save(os.path.join(options.out, "disc.png"))
    np.savetxt(os.path.join(options.out, "drape.csv"), np.column_stack([rigidity, found]), delimiter=",")


if __name__ == "__main__":
    main()
