/* A simulation on a device: its memory and the step. */
#ifndef WEFT_GPU_SIMULATION_H
#define WEFT_GPU_SIMULATION_H

#include "execute.h"
#include "layout.h"
#include "row_order.h"
#include "schwarz.h"

enum { GPU_ARRAYS = 200 };

typedef struct gpu_world gpu_world; /* contact_world.h */

/* Vertices above which AUTO takes the Schwarz preconditioner. Below, block-Jacobi iterations are so cheap on a GPU that
 * more of them are faster. */
enum { GPU_SCHWARZ_FROM = 120000 };

typedef struct gpu_simulation {
    gpu_executor on;
    weft_gpu gpu; /* pointers into the device's memory */
    weft_device_solver solver;
    int32_t slices, hinges;
    int32_t level_entries[GPU_LEVELS];
    void *array[GPU_ARRAYS]; /* all of that memory */
    int array_count;
    int32_t *place;      /* of the engine's vertices in the order of the device (count); null: the same order */
    int32_t *held;       /* vertices and places that the device has, to see whether they changed (held_count) */
    int32_t *held_place; /* these vertices in the order of the device */
    weft_vec3 *target;
    int32_t held_count, held_room;
    gpu_world *world; /* null: no contact */
} gpu_simulation;

/* simulation.c. Takes the executor over, also after a failure. */
weft_result gpu_simulation_create(const weft_device_scene *scene, const gpu_executor *on, gpu_simulation **made);
void gpu_simulation_destroy(gpu_simulation *s);
/* A result that says why the device failed. */
weft_result gpu_simulation_failure(const gpu_simulation *s);
/* Device memory that the simulation owns, filled with `from` unless that is null. */
void *gpu_take(gpu_simulation *s, size_t count, size_t size, const void *from);
int gpu_run(gpu_simulation *s, gpu_kernel kernel, int32_t items);
/* Runs a kernel that sums, into a slot of the numbers. */
int gpu_run_sum(gpu_simulation *s, gpu_kernel kernel, int32_t items, int32_t slot);
/* Waits for the device. All zero after a failure. */
gpu_numbers gpu_read_numbers(gpu_simulation *s);
/* Runs a kernel that sums, waits, and returns the first sum. */
double gpu_sum(gpu_simulation *s, gpu_kernel kernel, int32_t items);
weft_result gpu_simulation_fetch_begin(gpu_simulation *s, int32_t copy);
weft_result gpu_simulation_fetch_end(const gpu_simulation *s, int32_t copy, const weft_device_state *to);

/* step.c */
weft_result gpu_simulation_step(gpu_simulation *s, const weft_device_step *step, weft_status *status,
                                weft_solve *solve);
/* Forces at the iterate (x, v), into f; external forces into external. */
int gpu_evaluate_forces(gpu_simulation *s);

/* newton.c: an implicit step from the start to the iterate. */
weft_status gpu_newton(gpu_simulation *s, weft_solve *solve, int *sane);

/* device_linear.c: assembles at the iterate and solves for dv. */
void gpu_assemble(gpu_simulation *s);
weft_status gpu_solve(gpu_simulation *s, weft_solve *solve);

#endif
