/* A cloth of a scene: a grid or a mesh file with its placement, fabric and model. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/pose.h"
#include "core/require.h"
#include "sim/scene_reader.h"

typedef struct grid_settings {
    weft_vec2 cells, size;
    int32_t diagonals;
} grid_settings;

static const char *const DIAGONALS[] = {"alternating", "one-way", "criss-cross", NULL};

static const weft_param GRID[] = {
    {.name = "cells",
     .type = WEFT_PAIR,
     .offset = offsetof(grid_settings, cells),
     .low = 1,
     .high = 1e9,
     .fallback = "[10, 10]",
     .unit = "",
     .help = "number of cells along weft and warp",
     .flags = WEFT_FIXED | WEFT_WHOLE},
    {.name = "size",
     .type = WEFT_PAIR,
     .offset = offsetof(grid_settings, size),
     .high = 1e6,
     .fallback = "[1, 1]",
     .unit = "m",
     .help = "width and height",
     .flags = WEFT_FIXED | WEFT_OPEN_LOW},
    {.name = "diagonals",
     .type = WEFT_CHOICE,
     .offset = offsetof(grid_settings, diagonals),
     .fallback = "alternating",
     .unit = "",
     .help = "pattern in which the cells are cut into triangles",
     .choices = DIAGONALS,
     .flags = WEFT_FIXED},
    {0},
};

const weft_param *weft_grid_params(void) { return GRID; }

typedef struct place_settings {
    weft_vec3 at, rotate, velocity;
    double scale;
} place_settings;

static const weft_param PLACE[] = {
    {.name = "at",
     .type = WEFT_VECTOR,
     .offset = offsetof(place_settings, at),
     .fallback = "[0, 0, 0]",
     .unit = "m",
     .help = "translation of the cloth, after rotate",
     .flags = WEFT_FIXED},
    {.name = "rotate",
     .type = WEFT_VECTOR,
     .offset = offsetof(place_settings, rotate),
     .fallback = "[0, 0, 0]",
     .unit = "rad",
     .help = "rotation about x, then y, then z",
     .flags = WEFT_FIXED},
    {.name = "velocity",
     .type = WEFT_VECTOR,
     .offset = offsetof(place_settings, velocity),
     .fallback = "[0, 0, 0]",
     .unit = "m/s",
     .help = "initial velocity",
     .flags = WEFT_FIXED},
    {.name = "scale",
     .type = WEFT_REAL,
     .offset = offsetof(place_settings, scale),
     .high = 1e6,
     .fallback = "1",
     .unit = "",
     .help = "scale of a mesh file: 0.01 for centimetres",
     .flags = WEFT_FIXED | WEFT_OPEN_LOW},
    {0},
};

const weft_param *weft_place_params(void) { return PLACE; }

/* "x", "-y", or a list of three numbers. */
static weft_result read_axis(const weft_value *value, weft_vec3 *axis) {
    if (value->kind == WEFT_VALUE_LIST) {
        WEFT_TRY(scene_read_vector(value, "grid.axes", "", axis));
        if (weft_length(*axis) == 0)
            return scene_fail(value, "grid.axes: a direction of length 0");
        *axis = weft_normalize(*axis);
        return weft_ok();
    }
    const char *text = value->text;
    double sign = text[0] == '-' ? -1 : 1;
    text += text[0] == '-' || text[0] == '+';
    if (strlen(text) == 1 && text[0] >= 'x' && text[0] <= 'z') {
        *axis = weft_vec3_make(sign * (text[0] == 'x'), sign * (text[0] == 'y'), sign * (text[0] == 'z'));
        return weft_ok();
    }
    return scene_fail(value, "grid.axes: '%.32s' is not one of x, y, z, -x, -y, -z or three numbers", value->text);
}

static weft_result read_axes(const weft_value *list, weft_grid *grid) {
    if (list->kind != WEFT_VALUE_LIST || list->count != 2)
        return scene_fail(list, "grid.axes: needs two directions, as in [x, -y]");
    WEFT_TRY(read_axis(list->first, &grid->axis[0]));
    WEFT_TRY(read_axis(list->first->next, &grid->axis[1]));
    if (fabs(weft_dot(grid->axis[0], grid->axis[1])) > 1e-9)
        return scene_fail(list, "grid.axes: the two directions are not at right angles");
    return weft_ok();
}

static weft_result read_grid(const weft_value *value, weft_mesh **mesh) {
    static const char *const EXCEPT[] = {"axes", "origin", NULL};
    grid_settings settings;
    weft_params_default(GRID, &settings);
    WEFT_TRY(weft_params_read(GRID, value, "grid", EXCEPT, &settings));
    weft_grid grid = weft_grid_default();
    grid.cells[0] = (int64_t)settings.cells.x;
    grid.cells[1] = (int64_t)settings.cells.y;
    grid.size[0] = settings.size.x;
    grid.size[1] = settings.size.y;
    grid.diagonals = (weft_diagonals)settings.diagonals;
    const weft_value *axes = weft_value_find(value, "axes"), *origin = weft_value_find(value, "origin");
    if (axes)
        WEFT_TRY(read_axes(axes, &grid));
    if (origin)
        WEFT_TRY(scene_read_vector(origin, "grid.origin", "m", &grid.origin));
    const weft_value *cells = weft_value_find(value, "cells");
    return scene_at(cells ? cells : value, weft_mesh_create_grid(&grid, mesh));
}

/* A cloth is a grid, a mesh file or a garment. */
static weft_result check_source(const weft_value *cloth) {
    int sources = 0;
    static const char *const SOURCES[] = {"grid", "mesh", "garment"};
    for (int i = 0; i < 3; i++)
        sources += weft_value_find(cloth, SOURCES[i]) != NULL;
    if (sources != 1)
        return scene_fail(cloth, "cloth: needs one of `grid`, `mesh` and `garment`");
    return scene_check_garment_keys(cloth);
}

static weft_result read_surface(scene_reader *reader, const weft_value *cloth, weft_mesh **mesh) {
    const weft_value *grid = weft_value_find(cloth, "grid"), *file = weft_value_find(cloth, "mesh");
    if (grid)
        return read_grid(grid, mesh);
    if (file->kind != WEFT_VALUE_TEXT || !file->text[0])
        return scene_fail(file, "cloth.mesh: needs the name of a file");
    if (!reader->files || !reader->files->load_mesh)
        return scene_fail(file, "cloth.mesh: this program reads no mesh files");
    return scene_at(file, reader->files->load_mesh(reader->files->context, file->file, file->text, mesh));
}

/* Keys of a cloth besides those of PLACE. Programs read `proxy` themselves. */
static const char *const OTHER_KEYS[] = {"name",   "grid",  "mesh", "garment", "on",   "settle", "ease", "panels",
                                         "fabric", "model", "maps", "pins",    "cuts", "proxy",  NULL};

static void place(weft_vec3 *point, int64_t count, const place_settings *settings) {
    int rotated = weft_length(settings->rotate) != 0;
    for (int64_t i = 0; i < count; i++) {
        weft_vec3 p = weft_scale(settings->scale, point[i]);
        point[i] = weft_add(rotated ? weft_turn(p, settings->rotate) : p, settings->at);
    }
}

weft_result scene_place(const weft_value *cloth, weft_vec3 *point, int64_t count) {
    place_settings settings;
    weft_params_default(PLACE, &settings);
    WEFT_TRY(weft_params_read(PLACE, cloth, "cloth", OTHER_KEYS, &settings));
    place(point, count, &settings);
    return weft_ok();
}

weft_result weft_scene_place(const weft_value *cloth, weft_mesh *mesh) {
    WEFT_REQUIRE(cloth);
    WEFT_REQUIRE(mesh);
    return scene_place(cloth, mesh->position, mesh->vertex_count);
}

weft_result weft_scene_fabric_read(const weft_value *value, const weft_scene_files *files, weft_fabric *fabric) {
    static const char *const NAMES[] = {"preset", "name", NULL};
    WEFT_REQUIRE(fabric);
    const weft_value *name = value && value->kind == WEFT_VALUE_TEXT ? value : weft_value_find(value, "preset");
    name = name ? name : weft_value_find(value, "name");
    int found = 0, both = weft_value_find(value, "preset") && weft_value_find(value, "name");
    weft_fabric base;
    if (files && files->load_fabric && name && name->kind == WEFT_VALUE_TEXT && name->text[0] && !both)
        WEFT_TRY(scene_at(name, files->load_fabric(files->context, name->file, name->text, &base, &found)));
    if (!value || !found)
        return weft_fabric_read(value, "fabric", fabric);
    if (value->kind == WEFT_VALUE_MAP)
        return weft_fabric_read_from(value, "fabric", &base, NAMES, fabric);
    *fabric = base;
    return weft_ok();
}

/* Hands what sewing added to the simulation. The pattern is the rest shape unless the scene says otherwise. */
static weft_result add_tailoring(scene_reader *reader, const weft_value *value, int32_t index, const weft_sewn *sewn) {
    char path[48];
    snprintf(path, sizeof path, "cloth.%d.model.rest", index);
    WEFT_TRY(scene_at(value, weft_sim_set_tailoring(reader->sim, index, &sewn->tailoring)));
    return weft_sim_set(reader->sim, path, "pattern");
}

/* `sewn` is null for other cloths than garments; otherwise `mesh` is the one that it held. */
static weft_result add_cloth(scene_reader *reader, const weft_value *value, const char *name, weft_mesh *mesh,
                             const place_settings *settings, weft_sewn *sewn) {
    const weft_value *fabric_value = weft_value_find(value, "fabric"), *model_value = weft_value_find(value, "model");
    weft_fabric fabric = sewn ? sewn->fabric.fabric : (weft_fabric){0};
    const char *model = NULL;
    weft_result result = sewn && sewn->fabric.is_set && !fabric_value
                             ? weft_ok()
                             : weft_scene_fabric_read(fabric_value, reader->files, &fabric);
    if (result.code == WEFT_OK && sewn) {
        sewn->mesh = mesh;
        result = scene_apply_panels(value, sewn, &fabric);
        sewn->mesh = NULL;
    }
    if (result.code == WEFT_OK)
        result = scene_component_name(model_value, "model", weft_sim_default_model(reader->sim), &model);
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(mesh);
        return result;
    }
    place(mesh->position, mesh->vertex_count, settings);
    int32_t index;
    const weft_value *named =
        model_value && model_value->kind == WEFT_VALUE_MAP ? weft_value_find(model_value, "name") : model_value;
    WEFT_TRY(scene_at(named ? named : value, weft_sim_add_cloth(reader->sim, name, mesh, &fabric, model, &index)));
    WEFT_TRY(weft_sim_set_velocity(reader->sim, index, settings->velocity));
    WEFT_TRY(scene_read_maps(reader, weft_value_find(value, "maps"), index, mesh));
    if (sewn)
        WEFT_TRY(add_tailoring(reader, named ? named : value, index, sewn));
    char path[32];
    snprintf(path, sizeof path, "cloth.%d.model", index);
    WEFT_TRY(scene_apply_component(reader, model_value, path, WEFT_MODEL));
    if (sewn)
        WEFT_TRY(scene_keep_attached(reader, value, index, sewn));
    if (sewn)
        WEFT_TRY(scene_pad_panels(reader, value, index, mesh, sewn->panel_padding));
    return scene_read_panels(reader, value, index, mesh);
}

static weft_result add_garment(scene_reader *reader, const weft_value *value, const char *name,
                               const place_settings *settings) {
    weft_sewn sewn;
    WEFT_TRY(scene_load_garment(reader, value, &sewn));
    weft_mesh *mesh = sewn.mesh;
    sewn.mesh = NULL; /* the simulation owns it from now on */
    weft_result result = add_cloth(reader, value, name, mesh, settings, &sewn);
    weft_sewn_free(&sewn);
    return result;
}

weft_result scene_read_cloth(scene_reader *reader, const weft_value *value, int index) {
    place_settings settings;
    weft_params_default(PLACE, &settings);
    WEFT_TRY(weft_params_read(PLACE, value, "cloth", OTHER_KEYS, &settings));
    char name[64];
    const weft_value *given = weft_value_find(value, "name");
    if (given && (given->kind != WEFT_VALUE_TEXT || !given->text[0] || strlen(given->text) >= sizeof name))
        return scene_fail(given, "cloth.name: needs a text of 1 to %zu characters", sizeof name - 1);
    if (given && strpbrk(given->text, "./\\ "))
        return scene_fail(given, "cloth.name: '%s' holds a dot, a slash or a space", given->text);
    if (given)
        snprintf(name, sizeof name, "%s", given->text);
    else if (index == 0)
        snprintf(name, sizeof name, "cloth");
    else
        snprintf(name, sizeof name, "cloth%d", index);
    WEFT_TRY(check_source(value));
    if (weft_value_find(value, "garment"))
        return add_garment(reader, value, name, &settings);
    weft_mesh *mesh = NULL;
    WEFT_TRY(read_surface(reader, value, &mesh));
    assert(mesh);
    return add_cloth(reader, value, name, mesh, &settings, NULL);
}
