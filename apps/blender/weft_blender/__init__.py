"""Weft for Blender: simulates cloth with the command `weft` and plays it back.

The add-on exports the marked objects, runs the command in the background and plays its point caches with Blender's own
Mesh Cache modifier. docs/blender.md is its guide.
"""

bl_info = {
    "name": "Weft",
    "description": "Cloth simulation by the command weft",
    "author": "The Weft contributors",
    "version": (0, 2, 0),
    "blender": (3, 3, 0),
    "location": "Properties > Physics, and 3D Viewport > Sidebar > Weft",
    "category": "Physics",
    "doc_url": "",
}

import bpy

from . import bake, command, interface, operators, parameters, properties


class WeftPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    command: bpy.props.StringProperty(
        name="Command",
        description="The program weft. Empty: the one in PATH",
        subtype="FILE_PATH",
    )

    def draw(self, _context):
        column = self.layout.column()
        column.prop(self, "command")
        found = command.describe()
        column.label(text=found.text, icon="CHECKMARK" if found.good else "ERROR")
        column.operator("weft.check", icon="FILE_REFRESH")


def register():
    bpy.utils.register_class(WeftPreferences)
    parameters.use(command.table())
    properties.register()
    operators.register()
    interface.register()
    bake.register()


def unregister():
    bake.unregister()
    interface.unregister()
    operators.unregister()
    properties.unregister()
    bpy.utils.unregister_class(WeftPreferences)
