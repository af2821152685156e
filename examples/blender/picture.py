"""Renders a frame of a baked scene of scenes.py. Neither the add-on nor weft is needed.

    blender -b walker.blend --python picture.py -- walker 33 walker.png
"""

import os
import sys

import bpy
from mathutils import Vector

# position and target of the camera, focal length, size of the picture
VIEWS = {
    "ball": ((3.5, -2.7, 1.2), (2.22, -0.9, 0.33), 72, (480, 360)),
    "walker": ((2.1, -1.7, 0.95), (0.0, 0.0, 0.58), 62, (480, 480)),
}


def material(name, color, roughness):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return made


def paint():
    cloth, body = material("cloth", (0.32, 0.03, 0.04), 0.8), material("body", (0.2, 0.22, 0.26), 0.5)
    for obj in bpy.data.objects:
        if obj.type == "MESH":
            obj.data.materials.clear()
            obj.data.materials.append(cloth if "Weft" in obj.modifiers else body)
    bpy.ops.mesh.primitive_plane_add(size=60)
    bpy.context.object.data.materials.append(material("floor", (0.35, 0.34, 0.33), 0.9))


def light(scene):
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.rotation_euler = 2.2, 0.15, (0.75, 0.25, 0.9)
    scene.collection.objects.link(sun)
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"]
    sky.inputs[0].default_value, sky.inputs[1].default_value = (0.75, 0.82, 1.0, 1.0), 0.55


def look(scene, place, target, lens, size):
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    camera.location, camera.data.lens = place, lens
    camera.rotation_euler = (Vector(target) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100


def main(view, frame, path):
    scene = bpy.context.scene
    scene.frame_set(int(frame))
    paint()
    light(scene)
    look(scene, *VIEWS[view])
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", 96
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform = "Standard"
    scene.render.filepath, scene.render.image_settings.file_format = os.path.abspath(path), "PNG"
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
