"""Panels: the object in Properties > Physics, the bake in Properties > Scene and in the sidebar."""

import bpy

from . import bake, forces, parameters

# Rows that the first panel shows; the others are advanced.
_FIRST_FABRIC = ("thickness", "density")


def _draw_rows(layout, group, without=()):
    for row in group.rows:
        if row["name"] not in without:
            layout.prop(group, parameters.attribute(row))


def _draw_choice(layout, group):
    layout.prop(group, "choice")
    chosen = parameters.chosen(group)
    if chosen:
        _draw_rows(layout, chosen)


class _ObjectPanel:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"
    kinds = ("CLOTH",)

    @classmethod
    def poll(cls, context):
        obj = context.object
        return obj is not None and obj.type == "MESH" and obj.weft.kind in cls.kinds

    def layout_of(self):
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        return self.layout.column()


class WEFT_PT_object(_ObjectPanel, bpy.types.Panel):
    bl_idname = "WEFT_PT_object"
    bl_label = "Weft"
    kinds = ("NONE", "CLOTH", "COLLIDER")

    def draw(self, context):
        obj = context.object
        column = self.layout_of()
        column.row().prop(obj.weft, "kind", expand=True)
        if obj.weft.kind == "COLLIDER":
            column.prop(obj.weft.body, "friction")
            column.prop(obj.weft.body, "thickness")
        if obj.weft.kind == "CLOTH":
            self.draw_cloth(column, context.scene, obj)

    def draw_cloth(self, column, scene, obj):
        settings = obj.weft
        column.prop(settings.fabric, "preset")
        for name in _FIRST_FABRIC:
            column.prop(settings.fabric, name)
        column.separator()
        column.prop_search(settings, "pin_group", obj, "vertex_groups")
        if settings.pin_group:
            column.prop(settings, "pin_weight", slider=True)
        column.separator()
        column.prop(scene.weft, "quality")
        column.prop(scene.weft.contact, "self_" if hasattr(scene.weft.contact, "self_") else "self", text="Self-Collision")
        draw_bake(column, scene)


class WEFT_PT_fabric(_ObjectPanel, bpy.types.Panel):
    bl_label = "Fabric"
    bl_parent_id = "WEFT_PT_object"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        _draw_rows(self.layout_of(), context.object.weft.fabric, _FIRST_FABRIC)


class WEFT_PT_cloth_advanced(_ObjectPanel, bpy.types.Panel):
    bl_label = "Advanced"
    bl_parent_id = "WEFT_PT_object"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        obj, column = context.object, self.layout_of()
        column.prop_search(obj.weft, "uv_map", obj.data, "uv_layers")
        _draw_rows(column, obj.weft.place)
        column.separator()
        _draw_choice(column, obj.weft.model)


class WEFT_PT_collider_advanced(_ObjectPanel, bpy.types.Panel):
    bl_label = "Advanced"
    bl_parent_id = "WEFT_PT_object"
    bl_options = {"DEFAULT_CLOSED"}
    kinds = ("COLLIDER",)

    def draw(self, context):
        _draw_rows(self.layout_of(), context.object.weft.body, ("friction", "thickness"))


def _draw_progress(layout, settings):
    if hasattr(layout, "progress"):  # Blender 4.0
        layout.progress(factor=settings.progress / 100, text=settings.message)
        return
    layout.label(text=settings.message)
    row = layout.row()
    row.enabled = False
    row.prop(settings, "progress", slider=True)


def _wrap(layout, text, icon, width=48):
    """Labels do not wrap by themselves."""
    words, line = text.split(), ""
    for word in words:
        if line and len(line) + len(word) >= width:
            layout.label(text=line, icon=icon)
            line, icon = "", "BLANK1"
        line = f"{line} {word}".strip()
    layout.label(text=line, icon=icon)


def draw_bake(layout, scene):
    settings = scene.weft
    layout.separator()
    if bake.current is not None:
        _draw_progress(layout, settings)
        layout.operator("weft.cancel", icon="X")
        return
    layout.operator("weft.bake", icon="PHYSICS")
    baked = bake.baked_range(scene)
    if baked:
        row = layout.row(align=True)
        frame = min(scene.frame_current, baked[1])
        row.operator("weft.bake_from", text=f"Bake from Frame {frame}").frame = -1
        row.operator("weft.free", text="", icon="TRASH")
    if settings.message:
        _wrap(layout, settings.message, "ERROR" if settings.failed or settings.warned else "INFO")
    elif baked:
        layout.label(text=f"Baked: frames {baked[0]} to {baked[1]}")
    for name in forces.unused_fields(scene):
        layout.label(text=f"{name}: Weft uses wind fields only", icon="ERROR")


class WEFT_PT_scene(bpy.types.Panel):
    bl_idname = "WEFT_PT_scene"
    bl_label = "Weft"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        settings, column = context.scene.weft, self.layout.column()
        for name in ("quality", "samples", "checkpoint", "threads", "folder", "use_range"):
            column.prop(settings, name)
        if settings.use_range:
            column.prop(settings, "frame_start")
            column.prop(settings, "frame_end")
        draw_bake(column, context.scene)


class _ScenePanel:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"
    bl_parent_id = "WEFT_PT_scene"
    bl_options = {"DEFAULT_CLOSED"}
    group = ""

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        group = getattr(context.scene.weft, self.group)
        if hasattr(group, "choice"):
            _draw_choice(self.layout.column(), group)
        else:
            _draw_rows(self.layout.column(), group)


class WEFT_PT_contact(_ScenePanel, bpy.types.Panel):
    bl_label = "Contact"
    group = "contact"


class WEFT_PT_time(_ScenePanel, bpy.types.Panel):
    bl_label = "Time"
    group = "time"


class WEFT_PT_integrator(_ScenePanel, bpy.types.Panel):
    bl_label = "Integrator"
    group = "integrator"


class WEFT_PT_air(_ScenePanel, bpy.types.Panel):
    bl_label = "Air"
    group = "air"


class WEFT_PT_sidebar(bpy.types.Panel):
    bl_label = "Weft"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Weft"

    def draw(self, context):
        column = self.layout.column()
        counts = [sum(o.weft.kind == kind for o in context.scene.objects) for kind in ("CLOTH", "COLLIDER")]
        column.label(text=f"{counts[0]} cloths, {counts[1]} colliders")
        column.prop(context.scene.weft, "quality")
        draw_bake(column, context.scene)


_classes = (
    WEFT_PT_object,
    WEFT_PT_fabric,
    WEFT_PT_cloth_advanced,
    WEFT_PT_collider_advanced,
    WEFT_PT_scene,
    WEFT_PT_contact,
    WEFT_PT_time,
    WEFT_PT_integrator,
    WEFT_PT_air,
    WEFT_PT_sidebar,
)


def register():
    for cls in _classes:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(_classes):
        bpy.utils.unregister_class(cls)
