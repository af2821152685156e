#include "schwarz.h"

#include <stdlib.h>
#include <string.h>

#include "weft/sort.h"

/* A graph in rows: the neighbours of node n are column[start[n] .. start[n + 1]). */
typedef struct graph {
    int32_t nodes;
    int32_t *start, *column;
} graph;

static void free_graph(graph *g) {
    free(g->start);
    free(g->column);
    *g = (graph){0};
}

/* Column of entry `number` of a row of the matrix. */
static int32_t column_of(const gpu_layout *l, int32_t row, int32_t number) {
    int32_t slice = row / GPU_SLICE, lane = row % GPU_SLICE, heads = l->head_count[row];
    const gpu_layout_slices *in = number < heads ? &l->head : &l->tail;
    int32_t k = in->base[slice] + (number < heads ? number : number - heads);
    return in->column[(int64_t)k * GPU_SLICE + lane];
}

static int graph_of_matrix(const gpu_layout *l, graph *made) {
    size_t entries = (size_t)l->entry[l->count];
    *made =
        (graph){l->count, malloc(((size_t)l->count + 1) * sizeof(int32_t)), malloc((entries + 1) * sizeof(int32_t))};
    if (!made->start || !made->column)
        return 0;
    memcpy(made->start, l->entry, ((size_t)l->count + 1) * sizeof(int32_t));
    for (int32_t i = 0; i < l->count; i++)
        for (int32_t e = l->entry[i]; e < l->entry[i + 1]; e++)
            made->column[e] = column_of(l, i, e - l->entry[i]);
    return 1;
}

/* Cuts the graph into connected pieces of at most GPU_DOMAIN nodes, breadth first from the lowest node that is left.
 * parent[n] receives the piece. Returns the number of pieces. */
static int32_t cut(const graph *g, int32_t *parent) {
    int32_t pieces = 0, queue[GPU_DOMAIN];
    for (int32_t n = 0; n < g->nodes; n++)
        parent[n] = -1;
    for (int32_t n = 0; n < g->nodes; n++) {
        if (parent[n] >= 0)
            continue;
        int32_t size = 1;
        queue[0] = n;
        parent[n] = pieces;
        for (int32_t at = 0; at < size && size < GPU_DOMAIN; at++)
            for (int32_t e = g->start[queue[at]]; e < g->start[queue[at] + 1] && size < GPU_DOMAIN; e++)
                if (parent[g->column[e]] < 0) {
                    parent[g->column[e]] = pieces;
                    queue[size++] = g->column[e];
                }
        pieces++;
    }
    return pieces;
}

/* Lists of children from parents. */
static int list_children(int32_t nodes, int32_t pieces, const int32_t *parent, int32_t **start, int32_t **child) {
    *start = calloc((size_t)pieces + 2, sizeof **start);
    *child = malloc(((size_t)nodes + 1) * sizeof **child);
    if (!*start || !*child)
        return 0;
    for (int32_t n = 0; n < nodes; n++)
        (*start)[parent[n] + 2]++;
    for (int32_t p = 0; p < pieces; p++)
        (*start)[p + 1] += (*start)[p];
    for (int32_t n = 0; n < nodes; n++)
        (*child)[(*start)[parent[n] + 1]++] = n;
    return 1;
}

/* Puts whole pieces into domains. */
static int fill_domains(gpu_schwarz_level *l, int32_t pieces, const int32_t *start, const int32_t *child) {
    l->node_of = malloc(((size_t)pieces + 1) * GPU_DOMAIN * sizeof *l->node_of);
    l->place_of = malloc(((size_t)l->nodes + 1) * sizeof *l->place_of);
    if (!l->node_of || !l->place_of)
        return 0;
    memset(l->node_of, -1, ((size_t)pieces + 1) * GPU_DOMAIN * sizeof *l->node_of);
    int32_t place = 0;
    for (int32_t p = 0; p < pieces; p++) {
        int32_t size = start[p + 1] - start[p], used = place % GPU_DOMAIN;
        if (used + size > GPU_DOMAIN)
            place += GPU_DOMAIN - used;
        for (int32_t k = start[p]; k < start[p + 1]; k++, place++) {
            l->node_of[place] = child[k];
            l->place_of[child[k]] = place;
        }
    }
    l->domains = (place + GPU_DOMAIN - 1) / GPU_DOMAIN;
    return 1;
}

/* A finer entry between two pieces. */
typedef struct link {
    int32_t column, first, second; /* piece; what `from` stores */
} link;

static int compare(const void *left, const void *right) {
    const link *a = left, *b = right;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->second < b->second ? -1 : a->second > b->second;
}

/* The entries of one piece: finer entries that leave it, sorted by the piece they lead to. */
static size_t collect_links(const graph *fine, const int32_t *parent, const gpu_schwarz_level *l, int32_t piece,
                            int from_vertices, link *to) {
    size_t count = 0;
    for (int32_t k = l->child_start[piece]; k < l->child_start[piece + 1]; k++) {
        int32_t n = l->child[k];
        for (int32_t e = fine->start[n]; e < fine->start[n + 1]; e++)
            if (parent[fine->column[e]] != piece)
                to[count++] = (link){parent[fine->column[e]], from_vertices ? n : e, e - fine->start[n]};
    }
    weft_sort(to, count, sizeof *to, compare);
    return count;
}

/* The matrix of the next level: its graph, and the finer entries that each of its entries sums. */
static int make_entries(const graph *fine, const int32_t *parent, int from_vertices, gpu_schwarz_level *l,
                        graph *made) {
    size_t most = (size_t)fine->start[fine->nodes], entries = 0, sources = 0, width = from_vertices ? 2 : 1;
    link *links = malloc((most + 1) * sizeof *links); /* of one piece; as many as there are entries at most */
    l->entry = malloc(((size_t)l->nodes + 1) * sizeof *l->entry);
    l->column = malloc((most + 1) * sizeof *l->column);
    l->from = malloc((width * most + 1) * sizeof *l->from);
    l->from_start = malloc((most + 2) * sizeof *l->from_start);
    int good = links && l->entry && l->column && l->from && l->from_start;
    for (int32_t p = 0; good && p < l->nodes; p++) {
        size_t count = collect_links(fine, parent, l, p, from_vertices, links);
        l->entry[p] = (int32_t)entries;
        for (size_t k = 0; k < count; k++) {
            if (k == 0 || links[k].column != links[k - 1].column) {
                l->from_start[entries] = (int32_t)sources;
                l->column[entries++] = links[k].column;
            }
            l->from[width * sources] = links[k].first;
            if (from_vertices)
                l->from[width * sources + 1] = links[k].second;
            sources++;
        }
    }
    free(links);
    if (!good)
        return 0;
    l->entry[l->nodes] = (int32_t)entries;
    l->from_start[entries] = (int32_t)sources;
    *made =
        (graph){l->nodes, malloc(((size_t)l->nodes + 1) * sizeof(int32_t)), malloc((entries + 1) * sizeof(int32_t))};
    if (!made->start || !made->column)
        return 0;
    memcpy(made->start, l->entry, ((size_t)l->nodes + 1) * sizeof(int32_t));
    memcpy(made->column, l->column, entries * sizeof(int32_t));
    return 1;
}

/* Adds the level of graph g, and the next one's nodes if this is not the last. */
static int make_level(gpu_schwarz *s, graph *g) {
    gpu_schwarz_level *l = &s->level[s->count++];
    l->nodes = g->nodes;
    l->parent = malloc(((size_t)g->nodes + 1) * sizeof *l->parent);
    int32_t *start = NULL, *child = NULL;
    int32_t pieces = l->parent ? cut(g, l->parent) : 0;
    int good = l->parent && list_children(g->nodes, pieces, l->parent, &start, &child) &&
               fill_domains(l, pieces, start, child);
    if (!good || l->domains == 1 || s->count == GPU_LEVELS || pieces == g->nodes) {
        free(start);
        free(child);
        free(l->parent);
        l->parent = NULL;
        free_graph(g);
        return good;
    }
    gpu_schwarz_level *next = &s->level[s->count];
    graph coarse = {0};
    next->nodes = pieces;
    next->child_start = start;
    next->child = child;
    good = make_entries(g, l->parent, s->count == 1, next, &coarse);
    free_graph(g);
    *g = coarse;
    return good;
}

weft_result gpu_schwarz_create(const gpu_layout *layout, gpu_schwarz *made) {
    graph g = {0};
    *made = (gpu_schwarz){0};
    int good = graph_of_matrix(layout, &g);
    while (good && g.nodes > 0)
        good = make_level(made, &g);
    free_graph(&g);
    return good ? weft_ok() : weft_fail_memory("the preconditioner", (size_t)layout->count * 100);
}

void gpu_schwarz_free(gpu_schwarz *s) {
    for (int32_t k = 0; k < GPU_LEVELS; k++) {
        gpu_schwarz_level *l = &s->level[k];
        void *owned[] = {l->node_of, l->place_of, l->parent, l->child,     l->child_start,
                         l->entry,   l->column,   l->from,   l->from_start};
        for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
            free(owned[i]);
    }
    *s = (gpu_schwarz){0};
}
