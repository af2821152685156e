/* The reference body: 170 cm tall, chest 92, waist 76, hip 98 cm. All numbers are in m. */
#include "wear/mannequin/anatomy.h"

#include <math.h>
#include <stddef.h>

#include "weft/vec.h"

static const double TALL = 1.70, CROTCH = 0.773, ARM = 0.5695, SHOULDERS = 0.386;
static const double HALF_GAP = 0.021;              /* between the thighs: cloth must have room there */
static const double HIP_TOP = 0.86, ANKLE = 0.085; /* ends of the leg's axis */
static const double WAIST = 1.06, CHEST = 1.24, SHOULDER = 1.355, NECK_LOW = 1.40;

const char *const ANATOMY_GIRTHS[MANNEQUIN_GIRTHS] = {"neck",  "chest", "waist", "hip",  "upper_arm",
                                                      "wrist", "thigh", "knee",  "calf", "ankle"};

/* -- landmarks -- */

double anatomy_height(const anatomy *a, double y) {
    const mannequin_measures *m = &a->measures;
    if (y < CROTCH)
        return y * m->inseam / CROTCH;
    return m->inseam + (y - CROTCH) * (m->height - m->inseam) / (TALL - CROTCH);
}

static double size_of(const anatomy *a) { return a->measures.height / TALL; }

weft_vec3 anatomy_arm_direction(void) { return weft_normalize(weft_vec3_make(1, -1, 0.06)); }

static double thigh_x(const anatomy *a) {
    double beside = HALF_GAP + 0.077 * a->scale[ANATOMY_THIGH], below = 0.098 * a->scale[ANATOMY_HIP];
    return fmax(beside, 0.5 * (beside + below));
}

static double ankle_x(const anatomy *a) { return thigh_x(a) + 0.004 * size_of(a); }

static weft_vec3 shoulder(const anatomy *a) {
    return weft_vec3_make(a->measures.shoulders / 2 - 0.018 * size_of(a), anatomy_height(a, SHOULDER),
                          -0.022 * size_of(a));
}

/* A point of the left arm; part is 0 at the shoulder joint and 1 at the wrist. */
static weft_vec3 on_arm(const anatomy *a, double part) {
    return weft_add_scaled(shoulder(a), part * a->measures.arm, anatomy_arm_direction());
}

/* A point of the axis of the left leg at a height of the reference body. */
static weft_vec3 on_leg(const anatomy *a, double y) {
    double part = (HIP_TOP - y) / (HIP_TOP - ANKLE);
    return weft_vec3_make(thigh_x(a) + part * (ankle_x(a) - thigh_x(a)), anatomy_height(a, y),
                          size_of(a) * (0.004 - 0.022 * part));
}

double anatomy_hip_half_width(const anatomy *a) {
    return fmax(0.168 * a->scale[ANATOMY_HIP], thigh_x(a) + 0.077 * a->scale[ANATOMY_THIGH]);
}

weft_vec3 anatomy_joint(const anatomy *a, int32_t joint) {
    double s = size_of(a);
    int32_t first = joint < MANNEQUIN_LEFT_SHOULDER ? joint : joint - (joint - MANNEQUIN_LEFT_SHOULDER) % 2;
    weft_vec3 at = {0, 0, 0};
    switch (first) {
    case MANNEQUIN_PELVIS:
        at = weft_vec3_make(0, anatomy_height(a, 0.90), -0.005 * s);
        break;
    case MANNEQUIN_WAIST:
        at = weft_vec3_make(0, anatomy_height(a, 1.03), -0.01 * s);
        break;
    case MANNEQUIN_CHEST:
        at = weft_vec3_make(0, anatomy_height(a, 1.17), -0.015 * s);
        break;
    case MANNEQUIN_NECK:
        at = weft_vec3_make(0, anatomy_height(a, 1.42), -0.02 * s);
        break;
    case MANNEQUIN_HEAD:
        at = weft_vec3_make(0, anatomy_height(a, 1.51), 0);
        break;
    case MANNEQUIN_LEFT_SHOULDER:
        at = shoulder(a);
        break;
    case MANNEQUIN_LEFT_ELBOW:
        at = on_arm(a, 0.52);
        break;
    case MANNEQUIN_LEFT_WRIST:
        at = on_arm(a, 1);
        break;
    case MANNEQUIN_LEFT_HIP:
        at = on_leg(a, 0.88);
        break;
    case MANNEQUIN_LEFT_KNEE:
        at = on_leg(a, 0.475);
        break;
    default:
        at = on_leg(a, ANKLE);
        break;
    }
    if (first != joint)
        at.x = -at.x;
    return at;
}

anatomy_plane anatomy_girth_plane(const anatomy *a, int32_t girth) {
    double s = size_of(a);
    weft_vec3 up = {0, 1, 0};
    switch (girth) {
    case ANATOMY_NECK:
        return (anatomy_plane){{0, anatomy_height(a, 1.46), -0.012 * s}, up, FLESH_TRUNK};
    case ANATOMY_CHEST:
        return (anatomy_plane){{0, anatomy_height(a, CHEST - 0.004), 0}, up, FLESH_TRUNK};
    case ANATOMY_WAIST:
        return (anatomy_plane){{0, anatomy_height(a, WAIST), 0}, up, FLESH_TRUNK};
    case ANATOMY_HIP:
        return (anatomy_plane){{0, anatomy_height(a, 0.855), 0}, up, FLESH_TRUNK | FLESH_LEG};
    case ANATOMY_UPPER_ARM:
        return (anatomy_plane){on_arm(a, 0.26), anatomy_arm_direction(), FLESH_ARM};
    case ANATOMY_WRIST:
        return (anatomy_plane){on_arm(a, 0.985), anatomy_arm_direction(), FLESH_ARM};
    case ANATOMY_THIGH:
        return (anatomy_plane){on_leg(a, CROTCH - 0.04), up, FLESH_LEG};
    case ANATOMY_KNEE:
        return (anatomy_plane){on_leg(a, 0.475), up, FLESH_LEG};
    case ANATOMY_CALF:
        return (anatomy_plane){on_leg(a, 0.345), up, FLESH_LEG};
    default:
        return (anatomy_plane){on_leg(a, 0.12), up, FLESH_LEG};
    }
}

double anatomy_girth_wanted(const anatomy *a, int32_t girth) {
    static const size_t MEMBER[MANNEQUIN_GIRTHS] = {
        offsetof(mannequin_measures, neck),      offsetof(mannequin_measures, chest),
        offsetof(mannequin_measures, waist),     offsetof(mannequin_measures, hip),
        offsetof(mannequin_measures, upper_arm), offsetof(mannequin_measures, wrist),
        offsetof(mannequin_measures, thigh),     offsetof(mannequin_measures, knee),
        offsetof(mannequin_measures, calf),      offsetof(mannequin_measures, ankle)};
    return *(const double *)((const char *)&a->measures + MEMBER[girth]);
}

/* -- lofts -- */

static flesh_loft *add(flesh *f, int32_t group, int32_t mirrored, double blend) {
    flesh_loft *loft = &f->loft[f->count++];
    *loft = (flesh_loft){.exponent = 2, .group = group, .mirrored = mirrored, .blend = blend, .pair_blend = 0.03};
    return loft;
}

/* The axis of a loft and the direction of its front, made orthogonal. */
static void aim(flesh_loft *loft, weft_vec3 from, weft_vec3 to, weft_vec3 front, double cap0, double cap1) {
    weft_vec3 way = weft_sub(to, from);
    loft->from = from;
    loft->length = weft_length(way);
    loft->along = weft_normalize(way);
    loft->front = weft_normalize(weft_add_scaled(front, -weft_dot(front, loft->along), loft->along));
    loft->side = weft_cross(loft->front, loft->along);
    loft->cap[0] = cap0;
    loft->cap[1] = cap1;
}

/* A station of the trunk: a height of the reference body, and its section there. */
typedef struct trunk_station {
    double y;
    flesh_section section;
} trunk_station;

/* How much the factors of chest, waist and hip count at a height: linear in between. */
static double trunk_scale(const anatomy *a, double y) {
    static const double HIGH_HIP = 0.92, RIBS = 1.17;
    const double *scale = a->scale;
    if (y <= HIGH_HIP)
        return scale[ANATOMY_HIP];
    if (y <= WAIST)
        return scale[ANATOMY_HIP] + (y - HIGH_HIP) / (WAIST - HIGH_HIP) * (scale[ANATOMY_WAIST] - scale[ANATOMY_HIP]);
    if (y <= RIBS)
        return scale[ANATOMY_WAIST] + (y - WAIST) / (RIBS - WAIST) * (scale[ANATOMY_CHEST] - scale[ANATOMY_WAIST]);
    return scale[ANATOMY_CHEST];
}

static void add_trunk(const anatomy *a, flesh *f) {
    static const trunk_station STATIONS[] = {
        {0.83, {0.150, 0.086, 0.086, -0.010}}, {0.86, {0.163, 0.097, 0.098, -0.006}},
        {0.92, {0.161, 0.102, 0.096, -0.001}}, {0.98, {0.147, 0.097, 0.087, 0.004}},
        {1.06, {0.124, 0.088, 0.083, 0.004}},  {1.12, {0.126, 0.091, 0.091, 0.001}},
        {1.18, {0.134, 0.096, 0.101, -0.003}}, {1.24, {0.142, 0.100, 0.107, -0.007}},
        {1.30, {0.144, 0.092, 0.108, -0.011}}, {1.355, {0.130, 0.075, 0.095, -0.017}},
        {1.40, {0.095, 0.056, 0.070, -0.022}},
    };
    enum { COUNT = sizeof STATIONS / sizeof STATIONS[0] };
    double low = anatomy_height(a, STATIONS[0].y), high = anatomy_height(a, STATIONS[COUNT - 1].y);
    double broad = a->measures.shoulders / SHOULDERS;
    flesh_station station[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const flesh_section *s = &STATIONS[i].section;
        double scale = trunk_scale(a, STATIONS[i].y);
        double wide = STATIONS[i].y > 1.35 ? broad : scale;
        station[i] = (flesh_station){(anatomy_height(a, STATIONS[i].y) - low) / (high - low),
                                     {wide * s->side, scale * s->front, scale * s->back, scale * s->shift}};
    }
    flesh_loft *trunk = add(f, FLESH_TRUNK, 0, 0.03);
    aim(trunk, weft_vec3_make(0, low, 0), weft_vec3_make(0, high, 0), weft_vec3_make(0, 0, 1),
        low - anatomy_height(a, CROTCH + 0.004), 0.02 * size_of(a));
    trunk->exponent = 2.35;
    flesh_loft_fill(trunk, station, COUNT);
}

/* An ellipsoid with its half axes along x, y and z, m. */
static void add_ellipsoid(flesh *f, int32_t group, double blend, weft_vec3 at, weft_vec3 half) {
    const flesh_section round = {half.x, half.z, half.z, 0};
    const flesh_station station[2] = {{0, round}, {1, round}};
    flesh_loft *loft = add(f, group, 1, blend);
    weft_vec3 up = {0, 1e-4, 0};
    aim(loft, at, weft_add(at, up), weft_vec3_make(0, 0, 1), half.y, half.y);
    flesh_loft_fill(loft, station, 2);
}

static void add_soft_parts(const anatomy *a, flesh *f) {
    double hip = a->scale[ANATOMY_HIP], chest = a->scale[ANATOMY_CHEST], bust = a->measures.bust;
    weft_vec3 seat = {0.072 * hip, anatomy_height(a, 0.858), -0.060 * hip};
    add_ellipsoid(f, FLESH_TRUNK, 0.035, seat, weft_vec3_make(0.080 * hip, 0.092 * size_of(a), 0.070 * hip));
    if (bust > 0) {
        double root = 0.055 * chest;
        weft_vec3 breast = {0.074 * chest, anatomy_height(a, CHEST - 0.002), 0.090 * chest - root};
        add_ellipsoid(f, FLESH_TRUNK, 0.045, breast,
                      weft_vec3_make(0.066 * chest + 0.2 * bust, 0.062 * chest + 0.2 * bust, root + bust));
    }
}

static void add_yoke(const anatomy *a, flesh *f) {
    double s = size_of(a);
    static const flesh_section INNER = {0.046, 0.046, 0.056, 0}, OUTER = {0.040, 0.048, 0.050, 0};
    flesh_station station[2] = {{0, INNER}, {1, OUTER}};
    for (int i = 0; i < 2; i++) {
        flesh_section *section = &station[i].section;
        *section = (flesh_section){s * section->side, s * section->front, s * section->back, 0};
    }
    flesh_loft *yoke = add(f, FLESH_TRUNK, 1, 0.04);
    aim(yoke, weft_vec3_make(0.01 * s, anatomy_height(a, NECK_LOW), -0.028 * s),
        weft_vec3_make(a->measures.shoulders / 2 - 0.035 * s, anatomy_height(a, SHOULDER + 0.005), -0.022 * s),
        weft_vec3_make(0, 0, 1), 0.02 * s, 0.03 * s);
    flesh_loft_fill(yoke, station, 2);
}

static void add_neck_and_head(const anatomy *a, flesh *f) {
    static const trunk_station HEAD[] = {{1.515, {0.046, 0.062, 0.040, 0.022}},
                                         {1.54, {0.060, 0.078, 0.066, 0.018}},
                                         {1.58, {0.070, 0.082, 0.086, 0.016}},
                                         {1.61, {0.074, 0.083, 0.096, 0.014}},
                                         {1.64, {0.074, 0.081, 0.095, 0.012}}};
    enum { COUNT = sizeof HEAD / sizeof HEAD[0] };
    double s = size_of(a), n = a->scale[ANATOMY_NECK];
    const flesh_station neck[3] = {{0, {0.060 * n, 0.058 * n, 0.062 * n, 0}},
                                   {0.5, {0.054 * n, 0.055 * n, 0.055 * n, 0}},
                                   {1, {0.052 * n, 0.054 * n, 0.054 * n, 0}}};
    flesh_loft *loft = add(f, FLESH_TRUNK, 0, 0.045);
    aim(loft, weft_vec3_make(0, anatomy_height(a, NECK_LOW), -0.026 * s),
        weft_vec3_make(0, anatomy_height(a, 1.55), 0.002 * s), weft_vec3_make(0, 0, 1), 0.02 * s, 0.02 * s);
    flesh_loft_fill(loft, neck, 3);

    flesh_station station[COUNT];
    double low = anatomy_height(a, HEAD[0].y), high = anatomy_height(a, HEAD[COUNT - 1].y);
    for (int i = 0; i < COUNT; i++) {
        const flesh_section *h = &HEAD[i].section;
        station[i] = (flesh_station){(anatomy_height(a, HEAD[i].y) - low) / (high - low),
                                     {s * h->side, s * h->front, s * h->back, s * h->shift}};
    }
    loft = add(f, FLESH_HEAD, 0, 0.025);
    aim(loft, weft_vec3_make(0, low, 0), weft_vec3_make(0, high, 0), weft_vec3_make(0, 0, 1), 0.03 * s,
        a->measures.height - high);
    flesh_loft_fill(loft, station, COUNT);
}

static void add_arm(const anatomy *a, flesh *f) {
    static const flesh_station ARM_STATIONS[] = {{0, {0.050, 0.050, 0.050, 0}},    {0.12, {0.050, 0.051, 0.051, 0}},
                                                 {0.26, {0.044, 0.047, 0.047, 0}}, {0.42, {0.038, 0.041, 0.041, 0}},
                                                 {0.52, {0.036, 0.038, 0.038, 0}}, {0.62, {0.039, 0.039, 0.039, 0}},
                                                 {0.80, {0.031, 0.033, 0.033, 0}}, {1, {0.022, 0.027, 0.027, 0}}};
    static const flesh_station HAND_STATIONS[] = {
        {0, {0.022, 0.027, 0.027, 0}}, {0.45, {0.021, 0.040, 0.040, 0.004}}, {1, {0.018, 0.034, 0.034, 0.004}}};
    enum { COUNT = sizeof ARM_STATIONS / sizeof ARM_STATIONS[0] };
    double s = size_of(a), upper = a->scale[ANATOMY_UPPER_ARM], wrist = a->scale[ANATOMY_WRIST];
    flesh_station station[COUNT];
    for (int i = 0; i < COUNT; i++) {
        double part = fmin(fmax((ARM_STATIONS[i].at - 0.45) / 0.5, 0), 1), scale = upper + part * (wrist - upper);
        const flesh_section *r = &ARM_STATIONS[i].section;
        station[i] =
            (flesh_station){ARM_STATIONS[i].at, {scale * r->side, scale * r->front, scale * r->back, r->shift}};
    }
    flesh_loft *arm = add(f, FLESH_ARM, 1, 0.04);
    aim(arm, on_arm(a, 0), on_arm(a, 1), weft_vec3_make(0, 0, 1), 0.04 * s, 0.02 * s);
    flesh_loft_fill(arm, station, COUNT);

    double hand = a->measures.arm / ARM;
    flesh_station palm[3];
    for (int i = 0; i < 3; i++) {
        const flesh_section *r = &HAND_STATIONS[i].section;
        palm[i] = (flesh_station){HAND_STATIONS[i].at, {s * r->side, s * r->front, s * r->back, s * r->shift}};
    }
    flesh_loft *loft = add(f, FLESH_ARM, 1, 0.02);
    weft_vec3 tip = weft_add_scaled(on_arm(a, 1), 0.12 * hand, anatomy_arm_direction());
    aim(loft, on_arm(a, 1), tip, weft_vec3_make(0, 0, 1), 0.02 * s, 0.05 * hand);
    flesh_loft_fill(loft, palm, 3);
}

/* The factor on the sections of the leg at a height of the reference body, linear between the four girths. */
static double leg_scale(const anatomy *a, double y) {
    static const double AT[4] = {0.733, 0.475, 0.345, 0.12};
    static const int GIRTH[4] = {ANATOMY_THIGH, ANATOMY_KNEE, ANATOMY_CALF, ANATOMY_ANKLE};
    for (int i = 0; i < 4; i++) {
        double here = a->scale[GIRTH[i]];
        if (y >= AT[i] && i == 0)
            return here;
        if (y >= AT[i])
            return here + (y - AT[i]) / (AT[i - 1] - AT[i]) * (a->scale[GIRTH[i - 1]] - here);
    }
    return a->scale[ANATOMY_ANKLE];
}

static void add_leg(const anatomy *a, flesh *f) {
    static const trunk_station LEG[] = {{0.86, {0.056, 0.066, 0.068, 0.002}},  {0.80, {0.070, 0.081, 0.085, 0.000}},
                                        {0.733, {0.077, 0.086, 0.090, 0.000}}, {0.63, {0.071, 0.080, 0.082, 0.002}},
                                        {0.53, {0.060, 0.066, 0.066, 0.003}},  {0.475, {0.054, 0.061, 0.056, 0.004}},
                                        {0.425, {0.052, 0.052, 0.056, 0.000}}, {0.345, {0.053, 0.049, 0.066, -0.002}},
                                        {0.24, {0.043, 0.040, 0.048, -0.004}}, {0.12, {0.033, 0.036, 0.041, -0.004}},
                                        {0.085, {0.034, 0.040, 0.044, -0.002}}};
    enum { COUNT = sizeof LEG / sizeof LEG[0] };
    double s = size_of(a), high = anatomy_height(a, HIP_TOP), low = anatomy_height(a, ANKLE);
    flesh_station station[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const flesh_section *r = &LEG[i].section;
        double scale = leg_scale(a, LEG[i].y);
        station[i] = (flesh_station){(high - anatomy_height(a, LEG[i].y)) / (high - low),
                                     {scale * r->side, scale * r->front, scale * r->back, scale * r->shift}};
    }
    flesh_loft *leg = add(f, FLESH_LEG, 1, 0.055);
    aim(leg, on_leg(a, HIP_TOP), on_leg(a, ANKLE), weft_vec3_make(0, 0, 1), 0.07 * s, 0.04 * s);
    flesh_loft_fill(leg, station, COUNT);
}

/* The axis of a foot lies on the height of the thickest part of the sole's edge; its front is up. */
static void add_foot(const anatomy *a, flesh *f) {
    static const flesh_station FOOT[] = {{0, {0.031, 0.040, 0.028, 0}},
                                         {0.3, {0.034, 0.050, 0.028, 0}},
                                         {0.65, {0.042, 0.034, 0.028, 0}},
                                         {1, {0.044, 0.020, 0.028, 0}}};
    double s = size_of(a), x = ankle_x(a);
    flesh_station station[4];
    for (int i = 0; i < 4; i++) {
        const flesh_section *r = &FOOT[i].section;
        station[i] = (flesh_station){FOOT[i].at, {s * r->side, s * r->front, s * r->back, 0}};
    }
    flesh_loft *foot = add(f, FLESH_FOOT, 1, 0.03);
    aim(foot, weft_vec3_make(x, 0.028 * s, -0.055 * s), weft_vec3_make(x + 0.018 * s, 0.028 * s, 0.135 * s),
        weft_vec3_make(0, 1, 0), 0.025 * s, 0.05 * s);
    foot->exponent = 2.4;
    flesh_loft_fill(foot, station, 4);
}

void anatomy_flesh(const anatomy *a, flesh *f) {
    f->count = 0;
    add_trunk(a, f);
    add_soft_parts(a, f);
    add_yoke(a, f);
    add_neck_and_head(a, f);
    add_arm(a, f);
    add_leg(a, f);
    add_foot(a, f);
}
