"""Opens a run in Blender and compares the displayed positions with the numbers in the files.

    blender -b --factory-startup --python blender_check.py -- DIR SCENE CLOTH

DIR is a run directory with obj/SCENE_0000.obj ..., ply/CLOTH_0000.ply ..., CLOTH.obj, CLOTH.pc2 and CLOTH.mdd, all y
up. SCENE.glb is optional. The first, the middle and the last frame are compared: OBJ as imported, PC2 and MDD as played
on CLOTH.obj by the mesh cache modifier, GLB as imported and played. The settings of the import and of the modifier are
those of the table in docs/files.md. The reference is the binary PLY or, without PLY, the `v` lines of the OBJ. The exit status is 0 if all agree within 1e-5 of the size of the cloth.
"""

import glob
import json
import os
import struct
import sys
import traceback

import bpy

TOLERANCE = 1e-5


def read_ply(path):
    """Positions of a binary little-endian PLY whose vertices begin with x, y, z."""
    sizes = {"float": ("f", 4), "double": ("d", 8)}
    with open(path, "rb") as file:
        layout, count, element = "<", 0, ""
        for line in iter(lambda: file.readline().split(), [b"end_header"]):
            words = [word.decode() for word in line]
            if words[0] == "format" and words[1] != "binary_little_endian":
                raise ValueError(f"{path}: {words[1]}, binary is needed")
            if words[0] == "element":
                element = words[1]
                count = int(words[2]) if element == "vertex" else count
            if words[0] == "property" and element == "vertex":
                layout += sizes[words[1]][0]
        row = struct.Struct(layout)
        return [row.unpack(file.read(row.size))[:3] for _ in range(count)]


def read_obj(path, cloth):
    """Positions of one object of an OBJ file."""
    positions, inside = [], False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("o "):
                inside = line[2:].strip() == cloth
            elif inside and line.startswith("v "):
                positions.append(tuple(float(word) for word in line.split()[1:4]))
    return positions


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def recipe():
    """The settings that docs/files.md prints for Blender: {(place, setting): value}."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "files.md")
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 3 and cells[0] in ("import of `CLOTH.obj`", "Mesh Cache modifier"):
                rows[cells[0], cells[1]] = cells[2]
    if len(rows) != 5:
        raise ValueError(f"{path}: 5 settings for Blender expected, found {rows}")
    return rows


def turned(positions):
    """Positions with y up as Blender shows them, with z up."""
    return [(x, -z, y) for x, y, z in positions]


def import_obj(path, cloth):
    """The object, imported with the axes of the recipe."""
    settings = recipe()
    forward, up = (settings["import of `CLOTH.obj`", name] for name in ("Forward Axis", "Up Axis"))
    if hasattr(bpy.ops.wm, "obj_import"):
        names = {"-X": "NEGATIVE_X", "-Y": "NEGATIVE_Y", "-Z": "NEGATIVE_Z"}
        bpy.ops.wm.obj_import(filepath=path, forward_axis=names.get(forward, forward), up_axis=names.get(up, up))
    else:
        bpy.ops.import_scene.obj(filepath=path, axis_forward=forward, axis_up=up, split_mode="OFF")
    names = [o.name for o in bpy.data.objects]
    if cloth not in bpy.data.objects:
        raise ValueError(f"{path}: objects {names}, but no '{cloth}'")
    return bpy.data.objects[cloth]


def shown(obj):
    """Positions in world space, after all modifiers."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = [tuple(evaluated.matrix_world @ v.co) for v in mesh.vertices]
    evaluated.to_mesh_clear()
    return points


def compare(what, frame, got, expected):
    if len(got) != len(expected):
        print(f"{what}, frame {frame}: {len(got)} vertices, {len(expected)} expected")
        return False
    size = max(max(abs(c) for c in p) for p in expected)
    worst = max(abs(a - b) for p, q in zip(got, expected) for a, b in zip(p, q)) / size
    good = worst <= TOLERANCE
    print(f"{what}, frame {frame}: largest difference {worst:.2e} of the size, {'ok' if good else 'WRONG'}")
    return good


def play(directory, cloth, ending, frames, expected):
    """Plays the cache on the base mesh with the settings of the recipe. All others keep their defaults."""
    clear()
    settings = {name: value for (place, name), value in recipe().items() if place == "Mesh Cache modifier"}
    obj = import_obj(os.path.join(directory, cloth + ".obj"), cloth)
    modifier = obj.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = ending.upper()
    modifier.filepath = os.path.abspath(os.path.join(directory, cloth + "." + ending))
    modifier.forward_axis, modifier.up_axis = (
        settings[name].replace("+", "POS_").replace("-", "NEG_") for name in ("Forward Axis", "Up Axis")
    )
    modifier.frame_start = float(settings["Frame Start"])
    good = True
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        good &= compare(ending, frame, shown(obj), turned(expected[frame]))
    return good


def frame_rate(directory):
    """The frame rate in the report of the run."""
    path = os.path.join(directory, "report.json")
    if not os.path.exists(path):
        return 24
    with open(path, encoding="utf-8") as file:
        return json.load(file)["settings"]["time.rate"]


def play_glb(path, cloth, rate, frames, expected):
    """Plays the file as imported. Blender converts y up to z up, and seconds to frames of the scene.

    Shading is smooth because the default, by normals, fails in Debian 12: its numpy no longer has np.bool.
    """
    clear()
    bpy.context.scene.render.fps = rate
    bpy.ops.import_scene.gltf(filepath=path, import_shading="SMOOTH")
    obj = bpy.data.objects[cloth]
    good = True
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        good &= compare("glb", frame, shown(obj), turned(expected[frame]))
    return good


def main(directory, scene, cloth):
    count = len(glob.glob(os.path.join(glob.escape(directory), "obj", glob.escape(scene) + "_*.obj")))
    if count == 0:
        raise ValueError(f"{directory}: no obj/{scene}_*.obj")
    frames = sorted({0, (count - 1) // 2, count - 1})
    expected, good = {}, True
    for frame in frames:
        ply = os.path.join(directory, "ply", f"{cloth}_{frame:04d}.ply")
        path = os.path.join(directory, "obj", f"{scene}_{frame:04d}.obj")
        expected[frame] = read_ply(ply) if os.path.exists(ply) else read_obj(path, cloth)
        clear()
        good &= compare("obj", frame, shown(import_obj(path, cloth)), turned(expected[frame]))
    for ending in ("pc2", "mdd"):
        good &= play(directory, cloth, ending, frames, expected)
    path = os.path.join(directory, scene + ".glb")
    if os.path.exists(path):
        good &= play_glb(path, cloth, frame_rate(directory), frames, expected)
    return good


if __name__ == "__main__":
    try:
        status = 0 if main(*sys.argv[sys.argv.index("--") + 1 :]) else 1
    except Exception:  # Blender would otherwise report success
        traceback.print_exc()
        status = 2
    sys.stdout.flush()
    os._exit(status)
