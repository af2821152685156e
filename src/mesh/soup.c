/* Meshes from non-manifold polygons. An edge is split if it has more than two faces, or two faces with inconsistent
 * winding. Faces without area are dropped. */
#include "core/memory.h"
#include "core/require.h"
#include "mesh/stages.h"

/* Copies the sound faces of `all` into `part`, whose arrays have room for all of them. */
static void keep_sound(const weft_polygons *all, int32_t *corner, int32_t *face_size, weft_polygons *sound) {
    const int32_t *from = all->corner;
    sound->corner_count = sound->face_count = 0;
    for (int64_t f = 0; f < all->face_count; f++) {
        int32_t size = all->face_size[f];
        if (weft_face_is_sound(all, from, size)) {
            memcpy(corner + sound->corner_count, from, (size_t)size * sizeof *corner);
            sound->corner_count += size;
            face_size[sound->face_count++] = size;
        }
        from += size;
    }
    sound->corner = corner;
    sound->face_size = face_size;
}

/* Whether sizes and corners are in range, so that faces can be inspected. */
static int can_be_inspected(const weft_polygons *p) {
    int64_t total = 0;
    for (int64_t f = 0; f < p->face_count; f++) {
        if (p->face_size[f] < 3 || p->face_size[f] > WEFT_FACE_SIZE_LIMIT || total > p->corner_count)
            return 0;
        total += p->face_size[f];
    }
    for (int64_t c = 0; c < p->corner_count; c++)
        if (p->corner[c] < 0 || p->corner[c] >= p->vertex_count)
            return 0;
    return total == p->corner_count && p->vertex_count <= WEFT_MESH_LIMIT && p->corner_count <= WEFT_MESH_LIMIT;
}

weft_result weft_mesh_create_soup(const weft_polygons *polygons, weft_mesh **mesh, weft_soup *soup) {
    WEFT_REQUIRE(polygons);
    WEFT_REQUIRE(mesh);
    WEFT_REQUIRE(soup);
    weft_polygons sound = *polygons;
    weft_mesh_hint hint = {NULL, NULL, soup};
    *mesh = NULL;
    *soup = (weft_soup){0};
    sound.name = polygons->name ? polygons->name : "mesh";
    if (!can_be_inspected(&sound))
        return weft_mesh_build(&sound, &hint, mesh); /* reports why */
    int32_t *corner = weft_allocate((size_t)sound.corner_count, sizeof *corner);
    int32_t *face_size = weft_allocate((size_t)sound.face_count, sizeof *face_size);
    weft_result result = weft_fail_memory("mesh", (size_t)sound.corner_count * sizeof *corner);
    if (corner && face_size) {
        sound.corner_uv = NULL; /* bodies do not use rest coordinates */
        sound.face_group = NULL;
        sound.group_count = 0;
        keep_sound(polygons, corner, face_size, &sound);
        soup->faces = polygons->face_count - sound.face_count;
        weft_polygons unsound = *polygons;
        unsound.corner_uv = NULL;
        unsound.name = sound.name;
        result = weft_mesh_build(sound.face_count > 0 ? &sound : &unsound, &hint, mesh); /* the latter reports why */
    }
    free(face_size);
    free(corner);
    return result;
}
