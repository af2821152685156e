/* Half-edges from polygons. Twins are found by sorting all half-edges by their two vertices, in two stable counting
 * passes. Time and memory are linear for any numbering and valence. */
#include "core/memory.h"
#include "mesh/stages.h"

static int32_t target(const weft_mesh *mesh, int32_t h) { return mesh->origin[mesh->next[h]]; }

static int32_t low(const weft_mesh *mesh, int32_t h) {
    int32_t a = mesh->origin[h], b = target(mesh, h);
    return a < b ? a : b;
}

static int32_t high(const weft_mesh *mesh, int32_t h) {
    int32_t a = mesh->origin[h], b = target(mesh, h);
    return a > b ? a : b;
}

/* Writes `from` (null: 0, 1, 2, ...) to `to`, ordered by key. `start` has room for vertex_count + 1. */
static void counting_pass(const weft_mesh *mesh, int32_t (*key)(const weft_mesh *, int32_t), const int32_t *from,
                          int32_t *to, int32_t *start) {
    memset(start, 0, ((size_t)mesh->vertex_count + 1) * sizeof *start);
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        start[key(mesh, h) + 1]++;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        start[v + 1] += start[v];
    for (int32_t k = 0; k < mesh->halfedge_count; k++) {
        int32_t h = from ? from[k] : k;
        to[start[key(mesh, h)]++] = h;
    }
}

static weft_result pair(weft_mesh *mesh, const char *name, weft_soup *soup, const int32_t *sorted) {
    int32_t count = mesh->halfedge_count, end;
    for (int32_t k = 0; k < count; k = end) {
        int32_t h = sorted[k];
        for (end = k + 1; end < count; end++)
            if (low(mesh, sorted[end]) != low(mesh, h) || high(mesh, sorted[end]) != high(mesh, h))
                break;
        mesh->twin[h] = WEFT_NONE;
        if (end - k == 1)
            continue;
        int32_t other = sorted[k + 1];
        if (soup && (end - k > 2 || mesh->origin[h] == mesh->origin[other])) {
            for (int32_t i = k; i < end; i++)
                mesh->twin[sorted[i]] = WEFT_NONE;
            soup->edges++;
            continue;
        }
        if (end - k > 2)
            return weft_mesh_refuse(name, "face %d: its edge from vertex %d to %d is already shared by faces %d and %d",
                                    (int)mesh->face[sorted[k + 2]], (int)mesh->origin[sorted[k + 2]],
                                    (int)target(mesh, sorted[k + 2]), (int)mesh->face[h], (int)mesh->face[other]);
        if (mesh->origin[h] == mesh->origin[other])
            return weft_mesh_refuse(name, "face %d: wound against face %d: both run from vertex %d to %d",
                                    (int)mesh->face[other], (int)mesh->face[h], (int)mesh->origin[h],
                                    (int)target(mesh, h));
        mesh->twin[h] = other;
        mesh->twin[other] = h;
    }
    return weft_ok();
}

static weft_result find_twins(weft_mesh *mesh, const char *name, weft_soup *soup) {
    size_t count = (size_t)mesh->halfedge_count, vertices = (size_t)mesh->vertex_count + 1;
    int32_t *by_high = weft_allocate(count, sizeof *by_high);
    int32_t *sorted = weft_allocate(count, sizeof *sorted);
    int32_t *start = weft_allocate(vertices, sizeof *start);
    weft_result result;
    if (by_high && sorted && start) {
        counting_pass(mesh, high, NULL, by_high, start);
        counting_pass(mesh, low, by_high, sorted, start);
        result = pair(mesh, name, soup, sorted);
    } else {
        result = weft_fail_memory("edges of a mesh", (2 * count + vertices) * sizeof *start);
    }
    free(start);
    free(sorted);
    free(by_high);
    return result;
}

/* The half-edge before h in its face. The corners of a face are contiguous. */
static int32_t previous(const weft_mesh *mesh, int32_t h) {
    int32_t f = mesh->face[h];
    if (h > mesh->face_halfedge[f])
        return h - 1;
    return (f + 1 < mesh->face_count ? mesh->face_halfedge[f + 1] : mesh->halfedge_count) - 1;
}

/* Assigns vertex `v` to the fan of faces around the origin of h, and marks the fan's corners. */
static void take_fan(weft_mesh *mesh, int32_t h, int32_t v, unsigned char *taken) {
    int32_t around = h;
    do {
        mesh->origin[around] = v;
        taken[around] = 1;
        around = mesh->twin[previous(mesh, around)];
    } while (around != WEFT_NONE && around != h);
    if (around == h)
        return;
    /* An open fan: continue on the other side of h. */
    for (int32_t t = mesh->twin[h]; t != WEFT_NONE; t = mesh->twin[around]) {
        around = mesh->next[t];
        mesh->origin[around] = v;
        taken[around] = 1;
    }
}

/* Splits vertices where fans of faces touch without sharing an edge. The first fan in corner order keeps the vertex.
 * Each other fan gets a new vertex at the end. */
static weft_result split_fans(weft_mesh *mesh) {
    size_t corners = (size_t)mesh->halfedge_count, vertices = (size_t)mesh->vertex_count;
    unsigned char *taken = weft_allocate(corners + vertices, 1);
    if (!taken)
        return weft_fail_memory("fans of a mesh", corners + vertices);
    unsigned char *used = taken + corners; /* per vertex */
    for (int32_t h = 0; h < mesh->halfedge_count; h++) {
        if (taken[h])
            continue;
        int32_t v = mesh->origin[h];
        take_fan(mesh, h, used[v] ? mesh->vertex_count++ : v, taken);
        used[v] = 1;
    }
    free(taken);
    return weft_ok();
}

static int grow(int32_t **array, int32_t count) {
    int32_t *grown = realloc(*array, (size_t)count * sizeof *grown);
    if (!grown)
        return 0;
    *array = grown;
    return 1;
}

/* Adds a boundary half-edge beside each open one, in the same order. */
static weft_result close_boundary(weft_mesh *mesh) {
    int32_t corners = mesh->halfedge_count, all = corners;
    for (int32_t h = 0; h < corners; h++)
        all += mesh->twin[h] == WEFT_NONE;
    mesh->vertex_halfedge = weft_allocate((size_t)mesh->vertex_count, sizeof *mesh->vertex_halfedge);
    if (!mesh->vertex_halfedge || !grow(&mesh->next, all) || !grow(&mesh->twin, all) || !grow(&mesh->origin, all) ||
        !grow(&mesh->face, all))
        return weft_fail_memory("half-edges", ((size_t)all * 4 + (size_t)mesh->vertex_count) * sizeof(int32_t));
    /* Backwards, so that an inner vertex keeps its lowest corner. */
    for (int32_t h = corners - 1; h >= 0; h--)
        mesh->vertex_halfedge[mesh->origin[h]] = h;
    int32_t b = corners;
    for (int32_t h = 0; h < corners; h++) {
        if (mesh->twin[h] != WEFT_NONE)
            continue;
        mesh->twin[h] = b;
        mesh->twin[b] = h;
        mesh->origin[b] = target(mesh, h);
        mesh->face[b] = WEFT_NONE;
        mesh->vertex_halfedge[mesh->origin[b]] = b;
        b++;
    }
    mesh->halfedge_count = all;
    for (b = corners; b < all; b++) /* a vertex has one fan, so exactly one boundary half-edge leaves it */
        mesh->next[b] = mesh->vertex_halfedge[mesh->origin[mesh->twin[b]]];
    return weft_ok();
}

static weft_result number_edges(weft_mesh *mesh) {
    mesh->edge_count = mesh->halfedge_count / 2;
    mesh->edge = weft_allocate((size_t)mesh->halfedge_count, sizeof *mesh->edge);
    mesh->edge_halfedge = weft_allocate((size_t)mesh->edge_count, sizeof *mesh->edge_halfedge);
    if (!mesh->edge || !mesh->edge_halfedge)
        return weft_fail_memory("edges", (size_t)mesh->halfedge_count * 3 / 2 * sizeof *mesh->edge);
    int32_t edge = 0;
    for (int32_t h = 0; h < mesh->halfedge_count; h++) {
        if (mesh->twin[h] < h)
            continue;
        mesh->edge[h] = mesh->edge[mesh->twin[h]] = edge;
        mesh->edge_halfedge[edge++] = h;
    }
    return weft_ok();
}

/* Lists the lowest half-edge of each boundary loop. */
static weft_result list_boundaries(weft_mesh *mesh, int32_t corners) {
    size_t open = (size_t)(mesh->halfedge_count - corners);
    unsigned char *seen = weft_allocate(open, 1);
    mesh->boundary_halfedge = weft_allocate(open, sizeof *mesh->boundary_halfedge);
    if (!seen || !mesh->boundary_halfedge) {
        free(seen);
        return weft_fail_memory("boundary loops", open * (1 + sizeof *mesh->boundary_halfedge));
    }
    for (int32_t b = corners; b < mesh->halfedge_count; b++) {
        if (seen[b - corners])
            continue;
        mesh->boundary_halfedge[mesh->boundary_count++] = b;
        for (int32_t h = b; !seen[h - corners]; h = mesh->next[h])
            seen[h - corners] = 1;
    }
    free(seen);
    return weft_ok();
}

weft_result weft_mesh_link(weft_mesh *mesh, const weft_polygons *polygons, const weft_mesh_hint *hint) {
    int32_t corners = mesh->halfedge_count;
    size_t bytes = (size_t)corners * sizeof *mesh->twin;
    mesh->twin = weft_allocate((size_t)corners, sizeof *mesh->twin);
    if (!mesh->twin)
        return weft_fail_memory("half-edges", bytes);
    if (hint->twin)
        memcpy(mesh->twin, hint->twin, bytes);
    else
        WEFT_TRY(find_twins(mesh, polygons->name, hint->soup));
    WEFT_TRY(split_fans(mesh));
    WEFT_TRY(close_boundary(mesh));
    WEFT_TRY(number_edges(mesh));
    return list_boundaries(mesh, corners);
}
