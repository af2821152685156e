/* The order of springs in memory. Vertices are sorted along a Z curve (Morton 1966) through their rest positions and
 * cut into blocks, whatever their numbering; each block keeps the springs that touch it, with 16 bit references to its
 * own vertices and those across its border. */
#include <string.h>

#include "core/memory.h"
#include "model/springs.h"

enum { BITS = 21 };

typedef struct place {
    uint64_t code;
    int32_t vertex;
} place;

typedef struct arranger {
    const weft_mesh *mesh;
    const weft_spring_list *list;
    weft_spring_layout *layout;
    place *order;             /* (vertex_count) */
    int32_t *position;        /* of each vertex in the order (vertex_count) */
    int64_t *touch;           /* first entry of each block in `touching` (block_count + 1) */
    int32_t *touching;        /* springs at each block, in order */
    uint8_t *loose;           /* (list->count) */
    int32_t *seen;            /* the last block whose halo took the vertex (vertex_count) */
    int32_t *halo_index;      /* its local index there (vertex_count) */
    uint64_t *used;           /* colours taken at each vertex (vertex_count) */
    weft_local_spring *local; /* springs of one block (the most of any) */
    weft_spring_packer packer;
} arranger;

static uint64_t spread_bits(uint64_t a) {
    a = (a | a << 32) & UINT64_C(0x001f00000000ffff);
    a = (a | a << 16) & UINT64_C(0x001f0000ff0000ff);
    a = (a | a << 8) & UINT64_C(0x100f00f00f00f00f);
    a = (a | a << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (a | a << 2) & UINT64_C(0x1249249249249249);
}

static int compare_places(const void *a, const void *b) {
    const place *p = a, *q = b;
    if (p->code != q->code)
        return p->code < q->code ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static void sort_vertices(arranger *r) {
    const weft_mesh *mesh = r->mesh;
    int32_t count = mesh->vertex_count;
    weft_vec3 low = mesh->position[0], high = low;
    for (int32_t v = 0; v < count; v++) {
        weft_vec3 p = mesh->position[v];
        low.x = p.x < low.x ? p.x : low.x, high.x = p.x > high.x ? p.x : high.x;
        low.y = p.y < low.y ? p.y : low.y, high.y = p.y > high.y ? p.y : high.y;
        low.z = p.z < low.z ? p.z : low.z, high.z = p.z > high.z ? p.z : high.z;
    }
    double extent = high.x - low.x;
    extent = high.y - low.y > extent ? high.y - low.y : extent;
    extent = high.z - low.z > extent ? high.z - low.z : extent;
    double scale = extent > 0 ? ((1 << BITS) - 1) / extent : 0;
    for (int32_t v = 0; v < count; v++) {
        weft_vec3 p = mesh->position[v];
        r->order[v].vertex = v;
        r->order[v].code = spread_bits((uint64_t)((p.x - low.x) * scale)) |
                           spread_bits((uint64_t)((p.y - low.y) * scale)) << 1 |
                           spread_bits((uint64_t)((p.z - low.z) * scale)) << 2;
    }
    qsort(r->order, (size_t)count, sizeof *r->order, compare_places);
    for (int32_t i = 0; i < count; i++)
        r->position[r->order[i].vertex] = i;
}

static int32_t block_of(const arranger *r, int32_t vertex) { return r->position[vertex] / WEFT_SPRINGS_BLOCK; }

static int32_t owned_count(const arranger *r, int32_t block) {
    int32_t left = r->mesh->vertex_count - block * WEFT_SPRINGS_BLOCK;
    return left < WEFT_SPRINGS_BLOCK ? left : WEFT_SPRINGS_BLOCK;
}

/* Counts into touch[block + 1]; the second time, with the sums taken, fills `touching`. */
static void visit_touching(arranger *r, const int32_t *on, int fill) {
    for (int type = 0; type < WEFT_LINK_TYPES; type++) {
        for (int32_t i = r->list->first[type]; on[type] && i < r->list->first[type + 1]; i++) {
            int32_t a = block_of(r, r->list->end[i][0]), b = block_of(r, r->list->end[i][1]);
            if (fill)
                r->touching[r->touch[a]++] = i;
            else
                r->touch[a + 1]++;
            if (a == b)
                continue;
            if (fill)
                r->touching[r->touch[b]++] = i;
            else
                r->touch[b + 1]++;
        }
    }
}

static int64_t entries_begin(const arranger *r, int32_t block) { return block > 0 ? r->touch[block - 1] : 0; }

/* The end that does not lie in the block, or WEFT_NONE when both do. */
static int32_t foreign_end(const arranger *r, int32_t block, int32_t spring) {
    const int32_t *end = r->list->end[spring];
    if (block_of(r, end[0]) != block)
        return end[0];
    return block_of(r, end[1]) != block ? end[1] : WEFT_NONE;
}

/* Marks springs whose foreign end has no room, then counts what all blocks need. */
static void find_loose(arranger *r) {
    for (int32_t block = 0; block < r->layout->block_count; block++) {
        int32_t local = owned_count(r, block);
        for (int64_t n = entries_begin(r, block); n < r->touch[block]; n++) {
            int32_t vertex = foreign_end(r, block, r->touching[n]);
            if (vertex == WEFT_NONE || r->loose[r->touching[n]] || r->seen[vertex] == block)
                continue;
            if (local == WEFT_SPRINGS_LOCAL) {
                r->loose[r->touching[n]] = 1;
                r->layout->loose_count++;
                continue;
            }
            r->seen[vertex] = block;
            local++;
        }
    }
}

static void count_slots(arranger *r, int64_t *vertices, int64_t *inner) {
    weft_spring_layout *layout = r->layout;
    memset(r->seen, 0xff, (size_t)r->mesh->vertex_count * sizeof *r->seen);
    *vertices = *inner = 0;
    for (int32_t index = 0; index < layout->block_count; index++) {
        weft_spring_block *block = &layout->block[index];
        int64_t count = 0;
        block->inner = *inner;
        for (int64_t n = entries_begin(r, index); n < r->touch[index]; n++) {
            int32_t vertex = foreign_end(r, index, r->touching[n]);
            if (r->loose[r->touching[n]])
                continue;
            count++;
            *inner += vertex == WEFT_NONE;
            if (vertex != WEFT_NONE && r->seen[vertex] != index) {
                r->seen[vertex] = index;
                block->halo++;
            }
        }
        block->owned = owned_count(r, index);
        block->vertex = *vertices;
        block->slot = layout->slot_count;
        *vertices += block->owned + block->halo;
        layout->slot_count += (count + WEFT_SPRINGS_LANES - 1) / WEFT_SPRINGS_LANES * WEFT_SPRINGS_LANES;
    }
}

static uint16_t local_index(const arranger *r, int32_t block, int32_t vertex) {
    int32_t index = block_of(r, vertex) == block ? r->position[vertex] % WEFT_SPRINGS_BLOCK : r->halo_index[vertex];
    return (uint16_t)index;
}

/* The block's vertices, then its springs in r->local by them. Returns the number of springs. */
static int32_t localize(arranger *r, int32_t index) {
    const weft_spring_block *block = &r->layout->block[index];
    int32_t *vertex = r->layout->vertex + block->vertex, seen = block->owned, count = 0;
    for (int32_t i = 0; i < block->owned; i++)
        vertex[i] = r->order[index * WEFT_SPRINGS_BLOCK + i].vertex;
    for (int64_t n = entries_begin(r, index); n < r->touch[index]; n++) {
        int32_t spring = r->touching[n], foreign = foreign_end(r, index, spring);
        if (r->loose[spring])
            continue;
        if (foreign != WEFT_NONE && r->seen[foreign] != index) {
            r->seen[foreign] = index;
            r->halo_index[foreign] = seen;
            vertex[seen++] = foreign;
        }
        weft_local_spring *local = &r->local[count++];
        local->spring = spring;
        local->end[0] = local_index(r, index, r->list->end[spring][0]);
        local->end[1] = local_index(r, index, r->list->end[spring][1]);
    }
    return count;
}

static void fill_blocks(arranger *r) {
    weft_spring_layout *layout = r->layout;
    int64_t offsets = 0;
    memset(r->seen, 0xff, (size_t)r->mesh->vertex_count * sizeof *r->seen);
    for (int32_t index = 0; index < layout->block_count; index++) {
        weft_spring_block *block = &layout->block[index];
        int32_t count = localize(r, index);
        block->offset = offsets;
        offsets += weft_springs_pack_stars(&r->packer, r->local, count, block, layout);
        weft_springs_pack_inner(&r->packer, r->local, count, block, layout);
    }
    void *smaller = realloc(layout->offset, (size_t)(offsets > 0 ? offsets : 1) * sizeof *layout->offset);
    layout->offset = smaller ? smaller : layout->offset;
}

/* Colours for what lies between blocks, loose springs too. `touching` is done with and takes the colours. */
static void colour_between(arranger *r, const int32_t *on) {
    weft_spring_layout *layout = r->layout;
    int32_t count = 0, loose = 0, start[WEFT_SPRINGS_COLOURS + 2] = {0};
    int32_t *colour = r->touching;
    for (int fill = 0; fill < 2; fill++) {
        int32_t n = 0;
        for (int type = 0; type < WEFT_LINK_TYPES; type++) {
            for (int32_t i = r->list->first[type]; on[type] && i < r->list->first[type + 1]; i++) {
                const int32_t *end = r->list->end[i];
                if (block_of(r, end[0]) == block_of(r, end[1]))
                    continue;
                if (fill) {
                    layout->between[start[colour[n++]]++] = i;
                    continue;
                }
                colour[count] = weft_springs_take_colour(&r->used[end[0]], &r->used[end[1]]);
                start[colour[count++] + 1]++;
                if (r->loose[i])
                    layout->loose[loose++] = i;
            }
        }
        if (fill)
            break;
        while (layout->colour_count < WEFT_SPRINGS_COLOURS && start[layout->colour_count + 1] > 0)
            layout->colour_count++;
        for (int c = 0; c <= WEFT_SPRINGS_COLOURS; c++)
            start[c + 1] += start[c];
        memcpy(layout->colour_start, start, (size_t)(layout->colour_count + 1) * sizeof *start);
        layout->colour_start[layout->colour_count + 1] = count;
    }
}

static int allocate_scratch(arranger *r) {
    size_t vertices = (size_t)r->mesh->vertex_count, springs = (size_t)r->list->count;
    size_t blocks = (size_t)r->layout->block_count;
    return (r->order = weft_allocate(vertices, sizeof *r->order)) &&
           (r->position = weft_allocate(vertices, sizeof *r->position)) &&
           (r->touch = weft_allocate(blocks + 1, sizeof *r->touch)) && (r->loose = weft_allocate(springs, 1)) &&
           (r->seen = weft_allocate(vertices, sizeof *r->seen)) &&
           (r->halo_index = weft_allocate(vertices, sizeof *r->halo_index)) &&
           (r->used = weft_allocate(vertices, sizeof *r->used)) &&
           (r->layout->block = weft_allocate(blocks, sizeof *r->layout->block)) &&
           (r->layout->colour_start = weft_allocate(WEFT_SPRINGS_COLOURS + 2, sizeof *r->layout->colour_start));
}

/* Each spring between two blocks is entered twice, every other one once. */
static int allocate_touching(arranger *r, const int32_t *on, int64_t *between) {
    int64_t most = 0, enabled = 0;
    for (int type = 0; type < WEFT_LINK_TYPES; type++)
        enabled += on[type] ? r->list->first[type + 1] - r->list->first[type] : 0;
    for (int32_t b = 0; b < r->layout->block_count; b++) {
        most = r->touch[b + 1] > most ? r->touch[b + 1] : most;
        r->touch[b + 1] += r->touch[b];
    }
    int64_t entries = r->touch[r->layout->block_count];
    *between = entries - enabled;
    return (r->touching = weft_allocate((size_t)entries, sizeof *r->touching)) &&
           (r->local = weft_allocate((size_t)most, sizeof *r->local)) &&
           weft_spring_packer_create((int32_t)most, &r->packer);
}

static int allocate_layout(weft_spring_layout *layout, int64_t vertices, int64_t inner, int64_t between) {
    size_t slots = (size_t)layout->slot_count;
    return (layout->vertex = weft_allocate((size_t)vertices, sizeof *layout->vertex)) &&
           (layout->offset = weft_allocate(2 * slots, sizeof *layout->offset)) &&
           (layout->rest = weft_allocate(slots, sizeof *layout->rest)) &&
           (layout->stiffness = weft_allocate(slots, sizeof *layout->stiffness)) &&
           (layout->spring = weft_allocate(slots, sizeof *layout->spring)) &&
           (layout->loose = weft_allocate((size_t)layout->loose_count, sizeof *layout->loose)) &&
           (layout->inner = weft_allocate((size_t)inner, sizeof *layout->inner)) &&
           (layout->inner_spring = weft_allocate((size_t)inner, sizeof *layout->inner_spring)) &&
           (layout->between = weft_allocate((size_t)between, sizeof *layout->between));
}

static void release(arranger *r) {
    weft_spring_packer_free(&r->packer);
    free(r->local);
    free(r->used);
    free(r->halo_index);
    free(r->seen);
    free(r->loose);
    free(r->touching);
    free(r->touch);
    free(r->position);
    free(r->order);
}

static int arrange(arranger *r, const int32_t *on) {
    int64_t vertices, inner, between;
    if (!allocate_scratch(r))
        return 0;
    sort_vertices(r);
    visit_touching(r, on, 0);
    if (!allocate_touching(r, on, &between))
        return 0;
    visit_touching(r, on, 1); /* moves each start to the next block's: see entries_begin */
    memset(r->seen, 0xff, (size_t)r->mesh->vertex_count * sizeof *r->seen);
    find_loose(r);
    count_slots(r, &vertices, &inner);
    if (!allocate_layout(r->layout, vertices, inner, between))
        return 0;
    fill_blocks(r);
    colour_between(r, on);
    return 1;
}

weft_result weft_springs_arrange(const weft_mesh *mesh, const weft_spring_list *list, const int32_t *on,
                                 weft_spring_layout *layout) {
    memset(layout, 0, sizeof *layout);
    layout->block_count = (mesh->vertex_count + WEFT_SPRINGS_BLOCK - 1) / WEFT_SPRINGS_BLOCK;
    arranger r = {.mesh = mesh, .list = list, .layout = layout};
    int done = arrange(&r, on);
    release(&r);
    if (done)
        return weft_ok();
    weft_springs_arrange_free(layout);
    return weft_fail_memory("spring blocks", (size_t)list->count * 28);
}

void weft_springs_arrange_free(weft_spring_layout *layout) {
    free(layout->between);
    free(layout->colour_start);
    free(layout->inner_spring);
    free(layout->inner);
    free(layout->loose);
    free(layout->spring);
    free(layout->stiffness);
    free(layout->rest);
    free(layout->offset);
    free(layout->vertex);
    free(layout->block);
    memset(layout, 0, sizeof *layout);
}

void weft_springs_refresh(weft_springs *s) {
    weft_spring_layout *layout = &s->layout;
    for (int64_t i = 0; i < layout->slot_count; i++) {
        int32_t spring = layout->spring[i];
        layout->rest[i] = spring < 0 ? 0 : s->rest[spring];
        layout->stiffness[i] = spring < 0 || weft_springs_is_broken(s, spring) ? 0 : s->stiffness[spring];
    }
}
