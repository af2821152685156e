"""Operators: bake, bake again from a frame, cancel, delete, check the command."""

import time

import bpy

from . import bake, command
from .command import WeftError

_TICK = 0.1  # s


def _redraw(context):
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in {"PROPERTIES", "VIEW_3D"}:
                area.tag_redraw()


class _Baking:
    """In the window a bake runs in the background. From a script or without a window it runs to its end."""

    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context):
        return bake.current is None

    def start_frame(self, _context):
        return None

    def _begin(self, context):
        if context.screen and context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        bake.begin(context.scene, self.start_frame(context))

    def _fail(self, context, error):
        context.scene.weft.message, context.scene.weft.failed = str(error), True
        self.report({"ERROR"}, str(error))
        return {"CANCELLED"}

    def _finish(self, context):
        settings = context.scene.weft
        self.report({"WARNING"} if settings.warned else {"INFO"}, settings.message)

    def execute(self, context):
        try:
            self._begin(context)
            while bake.advance(context):
                if bake.current.process:
                    time.sleep(_TICK / 2)
        except WeftError as error:
            return self._fail(context, error)
        self._finish(context)
        return {"FINISHED"}

    def invoke(self, context, _event):
        try:
            self._begin(context)
        except WeftError as error:
            return self._fail(context, error)
        self._timer = context.window_manager.event_timer_add(_TICK, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        if bake.current is None:  # another file was opened
            return self._leave(context, {"CANCELLED"})
        try:
            more = bake.advance(context)
        except WeftError as error:
            self._fail(context, error)
            return self._leave(context, {"CANCELLED"})
        _redraw(context)
        if more:
            return {"PASS_THROUGH"}
        self._finish(context)
        return self._leave(context, {"FINISHED"})

    def _leave(self, context, status):
        context.window_manager.event_timer_remove(self._timer)
        _redraw(context)
        return status


class WEFT_OT_bake(_Baking, bpy.types.Operator):
    bl_idname = "weft.bake"
    bl_label = "Bake"
    bl_description = "Simulate all Weft cloths of the scene from the first frame on"


class WEFT_OT_bake_from(_Baking, bpy.types.Operator):
    bl_idname = "weft.bake_from"
    bl_label = "Bake from Frame"
    bl_description = (
        "Simulate again from the current frame on, with the present settings. Frames before it stay. "
        "Also continues a bake that was cancelled, or that the frame range has outgrown"
    )

    frame: bpy.props.IntProperty(name="Frame", description="-1: the current frame", default=-1, min=-1)

    def start_frame(self, context):
        frame = context.scene.frame_current if self.frame < 0 else self.frame
        baked = bake.baked_range(context.scene)
        return min(frame, baked[1]) if baked else frame


class WEFT_OT_cancel(bpy.types.Operator):
    bl_idname = "weft.cancel"
    bl_label = "Cancel"
    bl_description = "Stop the bake after its present frame. The frames so far stay"

    @classmethod
    def poll(cls, _context):
        return bake.current is not None

    def execute(self, _context):
        bake.current.cancel()
        return {"FINISHED"}


class WEFT_OT_free(bpy.types.Operator):
    bl_idname = "weft.free"
    bl_label = "Delete Bake"
    bl_description = "Delete the files of the bake"

    @classmethod
    def poll(cls, _context):
        return bake.current is None

    def execute(self, context):
        try:
            bake.free(context.scene)
        except (WeftError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class WEFT_OT_check(bpy.types.Operator):
    bl_idname = "weft.check"
    bl_label = "Check the Command"
    bl_description = "Look for the command weft and ask for its version"

    def execute(self, _context):
        found = command.describe()
        self.report({"INFO"} if found.good else {"ERROR"}, found.text)
        return {"FINISHED"} if found.good else {"CANCELLED"}


_classes = (WEFT_OT_bake, WEFT_OT_bake_from, WEFT_OT_cancel, WEFT_OT_free, WEFT_OT_check)


def register():
    for cls in _classes:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(_classes):
        bpy.utils.unregister_class(cls)
