/* Meshes that change during the simulation: functions that the step and its preparation call. */
#ifndef WEFT_SIM_REMESH_H
#define WEFT_SIM_REMESH_H

#include "mesh/refined.h"
#include "sim/state.h"

/* Vertex count of the current surface. The mesh may lag behind until sim_rebuild. */
static inline int32_t sim_vertex_count(const sim_cloth *cloth) {
    return cloth->refined ? cloth->refined->vertex_count : cloth->mesh->vertex_count;
}

/* Whether the mesh may only come apart along the edges of its faces, which stay. */
static inline int sim_splits_only(const sim_cloth *cloth) {
    return (sim_model(cloth)->gives & (WEFT_RESHAPES | WEFT_SPLITS)) == WEFT_SPLITS;
}

/* cloth_maps.c: copies the maps of a cloth to an adaptive surface that has no vertices of its own yet. */
weft_result sim_set_surface_maps(const sim_cloth *cloth, weft_refined *surface);
/* A map on the current surface, or null. The value of vertex v is at index v * refined->map_count. */
const double *sim_surface_map(const sim_cloth *cloth, weft_map map);
/* Makes the maps of a mesh made from the current surface. The caller owns them. */
weft_result sim_make_mesh_maps(const sim_cloth *cloth, const weft_mesh *mesh, double *map[WEFT_MAP_COUNT]);
/* reshape.c: makes an adaptive surface from the cloth's mesh, if its model allows any change. */
weft_result sim_make_refined(sim_cloth *cloth);
/* The same if its model allows edges to open. */
weft_result sim_make_separable(sim_cloth *cloth);
/* The surface of a cloth as it was given. */
weft_result sim_make_whole_surface(const sim_cloth *cloth, weft_refined **made);
/* split_mesh.c: the mesh of a cloth that only splits. */
weft_result sim_split_mesh(const sim_cloth *cloth, weft_mesh **made);
/* Null if a surface can belong to the cloth, else why not. For surfaces that are read. */
const char *sim_split_flaw(const sim_cloth *cloth, const weft_refined *surface);
/* The face to which a triangle of the surface belongs. Edges inside a face do not open. */
int32_t sim_face_of(const sim_cloth *cloth, int32_t triangle);
/* Whether a half-edge lies between two faces. */
int sim_may_open(const sim_cloth *cloth, int32_t halfedge);
/* Call before changes of cloth->refined. Reserves room for all possible results, so that `end` cannot fail. */
weft_result sim_reshape_begin(weft_sim *sim, sim_cloth *cloth);
/* Call after them. Transfers state, pins and drags to the new vertices. Mesh, masses and model are left to
 * sim_rebuild. */
void sim_reshape_end(weft_sim *sim, sim_cloth *cloth);
/* Updates the models after the mass arrays have moved. */
weft_result sim_update_views(weft_sim *sim);
/* Assigns vertex ranges to all cloths after counts changed. */
void sim_place_cloths(weft_sim *sim);
/* Replaces the surface and takes ownership of `refined`. The caller sets the state of its vertices. */
void sim_replace_refined(weft_sim *sim, sim_cloth *cloth, weft_refined *refined);
weft_result sim_reserve_pin(sim_pin *pin, int32_t count);
/* rebuild.c: rebuilds mesh, masses and model of changed cloths. After an out-of-memory failure it can be called
 * again. */
weft_result sim_rebuild(weft_sim *sim);
/* Prepares an integrator for the current cloths, by reshaping the existing one if possible. */
weft_result sim_prepare_integrator(weft_sim *sim);
/* Whether the integrator matches the current meshes. */
int sim_integrator_fits(const weft_sim *sim);
/* flip_energy.c: increase of the stretch and shear energy by a change of the surface, with vertices at x, J. *area:
 * rest area of the triangles before it, m2. */
double sim_flip_energy(const sim_cloth *cloth, const weft_vec3 *x, const weft_flip_volume *flip, double *area);
/* trial_energy.c: elastic energy of a model of cloth->refined with vertices at x, J. Does not change the cloth. */
weft_result sim_trial_energy(const weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x, double *energy);
/* tear.c: opens overstrained edges. *opened: their number. */
weft_result sim_tear(weft_sim *sim, int32_t *opened);
/* yarns.c: whether the fabric can tear. */
int sim_tears(const sim_cloth *cloth);
/* Corners of a triangle at rest, m, with x along the weft and y along the warp, in the order of its half-edges. */
void sim_rest_corners(const sim_cloth *cloth, int32_t t, weft_vec2 corner[3]);
/* Rejects strain limits that the cloth's own weight exceeds, and a zone as large as the cloth. */
weft_result sim_check_tear(weft_sim *sim, const sim_cloth *cloth);
/* Lets the edges of a prepared cloth open, if its model allows it. */
weft_result sim_allow_changes(weft_sim *sim, sim_cloth *cloth);
/* crack_sides.c: opens the edge of a half-edge. Returns whether it succeeded. */
int sim_open_edge(sim_cloth *cloth, int32_t halfedge);
/* Call after sim_open_edge. If self-collision is on, finds displacements that part the sides of the opened edges. Edges
 * whose sides cannot part without an intersection close again, all of them after a failure. cloth->opened_count: the
 * edges that are still open. */
weft_result sim_part_crack_sides(weft_sim *sim, sim_cloth *cloth);
/* Call after sim_part_crack_sides, instead of sim_reshape_end and sim_rebuild. Splits the state along the opened edges
 * and parts their sides. */
weft_result sim_commit_cracks(weft_sim *sim, sim_cloth *cloth);
/* cut.c: makes the cuts with begin < time <= end. Adds the number of opened links to *opened. */
weft_result sim_make_cuts(weft_sim *sim, double begin, double end, int32_t *opened);
/* adaptation.c: checks the settings of the adaptation. */
weft_result sim_check_adapt(const weft_sim *sim);
/* Rejects a triangle limit below the triangle count of the cloth's mesh. */
weft_result sim_check_most(const weft_sim *sim, const sim_cloth *cloth);
/* Adapts after a step, if it is due. */
weft_result sim_adapt(weft_sim *sim, weft_adapt_report *report);
/* Adapts before the first step. */
weft_result sim_adapt_start(weft_sim *sim, weft_adapt_report *report);
void sim_add_adapt(weft_adapt_report *sum, const weft_adapt_report *one);

#endif
