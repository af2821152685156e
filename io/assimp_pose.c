/* Poses of an Assimp scene. */
#include "io/assimp_pose.h"

#include <assimp/cimport.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/mesh.h"

enum { MOST_DEPTH = 256 };

/* -- transforms -- */

static weft_transform from_matrix(const struct aiMatrix4x4 *m) {
    return (weft_transform){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                             {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                             {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

static weft_transform compose(const weft_transform *outer, const weft_transform *inner) {
    weft_transform product;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            product.m[i][j] = outer->m[i][0] * inner->m[0][j] + outer->m[i][1] * inner->m[1][j] +
                              outer->m[i][2] * inner->m[2][j] + (j == 3 ? outer->m[i][3] : 0);
    return product;
}

static weft_vec3 apply(const weft_transform *t, weft_vec3 p) {
    return (weft_vec3){t->m[0][0] * p.x + t->m[0][1] * p.y + t->m[0][2] * p.z + t->m[0][3],
                       t->m[1][0] * p.x + t->m[1][1] * p.y + t->m[1][2] * p.z + t->m[1][3],
                       t->m[2][0] * p.x + t->m[2][1] * p.y + t->m[2][2] * p.z + t->m[2][3]};
}

/* -- keys -- */

/* The last key at or before `time`, and how far the time is on the way to the next, 0 to 1. */
static unsigned find_key(const void *keys, size_t size, unsigned count, double time, double *part) {
    unsigned low = 0, high = count;
    double here, next;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        memcpy(&here, (const char *)keys + middle * size, sizeof here); /* mTime comes first */
        if (here <= time)
            low = middle;
        else
            high = middle;
    }
    *part = 0;
    if (low + 1 >= count)
        return low;
    memcpy(&here, (const char *)keys + low * size, sizeof here);
    memcpy(&next, (const char *)keys + (low + 1) * size, sizeof next);
    if (time > here && next > here)
        *part = fmin(1, (time - here) / (next - here));
    return low;
}

static weft_vec3 vector_at(const struct aiVectorKey *key, unsigned count, double time) {
    double part;
    unsigned i = find_key(key, sizeof *key, count, time, &part), k = i + 1 < count ? i + 1 : i;
    const struct aiVector3D *a = &key[i].mValue, *b = &key[k].mValue;
    return (weft_vec3){(double)a->x + part * ((double)b->x - (double)a->x),
                       (double)a->y + part * ((double)b->y - (double)a->y),
                       (double)a->z + part * ((double)b->z - (double)a->z)};
}

typedef struct quaternion {
    double w, x, y, z;
} quaternion;

static quaternion from_quaternion(const struct aiQuaternion *q) {
    return (quaternion){(double)q->w, (double)q->x, (double)q->y, (double)q->z};
}

static quaternion unit(quaternion q) {
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0))
        return (quaternion){1, 0, 0, 0};
    return (quaternion){q.w / length, q.x / length, q.y / length, q.z / length};
}

/* The shorter way round, at constant speed. */
static quaternion rotation_at(const struct aiQuatKey *key, unsigned count, double time) {
    double part;
    unsigned i = find_key(key, sizeof *key, count, time, &part), k = i + 1 < count ? i + 1 : i;
    quaternion a = unit(from_quaternion(&key[i].mValue)), b = unit(from_quaternion(&key[k].mValue));
    double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    if (cosine < 0)
        b = (quaternion){-b.w, -b.x, -b.y, -b.z};
    double angle = acos(fmin(1, fabs(cosine))), sine = sin(angle);
    double from = sine > 1e-6 ? sin((1 - part) * angle) / sine : 1 - part;
    double to = sine > 1e-6 ? sin(part * angle) / sine : part;
    return unit(
        (quaternion){from * a.w + to * b.w, from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z});
}

static weft_transform transform_of(weft_vec3 at, quaternion q, weft_vec3 scale) {
    return (weft_transform){{{(1 - 2 * (q.y * q.y + q.z * q.z)) * scale.x, 2 * (q.x * q.y - q.z * q.w) * scale.y,
                              2 * (q.x * q.z + q.y * q.w) * scale.z, at.x},
                             {2 * (q.x * q.y + q.z * q.w) * scale.x, (1 - 2 * (q.x * q.x + q.z * q.z)) * scale.y,
                              2 * (q.y * q.z - q.x * q.w) * scale.z, at.y},
                             {2 * (q.x * q.z - q.y * q.w) * scale.x, 2 * (q.y * q.z + q.x * q.w) * scale.y,
                              (1 - 2 * (q.x * q.x + q.y * q.y)) * scale.z, at.z}}};
}

static weft_transform channel_at(const struct aiNodeAnim *channel, const struct aiNode *node, double time) {
    struct aiVector3D scaling, position;
    struct aiQuaternion rotation;
    aiDecomposeMatrix(&node->mTransformation, &scaling, &rotation, &position);
    weft_vec3 at = {(double)position.x, (double)position.y, (double)position.z};
    weft_vec3 scale = {(double)scaling.x, (double)scaling.y, (double)scaling.z};
    quaternion turn = unit(from_quaternion(&rotation));
    if (channel->mNumPositionKeys > 0)
        at = vector_at(channel->mPositionKeys, channel->mNumPositionKeys, time);
    if (channel->mNumScalingKeys > 0)
        scale = vector_at(channel->mScalingKeys, channel->mNumScalingKeys, time);
    if (channel->mNumRotationKeys > 0)
        turn = rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, time);
    return transform_of(at, turn, scale);
}

static double track_at(const weft_track *track, double time) {
    double part;
    int32_t i = (int32_t)find_key(track->time, sizeof *track->time, (unsigned)track->count, time, &part);
    double next = i + 1 < track->count ? track->value[i + 1] : track->value[i];
    return track->value[i] + part * (next - track->value[i]);
}

/* -- collecting -- */

static weft_result fail_memory(const weft_pose_scene *pose) {
    return weft_fail_memory(pose->path, (size_t)pose->node_count * sizeof *pose->node);
}

static weft_result count_nodes(weft_pose_scene *pose, const struct aiNode *node, int depth) {
    if (depth > MOST_DEPTH)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: nodes nest deeper than %d", pose->path, MOST_DEPTH);
    int64_t vertices = pose->vertex_count;
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        vertices += pose->scene->mMeshes[node->mMeshes[i]]->mNumVertices;
    if (vertices > WEFT_MESH_LIMIT || pose->node_count >= WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: more vertices or nodes than are allowed (%d)", pose->path,
                         WEFT_MESH_LIMIT);
    pose->vertex_count = (int32_t)vertices;
    pose->mesh_count += (int32_t)node->mNumMeshes;
    pose->node_count++;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        WEFT_TRY(count_nodes(pose, node->mChildren[i], depth + 1));
    return weft_ok();
}

static void list_nodes(weft_pose_scene *pose, const struct aiNode *node, int32_t parent, int32_t *vertex) {
    int32_t here = pose->node_count++;
    pose->node[here] = (weft_pose_node){.node = node, .parent = parent};
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = pose->scene->mMeshes[node->mMeshes[i]];
        pose->mesh[pose->mesh_count++] = (weft_pose_mesh){.mesh = mesh, .node = here, .first = *vertex};
        *vertex += (int32_t)mesh->mNumVertices;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++)
        list_nodes(pose, node->mChildren[i], here, vertex);
}

static int32_t find_node(const weft_pose_scene *pose, const struct aiString *name) {
    for (int32_t i = 0; i < pose->node_count; i++) {
        const struct aiString *there = &pose->node[i].node->mName;
        if (there->length == name->length && memcmp(there->data, name->data, name->length) == 0)
            return i;
    }
    return -1;
}

static weft_result prepare_mesh(weft_pose_scene *pose, weft_pose_mesh *m) {
    m->bone = calloc((size_t)m->mesh->mNumBones + 1, sizeof *m->bone);
    m->morph = calloc((size_t)m->mesh->mNumAnimMeshes + 1, sizeof *m->morph);
    if (!m->bone || !m->morph)
        return fail_memory(pose);
    for (unsigned b = 0; b < m->mesh->mNumBones; b++)
        m->bone[b] = find_node(pose, &m->mesh->mBones[b]->mName);
    return weft_ok();
}

weft_result weft_pose_create(const struct aiScene *scene, const char *path, weft_pose_scene *pose) {
    *pose = (weft_pose_scene){.scene = scene, .path = path};
    if (!scene->mRootNode)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: holds no surface", path);
    WEFT_TRY(count_nodes(pose, scene->mRootNode, 0));
    int32_t vertex = 0;
    pose->node = calloc((size_t)pose->node_count, sizeof *pose->node);
    pose->mesh = calloc((size_t)pose->mesh_count + 1, sizeof *pose->mesh);
    pose->weight = calloc((size_t)pose->vertex_count + 1, sizeof *pose->weight);
    pose->node_count = pose->mesh_count = 0;
    if (!pose->node || !pose->mesh || !pose->weight)
        return fail_memory(pose);
    list_nodes(pose, scene->mRootNode, -1, &vertex);
    for (int32_t i = 0; i < pose->mesh_count; i++)
        WEFT_TRY(prepare_mesh(pose, &pose->mesh[i]));
    return weft_ok();
}

static void free_tracks(weft_pose_mesh *m) {
    for (unsigned k = 0; m->morph && k < m->mesh->mNumAnimMeshes; k++) {
        free(m->morph[k].time);
        free(m->morph[k].value);
        m->morph[k] = (weft_track){0};
    }
}

void weft_pose_free(weft_pose_scene *pose) {
    for (int32_t i = 0; pose->mesh && i < pose->mesh_count; i++) {
        free_tracks(&pose->mesh[i]);
        free(pose->mesh[i].morph);
        free(pose->mesh[i].bone);
    }
    free(pose->weight);
    free(pose->mesh);
    free(pose->node);
    *pose = (weft_pose_scene){0};
}

/* -- animations -- */

static int moves(const struct aiAnimation *a) { return a->mNumChannels > 0 || a->mNumMorphMeshChannels > 0; }

int32_t weft_pose_names(const weft_pose_scene *pose, char *text, size_t size) {
    int32_t count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < pose->scene->mNumAnimations; i++) {
        const struct aiAnimation *a = pose->scene->mAnimations[i];
        if (!moves(a))
            continue;
        if (used + 1 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%.60s", count > 0 ? ", " : "", a->mName.data);
        count++;
    }
    return count;
}

/* Blender writes "Armature|walk" into FBX files for its action "walk". */
static int is_named(const struct aiAnimation *a, const char *name) {
    const char *bar = strrchr(a->mName.data, '|');
    return strcmp(a->mName.data, name) == 0 || (bar && strcmp(bar + 1, name) == 0);
}

static const struct aiAnimation *find_animation(const weft_pose_scene *pose, const char *name) {
    for (unsigned i = 0; i < pose->scene->mNumAnimations; i++) {
        const struct aiAnimation *a = pose->scene->mAnimations[i];
        if (moves(a) && (!name[0] || is_named(a, name)))
            return a;
    }
    return NULL;
}

static int add_value(weft_track *track, double time, double value) {
    if ((track->count & (track->count - 1)) == 0) { /* the room is the next power of two */
        size_t room = track->count > 0 ? 2 * (size_t)track->count : 1;
        double *times = realloc(track->time, room * sizeof *times);
        track->time = times ? times : track->time;
        double *values = realloc(track->value, room * sizeof *values);
        track->value = values ? values : track->value;
        if (!times || !values)
            return 0;
    }
    track->time[track->count] = time;
    track->value[track->count++] = value;
    return 1;
}

/* A channel names its node; in FBX files "*" and a number follow. */
static int is_for_node(const struct aiMeshMorphAnim *channel, const struct aiNode *node) {
    size_t length = node->mName.length;
    return strncmp(channel->mName.data, node->mName.data, length) == 0 &&
           (channel->mName.data[length] == '\0' || channel->mName.data[length] == '*');
}

static weft_result read_tracks(weft_pose_scene *pose, weft_pose_mesh *m, const struct aiMeshMorphAnim *channel) {
    for (unsigned i = 0; i < channel->mNumKeys; i++) {
        const struct aiMeshMorphKey *key = &channel->mKeys[i];
        for (unsigned k = 0; k < key->mNumValuesAndWeights; k++)
            if (key->mValues[k] < m->mesh->mNumAnimMeshes &&
                !add_value(&m->morph[key->mValues[k]], key->mTime, key->mWeights[k]))
                return fail_memory(pose);
    }
    return weft_ok();
}

weft_result weft_pose_choose(weft_pose_scene *pose, const char *name) {
    char names[300];
    int32_t count = weft_pose_names(pose, names, sizeof names);
    pose->animation = find_animation(pose, name);
    if (!pose->animation && name[0])
        return weft_fail(WEFT_BAD_INPUT, "%.200s: no animation '%.64s'; %s%s", pose->path, name,
                         count > 0 ? "there is: " : "the file has none", count > 0 ? names : "");
    const struct aiAnimation *a = pose->animation;
    for (unsigned i = 0; a && i < a->mNumChannels; i++) {
        int32_t node = find_node(pose, &a->mChannels[i]->mNodeName);
        if (node >= 0)
            pose->node[node].channel = a->mChannels[i];
    }
    for (int32_t i = 0; a && i < pose->mesh_count; i++)
        for (unsigned k = 0; k < a->mNumMorphMeshChannels; k++)
            if (is_for_node(a->mMorphMeshChannels[k], pose->node[pose->mesh[i].node].node))
                WEFT_TRY(read_tracks(pose, &pose->mesh[i], a->mMorphMeshChannels[k]));
    return weft_ok();
}

static double ticks_per_second(const struct aiAnimation *a) { return a->mTicksPerSecond > 0 ? a->mTicksPerSecond : 25; }

double weft_pose_length(const weft_pose_scene *pose) {
    const struct aiAnimation *a = pose->animation;
    double last = 0;
    for (unsigned i = 0; a && i < a->mNumChannels; i++) {
        const struct aiNodeAnim *c = a->mChannels[i];
        if (c->mNumPositionKeys > 0)
            last = fmax(last, c->mPositionKeys[c->mNumPositionKeys - 1].mTime);
        if (c->mNumRotationKeys > 0)
            last = fmax(last, c->mRotationKeys[c->mNumRotationKeys - 1].mTime);
        if (c->mNumScalingKeys > 0)
            last = fmax(last, c->mScalingKeys[c->mNumScalingKeys - 1].mTime);
    }
    for (unsigned i = 0; a && i < a->mNumMorphMeshChannels; i++) {
        const struct aiMeshMorphAnim *c = a->mMorphMeshChannels[i];
        if (c->mNumKeys > 0)
            last = fmax(last, c->mKeys[c->mNumKeys - 1].mTime);
    }
    return a ? last / ticks_per_second(a) : 0;
}

/* -- poses -- */

static void place_nodes(weft_pose_scene *pose, double ticks) {
    for (int32_t i = 0; i < pose->node_count; i++) {
        weft_pose_node *n = &pose->node[i];
        weft_transform local =
            n->channel ? channel_at(n->channel, n->node, ticks) : from_matrix(&n->node->mTransformation);
        n->global = n->parent >= 0 ? compose(&pose->node[n->parent].global, &local) : local;
    }
}

/* In the space of the mesh, with its morph targets. */
static void morph_vertices(const weft_pose_mesh *m, double ticks, double weight_of_file, weft_vec3 *p) {
    const struct aiMesh *mesh = m->mesh;
    for (unsigned v = 0; v < mesh->mNumVertices; v++)
        p[v] = (weft_vec3){(double)mesh->mVertices[v].x, (double)mesh->mVertices[v].y, (double)mesh->mVertices[v].z};
    for (unsigned k = 0; k < mesh->mNumAnimMeshes; k++) {
        const struct aiAnimMesh *target = mesh->mAnimMeshes[k];
        double w = m->morph[k].count > 0 ? track_at(&m->morph[k], ticks) : weight_of_file * (double)target->mWeight;
        if (w == 0 || !target->mVertices || target->mNumVertices != mesh->mNumVertices)
            continue;
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            p[v].x += w * ((double)target->mVertices[v].x - (double)mesh->mVertices[v].x);
            p[v].y += w * ((double)target->mVertices[v].y - (double)mesh->mVertices[v].y);
            p[v].z += w * ((double)target->mVertices[v].z - (double)mesh->mVertices[v].z);
        }
    }
}

/* The weighted mean of what the bones do to it; vertices without bones move with the node of the mesh. */
static weft_result skin_vertices(weft_pose_scene *pose, const weft_pose_mesh *m, weft_vec3 *p) {
    const struct aiMesh *mesh = m->mesh;
    const weft_transform *own = &pose->node[m->node].global;
    double *sum = pose->weight;
    memset(sum, 0, mesh->mNumVertices * sizeof *sum);
    weft_vec3 *moved = calloc((size_t)mesh->mNumVertices + 1, sizeof *moved);
    if (!moved)
        return fail_memory(pose);
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        if (m->bone[b] < 0)
            continue;
        weft_transform offset = from_matrix(&bone->mOffsetMatrix);
        weft_transform whole = compose(&pose->node[m->bone[b]].global, &offset);
        for (unsigned i = 0; i < bone->mNumWeights; i++) {
            unsigned v = bone->mWeights[i].mVertexId;
            double w = (double)bone->mWeights[i].mWeight;
            if (v >= mesh->mNumVertices || !(w > 0))
                continue;
            weft_vec3 q = apply(&whole, p[v]);
            moved[v] = (weft_vec3){moved[v].x + w * q.x, moved[v].y + w * q.y, moved[v].z + w * q.z};
            sum[v] += w;
        }
    }
    for (unsigned v = 0; v < mesh->mNumVertices; v++)
        p[v] =
            sum[v] > 0 ? (weft_vec3){moved[v].x / sum[v], moved[v].y / sum[v], moved[v].z / sum[v]} : apply(own, p[v]);
    free(moved);
    return weft_ok();
}

weft_result weft_pose_at(weft_pose_scene *pose, double time, weft_vec3 *position) {
    double ticks = pose->animation ? time * ticks_per_second(pose->animation) : 0;
    place_nodes(pose, ticks);
    for (int32_t i = 0; i < pose->mesh_count; i++) {
        const weft_pose_mesh *m = &pose->mesh[i];
        weft_vec3 *p = position + m->first;
        morph_vertices(m, ticks, pose->uses_weights, p);
        if (m->mesh->mNumBones > 0) {
            WEFT_TRY(skin_vertices(pose, m, p));
            continue;
        }
        for (unsigned v = 0; v < m->mesh->mNumVertices; v++)
            p[v] = apply(&pose->node[m->node].global, p[v]);
    }
    return weft_ok();
}

int weft_pose_mirrors(const weft_pose_scene *pose, const weft_pose_mesh *mesh) {
    weft_transform t = pose->node[mesh->node].global;
    if (mesh->mesh->mNumBones > 0 && mesh->bone[0] >= 0) {
        weft_transform offset = from_matrix(&mesh->mesh->mBones[0]->mOffsetMatrix);
        t = compose(&pose->node[mesh->bone[0]].global, &offset);
    }
    const double(*m)[4] = t.m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}
