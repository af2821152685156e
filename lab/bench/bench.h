/* The benchmarks of `weft bench`. They use only the public API. */
#ifndef WEFT_LAB_BENCH_BENCH_H
#define WEFT_LAB_BENCH_BENCH_H

#include <stdio.h>

#include "weft/weft.h"

/* The explicit step: time and bytes per spring, compared with the memory bandwidth. */
weft_result weft_bench_springs(FILE *out);

/* The implicit step and its linear solve with each preconditioner, and table 1 of Choi and Ko (2002). */
weft_result weft_bench_implicit(FILE *out);

/* Finite elements: assembly per triangle, and the implicit step. */
weft_result weft_bench_fem(FILE *out);

/* Matrix assembly per vertex for every model, compared with the bytes of the matrix. */
weft_result weft_bench_assembly(FILE *out);

/* Contact per triangle at 10k, 40k and 160k triangles, compared with the solve. */
weft_result weft_bench_contact(FILE *out);
weft_result weft_bench_contact_sphere(FILE *out); /* one of its two scenes */
weft_result weft_bench_contact_pile(FILE *out);
weft_result weft_bench_contact_fixed(FILE *out); /* both scenes with the same thickness at every size */

/* Seconds for a 1280 x 720 picture of 100,000 triangles, with shadows and occlusion. */
weft_result weft_bench_render(FILE *out);

/* A hanging sheet with Weft's integrators and with Bullet, and its reference motion. */
weft_result weft_bench_hang(FILE *out);
weft_result weft_bench_hang_reference(FILE *out);

/* The same sheet dropped onto a sphere, without and with self-collision, with Weft and with Bullet. */
weft_result weft_bench_sphere(FILE *out);

/* 50,000 vertices in wind, and the step time of each method over the number of vertices. */
weft_result weft_bench_scale(FILE *out);
weft_result weft_bench_scale_accurate(FILE *out); /* its part for `bdf2` with finite elements */

/* Iterations of PCG from 10^4 to 10^6 unknowns: a falling sheet, a flag, a sheet on a sphere. */
weft_result weft_bench_iterations(FILE *out);

/* Plots of the latest results of hang and scale, for the documentation. */
weft_result weft_bench_plots(FILE *out);

/* The task pool: fork and join, speed-up over the size of a loop, and the cost on a busy machine. */
weft_result weft_bench_pool(FILE *out);

/* -- shared by all benchmarks (machine.c) -- */

/* Seconds on a monotonic clock. */
double weft_bench_now(void);
/* Prints processor, compiler and version: the first line of every benchmark. */
void weft_bench_machine(FILE *out);
/* Prints that line, then calls `print` with a new registry. */
weft_result weft_bench_print(FILE *out, weft_result (*print)(FILE *out, const weft_registry *registry));
/* Bytes per second of the triad a = b + s c over 256 MiB with that many threads; 0 if memory is exhausted. */
double weft_bench_bandwidth(int threads);
/* Memory traffic over the nominal bytes of the triad: lines of a are read before they are written. */
#define WEFT_BENCH_MOVED (4.0 / 3)
/* Seconds per call: the best of several rounds of about 50 ms. */
double weft_bench_time(void (*call)(void *context), void *context);

/* Appends a row to lab/bench/results/NAME.csv: time, machine, compiler and commit, then the given columns. A new file
 * starts with a header. Does nothing if the folder does not exist. */
__attribute__((format(printf, 3, 4))) void weft_bench_record(const char *name, const char *columns, const char *format,
                                                             ...);

#endif
