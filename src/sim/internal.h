/* Shared by the files of this folder. */
#ifndef WEFT_SIM_INTERNAL_H
#define WEFT_SIM_INTERNAL_H

#include "remesh/remesh.h"
#include "state/state.h"

/* The built-in components (builtins.c). */
weft_result weft_register_builtins(weft_registry *registry);
void sim_add_solve(weft_solve *sum, const weft_solve *one);
/* Makes the contact when there is something to touch and none yet (bodies.c). */
weft_result sim_prepare_contact(weft_sim *sim);
/* Fails when collisions are too many for impulses and the step can still be halved. */
weft_status sim_contact(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report);
/* The state before the step sees what these constraints did where they stopped something. */
void sim_restart_held(weft_sim *sim, double dt);
void sim_add_contact(weft_contact_report *sum, const weft_contact_report *one);
void sim_destroy_bodies(weft_sim *sim);
/* body_moves.c: bodies moved by hand, and those that come and go. */

/* Its settings have a new place: the next step takes it there from `before`. */
void sim_body_goes(weft_sim *sim, int32_t body, const weft_body_place *before);
void sim_begin_motion(weft_sim *sim, double dt);
void sim_end_motion(weft_sim *sim, weft_status status);
int32_t sim_move_count(const weft_sim *sim);
void sim_save_moves(const weft_sim *sim, char *bytes);
/* `bytes` holds `count` moves, of any alignment. */
weft_result sim_check_moves(const weft_sim *sim, const char *bytes, int32_t count);
void sim_load_moves(weft_sim *sim, const char *bytes, int32_t count);
/* Refuses times that contradict each other. */
weft_result sim_check_bodies(const weft_sim *sim);
/* After a change of their settings. */
weft_result sim_take_over_bodies(weft_sim *sim);
/* Counts intersections when there is reason to, and makes events of new ones (intersections.c). */
weft_result sim_watch_start(weft_sim *sim, weft_report *report);
weft_result sim_watch_end(weft_sim *sim, weft_report *report);
/* The first pair that touches and could not be parted; objects are cloths and then bodies. */
typedef struct sim_touch {
    int32_t cloth, object;
} sim_touch;
weft_result sim_separate_layers(weft_sim *sim, weft_separation *parting, sim_touch *first);
/* step.c: weft_sim_step to a time, so that steps, of which each makes the cuts after its begin and not after its end,
 * have no gaps between them. */
weft_result sim_step_until(weft_sim *sim, double dt, double end, weft_report *report);

#endif
