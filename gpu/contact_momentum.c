/* Connected parts of the cloths, and the correction of their momentum. */
#include <stdlib.h>
#include <string.h>

#include "contact_world.h"

/* The lowest number of a set is its root. */
static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int32_t *parent, int32_t a, int32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

static void join_elements(const weft_device_lists *e, int32_t *parent) {
    for (int32_t i = 0; i < e->triangle_count; i++)
        for (int k = 1; k < 3; k++)
            join(parent, e->triangle[i].vertex[0], e->triangle[i].vertex[k]);
    for (int32_t i = 0; i < e->bend_count; i++)
        for (int k = 1; k < e->bend[i].arity; k++)
            join(parent, e->bend[i].vertex[0], e->bend[i].vertex[k]);
    for (int32_t i = 0; i < e->pair_count; i++)
        join(parent, e->pair[i].vertex[0], e->pair[i].vertex[1]);
}

/* Numbers the sets in the order of their roots. Returns how many there are. */
static int32_t number_parts(int32_t *parent, int32_t count, int32_t *part) {
    int32_t parts = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t root = root_of(parent, i);
        part[i] = root == i ? parts++ : part[root];
    }
    return parts;
}

weft_result gpu_parts_create(gpu_simulation *s, const weft_device_lists *elements) {
    gpu_contact *c = &s->gpu.contact;
    size_t count = (size_t)s->gpu.count;
    int32_t *parent = malloc((count + 1) * sizeof *parent);
    int32_t *part = s->world->part_of = malloc((count + 1) * sizeof *part);
    if (!parent || !part) {
        free(parent);
        return weft_fail_memory("parts of cloth", 2 * count * sizeof *part);
    }
    for (int32_t i = 0; i < s->gpu.count; i++)
        parent[i] = i;
    join_elements(elements, parent);
    int32_t parts = number_parts(parent, s->gpu.count, part);
    free(parent);
    c->parts = parts <= GPU_MOST_PARTS ? parts : 0;
    c->part_of = gpu_take(s, count, sizeof *part, part);
    c->joined = gpu_take(s, (size_t)c->parts * (size_t)c->parts, 1, NULL);
    c->group_of = gpu_take(s, (size_t)c->parts, sizeof *c->group_of, NULL);
    return weft_ok();
}

/* Which parts move together, and which of them something holds; the root of a group has its mark. */
typedef struct grouping {
    int32_t group[GPU_MOST_PARTS];
    uint8_t held[GPU_MOST_PARTS];
} grouping;

static int find_groups(gpu_simulation *s, const uint8_t *held, grouping *made) {
    gpu_contact *c = &s->gpu.contact;
    uint8_t joined[GPU_MOST_PARTS * GPU_MOST_PARTS] = {0};
    int32_t terms = s->gpu.coupling.terms;
    if (terms > 0 &&
        (!gpu_run(s, GPU_contact_clear_joins, c->parts * c->parts) || !gpu_run(s, GPU_contact_join, terms) ||
         !s->on.read(s->on.self, joined, c->joined, (size_t)c->parts * (size_t)c->parts)))
        return 0;
    for (int32_t p = 0; p < c->parts; p++)
        made->group[p] = p;
    for (int32_t p = 0; p < c->parts; p++)
        for (int32_t q = 0; q < c->parts; q++)
            if (joined[p * c->parts + q])
                join(made->group, p, q);
    memset(made->held, 0, sizeof made->held);
    for (int32_t p = 0; p < c->parts; p++) {
        made->group[p] = root_of(made->group, p);
        made->held[made->group[p]] |= held[p] | joined[p * c->parts + p];
    }
    return s->on.write(s->on.self, c->group_of, made->group, (size_t)c->parts * sizeof *made->group);
}

/* Marks parts with pins. Returns whether all have some. */
static int mark_pinned(const gpu_simulation *s, uint8_t *held) {
    int32_t pinned = 0;
    for (int32_t i = 0; i < s->held_count; i++) {
        int32_t part = s->world->part_of[s->held[i]];
        pinned += !held[part];
        held[part] = 1;
    }
    return pinned == s->gpu.contact.parts;
}

int gpu_keep_momentum(gpu_simulation *s) {
    gpu_contact *c = &s->gpu.contact;
    uint8_t pinned[GPU_MOST_PARTS] = {0};
    grouping groups;
    if (c->parts == 0 || mark_pinned(s, pinned))
        return 1;
    if (!find_groups(s, pinned, &groups))
        return 0;
    for (c->now_group = 0; c->now_group < c->parts; c->now_group++) {
        if (groups.group[c->now_group] != c->now_group || groups.held[c->now_group])
            continue;
        gpu_run_sum(s, GPU_contact_missing, s->gpu.count, GPU_SLOT_COUNT);
        gpu_run_sum(s, GPU_contact_group_mass, s->gpu.count, GPU_SLOT_MOTION);
        gpu_numbers n = gpu_read_numbers(s);
        const double *missing = n.sum[GPU_SLOT_COUNT], mass = n.sum[GPU_SLOT_MOTION][0];
        if (mass > 0)
            c->correction = gpu_vec(missing[0] / mass, missing[1] / mass, missing[2] / mass);
        if (mass > 0 && !gpu_run(s, GPU_contact_correct, s->gpu.count))
            return 0;
    }
    return 1;
}
