/* Prepares a cloth of a take for rendering. */
#include "render/reel_cloth.h"

#include <stdlib.h>
#include <string.h>

#include "weft/sort.h"
#include "weft/vec.h"

/* -- memory -- */

/* Returns null if memory is exhausted, never for 0 elements. */
static void *room(size_t count, size_t size) { return calloc(count > 0 ? count : 1, size); }

static weft_result fail_room(const weft_take_cloth *take) {
    return weft_fail_memory("a cloth of the picture", (size_t)take->triangle_count * 64);
}

static int create_state(weft_take_state *state, const weft_take_cloth *take) {
    state->position = room((size_t)take->vertex_count, sizeof *state->position);
    state->open_face = room((size_t)take->face_count, 1);
    state->broken = room((size_t)take->link_count, 1);
    return state->position && state->open_face && state->broken;
}

static void free_state(weft_take_state *state) {
    free(state->strain);
    free(state->pressure);
    free(state->broken);
    free(state->open_face);
    free(state->position);
}

void weft_reel_cloth_free(weft_reel_cloth *cloth) {
    free(cloth->scalar);
    free(cloth->line_strain);
    free(cloth->line_kind);
    free(cloth->line);
    free(cloth->edge);
    free(cloth->shown_rest);
    free(cloth->shown_uv);
    free(cloth->triangle);
    free(cloth->rest_uv);
    free(cloth->corner_uv);
    free_state(&cloth->after);
    free_state(&cloth->before);
    free_state(&cloth->now);
    *cloth = (weft_reel_cloth){0};
}

/* -- rest coordinates of the triangles' corners -- */

static weft_vec2 uv_in_face(const weft_take_cloth *take, int32_t begin, int32_t size, int32_t vertex) {
    for (int32_t c = begin; c < begin + size; c++)
        if (take->corner[c] == vertex)
            return take->corner_uv[c];
    return take->corner_uv[begin];
}

/* `start` is scratch for the first corner of each face (face_count). */
static void corner_coordinates(const weft_take_cloth *take, int32_t *start, weft_vec2 *uv) {
    for (int32_t f = 0, corner = 0; f < take->face_count; corner += take->face_size[f++])
        start[f] = corner;
    for (int32_t t = 0; t < take->triangle_count; t++) {
        int32_t face = take->triangle_face[t];
        for (int32_t k = 3 * t; k < 3 * t + 3; k++)
            uv[k] = uv_in_face(take, start[face], take->face_size[face], take->triangle[k]);
    }
}

/* Lays a triangle into the plane, with its first edge along x. */
static void flatten(const weft_take_cloth *take, int32_t t, weft_vec2 uv[3]) {
    const int32_t *v = take->triangle + 3 * (size_t)t;
    weft_vec3 a = weft_sub(take->rest[v[1]], take->rest[v[0]]), b = weft_sub(take->rest[v[2]], take->rest[v[0]]);
    double length = weft_length(a);
    uv[0] = uv[1] = uv[2] = (weft_vec2){0, 0};
    if (!(length > 0))
        return;
    uv[1].x = length;
    uv[2] = (weft_vec2){weft_dot(a, b) / length, weft_length(weft_cross(a, b)) / length};
}

static double flat_area(const weft_vec2 uv[3]) {
    return 0.5 * fabs((uv[1].x - uv[0].x) * (uv[2].y - uv[0].y) - (uv[2].x - uv[0].x) * (uv[1].y - uv[0].y));
}

/* Coordinates from a file may have any scale. Yarns and squares need them in metres. An image keeps its original
 * coordinates. */
static void scale_to_metres(const weft_take_cloth *take, weft_vec2 *uv) {
    double flat = 0, rest = 0;
    for (int32_t t = 0; t < take->triangle_count; t++) {
        weft_vec2 own[3];
        flatten(take, t, own);
        rest += flat_area(own);
        flat += flat_area(uv + 3 * (size_t)t);
    }
    double scale = flat > 0 && rest > 0 ? sqrt(rest / flat) : 1;
    if (fabs(scale - 1) < 1e-4)
        return; /* the coordinates of a grid, up to rounding */
    for (size_t i = 0; i < 3 * (size_t)take->triangle_count; i++)
        uv[i] = (weft_vec2){scale * uv[i].x, scale * uv[i].y};
}

static weft_result create_coordinates(weft_reel_cloth *cloth, const weft_view *view) {
    const weft_take_cloth *take = cloth->take;
    size_t corners = 3 * (size_t)take->triangle_count;
    if (take->corner_uv) {
        int32_t *start = room((size_t)take->face_count, sizeof *start);
        cloth->corner_uv = room(corners, sizeof *cloth->corner_uv);
        cloth->shown_uv = room(corners, sizeof *cloth->shown_uv);
        int complete = start && cloth->corner_uv && cloth->shown_uv;
        if (complete)
            corner_coordinates(take, start, cloth->corner_uv);
        free(start);
        if (!complete)
            return fail_room(take);
        if (view->texture != WEFT_TEXTURE_IMAGE)
            scale_to_metres(take, cloth->corner_uv);
    }
    if (view->color != WEFT_COLOR_STRETCH)
        return weft_ok();
    cloth->rest_uv = room(corners, sizeof *cloth->rest_uv);
    cloth->shown_rest = room(corners, sizeof *cloth->shown_rest);
    if (!cloth->rest_uv || !cloth->shown_rest)
        return fail_room(take);
    for (int32_t t = 0; t < take->triangle_count; t++)
        flatten(take, t, cloth->rest_uv + 3 * (size_t)t);
    return weft_ok();
}

weft_result weft_reel_cloth_create(weft_reel_cloth *cloth, const weft_take_cloth *take, const weft_view *view) {
    *cloth = (weft_reel_cloth){.take = take};
    int complete = create_state(&cloth->now, take);
    if (view->color >= WEFT_COLOR_STRAIN_WEFT)
        complete = complete && (cloth->now.strain = room((size_t)take->triangle_count, sizeof *cloth->now.strain));
    if (view->color == WEFT_COLOR_PRESSURE)
        complete = complete && (cloth->now.pressure = room((size_t)take->vertex_count, sizeof *cloth->now.pressure));
    if (view->color == WEFT_COLOR_SPEED)
        complete = complete && create_state(&cloth->before, take) && create_state(&cloth->after, take);
    cloth->triangle = room(3 * (size_t)take->triangle_count, sizeof *cloth->triangle);
    complete = complete && cloth->triangle;
    if (view->wireframe)
        complete = complete && (cloth->edge = room(2 * (size_t)take->corner_count, sizeof *cloth->edge));
    if (view->springs) {
        cloth->line = room(2 * (size_t)take->link_count, sizeof *cloth->line);
        cloth->line_kind = room((size_t)take->link_count, 1);
        cloth->line_strain = room((size_t)take->link_count, sizeof *cloth->line_strain);
        complete = complete && cloth->line && cloth->line_kind && cloth->line_strain;
    }
    if (view->color != WEFT_COLOR_CLOTH)
        complete = complete && (cloth->scalar = room((size_t)take->vertex_count, sizeof *cloth->scalar));
    return complete ? create_coordinates(cloth, view) : fail_room(take);
}

/* -- one frame -- */

static void show_triangles(weft_reel_cloth *cloth) {
    const weft_take_cloth *take = cloth->take;
    int32_t count = 0;
    for (int32_t t = 0; t < take->triangle_count; t++) {
        if (cloth->now.open_face[take->triangle_face[t]])
            continue;
        size_t from = 3 * (size_t)t, to = 3 * (size_t)count;
        memcpy(cloth->triangle + to, take->triangle + from, 3 * sizeof *cloth->triangle);
        if (cloth->corner_uv)
            memcpy(cloth->shown_uv + to, cloth->corner_uv + from, 3 * sizeof *cloth->shown_uv);
        if (cloth->rest_uv)
            memcpy(cloth->shown_rest + to, cloth->rest_uv + from, 3 * sizeof *cloth->shown_rest);
        count++;
    }
    cloth->triangle_count = count;
}

static int by_ends(const void *a, const void *b) {
    const int32_t *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* The edges of the remaining faces, without duplicates. */
static void show_edges(weft_reel_cloth *cloth) {
    const weft_take_cloth *take = cloth->take;
    int32_t count = 0, left = 0;
    for (int32_t f = 0, begin = 0; f < take->face_count; begin += take->face_size[f++])
        for (int32_t k = 0; !cloth->now.open_face[f] && k < take->face_size[f]; k++) {
            int32_t a = take->corner[begin + k], b = take->corner[begin + (k + 1) % take->face_size[f]];
            cloth->edge[2 * (size_t)count] = a < b ? a : b;
            cloth->edge[2 * (size_t)count++ + 1] = a < b ? b : a;
        }
    weft_sort(cloth->edge, (size_t)count, 2 * sizeof *cloth->edge, by_ends);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *edge = cloth->edge + 2 * (size_t)i;
        if (left > 0 && by_ends(edge, cloth->edge + 2 * (size_t)left - 2) == 0)
            continue;
        memmove(cloth->edge + 2 * (size_t)left++, edge, 2 * sizeof *edge);
    }
    cloth->edge_count = left;
}

static void show_lines(weft_reel_cloth *cloth) {
    const weft_take_cloth *take = cloth->take;
    int32_t count = 0;
    for (int32_t i = 0; i < take->link_count; i++) {
        const weft_link *link = &take->link[i];
        if (cloth->now.broken[i])
            continue;
        double length = weft_distance(cloth->now.position[link->a], cloth->now.position[link->b]);
        cloth->line[2 * (size_t)count] = link->a;
        cloth->line[2 * (size_t)count + 1] = link->b;
        cloth->line_kind[count] = (uint8_t)link->type;
        cloth->line_strain[count++] = link->rest_length > 0 ? length / link->rest_length - 1 : 0;
    }
    cloth->line_count = count;
}

weft_shot_cloth weft_reel_cloth_shot(const weft_reel_cloth *cloth) {
    return (weft_shot_cloth){.position = cloth->now.position,
                             .vertex_count = cloth->take->vertex_count,
                             .triangle = cloth->triangle,
                             .triangle_count = cloth->triangle_count,
                             .corner_uv = cloth->shown_uv,
                             .edge = cloth->edge,
                             .edge_count = cloth->edge_count,
                             .scalar = cloth->scalar,
                             .line = cloth->line,
                             .line_count = cloth->line_count,
                             .line_kind = cloth->line_kind,
                             .line_strain = cloth->line_strain};
}

/* Averages over the remaining triangles at each vertex, weighted by rest area. */
static weft_result show_strain(weft_reel_cloth *cloth, int32_t which) {
    const weft_take_cloth *take = cloth->take;
    double *weight = room((size_t)take->vertex_count, sizeof *weight);
    if (!weight)
        return fail_room(take);
    memset(cloth->scalar, 0, (size_t)take->vertex_count * sizeof *cloth->scalar);
    for (int32_t t = 0; t < take->triangle_count; t++) {
        const int32_t *v = take->triangle + 3 * (size_t)t;
        weft_vec3 a = weft_sub(take->rest[v[1]], take->rest[v[0]]), b = weft_sub(take->rest[v[2]], take->rest[v[0]]);
        double area = cloth->now.open_face[take->triangle_face[t]] ? 0 : weft_length(weft_cross(a, b));
        const weft_strain *strain = &cloth->now.strain[t];
        for (int k = 0; k < 3; k++) {
            cloth->scalar[v[k]] += area * (which < 3 ? strain->strain[which] : strain->stress[which - 3]);
            weight[v[k]] += area;
        }
    }
    for (int32_t v = 0; v < take->vertex_count; v++)
        cloth->scalar[v] = weight[v] > 0 ? cloth->scalar[v] / weight[v] : 0;
    free(weight);
    return weft_ok();
}

/* The highest refinement level among the triangles at each vertex. */
static void show_generation(weft_reel_cloth *cloth) {
    const weft_take_cloth *take = cloth->take;
    memset(cloth->scalar, 0, (size_t)take->vertex_count * sizeof *cloth->scalar);
    for (int32_t c = 0; take->generation && c < 3 * take->triangle_count; c++) {
        const int32_t t = c / 3;
        double *scalar = &cloth->scalar[take->triangle[c]], generation = take->generation[t];
        *scalar = generation > *scalar ? generation : *scalar;
    }
}

static weft_result show_scalar(weft_reel_cloth *cloth, const weft_view *view, double seconds) {
    weft_shot_cloth shot = weft_reel_cloth_shot(cloth);
    if (view->color >= WEFT_COLOR_STRAIN_WEFT)
        return show_strain(cloth, view->color - WEFT_COLOR_STRAIN_WEFT);
    switch (view->color) {
    case WEFT_COLOR_STRETCH:
        shot.corner_uv = cloth->shown_rest;
        return weft_scalar_stretch(&shot, cloth->scalar);
    case WEFT_COLOR_GENERATION:
        show_generation(cloth);
        return weft_ok();
    case WEFT_COLOR_CURVATURE:
        return weft_scalar_curvature(&shot, cloth->scalar);
    case WEFT_COLOR_PRESSURE:
        for (int32_t v = 0; v < cloth->take->vertex_count; v++)
            cloth->scalar[v] = cloth->now.pressure[v] / 1000;
        return weft_ok();
    default:
        for (int32_t v = 0; v < cloth->take->vertex_count; v++)
            cloth->scalar[v] =
                seconds > 0 ? weft_distance(cloth->before.position[v], cloth->after.position[v]) / seconds : 0;
        return weft_ok();
    }
}

weft_result weft_reel_cloth_update(weft_reel_cloth *cloth, const weft_view *view, double seconds) {
    show_triangles(cloth);
    if (cloth->edge)
        show_edges(cloth);
    if (cloth->line)
        show_lines(cloth);
    return cloth->scalar ? show_scalar(cloth, view, seconds) : weft_ok();
}
