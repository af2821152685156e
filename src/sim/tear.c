/* Tearing of cloth: where yarns are strained beyond their limit, edges open along the other yarns.
 *
 * Strain is averaged over a zone whose size belongs to the fabric, not to the mesh. Otherwise a finer mesh, which has
 * higher peaks at a crack tip, would tear at a lower load. Few cracks start or grow in a step, each by about the zone
 * size. The relief from one crack then acts before others open. Overload within the zone of a crack tip is assigned to
 * that tip, whose own mean includes the relieved region behind it. The crack continues, and no new crack starts beside
 * it. */
#include <math.h>

#include "core/elementary.h"
#include "sim/energy_budget.h"
#include "sim/remesh.h"

/* Load on the single ring of a vertex that breaks yarns regardless of the zone's mean. It handles bridges between two
 * cracks. They are narrower than the zone, so the mean includes the relieved regions. At a crack tip, strain grows with
 * the root of the ratio of zone size to cell size. Cells down to a ninth of the zone do not reach this load there. */
static const double OVERLOAD = 3;
/* Cracks of a step that are tried in vain because their sides cannot part without an intersection. */
enum { REFUSALS = 4 };

typedef struct rip {
    weft_sim *sim;
    sim_cloth *cloth;
    weft_refined *refined;
    const weft_strain *strain; /* of each triangle, before any edge opens (triangle_count) */
    int32_t triangle_count, vertex_count;
    const weft_vec2 *side;  /* each half-edge at rest, along weft and warp, m (3 triangle_count) */
    double *load;           /* per vertex: strain over limit, the larger of weft and warp */
    uint8_t *by_warp;       /* 1: the load is that of the warp */
    uint8_t *near_boundary; /* 1: an inner vertex with a boundary in its zone; no new crack starts there */
    int32_t *tip;           /* crack tip in its zone that takes over its load, or WEFT_NONE */
    int32_t *zone;          /* scratch: triangles of one zone (triangle_count) */
    int32_t *seen;          /* last vertex whose zone included the triangle, or WEFT_NONE (triangle_count) */
} rip;

/* -- yarns -- */

static void find_yarns(const rip *p, weft_vec2 *side) {
    for (int32_t t = 0; t < p->triangle_count; t++) {
        weft_vec2 corner[3];
        sim_rest_corners(p->cloth, t, corner);
        for (int k = 0; k < 3; k++) {
            weft_vec2 from = corner[k], to = corner[(k + 1) % 3];
            side[3 * t + k] = (weft_vec2){to.x - from.x, to.y - from.y};
        }
    }
}

/* -- loads -- */

static double area_of(const weft_refined *r, int32_t t) {
    weft_vec3 a = r->position[r->origin[3 * t]];
    return 0.5 * weft_length(weft_cross(weft_sub(r->position[r->origin[3 * t + 1]], a),
                                        weft_sub(r->position[r->origin[3 * t + 2]], a)));
}

/* Random yarn strength, +- 2 %, by position on the fabric, so that it does not depend on the mesh. */
static double weakness(const rip *p, int32_t v) {
    const weft_refined *r = p->refined;
    double size = fmax(p->cloth->fabric.tear_zone, 1e-3);
    weft_vec3 at = r->position[v];
    if (r->uv)
        at = weft_vec3_make(r->uv[r->corner[v]].x, r->uv[r->corner[v]].y, 0);
    uint64_t column = (uint64_t)(int64_t)floor(at.x / size), row = (uint64_t)(int64_t)floor(at.y / size);
    uint64_t layer = (uint64_t)(int64_t)floor(at.z / size);
    uint64_t place = column * UINT64_C(0x9e3779b97f4a7c15) + row + layer * UINT64_C(0xc2b2ae3d27d4eb4f);
    return 0.98 + 0.04 * weft_random((uint64_t)p->sim->air.seed, place);
}

static void add_load(const rip *p, double weft, double warp, int32_t v) {
    const weft_fabric *fabric = &p->cloth->fabric;
    double along = fabric->tear_weft > 0 ? weft / fabric->tear_weft : 0;
    double across = fabric->tear_warp > 0 ? warp / fabric->tear_warp : 0;
    const double *strength = p->cloth->map[WEFT_MAP_TEAR];
    p->load[v] = weakness(p, v) * fmax(along, across) / (strength ? strength[v] : 1);
    p->by_warp[v] = across > along;
}

/* Load from the mean strain of the triangles at each vertex. */
static void average_rings(const rip *p) {
    const weft_mesh *mesh = p->cloth->mesh;
    for (int32_t v = 0; v < p->vertex_count; v++) {
        double weft = 0, warp = 0, whole = 0;
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
            int32_t t = mesh->vertex_triangle[i];
            double area = area_of(p->refined, t);
            weft += area * p->strain[t].strain[0];
            warp += area * p->strain[t].strain[1];
            whole += area;
        }
        add_load(p, weft / whole, warp / whole, v);
    }
}

static int on_boundary(const weft_refined *r, int32_t v) { return r->twin[r->corner[v]] == WEFT_NONE; }

/* Whether a crack ends at v: a boundary vertex with cloth nearly all around it. */
static int is_tip(const weft_refined *r, int32_t v) {
    static const double NEARLY_ALL = 5; /* rad; a reentrant right-angle corner has 4.7 */
    double angle = 0;
    for (int32_t h = r->corner[v]; on_boundary(r, v) && h != WEFT_NONE; h = r->twin[weft_previous(h)]) {
        weft_vec3 a = weft_sub(r->position[r->origin[weft_next(h)]], r->position[v]);
        weft_vec3 b = weft_sub(r->position[r->origin[weft_previous(h)]], r->position[v]);
        angle += weft_atan2(weft_length(weft_cross(a, b)), weft_dot(a, b));
    }
    return angle > NEARLY_ALL;
}

/* Keeps the crack tip with the highest load. */
static void note_tip(const rip *p, int32_t v, int32_t triangle) {
    for (int k = 0; k < 3; k++) {
        int32_t u = p->refined->origin[3 * triangle + k], *tip = &p->tip[v];
        if (u != *tip && (*tip == WEFT_NONE || p->load[u] > p->load[*tip]) && is_tip(p->refined, u))
            *tip = u;
    }
}

static int32_t add_to_zone(const rip *p, int32_t v, int32_t triangle, int32_t count) {
    if (p->seen[triangle] == v)
        return count;
    p->seen[triangle] = v;
    p->zone[count] = triangle;
    return count + 1;
}

/* Load from the mean strain of the connected triangles within the zone of a vertex. */
static void average_zone(const rip *p, int32_t v) {
    const weft_refined *r = p->refined;
    int32_t count = 0, h = r->corner[v], inner = r->twin[h] != WEFT_NONE;
    double size = p->cloth->fabric.tear_zone, weft = 0, warp = 0, whole = 0;
    do {
        count = add_to_zone(p, v, h / 3, count);
        h = r->twin[weft_previous(h)];
    } while (h != WEFT_NONE && h != r->corner[v]);
    for (int32_t i = 0; i < count; i++) {
        int32_t triangle = p->zone[i];
        double area = area_of(r, triangle);
        weft += area * p->strain[triangle].strain[0];
        warp += area * p->strain[triangle].strain[1];
        whole += area;
        if (inner)
            note_tip(p, v, triangle);
        for (int k = 0; k < 3; k++) {
            int32_t twin = r->twin[3 * triangle + k];
            p->near_boundary[v] |= (uint8_t)(inner && twin == WEFT_NONE);
            if (twin != WEFT_NONE && weft_distance(r->position[r->origin[weft_previous(twin)]], r->position[v]) <= size)
                count = add_to_zone(p, v, twin / 3, count);
        }
    }
    add_load(p, weft / whole, warp / whole, v);
}

static void find_load(const rip *p, int32_t v) {
    double ring_load = p->load[v] / OVERLOAD;
    uint8_t by_warp = p->by_warp[v];
    average_zone(p, v);
    if (ring_load < 1 || ring_load <= p->load[v])
        return;
    p->load[v] = ring_load;
    p->by_warp[v] = by_warp;
    p->near_boundary[v] = 0;
    p->tip[v] = WEFT_NONE;
}

static void pass_loads_to_tips(const rip *p) {
    for (int32_t v = 0; v < p->vertex_count; v++) {
        int32_t tip = p->tip[v];
        if (tip == WEFT_NONE || p->load[v] < 1 || p->load[v] <= p->load[tip])
            continue;
        p->load[tip] = p->load[v];
        p->by_warp[tip] = p->by_warp[v];
    }
}

static int is_held(const rip *p, int32_t v) { return v < p->vertex_count && p->sim->held[p->cloth->first + v]; }

/* The inner edge from v that is best aligned with the unbroken yarns: forwards or backwards (sign 1 or -1), or either
 * way (0). Returns WEFT_NONE if there is none. Edges between held vertices stay closed. */
static int32_t best_edge(const rip *p, int32_t v, int along_weft, int sign) {
    const weft_refined *r = p->refined;
    int32_t h = r->corner[v], best = WEFT_NONE;
    double most = 0.2;
    do {
        weft_vec2 d = p->side[h];
        double along = (along_weft ? d.x : d.y) / weft_hypot(d.x, d.y);
        double fit = sign == 0 ? fabs(along) : sign * along;
        if (fit > most && sim_may_open(p->cloth, h) && !(is_held(p, v) && is_held(p, r->origin[weft_next(h)]))) {
            most = fit;
            best = h;
        }
        h = r->twin[weft_previous(h)];
    } while (h != WEFT_NONE && h != r->corner[v]);
    return best;
}

/* Opens the edge and continues from its other end, as long as the load there is high and the crack is short. */
static void run_crack(rip *p, int32_t h, int along_weft, int sign) {
    weft_refined *r = p->refined;
    double length = 0;
    while (h != WEFT_NONE) {
        int32_t tip = r->origin[weft_next(h)];
        length += weft_distance(r->position[r->origin[h]], r->position[tip]);
        (void)sim_open_edge(p->cloth, h);
        if (length > p->cloth->fabric.tear_zone || tip >= p->vertex_count || p->load[tip] < 1 || is_held(p, tip))
            return;
        h = best_edge(p, tip, along_weft, sign);
    }
}

static void tear_at(rip *p, int32_t v) {
    int along_weft = p->by_warp[v]; /* broken warp yarns separate along the weft */
    if (p->refined->twin[p->refined->corner[v]] == WEFT_NONE) {
        int32_t h = best_edge(p, v, along_weft, 0);
        if (h == WEFT_NONE)
            return;
        weft_vec2 d = p->side[h];
        run_crack(p, h, along_weft, (along_weft ? d.x : d.y) > 0 ? 1 : -1);
        return;
    }
    int32_t ahead = best_edge(p, v, along_weft, 1), behind = best_edge(p, v, along_weft, -1);
    if (ahead == WEFT_NONE || behind == WEFT_NONE)
        return;
    run_crack(p, ahead, along_weft, 1);
    behind = best_edge(p, v, along_weft, -1);
    if (behind != WEFT_NONE)
        run_crack(p, behind, along_weft, -1);
}

/* Whether the next edge of a crack through v would reach the boundary. */
static int meets_boundary(const rip *p, int32_t v) {
    const weft_refined *r = p->refined;
    for (int sign = -1; sign <= 1; sign += 2) {
        int32_t h = best_edge(p, v, p->by_warp[v], sign);
        if (h != WEFT_NONE && r->twin[r->corner[r->origin[weft_next(h)]]] == WEFT_NONE)
            return 1;
    }
    return 0;
}

static int32_t find_worst(const rip *p) {
    int32_t worst = WEFT_NONE;
    for (int32_t v = 0; v < p->vertex_count; v++)
        if (p->load[v] >= 1 && (worst == WEFT_NONE || p->load[v] > p->load[worst]) && !is_held(p, v) &&
            p->tip[v] == WEFT_NONE && (!p->near_boundary[v] || meets_boundary(p, v)))
            worst = v;
    return worst;
}

static weft_result allocate_scratch(rip *p, weft_strain **strain, weft_vec2 **side) {
    weft_arena *arena = p->sim->work.arena;
    weft_arena_empty(arena);
    *strain = weft_arena_take(arena, (size_t)p->triangle_count * sizeof **strain, "tearing");
    *side = weft_arena_take(arena, 3 * (size_t)p->triangle_count * sizeof **side, "tearing");
    p->load = weft_arena_take(arena, (size_t)p->vertex_count * sizeof *p->load, "tearing");
    p->by_warp = weft_arena_take(arena, (size_t)p->vertex_count, "tearing");
    p->near_boundary = weft_arena_take(arena, (size_t)p->vertex_count, "tearing");
    p->tip = weft_arena_take(arena, (size_t)p->vertex_count * sizeof *p->tip, "tearing");
    p->zone = weft_arena_take(arena, (size_t)p->triangle_count * sizeof *p->zone, "tearing");
    p->seen = weft_arena_take(arena, (size_t)p->triangle_count * sizeof *p->seen, "tearing");
    if (!*strain || !*side || !p->load || !p->by_warp || !p->near_boundary || !p->tip || !p->zone || !p->seen)
        return weft_fail_memory("tearing", (size_t)p->triangle_count * sizeof **strain);
    memset(p->near_boundary, 0, (size_t)p->vertex_count);
    for (int32_t v = 0; v < p->vertex_count; v++)
        p->tip[v] = WEFT_NONE;
    for (int32_t t = 0; t < p->triangle_count; t++)
        p->seen[t] = WEFT_NONE;
    p->strain = *strain;
    p->side = *side;
    return weft_ok();
}

/* Half of the change of a side's squared length, m2. A side shorter than at rest is slack and carries no load. */
static double elongation(const rip *p, const weft_vec3 *x, int32_t h) {
    const int32_t *origin = p->refined->origin;
    weft_vec3 now = weft_sub(x[origin[weft_next(h)]], x[origin[h]]);
    weft_vec2 rest = p->side[h];
    return fmax(0.5 * (weft_dot(now, now) - rest.x * rest.x - rest.y * rest.y), 0);
}

static double determinant(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
}

/* Strain for models whose edges carry tension and that do not report strain. Solves d E d = elongation of the three
 * sides d for Green's strain E in rest coordinates. The shape alone would mislead: such a model lets the base of a
 * triangle be compressed, which strains its height although no side is stretched. */
static void measure_strain(const rip *p, weft_strain *strain) {
    const weft_vec3 *x = p->sim->x + p->cloth->first;
    for (int32_t t = 0; t < p->triangle_count; t++) {
        double xx[3], xy[3], yy[3], by[3];
        for (int k = 0; k < 3; k++) {
            weft_vec2 d = p->side[3 * t + k];
            xx[k] = d.x * d.x, xy[k] = 2 * d.x * d.y, yy[k] = d.y * d.y;
            by[k] = elongation(p, x, 3 * t + k);
        }
        double whole = determinant(xx, xy, yy);
        double weft = determinant(by, xy, yy) / whole, warp = determinant(xx, xy, by) / whole;
        strain[t] = (weft_strain){.strain = {sqrt(fmax(1 + 2 * weft, 0)) - 1, sqrt(fmax(1 + 2 * warp, 0)) - 1,
                                             2 * determinant(xx, by, yy) / whole}};
    }
}

static weft_result tear_cloth(weft_sim *sim, sim_cloth *cloth, int32_t *opened) {
    rip p = {.sim = sim,
             .cloth = cloth,
             .refined = cloth->refined,
             .triangle_count = cloth->refined->triangle_count,
             .vertex_count = cloth->refined->vertex_count};
    weft_strain *strain;
    weft_vec2 *side;
    WEFT_TRY(allocate_scratch(&p, &strain, &side));
    find_yarns(&p, side);
    if (sim_model(cloth)->measure)
        sim_model(cloth)->measure(cloth->self, &sim->work, sim->x + cloth->first, strain);
    else
        measure_strain(&p, strain);
    average_rings(&p);
    for (int32_t v = 0; v < p.vertex_count; v++)
        if (p.load[v] >= 1)
            find_load(&p, v);
    pass_loads_to_tips(&p);
    int32_t worst = find_worst(&p);
    if (worst == WEFT_NONE)
        return weft_ok();
    WEFT_TRY(sim_reshape_begin(sim, cloth));
    for (int32_t refused = 0; worst != WEFT_NONE && cloth->opened_count == 0 && refused < REFUSALS;) {
        tear_at(&p, worst);
        refused += cloth->opened_count > 0;
        WEFT_TRY(sim_part_crack_sides(sim, cloth));
        p.load[worst] = 0; /* if no edge can open here, next to held vertices or in a crumple, others still may */
        worst = find_worst(&p);
    }
    *opened += cloth->opened_count;
    WEFT_TRY(sim_commit_cracks(sim, cloth));
    return p.refined->failed ? weft_fail_memory("tearing", sizeof p) : weft_ok();
}

weft_result sim_allow_changes(weft_sim *sim, sim_cloth *cloth) {
    if (cloth->refined)
        return weft_ok();
    WEFT_TRY(sim_make_separable(cloth));
    if (cloth->prepared && !sim_splits_only(cloth)) /* faces that stay need no new mesh yet */
        cloth->stale = SIM_REPLACED;
    return sim_rebuild(sim);
}

weft_result sim_tear(weft_sim *sim, int32_t *opened) {
    *opened = 0;
    for (int32_t i = sim->cloth_count - 1; i >= 0; i--) {
        sim_cloth *cloth = &sim->cloth[i];
        if (!sim_tears(cloth))
            continue;
        WEFT_TRY(sim_allow_changes(sim, cloth));
        WEFT_TRY(tear_cloth(sim, cloth, opened));
    }
    return *opened > 0 ? sim->prepare(sim) : weft_ok();
}
