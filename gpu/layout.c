#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include "weft/sort.h"

/* A contribution of an element to an entry of the matrix. It is sorted by row, then head before tail, then column. */
typedef struct contribution {
    int32_t row, column;
    int32_t tail;   /* 1 if only bending couples the two vertices; set after the first sort */
    int32_t source; /* place of the block x 2 + transposed, or ~bending element for a tensor */
    float weight;   /* of the tensor */
} contribution;

typedef struct collector {
    contribution *list;
    int64_t count, room;
    int failed;
} collector;

static void add(collector *c, contribution one) {
    if (c->count == c->room) {
        int64_t room = c->room ? 2 * c->room : 4096;
        contribution *grown = realloc(c->list, (size_t)room * sizeof *grown);
        if (!grown) {
            c->failed = 1;
            return;
        }
        c->list = grown;
        c->room = room;
    }
    c->list[c->count++] = one;
}

/* The block of vertices a and b of an element, for both rows. */
static void add_block(collector *c, int32_t a, int32_t b, int64_t place, int bends) {
    add(c, (contribution){a, b, bends, (int32_t)(2 * place), 0});
    add(c, (contribution){b, a, bends, (int32_t)(2 * place + 1), 0});
}

static void add_tensors(collector *c, const weft_device_bend *bend, int32_t number) {
    for (int a = 0; a < bend->arity; a++)
        for (int b = 0; b < bend->arity; b++)
            if (a != b && a != bend->idle && b != bend->idle)
                add(c, (contribution){bend->vertex[a], bend->vertex[b], 1, ~number, (float)(bend->k[a] * bend->k[b])});
}

static int is_linear(const weft_device_scene *scene, const weft_device_bend *bend) {
    return scene->material[bend->material].bending == WEFT_DEVICE_BEND_LINEAR;
}

static void collect(const weft_device_scene *scene, collector *c) {
    const weft_device_lists *e = scene->elements;
    int64_t pairs = gpu_pair_blocks_at(e->triangle_count);
    int64_t hinges = gpu_hinge_blocks_at(e->triangle_count, e->pair_count);
    for (int32_t t = 0; t < e->triangle_count; t++) {
        const int32_t *v = e->triangle[t].vertex;
        add_block(c, v[0], v[1], gpu_number(t, GPU_TRIANGLE_BLOCKS, 0), 0);
        add_block(c, v[0], v[2], gpu_number(t, GPU_TRIANGLE_BLOCKS, 9), 0);
        add_block(c, v[1], v[2], gpu_number(t, GPU_TRIANGLE_BLOCKS, 18), 0);
    }
    for (int32_t i = 0; i < e->pair_count; i++)
        add_block(c, e->pair[i].vertex[0], e->pair[i].vertex[1], pairs + gpu_number(i, GPU_PAIR_BLOCKS, 0), 0);
    for (int32_t i = 0; i < e->bend_count; i++) {
        const weft_device_bend *bend = &e->bend[i];
        if (is_linear(scene, bend)) {
            add_tensors(c, bend, i);
            continue;
        }
        for (int a = 0, pair = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++, pair++)
                add_block(c, bend->vertex[a], bend->vertex[b], hinges + gpu_number(i, GPU_HINGE_BLOCKS, 9 * pair), 1);
    }
}

/* Blocks before tensors, each in the order of the elements: the order of the sums. */
static int compare(const void *left, const void *right) {
    const contribution *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    int is_tensor_a = a->source < 0, is_tensor_b = b->source < 0;
    if (is_tensor_a != is_tensor_b)
        return is_tensor_a - is_tensor_b;
    int32_t p = is_tensor_a ? ~a->source : a->source, q = is_tensor_b ? ~b->source : b->source;
    return p < q ? -1 : p > q;
}

/* Counting sort by row, then each row by itself: rows are short. */
static int sort_rows(collector *c, int32_t rows) {
    int64_t *start = calloc((size_t)rows + 1, sizeof *start);
    contribution *sorted = malloc((size_t)(c->count > 0 ? c->count : 1) * sizeof *sorted);
    if (!start || !sorted) {
        free(sorted);
        free(start);
        return 0;
    }
    for (int64_t k = 0; k < c->count; k++)
        start[c->list[k].row + 1]++;
    for (int32_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    for (int64_t k = 0; k < c->count; k++)
        sorted[start[c->list[k].row]++] = c->list[k];
    for (int32_t i = 0; i < rows; i++) {
        int64_t begin = i > 0 ? start[i - 1] : 0; /* filling moved each start to the next row's */
        weft_sort(sorted + begin, (size_t)(start[i] - begin), sizeof *sorted, compare);
    }
    free(start);
    free(c->list);
    c->list = sorted;
    c->room = c->count;
    return 1;
}

/* End of the contributions to the same entry as number k. */
static int64_t end_of_entry(const collector *c, int64_t k) {
    int64_t end = k + 1;
    while (end < c->count && c->list[end].row == c->list[k].row && c->list[end].column == c->list[k].column)
        end++;
    return end;
}

/* An entry belongs to the tail if all its contributions are of bending. */
static int is_tail(const collector *c, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; k++)
        if (!c->list[k].tail)
            return 0;
    return 1;
}

/* Whether each entry of the tail is a single tensor. */
static int tail_is_axial(const collector *c) {
    for (int64_t k = 0, last; k < c->count; k = last) {
        last = end_of_entry(c, k);
        if (last > k + 1 && is_tail(c, k, last))
            return 0;
    }
    return 1;
}

/* Floats per entry of the tail: 1 if all its blocks are multiples of the identity, 4 if they have one axis besides, 6
 * if they are symmetric. */
static int32_t tail_floats(const weft_device_scene *scene, const collector *c) {
    int32_t floats = 1;
    for (int32_t i = 0; i < scene->elements->bend_count; i++) {
        const weft_device_bend *bend = &scene->elements->bend[i];
        int32_t needed = !is_linear(scene, bend)                    ? GPU_HEAD
                         : scene->material[bend->material].beta > 0 ? GPU_SYMMETRIC
                                                                    : 1;
        floats = needed > floats ? needed : floats;
    }
    return floats == GPU_SYMMETRIC && tail_is_axial(c) ? GPU_AXIAL : floats;
}

static int take_arrays(gpu_layout *l, int64_t entries, int64_t blocks, int64_t tensors) {
    l->entry = calloc((size_t)l->count + 1, sizeof *l->entry);
    l->head_count = calloc((size_t)l->count + 1, sizeof *l->head_count);
    l->block_start = calloc((size_t)entries + 1, sizeof *l->block_start);
    l->tensor_start = calloc((size_t)entries + 1, sizeof *l->tensor_start);
    l->block = calloc((size_t)blocks + 1, sizeof *l->block);
    l->tensor = calloc((size_t)tensors + 1, sizeof *l->tensor);
    l->weight = calloc((size_t)tensors + 1, sizeof *l->weight);
    l->head.base = calloc((size_t)l->slices + 1, sizeof *l->head.base);
    l->tail.base = calloc((size_t)l->slices + 1, sizeof *l->tail.base);
    return l->entry && l->head_count && l->block_start && l->tensor_start && l->block && l->tensor && l->weight &&
           l->head.base && l->tail.base;
}

/* Appends the entries of row i that are of the head, or of the tail. */
static void fill_entries(gpu_layout *l, const collector *c, int64_t begin, int64_t end, int tail, int32_t *entry) {
    for (int64_t k = begin; k < end;) {
        int64_t last = end_of_entry(c, k);
        if (is_tail(c, k, last) != tail) {
            k = last;
            continue;
        }
        int32_t blocks = l->block_start[*entry], tensors = l->tensor_start[*entry];
        for (; k < last; k++)
            if (c->list[k].source >= 0)
                l->block[blocks++] = c->list[k].source;
            else {
                l->weight[tensors] = c->list[k].weight;
                l->tensor[tensors++] = ~c->list[k].source;
            }
        ++*entry;
        l->block_start[*entry] = blocks;
        l->tensor_start[*entry] = tensors;
    }
}

static int64_t end_of_row(const collector *c, int64_t k, int32_t row) {
    while (k < c->count && c->list[k].row == row)
        k++;
    return k;
}

static void fill_rows(gpu_layout *l, const collector *c) {
    int32_t entry = 0;
    for (int64_t i = 0, begin = 0; i < l->count; i++) {
        int64_t end = end_of_row(c, begin, (int32_t)i);
        l->entry[i] = entry;
        fill_entries(l, c, begin, end, 0, &entry);
        l->head_count[i] = entry - l->entry[i];
        fill_entries(l, c, begin, end, 1, &entry);
        begin = end;
    }
    l->entry[l->count] = entry;
}

/* Widths of the slices: those of their longest rows. */
static void size_slices(gpu_layout *l) {
    for (int32_t s = 0; s < l->slices; s++) {
        int32_t heads = 0, tails = 0;
        for (int32_t i = s * GPU_SLICE; i < l->count && i < (s + 1) * GPU_SLICE; i++) {
            int32_t own = l->head_count[i], rest = l->entry[i + 1] - l->entry[i] - own;
            heads = own > heads ? own : heads;
            tails = rest > tails ? rest : tails;
        }
        l->head.base[s + 1] = l->head.base[s] + heads;
        l->tail.base[s + 1] = l->tail.base[s] + tails;
    }
}

static int take_columns(gpu_layout *l, gpu_layout_slices *to) {
    size_t entries = (size_t)to->base[l->slices];
    to->column = calloc(entries * GPU_SLICE + 1, sizeof *to->column);
    to->ahead = calloc(entries * GPU_SLICE + 1, sizeof *to->ahead);
    to->slice_of = calloc(entries + 1, sizeof *to->slice_of);
    if (!to->column || !to->ahead || !to->slice_of)
        return 0;
    for (int32_t s = 0; s < l->slices; s++)
        for (int32_t e = to->base[s]; e < to->base[s + 1]; e++) {
            to->slice_of[e] = s;
            for (int32_t lane = 0; lane < GPU_SLICE; lane++) {
                int32_t row = s * GPU_SLICE + lane;
                to->column[(int64_t)e * GPU_SLICE + lane] = row < l->count ? row : l->count - 1;
            }
        }
    return 1;
}

/* Differences of columns and rows, if all are short. */
static void shorten_columns(const gpu_layout *l, gpu_layout_slices *to) {
    for (int64_t k = 0; k < (int64_t)to->base[l->slices] * GPU_SLICE; k++) {
        int32_t row = to->slice_of[k / GPU_SLICE] * GPU_SLICE + (int32_t)(k % GPU_SLICE);
        int32_t ahead = row < l->count ? to->column[k] - row : 0;
        if (ahead < INT16_MIN || ahead > INT16_MAX) {
            free(to->ahead);
            to->ahead = NULL;
            return;
        }
        to->ahead[k] = (int16_t)ahead;
    }
}

static void fill_columns(gpu_layout *l, const collector *c) {
    for (int64_t k = 0; k < c->count;) {
        int64_t last = end_of_entry(c, k);
        int32_t row = c->list[k].row, slice = row / GPU_SLICE, lane = row % GPU_SLICE;
        int tail = is_tail(c, k, last);
        gpu_layout_slices *to = tail ? &l->tail : &l->head;
        int32_t e = to->base[slice];
        while (to->column[(int64_t)e * GPU_SLICE + lane] != row) /* the next free place */
            e++;
        to->column[(int64_t)e * GPU_SLICE + lane] = c->list[k].column;
        k = last;
    }
}

static int make_matrix(gpu_layout *l, const weft_device_scene *scene, collector *c) {
    collect(scene, c);
    if (c->failed || !sort_rows(c, l->count))
        return 0;
    int64_t entries = 0, tensors = 0;
    for (int64_t k = 0; k < c->count; k = end_of_entry(c, k))
        entries++;
    for (int64_t k = 0; k < c->count; k++)
        tensors += c->list[k].source < 0;
    if (!take_arrays(l, entries, c->count - tensors, tensors))
        return 0;
    fill_rows(l, c);
    size_slices(l);
    l->head.floats = GPU_HEAD;
    l->tail.floats = tail_floats(scene, c);
    if (!take_columns(l, &l->head) || !take_columns(l, &l->tail))
        return 0;
    fill_columns(l, c);
    shorten_columns(l, &l->head);
    shorten_columns(l, &l->tail);
    return 1;
}

/* -- lists by vertex -- */

/* Called for each vertex of each element, with the place of its force. `list` is null while only counting. */
static void put(int32_t *start, int32_t *list, int32_t vertex, int64_t place) {
    if (list)
        list[start[vertex]++] = (int32_t)place;
    else
        start[vertex + 1]++;
}

static void list_forces(const weft_device_scene *scene, int32_t *start, int32_t *list) {
    const weft_device_lists *e = scene->elements;
    int64_t bends = gpu_bend_forces_at(e->triangle_count);
    int64_t pairs = gpu_pair_forces_at(e->triangle_count, e->bend_count);
    for (int32_t t = 0; t < e->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            put(start, list, e->triangle[t].vertex[k], gpu_number(t, GPU_TRIANGLE_FORCES, 3 * k));
    for (int32_t i = 0; i < e->bend_count; i++)
        for (int k = 0; k < e->bend[i].arity; k++)
            if (k != e->bend[i].idle)
                put(start, list, e->bend[i].vertex[k], bends + gpu_number(i, GPU_BEND_FORCES, 3 * k));
    for (int32_t i = 0; i < e->pair_count; i++)
        for (int k = 0; k < 2; k++)
            put(start, list, e->pair[i].vertex[k], pairs + gpu_number(i, GPU_PAIR_FORCES, 3 * k));
}

static void list_facets(const weft_device_scene *scene, int32_t *start, int32_t *list) {
    for (int32_t t = 0; t < scene->facet_count; t++)
        for (int k = 0; k < 3; k++)
            put(start, list, scene->facet[t].vertex[k], gpu_number(t, GPU_FACET_NUMBERS, 0));
}

typedef void (*lister)(const weft_device_scene *scene, int32_t *start, int32_t *list);

/* Counts, then fills in. Filling moves each start to that of the next vertex, so the starts are shifted back. */
static int make_list(const weft_device_scene *scene, lister all, int32_t **start, int32_t **list) {
    size_t count = (size_t)scene->count;
    *start = calloc(count + 1, sizeof **start);
    if (!*start)
        return 0;
    all(scene, *start, NULL);
    for (size_t i = 0; i < count; i++)
        (*start)[i + 1] += (*start)[i];
    *list = calloc((size_t)(*start)[count] + 1, sizeof **list);
    if (!*list)
        return 0;
    all(scene, *start, *list);
    memmove(*start + 1, *start, count * sizeof **start);
    (*start)[0] = 0;
    return 1;
}

/* The parts of the vertices in the facets that make_list has listed. */
static double *list_shares(const weft_device_scene *scene, const int32_t *start) {
    size_t count = (size_t)scene->count;
    int32_t *next = malloc((count + 1) * sizeof *next);
    double *share = next ? calloc((size_t)start[count] + 1, sizeof *share) : NULL;
    if (share) {
        memcpy(next, start, (count + 1) * sizeof *next);
        for (int32_t t = 0; t < scene->facet_count; t++)
            for (int k = 0; k < 3; k++)
                share[next[scene->facet[t].vertex[k]]++] = scene->facet_share[3 * (size_t)t + (size_t)k];
    }
    free(next);
    return share;
}

static weft_result check_size(const gpu_layout *l) {
    if (2 * l->element_blocks < INT32_MAX && l->element_forces < INT32_MAX)
        return weft_ok();
    return weft_fail(WEFT_UNSUPPORTED, "%lld element blocks are too many: at most %d can be numbered",
                     (long long)(l->element_blocks / 9), INT32_MAX / 18);
}

weft_result gpu_layout_create(const weft_device_scene *scene, int implicit, gpu_layout *made) {
    const weft_device_lists *e = scene->elements;
    *made = (gpu_layout){.count = scene->count, .slices = (scene->count + GPU_SLICE - 1) / GPU_SLICE};
    for (int32_t i = 0; i < e->bend_count; i++)
        made->hinges |= !is_linear(scene, &e->bend[i]);
    made->element_forces =
        gpu_pair_forces_at(e->triangle_count, e->bend_count) + gpu_numbers_room(e->pair_count, GPU_PAIR_FORCES);
    made->element_blocks = gpu_hinge_blocks_at(e->triangle_count, e->pair_count) +
                           gpu_numbers_room(made->hinges ? e->bend_count : 0, GPU_HINGE_BLOCKS);
    WEFT_TRY(check_size(made));
    collector c = {0};
    int good = make_list(scene, list_forces, &made->force_start, &made->force_index) &&
               make_list(scene, list_facets, &made->facet_start, &made->facet_index) &&
               (made->facet_share = list_shares(scene, made->facet_start)) &&
               (!implicit || make_matrix(made, scene, &c));
    free(c.list);
    return good ? weft_ok()
                : weft_fail_memory("the structure of the matrix", (size_t)made->element_blocks * sizeof(float));
}

void gpu_layout_free(gpu_layout *l) {
    void *owned[] = {l->force_start, l->force_index,   l->facet_start,   l->facet_index, l->head.base,
                     l->head.column, l->tail.base,     l->tail.column,   l->entry,       l->head_count,
                     l->block_start, l->tensor_start,  l->block,         l->tensor,      l->weight,
                     l->head.ahead,  l->head.slice_of, l->tail.slice_of, l->tail.ahead,  l->facet_share};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    *l = (gpu_layout){0};
}
