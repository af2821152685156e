/* Binds a fine mesh (proxy) to a cloth and moves it with the cloth.
 *
 * Each proxy vertex stores the barycentric coordinates of the closest point on the cloth at rest, and its offset from
 * that point. The offset is stored in a local frame that moves with the cloth. The frame consists of the interpolated
 * vertex normal, a triangle edge made orthogonal to it, and their cross product.
 *
 * The normal component holds the offset of a shell or a seam allowance. The other two components are zero except at
 * creases and borders. With them, the bound shape is exact at rest and under every rigid motion. */
#include <stdlib.h>
#include <string.h>

#include "io/closest.h"
#include "io/proxy_inside.h"
#include "weft/vec.h"

typedef struct frame {
    weft_vec3 edge, across, normal;
} frame;

/* -- frames -- */

static weft_vec3 frame_normal(const weft_proxy *p, const weft_proxy_binding *b, const weft_vec3 *x) {
    const int32_t *corner = p->mesh->triangle[b->triangle];
    weft_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum = weft_add_scaled(sum, b->weight[k], p->normal[corner[k]]);
    if (weft_dot(sum, sum) > 1e-12)
        return weft_normalize(sum);
    /* the vertex normals cancel at a fold */
    return weft_normalize(weft_cross(weft_sub(x[corner[1]], x[corner[0]]), weft_sub(x[corner[2]], x[corner[0]])));
}

static weft_vec3 edge_vector(const weft_proxy *p, const weft_proxy_binding *b, int32_t edge, const weft_vec3 *x) {
    const int32_t *corner = p->mesh->triangle[b->triangle];
    return weft_sub(x[corner[(edge + 1) % 3]], x[corner[edge]]);
}

static frame frame_of(const weft_proxy *p, const weft_proxy_binding *b, const weft_vec3 *x) {
    frame f = {.normal = frame_normal(p, b, x)};
    weft_vec3 edge = edge_vector(p, b, b->edge, x);
    f.edge = weft_normalize(weft_add_scaled(edge, -weft_dot(edge, f.normal), f.normal));
    f.across = weft_cross(f.normal, f.edge);
    return f;
}

static weft_vec3 foot(const weft_proxy *p, const weft_proxy_binding *b, const weft_vec3 *x) {
    const int32_t *corner = p->mesh->triangle[b->triangle];
    weft_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum = weft_add_scaled(sum, b->weight[k], x[corner[k]]);
    return sum;
}

/* -- binding -- */

typedef struct search {
    weft_proxy *proxy;
    const weft_closest *closest;
} search;

static int32_t flattest_edge(const weft_proxy *p, const weft_proxy_binding *b, weft_vec3 normal) {
    int32_t best = 0;
    double least = INFINITY;
    for (int32_t e = 0; e < 3; e++) {
        double slope = fabs(weft_dot(weft_normalize(edge_vector(p, b, e, p->mesh->position)), normal));
        if (slope < least) {
            least = slope;
            best = e;
        }
    }
    return best;
}

void weft_proxy_bind_at(const weft_proxy *p, int64_t v, const weft_closest_hit *hit) {
    const weft_vec3 *rest = p->mesh->position;
    weft_proxy_binding *b = &p->binding[v];
    *b = (weft_proxy_binding){.triangle = hit->triangle, .weight = {hit->weight[0], hit->weight[1], hit->weight[2]}};
    b->edge = flattest_edge(p, b, frame_normal(p, b, rest));
    frame f = frame_of(p, b, rest);
    weft_vec3 away = weft_sub(p->fine->position[v], foot(p, b, rest));
    b->offset = weft_vec3_make(weft_dot(away, f.edge), weft_dot(away, f.across), weft_dot(away, f.normal));
}

static void bind_vertices(void *context, int64_t begin, int64_t end) {
    const search *s = context;
    const weft_proxy *p = s->proxy;
    for (int64_t v = begin; v < end; v++) {
        weft_closest_hit hit = weft_closest_find(s->closest, p->fine->position[v]);
        p->home[v] = hit.triangle;
        p->foot[v] = hit.point;
        weft_proxy_bind_at(p, v, &hit);
    }
}

static void own_faces(void *context, int64_t begin, int64_t end) {
    const search *s = context;
    const weft_proxy *p = s->proxy;
    const weft_mesh *fine = p->fine;
    for (int64_t f = begin; f < end; f++) {
        weft_vec3 sum = {0, 0, 0};
        int32_t h = fine->face_halfedge[f], count = 0;
        do {
            sum = weft_add(sum, fine->position[fine->origin[h]]);
            count++;
            h = fine->next[h];
        } while (h != fine->face_halfedge[f]);
        weft_closest_hit hit = weft_closest_find(s->closest, weft_scale(1.0 / count, sum));
        p->face_owner[f] = p->mesh->triangle_face[hit.triangle];
    }
}

static double mean_edge(const weft_mesh *mesh) {
    double sum = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        int32_t h = mesh->edge_halfedge[e];
        sum += weft_distance(mesh->position[mesh->origin[h]], mesh->position[mesh->origin[mesh->next[h]]]);
    }
    return sum / mesh->edge_count;
}

static void measure_fit(weft_proxy *p) {
    p->fit = (weft_proxy_fit){.limit = mean_edge(p->mesh)};
    for (int32_t v = 0; v < p->fine->vertex_count; v++) {
        double distance = weft_length(p->binding[v].offset);
        p->fit.mean += distance / p->fine->vertex_count;
        p->fit.farthest = fmax(p->fit.farthest, distance);
        p->fit.far_count += distance > p->fit.limit;
    }
}

static int allocate(weft_proxy *p) {
    size_t vertices = (size_t)p->fine->vertex_count, faces = (size_t)p->fine->face_count;
    p->binding = malloc(vertices * sizeof *p->binding);
    p->face_owner = malloc(faces * sizeof *p->face_owner);
    p->normal = malloc((size_t)p->mesh->vertex_count * sizeof *p->normal);
    p->normal_room = p->mesh->vertex_count;
    p->position = malloc(vertices * sizeof *p->position);
    p->home = malloc(vertices * sizeof *p->home);
    p->foot = malloc(vertices * sizeof *p->foot);
    p->open = calloc(faces, 1);
    return p->binding && p->face_owner && p->normal && p->position && p->home && p->foot && p->open;
}

/* Copies the connectivity that weft_proxy_follow needs. The cloth mesh may no longer exist then. */
static int keep_base(weft_proxy *p) {
    const weft_mesh *mesh = p->mesh;
    size_t starts = ((size_t)mesh->vertex_count + 1) * sizeof(int32_t);
    size_t triangles = (size_t)mesh->triangle_count * sizeof *mesh->triangle;
    p->base_triangles = mesh->triangle_count;
    p->base_triangle = malloc(triangles);
    p->base_start = malloc(starts);
    p->base_at = malloc(triangles);
    if (!p->base_triangle || !p->base_start || !p->base_at)
        return 0;
    memcpy(p->base_triangle, mesh->triangle, triangles);
    memcpy(p->base_start, mesh->vertex_triangle_start, starts);
    memcpy(p->base_at, mesh->vertex_triangle, triangles);
    p->base_border = weft_proxy_border(mesh);
    return 1;
}

weft_result weft_proxy_bind(const weft_mesh *cloth, weft_mesh *fine, int threads, weft_proxy **proxy) {
    *proxy = NULL;
    weft_proxy *p = calloc(1, sizeof *p);
    if (!p) {
        weft_mesh_destroy(fine);
        return weft_fail_memory("a proxy", sizeof *p);
    }
    *p = (weft_proxy){.cloth = cloth, .mesh = cloth, .fine = fine, .work = {.threads = threads > 0 ? threads : 1}};
    weft_closest *closest = NULL;
    weft_result result = allocate(p) && keep_base(p)
                             ? weft_closest_create(cloth->position, (const int32_t(*)[3])cloth->triangle,
                                                   cloth->triangle_count, &closest)
                             : weft_fail_memory("a proxy", (size_t)fine->vertex_count * sizeof *p->binding);
    if (result.code != WEFT_OK) {
        weft_proxy_destroy(p);
        return result;
    }
    search s = {p, closest};
    weft_mesh_vertex_normals(cloth, cloth->position, p->normal);
    weft_parallel_for(&p->work, fine->vertex_count, WEFT_BLOCK, bind_vertices, &s);
    weft_parallel_for(&p->work, fine->face_count, WEFT_BLOCK, own_faces, &s);
    weft_closest_destroy(closest);
    measure_fit(p);
    weft_proxy_move(p, cloth->position, NULL);
    *proxy = p;
    return weft_ok();
}

void weft_proxy_destroy(weft_proxy *p) {
    if (!p)
        return;
    free(p->base_at);
    free(p->base_start);
    free(p->base_triangle);
    free(p->open);
    free(p->foot);
    free(p->home);
    free(p->position);
    free(p->normal);
    free(p->face_owner);
    free(p->binding);
    weft_mesh_destroy(p->fine);
    free(p);
}

/* -- moving -- */

typedef struct motion {
    weft_proxy *proxy;
    const weft_vec3 *x;
} motion;

static void move_vertices(void *context, int64_t begin, int64_t end) {
    const motion *m = context;
    const weft_proxy *p = m->proxy;
    for (int64_t v = begin; v < end; v++) {
        const weft_proxy_binding *b = &p->binding[v];
        frame f = frame_of(p, b, m->x);
        weft_vec3 at = foot(p, b, m->x);
        at = weft_add_scaled(at, b->offset.x, f.edge);
        at = weft_add_scaled(at, b->offset.y, f.across);
        p->position[v] = weft_add_scaled(at, b->offset.z, f.normal);
    }
}

void weft_proxy_place(weft_proxy *p, const weft_vec3 *position) {
    motion m = {p, position};
    weft_mesh_vertex_normals(p->mesh, position, p->normal);
    weft_parallel_for(&p->work, p->fine->vertex_count, WEFT_BLOCK, move_vertices, &m);
}

void weft_proxy_move(weft_proxy *p, const weft_vec3 *position, const uint8_t *open_face) {
    p->mesh = p->cloth;
    weft_proxy_place(p, position);
    p->torn = 0;
    for (int32_t f = 0; f < p->fine->face_count; f++) {
        p->open[f] = open_face && open_face[p->face_owner[f]];
        p->torn |= p->open[f];
    }
}

const weft_mesh *weft_proxy_mesh(const weft_proxy *p) { return p->fine; }

const weft_vec3 *weft_proxy_positions(const weft_proxy *p) { return p->position; }

const uint8_t *weft_proxy_open_faces(const weft_proxy *p) { return p->torn ? p->open : NULL; }

weft_proxy_fit weft_proxy_fit_at_rest(const weft_proxy *p) { return p->fit; }
