"""Exports an animated character from Blender, or compares it with the body that Weft moved.

    blender -b --factory-startup --python blender_character.py -- make DIR
    blender -b --factory-startup --python blender_character.py -- check DIR NAME TAKE SHORTER_TAKE

`make` writes NAME.glb, NAME.fbx and NAME.json into DIR for two characters: `tube` has two bones that bend it, `pillow` a
shape key that swells it. The JSON has the positions that Blender shows in some frames, y up.
`check` reads the last body of the take frames.weft. SHORTER_TAKE has one frame less; it tells the size of a frame.
The exit status is 0 if all vertices agree within 1e-4 m.
"""

import json
import math
import os
import struct
import sys
import traceback

import bpy

RATE, LAST, TOLERANCE = 24, 24, 1e-4
FRAMES = (0, 7, 13, 24)


def make_tube():
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=12, radius=0.2, depth=2.0, location=(0.3, 0.1, 1.0), end_fill_type="NOTHING"
    )
    tube = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=3)
    bpy.ops.object.mode_set(mode="OBJECT")
    return tube


def make_armature(tube):
    bpy.ops.object.armature_add(location=(0.3, 0.1, 0.0))
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    lower = armature.data.edit_bones[0]
    lower.name, lower.head, lower.tail = "lower", (0, 0, 0), (0, 0, 1)
    upper = armature.data.edit_bones.new("upper")
    upper.head, upper.tail, upper.parent = (0, 0, 1), (0, 0, 2), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("lower", "upper"):
        group = tube.vertex_groups.new(name=name)
        for vertex in tube.data.vertices:
            share = min(1.0, max(0.0, (vertex.co.z + 0.3) / 0.6))
            weight = share if name == "upper" else 1 - share
            if weight > 0:
                group.add([vertex.index], weight, "REPLACE")
    tube.parent = armature
    tube.matrix_parent_inverse = armature.matrix_world.inverted()
    tube.modifiers.new("armature", "ARMATURE").object = armature
    return armature


def animate(tube, armature):
    bone = armature.pose.bones["upper"]
    bone.rotation_mode = "QUATERNION"
    for frame in range(LAST + 1):
        angle = math.radians(70) * math.sin(math.pi * frame / LAST)
        bone.rotation_quaternion = (math.cos(angle / 2), math.sin(angle / 2), 0, 0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
        armature.location = (0.3 + 0.01 * frame, 0.1, 0)
        armature.keyframe_insert("location", frame=frame)


def make_pillow():
    """A cube that swells upwards and back by a shape key."""
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=(0.2, 0.4, 0.6))
    pillow = bpy.context.object
    pillow.shape_key_add(name="Basis")
    key = pillow.shape_key_add(name="swollen")
    for vertex, point in zip(pillow.data.vertices, key.data):
        point.co = vertex.co * 1.5 + vertex.co.orthogonal() * 0.2
    for frame in range(LAST + 1):
        key.value = math.sin(math.pi * frame / LAST)
        key.keyframe_insert("value", frame=frame)
    return pillow


def positions(tube):
    """World positions after all modifiers, with y up."""
    evaluated = tube.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    world = [evaluated.matrix_world @ v.co for v in mesh.vertices]
    evaluated.to_mesh_clear()
    return [(p.x, p.z, -p.y) for p in world]


def export(directory, name, character):
    reference = {}
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        reference[frame] = positions(character)
    path = os.path.join(directory, name)
    with open(path + ".json", "w", encoding="utf-8") as file:
        json.dump(reference, file)
    bpy.context.scene.frame_set(0)
    bpy.ops.export_scene.fbx(filepath=path + ".fbx", bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False)
    bpy.ops.export_scene.gltf(filepath=path + ".glb")


def start():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, LAST
    bpy.context.scene.render.fps = RATE


def make(directory):
    start()
    tube = make_tube()
    animate(tube, make_armature(tube))
    export(directory, "tube", tube)
    start()
    export(directory, "pillow", make_pillow())
    return True


def body_of_take(path, shorter, count):
    """Positions of the last body, `count` vertices, in each frame of a take, which ends with them."""
    with open(path, "rb") as file:
        data = file.read()
    size = len(data) - os.path.getsize(shorter)
    frames = LAST + 1
    row = struct.Struct("<3f")
    result = []
    for frame in range(frames):
        end = len(data) - (frames - 1 - frame) * size
        result.append([row.unpack_from(data, end - 12 * (count - i)) for i in range(count)])
    return result


def check(directory, name, take, shorter):
    with open(os.path.join(directory, name + ".json"), encoding="utf-8") as file:
        reference = {int(frame): [tuple(p) for p in points] for frame, points in json.load(file).items()}
    count = len(reference[0])
    shown = body_of_take(take, shorter, count)
    # The exporters change the order of vertices. Frame 0 tells which is which.
    match = [min(range(count), key=lambda i: math.dist(p, reference[0][i])) for p in shown[0]]
    good = sorted(match) == list(range(count))
    for frame in FRAMES:
        worst = max(math.dist(p, reference[frame][i]) for p, i in zip(shown[frame], match))
        moved = max(math.dist(p, q) for p, q in zip(reference[frame], reference[0]))
        good &= worst <= TOLERANCE
        print(f"frame {frame}: moved by {moved:.3f} m, largest difference {worst:.2e} m")
    return good


if __name__ == "__main__":
    try:
        arguments = sys.argv[sys.argv.index("--") + 1 :]
        status = 0 if {"make": make, "check": check}[arguments[0]](*arguments[1:]) else 1
    except Exception:  # Blender would otherwise report success
        traceback.print_exc()
        status = 2
    sys.stdout.flush()
    os._exit(status)
