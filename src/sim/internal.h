/* Shared by the files of this folder. */
#ifndef WEFT_SIM_INTERNAL_H
#define WEFT_SIM_INTERNAL_H

#include "sim/remesh.h"
#include "sim/state.h"
#include "weft/hooks.h"

/* builtins.c */
weft_result weft_register_builtins(weft_registry *registry);

/* registry.c: writes a line to the registry's log. */
void sim_log(const weft_sim *sim, weft_log_level level, const char *format, ...) WEFT_PRINTF(3, 4);

/* contact_phase.c */

/* Fills in contact_settings. Call after a change of contact_given, fabrics, cloths or bodies. */
void sim_resolve_contact(weft_sim *sim);
/* Whether the new state is not finite (unless the integrator has checked that) or cloth with contact explodes. */
int sim_has_diverged(const weft_sim *sim, int is_checked);
/* energy_watch.c: whether the cloth has more kinetic energy than it can have got. */
/* Call at the start of a step of length dt, with its inputs applied. */
void sim_watch_energy(weft_sim *sim, double dt);
/* Whether the step, whose end is proposed, ends in an explosion. Then weft_sim_reason says why. */
int sim_explodes(weft_sim *sim);
/* measure.c: J, with the vertices at x and v. */
double sim_kinetic(const weft_sim *sim, const weft_vec3 *v);
double sim_potential(const weft_sim *sim, const weft_vec3 *x, const weft_vec3 *v);
/* Creates the contact, or renews it after meshes changed, if there is anything to touch. */
weft_result sim_prepare_contact(weft_sim *sim);
/* Contact response after the solve, with the settings of that solve: the pairs that it found belong to them. Fails when
 * impulses do not suffice and the step can still be halved. */
weft_status sim_contact(weft_sim *sim, const weft_contact_settings *settings, double dt, int32_t halvings_left,
                        weft_report *report);
/* verify_contact.c: the same after a solve with constraints that replaced the barrier. Verified by the audit. */
weft_status sim_verified_contact(weft_sim *sim, const weft_contact_settings *settings, double dt, int32_t halvings_left,
                                 weft_report *report);
/* Shows impacts that constraints of the solve stopped to the history of two-step schemes. */
void sim_restart_held(weft_sim *sim, double dt);
void sim_add_contact(weft_contact_report *sum, const weft_contact_report *one);
/* adaptive_step.c: the shortest step that an error asks for, relative to time.step. */
#define SIM_SHORTEST (1.0 / 64)
/* Chooses the next step by the error of this one, whose end is proposed. `touching`: contact made it implicit Euler. */
void sim_adapt_step(weft_sim *sim, double dt, int touching);
/* The next step of a frame of which `left` seconds are left: one of several equal ones, s. */
double sim_adaptive_step(const weft_sim *sim, double left);
/* step_cost.c: keeps the first reason for which a step is halved or made by another method. */
void sim_note_trouble(weft_report *report, weft_trouble trouble);
/* Fills in what the step cost that began at the simulated time `begin` (s) and took `seconds`. */
void sim_note_cost(weft_report *report, double begin, double seconds);

/* tailoring.c: null is allowed. */
void sim_free_tailoring(weft_tailoring *tailoring);
/* panels.c: panels that may change live. */
/* After the tailoring was set; a cloth without face groups has none. */
weft_result sim_make_panels(sim_cloth *cloth);
/* Brings the factors of the tailoring up to date. */
void sim_apply_panels(sim_cloth *cloth);
/* Brings the pressures of padding up to date. */
void sim_pad_panels(sim_cloth *cloth);
void sim_free_panels(sim_cloth *cloth);
/* Brings the rest shapes of garments that are being sewn to a time, s. */
weft_result sim_sew(weft_sim *sim, double time);

/* body_inputs.c */

void sim_destroy_bodies(weft_sim *sim);
/* Refuses contradicting times and axes of length 0. */
weft_result sim_check_bodies(const weft_sim *sim);
/* Makes the meshes of bodies that generate theirs. */
weft_result sim_make_bodies(weft_sim *sim);
/* Call after a change of body settings. */
weft_result sim_take_over_bodies(weft_sim *sim);

/* body_moves.c: bodies moved by hand, and bodies that appear and vanish. */

/* The body has a new place in its settings. The next step moves it there from `before`. */
weft_result sim_body_goes(weft_sim *sim, int32_t body, const weft_body_place *before);
void sim_begin_motion(weft_sim *sim, double dt);
void sim_end_motion(weft_sim *sim, weft_status status);
int32_t sim_move_count(const weft_sim *sim);
void sim_save_moves(const weft_sim *sim, char *bytes);
/* `bytes` holds `count` moves and need not be aligned. */
weft_result sim_check_moves(const weft_sim *sim, const char *bytes, int32_t count);
void sim_load_moves(weft_sim *sim, const char *bytes, int32_t count);

/* intersections.c: count intersections when there is reason to, and report new ones as events. */
weft_result sim_watch_start(weft_sim *sim, weft_report *report);
weft_result sim_watch_end(weft_sim *sim, weft_report *report);

/* separate_start.c */

/* The first pair that touches and could not be separated. Objects are the cloths, then the bodies. */
typedef struct sim_touch {
    int32_t cloth, object;
} sim_touch;
weft_result sim_separate_layers(weft_sim *sim, weft_separation *separation, sim_touch *first);

/* step.c */

/* One step to the time `end`. A step makes the scheduled cuts after its begin and up to its end, so consecutive steps
 * miss none. Fails with WEFT_DIVERGED or WEFT_INTERSECTS where the report's status is not WEFT_STATUS_OK. */
weft_result sim_step_until(weft_sim *sim, double dt, double end, weft_report *report);
void sim_add_solve(weft_solve *sum, const weft_solve *one);

/* device_run.c: steps on a device. */

/* Finds the device that the settings name, and copies the scene to it if that has not been done. */
weft_result sim_prepare_device(weft_sim *sim);
/* One step of length dt. On failure the state is unchanged. */
weft_status sim_device_step(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report);

/* device_contact.c: contact on the device. */

/* Refuses by name what devices do not support of contact. */
weft_result sim_check_device_contact(const weft_sim *sim, int32_t scheme);
/* What the device gets of contact; null without anything to touch. From the arena. */
weft_result sim_describe_contact(const weft_sim *sim, const weft_device_contact **made);
/* Adds the places of bodies to a step. WEFT_STATUS_DIVERGED: a body or a pin goes too far for one step. */
weft_status sim_device_bodies(weft_sim *sim, weft_device_step *step);
/* Counts pairs that touch at the start, on the device. */
weft_result sim_device_touching(weft_sim *sim, int64_t *pairs);
/* Takes over what the step has found about contact. */
weft_status sim_device_contacts(weft_sim *sim, weft_report *report);

/* device_scene.c: what the device gets. */

/* A result that says what a device does not support. */
weft_result sim_refuse_on_device(const weft_sim *sim, const char *what);
/* Refuses by name what devices do not support. */
weft_result sim_check_device(const weft_sim *sim, int32_t *scheme);
/* Creates the device's copy of the scene. */
weft_result sim_create_device(weft_sim *sim, int32_t scheme);
/* External forces at a time. */
weft_device_air sim_device_air(const weft_sim *sim, double time);

/* prepare.c: weft_sim_prepare without fetching the state. */
weft_result sim_prepare_step(weft_sim *sim);

/* sleep.c */
/* Adds bytes to a hash, or a component with its settings, which may be null. */
uint64_t sim_fold(uint64_t hash, const void *bytes, size_t size);
uint64_t sim_fold_component(uint64_t hash, const weft_component *component, const void *settings);
/* Whether the simulation sleeps through the step. */
int sim_sleeps(weft_sim *sim, double dt);
/* Call after every step that was made. `minimised`: by the barrier, with contacts. */
void sim_grow_drowsy(weft_sim *sim, double dt, int minimised);

#endif
