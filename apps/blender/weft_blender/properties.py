"""Settings of objects (`object.weft`) and of scenes (`scene.weft`)."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from . import parameters, playback

# Time steps of the qualities, as fractions of the table's default.
QUALITIES = {"DRAFT": 2.0, "NORMAL": 1.0, "FINE": 0.4}

_classes = []


def default_step():
    return next(row for row in parameters.section("time") if row["name"] == "step")["default"]


def step_of(settings):
    """The longest time step, s."""
    if settings.quality == "CUSTOM":
        row = next(row for row in settings.time.rows if row["name"] == "step")
        return parameters.value_of(settings.time, row)
    return default_step() * QUALITIES[settings.quality]


def _kind_changed(group, _context):
    obj = group.id_data
    if group.kind == "CLOTH":
        playback.ensure_modifier(obj)
    else:
        playback.remove_modifier(obj)


def _object_class(fabric_group, model_group, body_group, place_group):
    class WeftObject(bpy.types.PropertyGroup):
        kind: EnumProperty(
            name="Type",
            items=[
                ("NONE", "None", "Weft ignores the object"),
                ("CLOTH", "Cloth", "Weft simulates the object"),
                ("COLLIDER", "Collider", "Cloth collides with the object, as it moves and deforms"),
            ],
            default="NONE",
            update=_kind_changed,
        )
        pin_group: StringProperty(
            name="Pin Group",
            description="Vertices of this group are held where the modifiers above Weft and the object put them",
        )
        pin_weight: FloatProperty(
            name="From Weight",
            description="Vertices with at least this weight are held. Those below it are free",
            default=0.5,
            min=0.0,
            max=1.0,
        )
        uv_map: StringProperty(
            name="UV Map",
            description="Its u is the direction of the weft. Empty: the weft is along x",
        )
        fabric: PointerProperty(type=fabric_group)
        model: PointerProperty(type=model_group)
        body: PointerProperty(type=body_group)
        place: PointerProperty(type=place_group)

    return WeftObject


def _scene_class(time_group, contact_group, air_group, integrator_group):
    class WeftScene(bpy.types.PropertyGroup):
        quality: EnumProperty(
            name="Quality",
            description="The length of the time steps",
            items=[
                ("DRAFT", "Draft", "Long steps: quick, and damps more"),
                ("NORMAL", "Normal", "The step that Weft uses by default"),
                ("FINE", "Fine", "Short steps: for fast motion and stiff fabrics"),
                ("CUSTOM", "Custom", "The step of the advanced settings"),
            ],
            default="NORMAL",
        )
        samples: IntProperty(
            name="Samples per Frame",
            description="How often colliders and pins are sampled in a frame. 0: at every time step",
            default=0,
            min=0,
            max=1000,
        )
        use_range: BoolProperty(name="Own Frame Range", description="Instead of the frame range of the scene")
        frame_start: IntProperty(name="Start", default=1, min=0)
        frame_end: IntProperty(name="End", default=250, min=1)
        checkpoint: IntProperty(
            name="Checkpoint Every",
            description="Frames between the states that are kept. Baking again starts at one of them",
            default=5,
            min=1,
            max=1000,
        )
        threads: IntProperty(name="Threads", description="0: one per processor", default=0, min=0, max=1024)
        folder: StringProperty(
            name="Folder",
            description="Where the bake is kept. Empty: beside the .blend file, as weft-NAME",
            subtype="DIR_PATH",
        )
        time: PointerProperty(type=time_group)
        contact: PointerProperty(type=contact_group)
        air: PointerProperty(type=air_group)
        integrator: PointerProperty(type=integrator_group)
        progress: FloatProperty(name="Progress", subtype="PERCENTAGE", min=0, max=100, options={"SKIP_SAVE"})
        message: StringProperty(options={"SKIP_SAVE"})
        failed: BoolProperty(options={"SKIP_SAVE"})
        warned: BoolProperty(options={"SKIP_SAVE"})

    return WeftScene


def frame_range(scene):
    settings = scene.weft
    if settings.use_range:
        return settings.frame_start, settings.frame_end
    return scene.frame_start, scene.frame_end


def register():
    make = parameters.make_group
    fabric = parameters.make_fabric("WeftFabric")
    models = parameters.make_choice("WeftModel", "model", "The model that fits the integrator", "Model")
    integrators = parameters.make_choice("WeftIntegrator", "integrator", "Weft's default", "Integrator")
    # Placement and files of bodies come from Blender.
    body = make(
        "WeftBody",
        parameters.component("body", "mesh")["parameters"],
        ("at", "rotate", "axis", "scale", "file", "cache", "animation", "rate", "start"),
    )
    place = make("WeftPlace", parameters.section("cloth"), ("at", "rotate", "scale"))
    time = make("WeftTime", parameters.section("time"), ("frames", "rate"))
    contact = make("WeftContact", parameters.section("contact"))
    air = make("WeftAir", parameters.section("air"))
    _classes.extend([fabric, *models, *integrators, body, place, time, contact, air])
    for cls in _classes:
        bpy.utils.register_class(cls)
    owners = [_object_class(fabric, models[-1], body, place), _scene_class(time, contact, air, integrators[-1])]
    for cls in owners:
        bpy.utils.register_class(cls)
    _classes.extend(owners)
    bpy.types.Object.weft = PointerProperty(type=owners[0])
    bpy.types.Scene.weft = PointerProperty(type=owners[1])


def unregister():
    del bpy.types.Scene.weft
    del bpy.types.Object.weft
    for cls in reversed(_classes):
        bpy.utils.unregister_class(cls)
    _classes.clear()
