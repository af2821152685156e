/* The pair cache of contact against brute force. Cloths rotate, roll up and wave, at speeds up to several edges per
 * step. They pass through each other and through bodies. In addition, x_next changes between rounds, steps start away
 * from the end of the previous step, and steps are repeated in halves. The step must consider every pair that is within
 * the thickness at its start or collides on the way. */
#include "body/shapes.h"
#include "contact/ccd.h"
#include "contact/internal.h"
#include "sim/internal.h"
#include "support.h"

enum { CELLS = 7, MOST_CLOTHS = 3 };
/* The distances of one in EVERY cached pairs are checked in each step. */
enum { EVERY = 7 };

static const double SIZE = 0.1, DT = 0.004;

typedef struct setting {
    const char *name, *mode, *self, *margin, *search;
    int cloths, steps;
    double speed; /* of the motion; 1 is a few edges per second */
    int flat;     /* 1: sheets that separate and meet again repeatedly; 0: rolls that turn intermittently */
    double reach; /* how far rolls move from the centre, m */
} setting;

/* A hash set of pairs, identified by their vertices. */
typedef struct pair_set {
    uint64_t *key; /* 0: none */
    uint64_t size; /* a power of two */
} pair_set;

typedef struct world {
    const setting *setting;
    test_sim made;
    weft_contact *contact;
    const weft_contact_settings *settings;
    int32_t count;                      /* number of cloth vertices */
    weft_vec3 *x, *x_next, *v_next;     /* (count) */
    weft_vec3 *off;                     /* displacement from the prescribed motion, m (count) */
    double *inverse_mass;               /* (count) */
    int32_t (*owner)[3], (*edge_of)[3]; /* for each corner: the first triangle with its vertex, and with its edge */
    double (*box)[6];                   /* for each triangle: lower and upper corner, m */
    pair_set used;
    double time, dt, phase; /* phase: time of the motion, s */
    uint64_t seed;
    long near, hits; /* counts by brute force */
} world;

static double chance(world *w) { return weft_random(31, w->seed++); }

/* -- the motion -- */

static weft_vec3 wander(uint64_t seed, double t) {
    return weft_vec3_make(weft_random_smooth(seed, t), weft_random_smooth(seed + 1, t),
                          weft_random_smooth(seed + 2, t));
}

/* Rests at a distance in [0.4, 1], then jumps to [0.1, 0.3] and back, which no extrapolation predicts. */
static double by_fits(uint64_t seed, double t) {
    uint64_t fit = (uint64_t)t;
    double share = weft_random(seed, fit), high = 0.4 + 0.6 * share * share,
           low = 0.1 + 0.2 * weft_random(seed, fit + 1000);
    double near = fmin(fmax(8 * (t - (double)fit) - 5, 0), 1) * fmin(8 * (1 - t + (double)fit), 1);
    return high + near * (low - high);
}

/* A point (u, v) in [0, 1]^2 of cloth `o`. The cloth is a roll of layers 3 mm apart, with varying curvature and a wave.
 * With `flat` it is a sheet in four strips, whose boxes are as thin as possible. */
static weft_vec3 place(const setting *s, int o, double u, double v, double t) {
    uint64_t seed = 100 + 20 * (uint64_t)o;
    if (s->flat) {
        double strip = floor(3.99 * u);
        return weft_vec3_make(SIZE * (u - 0.5), SIZE * (v - 0.5),
                              0.0065 * o * by_fits(seed + (uint64_t)strip, 3 * t + 0.3 * strip));
    }
    double tight = 45 * (1 + weft_random_smooth(seed, t)); /* curvature, 1/m */
    double angle = tight * SIZE * u + 1e-9, radius = SIZE * u / angle + 0.003 * u * tight * SIZE / 6.3;
    double wave = 0.004 * weft_random_smooth(seed + 1, t + 2 * u + v);
    weft_vec3 p = {radius * sin(angle), SIZE * (v - 0.5), radius * (1 - cos(angle)) + wave};
    weft_body_place place = {.rotate = weft_scale(3, wander(seed + 2, 0.7 * t)),
                             .at = weft_scale(s->reach, wander(seed + 5, t)),
                             .axis = {0, 1, 0},
                             .scale = 1};
    weft_pose pose = weft_body_pose(&place, NULL, 0, 0);
    return weft_pose_out(&pose, p);
}

static void place_all(const world *w, double t, weft_vec3 *x) {
    const weft_vec3 *off = w->off;
    for (int32_t o = 0; o < w->contact->cloth_count; o++)
        for (int i = 0; i <= CELLS; i++)
            for (int k = 0; k <= CELLS; k++)
                *x++ = weft_add(*off++, place(w->setting, o, (double)k / CELLS, (double)i / CELLS, t));
}

/* Moves some vertices by up to `most`. */
static void shake(world *w, weft_vec3 *x, double most) {
    for (int32_t i = 0; i < w->count; i++)
        if (chance(w) < 0.1)
            x[i] = weft_add_scaled(x[i], most * chance(w), wander(w->seed++, 0.5));
}

/* Displaces some vertices, or a whole cloth, as a caller may between two steps. They stay displaced for a while. A flat
 * sheet is displaced only once, and by less than the margin. */
static void put_elsewhere(world *w) {
    double most = w->setting->flat ? 0.4 * w->settings->margin : 0.01;
    weft_vec3 by = weft_scale(most, wander(w->seed++, 0.5));
    if (!w->setting->flat && chance(w) < 0.5)
        shake(w, w->off, 0.03);
    else
        for (int32_t i = 0; i < (CELLS + 1) * (CELLS + 1); i++)
            w->off[i] = weft_add(w->off[i], by);
    place_all(w, w->phase, w->x);
    if (w->setting->flat)
        memset(w->off, 0, (size_t)w->count * sizeof *w->off);
}

/* -- the scene -- */

static weft_mesh *make_grid(int64_t cells, double size, weft_vec3 origin) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = cells;
    grid.size[0] = grid.size[1] = size;
    grid.origin = origin;
    must(weft_mesh_create_grid(&grid, &mesh));
    return mesh;
}

/* Cloths, a square that moves down and up again, and a ball. */
static test_sim make_sim(const setting *s) {
    static const char *const NAMES[MOST_CLOTHS] = {"a", "b", "c"};
    static const weft_body_key KEYS[] = {
        {.time = 0.06, .scale = 1}, {.time = 0.1, .offset = {0, 0, -0.05}, .scale = 1}, {.time = 0.12, .scale = 1}};
    test_sim made = start_with("projective");
    for (int i = 0; i < s->cloths; i++) {
        weft_mesh *mesh = make_grid(CELLS, SIZE, weft_vec3_make(0, 0, 0));
        must(weft_sim_add_cloth(made.sim, NAMES[i], mesh, &weft_fabric_preset_find("cotton")->fabric, "springs", NULL));
        plain_model(made.sim);
    }
    must(weft_sim_add_body(made.sim, "mesh", make_grid(4, 0.06, weft_vec3_make(-0.03, 0.04, 0.03)), NULL));
    must(weft_sim_set_body_keys(made.sim, 0, KEYS, 3));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.mesh.thickness", "1 mm");
    set(made, "bodies.sphere.radius", "0.015");
    set(made, "bodies.sphere.segments", "8");
    set(made, "bodies.sphere.at", "[0.03, 0, 0.02]");
    set(made, "contact.mode", s->mode);
    set(made, "contact.self", s->self);
    set(made, "contact.margin", s->margin);
    set(made, "contact.search", s->search);
    must(weft_sim_prepare(made.sim));
    return made;
}

static int is_edge(const int32_t t[3], int32_t a, int32_t b) {
    for (int k = 0; k < 3; k++)
        if ((t[k] == a && t[(k + 1) % 3] == b) || (t[k] == b && t[(k + 1) % 3] == a))
            return 1;
    return 0;
}

static void find_owners(const world *w) {
    const weft_contact *c = w->contact;
    for (int32_t i = c->triangle_count - 1; i >= 0; i--)
        for (int k = 0; k < 3; k++) {
            int32_t a = c->triangle[i][k], b = c->triangle[i][(k + 1) % 3];
            w->owner[i][k] = w->edge_of[i][k] = i;
            for (int32_t j = i - 1; j >= 0; j--) {
                const int32_t *t = c->triangle[j];
                w->owner[i][k] = t[0] == a || t[1] == a || t[2] == a ? j : w->owner[i][k];
                w->edge_of[i][k] = is_edge(t, a, b) ? j : w->edge_of[i][k];
            }
        }
}

static void *room(size_t count, size_t size) {
    void *made = calloc(count, size);
    assert_non_null(made);
    return made;
}

static world begin(const setting *s) {
    world w = {.setting = s, .made = make_sim(s), .dt = DT, .used = {.size = 1 << 18}};
    w.contact = w.made.sim->contact;
    w.settings = &w.made.sim->contact_settings;
    w.count = w.contact->cloth_vertices;
    assert_true(w.contact->count < 1 << 12);
    size_t n = (size_t)w.count, t = (size_t)w.contact->triangle_count;
    w.x = room(n, sizeof *w.x);
    w.x_next = room(n, sizeof *w.x);
    w.v_next = room(n, sizeof *w.x);
    w.off = room(n, sizeof *w.off);
    w.inverse_mass = room(n, sizeof *w.inverse_mass);
    w.owner = room(t, sizeof *w.owner);
    w.edge_of = room(t, sizeof *w.edge_of);
    w.box = room(t, sizeof *w.box);
    w.used.key = room(w.used.size, sizeof *w.used.key);
    find_owners(&w);
    place_all(&w, 0, w.x);
    return w;
}

static void end(world *w) {
    void *owned[] = {w->x, w->x_next, w->v_next, w->off, w->inverse_mass, w->owner, w->edge_of, w->box, w->used.key};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    destroy(w->made);
}

/* -- pairs in the cache -- */

static void put_in_order(int32_t *a, int32_t *b) {
    int32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

/* The same key for all orders of the vertices of a pair. Never 0, because no vertex occurs twice. */
static uint64_t key_of(weft_pair_kind kind, const int32_t vertex[4]) {
    int32_t v[4] = {vertex[0], vertex[1], vertex[2], vertex[3]};
    if (kind == WEFT_VERTEX_TRIANGLE) {
        put_in_order(&v[1], &v[2]);
        put_in_order(&v[2], &v[3]);
        put_in_order(&v[1], &v[2]);
    } else {
        put_in_order(&v[0], &v[1]);
        put_in_order(&v[2], &v[3]);
    }
    uint64_t first = (uint64_t)v[0] << 12 | (uint64_t)v[1], second = (uint64_t)v[2] << 12 | (uint64_t)v[3];
    if (kind == WEFT_EDGE_EDGE && second < first)
        return (uint64_t)kind << 48 | second << 24 | first;
    return (uint64_t)kind << 48 | first << 24 | second;
}

static uint64_t *slot_of(const pair_set *set, uint64_t key) {
    uint64_t at = weft_random_bits(key, 0) & (set->size - 1);
    while (set->key[at] != 0 && set->key[at] != key)
        at = (at + 1) & (set->size - 1);
    return &set->key[at];
}

/* Each pair may be listed only once, otherwise its impulse would be applied twice. */
static void list_used(world *w, int at_start) {
    const weft_contact *c = w->contact;
    uint64_t count = 0;
    memset(w->used.key, 0, w->used.size * sizeof *w->used.key);
    for (int32_t b = 0; b < c->task_count; b++) {
        const contact_bin *bin = c->task[b].bin;
        const weft_body_view *body = c->object[c->task[b].b].body;
        double thick = body ? ((const weft_body_place *)body->settings)->thickness : 0;
        double most = at_start ? w->settings->thickness + thick : 2e-3 * w->settings->thickness;
        for (int32_t m = 0; m < bin->leaf_pair_count; m++)
            for (int32_t i = 0; i < bin->leaf_pair[m].count; i++) {
                const contact_pair *pair = &bin->pair[bin->leaf_pair[m].first + i];
                if ((at_start && !pair->proximity) || contact_stays_apart(&bin->leaf_pair[m], pair, most))
                    continue;
                uint64_t key = key_of((weft_pair_kind)pair->kind, pair->vertex), *slot = slot_of(&w->used, key);
                assert_true(*slot == 0);
                assert_true(++count < w->used.size / 2);
                *slot = key;
            }
    }
}

/* A pair is never closer than its distance when found, less the motion of its leaves since then. Checks a sample of all
 * pairs. */
static void check_distances(const world *w, int step, int at_start) {
    const weft_contact *c = w->contact;
    for (int32_t b = 0; b < c->task_count; b++)
        for (int32_t m = 0; m < c->task[b].bin->leaf_pair_count; m++) {
            const contact_leaf_pair *leaf_pair = &c->task[b].bin->leaf_pair[m];
            for (int32_t i = (m + step) % EVERY; i < leaf_pair->count; i += EVERY) {
                const contact_pair *pair = &c->task[b].bin->pair[leaf_pair->first + i];
                for (int e = 0; e <= (at_start ? 0 : 2); e++) {
                    weft_vec3 x[4];
                    double weight[4];
                    for (int k = 0; k < 4; k++) {
                        weft_vec3 from = c->x[pair->vertex[k]], to = c->x_next[pair->vertex[k]];
                        x[k] = weft_add_scaled(from, 0.5 * e, weft_sub(to, from));
                    }
                    double distance = sqrt(weft_closest((weft_pair_kind)pair->kind, x, weight));
                    if (distance < (double)pair->listed_distance - leaf_pair->drift - 1e-12)
                        fail_msg("step %d: distance %g m, but %g m when found and moved by %g m since", step, distance,
                                 (double)pair->listed_distance, leaf_pair->drift);
                }
            }
        }
}

/* -- brute force -- */

typedef struct look {
    world *w;
    int at_start, step;
    double most; /* distance below which a pair counts, m */
} look;

static void look_at(const look *l, weft_pair_kind kind, int32_t a, int32_t b, int32_t c, int32_t d) {
    world *w = l->w;
    const int32_t vertex[4] = {a, b, c, d};
    weft_vec3 start[4], end[4];
    double weight[4];
    weft_ccd_hit hit;
    contact_corners(w->contact->x, vertex, start);
    contact_corners(w->contact->x_next, vertex, end);
    if (l->at_start ? weft_closest(kind, start, weight) >= l->most * l->most
                    : !weft_ccd(kind, start, end, l->most, &hit))
        return;
    *(l->at_start ? &w->near : &w->hits) += 1;
    if (*slot_of(&w->used, key_of(kind, vertex)) == 0)
        fail_msg("step %d: %s of vertices %d %d %d %d is missing %s", l->step,
                 kind == WEFT_EDGE_EDGE ? "the pair of edges" : "the vertex and triangle", a, b, c, d,
                 l->at_start ? "at its start" : "on its way");
}

static int has(const int32_t t[3], int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

static void look_at_triangles(const look *l, int32_t i, int32_t j) {
    const world *w = l->w;
    const int32_t *t = w->contact->triangle[i], *u = w->contact->triangle[j];
    for (int k = 0; k < 3; k++) {
        if (w->owner[i][k] == i && !has(u, t[k]))
            look_at(l, WEFT_VERTEX_TRIANGLE, t[k], u[0], u[1], u[2]);
        if (w->owner[j][k] == j && !has(t, u[k]))
            look_at(l, WEFT_VERTEX_TRIANGLE, u[k], t[0], t[1], t[2]);
        for (int m = 0; m < 3 && w->edge_of[i][k] == i; m++) {
            int32_t a = t[k], b = t[(k + 1) % 3], c = u[m], d = u[(m + 1) % 3];
            if (w->edge_of[j][m] == j && a != c && a != d && b != c && b != d)
                look_at(l, WEFT_EDGE_EDGE, a, b, c, d);
        }
    }
}

static void widen(double low[3], double high[3], weft_vec3 p) {
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], at[k]);
        high[k] = fmax(high[k], at[k]);
    }
}

/* The box of each triangle at the start of the step, or over the whole step. */
static void find_boxes(const look *l) {
    const world *w = l->w;
    for (int32_t i = 0; i < w->contact->triangle_count; i++) {
        double *low = w->box[i], *high = w->box[i] + 3;
        for (int k = 0; k < 3; k++) {
            low[k] = HUGE_VAL;
            high[k] = -HUGE_VAL;
        }
        for (int k = 0; k < 3; k++) {
            widen(low, high, w->contact->x[w->contact->triangle[i][k]]);
            if (!l->at_start)
                widen(low, high, w->contact->x_next[w->contact->triangle[i][k]]);
        }
    }
}

static int near_enough(const double *a, const double *b, double most) {
    return a[0] - most <= b[3] && b[0] - most <= a[3] && a[1] - most <= b[4] && b[1] - most <= a[4] &&
           a[2] - most <= b[5] && b[2] - most <= a[5];
}

/* Looks at all features of two objects. Cloth meets a ball by its distance function, at the start of a step and in the
 * fast mode always. */
static void look_at_objects(look *l, const contact_object *a, const contact_object *b) {
    const world *w = l->w;
    int ball = b->body && b->body->component == &weft_sphere_body;
    if ((!b->body && !w->settings->self) || (ball && (l->at_start || w->settings->mode == WEFT_CONTACT_FAST)))
        return;
    double thickness = w->settings->thickness,
           thick = b->body ? ((const weft_body_place *)b->body->settings)->thickness : 0;
    l->most = l->at_start ? thickness + thick : 1e-3 * thickness;
    for (int32_t i = a->first_triangle; i < a->first_triangle + a->triangle_count; i++)
        for (int32_t j = a == b ? i + 1 : b->first_triangle; j < b->first_triangle + b->triangle_count; j++)
            if (near_enough(w->box[i], w->box[j], l->most))
                look_at_triangles(l, i, j);
}

static void check(world *w, int step, int at_start) {
    const weft_contact *c = w->contact;
    look l = {w, at_start, step, 0};
    list_used(w, at_start);
    find_boxes(&l);
    for (int32_t a = 0; a < c->cloth_count; a++)
        for (int32_t b = a; b < c->object_count; b++)
            look_at_objects(&l, &c->object[a], &c->object[b]);
    check_distances(w, step, at_start);
}

/* -- steps -- */

/* Takes a step of w->dt from w->x, sometimes with another round of collision response. */
static void take_step(world *w, int i) {
    weft_contact_state state = {.count = w->count,
                                .x = w->x,
                                .inverse_mass = w->inverse_mass,
                                .x_next = w->x_next,
                                .v_next = w->v_next,
                                .time = w->time,
                                .dt = w->dt};
    weft_contact_report report = {0};
    contact_step step = contact_step_of(w->contact, w->settings, &w->made.sim->work, &state, &report);
    assert_int_equal(contact_take_state(&step, &state), WEFT_STATUS_OK);
    assert_int_equal(pair_cache_update_start(&step), WEFT_STATUS_OK);
    check(w, i, 1);
    assert_int_equal(pair_cache_update_end(&step), WEFT_STATUS_OK);
    check(w, i, 0);
    if (!w->setting->flat && chance(w) < 0.25) {
        shake(w, w->contact->x_next, chance(w) < 0.5 ? w->settings->thickness : 0.05);
        assert_int_equal(pair_cache_update_end(&step), WEFT_STATUS_OK);
        check(w, i, 0);
    }
}

/* Alternates between slow, fast and no motion. */
static double pace(const setting *s, int step) {
    static const double PACES[] = {0.2, 1, 0, 5};
    return s->flat ? 1 : PACES[step / 8 % 4];
}

static void run(const setting *s) {
    world w = begin(s);
    for (int i = 0; i < s->steps; i++) {
        double gone = s->speed * pace(s, i) * w.dt;
        place_all(&w, w.phase + gone, w.x_next);
        take_step(&w, i);
        if (chance(&w) < 0.1 && w.dt == DT) { /* repeats the step in halves */
            w.dt = DT / 2;
            continue;
        }
        w.time += w.dt;
        w.phase += gone;
        memcpy(w.x, w.contact->x_next, (size_t)w.count * sizeof *w.x);
        if (chance(&w) < 0.3)
            memset(w.off, 0, (size_t)w.count * sizeof *w.off);
        if (chance(&w) < (s->flat ? 0.04 : 0.15))
            put_elsewhere(&w);
        w.dt = chance(&w) < 0.2 ? DT / 2 : DT;
    }
    if (figures_are_asked_for())
        print_message("%s: %ld near, %ld hits\n", s->name, w.near, w.hits);
    assert_true(w.near > 1000 && w.hits > 200);
    end(&w);
}

static void cached_pairs_are_complete(void **state) {
    (void)state;
    static const setting SETTINGS[] = {
        {"three cloths, exact", "exact", "true", "0", "tree", 3, 40, 4, 0, 0.03},
        {"three cloths, fast", "fast", "true", "0", "tree", 3, 40, 4, 0, 0.03},
        {"two fast cloths", "exact", "true", "3 mm", "tree", 2, 30, 12, 0, 0.03},
        {"two slow cloths", "exact", "true", "5 mm", "tree", 2, 40, 1, 0, 0.03},
        {"two flat sheets", "exact", "true", "3 mm", "tree", 2, 300, 4, 1, 0},
        {"cloths that separate and meet again", "exact", "true", "0", "tree", 3, 50, 8, 0, 0.12},
        {"cloth against bodies", "fast", "false", "0", "tree", 3, 40, 4, 0, 0.03},
        {"two cloths by the hash", "exact", "true", "0", "hash", 2, 40, 4, 0, 0.03},
    };
    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0]; i++)
        run(&SETTINGS[i]);
}

/* Moves the second cloth onto the first between two rounds of collision response. */
static void meet_within_a_step(weft_sim *sim) {
    weft_contact *c = sim->contact;
    weft_contact_state state = sim_contact_state(sim, DT);
    weft_contact_report report = {0};
    contact_step step = contact_step_of(c, &sim->contact_settings, &sim->work, &state, &report);
    assert_int_equal(contact_take_state(&step, &state), WEFT_STATUS_OK);
    assert_int_equal(pair_cache_update_start(&step), WEFT_STATUS_OK);
    assert_int_equal(c->task_count, 7);
    for (int32_t i = 0; i < c->object[1].vertex_count; i++)
        c->x_next[c->object[1].first + i] = c->x_next[i];
    assert_int_equal(pair_cache_update_end(&step), WEFT_STATUS_OK);
    assert_true(c->task_count > 7);
    assert_true(c->task[1].a == 0 && c->task[1].b == 1);
    assert_true(c->task[1].bin->pair_count > 100);
}

/* Each of several distant cloths has one task for self-collision, and one for a body only if that body is near. */
static void distant_objects_have_no_tasks(void **state) {
    (void)state;
    test_sim made = start_with("projective");
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        weft_mesh *mesh = make_grid(CELLS, SIZE, weft_vec3_make(i % 3, i / 3, 0));
        must(weft_sim_add_cloth(made.sim, name, mesh, &weft_fabric_preset_find("cotton")->fabric, "springs", NULL));
        plain_model(made.sim);
    }
    must(weft_sim_add_body(made.sim, "mesh", make_grid(4, 0.06, weft_vec3_make(2, 1, 0.005)), NULL));
    set(made, "contact.self", "true");
    step(made, DT);
    const weft_contact *c = made.sim->contact;
    assert_int_equal(c->task_count, 7);
    for (int32_t i = 0; i < 7; i++) {
        assert_int_equal(c->task[i].a, i < 6 ? i : 5);
        assert_int_equal(c->task[i].b, i);
    }
    meet_within_a_step(made.sim);
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cached_pairs_are_complete),
        cmocka_unit_test(distant_objects_have_no_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
