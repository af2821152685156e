/* Counts intersections of one cloth within a box. */
#include "sim/near_audit.h"

#include <math.h>

#include "weft/vec.h"

typedef struct box {
    weft_vec3 low, high;
} box;

static int meets(const box *b, const weft_vec3 *x, const int32_t v[3]) {
    weft_vec3 low = x[v[0]], high = low;
    for (int k = 1; k < 3; k++) {
        low = weft_vec3_make(fmin(low.x, x[v[k]].x), fmin(low.y, x[v[k]].y), fmin(low.z, x[v[k]].z));
        high = weft_vec3_make(fmax(high.x, x[v[k]].x), fmax(high.y, x[v[k]].y), fmax(high.z, x[v[k]].z));
    }
    return low.x <= b->high.x && low.y <= b->high.y && low.z <= b->high.z && high.x >= b->low.x && high.y >= b->low.y &&
           high.z >= b->low.z;
}

/* Skips the triangles outside of the box. Returns the number of the others. */
static int32_t skip_far(const box *b, const weft_audit_surface *surface, uint8_t *skip) {
    int32_t near = 0;
    for (int32_t t = 0; t < surface->triangle_count; t++) {
        skip[t] |= (uint8_t)!meets(b, surface->x, surface->triangle[t]);
        near += !skip[t];
    }
    return near;
}

static void free_surface(sim_near_surface *one) {
    free(one->skip);
    free(one->body.triangle);
    free(one->body.position);
}

static weft_result take_body(const weft_sim *sim, int32_t index, sim_near_surface *one) {
    WEFT_TRY(weft_sim_body_surface(sim, index, &one->body));
    one->surface = (weft_audit_surface){one->body.position, one->body.vertex_count, one->body.triangle_count,
                                        (const int32_t(*)[3])one->body.triangle, NULL};
    one->skip = weft_allocate((size_t)one->body.triangle_count, 1);
    return one->skip ? weft_ok() : weft_fail_memory("the audit of intersections", (size_t)one->body.triangle_count);
}

/* Keeps the surface if any of it is in the box. */
static weft_result keep_near(sim_near_audit *a, const box *b, sim_near_surface *one, weft_result result) {
    if (result.code != WEFT_OK || skip_far(b, &one->surface, one->skip) == 0) {
        free_surface(one);
        return result;
    }
    one->surface.skip = one->skip;
    a->other[a->other_count++] = *one;
    return result;
}

static weft_result take_all(const weft_sim *sim, const sim_cloth *cloth, const box *b, sim_near_audit *a) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_near_surface one = {0};
        if (!sim->cloth[i].prepared)
            continue;
        weft_result result = sim_audit_cloth(sim, i, &one.surface, &one.skip);
        if (&sim->cloth[i] != cloth) {
            WEFT_TRY(keep_near(a, b, &one, result));
            continue;
        }
        WEFT_TRY(result);
        (void)skip_far(b, &one.surface, one.skip);
        a->skip = one.skip;
    }
    for (int32_t i = 0; i < sim->body_count; i++) {
        sim_near_surface one = {0};
        if (!sim_body_away(sim, i, sim->time))
            WEFT_TRY(keep_near(a, b, &one, take_body(sim, i, &one)));
    }
    return weft_ok();
}

weft_result sim_near_audit_create(const weft_sim *sim, const sim_cloth *cloth, weft_vec3 low, weft_vec3 high,
                                  sim_near_audit *made) {
    size_t most = (size_t)sim->cloth_count + (size_t)sim->body_count;
    *made = (sim_near_audit){.other = weft_allocate(most, sizeof *made->other)};
    if (!made->other)
        return weft_fail_memory("the audit of intersections", most * sizeof *made->other);
    weft_result result = take_all(sim, cloth, &(box){low, high}, made);
    if (result.code != WEFT_OK)
        sim_near_audit_destroy(made);
    return result;
}

void sim_near_audit_destroy(sim_near_audit *a) {
    for (int32_t i = 0; i < a->other_count; i++)
        free_surface(&a->other[i]);
    free(a->other);
    free(a->skip);
    *a = (sim_near_audit){0};
}

static void mark(const weft_audit_list *list, const weft_audit_surface *own, int alone, uint8_t *marked) {
    for (int64_t i = 0; i < list->count; i++) {
        const weft_audit_crossing *one = &list->item[i];
        for (int k = 0; k < 2 && !one->of_b; k++)
            marked[one->edge[k]] = 1;
        for (int k = 0; k < 3 && (alone || one->of_b); k++)
            marked[own->triangle[one->triangle][k]] = 1;
    }
}

weft_result sim_near_audit_count(const sim_near_audit *a, const weft_vec3 *x, int32_t vertex_count,
                                 const int32_t (*triangle)[3], int32_t triangle_count, uint8_t *marked,
                                 int64_t *crossings) {
    enum { MOST = 64 };
    weft_audit_crossing item[MOST];
    weft_audit_surface own = {x, vertex_count, triangle_count, triangle, a->skip};
    *crossings = 0;
    if (marked)
        memset(marked, 0, (size_t)vertex_count);
    for (int32_t i = -1; i < a->other_count; i++) {
        int64_t one = 0;
        weft_audit_list list = {item, MOST, 0};
        WEFT_TRY(weft_audit_listed(&own, i < 0 ? NULL : &a->other[i].surface, &list, &one));
        *crossings += one;
        if (marked)
            mark(&list, &own, i < 0, marked);
    }
    return weft_ok();
}
