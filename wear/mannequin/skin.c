/* Skinning. A vertex takes part in each joint's rotation by its share: it turns about the joint by the angle times the
 * share. So bent limbs keep their thickness, which linear blends of matrices do not. */
#include "wear/mannequin/mannequin.h"
#include "wear/mannequin/turn.h"

/* p -> turn(p) + shift */
typedef struct motion {
    turn turn;
    weft_vec3 shift;
} motion;

static motion about(weft_vec3 centre, turn t) { return (motion){t, weft_sub(centre, turn_apply(t, centre))}; }

static motion both(const motion *outer, const motion *inner) {
    return (motion){turn_both(outer->turn, inner->turn), weft_add(turn_apply(outer->turn, inner->shift), outer->shift)};
}

static weft_vec3 move(const motion *m, weft_vec3 p) { return weft_add(turn_apply(m->turn, p), m->shift); }

/* What each joint carries: its own rotation and those of all its parents. */
static void whole_motions(const mannequin *m, const mannequin_pose *pose, motion whole[MANNEQUIN_JOINTS]) {
    for (int32_t j = 0; j < MANNEQUIN_JOINTS; j++) {
        motion own = about(m->joint[j].at, turn_of(pose->turn[j]));
        int32_t parent = m->joint[j].parent;
        if (parent == WEFT_NONE) {
            own.shift = weft_add(own.shift, pose->offset);
            whole[j] = own;
        } else {
            whole[j] = both(&whole[parent], &own);
        }
    }
}

void mannequin_pose_joints(const mannequin *m, const mannequin_pose *pose, weft_vec3 at[MANNEQUIN_JOINTS]) {
    motion whole[MANNEQUIN_JOINTS];
    whole_motions(m, pose, whole);
    for (int32_t j = 0; j < MANNEQUIN_JOINTS; j++)
        at[j] = move(&whole[j], m->joint[j].at);
}

/* Whether the shares from i on are those of a joint and all its parents, each 1. */
static int is_whole(const mannequin *m, int32_t i, int32_t end) {
    int32_t joint = m->share[i].joint;
    for (; i < end; i++) {
        if (m->share[i].share < 1 || m->share[i].joint != joint)
            return 0;
        joint = m->joint[joint].parent;
    }
    return joint == WEFT_NONE;
}

static weft_vec3 move_vertex(const mannequin *m, const mannequin_pose *pose, const motion *whole, int32_t v) {
    weft_vec3 p = m->mesh->position[v];
    int32_t end = m->first_share[v + 1];
    for (int32_t i = m->first_share[v]; i < end; i++) {
        const mannequin_share *s = &m->share[i];
        if (is_whole(m, i, end))
            return move(&whole[s->joint], p);
        weft_vec3 centre = m->joint[s->joint].at;
        turn t = turn_of(weft_scale(s->share, pose->turn[s->joint]));
        p = weft_add(centre, turn_apply(t, weft_sub(p, centre)));
    }
    return weft_add(p, pose->offset);
}

void mannequin_pose_apply(const mannequin *m, const mannequin_pose *pose, weft_vec3 *position) {
    motion whole[MANNEQUIN_JOINTS];
    whole_motions(m, pose, whole);
    for (int32_t v = 0; v < m->mesh->vertex_count; v++)
        position[v] = move_vertex(m, pose, whole, v);
}
