/* What the host keeps of contact on a device: the order of the features, the room of lists, and the functions of a step
 * with contact. */
#ifndef WEFT_GPU_CONTACT_WORLD_H
#define WEFT_GPU_CONTACT_WORLD_H

#include "simulation.h"

/* Triangles and edges in the order of their trees. */
typedef struct gpu_surfaces {
    int32_t count, triangles, cloth_triangles, edges, cloth_edges;
    int32_t *triangle; /* (triangles x 3) */
    int32_t *edge;     /* (edges x 2), the lower number first */
    uint8_t *in_surface;
} gpu_surfaces;

/* contact_surfaces.c. Free them after a failure too. */
weft_result gpu_surfaces_create(const weft_device_contact *contact, int32_t cloths, gpu_surfaces *made);
void gpu_surfaces_free(gpu_surfaces *surfaces);
/* Numbers of the levels of a tree over `count` features. */
void gpu_tree_set_up(int32_t count, gpu_tree *tree);
/* Between features by their vertices and by their numbers. The slip of an exchanged pair of edges changes its sign. */
weft_result gpu_grips_in(const gpu_surfaces *surfaces, const weft_device_grip *from, int32_t count, gpu_grip *to,
                         int32_t *made);
void gpu_grips_out(const gpu_surfaces *surfaces, const gpu_grip *from, int32_t count, weft_device_grip *to);

/* Numbers of elements for which there is room. */
typedef struct gpu_rooms {
    int64_t offset, near, touch, rub, grip, next_grip, term, partial;
} gpu_rooms;

struct gpu_world {
    gpu_surfaces surfaces;
    gpu_rooms room;
    gpu_object *object; /* (objects) */
    int32_t objects;
    weft_vec3 *body[2]; /* places that the device has (count - cloths) */
    int32_t *part_of;   /* connected part of each vertex (cloths) */
    double *partial;    /* sums of blocks */
    weft_vec3 *still;   /* zero velocities on the device (cloths) */
    int placed;         /* 1: the device has places of bodies */
    int near_valid;     /* 1: the near pairs are complete about their anchors */
    int rounds;         /* search lines in this step */
    int blocked;        /* 1: the step failed because pins or bodies could not reach their places */
    int gives_up;       /* 1: the step may fail early */
    double energy;      /* stored at the end of the last step, J */
    char failure[160];  /* "" or why a list cannot grow */
};

/* contact_world.c */
weft_result gpu_world_create(gpu_simulation *s, const weft_device_scene *scene);
void gpu_world_destroy(gpu_simulation *s);
/* The grips of the end of the step become those of the start of the next. */
void gpu_world_swap_grips(gpu_simulation *s);
/* Sends the places of bodies if they have changed. */
int gpu_world_place_bodies(gpu_simulation *s, const weft_device_step *step);
/* Rooms of lists; the elements are lost when a list grows. */
int gpu_world_reserve_offsets(gpu_simulation *s, int64_t count);
int gpu_world_reserve_near(gpu_simulation *s, int64_t count);
int gpu_world_reserve_touches(gpu_simulation *s, int64_t count);
int gpu_world_reserve_rubs(gpu_simulation *s, int64_t count);
int gpu_world_reserve_grips(gpu_simulation *s, int64_t count);
int gpu_world_reserve_terms(gpu_simulation *s, int64_t count);

/* contact_lists.c: the lists of a step, as barrier_motion.c, barrier.c and barrier_friction.c make them. All return 0
 * after a failure of the device. */
/* Boxes of a tree for the line from x to x_next. */
int gpu_fit_tree(gpu_simulation *s, int32_t number);
/* The largest fraction of the line from x to x_next that is free of contact; -1: there is no way out. `near_suffice`:
 * no vertex has strayed from where it was when the near pairs were listed. */
int gpu_limit_motion(gpu_simulation *s, int near_suffice, double *fraction);
/* Touches at x. */
int gpu_list_touches(gpu_simulation *s);
int gpu_begin_friction(gpu_simulation *s);
/* Starts again with the present touches if their limits of friction have grown much. */
int gpu_renew_friction(gpu_simulation *s, int *renewed);
/* The terms of touches and friction for the linear system. */
int gpu_make_terms(gpu_simulation *s);
/* After the last line: the grips of the next step, and the energy in contact. */
int gpu_end_contact(gpu_simulation *s);

/* contact_momentum.c */
weft_result gpu_parts_create(gpu_simulation *s, const weft_device_lists *elements);
/* Corrects dv so that every part that no pin or body holds keeps its momentum. The forces f must be those of the
 * iterate, and the terms those of the solve. */
int gpu_keep_momentum(gpu_simulation *s);

/* contact_newton.c: an implicit step with contact from the start to the iterate. */
weft_status gpu_minimise(gpu_simulation *s, weft_solve *solve, int *sane);

/* contact_report.c */
weft_result gpu_simulation_contacts(gpu_simulation *s, weft_device_contacts *made);
weft_result gpu_simulation_fetch_grips(gpu_simulation *s, weft_device_grip **grips, int32_t *count);
weft_result gpu_simulation_audit(gpu_simulation *s, int64_t *crossings);
weft_result gpu_simulation_touching(gpu_simulation *s, const weft_device_step *at, double within, int64_t *pairs);

#endif
