/* Memory of a simulation on a device. */
#include "simulation.h"

#include <stdlib.h>
#include <string.h>

#include "contact_world.h"

weft_result gpu_simulation_failure(const gpu_simulation *s) {
    const char *why = s->on.failure(s->on.self);
    if (!why && s->world && s->world->failure[0])
        why = s->world->failure;
    return weft_fail(WEFT_NO_MEMORY, "%s", why ? why : "the device failed");
}

int gpu_run(gpu_simulation *s, gpu_kernel kernel, int32_t items) {
    return items <= 0 || s->on.run(s->on.self, kernel, &s->gpu, items);
}

int gpu_run_sum(gpu_simulation *s, gpu_kernel kernel, int32_t items, int32_t slot) {
    s->gpu.slot = slot;
    return gpu_run(s, kernel, items);
}

gpu_numbers gpu_read_numbers(gpu_simulation *s) {
    gpu_numbers numbers;
    if (!s->on.read(s->on.self, &numbers, s->gpu.numbers, sizeof numbers))
        memset(&numbers, 0, sizeof numbers);
    return numbers;
}

double gpu_sum(gpu_simulation *s, gpu_kernel kernel, int32_t items) {
    if (items <= 0 || !gpu_run_sum(s, kernel, items, GPU_SLOT_MOTION))
        return 0;
    return gpu_read_numbers(s).sum[GPU_SLOT_MOTION][0];
}

/* Device memory that the simulation owns, filled with `from` unless that is null. */
static void *take(gpu_simulation *s, size_t count, size_t size, const void *from) {
    if (s->array_count == GPU_ARRAYS)
        return NULL;
    void *made = s->on.take(s->on.self, count * size);
    if (made)
        s->array[s->array_count++] = made;
    if (made && from)
        s->on.write(s->on.self, made, from, count * size);
    return made;
}

void *gpu_take(gpu_simulation *s, size_t count, size_t size, const void *from) { return take(s, count, size, from); }

static void take_constants(gpu_simulation *s, const weft_device_scene *scene, const gpu_layout *l) {
    weft_gpu *g = &s->gpu;
    const weft_device_lists *e = scene->elements;
    size_t count = (size_t)scene->count;
    g->mass = take(s, count, sizeof *g->mass, scene->mass);
    g->area = take(s, count, sizeof *g->area, scene->area);
    g->material_of = take(s, count, sizeof *g->material_of, scene->material_of);
    g->material = take(s, (size_t)scene->material_count, sizeof *g->material, scene->material);
    g->triangle = take(s, (size_t)e->triangle_count, sizeof *g->triangle, e->triangle);
    g->bend = take(s, (size_t)e->bend_count, sizeof *g->bend, e->bend);
    g->pair = take(s, (size_t)e->pair_count, sizeof *g->pair, e->pair);
    g->facet = take(s, (size_t)scene->facet_count, sizeof *g->facet, scene->facet);
    g->sinc = take(s, 1, sizeof e->sinc, e->sinc);
    g->force_start = take(s, count + 1, sizeof *l->force_start, l->force_start);
    g->force_index = take(s, (size_t)l->force_start[count], sizeof *l->force_index, l->force_index);
    g->facet_start = take(s, count + 1, sizeof *l->facet_start, l->facet_start);
    g->facet_index = take(s, (size_t)l->facet_start[count], sizeof *l->facet_index, l->facet_index);
    g->facet_share = take(s, (size_t)l->facet_start[count], sizeof *l->facet_share, l->facet_share);
}

static void take_state(gpu_simulation *s, const weft_device_scene *scene) {
    weft_gpu *g = &s->gpu;
    size_t count = (size_t)scene->count;
    g->x_start = take(s, count, sizeof *g->x_start, scene->x);
    g->v_start = take(s, count, sizeof *g->v_start, scene->v);
    g->x_before = take(s, count, sizeof *g->x_before, scene->x_before);
    g->v_before = take(s, count, sizeof *g->v_before, scene->v_before);
    g->x = take(s, count, sizeof *g->x, scene->x);
    g->v = take(s, count, sizeof *g->v, scene->v);
    g->held = take(s, count, sizeof *g->held, NULL);
    g->target = take(s, count, sizeof *g->target, NULL);
    g->f = take(s, count, sizeof *g->f, NULL);
    g->external = take(s, count, sizeof *g->external, NULL);
    size_t numbers = (size_t)gpu_numbers_room(scene->facet_count, GPU_FACET_NUMBERS);
    g->facet_number = take(s, numbers, sizeof *g->facet_number, NULL);
}

static int32_t most_items(const weft_gpu *g) {
    const int32_t items[] = {g->triangle_count, g->bend_count, g->pair_count};
    int32_t most = g->count;
    for (int k = 0; k < 3; k++)
        most = items[k] > most ? items[k] : most;
    return most;
}

static void take_scratch(gpu_simulation *s, const gpu_layout *l) {
    weft_gpu *g = &s->gpu;
    size_t blocks = (size_t)gpu_blocks(most_items(g));
    g->element_force = take(s, (size_t)l->element_forces, sizeof *g->element_force, NULL);
    g->partial = take(s, GPU_SUMS * blocks, sizeof *g->partial, NULL);
    g->numbers = take(s, 1, sizeof *g->numbers, NULL);
}

static void take_slices(gpu_simulation *s, const gpu_layout *l, const gpu_layout_slices *from, gpu_slices *to) {
    size_t entries = (size_t)from->base[l->slices] * GPU_SLICE;
    to->base = take(s, (size_t)l->slices + 1, sizeof *from->base, from->base);
    to->slice_of = take(s, (size_t)from->base[l->slices], sizeof *from->slice_of, from->slice_of);
    to->column = take(s, entries, sizeof *from->column, from->column);
    to->ahead = from->ahead ? take(s, entries, sizeof *from->ahead, from->ahead) : NULL;
    to->entries = from->base[l->slices];
    to->value = take(s, entries * (size_t)from->floats, sizeof *to->value, NULL);
    to->floats = from->floats;
}

static void take_matrix(gpu_simulation *s, const gpu_layout *l) {
    weft_gpu *g = &s->gpu;
    gpu_gather *to = &g->gather;
    size_t count = (size_t)l->count, entries = (size_t)l->entry[l->count];
    size_t blocks = (size_t)l->block_start[entries], tensors = (size_t)l->tensor_start[entries];
    take_slices(s, l, &l->head, &g->head);
    take_slices(s, l, &l->tail, &g->tail);
    to->entry = take(s, count + 1, sizeof *l->entry, l->entry);
    to->head_count = take(s, count, sizeof *l->head_count, l->head_count);
    to->block_start = take(s, entries + 1, sizeof *l->block_start, l->block_start);
    to->block = take(s, blocks, sizeof *l->block, l->block);
    to->tensor_start = take(s, entries + 1, sizeof *l->tensor_start, l->tensor_start);
    to->tensor = take(s, tensors, sizeof *l->tensor, l->tensor);
    to->weight = take(s, tensors, sizeof *l->weight, l->weight);
    g->element_block = take(s, (size_t)l->element_blocks, sizeof *g->element_block, NULL);
    g->tensor = take(s, 4 * (size_t)g->bend_count, sizeof *g->tensor, NULL);
    g->excess = take(s, 6 * count, sizeof *g->excess, NULL);
    g->inverse = take(s, 6 * count, sizeof *g->inverse, NULL);
    g->damping = take(s, 6 * count, sizeof *g->damping, NULL);
}

static void take_level(gpu_simulation *s, const gpu_schwarz_level *from, int32_t number) {
    gpu_level *to = &s->gpu.level[number];
    size_t nodes = (size_t)from->nodes, places = (size_t)from->domains * GPU_DOMAIN;
    to->nodes = from->nodes;
    to->domains = from->domains;
    to->node_of = take(s, places, sizeof *from->node_of, from->node_of);
    to->place_of = take(s, nodes, sizeof *from->place_of, from->place_of);
    to->parent = from->parent ? take(s, nodes, sizeof *from->parent, from->parent) : NULL;
    to->inverse = take(s, (size_t)from->domains * GPU_DENSE * GPU_DENSE, sizeof *to->inverse, NULL);
    to->y = take(s, 4 * nodes, sizeof *to->y, NULL);
    if (number == 0)
        return;
    size_t entries = (size_t)from->entry[nodes], width = number == 1 ? 2 : 1;
    size_t sources = (size_t)from->from_start[entries];
    s->level_entries[number] = (int32_t)entries;
    to->child_start = take(s, nodes + 1, sizeof *from->child_start, from->child_start);
    to->child = take(s, (size_t)from->child_start[nodes], sizeof *from->child, from->child);
    to->entry = take(s, nodes + 1, sizeof *from->entry, from->entry);
    to->column = take(s, entries, sizeof *from->column, from->column);
    to->from_start = take(s, entries + 1, sizeof *from->from_start, from->from_start);
    to->from = take(s, width * sources, sizeof *from->from, from->from);
    to->value = take(s, 9 * entries, sizeof *to->value, NULL);
    to->excess = take(s, 6 * nodes, sizeof *to->excess, NULL);
    to->r = take(s, 4 * nodes, sizeof *to->r, NULL);
}

static weft_result take_levels(gpu_simulation *s, const gpu_layout *l) {
    gpu_schwarz schwarz;
    if (s->solver.precondition == WEFT_DEVICE_PRECOND_BLOCK ||
        (s->solver.precondition == WEFT_DEVICE_PRECOND_AUTO && l->count <= GPU_SCHWARZ_FROM))
        return weft_ok();
    weft_result result = gpu_schwarz_create(l, &schwarz);
    s->gpu.level_count = result.code == WEFT_OK ? schwarz.count : 0;
    for (int32_t k = 0; k < s->gpu.level_count; k++)
        take_level(s, &schwarz.level[k], k);
    gpu_schwarz_free(&schwarz);
    return result;
}

static void take_vectors(gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    weft_vec3 **vectors[] = {&g->X, &g->V, &g->b, &g->dv, &g->x_last, &g->search, &g->z};
    gpu_float3 **directions[] = {&g->r, &g->p, &g->s, &g->w};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
        *vectors[k] = take(s, (size_t)g->count, sizeof(weft_vec3), NULL);
    for (size_t k = 0; k < sizeof directions / sizeof directions[0]; k++)
        *directions[k] = take(s, (size_t)g->count, sizeof(gpu_float3), NULL);
    g->u = take(s, 4 * (size_t)g->count, sizeof *g->u, NULL);
}

static weft_result fill(gpu_simulation *s, const weft_device_scene *scene) {
    gpu_layout layout;
    int implicit = scene->scheme <= WEFT_DEVICE_BDF2;
    weft_result result = gpu_layout_create(scene, implicit, &layout);
    if (result.code == WEFT_OK) {
        take_constants(s, scene, &layout);
        take_state(s, scene);
        take_scratch(s, &layout);
        if (implicit) {
            take_matrix(s, &layout);
            take_vectors(s);
            result = take_levels(s, &layout);
        }
        if (result.code == WEFT_OK && scene->contact)
            result = gpu_world_create(s, scene);
        s->slices = layout.slices;
        s->hinges = layout.hinges;
        s->gpu.hinges = layout.hinges;
        if (result.code == WEFT_OK && s->on.failure(s->on.self))
            result = gpu_simulation_failure(s);
    }
    gpu_layout_free(&layout);
    return result;
}

weft_result gpu_simulation_create(const weft_device_scene *scene, const gpu_executor *on, gpu_simulation **made) {
    *made = NULL;
    gpu_simulation *s = calloc(1, sizeof *s);
    if (!s) {
        on->destroy(on->self);
        return weft_fail_memory("a simulation on a device", sizeof *s);
    }
    s->on = *on;
    s->solver = scene->solver;
    weft_gpu *g = &s->gpu;
    g->count = scene->count;
    g->triangle_count = scene->elements->triangle_count;
    g->bend_count = scene->elements->bend_count;
    g->pair_count = scene->elements->pair_count;
    g->facet_count = scene->facet_count;
    g->scheme = scene->scheme;
    g->tolerance = scene->solver.tolerance;
    g->limit = scene->solver.iterations;
    gpu_order order;
    weft_result result = gpu_order_create(scene, &order);
    s->place = order.place;
    if (result.code == WEFT_OK)
        result = fill(s, s->place ? &order.scene : scene);
    gpu_order_free(&order);
    if (result.code == WEFT_OK)
        *made = s;
    else
        gpu_simulation_destroy(s);
    return result;
}

void gpu_simulation_destroy(gpu_simulation *s) {
    if (!s)
        return;
    gpu_world_destroy(s);
    while (s->array_count > 0)
        s->on.give_back(s->on.self, s->array[--s->array_count]);
    if (s->gpu.held_list)
        s->on.give_back(s->on.self, (void *)s->gpu.held_list);
    if (s->gpu.held_target)
        s->on.give_back(s->on.self, (void *)s->gpu.held_target);
    s->on.destroy(s->on.self);
    free(s->place);
    free(s->held);
    free(s->held_place);
    free(s->target);
    free(s);
}

/* -- copies to the host -- */

weft_result gpu_simulation_fetch_begin(gpu_simulation *s, int32_t copy) {
    const weft_gpu *g = &s->gpu;
    const void *from[] = {g->x_start, g->v_start, g->x_before, g->v_before};
    if (!s->on.fetch_begin(s->on.self, copy, from, 4, (size_t)g->count * sizeof(weft_vec3)))
        return gpu_simulation_failure(s);
    return weft_ok();
}

/* Reads only what steps do not change, because steps may go on meanwhile. */
weft_result gpu_simulation_fetch_end(const gpu_simulation *s, int32_t copy, const weft_device_state *to) {
    const char *why;
    const weft_vec3 *from = s->on.fetch_end(s->on.self, copy, &why);
    if (!from)
        return weft_fail(WEFT_NO_MEMORY, "copying a frame: %s", why);
    size_t count = (size_t)s->gpu.count;
    weft_vec3 *arrays[] = {to->x, to->v, to->x_before, to->v_before};
    for (size_t k = 0; k < 4; k++) {
        if (arrays[k] && !s->place)
            memcpy(arrays[k], from + k * count, count * sizeof *from);
        for (size_t i = 0; arrays[k] && s->place && i < count; i++)
            arrays[k][i] = from[k * count + (size_t)s->place[i]];
    }
    return weft_ok();
}
