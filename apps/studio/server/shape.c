/* Encodes the shapes of cloths and bodies as binary messages. */
#include <stdlib.h>

#include "apps/studio/server/frame.h"
#include "apps/studio/server/message_bytes.h"

static studio_shape *shape_create(int kind, int pane, int index, uint32_t version, size_t size) {
    studio_shape *shape = calloc(1, sizeof *shape);
    if (!shape)
        return NULL;
    shape->message.memory = malloc(STUDIO_FRONT + size);
    if (!shape->message.memory) {
        free(shape);
        return NULL;
    }
    shape->message.size = size;
    shape->version = version;
    shape->pane = pane;
    shape->kind = kind;
    shape->index = index;
    atomic_init(&shape->users, 1);
    return shape;
}

static unsigned char *put_head(studio_shape *shape, int32_t vertices) {
    unsigned char *at = shape->message.memory + STUDIO_FRONT;
    at = studio_put_u32(at, STUDIO_MAGIC);
    at = studio_put_u8(at, (uint8_t)shape->kind);
    at = studio_put_u8(at, (uint8_t)shape->pane);
    at = studio_put_u16(at, (uint16_t)shape->index);
    at = studio_put_u32(at, shape->version);
    return studio_put_u32(at, (uint32_t)vertices);
}

enum { HEAD = 16, CLOTH_HEAD = 16 };

/* Returns whether a face exists and is not cut open. Beyond a boundary the face is WEFT_NONE. */
static int is_whole(const uint8_t *open, int32_t face) { return face != WEFT_NONE && !open[face]; }

static int has_edge(const weft_mesh *mesh, const uint8_t *open, int32_t edge) {
    int32_t h = mesh->edge_halfedge[edge];
    return is_whole(open, mesh->face[h]) || is_whole(open, mesh->face[mesh->twin[h]]);
}

typedef struct cloth_counts {
    uint32_t triangles, wires, links;
} cloth_counts;

static cloth_counts count_parts(const weft_sim *sim, int32_t cloth) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    const uint8_t *open = weft_sim_open_faces(sim, cloth);
    cloth_counts counts = {0, 0, 0};
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        counts.triangles += !open[mesh->triangle_face[i]];
    for (int32_t i = 0; i < mesh->edge_count; i++)
        counts.wires += (uint32_t)has_edge(mesh, open, i);
    int32_t links = weft_sim_link_count(sim, cloth);
    for (int32_t i = 0; i < links; i++)
        counts.links += weft_sim_link(sim, cloth, i).stiffness > 0;
    return counts;
}

static unsigned char *put_surface(unsigned char *at, const weft_mesh *mesh, const uint8_t *open) {
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        if (!open[mesh->triangle_face[i]])
            at = studio_put(at, mesh->triangle[i], sizeof mesh->triangle[i]);
    for (int32_t i = 0; i < mesh->edge_count; i++)
        if (has_edge(mesh, open, i)) {
            int32_t h = mesh->edge_halfedge[i];
            at = studio_put_u32(at, (uint32_t)mesh->origin[h]);
            at = studio_put_u32(at, (uint32_t)mesh->origin[mesh->next[h]]);
        }
    return at;
}

static unsigned char *put_links(unsigned char *at, const unsigned char *start, const weft_sim *sim, int32_t cloth,
                                uint32_t kept) {
    unsigned char *rest = at + 8 * (size_t)kept, *stiffness = rest + 4 * (size_t)kept;
    unsigned char *type = stiffness + 4 * (size_t)kept;
    int32_t links = weft_sim_link_count(sim, cloth);
    for (int32_t i = 0; i < links; i++) {
        weft_link link = weft_sim_link(sim, cloth, i);
        if (!(link.stiffness > 0))
            continue;
        at = studio_put_u32(at, (uint32_t)link.a);
        at = studio_put_u32(at, (uint32_t)link.b);
        rest = studio_put_f32(rest, (float)link.rest_length);
        stiffness = studio_put_f32(stiffness, (float)link.stiffness);
        type = studio_put_u8(type, (uint8_t)link.type);
    }
    return studio_pad(type, start);
}

/* Writes the refinement level of each triangle: 0 for a mesh that does not change, or if memory is out. */
static unsigned char *put_levels(unsigned char *at, const unsigned char *start, const weft_sim *sim, int32_t cloth) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    const uint8_t *open = weft_sim_open_faces(sim, cloth);
    int32_t *level = weft_sim_changes(sim, cloth) ? malloc(((size_t)mesh->triangle_count + 1) * sizeof *level) : NULL;
    int known = level && weft_sim_generations(sim, cloth, level).code == WEFT_OK;
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        if (!open[mesh->triangle_face[i]])
            at = studio_put_u8(at, (uint8_t)(known ? level[i] : 0));
    free(level);
    return studio_pad(at, start);
}

/* The coordinates of a triangle's corner in the flat cloth. They differ between the two sides of a seam. */
static weft_vec2 corner_uv(const weft_mesh *mesh, int32_t triangle, int corner) {
    int32_t vertex = mesh->triangle[triangle][corner], first = mesh->face_halfedge[mesh->triangle_face[triangle]];
    int32_t h = first;
    while (mesh->origin[h] != vertex && mesh->next[h] != first)
        h = mesh->next[h];
    return mesh->halfedge_uv[h];
}

/* Writes the flat pattern: coordinates of all corners, and the group of each triangle. */
static unsigned char *put_pattern(unsigned char *at, const unsigned char *start, const weft_mesh *mesh,
                                  const uint8_t *open) {
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3 && !open[mesh->triangle_face[i]]; k++) {
            weft_vec2 uv = corner_uv(mesh, i, k);
            at = studio_put_f32(studio_put_f32(at, (float)uv.x), (float)uv.y);
        }
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        int32_t face = mesh->triangle_face[i], group = mesh->face_group ? mesh->face_group[face] : WEFT_NONE;
        if (!open[face])
            at = studio_put_u16(at, group < 0 || group >= UINT16_MAX ? UINT16_MAX : (uint16_t)group);
    }
    return studio_pad(at, start);
}

studio_shape *studio_shape_of_cloth(const weft_sim *sim, int32_t cloth, int pane, uint32_t version) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    cloth_counts counts = count_parts(sim, cloth);
    size_t vertices = (size_t)mesh->vertex_count;
    size_t size = HEAD + CLOTH_HEAD + 12 * (size_t)counts.triangles + 8 * (size_t)counts.wires +
                  16 * (size_t)counts.links + studio_padded(counts.links) + (mesh->uv ? 8 * vertices : 0) +
                  studio_padded(counts.triangles) +
                  (mesh->uv ? 24 * (size_t)counts.triangles + studio_padded(2 * (size_t)counts.triangles) : 0);
    studio_shape *shape = shape_create(STUDIO_KIND_CLOTH, pane, cloth, version, size);
    if (!shape)
        return NULL;
    const unsigned char *start = shape->message.memory + STUDIO_FRONT;
    unsigned char *at = put_head(shape, mesh->vertex_count);
    at = studio_put_u32(at, counts.triangles);
    at = studio_put_u32(at, counts.wires);
    at = studio_put_u32(at, counts.links);
    at = studio_put_u32(at, mesh->uv != NULL);
    at = put_surface(at, mesh, weft_sim_open_faces(sim, cloth));
    at = put_links(at, start, sim, cloth, counts.links);
    for (size_t i = 0; mesh->uv && i < vertices; i++) {
        at = studio_put_f32(at, (float)mesh->uv[i].x);
        at = studio_put_f32(at, (float)mesh->uv[i].y);
    }
    at = put_levels(at, start, sim, cloth);
    if (mesh->uv) /* then corners have coordinates too */
        put_pattern(at, start, mesh, weft_sim_open_faces(sim, cloth));
    return shape;
}

studio_shape *studio_shape_of_body(const weft_body_surface *surface, int32_t body, int pane, uint32_t version) {
    size_t vertices = (size_t)surface->vertex_count, triangles = (size_t)surface->triangle_count;
    studio_shape *shape =
        shape_create(STUDIO_KIND_BODY, pane, body, version, HEAD + 4 + 12 * vertices + 12 * triangles);
    if (!shape)
        return NULL;
    unsigned char *at = put_head(shape, surface->vertex_count);
    at = studio_put_u32(at, (uint32_t)surface->triangle_count);
    for (size_t i = 0; i < vertices; i++) {
        at = studio_put_f32(at, (float)surface->position[i].x);
        at = studio_put_f32(at, (float)surface->position[i].y);
        at = studio_put_f32(at, (float)surface->position[i].z);
    }
    studio_put(at, surface->triangle, 12 * triangles);
    return shape;
}
