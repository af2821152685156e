/* Spring forces: Provot, "Deformation constraints in a mass-spring model to describe rigid cloth behavior", Graphics
 * Interface 1995. Energy of a spring 1/2 k (l - l0)^2; the force is its exact gradient; damping along the spring, or
 * on the whole relative velocity. */
#include <math.h>
#include <string.h>

#include "model/springs.h"
#include "weft/vec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* GCC's and Clang's vectors: four doubles, on every machine. The fourth lane of a position is 0. */
typedef double lanes __attribute__((vector_size(32)));
typedef int64_t lane_bits __attribute__((vector_size(32)));
#define FILL(a) ((lanes){(a), (a), (a), (a)})
#define LOAD(p) ((lanes){(p).x, (p).y, (p).z, 0})

/* A vertex in a block: one cache line. */
typedef struct node {
    lanes x, force;
} __attribute__((aligned(WEFT_SPRINGS_STRIDE))) node;
_Static_assert(sizeof(node) == WEFT_SPRINGS_STRIDE, "offsets count in nodes");

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
    weft_vec3 *f;
} force_context;

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
#include "model/springs_kernel.inc"

#if defined(__x86_64__)
#define TARGET           __attribute__((target("avx2")))
#define NAME(name)       avx2_##name
#define WIDEN(result, p) ((result) = (lanes)_mm256_cvtps_pd(_mm_loadu_ps(p))) /* GCC 12 would convert by halves */
#define ROOTS(result, a) ((result) = (lanes)_mm256_sqrt_pd((__m256d)(a)))
#include "model/springs_kernel.inc"
#endif

static int damping_of(const weft_springs *s) {
    if (!(s->damping_constant > 0) && !(s->damping_time > 0))
        return UNDAMPED;
    return s->settings.damping_kind == WEFT_SPRINGS_ALONG ? ALONG : ISOTROPIC;
}

static weft_body kernel_of(weft_springs_isa isa, int damping) {
    static const weft_body PORTABLE[] = {portable_undamped, portable_along, portable_isotropic};
#if defined(__x86_64__)
    static const weft_body AVX2[] = {avx2_undamped, avx2_along, avx2_isotropic};
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

void weft_springs_force_by(weft_springs_isa isa, const weft_springs *s, const weft_work *work, const weft_vec3 *x,
                           const weft_vec3 *v, weft_vec3 *f) {
    force_context context = {s, x, v, f};
    int damping = damping_of(s);
    weft_parallel_for(work, s->mesh->vertex_count, WEFT_SPRINGS_BLOCK, kernel_of(isa, damping), &context);
    loose_forces(s, damping, x, v, f);
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
