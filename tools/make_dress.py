#!/usr/bin/env python3
"""Writes data/scenes/assets/dress.obj: a sleeveless dress for the figure of make_walker.py, 1234 quads.

The skirt is a tube that widens towards the hem. Above it, front and back meet in two straps over the shoulders.
Usage: make_dress.py FOLDER
"""
import math
import os
import sys

ROUND = 44                                   # columns; column 0 is at the left side, 11 in front
HEM, ARM, SHOULDER = 0.55, 1.22, 1.487       # heights, m
TUBE, TOP = 23, 10                           # rows below and above the arms
STRAP = (4, 7)                               # columns of the straps, counted from either side
NECK = {"front": (4, 6), "back": (5, 6)}     # rows above the arms: at the neck, beside the straps


def radius(y):
    """Radius of the tube at height y, m. The waist is at 1 m."""
    return 0.165 + (0.11 * (y - 1) if y > 1 else 0.62 * (1 - y) ** 1.25)


def side(column):
    """Number of columns from the nearer side of the body."""
    return min(column % 22, 22 - column % 22)


def is_front(column):
    return column % ROUND <= 21


def point(column, row):
    angle = 2 * math.pi * column / ROUND
    if row <= TUBE:
        y = HEM + (ARM - HEM) * row / TUBE
        return (radius(y) * math.cos(angle), y, radius(y) * math.sin(angle))
    lift = math.pi / 2 * (row - TUBE) / TOP
    return (radius(ARM) * math.cos(angle), ARM + (SHOULDER - ARM) * math.sin(lift),
            radius(ARM) * math.sin(angle) * math.cos(lift))


def has_quad(column, row):
    """Whether the quad between this column and row and the next ones exists."""
    if row < TUBE:
        return True
    up = row - TUBE
    low, high = sorted((side(column), side(column + 1)))
    if high > STRAP[1] or low == high:
        return up < NECK["front" if is_front(column) else "back"][low == STRAP[1]]
    if low >= STRAP[0]:
        return True
    return up < low  # the armhole


def vertex_key(column, row):
    """Front and back share the vertices on the shoulders."""
    column %= ROUND
    if row == TUBE + TOP and column > 22:
        column = ROUND - column
    return (row, column)


def main():
    number, points, faces = {}, [], []
    for row in range(TUBE + TOP):
        for column in range(ROUND):
            if not has_quad(column, row):
                continue
            face = []
            for c, r in ((column, row), (column, row + 1), (column + 1, row + 1), (column + 1, row)):
                key = vertex_key(c, r)
                if key not in number:
                    number[key] = len(points)
                    points.append(point(c, r))
                face.append(number[key])
            faces.append(face)
    with open(os.path.join(sys.argv[1], "dress.obj"), "w") as out:
        out.write("# made by tools/make_dress.py\n")
        for p in points:
            out.write("v %.4f %.4f %.4f\n" % p)
        for face in faces:
            out.write("f %s\n" % " ".join(str(k + 1) for k in face))
    print("%d vertices, %d quads" % (len(points), len(faces)))


main()
