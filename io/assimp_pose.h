/* Poses of an Assimp scene: transforms of nodes, skinning by bones and morph targets, at rest or at a time of an
 * animation. */
#ifndef WEFT_IO_ASSIMP_POSE_H
#define WEFT_IO_ASSIMP_POSE_H

#include <assimp/scene.h>

#include "weft/base.h"

typedef struct weft_transform {
    double m[3][4];
} weft_transform;

/* Values over time. Linear between the times, constant before the first and after the last. */
typedef struct weft_track {
    double *time, *value; /* ticks (count) */
    int32_t count;
} weft_track;

typedef struct weft_pose_node {
    const struct aiNode *node;
    int32_t parent;                   /* -1: the root */
    const struct aiNodeAnim *channel; /* null: keeps the transform of the file */
    weft_transform global;
} weft_pose_node;

/* A mesh as one node shows it. */
typedef struct weft_pose_mesh {
    const struct aiMesh *mesh;
    int32_t node;
    int32_t first;     /* of its vertices among those of all meshes */
    int32_t *bone;     /* node of each bone, -1 if there is none (mNumBones) */
    weft_track *morph; /* weight of each morph target; count 0: that of the file (mNumAnimMeshes); null without any */
} weft_pose_mesh;

typedef struct weft_pose_scene {
    const struct aiScene *scene;
    const char *path;
    const struct aiAnimation *animation; /* null: at rest */
    weft_pose_node *node;                /* parents before their children (node_count) */
    weft_pose_mesh *mesh;                /* (mesh_count) */
    int32_t node_count, mesh_count, vertex_count;
    int uses_weights; /* 1: morph targets without animation have the weights of the file, else 0 */
    double *weight;   /* scratch: sum of bone weights of each vertex (vertex_count) */
} weft_pose_scene;

/* Collects nodes and meshes. The scene must outlive the result. Free it also after a failure. */
weft_result weft_pose_create(const struct aiScene *scene, const char *path, weft_pose_scene *pose);
void weft_pose_free(weft_pose_scene *pose);

/* Chooses the animation that later poses follow. An empty name means the first that moves anything. Fails if there is
 * none of that name. `pose->animation` stays null if the file has no animation. */
weft_result weft_pose_choose(weft_pose_scene *pose, const char *name);
/* Length of the chosen animation, s. */
double weft_pose_length(const weft_pose_scene *pose);
/* Writes the names of the animations, separated by commas. Returns their number. */
int32_t weft_pose_names(const weft_pose_scene *pose, char *text, size_t size);

/* Positions of all vertices at a time of the chosen animation (vertex_count). `time` is in s. Without an animation
 * these are the positions that the file shows. */
weft_result weft_pose_at(weft_pose_scene *pose, double time, weft_vec3 *position);

/* Whether the current pose mirrors a mesh. Its faces are then wound the other way round. */
int weft_pose_mirrors(const weft_pose_scene *pose, const weft_pose_mesh *mesh);

#endif
