/* The constant matrix of the integrator `projective`, built from the Hessian blocks of any model.
 *
 * Let B be the block of a vertex pair. The stiffness between its vertices is at most |B| in any direction, so the graph
 * Laplacian with weights |B| bounds the stiffness matrix from above. A step with it never overshoots. For a spring of
 * stiffness k the weight is k, as in S. Bouaziz et al., Projective dynamics: fusing constraint projections for fast
 * simulation, ACM TOG 33, 2014.
 *
 * A weak pair is removed from the structure if two strong pairs form a detour around it. Since |a - c|^2 <= 2 |a - b|^2
 * + 2 |b - c|^2, twice its weight on both of them also bounds it. On a grid this leaves the four edges of each vertex
 * and a third of the fill-in. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "solve/projective.h"
#include "weft/sort.h"
#include "weft/vec.h"

static const double WEAK = 0.125;    /* relative to the weaker pair of the detour */
static const double STRETCH = 1.001; /* slight stretch, so that models without stiffness at rest show it */
static const double HELD = 1e4;      /* factor of the diagonal: effectively fixed, and safe in float */
enum { BATCH = 32, PAIRS = 28 };

typedef weft_projective_pair pair;

typedef struct builder {
    weft_projective_matrix *m;
    pair *list; /* sorted, without duplicates */
    int64_t count;
    uint8_t *weak; /* (count) */
} builder;

void weft_projective_matrix_destroy(weft_projective_matrix *matrix) {
    if (!matrix)
        return;
    weft_cholesky_destroy(matrix->cholesky);
    free(matrix->some_start);
    free(matrix->some);
    free(matrix->inertia);
    free(matrix->held);
    free(matrix->value);
    free(matrix->diagonal);
    free(matrix->damping);
    free(matrix->stiffness);
    free(matrix->column);
    free(matrix->start);
    free(matrix->pair);
    free(matrix->mass);
    free(matrix->origin);
    free(matrix);
}

/* Upper bound of the spectral norm: the Frobenius norm, exact for springs. */
static float norm(const double block[9]) {
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += block[i] * block[i];
    return (float)sqrt(sum);
}

static int64_t count_pairs(const weft_system *system) {
    int64_t count = 0;
    for (int32_t i = 0; i < weft_system_list_count(system); i++) {
        int32_t first;
        weft_elements list = weft_system_list(system, i, &first);
        count += (int64_t)list.count * list.arity * (list.arity - 1) / 2;
    }
    return count;
}

/* Pairs without stiffness are kept, so that two matrices can be compared pair by pair. */
static void add_list(weft_projective_matrix *m, const weft_system *system, int32_t index, const weft_vec3 *x,
                     const weft_vec3 *v) {
    int32_t first, element[BATCH];
    weft_elements list = weft_system_list(system, index, &first);
    double stiffness[BATCH * PAIRS * 9], damping[BATCH * PAIRS * 9];
    for (int32_t from = 0; from < list.count; from += BATCH) {
        int32_t batch = list.count - from < BATCH ? list.count - from : BATCH;
        for (int32_t i = 0; i < batch; i++)
            element[i] = from + i;
        weft_system_element_blocks(system, index, element, batch, x, v, stiffness, damping);
        const double *k = stiffness, *d = damping;
        for (int32_t i = 0; i < batch; i++) {
            const int32_t *vertex = list.vertex + (int64_t)(from + i) * list.arity;
            for (int32_t p = 0; p < list.arity; p++)
                for (int32_t q = p + 1; q < list.arity; q++, k += 9, d += 9) {
                    int32_t one = first + vertex[p], other = first + vertex[q];
                    m->pair[m->pair_count++] =
                        (pair){one < other ? one : other, one < other ? other : one, norm(k), norm(d)};
                }
        }
    }
}

static int compare_pairs(const void *a, const void *b) {
    const pair *p = a, *q = b;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static void merge(builder *b) {
    const weft_projective_matrix *m = b->m;
    for (int64_t i = 0; i < m->pair_count; i++)
        if (m->pair[i].stiffness > 0 || m->pair[i].damping > 0)
            b->list[b->count++] = m->pair[i];
    weft_sort(b->list, (size_t)b->count, sizeof *b->list, compare_pairs);
    int64_t kept = 0;
    for (int64_t i = 0; i < b->count; i++) {
        if (kept > 0 && compare_pairs(&b->list[kept - 1], &b->list[i]) == 0) {
            b->list[kept - 1].stiffness += b->list[i].stiffness;
            b->list[kept - 1].damping += b->list[i].damping;
        } else {
            b->list[kept++] = b->list[i];
        }
    }
    b->count = kept;
}

/* Lists the neighbours of each vertex over the pairs that are not weak, ascending. With `as_pairs`, `column` holds pair
 * indices instead. */
static void list_neighbours(const builder *b, int as_pairs) {
    weft_projective_matrix *m = b->m;
    memset(m->start, 0, ((size_t)m->count + 1) * sizeof *m->start);
    for (int64_t i = 0; i < b->count; i++)
        if (!b->weak[i]) {
            m->start[b->list[i].a + 1]++;
            m->start[b->list[i].b + 1]++;
        }
    for (int32_t v = 0; v < m->count; v++)
        m->start[v + 1] += m->start[v];
    for (int64_t i = 0; i < b->count; i++)
        if (!b->weak[i]) {
            int32_t a = b->list[i].a, c = b->list[i].b;
            int32_t to_c = m->start[a]++, to_a = m->start[c]++;
            m->column[to_c] = as_pairs ? (int32_t)i : c;
            m->column[to_a] = as_pairs ? (int32_t)i : a;
            m->stiffness[to_c] = m->stiffness[to_a] = b->list[i].stiffness;
            m->damping[to_c] = m->damping[to_a] = b->list[i].damping;
        }
    for (int32_t v = m->count; v > 0; v--)
        m->start[v] = m->start[v - 1];
    m->start[0] = 0;
}

static int32_t far_end(const pair *p, int32_t vertex) { return p->a == vertex ? p->b : p->a; }

/* The detour around pair i whose weaker pair is strongest. Returns 0 if that is not strong enough. */
static int find_detour(const builder *b, int64_t i, int32_t detour[2]) {
    const weft_projective_matrix *m = b->m;
    const pair *p = &b->list[i];
    double best = 0;
    for (int32_t k = m->start[p->a]; k < m->start[p->a + 1]; k++)
        for (int32_t l = m->start[p->b]; l < m->start[p->b + 1]; l++) {
            const pair *one = &b->list[m->column[k]], *other = &b->list[m->column[l]];
            double weaker = (double)(one->stiffness < other->stiffness ? one->stiffness : other->stiffness);
            if (far_end(one, p->a) != far_end(other, p->b) || !(weaker > best))
                continue;
            best = weaker;
            detour[0] = m->column[k];
            detour[1] = m->column[l];
        }
    return (double)p->stiffness <= WEAK * best;
}

/* Marks weak pairs whose detour consists of pairs that are not weak themselves, and adds their weights to the detour.
 */
static void remove_weak(builder *b) {
    list_neighbours(b, 1);
    for (int64_t i = 0; i < b->count; i++) {
        int32_t detour[2];
        if (!find_detour(b, i, detour) || b->weak[detour[0]] || b->weak[detour[1]])
            continue;
        b->weak[i] = 1;
        for (int k = 0; k < 2; k++) {
            b->list[detour[k]].stiffness += 2 * b->list[i].stiffness;
            b->list[detour[k]].damping += 2 * b->list[i].damping;
        }
    }
    list_neighbours(b, 0);
}

static int allocate(builder *b) {
    weft_projective_matrix *m = b->m;
    size_t n = (size_t)m->count, pairs = (size_t)m->pair_count, entries = 2 * pairs;
    return (b->list = weft_allocate(pairs, sizeof *b->list)) && (b->weak = weft_allocate(pairs, 1)) &&
           (m->start = weft_allocate(n + 1, sizeof *m->start)) &&
           (m->column = weft_allocate(entries, sizeof *m->column)) &&
           (m->stiffness = weft_allocate(entries, sizeof *m->stiffness)) &&
           (m->damping = weft_allocate(entries, sizeof *m->damping)) &&
           (m->value = weft_allocate(entries, sizeof *m->value)) &&
           (m->diagonal = weft_allocate(n, sizeof *m->diagonal)) && (m->held = weft_allocate_large(n, 1)) &&
           (m->inertia = weft_allocate_large(n, sizeof *m->inertia)) &&
           (m->some = weft_allocate_large(n, sizeof *m->some)) &&
           (m->some_start = weft_allocate(n / WEFT_PROJECTIVE_GROUP + 2, sizeof *m->some_start));
}

/* Selects every fourth vertex: four vertices span 48 bytes of a vector. */
static void choose_some(weft_projective_matrix *m) {
    int32_t count = 0;
    for (int32_t k = 0; k < m->count; k++) {
        if (k % WEFT_PROJECTIVE_GROUP == 0)
            m->some_start[k / WEFT_PROJECTIVE_GROUP] = count;
        if (m->cholesky->vertex[k] % 4 == 0)
            m->some[count++] = m->cholesky->vertex[k];
    }
    m->some_start[(m->count - 1) / WEFT_PROJECTIVE_GROUP + 1] = count;
}

weft_result weft_projective_matrix_order(weft_projective_matrix *matrix) {
    builder b = {.m = matrix};
    weft_result result;
    if (allocate(&b)) {
        merge(&b);
        remove_weak(&b);
        result =
            weft_cholesky_create(matrix->count, matrix->start, matrix->column, matrix->origin, 1, &matrix->cholesky);
        if (result.code == WEFT_OK)
            choose_some(matrix);
    } else {
        result = weft_fail_memory("a projective step", (size_t)matrix->pair_count * sizeof *b.list);
    }
    free(b.weak);
    free(b.list);
    return result;
}

static weft_result collect(weft_projective_matrix *m, const weft_system *system) {
    size_t n = (size_t)system->count;
    int64_t pairs = count_pairs(system);
    if (pairs > INT32_MAX / 2)
        return weft_fail(WEFT_BAD_INPUT, "integrator 'projective': %lld pairs of vertices, at most %d are allowed",
                         (long long)pairs, INT32_MAX / 2);
    weft_vec3 *x = weft_allocate(n, sizeof *x),
              *v = weft_allocate(n, sizeof *v); /* stretched positions, zero velocities */
    m->count = system->count;
    m->origin = weft_allocate(n, sizeof *m->origin);
    m->mass = weft_allocate(n, sizeof *m->mass);
    m->pair = weft_allocate((size_t)pairs, sizeof *m->pair);
    int enough = x && v && m->origin && m->mass && m->pair;
    if (enough) {
        weft_system_rest(system, m->origin);
        memcpy(m->mass, system->mass, n * sizeof *m->mass);
        for (size_t i = 0; i < n; i++)
            x[i] = weft_scale(STRETCH, m->origin[i]);
        for (int32_t i = 0; i < weft_system_list_count(system); i++)
            add_list(m, system, i, x, v);
    }
    free(v);
    free(x);
    return enough ? weft_ok() : weft_fail_memory("a projective step", (size_t)pairs * sizeof *m->pair);
}

weft_result weft_projective_matrix_create(const weft_system *system, weft_projective_matrix **made) {
    *made = weft_allocate(1, sizeof **made);
    if (!*made)
        return weft_fail_memory("a projective step", sizeof **made);
    weft_result result = collect(*made, system);
    if (result.code != WEFT_OK) {
        weft_projective_matrix_destroy(*made);
        *made = NULL;
    }
    return result;
}

weft_result weft_projective_matrix_copy(const weft_projective_matrix *matrix, weft_projective_matrix **made) {
    size_t n = (size_t)matrix->count, pairs = (size_t)matrix->pair_count;
    weft_projective_matrix *m = *made = weft_allocate(1, sizeof *m);
    if (m) {
        m->count = matrix->count;
        m->pair_count = matrix->pair_count;
        m->origin = weft_allocate(n, sizeof *m->origin);
        m->mass = weft_allocate(n, sizeof *m->mass);
        m->pair = weft_allocate(pairs, sizeof *m->pair);
    }
    if (!m || !m->origin || !m->mass || !m->pair) {
        weft_projective_matrix_destroy(m);
        *made = NULL;
        return weft_fail_memory("a projective step", pairs * sizeof *m->pair);
    }
    memcpy(m->origin, matrix->origin, n * sizeof *m->origin);
    memcpy(m->mass, matrix->mass, n * sizeof *m->mass);
    memcpy(m->pair, matrix->pair, pairs * sizeof *m->pair);
    return weft_ok();
}

static double ratio(double next, double now) { return next <= now ? 1 : now > 0 ? next / now : INFINITY; }

double weft_projective_matrix_excess(const weft_projective_matrix *matrix, const weft_projective_matrix *next) {
    double most = 1;
    if (matrix->count != next->count || matrix->pair_count != next->pair_count)
        return INFINITY;
    if (memcmp(matrix->mass, next->mass, (size_t)next->count * sizeof *next->mass) != 0)
        return INFINITY; /* steps use the matrix's masses */
    for (int64_t i = 0; i < next->pair_count; i++) {
        const pair *p = &next->pair[i], *q = &matrix->pair[i];
        if (p->a != q->a || p->b != q->b)
            return INFINITY;
        most = fmax(most, fmax(ratio((double)p->stiffness, (double)q->stiffness),
                               ratio((double)p->damping, (double)q->damping)));
    }
    return most;
}

static int is_factored(const weft_projective_matrix *m, const uint8_t *held, double h) {
    return fabs(m->h - h) <= 1e-9 * h && memcmp(m->held, held, (size_t)m->count) == 0;
}

weft_result weft_projective_matrix_prepare(weft_projective_matrix *matrix, const uint8_t *held, double h,
                                           int *changed) {
    weft_projective_matrix *m = matrix;
    *changed = !is_factored(m, held, h);
    if (!*changed)
        return weft_ok();
    for (int32_t i = 0; i < m->count; i++) {
        m->held[i] = held[i];
        m->diagonal[i] = m->mass[i] / (h * h);
        m->inertia[i] = m->held[i] ? 0 : m->diagonal[i];
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
            double weight = (double)m->stiffness[k] + (double)m->damping[k] / h;
            m->value[k] = -weight;
            m->diagonal[i] += weight;
        }
        m->diagonal[i] *= m->held[i] ? HELD : 1;
    }
    m->h = 0; /* stays 0 if the factorisation fails */
    WEFT_TRY(weft_cholesky_factor(m->cholesky, m->start, m->column, m->diagonal, m->value));
    m->h = h;
    return weft_ok();
}
