/* Where the bundles of groups sum the entries of the coarse matrix. */
#include "core/memory.h"
#include "solve/coarse.h"

enum { BUNDLE = WEFT_COARSE_BUNDLE };

/* The number of the block of nodes i and j. A block that the matrix lacks is 0 and counts as diagonal. */
static int64_t entry_of(const weft_coarse *c, int32_t i, int32_t j) {
    int32_t slot = weft_coarse_slot(c, i, j);
    return slot < 0 ? c->start[i] + (int64_t)i : slot + (int64_t)i + 1;
}

static weft_result find_place_starts(weft_coarse *c) {
    weft_coarse_parts *p = &c->parts;
    int32_t groups = c->space.nodes;
    p->bundles = (groups + BUNDLE - 1) / BUNDLE;
    p->place_start = weft_allocate((size_t)groups + 1, sizeof *p->place_start);
    p->start = weft_allocate((size_t)p->bundles + 1, sizeof *p->start);
    if (!p->place_start || !p->start)
        return weft_fail_memory("coarse level", (size_t)groups * 16);
    for (int32_t g = 0; g < groups; g++)
        p->place_start[g + 1] = p->place_start[g] + (int64_t)c->own[g] * (c->list_start[g + 1] - c->list_start[g]);
    p->place = weft_allocate((size_t)p->place_start[groups], sizeof *p->place);
    return p->place ? weft_ok() : weft_fail_memory("coarse level", (size_t)p->place_start[groups] * 4);
}

/* Numbers the sums of a bundle. `at` (entries) holds the last bundle that touched an entry plus one, and its sum. */
static void find_places(weft_coarse *c, int32_t bundle, int32_t (*at)[2]) {
    weft_coarse_parts *p = &c->parts;
    int32_t count = 0, end = BUNDLE * (bundle + 1) < c->space.nodes ? BUNDLE * (bundle + 1) : c->space.nodes;
    for (int32_t g = BUNDLE * bundle; g < end; g++) {
        const int32_t *list = c->list + c->list_start[g];
        int32_t listed = c->list_start[g + 1] - c->list_start[g], *place = p->place + p->place_start[g];
        for (int32_t k = 0; k < c->own[g] * listed; k++) {
            int32_t *known = at[entry_of(c, list[k / listed], list[k % listed])];
            if (known[0] != bundle + 1) {
                known[0] = bundle + 1;
                known[1] = count++;
            }
            place[k] = known[1];
        }
    }
    p->start[bundle + 1] = p->start[bundle] + count;
}

/* Calls for each sum once: the first place of a bundle that has its number. */
static void list_sums(weft_coarse *c, int32_t bundle, int64_t *next, int64_t *from) {
    const weft_coarse_parts *p = &c->parts;
    int32_t count = 0, end = BUNDLE * (bundle + 1) < c->space.nodes ? BUNDLE * (bundle + 1) : c->space.nodes;
    for (int32_t g = BUNDLE * bundle; g < end; g++) {
        const int32_t *list = c->list + c->list_start[g], *place = p->place + p->place_start[g];
        int32_t listed = c->list_start[g + 1] - c->list_start[g];
        for (int32_t k = 0; k < c->own[g] * listed; k++) {
            if (place[k] != count) /* numbered before */
                continue;
            int64_t *to = &next[entry_of(c, list[k / listed], list[k % listed])];
            if (from)
                from[*to] = p->start[bundle] + count;
            (*to)++;
            count++;
        }
    }
}

static weft_result list_sources(weft_coarse *c) {
    weft_coarse_parts *p = &c->parts;
    int64_t entries = c->start[c->space.nodes] + (int64_t)c->space.nodes, before = 0;
    size_t sums = (size_t)p->start[p->bundles];
    p->sum = weft_allocate_large(WEFT_COARSE_BLOCK * sums, sizeof *p->sum);
    p->from = weft_allocate(sums, sizeof *p->from);
    p->from_start = weft_allocate((size_t)entries + 2, sizeof *p->from_start);
    if (!p->sum || !p->from || !p->from_start)
        return weft_fail_memory("coarse level", sums * 104);
    int64_t *next = p->from_start + 1; /* start of each entry, which advances to its end */
    for (int32_t b = 0; b < p->bundles; b++)
        list_sums(c, b, next, NULL);
    for (int64_t e = 0; e <= entries; e++) {
        int64_t count = next[e];
        next[e] = before;
        before += e < entries ? count : 0;
    }
    for (int32_t b = 0; b < p->bundles; b++)
        list_sums(c, b, next, p->from);
    return weft_ok();
}

weft_result weft_coarse_parts_create(weft_coarse *c) {
    WEFT_TRY(find_place_starts(c));
    size_t entries = (size_t)c->start[c->space.nodes] + (size_t)c->space.nodes;
    int32_t(*at)[2] = weft_allocate(entries, sizeof *at);
    if (!at)
        return weft_fail_memory("coarse level", entries * sizeof *at);
    for (int32_t b = 0; b < c->parts.bundles; b++)
        find_places(c, b, at);
    free(at);
    return list_sources(c);
}

void weft_coarse_parts_free(weft_coarse_parts *p) {
    void *arrays[] = {p->place_start, p->place, p->start, p->sum, p->from_start, p->from};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    *p = (weft_coarse_parts){0};
}
