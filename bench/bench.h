/* The benchmarks behind `weft bench`. They use the public API only. */
#ifndef WEFT_BENCH_BENCH_H
#define WEFT_BENCH_BENCH_H

#include <stdio.h>

#include "weft/weft.h"

/* Time and bytes per spring and step of the explicit step, beside the machine's streaming bandwidth. */
weft_result weft_bench_springs(FILE *out);

/* The implicit step and its linear solve, each preconditioner, and the table of Choi & Ko beside ours. */
weft_result weft_bench_implicit(FILE *out);

/* Assembly of finite elements by triangle, and their implicit step. */
weft_result weft_bench_fem(FILE *out);

/* Assembly of the matrix by vertex, of every model, beside its bytes. */
weft_result weft_bench_assembly(FILE *out);

/* Contact by triangle at 10k, 40k and 160k triangles, beside the solve. */
weft_result weft_bench_contact(FILE *out);
weft_result weft_bench_contact_sphere(FILE *out); /* of its two scenes */
weft_result weft_bench_contact_pile(FILE *out);
weft_result weft_bench_contact_fixed(FILE *out); /* both with the same thickness at every size */

/* Seconds of a picture of 100,000 triangles, 1280 x 720, with shadows and occlusion. */
weft_result weft_bench_render(FILE *out);

/* A hanging sheet on our integrators and on Bullet, and the finely stepped motion it is held beside. */
weft_result weft_bench_hang(FILE *out);
weft_result weft_bench_hang_reference(FILE *out);

/* The same sheet dropped onto a sphere, without and with contact of the sheet with itself, ours and Bullet's. */
weft_result weft_bench_sphere(FILE *out);

/* 50,000 vertices in wind, and how a step of each method grows with the vertices. */
weft_result weft_bench_scale(FILE *out);

/* Pictures of the last results of hang and scale, for the documentation. */
weft_result weft_bench_plots(FILE *out);

/* -- what benchmarks share (machine.c) -- */

/* Seconds of a steady clock. */
double weft_bench_now(void);
/* The processor, the compiler, the version: the first line of every benchmark. */
void weft_bench_machine(FILE *out);
/* Prints that line, and then what `print` does with a registry of its own. */
weft_result weft_bench_print(FILE *out, weft_result (*print)(FILE *out, const weft_registry *registry));
/* Bytes a second of the triad a = b + s c over 256 MiB on that many threads; 0 when memory is out. */
double weft_bench_bandwidth(int threads);
/* Of the triad's bytes those that go through memory: lines of a are read before they are written. */
#define WEFT_BENCH_MOVED (4.0 / 3)
/* Seconds a call, the least disturbed of some rounds of about 50 ms. */
double weft_bench_time(void (*call)(void *context), void *context);

/* Appends a row to bench/results/NAME.csv, after one of the columns' names when it is new, and before them the time,
 * the machine, the compiler and the commit. Silent when there is no such folder. */
__attribute__((format(printf, 3, 4))) void weft_bench_record(const char *name, const char *columns, const char *format,
                                                             ...);

#endif
