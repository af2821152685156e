/* Reads meshes with Assimp and welds all nodes into one surface. Samples their animations. */
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
#include "io/assimp_pose.h"
#include "io/file.h"
#include "io/surface.h"
#include "weft-io/checkpoint.h"
#include "weft-io/mesh_file.h"

typedef struct reader {
    const char *path;
    const struct aiScene *scene;
    weft_pose_scene pose;
    weft_vec3 *place; /* of each vertex of the file as it is shown (pose.vertex_count) */
    weft_surface surface;
    int32_t *from; /* the vertex of the file that each vertex of the surface comes from (from_room) */
    size_t from_room;
    int32_t *slot; /* hash table of welded positions, WEFT_NONE if free (slot_count, a power of two) */
    size_t slot_count;
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

static int note_from(reader *r, int32_t place) {
    if (r->surface.position_count > r->from_room) {
        size_t room = 2 * r->surface.position_count + 256;
        int32_t *larger = realloc(r->from, room * sizeof *larger);
        if (!larger)
            return 0;
        r->from = larger;
        r->from_room = room;
    }
    r->from[r->surface.position_count - 1] = place;
    return 1;
}

static int weld(reader *r, int32_t place, int32_t *vertex) {
    weft_vec3 p = r->place[place];
    if (!grow_slots(r))
        return 0;
    size_t slot = slot_of(r, &p);
    if (r->slot[slot] == WEFT_NONE) {
        if (!weft_surface_add_position(&r->surface, p) || !note_from(r, place))
            return 0;
        r->slot[slot] = (int32_t)r->surface.position_count - 1;
    }
    *vertex = r->slot[slot];
    return 1;
}

/* -- meshes -- */

static weft_result fail_memory(const reader *r) { return weft_surface_fail(&r->surface, r->path); }

static weft_result place_vertices(reader *r, const weft_pose_mesh *m) {
    const struct aiMesh *mesh = m->mesh;
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        weft_vec3 *p = &r->place[m->first + (int32_t)v];
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
            return weft_fail(WEFT_BAD_INPUT, "%.280s: mesh '%.64s', vertex %u: the position is not finite", r->path,
                             mesh->mName.data, v);
        *p = (weft_vec3){p->x + 0.0, p->y + 0.0, p->z + 0.0}; /* -0 and 0 are the same position */
        if (mesh->mTextureCoords[0] &&
            !weft_surface_add_uv(
                &r->surface, (weft_vec2){(double)mesh->mTextureCoords[0][v].x, (double)mesh->mTextureCoords[0][v].y}))
            return fail_memory(r);
    }
    return weft_ok();
}

/* A face while it is added. */
typedef struct face_input {
    const struct aiFace *face;
    int32_t first;   /* vertex of the mesh among all */
    size_t first_uv; /* of the mesh */
    int has_uv, mirrored;
    int32_t group;
} face_input;

/* The i-th corner of a face in output order, or -1 if it coincides with the previous corner. */
static int64_t corner_of(const reader *r, const face_input *f, unsigned i) {
    unsigned n = f->face->mNumIndices;
    unsigned here = f->face->mIndices[f->mirrored ? n - 1 - i : i];
    unsigned before = f->face->mIndices[f->mirrored ? (n - i) % n : (i + n - 1) % n];
    return same(r->place[f->first + (int32_t)here], r->place[f->first + (int32_t)before]) ? -1 : (int64_t)here;
}

/* Merges consecutive corners at the same position. Skips faces that degenerate to lines or points, with their
 * vertices. */
static int add_face(reader *r, const face_input *f) {
    unsigned n = f->face->mNumIndices, corners = 0;
    for (unsigned i = 0; i < n; i++)
        corners += corner_of(r, f, i) >= 0;
    if (corners < 3)
        return 1;
    for (unsigned i = 0; i < n; i++) {
        int64_t here = corner_of(r, f, i);
        int32_t vertex = 0;
        if (here < 0)
            continue;
        int32_t uv = f->has_uv ? (int32_t)(f->first_uv + (size_t)here) : WEFT_NONE;
        if (!weld(r, f->first + (int32_t)here, &vertex) || !weft_surface_add_corner(&r->surface, vertex, uv))
            return 0;
    }
    return weft_surface_end_face(&r->surface, f->group);
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

static weft_result add_mesh(reader *r, const weft_pose_mesh *m) {
    const struct aiMesh *mesh = m->mesh;
    const struct aiString *name = mesh->mName.length > 0 ? &mesh->mName : &r->pose.node[m->node].node->mName;
    int named = name->length > 0;
    face_input f = {.first = m->first,
                    .first_uv = r->surface.uv_count,
                    .has_uv = mesh->mTextureCoords[0] != NULL,
                    .mirrored = weft_pose_mirrors(&r->pose, m)};
    if (!weft_surface_group(&r->surface, named ? name->data : "default", named ? name->length : 7, &f.group))
        return fail_memory(r);
    WEFT_TRY(place_vertices(r, m));
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        f.face = &mesh->mFaces[i];
        if (f.face->mNumIndices < 3)
            continue; /* skip points and lines */
        WEFT_TRY(check_face(r, mesh, i));
        if (!add_face(r, &f))
            return fail_memory(r);
    }
    return weft_ok();
}

/* Collects the surface as the file shows it. */
static weft_result read_surface(reader *r) {
    r->place = calloc((size_t)r->pose.vertex_count + 1, sizeof *r->place);
    if (!r->place)
        return weft_fail_memory(r->path, (size_t)r->pose.vertex_count * sizeof *r->place);
    WEFT_TRY(weft_pose_at(&r->pose, 0, r->place));
    for (int32_t i = 0; i < r->pose.mesh_count; i++)
        WEFT_TRY(add_mesh(r, &r->pose.mesh[i]));
    return weft_ok();
}

/* -- bones as groups of vertices -- */

/* A vertex belongs to the bone that moves it most. */
static const double GROUP_WEIGHT = 0.5;

/* Marks the vertices of the surface that a bone moves, and returns how many it marked. */
static int32_t mark_bone(const reader *r, const weft_pose_mesh *m, const struct aiBone *bone, char *marked) {
    int32_t count = 0;
    for (unsigned i = 0; i < bone->mNumWeights; i++) {
        unsigned v = bone->mWeights[i].mVertexId;
        if (v >= m->mesh->mNumVertices || !((double)bone->mWeights[i].mWeight > GROUP_WEIGHT))
            continue;
        int32_t vertex = r->slot[slot_of(r, &r->place[m->first + (int32_t)v])];
        if (vertex == WEFT_NONE || marked[vertex])
            continue;
        marked[vertex] = 1;
        count++;
    }
    return count;
}

static weft_result add_group(weft_mesh *mesh, const char *name, const char *marked, int32_t *vertex) {
    int32_t count = 0;
    for (int32_t v = 0; v < mesh->input_vertex_count; v++)
        if (marked[v])
            vertex[count++] = v;
    return weft_mesh_add_vertex_group(mesh, name, vertex, count);
}

static int was_added(const weft_mesh *mesh, const char *name) {
    for (int32_t g = 0; g < mesh->vertex_group_count; g++)
        if (strcmp(mesh->vertex_group[g].name, name) == 0)
            return 1;
    return 0;
}

/* One group for each name: a bone may move several meshes. */
static weft_result add_bone(const reader *r, const struct aiBone *bone, char *marked, int32_t *vertex,
                            weft_mesh *mesh) {
    int32_t count = 0;
    if (was_added(mesh, bone->mName.data))
        return weft_ok();
    memset(marked, 0, (size_t)mesh->input_vertex_count);
    for (int32_t i = 0; i < r->pose.mesh_count; i++) {
        const weft_pose_mesh *m = &r->pose.mesh[i];
        for (unsigned b = 0; b < m->mesh->mNumBones; b++)
            if (strcmp(m->mesh->mBones[b]->mName.data, bone->mName.data) == 0)
                count += mark_bone(r, m, m->mesh->mBones[b], marked);
    }
    return count > 0 ? add_group(mesh, bone->mName.data, marked, vertex) : weft_ok();
}

static weft_result add_bones(const reader *r, weft_mesh *mesh) {
    size_t room = (size_t)mesh->input_vertex_count + 1;
    char *marked = malloc(room);
    int32_t *vertex = malloc(room * sizeof *vertex);
    weft_result result = marked && vertex ? weft_ok() : weft_fail_memory(r->path, room * sizeof *vertex);
    for (int32_t i = 0; i < r->pose.mesh_count; i++)
        for (unsigned b = 0; b < r->pose.mesh[i].mesh->mNumBones && result.code == WEFT_OK; b++)
            result = add_bone(r, r->pose.mesh[i].mesh->mBones[b], marked, vertex, mesh);
    free(vertex);
    free(marked);
    return result;
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
        *scene = NULL;
        return weft_fail_memory(path, sizeof(struct aiFile));
    }
    return *scene ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "%.280s: %.180s", path, aiGetErrorString());
}

static weft_result open_reader(reader *r, const char *path, const char *ending, weft_soup *soup) {
    *r = (reader){.path = path, .surface = {.soup = soup}};
    if (ending[0] == '\0' || !aiIsExtensionSupported(ending))
        return fail_ending(path, ending);
    WEFT_TRY(weft_file_check_size(path, WEFT_MESH_FILE_MOST));
    if (access(path, R_OK) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(errno));
    WEFT_TRY(import(path, &r->scene));
    WEFT_TRY(weft_pose_create(r->scene, path, &r->pose));
    /* Assimp gives the targets of FBX files the weight 1 */
    r->pose.uses_weights = strcmp(ending, ".gltf") == 0 || strcmp(ending, ".glb") == 0;
    return read_surface(r);
}

static void close_reader(reader *r) {
    free(r->from);
    free(r->place);
    free(r->slot);
    weft_surface_free(&r->surface);
    weft_pose_free(&r->pose);
    aiReleaseImport(r->scene);
}

weft_result weft_assimp_read(const char *path, const char *ending, weft_mesh **mesh, weft_soup *soup) {
    reader r;
    *mesh = NULL;
    weft_result result = open_reader(&r, path, ending, soup);
    if (result.code == WEFT_OK)
        result = weft_surface_finish(&r.surface, path, mesh);
    if (result.code == WEFT_OK)
        result = add_bones(&r, *mesh);
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(*mesh);
        *mesh = NULL;
    }
    close_reader(&r);
    return result;
}

/* -- animation -- */

/* Positions that an animation may take, about 1 GB. */
static const int64_t MOST_POSITIONS = 40000000;
/* Samples per second that are enough for any motion of a body: 0.1 mm off at 50 m/s2. */
static const double ENOUGH = 240;

/* Chooses how densely to sample: at every step, or at every k-th step if that would take too much memory. */
static weft_result plan_samples(const reader *r, const weft_animation_wish *wish, int32_t vertices,
                                weft_body_frames *frames) {
    double length = weft_pose_length(&r->pose), rate = wish->rate;
    if (vertices * (ceil(length * rate) + 1) > (double)MOST_POSITIONS)
        length = fmin(length, fmax(0, wish->length));
    double over = ceil(vertices * (ceil(length * rate) + 2) / (double)MOST_POSITIONS);
    if (over > 1 && !wish->is_exact)
        rate = fmax(rate / over, fmin(rate, ENOUGH));
    double count = ceil(length * rate * (1 - 1e-12)) + 1;
    if (vertices * count > (double)MOST_POSITIONS)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.200s: animation '%.64s': %.4g s of %d vertices at %.4g samples per second need more than 1 "
                         "GB; use a coarser mesh, or give the body a lower `rate`",
                         r->path, r->pose.animation->mName.data, length, vertices, rate);
    frames->rate = rate;
    frames->frame_count = (int32_t)count;
    frames->vertex_count = vertices;
    return weft_ok();
}

static weft_result sample(reader *r, const weft_mesh *mesh, weft_body_frames *frames) {
    weft_vec3 *position = malloc((size_t)frames->frame_count * (size_t)mesh->vertex_count * sizeof *position);
    if (!position)
        return weft_fail_memory(r->path, (size_t)frames->frame_count * (size_t)mesh->vertex_count * sizeof *position);
    frames->position = position;
    for (int32_t i = 0; i < frames->frame_count; i++) {
        WEFT_TRY(weft_pose_at(&r->pose, i / frames->rate, r->place));
        for (int32_t v = 0; v < mesh->vertex_count; v++, position++) {
            *position = r->place[r->from[mesh->source_vertex[v]]];
            if (!isfinite(position->x) || !isfinite(position->y) || !isfinite(position->z))
                return weft_fail(WEFT_BAD_INPUT, "%.200s: animation '%.64s': vertex %d is not finite at %g s", r->path,
                                 r->pose.animation->mName.data, v, i / frames->rate);
        }
    }
    return weft_ok();
}

weft_result weft_assimp_animate(const char *path, const char *ending, const weft_animation_wish *wish,
                                const weft_mesh *mesh, weft_body_frames *frames, char *names, size_t size) {
    reader r;
    weft_soup soup;
    frames->position = NULL;
    frames->frame_count = 0;
    names[0] = '\0';
    weft_result result = open_reader(&r, path, ending, &soup);
    if (result.code == WEFT_OK && (int64_t)r.surface.position_count != mesh->input_vertex_count)
        result = weft_fail(WEFT_BAD_FILE, "%.300s: the file changed while it was read", path);
    if (result.code == WEFT_OK)
        result = weft_pose_choose(&r.pose, wish->name);
    if (result.code == WEFT_OK && r.pose.animation) {
        if (weft_pose_names(&r.pose, names, size) < 2)
            names[0] = '\0';
        result = plan_samples(&r, wish, mesh->vertex_count, frames);
        if (result.code == WEFT_OK)
            result = sample(&r, mesh, frames);
    }
    if (result.code != WEFT_OK) {
        free((void *)frames->position);
        frames->position = NULL;
        frames->frame_count = 0;
    }
    close_reader(&r);
    return result;
}
