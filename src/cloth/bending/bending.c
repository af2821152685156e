/* Lists the bending elements of a mesh and sets their rest values.
 *
 * Isometric: M. Bergou, M. Wardetzky, D. Harmon, D. Zorin, E. Grinspun, "A quadratic bending model for inextensible
 * surfaces", SGP 2006. Hinge: E. Grinspun, A. Hirani, M. Desbrun, P. Schroeder, "Discrete shells", SCA 2003.
 *
 * Both papers define energies proportional to 3 |e|^2 theta^2 / (A0 + A1) and leave the rigidity open. Here a cylinder
 * of curvature q must store 1/2 B q^2 per area. On a grid bent along one of its axes only the edges across have an
 * angle, theta = q (A0 + A1) / |e|, and each represents the area A0 + A1. On equilateral triangles the three directions
 * add up to the same for any axis. Both cases give 1/2 B |e|^2 theta^2 / (A0 + A1). This is one third of 1/2 x^T Q x
 * with the Q = 3 / (A0 + A1) k^T k that Bender and Deul (2013) print. For weft and warp, B = B_weft c^2 + B_warp s^2
 * with the angle between the weft and the direction across the edge.
 *
 * A sum over edges has a limitation. At constant curvature its forces on single vertices vanish only if the mesh looks
 * the same from every vertex. Otherwise vertices move and the cloth becomes softer. A grid of alternating diagonals
 * bends with 5/6 of B. A narrow strip with all diagonals in one direction twists and has 4/5 of B. A narrow strip of
 * equilateral triangles curves across and has 8/9 of B. Grids therefore bend along their lines (plate_grid.c). */
#include "cloth/bending/bending.h"

#include <math.h>

#include "core/memory.h"
#include "weft/vec.h"

/* A flexion spring stores the fabric's bending energy at the curvature 1 / (5 L), see spring_tune.c. Its stiffness is
 * at most this fraction of the fabric's stretch stiffness. */
static const double MOST_FLEXION = 0.2;

/* Normals shorter than this fraction of their rest length have no reliable direction. */
static const double COLLAPSED = 1e-6;

static int is_inner(const weft_mesh *mesh, int32_t e) {
    int32_t h = mesh->edge_halfedge[e], t = mesh->twin[h];
    return mesh->face[h] != WEFT_NONE && mesh->face[t] != WEFT_NONE &&
           mesh->origin[mesh->next[mesh->next[h]]] != mesh->origin[mesh->next[mesh->next[t]]];
}

/* The corner of the triangle of half-edge h that is vertex v. */
static int32_t corner_of(const weft_mesh *mesh, int32_t h, int32_t v) {
    int32_t t = mesh->face[h], k = 0;
    while (k < 2 && mesh->triangle[t][k] != v)
        k++;
    return 3 * t + k;
}

static void fill_edges(weft_bending *b) {
    const weft_mesh *mesh = b->mesh;
    int32_t i = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        b->of_edge[e] = is_inner(mesh, e) ? i : WEFT_NONE;
        if (b->of_edge[e] == WEFT_NONE)
            continue;
        int32_t h = mesh->edge_halfedge[e], t = mesh->twin[h];
        int32_t *vertex = b->vertex + (size_t)b->arity * (size_t)i;
        vertex[0] = mesh->origin[h];
        vertex[1] = mesh->origin[t];
        vertex[2] = mesh->origin[mesh->next[mesh->next[h]]];
        vertex[3] = mesh->origin[mesh->next[mesh->next[t]]];
        b->corner[i][0] = corner_of(mesh, h, vertex[0]);
        b->corner[i][1] = corner_of(mesh, t, vertex[0]);
        i++;
    }
}

static int32_t count_edges(const weft_mesh *mesh) {
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        count += is_inner(mesh, e);
    return count;
}

/* A grid whose faces are its cells. A grid of criss-cross triangles does not count. */
static int is_grid(const weft_mesh *mesh) {
    return mesh->grid_cells[0] > 0 && mesh->face_count == mesh->grid_cells[0] * mesh->grid_cells[1];
}

weft_result weft_bending_create(weft_bending_kind kind, const weft_mesh *mesh, const weft_mesh *triangles, double angle,
                                weft_bending *bending) {
    *bending = (weft_bending){.kind = kind, .arity = 4, .mesh = triangles};
    bending->by_lines = kind == WEFT_BENDING_ISOMETRIC && is_grid(mesh);
    bending->turned =
        bending->by_lines && weft_bending_grid_is_turned(angle) && mesh->grid_cells[0] > 1 && mesh->grid_cells[1] > 1;
    if (bending->turned)
        bending->arity = 5;
    if (kind != WEFT_BENDING_NONE)
        bending->count = bending->by_lines ? weft_bending_grid_count(mesh, bending->turned) : count_edges(triangles);
    size_t count = (size_t)bending->count;
    bending->vertex = weft_allocate((size_t)bending->arity * count, sizeof *bending->vertex);
    bending->corner = weft_allocate(count, sizeof *bending->corner);
    bending->bend = weft_allocate(count, sizeof *bending->bend);
    bending->rounded = weft_allocate((size_t)weft_bending_floats(bending) * count, sizeof *bending->rounded);
    if (bending->by_lines)
        bending->idle = weft_allocate(count, sizeof *bending->idle);
    size_t edges = bending->by_lines ? 0 : (size_t)triangles->edge_count;
    bending->of_edge = weft_allocate(edges, sizeof *bending->of_edge);
    if (!bending->vertex || !bending->corner || !bending->bend || !bending->rounded || !bending->of_edge ||
        (bending->by_lines && !bending->idle)) {
        weft_bending_free(bending);
        return weft_fail_memory("bending",
                                count * ((size_t)bending->arity * sizeof *bending->vertex + sizeof *bending->bend));
    }
    if (bending->by_lines)
        weft_bending_grid_fill(bending);
    else if (bending->count > 0)
        fill_edges(bending);
    return weft_ok();
}

void weft_bending_free(weft_bending *bending) {
    free(bending->of_edge);
    free(bending->idle);
    free(bending->rounded);
    free(bending->bend);
    free(bending->corner);
    free(bending->vertex);
    *bending = (weft_bending){.kind = WEFT_BENDING_NONE};
}

/* One of the two triangles of an edge in rest coordinates. */
typedef struct side {
    double length, area; /* length of the edge, m, and area of the triangle, m2 */
    double weft;         /* squared cosine between the weft and the direction across the edge */
    double cot0, cot1;   /* cotangents of the angles at vertices 0 and 1 */
} side;

static side side_at_rest(const weft_vec2 p[3]) {
    weft_vec2 p0 = p[0], p1 = p[1], p2 = p[2];
    double ex = p1.x - p0.x, ey = p1.y - p0.y, fx = p2.x - p0.x, fy = p2.y - p0.y;
    double twice = fabs(ex * fy - ey * fx), squared = ex * ex + ey * ey, along = ex * fx + ey * fy;
    return (side){sqrt(squared), 0.5 * twice, ey * ey / squared, along / twice, (squared - along) / twice};
}

static double twice_area(const weft_vec3 *p, int a, int b, int c) {
    return weft_length(weft_cross(weft_sub(p[b], p[a]), weft_sub(p[c], p[a])));
}

static double flexion(const weft_fabric *fabric, double weft, double rigidity, double area, double length) {
    double stretch = weft * fabric->stretch_weft + (1 - weft) * fabric->stretch_warp;
    double squared = fmax(length * length, area);
    return fmin(14400 * rigidity * area / (squared * squared), MOST_FLEXION * stretch * area / squared);
}

weft_bend weft_bend_make(weft_bending_kind kind, const weft_fabric *fabric, const weft_vec3 p[4],
                         const weft_vec2 of_left[3], const weft_vec2 of_right[3]) {
    side left = side_at_rest(of_left), right = side_at_rest(of_right);
    weft_bend bend = {.stiffness = 0};
    double area = left.area + right.area;
    double weft = 0.5 * (left.weft + right.weft), length = 0.5 * (left.length + right.length);
    double rigidity = weft * fabric->bend_weft + (1 - weft) * fabric->bend_warp;
    double smallest[2] = {COLLAPSED * twice_area(p, 0, 1, 2), COLLAPSED * twice_area(p, 0, 3, 1)};
    bend.least[0] = smallest[0] * smallest[0];
    bend.least[1] = smallest[1] * smallest[1];
    bend.k[0] = -(left.cot1 + right.cot1);
    bend.k[1] = -(left.cot0 + right.cot0);
    bend.k[2] = left.cot0 + left.cot1;
    bend.k[3] = right.cot0 + right.cot1;
    if (kind == WEFT_BENDING_SPRINGS) {
        bend.rest = weft_distance(p[2], p[3]);
        bend.stiffness = flexion(fabric, weft, rigidity, area, bend.rest);
    } else if (kind == WEFT_BENDING_HINGE) {
        bend.rest = weft_bending_angle(p);
        bend.stiffness = rigidity * length * length / area;
    } else {
        bend.stiffness = rigidity / area;
    }
    return bend;
}

weft_bend weft_bend_at_rest(const weft_bending *b, int32_t i, const weft_fabric *fabric, const weft_vec2 (*rest)[3]) {
    weft_vec3 p[4];
    weft_vec2 corner[2][3];
    for (int a = 0; a < 4; a++)
        p[a] = b->mesh->position[weft_bending_vertices(b, i)[a]];
    for (int which = 0; which < 2; which++) { /* the left triangle is 0 1 2, the right one 0 3 1 */
        const weft_vec2 *of = rest[b->corner[i][which] / 3];
        int32_t k = b->corner[i][which] % 3;
        corner[which][0] = of[k];
        corner[which][1] = of[(k + 1 + which) % 3];
        corner[which][2] = of[(k + 2 - which) % 3];
    }
    return weft_bend_make(b->kind, fabric, p, corner[0], corner[1]);
}

static void apply_map(weft_bending *b, int32_t i, const double *map) {
    if (map)
        b->bend[i].stiffness *= weft_map_mean(map, weft_bending_vertices(b, i), b->arity);
}

static void round_off(weft_bending *b, int32_t i) {
    const weft_bend *bend = &b->bend[i];
    float *to = b->rounded + (size_t)weft_bending_floats(b) * (size_t)i;
    for (int a = 0; a < b->arity; a++)
        for (int c = a + 1; c < b->arity; c++)
            *to++ = (float)(bend->k[a] * bend->k[c]);
    *to = (float)bend->stiffness;
}

void weft_bending_scale(weft_bending *b, int32_t i, double factor) {
    b->bend[i].stiffness *= factor;
    round_off(b, i);
}

void weft_bending_tune(weft_bending *bending, const weft_cloth *cloth, const weft_vec2 (*rest)[3], double angle) {
    bending->damping = cloth->fabric->damping;
    if (bending->by_lines)
        weft_bending_grid_tune(bending, cloth->fabric, angle);
    for (int32_t i = 0; i < bending->count && !bending->by_lines; i++)
        bending->bend[i] = weft_bend_at_rest(bending, i, cloth->fabric, rest);
    for (int32_t i = 0; i < bending->count; i++) {
        apply_map(bending, i, cloth->map[WEFT_MAP_BEND]);
        round_off(bending, i);
    }
}

/* The half-edges of unchanged triangles keep their numbers. */
void weft_bending_match(const weft_bending *bending, const weft_bending *before, const weft_reshape *change,
                        int32_t *from) {
    const weft_mesh *mesh = bending->mesh, *old = before->mesh;
    for (int32_t e = 0; bending->count > 0 && e < mesh->edge_count; e++) {
        int32_t i = bending->of_edge[e], h = mesh->edge_halfedge[e], twin = mesh->twin[h];
        if (i == WEFT_NONE)
            continue;
        int same = !change->changed[mesh->face[h]] && !change->changed[mesh->face[twin]] && old->twin[h] == twin;
        from[i] = same ? before->of_edge[old->edge[h]] : WEFT_NONE;
    }
}

void weft_bending_reuse(weft_bending *bending, const weft_bending *before, const int32_t *from, const weft_cloth *cloth,
                        const weft_vec2 (*rest)[3]) {
    bending->damping = cloth->fabric->damping;
    for (int32_t i = 0; i < bending->count; i++) {
        if (from[i] != WEFT_NONE) {
            bending->bend[i] = before->bend[from[i]];
            round_off(bending, i);
            continue;
        }
        bending->bend[i] = weft_bend_at_rest(bending, i, cloth->fabric, rest);
        apply_map(bending, i, cloth->map[WEFT_MAP_BEND]);
        round_off(bending, i);
    }
}
