/* Spring forces: Provot, "Deformation constraints in a mass-spring model to describe rigid cloth behavior", Graphics
 * Interface 1995. The energy of a spring is 1/2 k (l - l0)^2. The force is its exact negative gradient. Damping acts
 * along the spring, or on the whole relative velocity. */
#include <math.h>
#include <string.h>

#include "cloth/springs/springs.h"
#include "core/simd.h"
#include "weft/vec.h"

/* A point as a vector whose fourth lane is 0. */
#define LOAD(p) ((weft_f64x4){(p).x, (p).y, (p).z, 0})

/* A vertex in a block: one cache line. */
typedef struct node {
    weft_f64x4 x, force;
} __attribute__((aligned(WEFT_SPRINGS_STRIDE))) node;
_Static_assert(sizeof(node) == WEFT_SPRINGS_STRIDE, "offsets count in nodes");

/* The vertices of a block whose springs are in runs, one array per axis. The stride spreads the arrays over the sets of
 * the first-level cache. Springs are prefetched RUN_AHEAD springs ahead, because the hardware prefetcher stops at the
 * end of a page. */
enum { RUN_STRIDE = WEFT_SPRINGS_LOCAL + 57, RUN_AHEAD = 320 };
_Static_assert(RUN_STRIDE >= WEFT_SPRINGS_LOCAL + 2 * WEFT_SPRINGS_LANES, "rows are written in whole vectors");
typedef struct patch {
    double x[3][RUN_STRIDE], v[3][RUN_STRIDE], push[3][RUN_STRIDE], pull[3][RUN_STRIDE];
} __attribute__((aligned(64))) patch;

/* Added to squared lengths. It changes only lengths that are practically 0, and keeps rest / length finite there. A
 * spring without a direction then has no force instead of NaN. */
#define SMALLEST_SQUARE 1e-280

enum { UNDAMPED, ALONG, ISOTROPIC };

/* Four springs in the pipeline. First their lengths and velocities, then the coefficients computed from these. */
typedef struct group {
    union {
        weft_f64x4 squared; /* lengths, m2 */
        weft_f64x4 elastic; /* force per displacement, N/m */
    };
    union {
        weft_f64x4 approach; /* velocity along the spring times length, m2/s */
        weft_f64x4 viscous;  /* force per velocity, kg/s */
    };
} group;

/* Constants of the springs of a block. */
typedef struct kernel {
    const double *rest;
    const float *stiffness;
    double damping_constant, damping_time;
} kernel;

typedef struct force_context {
    const weft_springs *springs;
    const weft_vec3 *x, *v;
    const weft_force_stream *runs;
} force_context;

/* Progress of prefetching the rows of the next block, and the arrays to prefetch. */
typedef struct ahead {
    const weft_spring_row *row, *end;
    int32_t at;
    int vectors, triples, numbers; /* counts */
    const char *vector[5], *triple[6], *number[2];
} ahead;

static void look_ahead(const force_context *c, const weft_spring_row *row, int32_t row_count, ahead *next) {
    *next = (ahead){.row = row, .end = row + row_count, .vectors = 1, .vector = {(const char *)c->x}};
    const weft_prefetch *f = &c->runs->prefetch;
    if (c->runs->place)
        next->vector[next->vectors++] = (const char *)c->v;
    for (int i = 0; i < 3; i++)
        if (f->vector[i])
            next->vector[next->vectors++] = (const char *)f->vector[i];
    for (int i = 0; i < 6; i++)
        if (f->triple[i])
            next->triple[next->triples++] = (const char *)f->triple[i];
    for (int i = 0; i < 2; i++)
        if (f->number[i])
            next->number[next->numbers++] = (const char *)f->number[i];
}

/* Prefetches some of the next block's vertices into the second-level cache. */
static inline void fetch(ahead *next) {
    enum { AT_ONCE = 8, LINE = 64 };
    if (next->row == next->end)
        return;
    const size_t vertex = (size_t)next->row->vertex + (size_t)next->at;
    for (int i = 0; i < next->vectors; i++)
        for (size_t byte = 0; byte < AT_ONCE * sizeof(weft_vec3); byte += LINE)
            __builtin_prefetch(next->vector[i] + vertex * sizeof(weft_vec3) + byte, 0, 2);
    for (int i = 0; i < next->triples; i++)
        for (size_t byte = 0; byte < AT_ONCE * 3 * sizeof(float); byte += LINE)
            __builtin_prefetch(next->triple[i] + vertex * 3 * sizeof(float) + byte, 0, 2);
    for (int i = 0; i < next->numbers; i++)
        __builtin_prefetch(next->number[i] + vertex * sizeof(double), 0, 2);
    next->at += AT_ONCE;
    if (next->at >= next->row->count) {
        next->row++;
        next->at = 0;
    }
}

/* Calls `sink` for each run of consecutive vertices, with their section of f. */
static void each_run(const int32_t *vertex, int32_t count, weft_force_sink sink, void *context, int32_t block,
                     weft_vec3 *f) {
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && vertex[end] == vertex[end - 1] + 1;)
            end++;
        sink(context, block, vertex[first], end - first, f + first);
    }
}

/* Positions and velocities of the vertices of a block, packed. */
static void place_all(const force_context *c, const int32_t *vertex, int32_t count, weft_vec3 *x, weft_vec3 *v) {
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && vertex[end] == vertex[end - 1] + 1;)
            end++;
        c->runs->place(c->runs->context, vertex[first], end - first, x + first, v + first);
    }
}

#define WEFT_KERNEL           "cloth/springs/spring_force.inc"
#define WEFT_KERNEL_NO_AVX512 /* four doubles fill a vector of AVX2 */
#include "core/simd_kernels.inc"

static int damping_of(const weft_springs *s) {
    if (!(s->damping_constant > 0) && !(s->damping_time > 0))
        return UNDAMPED;
    return s->settings.damping_kind == WEFT_SPRINGS_ALONG ? ALONG : ISOTROPIC;
}

/* The springs that did not fit in a block, in order. */
static void loose_forces(const weft_springs *s, int damping, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    for (int32_t i = 0; i < s->layout.loose_count; i++) {
        int32_t spring = s->layout.loose[i], a = s->list.end[spring][0], b = s->list.end[spring][1];
        if (weft_springs_is_broken(s, spring))
            continue;
        weft_vec3 d = weft_sub(x[b], x[a]);
        double squared = weft_dot(d, d) + SMALLEST_SQUARE, k = s->stiffness[spring];
        double coefficient = k - k * (s->rest[spring] / sqrt(squared));
        double viscous = k > 0 ? s->damping_constant + s->damping_time * k : 0;
        if (damping == ALONG)
            coefficient += viscous * (weft_dot(d, weft_sub(v[b], v[a])) / squared);
        weft_vec3 push = weft_scale(coefficient, d);
        if (damping == ISOTROPIC)
            push = weft_add_scaled(push, viscous, weft_sub(v[b], v[a]));
        f[a] = weft_add(f[a], push);
        f[b] = weft_sub(f[b], push);
    }
}

static void block_forces(weft_isa isa, const weft_springs *s, const weft_work *work, const weft_vec3 *x,
                         const weft_vec3 *v, const weft_force_stream *runs) {
    force_context context = {s, x, v, runs};
    /* A thread prefetches the block after its own. So it gets consecutive blocks where there are enough of them. */
    const int64_t together = s->layout.block_count >= 16 * work->threads ? 4 : 1;
    weft_parallel_for(work, s->mesh->vertex_count, together * WEFT_SPRINGS_BLOCK,
                      WEFT_SIMD_PICK_AVX2(isa, loops)[damping_of(s)], &context);
}

int weft_springs_force_runs(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                            const weft_force_stream *runs) {
    const weft_springs *s = self;
    if (s->layout.loose_count > 0)
        return 0;
    block_forces(weft_simd_isa(), s, work, x, v, runs);
    return 1;
}

static void read_forces(void *context, int32_t part, int32_t first, int32_t count, weft_vec3 *f) {
    (void)part;
    memcpy(f, (const weft_vec3 *)context + first, (size_t)count * sizeof *f);
}

static void write_forces(void *context, int32_t part, int32_t first, int32_t count, weft_vec3 *f) {
    (void)part;
    memcpy((weft_vec3 *)context + first, f, (size_t)count * sizeof *f);
}

void weft_springs_force_by(weft_isa isa, const weft_springs *s, const weft_work *work, const weft_vec3 *x,
                           const weft_vec3 *v, weft_vec3 *f) {
    weft_force_stream runs = {read_forces, write_forces, NULL, f, {.vector = {f}}};
    block_forces(isa, s, work, x, v, &runs);
    loose_forces(s, damping_of(s), x, v, f);
}

void weft_springs_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_springs_force_by(weft_simd_isa(), self, work, x, v, f);
}

typedef struct energy_context {
    const weft_springs *springs;
    const weft_vec3 *x;
} energy_context;

static double sum_energy(void *context, int64_t begin, int64_t end) {
    const energy_context *c = context;
    const weft_springs *s = c->springs;
    double energy = 0;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        if (!s->settings.on[weft_springs_type(s, i)] || weft_springs_is_broken(s, i))
            continue;
        double stretch = weft_distance(c->x[s->list.end[i][0]], c->x[s->list.end[i][1]]) - s->rest[i];
        energy += 0.5 * s->stiffness[i] * stretch * stretch;
    }
    return energy;
}

double weft_springs_energy(const void *self, const weft_work *work, const weft_vec3 *x) {
    const weft_springs *s = self;
    energy_context context = {s, x};
    return weft_parallel_sum(work, s->list.count, WEFT_BLOCK, sum_energy, &context);
}

/* The Hessian of a spring is at most k [1 -1; -1 1] (x) I3, also when stretched: its transverse part is k (1 - l0 / l)
 * <= k. So the highest omega^2 is at most that of M^-1 B K B^T. B is the incidence matrix of vertices and springs, K
 * the diagonal matrix of stiffnesses. Its nonzero eigenvalues are those of B^T M^-1 B K. There the column of spring (i,
 * j) has an absolute sum of at most S_i / m_i + S_j / m_j, with S_i the sum of k at vertex i. Gershgorin's theorem for
 * the rows of M^-1 B K B^T would give the weaker bound 2 max S_i / m_i. The matrix M^-1 D of damping has the bound d in
 * the same way.
 *
 * Symplectic Euler is stable if omega^2 dt^2 + 2 d dt <= 4. This is dt <= 2 / w with the returned w. Without damping w
 * = omega. */
double weft_springs_highest_frequency(const void *self, const double *mass) {
    const weft_springs *s = self;
    double stiffest = 0, most_damped = 0;
    for (int32_t i = 0; i < s->list.count; i++) {
        if (!s->settings.on[weft_springs_type(s, i)])
            continue;
        int32_t a = s->list.end[i][0], b = s->list.end[i][1];
        double stiff = s->stiffness_sum[a] / mass[a] + s->stiffness_sum[b] / mass[b];
        double damped = s->damping_sum[a] / mass[a] + s->damping_sum[b] / mass[b];
        stiffest = stiff > stiffest ? stiff : stiffest;
        most_damped = damped > most_damped ? damped : most_damped;
    }
    return 0.5 * (most_damped + sqrt(most_damped * most_damped + 4 * stiffest));
}
