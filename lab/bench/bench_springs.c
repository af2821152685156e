/* Time of a whole explicit step of springs, compared with the memory bandwidth.
 *
 * A step must stream each array at least once. A spring has two 16-bit indices, its rest length as double and its
 * stiffness as float: 16 bytes. A vertex has its position and velocity, read and written, and its mass: 4 * 24 + 8 =
 * 104 bytes. The force array is not counted, because a fused step could keep it in cache. The bound is the time to
 * stream these bytes at the bandwidth of the triad a = b + s c with the same number of threads. Data that fits the
 * last-level cache may be faster. */
#include <math.h>
#include <sys/resource.h>

#include "lab/bench/bench.h"

enum { SPRING_BYTES = 16, VERTEX_BYTES = 104 };
static const double SPACING = 0.01; /* m between vertices */

/* A square sheet with about that many springs: n x n vertices have 6 n^2 - 10 n + 2. */
static weft_result make_sheet(const weft_registry *registry, int64_t springs, int threads, weft_sim **sim) {
    WEFT_TRY(weft_sim_create(registry, sim));
    WEFT_TRY(weft_sim_set_integrator(*sim, "symplectic-euler"));
    int64_t side = (int64_t)ceil((10 + sqrt(100 - 24.0 * (2 - (double)springs))) / 12);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = side - 1;
    grid.size[0] = grid.size[1] = (double)(side - 1) * SPACING;
    weft_mesh *mesh;
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    WEFT_TRY(weft_sim_add_cloth(*sim, "sheet", mesh, &fabric, "springs", NULL));
    WEFT_TRY(weft_sim_set(*sim, "cloth.model.structural_stiffness", "100"));
    WEFT_TRY(weft_sim_set(*sim, "cloth.model.shear_stiffness", "50"));
    WEFT_TRY(weft_sim_set(*sim, "cloth.model.flexion_stiffness", "10"));
    WEFT_TRY(weft_sim_set(*sim, "cloth.model.damping", "0"));
    WEFT_TRY(weft_sim_add_force(*sim, "gravity", NULL));
    weft_sim_set_threads(*sim, threads);
    return weft_sim_prepare(*sim);
}

static void step(void *context) {
    weft_report report;
    (void)weft_sim_step(context, 1e-5, &report);
}

static weft_result report(FILE *out, const weft_registry *registry, int64_t springs, int threads, double bandwidth) {
    weft_sim *sim = NULL;
    weft_result result = make_sheet(registry, springs, threads, &sim);
    if (result.code == WEFT_OK) {
        double count = weft_sim_link_count(sim, 0), vertices = weft_sim_cloth(sim, 0)->mesh->vertex_count;
        double bytes = SPRING_BYTES + VERTEX_BYTES * vertices / count;
        double time = weft_bench_time(step, sim) / count * 1e9, bound = bytes / bandwidth * 1e9;
        fprintf(out, "%9.0f %8d %10.2f %10.1f %10.2f %8.2f\n", count, threads, time, bytes, bound, time / bound);
        weft_bench_record("springs", "springs,threads,ns_a_spring,bytes,bound_ns", "%.0f,%d,%.3f,%.2f,%.3f", count,
                          threads, time, bytes, bound);
    }
    weft_sim_destroy(sim);
    return result;
}

/* Times the creation, preparation and first step, and reports the peak memory so far. */
static weft_result report_large(FILE *out, const weft_registry *registry) {
    static const int64_t VERTICES = 1000;
    weft_sim *sim = NULL;
    struct rusage usage;
    double start = weft_bench_now();
    weft_result result = make_sheet(registry, 6 * VERTICES * VERTICES - 10 * VERTICES + 2, 1, &sim);
    if (result.code == WEFT_OK) {
        step(sim);
        double seconds = weft_bench_now() - start;
        getrusage(RUSAGE_SELF, &usage);
        fprintf(out, "%d vertices created, prepared and advanced by one step in %.2f s, peak memory %.0f MB\n",
                weft_sim_cloth(sim, 0)->mesh->vertex_count, seconds, (double)usage.ru_maxrss * 1024e-6);
    }
    weft_sim_destroy(sim);
    return result;
}

static weft_result print_all(FILE *out, const weft_registry *registry) {
    static const int64_t SPRINGS[] = {10000, 100000, 1000000};
    fprintf(out, "whole steps: gravity, undamped springs of all three types, symplectic Euler; bytes are counted, not "
                 "measured\n");
    for (int threads = 1; threads <= 2; threads++) {
        double bandwidth = weft_bench_bandwidth(threads);
        if (!(bandwidth > 0))
            return weft_fail_memory("benchmark", (size_t)256 << 20);
        fprintf(out, "streaming bandwidth on %d thread%s: %.1f GB/s\n", threads, threads > 1 ? "s" : "",
                1e-9 * bandwidth);
        fprintf(out, "  springs  threads  ns/spring   B/spring   bound ns    ratio\n");
        for (int i = 0; i < 3; i++)
            WEFT_TRY(report(out, registry, SPRINGS[i], threads, bandwidth));
    }
    return report_large(out, registry);
}

weft_result weft_bench_springs(FILE *out) { return weft_bench_print(out, print_all); }
