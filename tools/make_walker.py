#!/usr/bin/env python3
"""Writes data/scenes/assets/walker.obj and walker.pc2: a torso with head, arms and legs that walks on the spot and turns.

Each limb is a capsule around a bone. The point cache holds the vertices of all frames. Usage: make_walker.py FOLDER
"""
import math
import os
import struct
import sys

FRAMES, RATE = 61, 30  # 2 s
ROUND, RINGS = 10, 3   # edges around a limb, rings of each rounded end


def capsule(a, b, ra, rb):
    """Vertices and outward-facing quads of a capsule from a to b with the end radii ra and rb."""
    axis = [b[i] - a[i] for i in range(3)]
    length = math.sqrt(sum(c * c for c in axis))
    w = [c / length for c in axis]
    other = [1, 0, 0] if abs(w[0]) < 0.7 else [0, 0, 1]
    u = cross(other, w)
    n = math.sqrt(sum(c * c for c in u))
    u = [c / n for c in u]
    v = cross(w, u)
    profile = []
    for i in range(1, RINGS + 1):
        t = math.pi / 2 * i / RINGS
        profile.append((ra * math.sin(t), -ra * math.cos(t)))
    for i in range(RINGS):
        t = math.pi / 2 * i / RINGS
        profile.append((rb * math.cos(t), length + rb * math.sin(t)))
    points = [[a[i] - ra * w[i] for i in range(3)]]
    for radius, height in profile:
        for k in range(ROUND):
            c, s = math.cos(2 * math.pi * k / ROUND), math.sin(2 * math.pi * k / ROUND)
            points.append([a[i] + height * w[i] + radius * (c * u[i] + s * v[i]) for i in range(3)])
    points.append([b[i] + rb * w[i] for i in range(3)])
    faces = []
    for k in range(ROUND):
        m = (k + 1) % ROUND
        faces.append((0, 1 + m, 1 + k))
        for r in range(len(profile) - 1):
            low, high = 1 + r * ROUND, 1 + (r + 1) * ROUND
            faces.append((low + k, low + m, high + m, high + k))
        last = 1 + (len(profile) - 1) * ROUND
        faces.append((last + k, last + m, len(points) - 1))
    return points, faces


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def bones(time):
    """(from, to, radius, radius) of each limb. The walk begins slowly; one step takes 1 s."""
    pace = min(1, time / 0.5)
    swing = 0.55 * pace * math.sin(2 * math.pi * time)
    lift = 0.015 * pace * (1 - math.cos(4 * math.pi * time))
    turn = 0.6 * pace * math.sin(math.pi * time)
    hip, chest, neck = [0, 0.95 + lift, 0], [0, 1.33 + lift, 0], [0, 1.52 + lift, 0]
    parts = [(hip, chest, 0.13, 0.145), (neck, [0, 1.62 + lift, 0.01], 0.085, 0.1)]
    for side in (-1, 1):
        shoulder = [0.2 * side, 1.4 + lift, 0]
        elbow = [0.36 * side, 1.18 + lift, -0.2 * side * swing]
        hand = [0.42 * side, 0.96 + lift, -0.55 * side * swing + 0.04]
        knee = [0.1 * side, 0.5 + lift, 0.42 * side * swing + 0.03]
        foot = [0.1 * side, 0.1 + max(0, -0.1 * side * pace * math.cos(2 * math.pi * time)), 0.6 * side * swing]
        parts += [(shoulder, elbow, 0.062, 0.05), (elbow, hand, 0.05, 0.04)]
        parts += [([0.1 * side, 0.9 + lift, 0], knee, 0.085, 0.065), (knee, foot, 0.065, 0.05)]
    return turn, parts


def frame(time):
    turn, parts = bones(time)
    c, s = math.cos(turn), math.sin(turn)
    points, faces = [], []
    for part in parts:
        first = len(points)
        own, quads = capsule(*part)
        points += [[c * p[0] + s * p[2], p[1], -s * p[0] + c * p[2]] for p in own]
        faces += [[first + i for i in quad] for quad in quads]
    return points, faces


def main():
    folder = sys.argv[1]
    points, faces = frame(0)
    with open(os.path.join(folder, "walker.obj"), "w") as out:
        out.write("# made by tools/make_walker.py\n")
        for p in points:
            out.write("v %.4f %.4f %.4f\n" % tuple(p))
        for face in faces:
            out.write("f %s\n" % " ".join(str(k + 1) for k in face))
    with open(os.path.join(folder, "walker.pc2"), "wb") as out:
        out.write(struct.pack("<12siiffi", b"POINTCACHE2", 1, len(points), 0, 1, FRAMES))
        for i in range(FRAMES):
            for p in frame(i / RATE)[0]:
                out.write(struct.pack("<3f", *p))


main()
