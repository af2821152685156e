/* The functions of the WebAssembly module that JavaScript calls. Pointers are addresses in its memory. */
#ifndef WEFT_APPS_WEB_WASM_BROWSER_H
#define WEFT_APPS_WEB_WASM_BROWSER_H

#include "weft/sim.h"

/* Functions that may fail return 0 for success, or null for a missing object. This is then the reason. It is valid
 * until the next call. */
const char *weft_browser_message(void);
/* Keeps the message of a result. Returns 0 for success, else 1. */
int weft_browser_keep(weft_result result);
/* The components that scenes can name; made once. */
weft_result weft_browser_registry(weft_registry **registry);

/* -- browser_studio.c -- */

/* Starts the studio with a scene: a name of the gallery, or a path below the studio's folder. */
int weft_browser_open(const char *start, int threads);
/* Executes a message of the page. */
void weft_browser_execute(const char *text);
/* Does what is due at `now` (s, a monotonic clock). Returns the seconds until something is due again. */
double weft_browser_go_on(double now);
/* Sends the newest frame, after the shapes that it needs. Returns its sequence number; 0 if there is no new frame. */
unsigned weft_browser_send_frame(void);
/* Stores an uploaded file. Returns its path relative to the studio's folder, or null. */
const char *weft_browser_store(const char *received, const char *name);

/* -- browser_sim.c: a simulation for programs (the npm package weft-cloth) -- */

typedef struct weft_browser_sim weft_browser_sim;

/* Builds a simulation from the text of a scene. `path` is the name of the scene in messages; files that the scene names
 * are looked up beside it, in the module's file system. */
weft_browser_sim *weft_browser_sim_create(const char *text, const char *path, int threads);
void weft_browser_sim_destroy(weft_browser_sim *sim);
int weft_browser_sim_set(weft_browser_sim *sim, const char *parameter, const char *value);
/* Returns the value as text, valid until the next call, or null. */
const char *weft_browser_sim_get(weft_browser_sim *sim, const char *parameter);
/* Returns the path of a parameter by index; null after the last. */
const char *weft_browser_sim_parameter(weft_browser_sim *sim, int index);
/* Advances by a step or by a whole frame. Fails if the simulation diverges. */
int weft_browser_sim_advance(weft_browser_sim *sim, int whole_frame);
double weft_browser_sim_time(const weft_browser_sim *sim);
double weft_browser_sim_frame(const weft_browser_sim *sim);
/* The state hash as 16 hexadecimal digits. */
const char *weft_browser_sim_hash(const weft_browser_sim *sim);

int weft_browser_cloth_count(const weft_browser_sim *sim);
const char *weft_browser_cloth_name(const weft_browser_sim *sim, int cloth);
int weft_browser_cloth_vertices(const weft_browser_sim *sim, int cloth);
int weft_browser_cloth_triangles(const weft_browser_sim *sim, int cloth);
/* Views, valid until the next call that advances: three doubles per vertex (m), three indices per triangle. */
const double *weft_browser_cloth_positions(const weft_browser_sim *sim, int cloth);
const int *weft_browser_cloth_indices(const weft_browser_sim *sim, int cloth);
/* Two texture coordinates per vertex (m), or null. */
const double *weft_browser_cloth_uv(const weft_browser_sim *sim, int cloth);
/* Counts changes of the mesh by cuts, tears and adaptation. */
int weft_browser_cloth_version(const weft_browser_sim *sim, int cloth);
int weft_browser_cloth_pin(weft_browser_sim *sim, int cloth, const int *vertex, int count);
int weft_browser_cloth_free(weft_browser_sim *sim, int cloth, const int *vertex, int count);
/* Pulls vertices towards points (three doubles each) from the next step on. */
int weft_browser_cloth_drag(weft_browser_sim *sim, int cloth, const int *vertex, const double *point, int count);
int weft_browser_cloth_release(weft_browser_sim *sim, int cloth);

int weft_browser_body_count(const weft_browser_sim *sim);
/* Computes the surface of a body. The sizes and arrays below are of the last call. */
int weft_browser_body_surface(weft_browser_sim *sim, int body);
int weft_browser_surface_vertices(const weft_browser_sim *sim);
int weft_browser_surface_triangles(const weft_browser_sim *sim);
const double *weft_browser_surface_positions(const weft_browser_sim *sim);
const int *weft_browser_surface_indices(const weft_browser_sim *sim);

/* Writes the present frame as a file of the module's file system. `format` is obj, ply or glb. */
int weft_browser_sim_write(weft_browser_sim *sim, const char *format, const char *folder);

#endif
