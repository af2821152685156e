/* A spatial hash of the triangles of one object, with a cell size per object (Teschner et al. 2003; Bender and Deul
 * 2013, section 6.1). It is the alternative to the tree. A triangle is stored in every cell that its swept box touches.
 * It is reported once: in the lowest cell that it shares with the query box. */
#include "contact/internal.h"
#include "weft/sort.h"

/* Maximum number of cells along an axis that a triangle may occupy. It keeps one large triangle among small ones cheap.
 */
static const double MAX_CELLS = 8;

typedef struct cells {
    int32_t low[3], high[3];
} cells;

static float swept_low(const contact_box *box, int k) { return fminf(box->low[0][k], box->low[1][k]); }
static float swept_high(const contact_box *box, int k) { return fmaxf(box->high[0][k], box->high[1][k]); }
static int is_empty(const contact_box *box) { return box->low[0][0] > box->high[0][0]; }

/* Beyond a million cells, coordinates share the outermost cell. That is slow, but finds everything. */
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

/* Parallel filling, with the same result for any number of threads. Chunks of triangles write their entries to
 * partitions of the table. Each partition then sorts its entries by bucket. */
typedef struct hash_fill {
    contact_hash *hash;
    const contact_tree *tree;
} hash_fill;

static int32_t chunk_start(const hash_fill *f, int64_t chunk) {
    return (int32_t)(chunk * f->tree->count / HASH_PARTITIONS);
}

static uint32_t partition_start(const contact_hash *hash, int64_t partition) {
    return (uint32_t)((uint64_t)partition * hash->buckets / HASH_PARTITIONS);
}

static void measure_chunk(void *context, int64_t begin, int64_t end) {
    const hash_fill *f = context;
    int64_t chunk = begin / WEFT_BLOCK;
    contact_hash_chunk *c = &f->hash->chunk[chunk];
    (void)end;
    *c = (contact_hash_chunk){0};
    for (int32_t i = chunk_start(f, chunk); i < chunk_start(f, chunk + 1); i++) {
        const contact_box *box = &f->tree->triangle[i];
        double extent = 0;
        for (int k = 0; k < 3; k++)
            extent = fmax(extent, (double)(swept_high(box, k) - swept_low(box, k)));
        if (is_empty(box))
            continue;
        c->extent += extent;
        c->largest = fmax(c->largest, extent);
        c->triangles++;
    }
}

/* The cell size is the mean extent of the triangles. Smaller cells store each triangle too often, larger cells hold too
 * many. */
static void choose_cells(contact_hash *hash, const contact_object *object) {
    double sum = 0, largest = 0;
    int32_t count = 0;
    for (int i = 0; i < HASH_PARTITIONS; i++) {
        sum += hash->chunk[i].extent;
        largest = fmax(largest, hash->chunk[i].largest);
        count += hash->chunk[i].triangles;
    }
    hash->cell = count > 0 ? fmax(sum / count, largest / MAX_CELLS) : 1;
    for (int k = 0; k < 3; k++) {
        hash->origin[k] = swept_low(&object->bounds, k);
        hash->last_cell[k] = cell_of(hash, swept_high(&object->bounds, k), k);
    }
}

/* Calls `put` for every entry of a chunk, in the order of the triangles. */
static void for_each_entry(const hash_fill *f, int64_t chunk,
                           void (*put)(const hash_fill *f, int64_t chunk, contact_hash_entry e)) {
    for (int32_t i = chunk_start(f, chunk); i < chunk_start(f, chunk + 1); i++) {
        if (is_empty(&f->tree->triangle[i]))
            continue;
        cells c = cells_of(f->hash, &f->tree->triangle[i]);
        for (int32_t z = c.low[2]; z <= c.high[2]; z++)
            for (int32_t y = c.low[1]; y <= c.high[1]; y++)
                for (int32_t x = c.low[0]; x <= c.high[0]; x++) {
                    uint64_t key = key_of(x, y, z);
                    put(f, chunk, (contact_hash_entry){key, i, bucket_of(f->hash, key)});
                }
    }
}

static int32_t partition_of(const contact_hash *hash, uint32_t bucket) {
    return (int32_t)((uint64_t)bucket * HASH_PARTITIONS / hash->buckets);
}

static void count_entry(const hash_fill *f, int64_t chunk, contact_hash_entry e) {
    f->hash->chunk[chunk].place[partition_of(f->hash, e.bucket)]++;
}

static void put_entry(const hash_fill *f, int64_t chunk, contact_hash_entry e) {
    f->hash->unsorted[f->hash->chunk[chunk].place[partition_of(f->hash, e.bucket)]++] = e;
}

static void count_chunk(void *context, int64_t begin, int64_t end) {
    (void)end;
    for_each_entry(context, begin / WEFT_BLOCK, count_entry);
}

static void put_chunk(void *context, int64_t begin, int64_t end) {
    (void)end;
    for_each_entry(context, begin / WEFT_BLOCK, put_entry);
}

/* Turns counts into places, by partition and within a partition by chunk. Returns the number of entries. */
static int64_t assign_places(contact_hash *hash) {
    int64_t sum = 0;
    for (int partition = 0; partition < HASH_PARTITIONS; partition++) {
        hash->partition[partition] = sum;
        for (int chunk = 0; chunk < HASH_PARTITIONS; chunk++) {
            int64_t count = hash->chunk[chunk].place[partition];
            hash->chunk[chunk].place[partition] = sum;
            sum += count;
        }
    }
    hash->partition[HASH_PARTITIONS] = sum;
    return sum;
}

static void sort_partition(void *context, int64_t begin, int64_t end) {
    const hash_fill *f = context;
    contact_hash *hash = f->hash;
    int64_t partition = begin / WEFT_BLOCK, from = hash->partition[partition],
            end_entry = hash->partition[partition + 1];
    uint32_t first = partition_start(hash, partition), last = partition_start(hash, partition + 1);
    int32_t *start = hash->start, place = (int32_t)from;
    (void)end;
    memset(start + first, 0, (size_t)(last - first) * sizeof *start);
    for (int64_t e = from; e < end_entry; e++)
        start[hash->unsorted[e].bucket]++;
    for (uint32_t b = first; b < last; b++) {
        int32_t count = start[b];
        start[b] = place;
        place += count;
    }
    for (int64_t e = from; e < end_entry; e++)
        hash->entry[start[hash->unsorted[e].bucket]++] = hash->unsorted[e];
    for (uint32_t b = last; b > first + 1; b--) /* sorting moved each start to the end of its bucket */
        start[b - 1] = start[b - 2];
    if (last > first)
        start[first] = (int32_t)from;
}

static int reserve_buckets(contact_hash *hash, const contact_tree *tree) {
    if (hash->start)
        return 1;
    hash->buckets = HASH_PARTITIONS;
    while (hash->buckets < 2 * (uint32_t)tree->count)
        hash->buckets *= 2;
    hash->start = weft_allocate((size_t)hash->buckets + 1, sizeof *hash->start);
    return hash->start != NULL;
}

static int reserve_entries(contact_hash *hash, int64_t entries) {
    if (entries <= hash->capacity)
        return 1;
    free(hash->entry);
    free(hash->unsorted);
    hash->capacity = 2 * entries;
    hash->entry = weft_allocate((size_t)hash->capacity, sizeof *hash->entry);
    hash->unsorted = weft_allocate((size_t)hash->capacity, sizeof *hash->unsorted);
    if (!hash->entry || !hash->unsorted)
        hash->capacity = 0;
    return hash->capacity > 0;
}

weft_status contact_hash_fill(const weft_work *work, contact_object *object) {
    contact_hash *hash = &object->hash;
    hash_fill f = {hash, &object->tree};
    if (!reserve_buckets(hash, f.tree))
        return WEFT_STATUS_NO_MEMORY;
    contact_for_tasks(work, HASH_PARTITIONS, measure_chunk, &f);
    choose_cells(hash, object);
    contact_for_tasks(work, HASH_PARTITIONS, count_chunk, &f);
    int64_t entries = assign_places(hash);
    if (entries > INT32_MAX || !reserve_entries(hash, entries))
        return WEFT_STATUS_NO_MEMORY;
    contact_for_tasks(work, HASH_PARTITIONS, put_chunk, &f);
    contact_for_tasks(work, HASH_PARTITIONS, sort_partition, &f);
    hash->start[hash->buckets] = (int32_t)entries;
    return WEFT_STATUS_OK;
}

void contact_hash_destroy(contact_hash *hash) {
    free(hash->unsorted);
    free(hash->entry);
    free(hash->start);
}

static int is_lowest_shared(const cells *a, const cells *b, const int32_t cell[3]) {
    for (int k = 0; k < 3; k++)
        if (cell[k] != (a->low[k] > b->low[k] ? a->low[k] : b->low[k]))
            return 0;
    return 1;
}

static int compare_numbers(const void *a, const void *b) {
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return p < q ? -1 : p > q;
}

/* Appends the triangles of one cell to the `count` that are already found. Returns the new count. */
static int32_t find_in_cell(const contact_object *object, const contact_box *box, const cells *of_box,
                            const int32_t cell[3], contact_bin *bin, int32_t count) {
    const contact_hash *hash = &object->hash;
    uint64_t key = key_of(cell[0], cell[1], cell[2]);
    uint32_t bucket = bucket_of(hash, key);
    for (int32_t e = hash->start[bucket]; e < hash->start[bucket + 1]; e++) {
        const contact_box *other = &object->tree.triangle[hash->entry[e].triangle];
        if (hash->entry[e].key != key || !contact_box_overlaps(box, other))
            continue;
        cells of_other = cells_of(hash, other);
        int32_t *found = is_lowest_shared(of_box, &of_other, cell) ? contact_bin_found(bin, count) : NULL;
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
        c.high[k] = c.high[k] < hash->last_cell[k] ? c.high[k] : hash->last_cell[k];
    for (cell[2] = c.low[2]; cell[2] <= c.high[2]; cell[2]++)
        for (cell[1] = c.low[1]; cell[1] <= c.high[1]; cell[1]++)
            for (cell[0] = c.low[0]; cell[0] <= c.high[0]; cell[0]++)
                count = find_in_cell(object, box, &c, cell, bin, count);
    if (count > 0)
        weft_sort(bin->found, (size_t)count, sizeof *bin->found, compare_numbers);
    return count;
}
