/* What a generated scene contains, before it is written as text.
 *
 * All choices come from weft_random and use only + - * / and sqrt, which round the same way on every machine. */
#ifndef WEFT_STRESS_PLAN_H
#define WEFT_STRESS_PLAN_H

#include <stdint.h>

#include "weft/base.h"

enum { STRESS_CLOTHS = 6, STRESS_BODIES = 4 };

/* Seeds from here on give small and short scenes, for `make test`. */
#define STRESS_FIRST_SMALL UINT64_C(1000000)

/* Random choices in a fixed order. */
typedef struct stress_dice {
    uint64_t seed;
    uint64_t counter;
} stress_dice;

double stress_real(stress_dice *dice, double low, double high);
int stress_int(stress_dice *dice, int low, int high); /* both ends included */
int stress_chance(stress_dice *dice, double chance);
/* Components in the order x, y, z. The order of a list of calls in braces is up to the compiler. */
weft_vec3 stress_vector(stress_dice *dice, weft_vec3 low, weft_vec3 high);
/* Uniform in the logarithm, by repeated square roots: log and exp differ between machines. */
double stress_scale(stress_dice *dice, double low, double high);

typedef enum stress_shape {
    STRESS_FLAT,    /* a grid in x and z */
    STRESS_HANGING, /* a grid in x and -y */
    STRESS_TILTED,  /* a grid with a random rotation */
    STRESS_FOLDED   /* a mesh file: layers along x, one above the other */
} stress_shape;

typedef struct stress_cloth {
    stress_shape shape;
    int cells[2];
    double edge;   /* m */
    int layers;    /* of a folded cloth */
    double gap;    /* between its layers, m */
    int diagonals; /* index in the list of patterns */
    int fabric, model;
    double friction;
    double tear;         /* strain at which it tears; 0: never */
    weft_vec3 low, high; /* box that holds it at the start, m */
    weft_vec3 rotate;    /* deg */
    weft_vec3 velocity;
    int pin;          /* 0: none; 1: its top side; 2: the corners of that side */
    weft_vec3 pull;   /* where its pins go, relative to their start, m */
    double pull_time; /* s */
} stress_cloth;

typedef enum stress_body_kind {
    STRESS_SPHERE,
    STRESS_BOX,
    STRESS_CAPSULE,
    STRESS_BLADE, /* a mesh file: one upright rectangle without thickness */
    STRESS_SPIKE  /* a mesh file: a slender pyramid */
} stress_body_kind;

typedef struct stress_body {
    stress_body_kind kind;
    weft_vec3 size;   /* radius and length in x and y, or edge lengths, m */
    double radius;    /* of a ball around its origin that contains it, m */
    weft_vec3 at;     /* m */
    weft_vec3 rotate; /* deg */
    weft_vec3 offset; /* of the last key, m */
    double time;      /* of the last key, s; 0: the body rests */
    double turn;      /* deg, until then */
    double friction;
} stress_body;

typedef struct stress_plan {
    stress_dice dice;
    int integrator;
    double step; /* s */
    int frames, rate;
    double thickness; /* of contact; 0: automatic */
    double room;      /* what the plan counts as thickness, m */
    int is_quiet;     /* nothing drives the scene, so that its energy can be checked */
    int has_plane, adapts, tears;
    double plane_friction;
    double wind; /* m/s; 0: none */
    weft_vec3 wind_direction;
    double air; /* damping by air; 0: none */
    int cloth_count, body_count;
    stress_cloth cloth[STRESS_CLOTHS];
    stress_body body[STRESS_BODIES];
} stress_plan;

stress_plan stress_plan_make(uint64_t seed);

/* stress_layout.c: places cloths and bodies such that nothing intersects at the start, and bodies that move leave room
 * for cloth between each other, the ground and the pins. */
void stress_plan_place(stress_plan *plan);

const char *stress_integrator_name(int integrator);
int stress_integrator_count(void);
int stress_is_explicit(int integrator);
int stress_is_implicit(int integrator); /* bdf2 and implicit-euler */

#endif
