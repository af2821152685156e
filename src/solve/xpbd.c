/* Extended position-based dynamics: M. Macklin, M. Müller, N. Chentanez, XPBD: position-based simulation of compliant
 * constrained dynamics, MIG 2016. Substeps with one iteration each follow M. Macklin et al., Small steps in physics
 * simulation, SCA 2019. A link of stiffness k is a constraint of compliance 1 / k. Constraints are projected in
 * Gauss-Seidel order by graph colouring. Those of one colour share no vertex, so they run in parallel with the same
 * result.
 *
 * Long-range attachments keep each vertex within its geodesic distance along the cloth from the nearest held vertex: T.
 * Kim, N. Chentanez, M. Müller, Long range attachments, SCA 2012. Without them, finer meshes need more iterations. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/simd.h"
#include "solve/air_limit.h"
#include "solve/schemes.h"

enum { LANES = 4, COLOURS = 64 };

typedef struct xpbd_settings {
    int32_t substeps;
    int32_t attach;
    double slack;
} xpbd_settings;

#define FIELD(member) offsetof(xpbd_settings, member)

static const weft_param PARAMS[] = {
    {.name = "substeps",
     .type = WEFT_INT,
     .offset = FIELD(substeps),
     .low = 1,
     .high = 10000,
     .fallback = "10",
     .unit = "",
     .help = "substeps per step, with one iteration over all constraints each"},
    {.name = "attach",
     .type = WEFT_BOOL,
     .offset = FIELD(attach),
     .high = 1,
     .fallback = "true",
     .unit = "",
     .help = "long-range attachments: limit the distance of each vertex to the nearest held one"},
    {.name = "slack",
     .type = WEFT_REAL,
     .offset = FIELD(slack),
     .high = 10,
     .fallback = "0.02",
     .unit = "",
     .help = "how far attachments may exceed the distance along the cloth, as a fraction of it"},
    {0},
};

/* A distance constraint; sorted by colour. */
typedef struct constraint {
    int32_t a, b;
    double rest, compliance; /* m, m/N */
} constraint;

typedef struct xpbd {
    int32_t count, constraint_count;
    constraint *constraint;
    int32_t colour_start[COLOURS + 2]; /* the last range has no colour and runs sequentially */
    uint8_t *held;                     /* held vertices for which the attachments were computed (count) */
    int32_t *anchor;                   /* nearest held vertex, or WEFT_NONE (count) */
    double *reach;                     /* geodesic distance to it, m (count) */
    int32_t *start,
        *neighbour;        /* constraints of each vertex, for Dijkstra's algorithm (count + 1, 2 constraint_count) */
    int32_t *heap, *place; /* scratch of Dijkstra's algorithm (count) */
    int32_t heap_size;
    int stale; /* 1: the models changed */
    int attached;
} xpbd;

static void release(xpbd *p) {
    free(p->place);
    free(p->heap);
    free(p->neighbour);
    free(p->start);
    free(p->reach);
    free(p->anchor);
    free(p->held);
    free(p->constraint);
    *p = (xpbd){0};
}

static void destroy(void *self) {
    if (self)
        release(self);
    free(self);
}

/* -- constraints by colour -- */

static int lowest_free(uint64_t used) { return used == ~UINT64_C(0) ? COLOURS : __builtin_ctzll(~used); }

static weft_result colour(const weft_system *system, xpbd *p) {
    int32_t links = weft_system_link_count(system), total = 0;
    uint64_t *used = weft_allocate((size_t)p->count, sizeof *used);
    uint8_t *found = weft_allocate((size_t)links, 1);
    p->constraint = weft_allocate((size_t)links, sizeof *p->constraint);
    if (!used || !found || !p->constraint) {
        free(found);
        free(used);
        return weft_fail_memory("constraints", (size_t)links * sizeof *p->constraint);
    }
    int32_t size[COLOURS + 2] = {0};
    for (int32_t i = 0; i < links; i++) {
        weft_link link = weft_system_link(system, i);
        found[i] = UINT8_MAX;
        if (!(link.stiffness > 0))
            continue;
        int c = lowest_free(used[link.a] | used[link.b]);
        if (c < COLOURS) {
            used[link.a] |= UINT64_C(1) << c;
            used[link.b] |= UINT64_C(1) << c;
        }
        found[i] = (uint8_t)c;
        size[c]++;
    }
    for (int c = 0; c <= COLOURS; c++) {
        p->colour_start[c] = total;
        total += size[c];
        size[c] = p->colour_start[c];
    }
    p->colour_start[COLOURS + 1] = p->constraint_count = total;
    for (int32_t i = 0; i < links; i++) {
        weft_link link = weft_system_link(system, i);
        if (found[i] != UINT8_MAX)
            p->constraint[size[found[i]]++] = (constraint){link.a, link.b, link.rest_length, 1 / link.stiffness};
    }
    free(found);
    free(used);
    return weft_ok();
}

/* -- attachments: Dijkstra's algorithm from all held vertices at once -- */

static void sift_up(xpbd *p, int32_t at) {
    int32_t vertex = p->heap[at];
    while (at > 0 && p->reach[p->heap[(at - 1) / 2]] > p->reach[vertex]) {
        p->heap[at] = p->heap[(at - 1) / 2];
        p->place[p->heap[at]] = at;
        at = (at - 1) / 2;
    }
    p->heap[at] = vertex;
    p->place[vertex] = at;
}

static int32_t pop(xpbd *p) {
    int32_t top = p->heap[0], last = p->heap[--p->heap_size], at = 0;
    p->place[top] = WEFT_NONE;
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= p->heap_size)
            break;
        if (child + 1 < p->heap_size && p->reach[p->heap[child + 1]] < p->reach[p->heap[child]])
            child++;
        if (!(p->reach[p->heap[child]] < p->reach[last]))
            break;
        p->heap[at] = p->heap[child];
        p->place[p->heap[at]] = at;
        at = child;
    }
    if (p->heap_size > 0) {
        p->heap[at] = last;
        p->place[last] = at;
    }
    return top;
}

static void reach_from(xpbd *p, int32_t vertex) {
    for (int32_t k = p->start[vertex]; k < p->start[vertex + 1]; k++) {
        const constraint *j = &p->constraint[p->neighbour[k]];
        int32_t other = j->a == vertex ? j->b : j->a;
        double way = p->reach[vertex] + j->rest;
        if (!(way < p->reach[other]))
            continue;
        if (p->reach[other] == INFINITY) {
            p->place[other] = p->heap_size;
            p->heap[p->heap_size++] = other;
        }
        p->reach[other] = way;
        p->anchor[other] = p->anchor[vertex];
        sift_up(p, p->place[other]);
    }
}

static void attach(xpbd *p, const weft_system *system) {
    p->heap_size = 0;
    for (int32_t i = 0; i < p->count; i++) {
        p->held[i] = system->inverse_mass[i] == 0;
        p->anchor[i] = p->held[i] ? i : WEFT_NONE;
        p->reach[i] = p->held[i] ? 0 : INFINITY;
    }
    for (int32_t i = 0; i < p->count; i++)
        if (p->held[i]) {
            p->heap[p->heap_size++] = i;
            sift_up(p, p->heap_size - 1);
        }
    while (p->heap_size > 0)
        reach_from(p, pop(p));
    p->attached = 1;
}

static int same_held(const xpbd *p, const weft_system *system) {
    for (int32_t i = 0; i < p->count; i++)
        if (p->held[i] != (system->inverse_mass[i] == 0))
            return 0;
    return p->attached;
}

static void list_neighbours(xpbd *p) {
    for (int32_t i = 0; i < p->constraint_count; i++) {
        p->start[p->constraint[i].a + 1]++;
        p->start[p->constraint[i].b + 1]++;
    }
    for (int32_t v = 0; v < p->count; v++)
        p->start[v + 1] += p->start[v];
    for (int32_t i = 0; i < p->constraint_count; i++) {
        p->neighbour[p->start[p->constraint[i].a]++] = i;
        p->neighbour[p->start[p->constraint[i].b]++] = i;
    }
    for (int32_t v = p->count; v > 0; v--)
        p->start[v] = p->start[v - 1];
    p->start[0] = 0;
}

static weft_result build(const weft_system *system, xpbd *p) {
    size_t n = (size_t)system->count;
    p->count = system->count;
    WEFT_TRY(colour(system, p));
    if (!(p->held = weft_allocate(n, 1)) || !(p->anchor = weft_allocate(n, sizeof *p->anchor)) ||
        !(p->reach = weft_allocate(n, sizeof *p->reach)) || !(p->start = weft_allocate(n + 1, sizeof *p->start)) ||
        !(p->neighbour = weft_allocate(2 * (size_t)p->constraint_count, sizeof *p->neighbour)) ||
        !(p->heap = weft_allocate(n, sizeof *p->heap)) || !(p->place = weft_allocate(n, sizeof *p->place)))
        return weft_fail_memory("constraints", n * 32);
    list_neighbours(p);
    return weft_ok();
}

static weft_result create(const void *settings, const weft_system *system, void **self) {
    (void)settings;
    *self = NULL;
    xpbd *p = weft_allocate(1, sizeof *p);
    if (!p)
        return weft_fail_memory("constraints", sizeof *p);
    weft_result result = build(system, p);
    if (result.code == WEFT_OK)
        *self = p;
    else
        destroy(p);
    return result;
}

static void retuned(void *self) { ((xpbd *)self)->stale = 1; }

static weft_result restored(void *self, const void *settings, const weft_system *system) {
    (void)settings;
    (void)system;
    retuned(self); /* other links may be broken */
    return weft_ok();
}

/* -- the step -- */

typedef struct motion {
    const xpbd *self;
    const weft_system *system;
    double dt, h, progress; /* progress: fraction of the step completed at the end of the substep */
    double slack;
    weft_vec3 *before, *external; /* positions at the start of the substep, m; forces of the step, N (count) */
    int32_t first;                /* first constraint of the current colour */
} motion;

static void predict(void *context, int64_t begin, int64_t end) {
    const motion *m = context;
    const weft_system *s = m->system;
    for (int64_t i = begin; i < end; i++) {
        double w = s->inverse_mass[i];
        m->before[i] = s->x_next[i];
        if (w == 0) {
            s->x_next[i] = weft_add_scaled(s->x[i], m->progress, weft_sub(s->target[i], s->x[i]));
            continue;
        }
        s->v_next[i] = weft_add_scaled(s->v_next[i], m->h * w, m->external[i]);
        s->x_next[i] = weft_add_scaled(s->x_next[i], m->h, s->v_next[i]);
    }
}

/* Projects four constraints at a time. Lanes past the end are empty, with a nonzero length. */
static void project_four(const motion *m, const constraint *constraints, int64_t count) {
    weft_vec3 *x = m->system->x_next;
    const double *w = m->system->inverse_mass;
    weft_f64x4 dx = {1, 1, 1, 1}, dy = {0}, dz = {0}, rest = {1, 1, 1, 1}, weight = {1, 1, 1, 1}, length;
    for (int64_t k = 0; k < count; k++) {
        const constraint *j = &constraints[k];
        weft_vec3 d = weft_sub(x[j->b], x[j->a]);
        dx[k] = d.x;
        dy[k] = d.y;
        dz[k] = d.z;
        rest[k] = j->rest;
        weight[k] = w[j->a] + w[j->b] + j->compliance / (m->h * m->h);
    }
    weft_f64x4 squared = dx * dx + dy * dy + dz * dz;
    for (int k = 0; k < LANES; k++)
        length[k] = sqrt(squared[k] > 0 ? squared[k] : 1);
    weft_f64x4 scale = (length - rest) / (length * weight);
    for (int64_t k = 0; k < count; k++) {
        const constraint *j = &constraints[k];
        weft_vec3 pull = weft_scale(scale[k], weft_vec3_make(dx[k], dy[k], dz[k]));
        x[j->a] = weft_add_scaled(x[j->a], w[j->a], pull);
        x[j->b] = weft_add_scaled(x[j->b], -w[j->b], pull);
    }
}

static void project(void *context, int64_t begin, int64_t end) {
    const motion *m = context;
    const constraint *constraints = m->self->constraint + m->first;
    for (int64_t i = begin; i < end; i += LANES)
        project_four(m, constraints + i, end - i < LANES ? end - i : LANES);
}

/* Constraints without a colour may share vertices. */
static void project_uncoloured(const motion *m) {
    for (int32_t i = m->self->colour_start[COLOURS]; i < m->self->constraint_count; i++)
        project_four(m, m->self->constraint + i, 1);
}

static void limit_reach(void *context, int64_t begin, int64_t end) {
    const motion *m = context;
    weft_vec3 *x = m->system->x_next;
    for (int64_t i = begin; i < end; i++) {
        int32_t anchor = m->self->anchor[i];
        if (anchor == WEFT_NONE || anchor == (int32_t)i)
            continue;
        weft_vec3 way = weft_sub(x[i], x[anchor]);
        double length = weft_length(way), most = m->self->reach[i] * (1 + m->slack);
        if (length > most)
            x[i] = weft_add_scaled(x[anchor], most / length, way);
    }
}

static void update_velocity(void *context, int64_t begin, int64_t end) {
    const motion *m = context;
    for (int64_t i = begin; i < end; i++)
        m->system->v_next[i] = weft_scale(1 / m->h, weft_sub(m->system->x_next[i], m->before[i]));
}

static void substep(motion *m, int with_attachments) {
    const weft_work *work = m->system->work;
    weft_parallel_for(work, m->system->count, WEFT_BLOCK, predict, m);
    for (int c = 0; c < COLOURS && m->self->colour_start[c] < m->self->constraint_count; c++) {
        m->first = m->self->colour_start[c];
        weft_parallel_for(work, m->self->colour_start[c + 1] - m->first, WEFT_BLOCK, project, m);
    }
    project_uncoloured(m);
    if (with_attachments)
        weft_parallel_for(work, m->system->count, WEFT_BLOCK, limit_reach, m);
    weft_parallel_for(work, m->system->count, WEFT_BLOCK, update_velocity, m);
}

static weft_status renew(const weft_system *system, xpbd *self) {
    xpbd made = {0};
    if (build(system, &made).code != WEFT_OK) {
        release(&made);
        return WEFT_STATUS_NO_MEMORY;
    }
    release(self);
    *self = made;
    return WEFT_STATUS_OK;
}

/* The external forces of a step, N (count). Returns null if memory is exhausted. */
static weft_vec3 *find_external(const weft_system *system, double dt) {
    weft_vec3 *external =
        weft_arena_take(system->work->arena, (size_t)system->count * sizeof *external, "external forces");
    weft_air_limit limit;
    if (!external || !weft_air_limit_begin(system, dt, &limit))
        return NULL;
    weft_system_external_force(system, system->x, system->v, external);
    for (int32_t i = 0; i < system->count && limit.damping; i++)
        if (system->inverse_mass[i] > 0)
            external[i] = weft_air_limited(&limit, i, system->mass[i], external[i]);
    return external;
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    const xpbd_settings *wanted = settings;
    xpbd *self = system->self;
    if (self->stale && renew(system, self) != WEFT_STATUS_OK)
        return WEFT_STATUS_NO_MEMORY;
    if (wanted->attach && !same_held(self, system))
        attach(self, system);
    size_t bytes = (size_t)system->count * sizeof(weft_vec3);
    motion m = {.self = self, .system = system, .dt = dt, .h = dt / wanted->substeps, .slack = wanted->slack};
    m.before = weft_arena_take(system->work->arena, bytes, "small steps");
    m.external = find_external(system, dt);
    if (!m.before || !m.external)
        return WEFT_STATUS_NO_MEMORY;
    memcpy(system->x_next, system->x, bytes);
    memcpy(system->v_next, system->v, bytes);
    for (int32_t k = 0; k < wanted->substeps; k++) {
        m.progress = (double)(k + 1) / wanted->substeps;
        substep(&m, wanted->attach);
    }
    for (int32_t i = 0; i < system->count; i++)
        if (system->inverse_mass[i] == 0)
            weft_move_held(system, dt, i);
    return WEFT_STATUS_OK;
}

static const char *unused(const void *settings, const char *value) {
    (void)settings;
    return weft_is_damping(value) ? "its constraints have no damping; the force air-damping slows the motion" : NULL;
}

static const weft_integrator_functions FUNCTIONS = {.needs = WEFT_LINKS,
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .step = step,
                                                    .retuned = retuned,
                                                    .torn = retuned,
                                                    .restored = restored,
                                                    .unused = unused};

const weft_component weft_xpbd = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "xpbd",
    .help = "position-based dynamics with compliant constraints: fast and always stable, but softer on finer meshes",
    .settings_size = sizeof(xpbd_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Macklin et al. 2016, XPBD; Macklin et al. 2019, Small steps in physics simulation; Kim et al. 2012, Long "
             "range attachments",
};
