/* Reads meshes with Assimp and welds all nodes into one surface. */
#include "io/assimp_read.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/assimp_files.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/surface.h"

typedef struct reader {
    const char *path;
    const struct aiScene *scene;
    weft_surface surface;
    int32_t *slot; /* hash table of welded positions, WEFT_NONE if free (slot_count, a power of two) */
    size_t slot_count;
    weft_vec3 *place; /* of each vertex of the current mesh, after its transform (mNumVertices) */
} reader;

/* -- welding: file formats split vertices by normal and texture; a cloth must stay connected there -- */

static int same(weft_vec3 a, weft_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static size_t slot_of(const reader *r, const weft_vec3 *p) {
    size_t slot = weft_hash_bytes(WEFT_HASH_START, p, sizeof *p) & (r->slot_count - 1);
    while (r->slot[slot] != WEFT_NONE && !same(r->surface.position[r->slot[slot]], *p))
        slot = (slot + 1) & (r->slot_count - 1);
    return slot;
}

static int grow_slots(reader *r) {
    if (2 * r->surface.position_count < r->slot_count)
        return 1;
    size_t wanted = r->slot_count > 0 ? 4 * r->slot_count : 1024;
    int32_t *slot = malloc(wanted * sizeof *slot);
    if (!slot)
        return 0;
    free(r->slot);
    r->slot = slot;
    r->slot_count = wanted;
    for (size_t i = 0; i < wanted; i++)
        slot[i] = WEFT_NONE;
    for (size_t v = 0; v < r->surface.position_count; v++)
        slot[slot_of(r, &r->surface.position[v])] = (int32_t)v;
    return 1;
}

static int weld(reader *r, weft_vec3 p, int32_t *vertex) {
    if (!grow_slots(r))
        return 0;
    size_t slot = slot_of(r, &p);
    if (r->slot[slot] == WEFT_NONE) {
        if (!weft_surface_add_position(&r->surface, p))
            return 0;
        r->slot[slot] = (int32_t)r->surface.position_count - 1;
    }
    *vertex = r->slot[slot];
    return 1;
}

/* -- nodes -- */

typedef struct transform {
    double m[3][4];
} transform;

static transform compose(const transform *outer, const struct aiMatrix4x4 *inner) {
    const double n[4][4] = {{inner->a1, inner->a2, inner->a3, inner->a4},
                            {inner->b1, inner->b2, inner->b3, inner->b4},
                            {inner->c1, inner->c2, inner->c3, inner->c4},
                            {0, 0, 0, 1}};
    transform product;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            product.m[i][j] = outer->m[i][0] * n[0][j] + outer->m[i][1] * n[1][j] + outer->m[i][2] * n[2][j] +
                              outer->m[i][3] * n[3][j];
    return product;
}

static weft_vec3 apply(const transform *t, struct aiVector3D p) {
    const double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    return (weft_vec3){t->m[0][0] * x + t->m[0][1] * y + t->m[0][2] * z + t->m[0][3],
                       t->m[1][0] * x + t->m[1][1] * y + t->m[1][2] * z + t->m[1][3],
                       t->m[2][0] * x + t->m[2][1] * y + t->m[2][2] * z + t->m[2][3]};
}

/* A mirroring transform reverses the winding of faces. The caller then reverses the corners to keep the outside. */
static int mirrors(const transform *t) {
    const double(*m)[4] = t->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}

static weft_result fail_memory(const reader *r) { return weft_surface_fail(&r->surface, r->path); }

static weft_result place_vertices(reader *r, const struct aiMesh *mesh, const transform *t) {
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        weft_vec3 p = apply(t, mesh->mVertices[v]);
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return weft_fail(WEFT_BAD_INPUT, "%.280s: mesh '%.64s', vertex %u: the position is not finite", r->path,
                             mesh->mName.data, v);
        r->place[v] = (weft_vec3){p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* -0 and 0 are the same position */
        if (mesh->mTextureCoords[0] &&
            !weft_surface_add_uv(
                &r->surface, (weft_vec2){(double)mesh->mTextureCoords[0][v].x, (double)mesh->mTextureCoords[0][v].y}))
            return fail_memory(r);
    }
    return weft_ok();
}

/* The i-th corner of a face in output order, or -1 if it coincides with the previous corner. */
static int64_t corner_of(const reader *r, const struct aiFace *face, unsigned i, int mirrored) {
    unsigned n = face->mNumIndices;
    unsigned here = face->mIndices[mirrored ? n - 1 - i : i];
    unsigned before = face->mIndices[mirrored ? (n - i) % n : (i + n - 1) % n];
    return same(r->place[here], r->place[before]) ? -1 : (int64_t)here;
}

/* Merges consecutive corners at the same position. Skips faces that degenerate to lines or points, with their
 * vertices. */
static int add_face(reader *r, const struct aiMesh *mesh, const struct aiFace *face, size_t first_uv, int mirrored,
                    int32_t group) {
    unsigned n = face->mNumIndices, corners = 0;
    for (unsigned i = 0; i < n; i++)
        corners += corner_of(r, face, i, mirrored) >= 0;
    if (corners < 3)
        return 1;
    for (unsigned i = 0; i < n; i++) {
        int64_t here = corner_of(r, face, i, mirrored);
        int32_t vertex = 0;
        if (here < 0)
            continue;
        int32_t uv = mesh->mTextureCoords[0] ? (int32_t)(first_uv + (size_t)here) : WEFT_NONE;
        if (!weld(r, r->place[here], &vertex) || !weft_surface_add_corner(&r->surface, vertex, uv))
            return 0;
    }
    return weft_surface_end_face(&r->surface, group);
}

static weft_result check_face(const reader *r, const struct aiMesh *mesh, unsigned index) {
    const struct aiFace *face = &mesh->mFaces[index];
    for (unsigned i = 0; i < face->mNumIndices; i++)
        if (face->mIndices[i] >= mesh->mNumVertices)
            return weft_fail(WEFT_BAD_INPUT,
                             "%.280s: mesh '%.64s', face %u: vertex index out of range: %u (%u vertices)", r->path,
                             mesh->mName.data, index, face->mIndices[i], mesh->mNumVertices);
    return weft_ok();
}

static weft_result add_mesh(reader *r, const struct aiMesh *mesh, const struct aiNode *node, const transform *t) {
    const struct aiString *name = mesh->mName.length > 0 ? &mesh->mName : &node->mName;
    size_t first_uv = r->surface.uv_count;
    int32_t group;
    int named = name->length > 0;
    if (!weft_surface_group(&r->surface, named ? name->data : "default", named ? name->length : 7, &group))
        return fail_memory(r);
    free(r->place);
    r->place = calloc((size_t)mesh->mNumVertices + 1, sizeof *r->place);
    if (!r->place)
        return weft_fail_memory(r->path, mesh->mNumVertices * sizeof *r->place);
    WEFT_TRY(place_vertices(r, mesh, t));
    int mirrored = mirrors(t);
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        if (mesh->mFaces[f].mNumIndices < 3)
            continue; /* skip points and lines */
        WEFT_TRY(check_face(r, mesh, f));
        if (!add_face(r, mesh, &mesh->mFaces[f], first_uv, mirrored, group))
            return fail_memory(r);
    }
    return weft_ok();
}

enum { MOST_DEPTH = 256 };

static weft_result add_node(reader *r, const struct aiNode *node, const transform *outer, int depth) {
    if (depth > MOST_DEPTH)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: nodes nest deeper than %d", r->path, MOST_DEPTH);
    transform here = compose(outer, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        WEFT_TRY(add_mesh(r, r->scene->mMeshes[node->mMeshes[i]], node, &here));
    for (unsigned i = 0; i < node->mNumChildren; i++)
        WEFT_TRY(add_node(r, node->mChildren[i], &here, depth + 1));
    return weft_ok();
}

/* -- files -- */

static weft_result fail_ending(const char *path, const char *ending) {
    return weft_fail(WEFT_BAD_INPUT,
                     "%.280s: meshes with the ending '%s' cannot be read; supported are .obj, .ply, .fbx, .gltf, .glb, "
                     ".stl and .dae",
                     path, ending);
}

/* Uses no post-processing that triangulates or reorders. GlobalScale converts to metres where the file states its unit
 * (FBX). */
static weft_result import(const char *path, const struct aiScene **scene) {
    weft_assimp_files files = {.out_of_memory = 0};
    struct aiPropertyStore *store = weft_assimp_files_open(path, &files) ? aiCreatePropertyStore() : NULL;
    *scene = NULL;
    if (store) {
        aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1);
        *scene = aiImportFileExWithProperties(path, aiProcess_GlobalScale | aiProcess_ValidateDataStructure, &files.io,
                                              store);
        aiReleasePropertyStore(store);
    }
    if (files.out_of_memory) {
        aiReleaseImport(*scene);
        return weft_fail_memory(path, sizeof(struct aiFile));
    }
    return *scene ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "%.280s: %.180s", path, aiGetErrorString());
}

weft_result weft_assimp_read(const char *path, const char *ending, weft_mesh **mesh, weft_soup *soup) {
    static const transform IDENTITY = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    *mesh = NULL;
    if (ending[0] == '\0' || !aiIsExtensionSupported(ending))
        return fail_ending(path, ending);
    WEFT_TRY(weft_file_check_size(path, WEFT_MESH_FILE_MOST));
    if (access(path, R_OK) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(errno));
    reader r = {.path = path, .surface = {.soup = soup}};
    WEFT_TRY(import(path, &r.scene));
    weft_result result = r.scene->mRootNode ? add_node(&r, r.scene->mRootNode, &IDENTITY, 0)
                                            : weft_fail(WEFT_BAD_INPUT, "%.300s: holds no surface", path);
    if (result.code == WEFT_OK)
        result = weft_surface_finish(&r.surface, path, mesh);
    free(r.place);
    free(r.slot);
    weft_surface_free(&r.surface);
    aiReleaseImport(r.scene);
    return result;
}
