/* Quantities that can be shown as colours on the cloth. */
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"
#include "render/render.h"
#include "weft/vec.h"

typedef struct scalar_row {
    const char *name, *unit;
    double low, high; /* the range that the colours span */
} scalar_row;

static const scalar_row SCALARS[] = {
    {"stretch", "", 0, 0.1},          {"curvature", "1/m", 0, 50},     {"speed", "m/s", 0, 3},
    {"tension", "N", 0, 1},           {"strain-weft", "", -0.1, 0.1},  {"strain-warp", "", -0.1, 0.1},
    {"strain-shear", "", -0.2, 0.2},  {"stress-weft", "N/m", -50, 50}, {"stress-warp", "N/m", -50, 50},
    {"stress-shear", "N/m", -20, 20}, {"pressure", "kPa", 0, 2},
};
enum { SCALAR_COUNT = sizeof SCALARS / sizeof SCALARS[0], FIRST_STRAIN = 4, PRESSURE = 10 };

json_t *studio_scalar_names(void) {
    json_t *names = json_array();
    for (int i = 0; names && i < SCALAR_COUNT; i++)
        json_array_append_new(names, json_string(SCALARS[i].name));
    return names;
}

static const scalar_row *find(const char *name) {
    for (int i = 0; i < SCALAR_COUNT; i++)
        if (strcmp(SCALARS[i].name, name) == 0)
            return &SCALARS[i];
    return NULL;
}

void studio_session_tell_show(studio_session *session, uint64_t viewer) {
    const scalar_row *row = find(session->scalar);
    studio_session_event(session, viewer, "show",
                         row ? json_pack("{s:s, s:s, s:f, s:f}", "scalar", row->name, "unit", row->unit, "low",
                                         row->low, "high", row->high)
                             : json_pack("{s:n, s:s, s:f, s:f}", "scalar", "unit", "", "low", 0.0, "high", 1.0),
                         0);
}

weft_result studio_do_show(studio_session *session, studio_request *request) {
    const char *name = "";
    WEFT_TRY(studio_field_require(request->message, "scalar"));
    if (!json_is_null(json_object_get(request->message, "scalar")))
        WEFT_TRY(studio_field_text(request->message, "scalar", &name));
    const scalar_row *row = find(name);
    if (name[0] && !row)
        return weft_fail(WEFT_BAD_INPUT, "'scalar': '%.40s' cannot be shown", name);
    memcpy(session->scalar, name, strlen(name) + 1);
    session->dirty = 1;
    studio_session_tell_show(session, 0);
    return weft_ok();
}

/* -- values -- */

/* Lays each triangle flat in its rest shape: three corners each (triangle_count x 3). */
static weft_vec2 *flat_corners(const weft_mesh *mesh) {
    weft_vec2 *corner = malloc(((size_t)mesh->triangle_count + 1) * 3 * sizeof *corner);
    for (int32_t i = 0; corner && i < mesh->triangle_count; i++) {
        const int32_t *vertex = mesh->triangle[i];
        weft_vec3 a = weft_sub(mesh->position[vertex[1]], mesh->position[vertex[0]]);
        weft_vec3 b = weft_sub(mesh->position[vertex[2]], mesh->position[vertex[0]]);
        double length = weft_length(a), along = length > 0 ? weft_dot(a, b) / length : 0;
        corner[3 * i] = (weft_vec2){0, 0};
        corner[3 * i + 1] = (weft_vec2){length, 0};
        corner[3 * i + 2] = (weft_vec2){along, length > 0 ? weft_length(weft_cross(a, b)) / length : 0};
    }
    return corner;
}

static weft_result of_shape(const weft_sim *sim, int32_t cloth, int curvature, double *value) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    weft_shot_cloth shot = {.position = weft_sim_positions(sim, cloth),
                            .vertex_count = mesh->vertex_count,
                            .triangle = mesh->triangle[0],
                            .triangle_count = mesh->triangle_count};
    if (curvature)
        return weft_scalar_curvature(&shot, value);
    weft_vec2 *corner = flat_corners(mesh);
    if (!corner)
        return weft_fail_memory("stretch", (size_t)mesh->triangle_count * 3 * sizeof *corner);
    shot.corner_uv = corner;
    weft_result result = weft_scalar_stretch(&shot, value);
    free(corner);
    return result;
}

/* Computes the largest tension of the links at each vertex, N. */
static weft_result tensions(const weft_sim *sim, int32_t cloth, int32_t count, double *value) {
    const weft_vec3 *x = weft_sim_positions(sim, cloth);
    int32_t links = weft_sim_link_count(sim, cloth);
    if (links == 0)
        return weft_fail(WEFT_UNSUPPORTED, "the model has no links");
    memset(value, 0, (size_t)count * sizeof *value);
    for (int32_t i = 0; i < links; i++) {
        weft_link link = weft_sim_link(sim, cloth, i);
        double pull = link.stiffness * (weft_distance(x[link.a], x[link.b]) - link.rest_length);
        value[link.a] = pull > value[link.a] ? pull : value[link.a];
        value[link.b] = pull > value[link.b] ? pull : value[link.b];
    }
    return weft_ok();
}

/* Averages strain or stress over the triangles at each vertex. */
static weft_result of_triangles(weft_sim *sim, int32_t cloth, int which, double *value) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    weft_strain *strain = malloc(((size_t)mesh->triangle_count + 1) * sizeof *strain);
    if (!strain)
        return weft_fail_memory("strains", (size_t)mesh->triangle_count * sizeof *strain);
    weft_result result = weft_sim_strains(sim, cloth, strain);
    for (int32_t v = 0; result.code == WEFT_OK && v < mesh->vertex_count; v++) {
        int32_t begin = mesh->vertex_triangle_start[v], end = mesh->vertex_triangle_start[v + 1];
        double sum = 0;
        for (int32_t k = begin; k < end; k++) {
            const weft_strain *one = &strain[mesh->vertex_triangle[k]];
            sum += which < 3 ? one->strain[which] : one->stress[which - 3];
        }
        value[v] = end > begin ? sum / (end - begin) : 0;
    }
    free(strain);
    return result;
}

static weft_result pressures(weft_sim *sim, int32_t cloth, int32_t count, double *value) {
    weft_result result = weft_sim_pressures(sim, cloth, value);
    for (int32_t i = 0; result.code == WEFT_OK && i < count; i++)
        value[i] /= 1000;
    return result;
}

weft_result studio_scalar(weft_sim *sim, int32_t cloth, const char *name, double *value) {
    const scalar_row *row = find(name);
    int32_t count = weft_sim_cloth(sim, cloth)->mesh->vertex_count;
    if (!row)
        return weft_fail(WEFT_BAD_INPUT, "'%.40s' cannot be shown", name);
    ptrdiff_t index = row - SCALARS;
    if (index < 2)
        return of_shape(sim, cloth, index == 1, value);
    if (index == 3)
        return tensions(sim, cloth, count, value);
    if (index == PRESSURE)
        return pressures(sim, cloth, count, value);
    if (index >= FIRST_STRAIN)
        return of_triangles(sim, cloth, (int)index - FIRST_STRAIN, value);
    for (int32_t i = 0; i < count; i++)
        value[i] = weft_length(weft_sim_velocities(sim, cloth)[i]);
    return weft_ok();
}
