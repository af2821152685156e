/* A device computes the steps of a simulation instead of the integrator and keeps the state in its own memory. Backends
 * are components of kind WEFT_DEVICE, in shared objects of their own. This header is the whole interface between the
 * engine and a backend. It is not installed: a backend belongs to one version of the engine. */
#ifndef WEFT_SIM_DEVICE_BACKEND_H
#define WEFT_SIM_DEVICE_BACKEND_H

#include "cloth/device_elements.h"
#include "weft/integrator.h"
#include "weft/system.h"

/* Increases whenever a struct of this header or of device_elements.h changes. */
enum { WEFT_DEVICE_VERSION = 5 };

typedef enum weft_device_scheme {
    WEFT_DEVICE_IMPLICIT_EULER,
    WEFT_DEVICE_BDF2,
    WEFT_DEVICE_FORWARD_EULER,
    WEFT_DEVICE_SYMPLECTIC_EULER,
    WEFT_DEVICE_VERLET,
    WEFT_DEVICE_VERLET_TIMECORRECTED,
    WEFT_DEVICE_VERLET_TAYLOR
} weft_device_scheme;

/* Preconditioners of PCG. AUTO: by the number of vertices. */
typedef enum weft_device_precond {
    WEFT_DEVICE_PRECOND_AUTO,
    WEFT_DEVICE_PRECOND_BLOCK,
    WEFT_DEVICE_PRECOND_SCHWARZ
} weft_device_precond;

/* Settings of the implicit schemes, as in solve/implicit.h. */
typedef struct weft_device_solver {
    double tolerance, newton_tolerance;
    int32_t iterations, precondition, warm_start, newton, finish, line_search;
} weft_device_solver;

/* A triangle that feels the air. */
typedef struct weft_device_facet {
    int32_t vertex[3], material;
} weft_device_facet;

/* A cloth or a body in contact. */
typedef struct weft_device_object {
    double friction;  /* coefficient of the fabric, or of the body */
    double thickness; /* of a body, in addition to that of contact, m */
    int32_t is_body;
} weft_device_object;

/* What a pair in contact remembers from step to step: weft_contact_grip. */
typedef struct weft_device_grip {
    int32_t kind, vertex[4];
    double reach;
    weft_vec3 slip;
} weft_device_grip;

/* Surfaces that touch. Vertices are those of the cloths, followed by those of the bodies; so are the objects. */
typedef struct weft_device_contact {
    int32_t count, triangle_count, object_count;
    const int32_t (*triangle)[3]; /* sorted by object (triangle_count) */
    const int32_t *object_of;     /* (count) */
    const weft_vec3 *rest;        /* (count) */
    const weft_device_object *object;
    double thickness; /* m */
    double friction;  /* factor on all coefficients */
    double spare;     /* how much farther than the thickness near pairs reach, m */
    int32_t self;     /* 1: cloths touch themselves and each other */
    const weft_device_grip *grip;
    int32_t grip_count;
} weft_device_contact;

/* All that a backend needs to know of a simulation. Every pointer is a view, valid during the call of create. */
typedef struct weft_device_scene {
    int32_t count;                        /* of vertices */
    const double *mass, *area;            /* kg, m2 (count) */
    const int32_t *material_of;           /* material of each vertex (count) */
    const weft_vec3 *x, *v;               /* m, m/s (count) */
    const weft_vec3 *x_before, *v_before; /* one step earlier; used if the first step has dt_before > 0 (count) */
    const weft_device_material *material;
    int32_t material_count;
    const weft_device_facet *facet;
    const double *facet_share; /* part of each corner of a facet in its force (3 x facet_count) */
    int32_t facet_count;
    const weft_device_lists *elements;
    int32_t scheme; /* weft_device_scheme */
    weft_device_solver solver;
    const weft_device_contact *contact; /* null: nothing touches */
    int32_t number;                     /* of the device */
} weft_device_scene;

typedef enum weft_device_source_kind { WEFT_DEVICE_WIND_POINT, WEFT_DEVICE_WIND_VORTEX } weft_device_source_kind;

/* A wind whose velocity depends on the place: force/wind_point.c, force/wind_vortex.c. */
typedef struct weft_device_source {
    int32_t kind, falloff; /* falloff: 0 smooth, 1 none */
    weft_vec3 centre, axis;
    double speed, radius, updraft;
} weft_device_source;

enum { WEFT_DEVICE_SOURCES = 16 };

/* External forces at one time. */
typedef struct weft_device_air {
    weft_vec3 acceleration; /* m/s2 */
    weft_vec3 push;         /* force on every vertex, N */
    double damp_vertex;     /* kg/s */
    double damp_area;       /* kg/(m2 s) */
    int32_t has_wind;
    int32_t source_count;
    double half_density; /* of the air, kg/m3 */
    weft_vec3 wind;      /* velocity of the air that is the same everywhere, m/s */
    weft_device_source source[WEFT_DEVICE_SOURCES];
} weft_device_air;

/* Inputs of a step. Pointers are views, valid during the call. */
typedef struct weft_device_step {
    double dt, dt_before;    /* s; dt_before is 0 at the start and after a jump */
    weft_device_air air;     /* at the time at which the scheme evaluates forces */
    const int32_t *held;     /* vertices held by pins and drags; may repeat (held_count) */
    const weft_vec3 *target; /* their places at the end of the step, m (held_count) */
    int32_t held_count;
    /* with contact: places of the bodies at the start and the end of the step (vertices of bodies), objects that are
     * away (object_count), and whether the step may fail early, because shorter ones follow */
    const weft_vec3 *body_start, *body_end;
    const uint8_t *absent;
    int32_t gives_up;
    int32_t *blocked; /* receives 1 if the step fails because pins or bodies cannot reach their places; may be null */
} weft_device_step;

/* Contact at the end of the last step. */
typedef struct weft_device_contacts {
    int64_t touching; /* pairs that push */
    int64_t near;     /* pairs that were looked at */
    double energy;    /* in barriers and grips, J */
} weft_device_contacts;

/* Copies of the state that may be under way at the same time. */
typedef enum weft_device_copy { WEFT_DEVICE_PRESENT, WEFT_DEVICE_STILL, WEFT_DEVICE_COPIES } weft_device_copy;

/* Arrays that receive the state (count). Null ones are left out. */
typedef struct weft_device_state {
    weft_vec3 *x, *v, *x_before, *v_before;
} weft_device_state;

/* The functions of a backend. `self` is what create made. */
typedef struct weft_device_functions {
    uint32_t version; /* WEFT_DEVICE_VERSION */
    /* Copies the scene to the device. */
    weft_result (*create)(const weft_device_scene *scene, void **self);
    void (*destroy)(void *self);
    /* One step. solve->solve_seconds receives how long the step before took by the device's clock. If *status is not
     * WEFT_STATUS_OK, the state is as before. A failure of the device itself is a failed result. */
    weft_result (*step)(void *self, const weft_device_step *step, weft_status *status, weft_solve *solve);
    /* Starts copying the present state to the host. Later steps do not change what arrives. Each copy that is begun
     * must be ended before the next one of its kind (weft_device_copy). */
    weft_result (*fetch_begin)(void *self, int32_t copy);
    /* Waits for a copy. Another thread may call this while this one makes steps. */
    weft_result (*fetch_end)(void *self, int32_t copy, const weft_device_state *to);
    weft_result (*contacts)(void *self, weft_device_contacts *made);
    /* The grips at the end of the last step, sorted, in memory that the caller frees. */
    weft_result (*fetch_grips)(void *self, weft_device_grip **grips, int32_t *count);
    /* Counts pairs of an edge and a triangle that it passes through, independently of contact. */
    weft_result (*audit)(void *self, int64_t *crossings);
    /* Counts pairs of the present state that are closer than `within` (m). Of `at` only the bodies matter, at their
     * places at the end. */
    weft_result (*touching)(void *self, const weft_device_step *at, double within, int64_t *pairs);
    /* Name and memory of device `number`, such as "NVIDIA H200, 139 GiB". */
    weft_result (*describe)(int32_t number, char *text, size_t size);
} weft_device_functions;

#endif
