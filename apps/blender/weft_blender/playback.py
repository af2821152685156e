"""The Mesh Cache modifier that shows a bake.

It is Blender's own modifier. So a bake plays and renders without this add-on and without weft, and modifiers below it
work on the cloth.
"""

import bpy

NAME = "Weft"


def modifier(obj):
    found = obj.modifiers.get(NAME)
    return found if found and found.type == "MESH_CACHE" else None


def ensure_modifier(obj):
    found = modifier(obj)
    if not found and obj.type == "MESH":
        found = obj.modifiers.new(NAME, "MESH_CACHE")
        found.name = NAME
        switch_off(obj)
    return found


def remove_modifier(obj):
    found = modifier(obj)
    if found:
        obj.modifiers.remove(found)


def switch_off(obj):
    """Without a bake the object shows its own shape."""
    found = modifier(obj)
    if found:
        found.show_viewport = found.show_render = False


def show(obj, path, frame_start):
    """Plays the cache at `path`, in the coordinates of the object, from `frame_start` on."""
    found = ensure_modifier(obj)
    found.cache_format = "PC2"
    found.filepath = bpy.path.relpath(path) if bpy.data.filepath else path
    # The axes of the cache are those of the object: +Y and +Z turn nothing.
    found.forward_axis, found.up_axis = "POS_Y", "POS_Z"
    found.flip_axis = set()
    found.frame_start, found.frame_scale = frame_start, 1.0
    found.time_mode, found.play_mode = "FRAME", "SCENE"
    found.interpolation, found.deform_mode, found.factor = "LINEAR", "OVERWRITE", 1.0
    found.show_viewport = found.show_render = True


def is_shown(obj):
    found = modifier(obj)
    return bool(found and found.show_viewport and found.filepath)
