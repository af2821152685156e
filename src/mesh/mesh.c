/* Building and destroying a mesh from polygons. */
#include "core/memory.h"
#include "core/require.h"
#include "mesh/stages.h"

static weft_result no_memory(const weft_polygons *polygons) {
    /* roughly what a quad mesh takes per corner */
    return weft_fail_memory("mesh", (size_t)polygons->corner_count * 64);
}

static int copy_groups(weft_mesh *mesh, const weft_polygons *polygons) {
    if (!polygons->face_group)
        return 1;
    mesh->face_group = weft_allocate((size_t)mesh->face_count, sizeof *mesh->face_group);
    mesh->group_name = weft_allocate((size_t)polygons->group_count, sizeof *mesh->group_name);
    if (!mesh->face_group || !mesh->group_name)
        return 0;
    memcpy(mesh->face_group, polygons->face_group, (size_t)mesh->face_count * sizeof *mesh->face_group);
    for (int32_t g = 0; g < polygons->group_count; g++) {
        mesh->group_name[g] = weft_copy_text(polygons->group_name[g]);
        if (!mesh->group_name[g])
            return 0;
        mesh->group_count = g + 1;
    }
    return 1;
}

/* Renumbers `origin` without the vertices that no face uses, because they would have no mass. */
static int drop_loose(weft_mesh *mesh) {
    int32_t *place = weft_allocate((size_t)mesh->vertex_count, sizeof *place);
    if (!place)
        return 0;
    for (int32_t c = 0; c < mesh->halfedge_count; c++)
        place[mesh->origin[c]] = 1;
    int32_t used = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        place[v] = place[v] ? used++ : WEFT_NONE;
    for (int32_t c = 0; used < mesh->vertex_count && c < mesh->halfedge_count; c++)
        mesh->origin[c] = place[mesh->origin[c]];
    mesh->vertex_count = used;
    free(place);
    return 1;
}

static int copy_faces(weft_mesh *mesh, const weft_polygons *polygons) {
    size_t corners = (size_t)polygons->corner_count, faces = (size_t)polygons->face_count;
    mesh->vertex_count = mesh->input_vertex_count = (int32_t)polygons->vertex_count;
    mesh->face_count = (int32_t)polygons->face_count;
    mesh->halfedge_count = (int32_t)polygons->corner_count;
    mesh->next = weft_allocate(corners, sizeof *mesh->next);
    mesh->origin = weft_allocate(corners, sizeof *mesh->origin);
    mesh->face = weft_allocate(corners, sizeof *mesh->face);
    mesh->face_halfedge = weft_allocate(faces, sizeof *mesh->face_halfedge);
    if (!mesh->next || !mesh->origin || !mesh->face || !mesh->face_halfedge)
        return 0;
    memcpy(mesh->origin, polygons->corner, corners * sizeof *mesh->origin);
    int32_t first = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t size = polygons->face_size[f];
        mesh->face_halfedge[f] = first;
        for (int32_t k = 0; k < size; k++) {
            mesh->next[first + k] = first + (k + 1 < size ? k + 1 : 0);
            mesh->face[first + k] = f;
        }
        first += size;
    }
    return drop_loose(mesh);
}

static int copy_positions(weft_mesh *mesh, const weft_polygons *polygons) {
    mesh->position = weft_allocate((size_t)mesh->vertex_count, sizeof *mesh->position);
    mesh->source_vertex = weft_allocate((size_t)mesh->vertex_count, sizeof *mesh->source_vertex);
    if (!mesh->position || !mesh->source_vertex)
        return 0;
    for (int32_t c = 0; c < polygons->corner_count; c++)
        mesh->source_vertex[mesh->origin[c]] = polygons->corner[c];
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        mesh->position[v] = polygons->position[mesh->source_vertex[v]];
    return 1;
}

static int copy_uv(weft_mesh *mesh, const weft_polygons *polygons) {
    if (!polygons->corner_uv)
        return 1;
    mesh->uv = weft_allocate((size_t)mesh->vertex_count, sizeof *mesh->uv);
    mesh->halfedge_uv = weft_allocate((size_t)mesh->halfedge_count, sizeof *mesh->halfedge_uv);
    if (!mesh->uv || !mesh->halfedge_uv)
        return 0;
    int32_t corners = (int32_t)polygons->corner_count;
    memcpy(mesh->halfedge_uv, polygons->corner_uv, (size_t)corners * sizeof *mesh->halfedge_uv);
    /* A boundary half-edge takes the coordinates of the adjacent face's corner. */
    for (int32_t h = corners; h < mesh->halfedge_count; h++)
        mesh->halfedge_uv[h] = mesh->halfedge_uv[mesh->next[mesh->twin[h]]];
    /* Backwards, so that a vertex takes the coordinates of its first corner. */
    for (int32_t c = corners - 1; c >= 0; c--)
        mesh->uv[mesh->origin[c]] = mesh->halfedge_uv[c];
    return 1;
}

static weft_result build(weft_mesh *mesh, const weft_polygons *polygons, const weft_mesh_hint *hint) {
    if (!copy_faces(mesh, polygons) || !copy_groups(mesh, polygons))
        return no_memory(polygons);
    WEFT_TRY(weft_mesh_link(mesh, polygons, hint));
    if (!copy_positions(mesh, polygons) || !copy_uv(mesh, polygons))
        return no_memory(polygons);
    return weft_mesh_cut(mesh, polygons->name, hint->diagonal);
}

weft_result weft_mesh_build(const weft_polygons *polygons, const weft_mesh_hint *hint, weft_mesh **mesh) {
    *mesh = NULL;
    WEFT_TRY(weft_polygons_check(polygons));
    weft_mesh *made = weft_allocate(1, sizeof *made);
    if (!made)
        return weft_fail_memory("mesh", sizeof *made);
    weft_result result = build(made, polygons, hint);
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(made);
        return result;
    }
    *mesh = made;
    return result;
}

weft_result weft_mesh_create(const weft_polygons *polygons, weft_mesh **mesh) {
    WEFT_REQUIRE(polygons);
    WEFT_REQUIRE(mesh);
    weft_polygons named = *polygons;
    if (!named.name)
        named.name = "mesh";
    weft_mesh_hint hint = {NULL, NULL, NULL};
    return weft_mesh_build(&named, &hint, mesh);
}

weft_result weft_mesh_add_vertex_group(weft_mesh *mesh, const char *name, const int32_t *vertex, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (vertex[i] < 0 || vertex[i] >= mesh->input_vertex_count || (i > 0 && vertex[i] <= vertex[i - 1]))
            return weft_fail(WEFT_BAD_INPUT, "group '%.64s': vertex %d is out of range (%d vertices) or out of order",
                             name, (int)vertex[i], (int)mesh->input_vertex_count);
    size_t groups = (size_t)mesh->vertex_group_count + 1;
    weft_vertex_group *larger = realloc(mesh->vertex_group, groups * sizeof *larger);
    if (!larger)
        return weft_fail_memory("mesh", groups * sizeof *larger);
    mesh->vertex_group = larger;
    weft_vertex_group made = {weft_copy_text(name), weft_allocate((size_t)count + 1, sizeof *made.vertex), count};
    if (!made.name || !made.vertex) {
        free(made.name);
        free(made.vertex);
        return weft_fail_memory("mesh", (size_t)count * sizeof *made.vertex);
    }
    if (count > 0)
        memcpy(made.vertex, vertex, (size_t)count * sizeof *made.vertex);
    larger[mesh->vertex_group_count++] = made;
    return weft_ok();
}

void weft_mesh_destroy(weft_mesh *mesh) {
    if (!mesh)
        return;
    for (int32_t g = 0; g < mesh->vertex_group_count; g++) {
        free(mesh->vertex_group[g].vertex);
        free(mesh->vertex_group[g].name);
    }
    free(mesh->vertex_group);
    for (int32_t g = 0; g < mesh->group_count; g++)
        free(mesh->group_name[g]);
    void *arrays[] = {mesh->group_name,
                      mesh->face_group,
                      mesh->source_vertex,
                      mesh->vertex_triangle,
                      mesh->vertex_triangle_start,
                      mesh->triangle_face,
                      mesh->triangle,
                      mesh->boundary_halfedge,
                      mesh->edge_halfedge,
                      mesh->face_halfedge,
                      mesh->vertex_halfedge,
                      mesh->edge,
                      mesh->face,
                      mesh->origin,
                      mesh->twin,
                      mesh->next,
                      mesh->halfedge_uv,
                      mesh->uv,
                      mesh->position,
                      mesh};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}
