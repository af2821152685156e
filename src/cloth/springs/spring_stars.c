/* The order of springs inside a block. Forces use stars of four springs with a common vertex. The position of this
 * vertex is read once and its force is written once for all four springs. On a grid 95 % of the springs belong to a
 * star. Relaxation uses a greedy colouring, so neighbours in the list share no vertex. */
#include <string.h>

#include "cloth/springs/springs.h"
#include "core/memory.h"

int weft_spring_packer_create(int32_t most, weft_spring_packer *packer) {
    size_t count = (size_t)most;
    packer->most = most;
    return (packer->adjacent = weft_allocate(2 * count, sizeof *packer->adjacent)) &&
           (packer->taken = weft_allocate(count, 1)) && (packer->colour = weft_allocate(count, 1));
}

void weft_spring_packer_free(weft_spring_packer *packer) {
    free(packer->colour);
    free(packer->taken);
    free(packer->adjacent);
    memset(packer, 0, sizeof *packer);
}

static uint16_t offset_of(uint16_t index) { return (uint16_t)(index * (WEFT_SPRINGS_STRIDE / sizeof(double))); }

/* packer->adjacent[start[v] .. start[v + 1]) lists the springs at v, in order. */
static void find_adjacent(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count, int32_t vertices,
                          int32_t *start) {
    int32_t at[WEFT_SPRINGS_LOCAL];
    memset(start, 0, (size_t)(vertices + 1) * sizeof *start);
    for (int32_t i = 0; i < count; i++) {
        start[springs[i].end[0] + 1]++;
        start[springs[i].end[1] + 1]++;
    }
    for (int32_t v = 0; v < vertices; v++) {
        start[v + 1] += start[v];
        at[v] = start[v];
    }
    for (int32_t i = 0; i < count; i++) {
        packer->adjacent[at[springs[i].end[0]]++] = i;
        packer->adjacent[at[springs[i].end[1]]++] = i;
    }
}

/* Writes a star of the next four free springs at v. Returns 0 if fewer than four are free. */
static int take_star(weft_spring_packer *packer, const weft_local_spring *springs, const int32_t *start, int32_t v,
                     uint16_t *offset, int32_t *slot) {
    int32_t chosen[WEFT_SPRINGS_LANES], count = 0;
    for (int32_t n = start[v]; n < start[v + 1] && count < WEFT_SPRINGS_LANES; n++)
        if (!packer->taken[packer->adjacent[n]])
            chosen[count++] = packer->adjacent[n];
    if (count < WEFT_SPRINGS_LANES)
        return 0;
    offset[0] = offset_of((uint16_t)v);
    for (int32_t i = 0; i < WEFT_SPRINGS_LANES; i++) {
        const weft_local_spring *spring = &springs[chosen[i]];
        offset[i + 1] = offset_of(spring->end[0] == v ? spring->end[1] : spring->end[0]);
        slot[i] = spring->spring;
        packer->taken[chosen[i]] = 1;
    }
    return 1;
}

int64_t weft_springs_pack_stars(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count,
                                weft_spring_block *block, weft_spring_layout *layout) {
    enum { STAR_OFFSETS = WEFT_SPRINGS_LANES + 1 };
    int32_t start[WEFT_SPRINGS_LOCAL + 1], vertices = block->owned + block->halo;
    uint16_t *begin = layout->offset + block->offset, *offset = begin;
    int32_t *slot = layout->spring + block->slot;
    memset(packer->taken, 0, (size_t)count);
    find_adjacent(packer, springs, count, vertices, start);
    for (int32_t v = 0; v < vertices; v++) {
        while (take_star(packer, springs, start, v, offset, slot)) {
            offset += STAR_OFFSETS;
            slot += WEFT_SPRINGS_LANES;
            block->stars += WEFT_SPRINGS_LANES;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        if (packer->taken[i])
            continue;
        *offset++ = offset_of(springs[i].end[0]);
        *offset++ = offset_of(springs[i].end[1]);
        *slot++ = springs[i].spring;
        block->pairs++;
    }
    for (; block->pairs % WEFT_SPRINGS_LANES != 0; block->pairs++) {
        *offset++ = 0;
        *offset++ = 0;
        *slot++ = WEFT_NONE;
    }
    return offset - begin;
}

int weft_springs_take_colour(uint64_t *used_a, uint64_t *used_b) {
    uint64_t used = *used_a | *used_b;
    if (used == UINT64_MAX)
        return WEFT_SPRINGS_COLOURS;
    int colour = __builtin_ctzll(~used);
    *used_a |= UINT64_C(1) << colour;
    *used_b |= UINT64_C(1) << colour;
    return colour;
}

void weft_springs_pack_inner(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count,
                             weft_spring_block *block, weft_spring_layout *layout) {
    uint64_t used[WEFT_SPRINGS_BLOCK] = {0};
    int64_t start[WEFT_SPRINGS_COLOURS + 2] = {0};
    for (int32_t i = 0; i < count; i++) {
        const uint16_t *end = springs[i].end;
        if (end[0] >= block->owned || end[1] >= block->owned)
            continue;
        packer->colour[i] = (uint8_t)weft_springs_take_colour(&used[end[0]], &used[end[1]]);
        start[packer->colour[i] + 1]++;
        block->inner_count++;
    }
    start[0] = block->inner;
    for (int colour = 0; colour <= WEFT_SPRINGS_COLOURS; colour++)
        start[colour + 1] += start[colour];
    for (int32_t i = 0; i < count; i++) {
        const uint16_t *end = springs[i].end;
        if (end[0] >= block->owned || end[1] >= block->owned)
            continue;
        int64_t at = start[packer->colour[i]]++;
        memcpy(layout->inner[at], end, sizeof layout->inner[at]);
        layout->inner_spring[at] = springs[i].spring;
    }
}
