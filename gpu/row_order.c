#include "row_order.h"

#include <stdlib.h>
#include <string.h>

#include "weft/sort.h"

/* A vertex and how long its row will be: entries of triangles and pairs before those of bending. */
typedef struct ranked {
    int32_t vertex, near, bends;
} ranked;

static int compare(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->near != b->near)
        return a->near > b->near ? -1 : 1;
    if (a->bends != b->bends)
        return a->bends > b->bends ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static void count_neighbours(const weft_device_scene *scene, ranked *of) {
    const weft_device_lists *e = scene->elements;
    for (int32_t i = 0; i < scene->count; i++)
        of[i] = (ranked){.vertex = i};
    for (int32_t t = 0; t < e->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            of[e->triangle[t].vertex[k]].near++;
    for (int32_t i = 0; i < e->pair_count; i++)
        for (int k = 0; k < 2; k++)
            of[e->pair[i].vertex[k]].near++;
    for (int32_t i = 0; i < e->bend_count; i++)
        for (int k = 0; k < e->bend[i].arity; k++)
            of[e->bend[i].vertex[k]].bends += k != e->bend[i].idle;
}

static int sort_vertices(const weft_device_scene *scene, int32_t *place) {
    ranked *of = malloc(((size_t)scene->count + 1) * sizeof *of);
    if (!of)
        return 0;
    count_neighbours(scene, of);
    for (int32_t first = 0; first < scene->count; first += GPU_WINDOW) {
        int32_t left = scene->count - first;
        weft_sort(of + first, (size_t)(left < GPU_WINDOW ? left : GPU_WINDOW), sizeof *of, compare);
    }
    for (int32_t i = 0; i < scene->count; i++)
        place[of[i].vertex] = i;
    free(of);
    return 1;
}

/* Memory that the order owns; null after a failure. */
static void *own(gpu_order *o, size_t count, size_t size) {
    void *made = calloc(count + 1, size);
    if (made)
        o->owned[o->owned_count++] = made;
    return made;
}

/* A copy of values per vertex in the new order. */
static const void *permute(gpu_order *o, const void *from, size_t size) {
    char *to = own(o, (size_t)o->scene.count, size);
    for (int32_t i = 0; to && from && i < o->scene.count; i++)
        memcpy(to + (size_t)o->place[i] * size, (const char *)from + (size_t)i * size, size);
    return to;
}

/* A copy of elements, whose first members are vertices, with the new numbers. */
static void *renumber(gpu_order *o, const void *from, int32_t count, size_t size, int vertices) {
    char *to = own(o, (size_t)count, size);
    if (to && count > 0)
        memcpy(to, from, (size_t)count * size);
    for (int32_t i = 0; to && i < count; i++) {
        int32_t vertex[WEFT_DEVICE_BEND_VERTICES];
        size_t bytes = (size_t)vertices * sizeof *vertex;
        memcpy(vertex, to + (size_t)i * size, bytes);
        for (int k = 0; k < vertices; k++)
            vertex[k] = o->place[vertex[k]];
        memcpy(to + (size_t)i * size, vertex, bytes);
    }
    return to;
}

static int fill(gpu_order *o) {
    weft_device_scene *s = &o->scene;
    weft_device_lists *e = &o->elements;
    s->mass = permute(o, s->mass, sizeof *s->mass);
    s->area = permute(o, s->area, sizeof *s->area);
    s->material_of = permute(o, s->material_of, sizeof *s->material_of);
    s->x = permute(o, s->x, sizeof *s->x);
    s->v = permute(o, s->v, sizeof *s->v);
    s->x_before = permute(o, s->x_before, sizeof *s->x_before);
    s->v_before = permute(o, s->v_before, sizeof *s->v_before);
    s->facet = renumber(o, s->facet, s->facet_count, sizeof *s->facet, 3);
    e->triangle = renumber(o, e->triangle, e->triangle_count, sizeof *e->triangle, 3);
    e->bend = renumber(o, e->bend, e->bend_count, sizeof *e->bend, WEFT_DEVICE_BEND_VERTICES);
    e->pair = renumber(o, e->pair, e->pair_count, sizeof *e->pair, 2);
    s->elements = e;
    return s->mass && s->area && s->material_of && s->x && s->v && s->x_before && s->v_before && s->facet &&
           e->triangle && e->bend && e->pair;
}

weft_result gpu_order_create(const weft_device_scene *scene, gpu_order *made) {
    *made = (gpu_order){.scene = *scene, .elements = *scene->elements};
    if (scene->contact)
        return weft_ok();
    made->place = malloc(((size_t)scene->count + 1) * sizeof *made->place);
    if (made->place && sort_vertices(scene, made->place) && fill(made))
        return weft_ok();
    return weft_fail_memory("the order of the vertices", (size_t)scene->count * sizeof *made->place);
}

void gpu_order_free(gpu_order *order) {
    while (order->owned_count > 0)
        free(order->owned[--order->owned_count]);
}
