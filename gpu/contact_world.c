/* Memory of contact on a device. Lists grow when a pass has counted more than there is room for. */
#include "contact_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pairs beyond which numbers of entries would not fit. */
static const int64_t MOST_PAIRS = INT64_C(1) << 28;

/* -- lists that grow -- */

typedef struct growing {
    void **array;
    size_t size; /* bytes per element of the list */
} growing;

/* Room for `count` elements in lists that grow together. */
static int reserve(gpu_simulation *s, const growing *list, int lists, int64_t *room, int64_t count, const char *what) {
    if (count <= *room)
        return 1;
    if (count > MOST_PAIRS) {
        snprintf(s->world->failure, sizeof s->world->failure, "%lld %s: at most %lld are possible", (long long)count,
                 what, (long long)MOST_PAIRS);
        return 0;
    }
    int64_t more = count + count / 4 + 1024;
    *room = 0;
    for (int k = 0; k < lists; k++) {
        if (*list[k].array)
            s->on.give_back(s->on.self, *list[k].array);
        *list[k].array = s->on.take(s->on.self, list[k].size * (size_t)(more + 1));
        if (!*list[k].array)
            return 0;
    }
    *room = more;
    return 1;
}

int gpu_world_reserve_offsets(gpu_simulation *s, int64_t count) {
    weft_gpu *g = &s->gpu;
    const growing list[] = {{(void **)&g->contact.offset, sizeof *g->contact.offset}};
    return reserve(s, list, 1, &s->world->room.offset, count, "items of contact");
}

/* Sums of contact have more blocks than those of the cloth. */
static int reserve_partial(gpu_simulation *s, int64_t items) {
    gpu_world *w = s->world;
    int64_t blocks = gpu_blocks(items);
    if (blocks <= w->room.partial)
        return 1;
    const growing list[] = {{(void **)&w->partial, GPU_SUMS * sizeof *w->partial}};
    if (!reserve(s, list, 1, &w->room.partial, blocks, "blocks"))
        return 0;
    s->gpu.partial = w->partial;
    return 1;
}

int gpu_world_reserve_near(gpu_simulation *s, int64_t count) {
    gpu_contact *c = &s->gpu.contact;
    const growing list[] = {{(void **)&c->near, sizeof *c->near}, {(void **)&c->bound, sizeof *c->bound}};
    return reserve(s, list, 2, &s->world->room.near, count, "near pairs") && reserve_partial(s, count);
}

int gpu_world_reserve_touches(gpu_simulation *s, int64_t count) {
    gpu_contact *c = &s->gpu.contact;
    const growing list[] = {{(void **)&c->touch, sizeof *c->touch}};
    return reserve(s, list, 1, &s->world->room.touch, count, "touching pairs");
}

int gpu_world_reserve_rubs(gpu_simulation *s, int64_t count) {
    gpu_contact *c = &s->gpu.contact;
    const growing list[] = {{(void **)&c->rub, sizeof *c->rub}};
    return reserve(s, list, 1, &s->world->room.rub, count, "pairs with friction");
}

int gpu_world_reserve_grips(gpu_simulation *s, int64_t count) {
    gpu_contact *c = &s->gpu.contact;
    const growing list[] = {{(void **)&c->next_grip, sizeof *c->next_grip}};
    return reserve(s, list, 1, &s->world->room.next_grip, count, "grips");
}

int gpu_world_reserve_terms(gpu_simulation *s, int64_t count) {
    gpu_contact *c = &s->gpu.contact;
    const growing list[] = {{(void **)&c->term, sizeof *c->term},
                            {(void **)&c->term_force, sizeof *c->term_force},
                            {(void **)&s->gpu.coupling.load, 4 * sizeof(float)},
                            {(void **)&c->entry_key, 4 * sizeof *c->entry_key},
                            {(void **)&c->entry_value, 4 * sizeof *c->entry_value},
                            {(void **)&c->sorted_key, 4 * sizeof *c->sorted_key},
                            {(void **)&c->sorted_value, 4 * sizeof *c->sorted_value},
                            {(void **)&c->entry, 4 * sizeof *c->entry}};
    return reserve(s, list, (int)(sizeof list / sizeof list[0]), &s->world->room.term, count, "terms of contact");
}

/* -- constants -- */

static void take_surfaces(gpu_simulation *s, const weft_device_contact *from) {
    const gpu_surfaces *o = &s->world->surfaces;
    gpu_contact *c = &s->gpu.contact;
    size_t count = (size_t)from->count;
    c->triangle = gpu_take(s, 3 * (size_t)o->triangles, sizeof *o->triangle, o->triangle);
    c->edge = gpu_take(s, 2 * (size_t)o->edges, sizeof *o->edge, o->edge);
    c->object_of = gpu_take(s, count, sizeof *from->object_of, from->object_of);
    c->in_surface = gpu_take(s, count, 1, o->in_surface);
    c->rest = gpu_take(s, count, sizeof *from->rest, from->rest);
    c->object = gpu_take(s, (size_t)from->object_count, sizeof *c->object, s->world->object);
    gpu_tree_set_up(o->triangles, &c->tree[0]);
    gpu_tree_set_up(o->edges, &c->tree[1]);
    for (int k = 0; k < 2; k++)
        c->tree[k].box =
            gpu_take(s, GPU_BOX * (size_t)c->tree[k].first[c->tree[k].levels], sizeof *c->tree[k].box, NULL);
}

static void take_vectors(gpu_simulation *s) {
    gpu_contact *c = &s->gpu.contact;
    gpu_coupling *p = &s->gpu.coupling;
    weft_vec3 **vectors[] = {&c->x, &c->x_next, &c->trial, &c->start, &c->finish, &c->anchor};
    size_t cloths = (size_t)c->cloths;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
        *vectors[k] = gpu_take(s, (size_t)c->count, sizeof(weft_vec3), NULL);
    c->elastic_start = gpu_take(s, cloths, sizeof *c->elastic_start, NULL);
    c->entry_start = gpu_take(s, cloths + 1, sizeof *c->entry_start, NULL);
    s->world->still = gpu_take(s, cloths, sizeof *s->world->still, NULL);
    p->right = gpu_take(s, cloths, sizeof *p->right, NULL);
    p->diagonal = gpu_take(s, 6 * cloths, sizeof *p->diagonal, NULL);
}

/* Bodies may widen the distance below which pairs push. */
static void set_numbers(gpu_simulation *s, const weft_device_contact *from) {
    const gpu_surfaces *o = &s->world->surfaces;
    gpu_contact *c = &s->gpu.contact;
    c->on = 1;
    c->count = from->count;
    c->cloths = s->gpu.count;
    c->triangles = o->triangles;
    c->cloth_triangles = o->cloth_triangles;
    c->edges = o->edges;
    c->cloth_edges = o->cloth_edges;
    c->self = from->self;
    c->thickness = c->widest = from->thickness;
    c->friction = from->friction;
    c->spare = from->spare;
    for (int32_t i = 0; i < from->object_count; i++)
        c->widest = gpu_max(c->widest, from->thickness + from->object[i].thickness);
}

static weft_result take_grips(gpu_simulation *s, const weft_device_contact *from) {
    gpu_contact *c = &s->gpu.contact;
    int32_t made = 0;
    if (from->grip_count == 0)
        return weft_ok();
    gpu_grip *list = malloc((size_t)from->grip_count * sizeof *list);
    weft_result result = list ? gpu_grips_in(&s->world->surfaces, from->grip, from->grip_count, list, &made)
                              : weft_fail_memory("grips", (size_t)from->grip_count * sizeof *list);
    if (result.code == WEFT_OK && gpu_world_reserve_grips(s, made) &&
        s->on.write(s->on.self, c->next_grip, list, (size_t)made * sizeof *list)) {
        c->next_grip_count = made;
        gpu_world_swap_grips(s);
    }
    free(list);
    return result;
}

void gpu_world_swap_grips(gpu_simulation *s) {
    gpu_contact *c = &s->gpu.contact;
    gpu_rooms *room = &s->world->room;
    gpu_grip *before = c->grip;
    int64_t before_room = room->grip;
    c->grip = c->next_grip;
    c->grip_count = c->next_grip_count;
    room->grip = room->next_grip;
    c->next_grip = before;
    c->next_grip_count = 0;
    room->next_grip = before_room;
}

static int make_host_side(gpu_world *w, const weft_device_contact *from, int32_t cloths) {
    size_t bodies = (size_t)(from->count - cloths) + 1;
    w->objects = from->object_count;
    w->object = calloc((size_t)from->object_count + 1, sizeof *w->object);
    w->body[0] = calloc(bodies, sizeof *w->body[0]);
    w->body[1] = calloc(bodies, sizeof *w->body[1]);
    for (int32_t i = 0; w->object && i < from->object_count; i++)
        w->object[i] = (gpu_object){from->object[i].thickness, from->object[i].friction, from->object[i].is_body, 0};
    return w->object && w->body[0] && w->body[1];
}

/* The most items that a sum may have before there are pairs. */
static int64_t most_items(const gpu_simulation *s) {
    const weft_gpu *g = &s->gpu;
    const int32_t items[] = {g->triangle_count, g->bend_count, g->pair_count, g->contact.count + g->contact.edges};
    int64_t most = 0;
    for (int k = 0; k < 4; k++)
        most = items[k] > most ? items[k] : most;
    return most;
}

weft_result gpu_world_create(gpu_simulation *s, const weft_device_scene *scene) {
    const weft_device_contact *contact = scene->contact;
    gpu_world *w = s->world = calloc(1, sizeof *w);
    if (!w || !make_host_side(w, contact, s->gpu.count))
        return weft_fail_memory("contact on a device", sizeof *w);
    WEFT_TRY(gpu_surfaces_create(contact, s->gpu.count, &w->surfaces));
    set_numbers(s, contact);
    take_surfaces(s, contact);
    take_vectors(s);
    WEFT_TRY(gpu_parts_create(s, scene->elements));
    gpu_contact *c = &s->gpu.contact;
    if (!gpu_world_reserve_offsets(s, (int64_t)c->count + c->edges) || !reserve_partial(s, most_items(s)) ||
        !gpu_world_reserve_grips(s, 1))
        return gpu_simulation_failure(s);
    return take_grips(s, contact);
}

void gpu_world_destroy(gpu_simulation *s) {
    gpu_world *w = s->world;
    gpu_contact *c = &s->gpu.contact;
    if (!w)
        return;
    void *owned[] = {c->offset,       c->near,      c->bound,       c->touch,
                     c->rub,          c->grip,      c->next_grip,   c->term,
                     c->term_force,   c->entry_key, c->entry_value, c->sorted_key,
                     c->sorted_value, c->entry,     w->partial,     s->gpu.coupling.load};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++)
        if (owned[k])
            s->on.give_back(s->on.self, owned[k]);
    gpu_surfaces_free(&w->surfaces);
    free(w->part_of);
    free(w->object);
    free(w->body[0]);
    free(w->body[1]);
    free(w);
    s->world = NULL;
}

/* -- bodies -- */

static int set_absent(gpu_simulation *s, const uint8_t *absent) {
    gpu_world *w = s->world;
    int changed = 0;
    for (int32_t i = 0; i < w->objects; i++) {
        changed |= w->object[i].absent != absent[i];
        w->object[i].absent = absent[i];
    }
    return !changed ||
           s->on.write(s->on.self, (void *)s->gpu.contact.object, w->object, (size_t)w->objects * sizeof *w->object);
}

int gpu_world_place_bodies(gpu_simulation *s, const weft_device_step *step) {
    gpu_world *w = s->world;
    gpu_contact *c = &s->gpu.contact;
    size_t bytes = (size_t)(c->count - c->cloths) * sizeof *w->body[0];
    const weft_vec3 *from[2] = {step->body_start, step->body_end};
    weft_vec3 *to[2] = {c->start + c->cloths, c->finish + c->cloths};
    w->gives_up = step->gives_up;
    if (!set_absent(s, step->absent))
        return 0;
    for (int k = 0; k < 2 && bytes > 0; k++) {
        if (w->placed && memcmp(w->body[k], from[k], bytes) == 0)
            continue;
        memcpy(w->body[k], from[k], bytes);
        if (!s->on.write(s->on.self, to[k], w->body[k], bytes))
            return 0;
    }
    w->placed = 1;
    return 1;
}
