"""Two scenes for the Weft add-on: a sheet that falls on a moving ball, and a walker in a skirt.

    blender --python scenes.py -- ball
    blender --python scenes.py -- walker

The add-on must be enabled. Save the file, then press Bake in the sidebar (N, tab Weft).
"""

import math
import sys

import bpy


def clear(frames, rate=24):
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, frames, rate
    return scene


def _smooth(obj):
    for polygon in obj.data.polygons:
        polygon.use_smooth = True


# -- a sheet over a ball --


def ball_scene(frames=48, cells=32):
    """The sheet hangs on a turned and scaled parent, and is subdivided for show below Weft."""
    clear(frames)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=16, radius=0.3, location=(2.0, -1.0, 0.3))
    ball = bpy.context.object
    ball.name = "Ball"
    _smooth(ball)
    for frame, place in ((1, (2.0, -1.0, 0.3)), (frames, (2.25, -0.9, 0.35))):
        ball.location = place
        ball.keyframe_insert("location", frame=frame)
    ball.weft.kind = "COLLIDER"
    ball.weft.body.friction = 0.5
    ball.weft.body.thickness = 0.004  # the smoothed sheet lies a little inside the simulated one

    bpy.ops.object.empty_add(location=(2.0, -1.0, 0.0))
    parent = bpy.context.object
    parent.rotation_euler, parent.scale = (0.0, 0.0, 0.6), (0.5, 0.5, 0.5)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cells, y_subdivisions=cells, size=2.0)
    sheet = bpy.context.object
    sheet.name = "Sheet"
    _smooth(sheet)
    sheet.parent, sheet.location, sheet.scale = parent, (0.0, 0.0, 1.4), (1.2, 1.0, 1.0)
    sheet.weft.kind = "CLOTH"
    sheet.weft.fabric.preset = "silk"
    smooth = sheet.modifiers.new("Smooth", "SUBSURF")
    smooth.levels = smooth.render_levels = 1
    return sheet, ball


# -- a walker in a skirt --


def _ring_mesh(name, rings, corners):
    """A tube through rings (radius along x, along y, height), open at both ends."""
    points = [
        (a * math.cos(2 * math.pi * i / corners), b * math.sin(2 * math.pi * i / corners), z)
        for a, b, z in rings
        for i in range(corners)
    ]
    faces = [
        (r * corners + i, r * corners + (i + 1) % corners, (r + 1) * corners + (i + 1) % corners, (r + 1) * corners + i)
        for r in range(len(rings) - 1)
        for i in range(corners)
    ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(obj)
    _smooth(obj)
    return obj


def _leg(side, corners):
    rings = [(0.045 + 0.035 * t, 0.05 + 0.035 * t, 0.05 + 0.8 * t) for t in (i / 12 for i in range(13))]
    leg = _ring_mesh(f"Leg {side}", [(0.005, 0.005, 0.045), *rings, (0.005, 0.005, 0.86)], corners)
    for vertex in leg.data.vertices:
        vertex.co.x += side * 0.095
    return leg


def _hips(corners):
    rings = [(0.02, 0.02, 0.78), (0.15, 0.1, 0.8), (0.185, 0.125, 0.88), (0.15, 0.105, 1.0), (0.13, 0.09, 1.1)]
    return _ring_mesh("Hips", [*rings, (0.005, 0.005, 1.12)], corners)


def _armature():
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    rig.name = "Rig"
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    root = bones[0]
    root.name, root.head, root.tail = "hips", (0, 0, 0.9), (0, 0, 1.1)
    for name, x in (("left", -0.095), ("right", 0.095)):
        bone = bones.new(name)
        bone.head, bone.tail, bone.parent = (x, 0, 0.86), (x, 0, 0.05), root
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def _skin(obj, rig, bone):
    obj.vertex_groups.new(name=bone).add(range(len(obj.data.vertices)), 1.0, "REPLACE")
    obj.parent = rig
    obj.modifiers.new("Armature", "ARMATURE").object = rig


def _walk(rig, frames):
    """Steps on the spot that grow from standing still, while the hips sway and turn."""
    for frame in range(1, frames + 1):
        t = (frame - 1) / 24.0
        grown = min(1.0, t)
        swing = grown * 0.45 * math.sin(2 * math.pi * t)
        for name, sign in (("left", 1), ("right", -1)):
            bone = rig.pose.bones[name]
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (sign * swing, 0, 0)
            bone.keyframe_insert("rotation_euler", frame=frame)
        rig.location = (0.03 * grown * math.sin(2 * math.pi * t), 0, 0.015 * grown * math.sin(4 * math.pi * t))
        rig.rotation_euler = (0, 0, 0.25 * grown * math.sin(2 * math.pi * t))
        rig.keyframe_insert("location", frame=frame)
        rig.keyframe_insert("rotation_euler", frame=frame)


def walker_scene(frames=48, corners=48, rows=20):
    """A skirt whose waistband follows the hips: its pin group is held where the armature puts it."""
    clear(frames)
    rig = _armature()
    body = [(_hips(24), "hips"), (_leg(-1, 20), "left"), (_leg(1, 20), "right")]
    # A flared skirt from the waist down, a little off the body.
    rings = []
    for r in range(rows + 1):
        t = r / rows
        rings.append((0.158 + 0.24 * t, 0.113 + 0.27 * t, 1.0 - 0.5 * t))
    skirt = _ring_mesh("Skirt", rings, corners)
    waist = skirt.vertex_groups.new(name="waist")
    waist.add(range(corners), 1.0, "REPLACE")
    waist.add(range(corners, 2 * corners), 0.3, "REPLACE")
    for obj, bone in [*body, (skirt, "hips")]:
        _skin(obj, rig, bone)
    _walk(rig, frames)
    for obj, _ in body:
        obj.weft.kind = "COLLIDER"
        obj.weft.body.thickness = 0.004
    skirt.weft.kind = "CLOTH"
    skirt.weft.fabric.preset = "cotton-sheeting"
    skirt.weft.pin_group = "waist"
    smooth = skirt.modifiers.new("Smooth", "SUBSURF")
    smooth.levels, smooth.render_levels = 1, 2
    return skirt, [obj for obj, _ in body]


if __name__ == "__main__":
    {"ball": ball_scene, "walker": walker_scene}[sys.argv[sys.argv.index("--") + 1]]()
