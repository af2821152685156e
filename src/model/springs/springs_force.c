/* Spring forces: Provot, "Deformation constraints in a mass-spring model to describe rigid cloth behavior", Graphics
 * Interface 1995. Energy of a spring 1/2 k (l - l0)^2; the force is its exact gradient; damping along the spring, or
 * on the whole relative velocity. */
#include <math.h>
#include <string.h>

#include "model/springs/springs.h"
#include "weft/vec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* GCC's and Clang's vectors: four doubles, on every machine. The fourth lane of a position is 0. */
typedef double lanes __attribute__((vector_size(32)));
typedef int64_t lane_bits __attribute__((vector_size(32)));
typedef double loose_lanes __attribute__((vector_size(32), aligned(8), may_alias)); /* anywhere in an array */
#define FILL(a) ((lanes){(a), (a), (a), (a)})
#define LOAD(p) ((lanes){(p).x, (p).y, (p).z, 0})

/* A vertex in a block: one cache line. */
typedef struct node {
    lanes x, force;
} __attribute__((aligned(WEFT_SPRINGS_STRIDE))) node;
_Static_assert(sizeof(node) == WEFT_SPRINGS_STRIDE, "offsets count in nodes");

/* The vertices of a block in runs, by axis. The stride spreads the arrays over the sets of the first cache. Springs are
 * fetched RUN_AHEAD before their turn: the processor's own fetching stops at the end of a page. */
enum { RUN_STRIDE = WEFT_SPRINGS_LOCAL + 57, RUN_AHEAD = 320 };
_Static_assert(RUN_STRIDE >= WEFT_SPRINGS_LOCAL + 2 * WEFT_SPRINGS_LANES, "rows are written by lanes");
typedef struct patch {
    double x[3][RUN_STRIDE], v[3][RUN_STRIDE], push[3][RUN_STRIDE], pull[3][RUN_STRIDE];
} __attribute__((aligned(64))) patch;

/* Added to squared lengths: too small to change any that is not practically 0, and keeps rest / length finite there,
 * so that a spring without a direction has no force instead of NaN. */
#define SMALLEST_SQUARE 1e-280

enum { UNDAMPED, ALONG, ISOTROPIC };

/* Four springs under way: what is measured gives way to what it weighs. */
typedef struct group {
    union {
        lanes squared; /* lengths, m2 */
        lanes elastic; /* force per way, N/m */
    };
    union {
        lanes approach; /* m2/s */
        lanes viscous;  /* force per velocity, kg/s */
    };
} group;

/* What the springs of a block are made of. */
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

/* Where the next block's rows are being fetched, and of which arrays. */
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

/* Fetches some of the next block's vertices into the second cache. */
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

/* Calls `body` for vertices that follow each other; f goes with them. */
static void each_run(const int32_t *vertex, int32_t count, weft_force_sink body, void *context, int32_t part,
                     weft_vec3 *f) {
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && vertex[end] == vertex[end - 1] + 1;)
            end++;
        body(context, part, vertex[first], end - first, f + first);
    }
}

/* Where the block's vertices are and how fast, one after another. */
static void place_all(const force_context *c, const int32_t *vertex, int32_t count, weft_vec3 *x, weft_vec3 *v) {
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && vertex[end] == vertex[end - 1] + 1;)
            end++;
        c->runs->place(c->runs->context, vertex[first], end - first, x + first, v + first);
    }
}

#define TARGET
#define NAME(name)       portable_##name
#define WIDEN(result, p) ((result) = (lanes){(p)[0], (p)[1], (p)[2], (p)[3]})
#if defined(__x86_64__)
#define ROOTS(result, a)                                                                                               \
    do {                                                                                                               \
        __m128d low = _mm_sqrt_pd((__m128d){(a)[0], (a)[1]}), high = _mm_sqrt_pd((__m128d){(a)[2], (a)[3]});           \
        (result) = (lanes){low[0], low[1], high[0], high[1]};                                                          \
    } while (0)
#else
#define ROOTS(result, a) ((result) = (lanes){sqrt((a)[0]), sqrt((a)[1]), sqrt((a)[2]), sqrt((a)[3])})
#endif
#include "model/springs/springs_kernel.inc"

#if defined(__x86_64__)
#define TARGET           __attribute__((target("avx2")))
#define NAME(name)       avx2_##name
#define WIDEN(result, p) ((result) = (lanes)_mm256_cvtps_pd(_mm_loadu_ps(p))) /* GCC 12 would convert by halves */
#define ROOTS(result, a) ((result) = (lanes)_mm256_sqrt_pd((__m256d)(a)))
#include "model/springs/springs_kernel.inc"
#endif

static int damping_of(const weft_springs *s) {
    if (!(s->damping_constant > 0) && !(s->damping_time > 0))
        return UNDAMPED;
    return s->settings.damping_kind == WEFT_SPRINGS_ALONG ? ALONG : ISOTROPIC;
}

static weft_loop kernel_of(weft_springs_isa isa, int damping) {
    static const weft_loop PORTABLE[] = {portable_undamped, portable_along, portable_isotropic};
#if defined(__x86_64__)
    static const weft_loop AVX2[] = {avx2_undamped, avx2_along, avx2_isotropic};
    if (isa == WEFT_SPRINGS_BEST && __builtin_cpu_supports("avx2"))
        return AVX2[damping];
#endif
    (void)isa;
    return PORTABLE[damping];
}

/* The springs that found no room in a block, in order. */
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

static void block_forces(weft_springs_isa isa, const weft_springs *s, const weft_work *work, const weft_vec3 *x,
                         const weft_vec3 *v, const weft_force_stream *runs) {
    force_context context = {s, x, v, runs};
    /* A thread fetches the next block for itself: so it gets some that follow each other, where there are many. */
    const int64_t together = s->layout.block_count >= 16 * work->threads ? 4 : 1;
    weft_parallel_for(work, s->mesh->vertex_count, together * WEFT_SPRINGS_BLOCK, kernel_of(isa, damping_of(s)),
                      &context);
}

int weft_springs_force_runs(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                            const weft_force_stream *runs) {
    const weft_springs *s = self;
    if (s->layout.loose_count > 0)
        return 0;
    block_forces(WEFT_SPRINGS_BEST, s, work, x, v, runs);
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

void weft_springs_force_by(weft_springs_isa isa, const weft_springs *s, const weft_work *work, const weft_vec3 *x,
                           const weft_vec3 *v, weft_vec3 *f) {
    weft_force_stream runs = {read_forces, write_forces, NULL, f, {.vector = {f}}};
    block_forces(isa, s, work, x, v, &runs);
    loose_forces(s, damping_of(s), x, v, f);
}

void weft_springs_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_springs_force_by(WEFT_SPRINGS_BEST, self, work, x, v, f);
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

/* A spring's Hessian is at most k [1 -1; -1 1] (x) I3, also when stretched (transverse part k (1 - l0 / l) <= k), so
 * the highest omega^2 is at most that of M^-1 B K B^T with B the incidence of vertices and springs and K the diagonal
 * of stiffnesses. Its eigenvalues other than 0 are those of B^T M^-1 B K, whose column of spring (i, j) has absolute
 * sum at most S_i / m_i + S_j / m_j, S_i the sum of k at i (the same with Gershgorin's rows of M^-1 B K B^T gives the
 * weaker 2 max S_i / m_i). Damping bounds likewise the matrix M^-1 D by d.
 *
 * Symplectic Euler is stable when omega^2 dt^2 + 2 d dt <= 4, which is dt <= 2 / w with the w returned; without
 * damping w = omega. */
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
