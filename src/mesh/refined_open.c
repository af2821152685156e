/* Opens edges of an adaptive surface, for tearing and cutting, and closes them again. */
#include "mesh/refined.h"

/* Gives the fan that starts at h, a boundary half-edge, a vertex of its own. */
static void take_fan(weft_refined *r, int32_t h) {
    int32_t old = r->origin[h], birth = r->birth[old];
    int32_t v = weft_refined_add_vertex(r, (int32_t[3]){old, old, old}, (double[3]){1, 0, 0});
    r->birth[v] = (uint8_t)birth;
    for (int32_t around = h; around != WEFT_NONE; around = r->twin[weft_previous(around)]) {
        r->origin[around] = v;
        weft_refined_mark(r, around / 3);
    }
    r->corner[v] = h;
}

/* Splits the origin of h if opening the edge divided its fan. `before` is the opened twin, which ends at that
 * vertex. */
static void split_vertex(weft_refined *r, int32_t h, int32_t before) {
    int32_t around = h;
    while (r->twin[weft_previous(around)] != WEFT_NONE && weft_previous(around) != before)
        around = r->twin[weft_previous(around)];
    if (weft_previous(around) == before) { /* still one fan */
        r->corner[r->origin[h]] = h;
        return;
    }
    int32_t other = weft_next(before);
    while (r->twin[other] != WEFT_NONE)
        other = weft_next(r->twin[other]);
    r->corner[r->origin[h]] = other;
    take_fan(r, h);
}

/* Undoes split_vertex. The copy is the last vertex, and its insertion the last change. */
static void join_vertex(weft_refined *r, int32_t h, int32_t before) {
    int32_t old = r->origin[weft_next(before)];
    if (r->origin[h] == old)
        return;
    for (int32_t around = h; around != WEFT_NONE; around = r->twin[weft_previous(around)])
        r->origin[around] = old;
    r->vertex_count--;
    r->change_count--;
}

void weft_refined_close(weft_refined *r, int32_t h, int32_t twin) {
    join_vertex(r, twin, h);
    join_vertex(r, h, twin);
    weft_refined_link(r, h, twin);
    weft_refined_anchor(r, h);
    weft_refined_anchor(r, twin);
}

int weft_refined_open(weft_refined *r, int32_t h) {
    int32_t twin = r->twin[h];
    if (twin == WEFT_NONE || !weft_refined_reserve(r, 2, 0, 2))
        return 0;
    r->twin[h] = r->twin[twin] = WEFT_NONE;
    weft_refined_mark(r, h / 3);
    weft_refined_mark(r, twin / 3);
    split_vertex(r, h, twin);
    split_vertex(r, twin, h);
    return 1;
}
