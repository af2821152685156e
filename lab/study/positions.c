#include "lab/study/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft-io/checkpoint.h"

typedef struct entry_head {
    int32_t frame, cloth, vertex_count, triangle_count;
    double time;
    char name[64];
} entry_head;

enum { TRACKED = sizeof((weft_positions_block *)0)->topology / sizeof(uint64_t) };

static weft_result make_room(weft_positions_block *block, size_t more) {
    size_t need = block->size + more, room = block->room ? block->room : 4096;
    if (need <= block->room)
        return weft_ok();
    while (room < need)
        room *= 2;
    char *grown = realloc(block->bytes, room);
    if (!grown)
        return weft_fail_memory("positions", room);
    block->bytes = grown;
    block->room = room;
    return weft_ok();
}

/* Whether the triangles differ from those of the frame before. Cloths beyond the tracked ones are always written. */
static int is_new(weft_positions_block *block, int32_t cloth, const weft_mesh *mesh) {
    if (cloth >= TRACKED)
        return 1;
    uint64_t hash =
        weft_hash_bytes(WEFT_HASH_START, mesh->triangle, (size_t)mesh->triangle_count * sizeof *mesh->triangle);
    int differs = hash != block->topology[cloth];
    block->topology[cloth] = hash;
    return differs;
}

static weft_result add_cloth(weft_positions_block *block, const weft_sim *sim, int32_t cloth) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, cloth);
    entry_head head = {.frame = (int32_t)weft_sim_frame(sim),
                       .cloth = cloth,
                       .vertex_count = mesh->vertex_count,
                       .triangle_count = is_new(block, cloth, mesh) ? mesh->triangle_count : 0,
                       .time = weft_sim_time(sim)};
    snprintf(head.name, sizeof head.name, "%.63s", weft_sim_cloth(sim, cloth)->name);
    size_t positions = 3 * sizeof(float) * (size_t)head.vertex_count;
    size_t triangles = 3 * sizeof(int32_t) * (size_t)head.triangle_count;
    WEFT_TRY(make_room(block, sizeof head + positions + triangles));
    memcpy(block->bytes + block->size, &head, sizeof head);
    float *to = (float *)(void *)(block->bytes + block->size + sizeof head);
    for (int32_t i = 0; i < head.vertex_count; i++) {
        to[3 * i] = (float)x[i].x;
        to[3 * i + 1] = (float)x[i].y;
        to[3 * i + 2] = (float)x[i].z;
    }
    if (triangles > 0)
        memcpy(block->bytes + block->size + sizeof head + positions, mesh->triangle, triangles);
    block->size += sizeof head + positions + triangles;
    if (block->size % sizeof(double) != 0) { /* heads stay aligned */
        WEFT_TRY(make_room(block, sizeof(double)));
        memset(block->bytes + block->size, 0, sizeof(double));
        block->size += sizeof(double) - block->size % sizeof(double);
    }
    return weft_ok();
}

weft_result weft_positions_add(weft_positions_block *block, const weft_sim *sim) {
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        WEFT_TRY(add_cloth(block, sim, i));
    return weft_ok();
}

int weft_positions_next(const void *block, size_t size, size_t *at, weft_positions *entry) {
    entry_head head;
    if (*at > size || size - *at < sizeof head)
        return 0;
    memcpy(&head, (const char *)block + *at, sizeof head);
    size_t left = size - *at - sizeof head;
    if (head.vertex_count < 0 || head.triangle_count < 0 || (size_t)head.vertex_count > left / (3 * sizeof(float)))
        return 0;
    size_t positions = 3 * sizeof(float) * (size_t)head.vertex_count;
    if ((size_t)head.triangle_count > (left - positions) / (3 * sizeof(int32_t)))
        return 0;
    size_t triangles = 3 * sizeof(int32_t) * (size_t)head.triangle_count;
    const char *data = (const char *)block + *at + sizeof head;
    *entry = (weft_positions){.frame = head.frame,
                              .cloth = head.cloth,
                              .time = head.time,
                              .vertex_count = head.vertex_count,
                              .position = (const float *)(const void *)data,
                              .triangle_count = head.triangle_count,
                              .triangle = (const int32_t *)(const void *)(data + positions)};
    memcpy(entry->name, head.name, sizeof entry->name);
    entry->name[sizeof entry->name - 1] = '\0';
    *at += sizeof head + positions + triangles;
    *at += *at % sizeof(double) ? sizeof(double) - *at % sizeof(double) : 0;
    return 1;
}
