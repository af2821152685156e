/* A parametric mannequin: a smooth closed body from a few measurements, with a skeleton, poses and motions.
 *
 * Own coordinates in m: the floor is y = 0, the front faces +z, the left side is +x, and the body is symmetric about
 * x = 0. The mesh is made in the pose `standing`: legs straight, arms 45 degrees away from the body.
 *
 *     mannequin *m;
 *     mannequin_measures measures = mannequin_measures_default();
 *     measures.chest = 1.00;
 *     WEFT_TRY(mannequin_make(&measures, &m));
 *     mannequin_girth_find(m, "chest")->girth;   // 1.00 within 0.5 %
 *
 * A mannequin is constant once made. Several threads may read it at once. */
#ifndef WEAR_MANNEQUIN_MANNEQUIN_H
#define WEAR_MANNEQUIN_MANNEQUIN_H

#include "weft/mesh.h"

/* -- measurements -- */

/* Lengths and girths, m. A value of 0 is derived from height, chest, waist and hip, which must be given. */
typedef struct mannequin_measures {
    double height;                                     /* from the floor to the top of the head */
    double chest;                                      /* girth at the fullest part of the bust */
    double waist;                                      /* girth at the narrowest part of the trunk */
    double hip;                                        /* girth at the fullest part of the buttocks */
    double bust;                                       /* how far the breasts stand out */
    double neck;                                       /* girth at half the height of the neck */
    double shoulders;                                  /* width between the shoulder points, in a straight line */
    double arm;                                        /* from the shoulder point to the wrist */
    double inseam;                                     /* from the crotch to the floor */
    double upper_arm, wrist, thigh, knee, calf, ankle; /* girths */
    double edge;                                       /* mean length of the edges of the mesh */
} mannequin_measures;

/* A person of 170 cm with a chest of 92 cm; the other values are 0, but for edge and bust. */
mannequin_measures mannequin_measures_default(void);
/* Fills in what is 0 and checks all values. The message names the measurement, its value and what is allowed. */
weft_result mannequin_measures_complete(mannequin_measures *measures);

/* -- skeleton -- */

enum {
    MANNEQUIN_PELVIS, /* the root */
    MANNEQUIN_WAIST,
    MANNEQUIN_CHEST,
    MANNEQUIN_NECK,
    MANNEQUIN_HEAD,
    MANNEQUIN_LEFT_SHOULDER, /* left and right alternate from here on */
    MANNEQUIN_RIGHT_SHOULDER,
    MANNEQUIN_LEFT_ELBOW,
    MANNEQUIN_RIGHT_ELBOW,
    MANNEQUIN_LEFT_WRIST,
    MANNEQUIN_RIGHT_WRIST,
    MANNEQUIN_LEFT_HIP,
    MANNEQUIN_RIGHT_HIP,
    MANNEQUIN_LEFT_KNEE,
    MANNEQUIN_RIGHT_KNEE,
    MANNEQUIN_LEFT_ANKLE,
    MANNEQUIN_RIGHT_ANKLE,
    MANNEQUIN_JOINTS
};

typedef struct mannequin_joint {
    const char *name;
    int32_t parent; /* WEFT_NONE for the root */
    weft_vec3 at;   /* its centre in the pose `standing`, m */
} mannequin_joint;

/* How much of the rotation of a joint a vertex takes part in, 0 to 1. A vertex has them from the outermost joint to the
 * root. Joints that it does not follow at all are left out. */
typedef struct mannequin_share {
    int32_t joint;
    double share;
} mannequin_share;

/* -- parts, for placing garments -- */

typedef struct mannequin_part {
    const char *name;   /* torso, hips, neck, left_arm, right_arm, left_leg, right_leg */
    weft_vec3 from, to; /* its axis in the pose `standing`: from the end next to the trunk (torso, neck: lower end) */
    weft_vec3 front;    /* unit vector across the axis towards the front of the body */
    double radius;      /* of a cylinder about the axis that holds the part, m; arms without hands, legs without feet */
    double width, depth; /* full extent across the axis: from side to side, and from back to front, m */
} mannequin_part;

enum { MANNEQUIN_PARTS = 7 };

/* -- girths, as a tape measure reads them: the perimeter of the convex hull of a plane section -- */

typedef struct mannequin_girth {
    const char *name; /* neck, chest, waist, hip, upper_arm, wrist, thigh, knee, calf, ankle; limbs: left */
    double girth;     /* measured on the mesh in the pose `standing`, m */
    weft_vec3 at;     /* a point of the axis in the plane */
    weft_vec3 normal; /* of the plane: [0, 1, 0] except for arms */
} mannequin_girth;

enum { MANNEQUIN_GIRTHS = 10 };

/* -- the mannequin; users only read it -- */

typedef struct mannequin {
    mannequin_measures measures; /* completed */
    weft_mesh *mesh;             /* triangles in the pose `standing`; vertex v of the mesh has the shares below */
    mannequin_joint joint[MANNEQUIN_JOINTS];
    mannequin_part part[MANNEQUIN_PARTS];
    mannequin_girth girth[MANNEQUIN_GIRTHS];
    double volume;        /* m3 */
    int32_t *first_share; /* shares of vertex v: first_share[v] to first_share[v + 1] (vertex_count + 1) */
    mannequin_share *share;
} mannequin;

/* Makes a mannequin; the caller destroys it. `*made` is null on failure. */
weft_result mannequin_make(const mannequin_measures *measures, mannequin **made);
void mannequin_destroy(mannequin *m); /* null is allowed */

/* Hands a mannequin over to the next caller of mannequin_obtain, from any thread. It must be as it was made. It
 * replaces one that nobody took. */
void mannequin_hand_over(mannequin *m);
/* As mannequin_make, but takes the one that was handed over if it has the same measures. Otherwise that one is
 * destroyed.
 */
weft_result mannequin_obtain(const mannequin_measures *measures, mannequin **made);

/* The part or girth of that name, or null. */
const mannequin_part *mannequin_part_find(const mannequin *m, const char *name);
const mannequin_girth *mannequin_girth_find(const mannequin *m, const char *name);

/* The perimeter of the convex hull of the section of triangles with a plane, m; 0 without a section. `keep` says which
 * vertices count (1) and which do not (0), or is null: all count. A triangle counts if its three vertices do. */
double mannequin_hull_girth(const weft_mesh *mesh, const weft_vec3 *position, const uint8_t *keep, weft_vec3 at,
                            weft_vec3 normal);

/* Weights of linear blend skinning of a vertex that are nearest to its shares; their sum is 1. For other programs. */
void mannequin_weights(const mannequin *m, int32_t vertex, double weight[MANNEQUIN_JOINTS]);

/* -- poses -- */

/* Rotation of each joint against the pose `standing`, as axis times angle in rad, in the axes of the body. */
typedef struct mannequin_pose {
    weft_vec3 offset;                 /* of the pelvis, m */
    weft_vec3 turn[MANNEQUIN_JOINTS]; /* of the joint and all that it carries */
} mannequin_pose;

/* Names of the poses, null-terminated: standing, relaxed, t-pose, arms-raised, sitting. */
extern const char *const MANNEQUIN_POSES[];
/* The pose with that index. */
mannequin_pose mannequin_pose_make(const mannequin *m, int32_t index);
/* From a (share 0) to b (share 1). */
mannequin_pose mannequin_pose_between(const mannequin_pose *a, const mannequin_pose *b, double share);
/* Positions of all vertices in a pose, m (mesh->vertex_count). */
void mannequin_pose_apply(const mannequin *m, const mannequin_pose *pose, weft_vec3 *position);
/* Centres of all joints in a pose, m. */
void mannequin_pose_joints(const mannequin *m, const mannequin_pose *pose, weft_vec3 at[MANNEQUIN_JOINTS]);

/* -- motions -- */

/* A motion begins in a pose and blends into a walk or into another pose. */
typedef struct mannequin_motion {
    int32_t pose;    /* index of the first pose */
    int32_t motion;  /* index into MANNEQUIN_MOTIONS */
    double speed;    /* of walking, m/s */
    int32_t travels; /* 1: walks towards +z; 0: walks in place, as on a treadmill */
    double start;    /* time at which it leaves the first pose, s */
    double blend;    /* how long it takes from the first pose to the motion, s */
} mannequin_motion;

/* Names of the motions, null-terminated: none, walk, and the names of the poses, into which it moves. */
extern const char *const MANNEQUIN_MOTIONS[];
/* The pose at a time, s. */
mannequin_pose mannequin_motion_at(const mannequin *m, const mannequin_motion *motion, double time);
/* The pose of a walk at a part of its period: 0 and 1 are the same. `travels` of the motion is not used. */
mannequin_pose mannequin_walk_pose(const mannequin *m, double speed, double phase);
/* Duration of two steps, s. */
double mannequin_walk_period(const mannequin *m, double speed);

#endif
