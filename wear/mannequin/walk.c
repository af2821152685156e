/* A walk by prescribed feet: in the stance a foot keeps its place on the floor, in the swing it goes to the next. Hips
 * and knees follow by inverse kinematics of two bones. Durations and lengths of steps are rounded from Winter (2009),
 * Biomechanics and motor control of human movement. */
#include <math.h>

#include "wear/mannequin/poses.h"
#include "wear/mannequin/turn.h"
#include "weft/portable_math.h"

static const double TURN = 6.283185307179586476925287, DEGREE = 0.017453292519943295;
static const double STANCE = 0.62;     /* part of the period in which a foot is on the floor */
static const double AHEAD = 0.40;      /* part of the stance's way in which the foot is before the hip */
static const double STRETCHED = 0.998; /* most of its length that a leg uses */

double mannequin_walk_period(const mannequin *m, double speed) {
    double height = m->measures.height;
    double stride = 0.66 * height * sqrt(fmax(speed, 0.05) / 1.2 * 1.70 / height); /* two steps, m */
    return stride / fmax(speed, 0.05);
}

static double ramp(double value, double from, double to) {
    double t = fmin(fmax((value - from) / (to - from), 0), 1);
    return t * t * t * (10 - 15 * t + 6 * t * t);
}

/* -- the foot -- */

typedef struct foot {
    weft_vec3 ankle; /* against its place in the pose `standing`, m; the body stands still */
    double pitch;    /* rad; above 0: the toes are up */
} foot;

/* Toes up when the heel touches the floor, heel up at the end of the stance. */
static double pitch_at(double phase) {
    static const double TOUCH = 14, LEAVE = -42; /* degrees */
    double touch = 1 - ramp(phase, 0, 0.12) + ramp(phase, 0.82, 1);
    return DEGREE * (TOUCH * touch + LEAVE * (ramp(phase, 0.32, 0.64) - ramp(phase, 0.64, 0.86)));
}

/* Where the ankle goes when the foot turns about its heel or about its toes. */
static weft_vec3 rolled(const mannequin *m, double pitch) {
    double s = m->measures.height / 1.70;
    weft_vec3 ankle = m->joint[MANNEQUIN_LEFT_ANKLE].at;
    weft_vec3 arm = {0, ankle.y, ankle.z - (pitch > 0 ? -0.06 * s : 0.16 * s)};
    turn t = turn_of(weft_vec3_make(-pitch, 0, 0));
    return weft_sub(turn_apply(t, arm), arm);
}

static foot foot_at(const mannequin *m, double speed, double phase) {
    double period = mannequin_walk_period(m, speed), way = speed * STANCE * period; /* m */
    phase -= floor(phase);
    foot f = {.pitch = pitch_at(phase)};
    double z = AHEAD * way - speed * period * phase;
    if (phase > STANCE) {
        double part = (phase - STANCE) / (1 - STANCE), lift = weft_sin(TURN / 2 * part);
        z += speed * period * ramp(part, 0, 1);
        f.ankle.y = 0.035 * m->measures.height / 1.70 * lift * lift;
    }
    weft_vec3 roll = rolled(m, f.pitch);
    f.ankle.z = z + roll.z;
    f.ankle.y += roll.y;
    return f;
}

/* -- the pelvis -- */

typedef struct legs {
    double thigh, shin; /* lengths, m */
} legs;

static legs legs_of(const mannequin *m) {
    const mannequin_joint *j = m->joint;
    return (legs){weft_distance(j[MANNEQUIN_LEFT_HIP].at, j[MANNEQUIN_LEFT_KNEE].at),
                  weft_distance(j[MANNEQUIN_LEFT_KNEE].at, j[MANNEQUIN_LEFT_ANKLE].at)};
}

static double sway_at(const mannequin *m, double phase) {
    return 0.012 * m->measures.height / 1.70 * weft_sin(TURN * (phase - 0.05)); /* towards the foot that stands */
}

static weft_vec3 pelvis_turn(double phase) { return weft_vec3_make(0, -4 * DEGREE * weft_cos(TURN * phase), 0); }

/* The highest place of the pelvis from which a leg reaches its foot. */
static double reach_at(const mannequin *m, double speed, double phase, int side) {
    legs l = legs_of(m);
    foot f = foot_at(m, speed, phase + 0.5 * side);
    weft_vec3 hip = m->joint[MANNEQUIN_LEFT_HIP].at, ankle = m->joint[MANNEQUIN_LEFT_ANKLE].at;
    double x = fabs(ankle.x - hip.x) + fabs(sway_at(m, phase)), z = ankle.z + f.ankle.z - hip.z;
    double longest = STRETCHED * (l.thigh + l.shin), square = longest * longest - x * x - z * z;
    return ankle.y + f.ankle.y + sqrt(fmax(square, 0)) - hip.y;
}

/* The pelvis goes up and down twice in a period, as near below what the legs reach as such a curve can. */
static double pelvis_height(const mannequin *m, double speed, double phase) {
    enum { SAMPLES = 48 };
    double reach[SAMPLES], cosine = 0, sine = 0, least = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double at = (double)i / SAMPLES;
        reach[i] = fmin(reach_at(m, speed, at, 0), reach_at(m, speed, at, 1));
        cosine += 2 * reach[i] * weft_cos(2 * TURN * at) / SAMPLES;
        sine += 2 * reach[i] * weft_sin(2 * TURN * at) / SAMPLES;
    }
    double size = weft_hypot(cosine, sine), most = 0.025 * m->measures.height / 1.70,
           part = size > most ? most / size : 1;
    for (int i = 0; i < SAMPLES; i++) {
        double angle = 2 * TURN * i / SAMPLES;
        least = fmin(least, reach[i] - part * (cosine * weft_cos(angle) + sine * weft_sin(angle)));
    }
    return least + part * (cosine * weft_cos(2 * TURN * phase) + sine * weft_sin(2 * TURN * phase));
}

/* -- the legs -- */

/* The angle of the knee at which ankle and hip are that far apart, by bisection. */
static double knee_angle(weft_vec3 thigh, weft_vec3 shin, double apart) {
    double low = 0, high = 2.6;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        weft_vec3 bent = turn_apply(turn_of(weft_vec3_make(middle, 0, 0)), shin);
        if (weft_length(weft_add(thigh, bent)) > apart)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void place_leg(const mannequin *m, const foot *f, int32_t side, mannequin_pose *pose) {
    int32_t hip = MANNEQUIN_LEFT_HIP + side, knee = MANNEQUIN_LEFT_KNEE + side, ankle = MANNEQUIN_LEFT_ANKLE + side;
    weft_vec3 centre = m->joint[MANNEQUIN_PELVIS].at;
    weft_vec3 goal = weft_add(m->joint[ankle].at, f->ankle);
    turn pelvis = turn_of(pose->turn[MANNEQUIN_PELVIS]);
    /* the goal before the pelvis turned and moved */
    goal = weft_add(centre, turn_apply(turn_back(pelvis), weft_sub(weft_sub(goal, pose->offset), centre)));
    weft_vec3 thigh = weft_sub(m->joint[knee].at, m->joint[hip].at);
    weft_vec3 shin = weft_sub(m->joint[ankle].at, m->joint[knee].at), way = weft_sub(goal, m->joint[hip].at);
    turn bend = turn_of(weft_vec3_make(knee_angle(thigh, shin, weft_length(way)), 0, 0));
    turn swing = turn_between(weft_add(thigh, turn_apply(bend, shin)), way);
    turn above = turn_both(pelvis, turn_both(swing, bend));
    turn sole = turn_of(weft_vec3_make(-f->pitch, 0, 0));
    pose->turn[hip] = turn_axis_angle(swing);
    pose->turn[knee] = turn_axis_angle(bend);
    pose->turn[ankle] = turn_axis_angle(turn_both(turn_back(above), sole));
}

/* -- the arms -- */

static void swing_arm(const mannequin *m, double speed, double phase, int32_t side, mannequin_pose *pose) {
    double size = fmin(speed / 1.2, 1.5), angle = 16 * DEGREE * size * weft_cos(TURN * phase);
    turn swing = turn_of(weft_vec3_make(angle + 2 * DEGREE, 0, 0));
    weft_vec3 hang = poses_hanging_arm(m), bent = poses_bent_elbow((20 - 8 * size * weft_cos(TURN * phase)) * DEGREE);
    if (side) {
        hang = poses_mirror(hang);
        bent = poses_mirror(bent);
    }
    pose->turn[MANNEQUIN_LEFT_SHOULDER + side] = turn_axis_angle(turn_both(swing, turn_of(hang)));
    pose->turn[MANNEQUIN_LEFT_ELBOW + side] = bent;
}

mannequin_pose mannequin_walk_pose(const mannequin *m, double speed, double phase) {
    mannequin_pose pose = {0};
    phase -= floor(phase);
    pose.offset = weft_vec3_make(sway_at(m, phase), pelvis_height(m, speed, phase), 0);
    pose.turn[MANNEQUIN_PELVIS] = pelvis_turn(phase);
    pose.turn[MANNEQUIN_WAIST] = weft_scale(-0.8, pelvis_turn(phase));
    pose.turn[MANNEQUIN_CHEST] = weft_scale(-0.9, pelvis_turn(phase));
    pose.turn[MANNEQUIN_NECK] = weft_scale(0.7, pelvis_turn(phase));
    for (int32_t side = 0; side < 2; side++) {
        double own = phase + 0.5 * side;
        foot f = foot_at(m, speed, own);
        place_leg(m, &f, side, &pose);
        swing_arm(m, speed, own, side, &pose);
    }
    return pose;
}
