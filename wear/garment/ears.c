#include "wear/garment/ears.h"

#include <stdlib.h>

#include "weft/sort.h"

typedef struct ear {
    int32_t low, high; /* vertices of its inner edge */
    int32_t panel, triangle;
    int32_t tip; /* the corner of the triangle that is the corner of the outline */
} ear;

static int compare(const void *a, const void *b) {
    const ear *s = a, *t = b;
    const int32_t by[4][2] = {{s->low, t->low}, {s->high, t->high}, {s->panel, t->panel}, {s->triangle, t->triangle}};
    for (int k = 0; k < 4; k++)
        if (by[k][0] != by[k][1])
            return by[k][0] < by[k][1] ? -1 : 1;
    return 0;
}

/* The corner of a triangle whose neighbours on the outline are the other two, or -1. */
static int find_tip(const int32_t triangle[3], int32_t border) {
    for (int k = 0; k < 3 && border > 3; k++) {
        int32_t tip = triangle[k], before = triangle[(k + 2) % 3], after = triangle[(k + 1) % 3];
        if (tip < border && before == (tip + border - 1) % border && after == (tip + 1) % border)
            return k;
    }
    return -1;
}

static void find_ears(const garment_sewn *sewn, int32_t panel, ear *list, int32_t *count) {
    const garment_fill *fill = &sewn->fill[panel];
    const int32_t *vertex = sewn->vertex + sewn->start[panel];
    for (int32_t t = 0; t < fill->triangles; t++) {
        int tip = find_tip(fill->triangle[t], sewn->border[panel]);
        if (tip < 0)
            continue;
        int32_t a = vertex[fill->triangle[t][(tip + 1) % 3]], b = vertex[fill->triangle[t][(tip + 2) % 3]];
        list[(*count)++] = (ear){a < b ? a : b, a < b ? b : a, panel, t, tip};
    }
}

static double area_of(const garment_fill *fill, const int32_t t[3]) {
    weft_vec2 a = fill->point[t[0]], b = fill->point[t[1]], c = fill->point[t[2]];
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The triangle on the other side of the edge from a to b, and its third corner; WEFT_NONE if there is none. */
static int32_t find_beyond(const garment_fill *fill, int32_t a, int32_t b, int32_t *third) {
    for (int32_t t = 0; t < fill->triangles; t++)
        for (int k = 0; k < 3; k++)
            if (fill->triangle[t][k] == b && fill->triangle[t][(k + 1) % 3] == a) {
                *third = fill->triangle[t][(k + 2) % 3];
                return t;
            }
    return WEFT_NONE;
}

/* Turns the inner edge of an ear, from a to b, into one from its tip. A fold line stays. */
static void flip(garment_sewn *sewn, const ear *e) {
    const garment_fill *fill = &sewn->fill[e->panel];
    int32_t *own = fill->triangle[e->triangle], third;
    int32_t tip = own[e->tip], a = own[(e->tip + 1) % 3], b = own[(e->tip + 2) % 3];
    int32_t beyond = find_beyond(fill, a, b, &third);
    for (int32_t i = 0; i < sewn->creases; i++) {
        const garment_crease *c = &sewn->crease[i];
        if (c->panel == e->panel && ((c->point[0] == a && c->point[1] == b) || (c->point[0] == b && c->point[1] == a)))
            return;
    }
    if (beyond == WEFT_NONE)
        return;
    const int32_t made[2][3] = {{tip, a, third}, {tip, third, b}};
    if (!(area_of(fill, made[0]) > 0 && area_of(fill, made[1]) > 0))
        return;
    for (int k = 0; k < 3; k++) {
        own[k] = made[0][k];
        fill->triangle[beyond][k] = made[1][k];
    }
}

weft_result garment_part_ears(garment_sewn *sewn, int32_t panels) {
    int32_t count = 0;
    size_t room = 1;
    for (int32_t p = 0; p < panels; p++)
        room += (size_t)sewn->border[p];
    ear *list = malloc(room * sizeof *list);
    if (!list)
        return weft_fail_memory("corners", room * sizeof *list);
    for (int32_t p = 0; p < panels; p++)
        find_ears(sewn, p, list, &count);
    weft_sort(list, (size_t)count, sizeof *list, compare);
    for (int32_t i = 1; i < count; i++)
        if (list[i].low == list[i - 1].low && list[i].high == list[i - 1].high && list[i].panel != list[i - 1].panel)
            flip(sewn, &list[i]);
    free(list);
    return weft_ok();
}
