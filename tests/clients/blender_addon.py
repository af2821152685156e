"""Uses the add-on as a user does, and compares what Blender shows with Weft's own output.

    blender -b --factory-startup --python blender_addon.py -- WEFT ZIP FOLDER
    blender -b --factory-startup --python blender_addon.py -- replay FOLDER

The first form installs and enables ZIP, and bakes scenes into FOLDER. The second opens a baked file in a Blender without
the add-on. The exit status is 0 if every check holds.
"""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import traceback

import bpy
import numpy as np

TOLERANCE = 1e-6  # of the size of the cloth
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "blender"))


def check(holds, text):
    if not holds:
        raise AssertionError(text)
    print("ok:", text)


# -- what Blender shows, and what Weft computed --


def evaluated(obj):
    """World positions after the modifiers up to Weft. Double precision, from the numbers that Blender has."""
    below = [m for m in obj.modifiers][[m.name for m in obj.modifiers].index("Weft") + 1 :]
    for modifier in below:
        modifier.show_viewport = False
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", local)
    matrix = np.array(shown.matrix_world, dtype=float)
    shown.to_mesh_clear()
    for modifier in below:
        modifier.show_viewport = True
    return local.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]


def read_ply(path):
    with open(path, "rb") as file:
        types, count, element = [], 0, ""
        for line in iter(lambda: file.readline().split(), [b"end_header"]):
            words = [word.decode() for word in line]
            if words[0] == "element":
                element = words[1]
                count = int(words[2]) if element == "vertex" else count
            if words[0] == "property" and element == "vertex":
                types.append((words[2], {"float": "<f4", "double": "<f8"}[words[1]]))
        rows = np.frombuffer(file.read(count * np.dtype(types).itemsize), dtype=types)
    return np.stack([rows["x"], rows["y"], rows["z"]], axis=1)


def weft_positions(weft, folder, frames):
    """Runs weft on the exported scene once more, with exact output. {cloth: {frame: world positions in Blender}}"""
    with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
        record = json.load(file)
    out = folder + "-own"
    subprocess.run(
        [weft, "run", "scene.yaml", "--quiet", "--out", out, "--write", "ply:double=true", "--set", "output.keep=false"],
        cwd=folder,
        check=True,
    )
    result = {}
    for cloth in record["cloths"].values():
        result[cloth] = {}
        for frame in frames:
            p = read_ply(os.path.join(out, "ply", f"{cloth}_{frame - record['frame_start']:04d}.ply")) / record["unit"]
            result[cloth][frame] = np.stack([p[:, 0], -p[:, 2], p[:, 1]], axis=1) + record["origin"]
    return result


def compare(obj, own, frames):
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown, size = evaluated(obj), np.ptp(own[frame], axis=0).max()
        worst = np.abs(shown - own[frame]).max() / size
        check(worst < TOLERANCE, f"{obj.name}, frame {frame}: largest difference {worst:.2e} of the size")


def save(folder, name):
    path = os.path.join(folder, name + ".blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return os.path.join(folder, "weft-" + name)


def refused(text, operator, **words):
    try:
        operator(**words)
    except RuntimeError as error:
        check(text in str(error), f"refused: {str(error).strip()}")
        check(bpy.context.scene.weft.failed, "the panel shows the reason")
        return
    raise AssertionError(f"not refused: {text}")


# -- scenes --


def sheet_on_ball(weft, folder, scenes):
    sheet, _ = scenes.ball_scene(frames=13, cells=12)
    cache = save(folder, "ball")
    check(bpy.ops.weft.bake() == {"FINISHED"}, "the sheet is baked")
    own = weft_positions(weft, cache, (1, 7, 13))
    compare(sheet, own["Sheet"], (1, 7, 13))
    bpy.context.scene.frame_set(13)
    lowest, highest = (evaluated(sheet)[:, 2].min(), evaluated(sheet)[:, 2].max())
    check(highest > 0.6 and lowest < highest - 0.15, f"the sheet lies on the ball: {lowest:.3f} to {highest:.3f} m")
    check(bpy.context.scene.frame_current == 13, "the current frame stays")
    depsgraph = bpy.context.evaluated_depsgraph_get()
    check(len(sheet.evaluated_get(depsgraph).data.vertices) > 4 * 100, "the modifier below Weft acts on the bake")
    bpy.ops.wm.save_mainfile()
    np.save(os.path.join(folder, "ball.npy"), evaluated(sheet))
    return sheet, cache


def skirt(weft, folder, scenes):
    """The waistband follows the armature, and the legs push the skirt."""
    cloth, body = scenes.walker_scene(frames=13, corners=24, rows=8)
    held = range(24)
    wanted = {}
    for frame in (1, 6, 13):
        bpy.context.scene.frame_set(frame)
        cloth.modifiers["Weft"].show_viewport = False
        wanted[frame] = evaluated(cloth)
    cache = save(folder, "walker")
    bpy.context.scene.frame_set(4)
    check(bpy.ops.weft.bake() == {"FINISHED"}, "the skirt is baked")
    check(bpy.context.scene.frame_current == 4, "the export restores the frame")
    own = weft_positions(weft, cache, (1, 6, 13))
    compare(cloth, own["Skirt"], (1, 6, 13))
    for frame, points in wanted.items():
        bpy.context.scene.frame_set(frame)
        shown, size = evaluated(cloth), np.ptp(points, axis=0).max()
        worst = np.abs(shown - points)[held].max() / size
        check(worst < TOLERANCE, f"waistband, frame {frame}: {worst:.2e} of the size from where the armature puts it")
        moved = np.abs(shown - points)[24:].max()
        check(frame == 1 or moved > 0.005, f"frame {frame}: the rest moved by {moved:.3f} m")
    with open(os.path.join(cache, "run", "report.json"), encoding="utf-8") as file:
        crossings = json.load(file)["contact"]["intersections"]
    check(sum(crossings.values()) == 0, "no intersections")
    colliders_move_as_in_blender(body, cache)


def colliders_move_as_in_blender(body, cache):
    """The caches that weft reads, at frames and between them."""
    with open(os.path.join(cache, "bake.json"), encoding="utf-8") as file:
        origin = json.load(file)["origin"]
    for obj in body:
        path = os.path.join(cache, obj.name.replace(" ", "_") + ".pc2")
        points = len(obj.data.vertices)
        data = np.fromfile(path, dtype="<f4", offset=32).reshape(-1, points, 3)
        samples = (len(data) - 1) // 12
        check(len(data) == 12 * samples + 1 and samples > 1, f"{obj.name}: {samples} samples per frame")
        for i in (0, 5 * samples + 1, len(data) - 1):
            bpy.context.scene.frame_set(1 + i // samples, subframe=(i % samples) / samples)
            shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world = np.array([shown.matrix_world @ v.co for v in shown.data.vertices]) - origin
            worst = np.abs(np.stack([world[:, 0], world[:, 2], -world[:, 1]], axis=1) - data[i]).max()
            check(worst < 1e-6, f"{obj.name}, sample {i}: {worst:.1e} m")


# -- cancel, go on, bake again --


def bake_and_cancel(sheet):
    """Bakes until some frames are there, as the window does, and cancels by the button. Returns the last frame."""
    from weft_blender import bake

    bake.begin(bpy.context.scene)
    while bake.current.done < 3:
        if not bake.advance(bpy.context):
            raise AssertionError("the bake ended before it could be cancelled")
    process = bake.current.process
    process.send_signal(signal.SIGSTOP)  # the machine may be fast
    bpy.context.scene.frame_set(3)
    depth = evaluated(sheet)[:, 2].mean()
    bpy.context.scene.frame_set(1)
    check(evaluated(sheet)[:, 2].mean() - depth > 1e-3, "frames play while the bake goes on")
    check(not bpy.ops.weft.bake.poll(), "no second bake can start")
    bpy.ops.weft.cancel()
    process.send_signal(signal.SIGCONT)
    while bake.advance(bpy.context):
        pass
    message = bpy.context.scene.weft.message
    check(message.startswith("Cancelled after frame "), message)
    return int(message.split()[-1])


def cancel_and_go_on(sheet, cache):
    with open(os.path.join(cache, "Sheet.pc2"), "rb") as file:
        whole = file.read()
    # On a busy machine the bake may be over before it is stopped.
    last = next((last for last in (bake_and_cancel(sheet) for _ in range(10)) if last < 13), 13)
    check(3 <= last < 13, f"the frames up to {last} stay")
    with open(os.path.join(cache, "Sheet.pc2"), "rb") as file:
        check(file.read()[32:] == whole[32 : 32 + last * 169 * 12], "they are those of the whole bake")
    bpy.context.scene.frame_set(13)
    check(bpy.ops.weft.bake_from() == {"FINISHED"}, "the bake goes on")
    with open(os.path.join(cache, "Sheet.pc2"), "rb") as file:
        check(file.read() == whole, "and ends with the same bytes")
    return whole


def bake_again(sheet, cache, whole):
    """With wind from frame 8 on; the frames up to the checkpoint at frame 6 stay."""
    bpy.ops.object.effector_add(type="WIND", location=(0, 0, 0), rotation=(0, 1.5707963, 0))
    bpy.context.object.field.strength = 12
    check(bpy.ops.weft.bake_from(frame=8) == {"FINISHED"}, "baked again from frame 8")
    with open(os.path.join(cache, "scene.yaml"), encoding="utf-8") as file:
        check('{"wind": {"speed": 12.0, "direction": [1.0, ' in file.read(), "with the wind along x")
    with open(os.path.join(cache, "Sheet.pc2"), "rb") as file:
        again = file.read()
    frame = 169 * 12
    check(len(again) == len(whole), "as many frames")
    check(again[: 32 + 6 * frame] == whole[: 32 + 6 * frame], "frames 1 to 6 stay")
    check(again[32 + 7 * frame :] != whole[32 + 7 * frame :], "later ones change")
    bpy.context.scene.frame_end = 15
    check(bpy.ops.weft.bake_from(frame=13) == {"FINISHED"}, "two more frames")
    check(os.path.getsize(os.path.join(cache, "Sheet.pc2")) == 32 + 15 * frame, "15 frames in the cache")
    bpy.context.scene.frame_start = 2
    refused("Bake from the start", bpy.ops.weft.bake_from, frame=5)
    bpy.context.scene.frame_start = 1
    sheet.data.vertices.add(1)
    sheet.modifiers["Weft"].show_viewport = False
    bpy.context.scene.frame_end = 3
    check(bpy.ops.weft.bake() == {"FINISHED"}, "a vertex without a face does not matter")
    sheet.modifiers.new("Array", "ARRAY")
    bpy.ops.object.select_all(action="DESELECT")
    check(len(evaluated(sheet)) == 170, "it is in the cache of the object")
    bpy.ops.weft.free()
    check(not os.path.exists(cache), "the bake is deleted")
    check(not sheet.modifiers["Weft"].show_render, "the object shows its own shape again")


def moving_forces(folder, scenes):
    """Animated gravity and wind become inputs of weft."""
    sheet, ball = scenes.ball_scene(frames=5, cells=4)
    ball.weft.kind = "NONE"
    scene = bpy.context.scene
    for frame, gravity in ((1, 0.0), (3, 0.0), (4, -9.81), (5, -9.81)):
        scene.gravity = (0, 0, gravity)
        scene.keyframe_insert("gravity", frame=frame)
    cache = save(folder, "forces")
    bpy.ops.weft.bake()
    heights = []
    for frame in (1, 3, 5):
        scene.frame_set(frame)
        heights.append(evaluated(sheet)[:, 2].mean())
    check(abs(heights[1] - heights[0]) < 1e-4, "no gravity, no fall")
    # Gravity of a frame acts from that frame on: from frame 4 for one frame.
    fall = 0.5 * 9.81 * (1 / 24) ** 2
    check(abs(heights[1] - heights[2] - fall) < 0.15 * fall, f"fell by {heights[1] - heights[2]:.4f} m, {fall:.4f} wanted")
    check(os.path.exists(os.path.join(cache, "scene.inputs")), "by inputs")
    check(not scene.weft.warned, "nothing to warn of")
    light_pins_are_told(sheet, scene, cache)


def light_pins_are_told(sheet, scene, cache):
    """A pin group whose weights are below From Weight holds nothing."""
    group = sheet.vertex_groups.new(name="hem")
    sheet.weft.pin_group = "hem"
    scene.frame_end = 2

    def bake():
        check(bpy.ops.weft.bake() == {"FINISHED"}, "baked with a pin group")
        with open(os.path.join(cache, "scene.yaml"), encoding="utf-8") as file:
            return scene.weft.message, '"pins"' in file.read()

    message, pinned = bake()
    check("Sheet: its pin group 'hem' holds nothing, because no vertex has a weight in it" in message, message)
    group.add([0, 1, 2], 0.3, "REPLACE")
    message, pinned = bake()
    wanted = "Sheet: its pin group 'hem' holds nothing, because its 3 vertices have a weight of 0.3, below From Weight, 0.5"
    check(wanted in message and scene.weft.warned and not pinned, message)
    group.add([1], 0.45, "REPLACE")
    check("its 3 vertices have weights of 0.3 to 0.45, below" in bake()[0], "all weights are named")
    sheet.weft.pin_weight = 0.4
    message, pinned = bake()
    check(pinned and "holds nothing" not in message and not scene.weft.warned, message)
    sheet.weft.pin_group = ""


# -- settings --


def settings_are_the_table(weft):
    from weft_blender import parameters

    table = json.loads(subprocess.run([weft, "help", "--json"], capture_output=True, check=True).stdout)
    obj, scene = bpy.data.objects["Sheet"].weft, bpy.context.scene.weft
    for name, group in (("time", scene.time), ("contact", scene.contact), ("air", scene.air), ("fabric", obj.fabric)):
        rows = next(s for s in table["sections"] if s["name"] == name)["parameters"]
        there = {row["name"] for row in group.rows}
        missing = {row["name"] for row in rows} - there - {"frames", "rate"}
        check(not missing, f"{name}: all {len(there)} rows are properties {missing or ''}")
        if name != "fabric":
            check(parameters.changed(group) == {}, f"{name}: the defaults are those of the table")
        for row in group.rows:
            help_text = group.bl_rna.properties[parameters.attribute(row)].description
            check_quietly(help_text == row["help"], f"{name}.{row['name']}: help '{help_text}'")
    for fabric in table["fabrics"]:
        obj.fabric.preset = fabric["name"]
        check_quietly(parameters.fabric_of(obj.fabric) == {"preset": fabric["name"]}, f"preset {fabric['name']}")
        for row in obj.fabric.rows:
            value, wanted = parameters.value_of(obj.fabric, row), fabric["values"][row["name"]]
            check_quietly(abs(value - wanted) <= 1e-6 * abs(wanted), f"{fabric['name']}: {row['name']} {value}")
    obj.fabric.density = 0.3
    obj.fabric.bend_weft = 7.5
    scene.contact.thickness = 0.004
    check(
        parameters.fabric_of(obj.fabric) == {"preset": table["fabrics"][-1]["name"], "density": 0.3, "bend_weft": 7.5e-6},
        "changed values replace those of the preset",
    )
    check(parameters.changed(scene.contact) == {"thickness": 0.004}, "changed values are written as they are shown")
    scene.contact.thickness = 0
    scene.contact.solves = 3
    check(parameters.changed(scene.contact) == {"constraints": {"solves": 3}}, "settings of a method are a group")
    scene.contact.solves = 6
    obj.fabric.preset = "silk"


def check_quietly(holds, text):
    if not holds:
        raise AssertionError(text)


# -- the command --


def fake(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def other_commands(weft, folder):
    preferences = bpy.context.preferences.addons["weft_blender"].preferences
    from weft_blender import command

    preferences.command = os.path.join(folder, "nowhere")
    refused("there is no such program. Correct it in Preferences > Add-ons > Weft", bpy.ops.weft.bake)
    preferences.command = fake(folder, "old", "echo weft 0.0.7")
    refused(f"is weft 0.0.7, but this add-on needs weft {command.needed_version()}", bpy.ops.weft.bake)
    preferences.command = fake(folder, "other", "echo something else")
    refused("is not weft; its --version is 'something else'", bpy.ops.weft.bake)
    preferences.command = os.path.join(folder, "ball.blend")
    refused("is not a program that may be executed", bpy.ops.weft.bake)
    preferences.command = ""
    path, os.environ["PATH"] = os.environ["PATH"], folder
    refused("The command weft was not found in PATH. Install Weft", bpy.ops.weft.bake)
    os.symlink(weft, os.path.join(folder, "weft"))
    check(command.describe().good, command.describe().text)
    os.environ["PATH"] = path
    preferences.command = fake(folder, "dies", f'[ "$1" = run ] && kill -9 $$; exec {weft} "$@"')
    refused("weft ended with status -9 and said nothing", bpy.ops.weft.bake)
    preferences.command = weft


def bad_scenes(folder, scenes):
    bpy.ops.wm.read_homefile(use_empty=True)
    sheet, _ = scenes.ball_scene(frames=3, cells=4)
    refused("Save the .blend file first", bpy.ops.weft.bake)
    save(folder, "bad")
    sheet.weft.pin_group = "nothing"
    refused("has no vertex group 'nothing'", bpy.ops.weft.bake)
    sheet.weft.pin_group = ""
    sheet.weft.uv_map = "nothing"
    refused("has no UV map 'nothing'", bpy.ops.weft.bake)
    sheet.weft.uv_map = ""
    sheet.hide_set(True)
    refused("is hidden in the viewport", bpy.ops.weft.bake)
    sheet.hide_set(False)
    above = sheet.modifiers.new("Above", "SUBSURF")
    above.levels, above.render_levels = 0, 2
    bpy.context.view_layer.objects.active = sheet
    bpy.ops.object.modifier_move_to_index(modifier="Above", index=0)
    refused("differs between viewport and render", bpy.ops.weft.bake)
    sheet.modifiers.remove(above)
    sheet.data.clear_geometry()
    refused("is cloth, but has no faces", bpy.ops.weft.bake)
    sheet.weft.kind = "NONE"
    refused("No object is Weft cloth", bpy.ops.weft.bake)


def main(weft, archive, folder):
    bpy.ops.preferences.addon_install(filepath=archive, overwrite=True)
    bpy.ops.preferences.addon_enable(module="weft_blender")
    bpy.context.preferences.addons["weft_blender"].preferences.command = weft
    import scenes

    sheet, cache = sheet_on_ball(weft, folder, scenes)
    shutil.copytree(cache, os.path.join(folder, "kept"))
    settings_are_the_table(weft)
    whole = cancel_and_go_on(sheet, cache)
    bake_again(sheet, cache, whole)
    other_commands(weft, folder)
    skirt(weft, folder, scenes)
    moving_forces(folder, scenes)
    bad_scenes(folder, scenes)
    bpy.ops.preferences.addon_disable(module="weft_blender")
    check(not hasattr(bpy.types.Scene, "weft"), "switched off without a trace")
    shutil.rmtree(cache)
    shutil.copytree(os.path.join(folder, "kept"), cache)


def replay(folder):
    """The baked file in a Blender that has no add-on."""
    bpy.ops.wm.open_mainfile(filepath=os.path.join(folder, "ball.blend"))
    check(not hasattr(bpy.types.Scene, "weft"), "the add-on is not there")
    bpy.context.scene.frame_set(13)
    worst = np.abs(evaluated(bpy.data.objects["Sheet"]) - np.load(os.path.join(folder, "ball.npy"))).max()
    check(worst == 0, "the bake plays without the add-on")


if __name__ == "__main__":
    try:
        arguments = sys.argv[sys.argv.index("--") + 1 :]
        if arguments[0] == "replay":
            replay(arguments[1])
        else:
            main(*arguments)
        status = 0
    except BaseException:  # Blender would otherwise report success
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
