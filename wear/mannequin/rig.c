#include "wear/mannequin/rig.h"

#include <math.h>
#include <stdlib.h>

#include "weft/vec.h"

weft_vec3 rig_place(const rig_fit *fit, weft_vec3 p) {
    return weft_vec3_make(p.x, fit->factor * (p.y - fit->low), p.z);
}

static weft_vec3 unplace(const rig_fit *fit, weft_vec3 p) {
    return weft_vec3_make(p.x, p.y / fit->factor + fit->low, p.z);
}

/* -- joints -- */

static const mannequin_joint SKELETON[MANNEQUIN_JOINTS] = {
    {.name = "pelvis", .parent = WEFT_NONE},
    {.name = "waist", .parent = MANNEQUIN_PELVIS},
    {.name = "chest", .parent = MANNEQUIN_WAIST},
    {.name = "neck", .parent = MANNEQUIN_CHEST},
    {.name = "head", .parent = MANNEQUIN_NECK},
    {.name = "left_shoulder", .parent = MANNEQUIN_CHEST},
    {.name = "right_shoulder", .parent = MANNEQUIN_CHEST},
    {.name = "left_elbow", .parent = MANNEQUIN_LEFT_SHOULDER},
    {.name = "right_elbow", .parent = MANNEQUIN_RIGHT_SHOULDER},
    {.name = "left_wrist", .parent = MANNEQUIN_LEFT_ELBOW},
    {.name = "right_wrist", .parent = MANNEQUIN_RIGHT_ELBOW},
    {.name = "left_hip", .parent = MANNEQUIN_PELVIS},
    {.name = "right_hip", .parent = MANNEQUIN_PELVIS},
    {.name = "left_knee", .parent = MANNEQUIN_LEFT_HIP},
    {.name = "right_knee", .parent = MANNEQUIN_RIGHT_HIP},
    {.name = "left_ankle", .parent = MANNEQUIN_LEFT_KNEE},
    {.name = "right_ankle", .parent = MANNEQUIN_RIGHT_KNEE},
};

void rig_joints(const anatomy *a, const rig_fit *fit, mannequin *m) {
    for (int32_t i = 0; i < MANNEQUIN_JOINTS; i++) {
        m->joint[i] = SKELETON[i];
        m->joint[i].at = rig_place(fit, anatomy_joint(a, i));
    }
}

/* -- shares -- */

/* From 0 at `from` to 1 at `to`, with flat ends. */
static double ramp(double value, double from, double to) {
    double t = fmin(fmax((value - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

/* How far p belongs to an arm, 0 to 1: half where arm and trunk are equally near. */
static double arm_part(const flesh *f, weft_vec3 p) {
    static const double ZONE = 0.08; /* m */
    double trunk = flesh_distance(f, p, FLESH_TRUNK | FLESH_LEG | FLESH_HEAD);
    return ramp(trunk - flesh_distance(f, p, FLESH_ARM), -ZONE, ZONE);
}

/* Shares of the arm's joints. Zones are wide enough that the inner side of a bent joint does not fold over: half a zone
 * must be above r tan(angle / 2), with r the distance of the skin from the joint. */
static void share_arm(const anatomy *a, const flesh *f, weft_vec3 p, double *share) {
    double s = a->measures.height / 1.70, arm = arm_part(f, p);
    weft_vec3 left = {fabs(p.x), p.y, p.z}, along = anatomy_arm_direction();
    int32_t side = p.x < 0;
    double place = weft_dot(weft_sub(left, anatomy_joint(a, MANNEQUIN_LEFT_SHOULDER)), along);
    double elbow = weft_distance(anatomy_joint(a, MANNEQUIN_LEFT_ELBOW), anatomy_joint(a, MANNEQUIN_LEFT_SHOULDER));
    share[MANNEQUIN_LEFT_SHOULDER + side] = arm * ramp(place, -0.13 * s, 0.10 * s);
    share[MANNEQUIN_LEFT_ELBOW + side] = arm * ramp(place, elbow - 0.07 * s, elbow + 0.07 * s);
    share[MANNEQUIN_LEFT_WRIST + side] = arm * ramp(place, a->measures.arm - 0.03 * s, a->measures.arm + 0.03 * s);
    share[MANNEQUIN_WAIST] = fmax(share[MANNEQUIN_WAIST], arm);
    share[MANNEQUIN_CHEST] = fmax(share[MANNEQUIN_CHEST], arm);
}

/* The thigh begins at a line that rises from the crotch to the side of the hip. On x = 0 nothing follows the legs; the
 * thighs are at least 2 cm away from it. */
static void share_leg(const anatomy *a, weft_vec3 p, double arm, double *share) {
    int32_t side = p.x < 0;
    double x = fabs(p.x) / anatomy_hip_half_width(a), rest = 1 - arm;
    double middle = anatomy_height(a, 0.682 + 0.198 * fmin(x, 1)), zone = 0.075 + 0.045 * fmin(x, 1);
    share[MANNEQUIN_LEFT_HIP + side] = rest * ramp(fabs(p.x), 0, 0.008) * ramp(p.y, middle + zone, middle - zone);
    double knee = anatomy_joint(a, MANNEQUIN_LEFT_KNEE).y, ankle = anatomy_joint(a, MANNEQUIN_LEFT_ANKLE).y;
    double s = a->measures.height / 1.70;
    share[MANNEQUIN_LEFT_KNEE + side] = rest * ramp(p.y, knee + 0.08 * s, knee - 0.08 * s);
    share[MANNEQUIN_LEFT_ANKLE + side] = rest * ramp(p.y, ankle + 0.045 * s, ankle - 0.015 * s);
}

static void share_vertex(const anatomy *a, const flesh *f, weft_vec3 p, double share[MANNEQUIN_JOINTS]) {
    for (int i = 0; i < MANNEQUIN_JOINTS; i++)
        share[i] = 0;
    double s = a->measures.height / 1.70;
    share[MANNEQUIN_PELVIS] = 1;
    share[MANNEQUIN_WAIST] = ramp(p.y, anatomy_height(a, 0.95), anatomy_height(a, 1.11));
    share[MANNEQUIN_CHEST] = ramp(p.y, anatomy_height(a, 1.08), anatomy_height(a, 1.26));
    double inner = ramp(fabs(p.x), 0.15 * s, 0.07 * s);
    share[MANNEQUIN_NECK] = inner * ramp(p.y, anatomy_height(a, 1.39), anatomy_height(a, 1.47));
    share[MANNEQUIN_HEAD] = inner * ramp(p.y, anatomy_height(a, 1.47), anatomy_height(a, 1.55));
    share_arm(a, f, p, share);
    share_leg(a, p, arm_part(f, p), share);
}

weft_result rig_shares(const anatomy *a, const flesh *f, const rig_fit *fit, mannequin *m) {
    int32_t count = m->mesh->vertex_count, used = 0;
    m->first_share = malloc(((size_t)count + 1) * sizeof *m->first_share);
    m->share = malloc((size_t)count * MANNEQUIN_JOINTS * sizeof *m->share);
    if (!m->first_share || !m->share)
        return weft_fail_memory("a mannequin", (size_t)count * MANNEQUIN_JOINTS * sizeof *m->share);
    for (int32_t v = 0; v < count; v++) {
        double share[MANNEQUIN_JOINTS];
        share_vertex(a, f, unplace(fit, m->mesh->position[v]), share);
        m->first_share[v] = used;
        for (int32_t j = MANNEQUIN_JOINTS - 1; j >= 0; j--) /* parents have lower numbers */
            if (share[j] > 0)
                m->share[used++] = (mannequin_share){j, share[j]};
    }
    m->first_share[count] = used;
    return weft_ok();
}

void mannequin_weights(const mannequin *m, int32_t vertex, double weight[MANNEQUIN_JOINTS]) {
    double sum = 0;
    for (int i = 0; i < MANNEQUIN_JOINTS; i++)
        weight[i] = 0;
    for (int32_t i = m->first_share[vertex]; i < m->first_share[vertex + 1]; i++) {
        const mannequin_share *s = &m->share[i];
        int32_t parent = m->joint[s->joint].parent;
        weight[s->joint] += s->share;
        if (parent != WEFT_NONE)
            weight[parent] -= s->share;
    }
    for (int i = 0; i < MANNEQUIN_JOINTS; i++) {
        weight[i] = fmax(weight[i], 0);
        sum += weight[i];
    }
    for (int i = 0; i < MANNEQUIN_JOINTS; i++)
        weight[i] /= sum;
}

/* -- parts -- */

typedef struct part_plan {
    const char *name;
    int32_t from, to; /* joints at the ends of the axis, or WEFT_NONE: heights of the reference body on x = 0 */
    double low, high;
    int32_t groups;
    double begin; /* part of the axis from which on the flesh counts: before it the trunk is in the way */
} part_plan;

static void measure_part(const flesh *f, const rig_fit *fit, const part_plan *plan, const mannequin *m,
                         mannequin_part *part) {
    weft_vec3 way = weft_sub(part->to, part->from), along = weft_normalize(way);
    weft_vec3 side = weft_cross(part->front, along);
    double length = weft_length(way), low[2] = {0, 0}, high[2] = {0, 0};
    for (int32_t v = 0; v < m->mesh->vertex_count; v++) {
        weft_vec3 p = m->mesh->position[v], d = weft_sub(p, part->from);
        double place = weft_dot(d, along) / length;
        if (place < plan->begin || place > 1 || (plan->from != WEFT_NONE && p.x * part->from.x <= 0) ||
            flesh_distance(f, unplace(fit, p), plan->groups) > 0.01)
            continue;
        weft_vec3 off = weft_add_scaled(d, -place * length, along);
        double across[2] = {weft_dot(off, side), weft_dot(off, part->front)};
        part->radius = fmax(part->radius, weft_length(off));
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], across[k]);
            high[k] = fmax(high[k], across[k]);
        }
    }
    part->width = high[0] - low[0];
    part->depth = high[1] - low[1];
}

void rig_parts(const anatomy *a, const flesh *f, const rig_fit *fit, mannequin *m) {
    static const part_plan PLAN[MANNEQUIN_PARTS] = {
        {"torso", WEFT_NONE, WEFT_NONE, 0.98, 1.38, FLESH_TRUNK, 0},
        {"hips", WEFT_NONE, WEFT_NONE, 0.98, 0.78, FLESH_TRUNK | FLESH_LEG, 0},
        {"neck", WEFT_NONE, WEFT_NONE, 1.43, 1.49, FLESH_TRUNK, 0},
        {"left_arm", MANNEQUIN_LEFT_SHOULDER, MANNEQUIN_LEFT_WRIST, 0, 0, FLESH_ARM, 0.2},
        {"right_arm", MANNEQUIN_RIGHT_SHOULDER, MANNEQUIN_RIGHT_WRIST, 0, 0, FLESH_ARM, 0.2},
        {"left_leg", MANNEQUIN_LEFT_HIP, MANNEQUIN_LEFT_ANKLE, 0, 0, FLESH_LEG, 0.2},
        {"right_leg", MANNEQUIN_RIGHT_HIP, MANNEQUIN_RIGHT_ANKLE, 0, 0, FLESH_LEG, 0.2},
    };
    for (int i = 0; i < MANNEQUIN_PARTS; i++) {
        const part_plan *plan = &PLAN[i];
        mannequin_part *part = &m->part[i];
        *part = (mannequin_part){.name = plan->name};
        if (plan->from != WEFT_NONE) {
            part->from = m->joint[plan->from].at;
            part->to = m->joint[plan->to].at;
        } else {
            double back = plan->low > 1.4 ? -0.012 * a->measures.height / 1.70 : 0;
            part->from = rig_place(fit, weft_vec3_make(0, anatomy_height(a, plan->low), back));
            part->to = rig_place(fit, weft_vec3_make(0, anatomy_height(a, plan->high), back));
        }
        weft_vec3 along = weft_normalize(weft_sub(part->to, part->from)), front = {0, 0, 1};
        part->front = weft_normalize(weft_add_scaled(front, -weft_dot(front, along), along));
        measure_part(f, fit, plan, m, part);
    }
}
