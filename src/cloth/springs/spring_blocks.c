/* The order of springs in memory. Vertices are divided into blocks by recursive coordinate bisection of their rest
 * positions (Berger and Bokhari 1987), independent of their numbering. Each block stores the springs that touch it,
 * with 16-bit indices of its own vertices and of its halo. */
#include <math.h>
#include <string.h>

#include "cloth/springs/springs.h"
#include "core/memory.h"
#include "weft/sort.h"

typedef struct sort_entry {
    double along; /* coordinate along the axis of the next cut, m */
    int32_t vertex;
} sort_entry;

typedef struct arranger {
    const weft_mesh *mesh;
    const weft_spring_list *list;
    weft_spring_layout *layout;
    sort_entry *order;        /* (vertex_count) */
    int32_t *position;        /* of each vertex in `order` (vertex_count) */
    int64_t *touch;           /* first entry of each block in `touching` (block_count + 1) */
    int32_t *touching;        /* springs that touch each block, in order */
    uint8_t *loose;           /* (list->count) */
    int32_t *seen;            /* the last block whose halo contains the vertex (vertex_count) */
    int32_t *halo_index;      /* local index of the vertex in that block (vertex_count) */
    uint64_t *used;           /* bit set of the colours used at each vertex (vertex_count) */
    weft_local_spring *local; /* springs of one block (the largest count of any block) */
    weft_spring_packer packer;
    int runs; /* whether runs are allowed */
} arranger;

static int compare_vertices(const void *a, const void *b) {
    const sort_entry *p = a, *q = b;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static int before(const sort_entry *a, const sort_entry *b) {
    return a->along != b->along ? a->along < b->along : a->vertex < b->vertex;
}

static void swap(sort_entry *a, sort_entry *b) {
    sort_entry c = *a;
    *a = *b;
    *b = c;
}

/* Hoare's selection algorithm (1961). Afterwards the first `left` entries precede all others. */
static void select_first(sort_entry *order, int32_t count, int32_t left) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        sort_entry pivot = order[low + (high - low) / 2];
        int32_t i = low, j = high;
        while (i <= j) {
            while (before(&order[i], &pivot))
                i++;
            while (before(&pivot, &order[j]))
                j--;
            if (i <= j)
                swap(&order[i++], &order[j--]);
        }
        if (left <= j)
            high = j;
        else if (left >= i)
            low = i;
        else
            return;
    }
}

/* The axis along which most consecutive vertices are aligned, or WEFT_NONE. */
static int32_t axis_of_rows(const weft_mesh *mesh) {
    int32_t steps[3] = {0};
    for (int32_t v = 0; v + 1 < mesh->vertex_count; v++) {
        weft_vec3 p = mesh->position[v], q = mesh->position[v + 1];
        double x = fabs(q.x - p.x), y = fabs(q.y - p.y), z = fabs(q.z - p.z);
        steps[0] += x > y + z;
        steps[1] += y > x + z;
        steps[2] += z > x + y;
    }
    for (int32_t axis = 0; axis < 3; axis++)
        if (steps[axis] > mesh->vertex_count / 2)
            return axis;
    return WEFT_NONE;
}

/* Sets the sort keys to the coordinate along the longest axis of the bounding box. The extent along the rows counts
 * half. */
static void set_sort_keys(const weft_mesh *mesh, int32_t along, sort_entry *order, int32_t count) {
    weft_vec3 low = mesh->position[order[0].vertex], high = low;
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 p = mesh->position[order[i].vertex];
        low.x = p.x < low.x ? p.x : low.x, high.x = p.x > high.x ? p.x : high.x;
        low.y = p.y < low.y ? p.y : low.y, high.y = p.y > high.y ? p.y : high.y;
        low.z = p.z < low.z ? p.z : low.z, high.z = p.z > high.z ? p.z : high.z;
    }
    double size[] = {high.x - low.x, high.y - low.y, high.z - low.z};
    if (along != WEFT_NONE) /* blocks that are longer along the rows have longer runs */
        size[along] *= 0.5;
    int axis = size[1] > size[0];
    axis = size[2] > size[axis] ? 2 : axis;
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 p = mesh->position[order[i].vertex];
        order[i].along = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    }
}

/* Bisects into blocks. Inside a block the vertices keep their order in memory. */
static void bisect(const weft_mesh *mesh, int32_t along, sort_entry *order, int32_t count) {
    int32_t blocks = (count + WEFT_SPRINGS_BLOCK - 1) / WEFT_SPRINGS_BLOCK, left = blocks / 2 * WEFT_SPRINGS_BLOCK;
    if (blocks < 2) {
        weft_sort(order, (size_t)count, sizeof *order, compare_vertices);
        return;
    }
    set_sort_keys(mesh, along, order, count);
    select_first(order, count, left);
    bisect(mesh, along, order, left);
    bisect(mesh, along, order + left, count - left);
}

static void sort_vertices(arranger *r) {
    int32_t count = r->mesh->vertex_count;
    for (int32_t v = 0; v < count; v++)
        r->order[v].vertex = v;
    bisect(r->mesh, axis_of_rows(r->mesh), r->order, count);
    for (int32_t i = 0; i < count; i++)
        r->position[r->order[i].vertex] = i;
}

static int32_t block_of(const arranger *r, int32_t vertex) { return r->position[vertex] / WEFT_SPRINGS_BLOCK; }

static int32_t owned_count(const arranger *r, int32_t block) {
    int32_t left = r->mesh->vertex_count - block * WEFT_SPRINGS_BLOCK;
    return left < WEFT_SPRINGS_BLOCK ? left : WEFT_SPRINGS_BLOCK;
}

/* The first pass counts into touch[block + 1]. The second pass, after the prefix sums, fills `touching`. */
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

/* The end outside the block, or WEFT_NONE if both ends are inside. */
static int32_t foreign_end(const arranger *r, int32_t block, int32_t spring) {
    const int32_t *end = r->list->end[spring];
    if (block_of(r, end[0]) != block)
        return end[0];
    return block_of(r, end[1]) != block ? end[1] : WEFT_NONE;
}

/* Marks the springs whose foreign end does not fit into the block. */
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
        *vertices += block->owned + block->halo;
        layout->slot_count += weft_springs_run_slots(count);
    }
}

static uint16_t local_index(const arranger *r, int32_t block, int32_t vertex) {
    int32_t index = block_of(r, vertex) == block ? r->position[vertex] % WEFT_SPRINGS_BLOCK : r->halo_index[vertex];
    return (uint16_t)index;
}

/* Lists the block's vertices, then writes its springs with local indices to r->local. Returns the number of springs. */
static int32_t list_local_springs(arranger *r, int32_t index) {
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

static void *shrink(void *array, int64_t count, size_t size) {
    void *smaller = realloc(array, (size_t)(count > 0 ? count : 1) * size);
    return smaller ? smaller : array;
}

static void fill_blocks(arranger *r) {
    weft_spring_layout *layout = r->layout;
    int64_t offsets = 0, slots = 0, rows = 0;
    memset(r->seen, 0xff, (size_t)r->mesh->vertex_count * sizeof *r->seen);
    for (int32_t index = 0; index < layout->block_count; index++) {
        weft_spring_block *block = &layout->block[index];
        int32_t count = list_local_springs(r, index);
        block->offset = offsets;
        block->slot = slots;
        block->row = rows;
        int64_t used = r->runs ? weft_springs_pack_runs(&r->packer, r->local, count, block, layout) : 0;
        offsets += used > 0 ? used : weft_springs_pack_stars(&r->packer, r->local, count, block, layout);
        slots += block->runs + block->stars + block->pairs;
        rows += block->row_count;
        weft_springs_pack_inner(&r->packer, r->local, count, block, layout);
    }
    layout->slot_count = slots;
    layout->offset = weft_move_large(layout->offset, (size_t)offsets, sizeof *layout->offset);
    layout->spring = shrink(layout->spring, slots, sizeof *layout->spring);
    layout->row = shrink(layout->row, rows, sizeof *layout->row);
}

/* Colours the springs between blocks, including loose springs. The colours are stored in `touching`, no longer needed.
 */
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

/* A spring between two blocks has two entries, every other spring one. */
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
           (layout->offset = weft_allocate(2 * slots + (size_t)vertices, sizeof *layout->offset)) &&
           (layout->row = weft_allocate((size_t)vertices, sizeof *layout->row)) &&
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
    visit_touching(r, on, 1); /* moves each start to that of the next block: see entries_begin */
    memset(r->seen, 0xff, (size_t)r->mesh->vertex_count * sizeof *r->seen);
    find_loose(r);
    count_slots(r, &vertices, &inner);
    if (!allocate_layout(r->layout, vertices, inner, between))
        return 0;
    fill_blocks(r);
    colour_between(r, on);
    return (r->layout->rest = weft_allocate_large((size_t)r->layout->slot_count, sizeof *r->layout->rest)) &&
           (r->layout->stiffness = weft_allocate_large((size_t)r->layout->slot_count, sizeof *r->layout->stiffness));
}

weft_result weft_springs_arrange(const weft_mesh *mesh, const weft_spring_list *list, const int32_t *on, int runs,
                                 weft_spring_layout *layout) {
    memset(layout, 0, sizeof *layout);
    layout->block_count = (mesh->vertex_count + WEFT_SPRINGS_BLOCK - 1) / WEFT_SPRINGS_BLOCK;
    arranger r = {.mesh = mesh, .list = list, .layout = layout, .runs = runs};
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
    free(layout->row);
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
    weft_springs_set_laws(s);
}
