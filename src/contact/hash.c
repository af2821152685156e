/* A spatial hash of the triangles of one object, with cells of its own size (Bender & Deul 2013, section 6.1; Teschner
 * et al. 2003): the other way to find boxes that meet, beside the tree. A triangle is in every cell that its swept box
 * touches, and is met once: in the lowest cell that it shares with what is looked for. */
#include "contact/internal.h"

/* Cells along an axis that a triangle may be in at most, so that one large one among small ones stays cheap. */
static const double MOST_CELLS = 8;

typedef struct cells {
    int32_t low[3], high[3];
} cells;

static float swept_low(const contact_box *box, int k) { return fminf(box->low[0][k], box->low[1][k]); }
static float swept_high(const contact_box *box, int k) { return fmaxf(box->high[0][k], box->high[1][k]); }
static int is_empty(const contact_box *box) { return box->low[0][0] > box->high[0][0]; }

/* Beyond a million cells they share the outermost ones, which is slow but finds everything. */
static int32_t cell_of(const contact_hash *hash, float at, int k) {
    double cell = floor(((double)at - (double)hash->origin[k]) / hash->cell);
    return (int32_t)fmax(fmin(cell, 1048575), 0);
}

static cells cells_of(const contact_hash *hash, const contact_box *box) {
    cells c;
    for (int k = 0; k < 3; k++) {
        c.low[k] = cell_of(hash, swept_low(box, k), k);
        c.high[k] = cell_of(hash, swept_high(box, k), k);
    }
    return c;
}

static uint64_t key_of(int32_t x, int32_t y, int32_t z) {
    return (uint64_t)(uint32_t)x | (uint64_t)(uint32_t)y << 20 | (uint64_t)(uint32_t)z << 40;
}

static uint32_t bucket_of(const contact_hash *hash, uint64_t key) {
    return (uint32_t)((key * 0x9E3779B97F4A7C15U) >> 32) & (hash->buckets - 1);
}

/* The mean extent of the triangles: smaller cells hold each too often, larger ones too many. */
static void choose_cells(contact_hash *hash, const contact_object *object) {
    const contact_tree *tree = &object->tree;
    double sum = 0, largest = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < tree->count; i++) {
        double extent = 0;
        for (int k = 0; k < 3; k++)
            extent = fmax(extent, (double)(swept_high(&tree->triangle[i], k) - swept_low(&tree->triangle[i], k)));
        if (is_empty(&tree->triangle[i]))
            continue;
        sum += extent;
        largest = fmax(largest, extent);
        count++;
    }
    hash->cell = count > 0 ? fmax(sum / count, largest / MOST_CELLS) : 1;
    for (int k = 0; k < 3; k++) {
        hash->origin[k] = swept_low(&object->bounds, k);
        hash->most[k] = cell_of(hash, swept_high(&object->bounds, k), k);
    }
}

static int64_t count_entries(contact_hash *hash, const contact_tree *tree) {
    int64_t count = 0;
    memset(hash->start, 0, ((size_t)hash->buckets + 1) * sizeof *hash->start);
    for (int32_t i = 0; i < tree->count; i++) {
        cells c = cells_of(hash, &tree->triangle[i]);
        for (int32_t z = c.low[2]; z <= c.high[2] && !is_empty(&tree->triangle[i]); z++)
            for (int32_t y = c.low[1]; y <= c.high[1]; y++)
                for (int32_t x = c.low[0]; x <= c.high[0]; x++, count++)
                    hash->start[bucket_of(hash, key_of(x, y, z)) + 1]++;
    }
    return count;
}

static int reserve(contact_hash *hash, const contact_tree *tree, int64_t entries) {
    if (!hash->start) {
        hash->buckets = 1;
        while (hash->buckets < 2 * (uint32_t)tree->count)
            hash->buckets *= 2;
        hash->start = weft_allocate((size_t)hash->buckets + 1, sizeof *hash->start);
    }
    if (entries > 0 && entries > hash->capacity) {
        contact_entry *grown = realloc(hash->entry, 2 * (size_t)entries * sizeof *grown);
        if (!grown)
            return 0;
        hash->entry = grown;
        hash->capacity = 2 * entries;
    }
    return hash->start != NULL;
}

weft_status contact_hash_fill(contact_object *object) {
    contact_hash *hash = &object->hash;
    const contact_tree *tree = &object->tree;
    if (!reserve(hash, tree, 0))
        return WEFT_STATUS_NO_MEMORY;
    choose_cells(hash, object);
    if (!reserve(hash, tree, count_entries(hash, tree)))
        return WEFT_STATUS_NO_MEMORY;
    for (uint32_t b = 0; b < hash->buckets; b++)
        hash->start[b + 1] += hash->start[b];
    for (int32_t i = 0; i < tree->count; i++) {
        cells c = cells_of(hash, &tree->triangle[i]);
        for (int32_t z = c.low[2]; z <= c.high[2] && !is_empty(&tree->triangle[i]); z++)
            for (int32_t y = c.low[1]; y <= c.high[1]; y++)
                for (int32_t x = c.low[0]; x <= c.high[0]; x++) {
                    uint64_t key = key_of(x, y, z);
                    hash->entry[hash->start[bucket_of(hash, key)]++] = (contact_entry){key, i};
                }
    }
    memmove(hash->start + 1, hash->start, (size_t)hash->buckets * sizeof *hash->start); /* each was moved to its end */
    hash->start[0] = 0;
    return WEFT_STATUS_OK;
}

void contact_hash_destroy(contact_hash *hash) {
    free(hash->entry);
    free(hash->start);
}

static int is_lowest(const cells *a, const cells *b, const int32_t cell[3]) {
    for (int k = 0; k < 3; k++)
        if (cell[k] != (a->low[k] > b->low[k] ? a->low[k] : b->low[k]))
            return 0;
    return 1;
}

static int compare_numbers(const void *a, const void *b) {
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return p < q ? -1 : p > q;
}

/* Those of one cell, after the `count` that are there; returns how many there are then. */
static int32_t find_in_cell(const contact_object *object, const contact_box *box, const cells *of_box,
                            const int32_t cell[3], contact_bin *bin, int32_t count) {
    const contact_hash *hash = &object->hash;
    uint64_t key = key_of(cell[0], cell[1], cell[2]);
    uint32_t bucket = bucket_of(hash, key);
    for (int32_t e = hash->start[bucket]; e < hash->start[bucket + 1]; e++) {
        const contact_box *other = &object->tree.triangle[hash->entry[e].triangle];
        if (hash->entry[e].key != key || !contact_box_meets(box, other))
            continue;
        cells of_other = cells_of(hash, other);
        int32_t *found = is_lowest(of_box, &of_other, cell) ? contact_bin_found(bin, count) : NULL;
        if (!found)
            continue;
        *found = hash->entry[e].triangle;
        count++;
    }
    return count;
}

int32_t contact_hash_find(const contact_object *object, const contact_box *box, contact_bin *bin) {
    const contact_hash *hash = &object->hash;
    int32_t count = 0, cell[3];
    cells c = cells_of(hash, box);
    for (int k = 0; k < 3; k++)
        c.high[k] = c.high[k] < hash->most[k] ? c.high[k] : hash->most[k];
    for (cell[2] = c.low[2]; cell[2] <= c.high[2]; cell[2]++)
        for (cell[1] = c.low[1]; cell[1] <= c.high[1]; cell[1]++)
            for (cell[0] = c.low[0]; cell[0] <= c.high[0]; cell[0]++)
                count = find_in_cell(object, box, &c, cell, bin, count);
    if (count > 0)
        qsort(bin->found, (size_t)count, sizeof *bin->found, compare_numbers);
    return count;
}
