/* Chooses methods, materials and sizes of a scene. */
#include "tests/stress/stress_plan.h"

#include <math.h>
#include <string.h>

#include "weft/vec.h"
#include "weft/work.h"

double stress_real(stress_dice *dice, double low, double high) {
    return low + (high - low) * weft_random(dice->seed, dice->counter++);
}

int stress_int(stress_dice *dice, int low, int high) {
    return low + (int)(weft_random_bits(dice->seed, dice->counter++) % (uint64_t)(high - low + 1));
}

int stress_chance(stress_dice *dice, double chance) { return stress_real(dice, 0, 1) < chance; }

weft_vec3 stress_vector(stress_dice *dice, weft_vec3 low, weft_vec3 high) {
    double x = stress_real(dice, low.x, high.x);
    double y = stress_real(dice, low.y, high.y);
    double z = stress_real(dice, low.z, high.z);
    return (weft_vec3){x, y, z};
}

static weft_vec3 choose_angles(stress_dice *dice) {
    return stress_vector(dice, (weft_vec3){-90, -180, -90}, (weft_vec3){90, 180, 90});
}

double stress_scale(stress_dice *dice, double low, double high) {
    double value = low, factor = high / low;
    for (int i = 0; i < 12; i++) {
        factor = sqrt(factor);
        value *= stress_chance(dice, 0.5) ? factor : 1;
    }
    return value;
}

/* Likely methods appear several times. */
static const char *const INTEGRATORS[] = {
    "bdf2",           "bdf2",           "bdf2",       "bdf2", "bdf2",   "implicit-euler",   "implicit-euler",
    "implicit-euler", "implicit-euler", "projective", "xpbd", "verlet", "symplectic-euler",
};

int stress_integrator_count(void) { return sizeof INTEGRATORS / sizeof INTEGRATORS[0]; }
const char *stress_integrator_name(int integrator) { return INTEGRATORS[integrator]; }

int stress_is_explicit(int integrator) {
    return strcmp(INTEGRATORS[integrator], "verlet") == 0 || strcmp(INTEGRATORS[integrator], "symplectic-euler") == 0;
}

int stress_is_implicit(int integrator) {
    return strcmp(INTEGRATORS[integrator], "bdf2") == 0 || strcmp(INTEGRATORS[integrator], "implicit-euler") == 0;
}

/* xpbd and the explicit schemes move springs. Adaptation needs a model whose mesh can change. */
static int choose_model(stress_plan *plan) {
    enum { SPRINGS, BUCKLING, COROTATIONAL };
    if (!stress_is_implicit(plan->integrator))
        return SPRINGS;
    return plan->adapts ? stress_int(&plan->dice, BUCKLING, COROTATIONAL)
                        : stress_int(&plan->dice, SPRINGS, COROTATIONAL);
}

/* -- cloths -- */

static weft_vec3 choose_velocity(stress_dice *dice) {
    double speed = stress_scale(dice, 0.2, 20);
    if (stress_chance(dice, 0.5))
        return (weft_vec3){0, -speed, 0};
    double most = 0.57 * speed; /* the diagonal of a cube is 1.73 of its edge */
    return stress_vector(dice, (weft_vec3){-most, -most, -most}, (weft_vec3){most, most, most});
}

static int vertex_count(const stress_cloth *cloth) {
    int centres = cloth->diagonals == 2 ? cloth->cells[0] * cloth->cells[1] : 0;
    return (cloth->cells[0] + 1) * (cloth->cells[1] + 1) + centres;
}

/* `most` vertices are what the plan has left for this cloth. */
static void choose_cloth(stress_plan *plan, stress_cloth *cloth, int most) {
    stress_dice *dice = &plan->dice;
    *cloth = (stress_cloth){0};
    cloth->shape = (stress_shape)stress_int(dice, STRESS_FLAT, STRESS_FOLDED);
    cloth->diagonals = stress_int(dice, 0, 2);
    for (int i = 0; i < 2; i++)
        cloth->cells[i] = stress_int(dice, 4, 20);
    while (vertex_count(cloth) > most && (cloth->cells[0] > 4 || cloth->cells[1] > 4))
        for (int i = 0; i < 2; i++)
            cloth->cells[i] -= cloth->cells[i] > 4;
    cloth->edge = stress_real(dice, 0.015, 0.04);
    cloth->layers = stress_int(dice, 2, 4);
    cloth->fabric = stress_int(dice, 0, 14);
    cloth->model = choose_model(plan);
    cloth->friction = stress_chance(dice, 0.2) ? 0 : stress_real(dice, 0, 1);
    cloth->rotate = choose_angles(dice);
    cloth->tear = plan->tears ? stress_real(dice, 0.05, 0.3) : 0;
    if (stress_chance(dice, 0.35))
        cloth->velocity = choose_velocity(dice);
    int can_pin = cloth->shape == STRESS_FLAT || cloth->shape == STRESS_HANGING;
    if (can_pin && stress_chance(dice, 0.3)) {
        cloth->pin = stress_int(dice, 1, 2);
        cloth->velocity = (weft_vec3){0, 0, 0};
    }
}

static int is_small(const stress_plan *plan) { return plan->dice.seed >= STRESS_FIRST_SMALL; }

/* Most scenes have few vertices, so that a soak sees many of them. */
static int choose_cloths(stress_plan *plan) {
    stress_dice *dice = &plan->dice;
    int explicit_scheme = stress_is_explicit(plan->integrator);
    int most = (int)stress_scale(dice, 60, is_small(plan) || explicit_scheme ? 150 : 600), used = 0;
    plan->cloth_count = stress_int(dice, 1, explicit_scheme ? 2 : STRESS_CLOTHS);
    for (int i = 0; i < plan->cloth_count; i++) {
        choose_cloth(plan, &plan->cloth[i], most / plan->cloth_count);
        used += vertex_count(&plan->cloth[i]);
    }
    return used;
}

/* -- thickness -- */

static void choose_thickness(stress_plan *plan) {
    stress_dice *dice = &plan->dice;
    double edge = plan->cloth[0].edge;
    for (int i = 1; i < plan->cloth_count; i++)
        edge = fmin(edge, plan->cloth[i].edge);
    switch (stress_int(dice, 0, 2)) {
    case 0: /* automatic: at most 2 mm */
        plan->room = 0.002;
        break;
    case 1:
        plan->thickness = plan->room = stress_real(dice, 0.0002, 0.001);
        break;
    default: /* thick: docs/contact.md advises less than half of an edge */
        plan->thickness = plan->room = edge * stress_real(dice, 0.1, 0.4);
        break;
    }
    for (int i = 0; i < plan->cloth_count; i++)
        plan->cloth[i].gap = plan->room * stress_real(dice, 1.3, 3) + 0.0005;
}

/* -- time -- */

/* `vertices` times the number of steps is limited, so that no seed takes minutes. */
static void choose_time(stress_plan *plan, int vertices) {
    stress_dice *dice = &plan->dice;
    double budget = (is_small(plan) ? 4000.0 : 15000.0) / vertices;
    plan->step = stress_scale(dice, 1.0 / 250, 1.0 / 30);
    plan->rate = plan->step > 1.0 / 60 ? 30 : 60;
    plan->frames = stress_int(dice, 20, 60);
    if (stress_is_explicit(plan->integrator)) { /* a stable step of the springs in stress_scene.c */
        plan->step = 0.0002;
        budget = is_small(plan) ? 500 : 1500;
    }
    double steps = plan->frames / (plan->rate * plan->step);
    if (steps > budget)
        plan->frames = (int)fmax(5, plan->frames * budget / steps);
}

/* -- bodies -- */

static void choose_body(stress_plan *plan, stress_body *body) {
    stress_dice *dice = &plan->dice;
    *body = (stress_body){.kind = (stress_body_kind)stress_int(dice, STRESS_SPHERE, STRESS_SPIKE)};
    body->friction = stress_chance(dice, 0.2) ? 0 : stress_real(dice, 0, 1);
    body->rotate = choose_angles(dice);
    if (stress_chance(dice, 0.4))
        body->rotate = (weft_vec3){0, 0, 0};
    weft_vec3 size = stress_vector(dice, (weft_vec3){0.03, 0.05, 0.03}, (weft_vec3){0.15, 0.3, 0.3});
    body->size = size;
    switch (body->kind) {
    case STRESS_SPHERE:
        body->radius = size.x;
        break;
    case STRESS_CAPSULE:
        body->radius = size.x + size.y / 2;
        break;
    default:
        body->radius = sqrt(size.x * size.x + size.y * size.y + size.z * size.z) / 2;
        break;
    }
    if (body->kind == STRESS_SPIKE) /* its origin is the centre of its base */
        body->radius *= 2;
}

static void choose_world(stress_plan *plan) {
    stress_dice *dice = &plan->dice;
    plan->has_plane = stress_chance(dice, 0.8);
    plan->plane_friction = stress_chance(dice, 0.2) ? 0 : stress_real(dice, 0, 1);
    plan->body_count = stress_int(dice, 0, STRESS_BODIES);
    for (int i = 0; i < plan->body_count; i++)
        choose_body(plan, &plan->body[i]);
    if (stress_chance(dice, 0.25) && !plan->is_quiet) {
        plan->wind = stress_real(dice, 2, 15);
        plan->wind_direction = stress_vector(dice, (weft_vec3){-1, -0.2, -1}, (weft_vec3){1, 0.5, 1});
    }
    if (stress_chance(dice, 0.4))
        plan->air = stress_real(dice, 0.01, 0.2);
}

stress_plan stress_plan_make(uint64_t seed) {
    stress_plan plan = {.dice = {seed, 0}};
    plan.integrator = stress_int(&plan.dice, 0, stress_integrator_count() - 1);
    int implicit = stress_is_implicit(plan.integrator);
    plan.is_quiet = stress_chance(&plan.dice, 0.4) && implicit;
    plan.adapts = stress_chance(&plan.dice, 0.15) && implicit && !plan.is_quiet;
    plan.tears = stress_chance(&plan.dice, 0.15) && implicit && !plan.is_quiet;
    int vertices = choose_cloths(&plan);
    choose_thickness(&plan);
    choose_time(&plan, vertices);
    choose_world(&plan);
    stress_plan_place(&plan);
    return plan;
}
