/* Puts triangles and edges in the order of their trees: by object, cloths first, and within an object along a Morton
 * curve through the surface at rest. The order depends on the scene alone, so that results do not depend on when a
 * simulation was copied to the device. Cloth stays near itself, so this order keeps its boxes small while it folds. */
#include <stdlib.h>
#include <string.h>

#include "contact_world.h"
#include "weft/sort.h"

/* A feature that is to be sorted. */
typedef struct feature {
    uint64_t code;
    int32_t object, vertex[3];
} feature;

static int compare_numbers(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

static int compare_vertices(const feature *p, const feature *q) {
    for (int k = 0; k < 3; k++)
        if (p->vertex[k] != q->vertex[k])
            return compare_numbers(p->vertex[k], q->vertex[k]);
    return 0;
}

static int compare_by_vertices(const void *a, const void *b) { return compare_vertices(a, b); }

static int compare_features(const void *a, const void *b) {
    const feature *p = a, *q = b;
    if (p->object != q->object)
        return compare_numbers(p->object, q->object);
    if (p->code != q->code)
        return p->code < q->code ? -1 : 1;
    return compare_vertices(p, q);
}

/* Spreads 21 bits to every third place. */
static uint64_t spread(uint64_t a) {
    a = (a | a << 32) & UINT64_C(0x1f00000000ffff);
    a = (a | a << 16) & UINT64_C(0x1f0000ff0000ff);
    a = (a | a << 8) & UINT64_C(0x100f00f00f00f00f);
    a = (a | a << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (a | a << 2) & UINT64_C(0x1249249249249249);
}

typedef struct extent {
    weft_vec3 low;
    double size;
} extent;

static extent extent_of(const weft_device_contact *c) {
    weft_vec3 low = {0, 0, 0}, high = {0, 0, 0};
    for (int32_t i = 0; i < c->count; i++) {
        weft_vec3 p = c->rest[i];
        low = i == 0 ? p : gpu_vec(gpu_min(low.x, p.x), gpu_min(low.y, p.y), gpu_min(low.z, p.z));
        high = i == 0 ? p : gpu_vec(gpu_max(high.x, p.x), gpu_max(high.y, p.y), gpu_max(high.z, p.z));
    }
    weft_vec3 d = gpu_sub(high, low);
    return (extent){low, gpu_max(gpu_max(d.x, d.y), gpu_max(d.z, 1e-9))};
}

static uint64_t place_along(double at, double low, double size) {
    const double most = 2097151; /* 21 bits */
    double scaled = (at - low) / size * most;
    return spread((uint64_t)gpu_min(gpu_max(scaled, 0), most));
}

static uint64_t code_of(const weft_device_contact *c, const extent *e, const int32_t *vertex, int corners) {
    weft_vec3 sum = {0, 0, 0};
    for (int k = 0; k < corners; k++)
        sum = gpu_add(sum, c->rest[vertex[k]]);
    sum = gpu_scale(1.0 / corners, sum);
    return place_along(sum.x, e->low.x, e->size) << 2 | place_along(sum.y, e->low.y, e->size) << 1 |
           place_along(sum.z, e->low.z, e->size);
}

/* Both ends of the sides of all triangles, each side once. Returns their number. */
static int32_t list_edges(const weft_device_contact *c, const extent *e, feature *list) {
    int32_t count = 0, unique = 0;
    for (int32_t t = 0; t < c->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int32_t a = c->triangle[t][k], b = c->triangle[t][(k + 1) % 3];
            list[count++] = (feature){.object = c->object_of[a], .vertex = {a < b ? a : b, a < b ? b : a, 0}};
        }
    if (count > 0)
        weft_sort(list, (size_t)count, sizeof *list, compare_by_vertices);
    for (int32_t i = 0; i < count; i++)
        if (i == 0 || compare_vertices(&list[i], &list[i - 1]) != 0)
            list[unique++] = list[i];
    for (int32_t i = 0; i < unique; i++)
        list[i].code = code_of(c, e, list[i].vertex, 2);
    return unique;
}

static void list_triangles(const weft_device_contact *c, const extent *e, feature *list) {
    for (int32_t t = 0; t < c->triangle_count; t++) {
        list[t] = (feature){.object = c->object_of[c->triangle[t][0]], .code = code_of(c, e, c->triangle[t], 3)};
        memcpy(list[t].vertex, c->triangle[t], sizeof list[t].vertex);
    }
}

/* Sorts the features and copies their vertices. Returns how many belong to cloths. */
static int32_t put_in_order(feature *list, int32_t count, int corners, int32_t cloths, int32_t *to) {
    int32_t of_cloths = 0;
    if (count > 0)
        weft_sort(list, (size_t)count, sizeof *list, compare_features);
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < corners; k++)
            to[(ptrdiff_t)corners * i + k] = list[i].vertex[k];
        of_cloths += list[i].vertex[0] < cloths;
    }
    return of_cloths;
}

weft_result gpu_surfaces_create(const weft_device_contact *c, int32_t cloths, gpu_surfaces *made) {
    size_t triangles = (size_t)c->triangle_count;
    *made = (gpu_surfaces){.count = c->count, .triangles = c->triangle_count};
    feature *list = malloc((3 * triangles + 1) * sizeof *list);
    made->triangle = malloc((3 * triangles + 1) * sizeof *made->triangle);
    made->edge = malloc((6 * triangles + 1) * sizeof *made->edge);
    made->in_surface = calloc((size_t)c->count + 1, 1);
    if (!list || !made->triangle || !made->edge || !made->in_surface) {
        free(list);
        return weft_fail_memory("the surfaces of contact", 3 * triangles * sizeof *list);
    }
    extent e = extent_of(c);
    list_triangles(c, &e, list);
    made->cloth_triangles = put_in_order(list, c->triangle_count, 3, cloths, made->triangle);
    made->edges = list_edges(c, &e, list);
    made->cloth_edges = put_in_order(list, made->edges, 2, cloths, made->edge);
    for (size_t k = 0; k < 3 * triangles; k++)
        made->in_surface[made->triangle[k]] = 1;
    free(list);
    return weft_ok();
}

void gpu_surfaces_free(gpu_surfaces *s) {
    free(s->triangle);
    free(s->edge);
    free(s->in_surface);
    *s = (gpu_surfaces){0};
}

void gpu_tree_set_up(int32_t count, gpu_tree *tree) {
    int32_t boxes = count;
    tree->count = count;
    tree->levels = 0;
    tree->first[0] = 0;
    while (boxes > 0) {
        tree->first[tree->levels + 1] = tree->first[tree->levels] + boxes;
        tree->levels++;
        boxes = boxes > 1 ? (boxes + GPU_TREE_FAN - 1) / GPU_TREE_FAN : 0;
    }
}

/* -- grips -- */

/* Numbers of features, sorted by their vertices. */
typedef struct index {
    feature *list;
    int32_t count;
} index;

/* The number of each feature takes the place of its code. */
static index make_index(const int32_t *vertex, int32_t count, int corners) {
    index made = {malloc(((size_t)count + 1) * sizeof *made.list), count};
    for (int32_t i = 0; made.list && i < count; i++) {
        made.list[i] = (feature){.code = (uint64_t)i};
        for (int k = 0; k < corners; k++)
            made.list[i].vertex[k] = vertex[(ptrdiff_t)corners * i + k];
    }
    if (made.list && count > 0)
        weft_sort(made.list, (size_t)count, sizeof *made.list, compare_by_vertices);
    return made;
}

static int32_t look_up(const index *in, const int32_t *vertex, int corners) {
    feature key = {0};
    for (int k = 0; k < corners; k++)
        key.vertex[k] = vertex[k];
    const feature *found =
        in->count > 0 ? bsearch(&key, in->list, (size_t)in->count, sizeof key, compare_by_vertices) : NULL;
    return found ? (int32_t)found->code : -1;
}

static int32_t look_up_edge(const index *in, int32_t a, int32_t b) {
    const int32_t vertex[2] = {a < b ? a : b, a < b ? b : a};
    return look_up(in, vertex, 2);
}

static int compare_grips(const void *a, const void *b) {
    const gpu_grip *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key;
}

/* Grips of features that the surfaces do not have are left out. */
static int convert(const index *triangles, const index *edges, const weft_device_grip *from, gpu_grip *to) {
    int32_t a = from->vertex[0], b;
    double sign = 1;
    if (from->kind == GPU_VERTEX_TRIANGLE) {
        b = look_up(triangles, from->vertex + 1, 3);
    } else {
        a = look_up_edge(edges, from->vertex[0], from->vertex[1]);
        b = look_up_edge(edges, from->vertex[2], from->vertex[3]);
        if (a > b) {
            int32_t other = a;
            a = b;
            b = other;
            sign = -1;
        }
    }
    *to = (gpu_grip){gpu_make_key(from->kind, a, b), from->reach, gpu_scale(sign, from->slip)};
    return a >= 0 && b >= 0;
}

weft_result gpu_grips_in(const gpu_surfaces *surfaces, const weft_device_grip *from, int32_t count, gpu_grip *to,
                         int32_t *made) {
    index triangles = make_index(surfaces->triangle, surfaces->triangles, 3);
    index edges = make_index(surfaces->edge, surfaces->edges, 2);
    *made = 0;
    for (int32_t i = 0; triangles.list && edges.list && i < count; i++)
        *made += convert(&triangles, &edges, &from[i], &to[*made]);
    if (*made > 1)
        weft_sort(to, (size_t)*made, sizeof *to, compare_grips);
    weft_result result = triangles.list && edges.list ? weft_ok() : weft_fail_memory("grips", sizeof *to);
    free(triangles.list);
    free(edges.list);
    return result;
}

void gpu_grips_out(const gpu_surfaces *surfaces, const gpu_grip *from, int32_t count, weft_device_grip *to) {
    gpu_contact view = {.triangle = surfaces->triangle, .edge = surfaces->edge};
    for (int32_t i = 0; i < count; i++) {
        to[i] = (weft_device_grip){.kind = gpu_key_kind(from[i].key), .reach = from[i].reach, .slip = from[i].slip};
        gpu_pair_vertices(&view, from[i].key, to[i].vertex);
    }
}
