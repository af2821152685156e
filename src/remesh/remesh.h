/* Meshes that change while they are simulated: what the step and its preparation call. */
#ifndef WEFT_REMESH_REMESH_H
#define WEFT_REMESH_REMESH_H

#include "remesh/refined.h"
#include "state/state.h"

/* Of the surface as it is now, which the mesh may lag behind. */
static inline int32_t sim_vertex_count(const sim_cloth *cloth) {
    return cloth->refined ? cloth->refined->vertex_count : cloth->mesh->vertex_count;
}

/* maps.c: gives them to the surface of a cloth that changes, and makes those of a mesh that came from it. */
weft_result sim_give_maps(sim_cloth *cloth);
/* A map of the surface as it is now: that of vertex v is at v refined->map_count; null when there is none. */
const double *sim_map_now(const sim_cloth *cloth, weft_map map);
weft_result sim_follow_maps(const sim_cloth *cloth, const weft_mesh *mesh, double *map[WEFT_MAP_COUNT]);
/* reshape.c: a cloth whose mesh changes. */
weft_result sim_make_refined(weft_sim *sim, sim_cloth *cloth);
/* Before changes of cloth->refined: room for all that they may become, so that `end` cannot fail for the state. */
weft_result sim_reshape_begin(weft_sim *sim, sim_cloth *cloth);
/* After them: state, pins and drags follow the vertices; mesh, masses and model are left to sim_rebuild. */
void sim_reshape_end(weft_sim *sim, sim_cloth *cloth);
/* After masses have moved, models are told where they are. */
weft_result sim_move_views(weft_sim *sim);
/* The vertices of all cloths get their places, after counts changed. */
void sim_place_cloths(weft_sim *sim);
/* Takes over another surface; the state of its vertices is left to the caller. */
void sim_replace_refined(weft_sim *sim, sim_cloth *cloth, weft_refined *refined);
weft_result sim_reserve_pin(sim_pin *pin, int32_t count);
/* rebuild.c: mesh, masses and model of what was reshaped; done again later when memory runs out. */
weft_result sim_rebuild(weft_sim *sim);
/* The integrator that fits the cloths as they are, from the one that there is if possible. */
weft_result sim_prepare_integrator(weft_sim *sim);
/* Whether what the integrator keeps is that of the meshes there are. */
int sim_integrator_fits(const weft_sim *sim);
/* sweep.c: by how much a change of a cloth's surface, with its vertices at x, raises the energy of stretch and shear,
 * J. *area: of the triangles before it at rest, m2. */
double sim_flip_energy(const sim_cloth *cloth, const weft_vec3 *x, const weft_flip_volume *sweep, double *area);
/* trial.c: the elastic energy that a model of cloth->refined has with its vertices at x, J; the cloth stays as it is.
 */
weft_result sim_trial_energy(const weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x, double *energy);
/* tear.c: opens what is strained too much; the edges opened. */
weft_result sim_tear(weft_sim *sim, int32_t *opened);
/* threads.c: whether the fabric tears. */
int sim_tears(const sim_cloth *cloth);
/* The corners of a triangle at rest, m, x along the weft and y along the warp, in the order of its half-edges. */
void sim_lay_out(const sim_cloth *cloth, int32_t t, weft_vec2 corner[3]);
/* Refuses limits that the cloth's own weight passes, and a zone as large as the cloth. */
weft_result sim_check_tear(weft_sim *sim, const sim_cloth *cloth);
/* Makes a mesh that can change of the cloth's, if its model allows. */
weft_result sim_allow_changes(weft_sim *sim, sim_cloth *cloth);
/* sides.c: opens the edge of a half-edge; returns whether it could. */
int sim_open_edge(sim_cloth *cloth, int32_t halfedge);
/* After sim_rebuild: what was opened since the last time gets a gap, if contact minds it. */
weft_result sim_separate_crack_sides(weft_sim *sim, sim_cloth *cloth);
/* cut.c: the cuts whose time is after `begin` and not after `end`; the links opened. */
weft_result sim_make_cuts(weft_sim *sim, double begin, double end, int32_t *opened);
/* adapt.c: what adaption does after a step, or before the first one. */
weft_result sim_check_adapt(const weft_sim *sim);
/* Refuses a limit on triangles that the cloth's mesh itself passes. */
weft_result sim_check_most(const weft_sim *sim, const sim_cloth *cloth);
weft_result sim_adapt(weft_sim *sim, weft_adapt_report *report);
weft_result sim_adapt_start(weft_sim *sim, weft_adapt_report *report);
void sim_add_adapt(weft_adapt_report *sum, const weft_adapt_report *one);

#endif
