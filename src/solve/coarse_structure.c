/* Structure of the coarse level. It depends on the mesh only. */
#include "core/memory.h"
#include "solve/coarse.h"

enum { WIDTH = WEFT_COARSE_WIDTH, MOST_LISTED = WEFT_COARSE_COLOURS };
/* Nodes up to which the coarse matrix is factored. A further level needs up to a tenth more iterations, but the time to
 * factor grows faster than the mesh. */
enum { MOST_FACTORED = 1000 };

static void count_to_starts(int32_t *start, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        start[k + 1] += start[k];
}

static weft_result list_members(weft_coarse *c) {
    const weft_coarse_space *s = &c->space;
    c->member = weft_allocate((size_t)s->rows, sizeof *c->member);
    c->member_start = weft_allocate((size_t)s->nodes + 2, sizeof *c->member_start);
    if (!c->member || !c->member_start)
        return weft_fail_memory("coarse level", (size_t)s->rows * 4);
    int32_t *next = c->member_start + 1; /* start of each group, which advances to its end */
    for (int32_t i = 0; i < s->rows; i++)
        next[s->group[i] + 1]++;
    count_to_starts(next, s->nodes);
    for (int32_t i = 0; i < s->rows; i++)
        c->member[next[s->group[i]]++] = i;
    return weft_ok();
}

/* Appends the nodes of vertex i that are not marked with `name` yet. */
static int32_t append_nodes(const weft_coarse_space *s, int32_t i, int32_t name, int32_t *mark, int32_t *list,
                            int32_t count) {
    for (int32_t k = WIDTH * i; k < WIDTH * (i + 1); k++)
        if (mark[s->node[k]] != name) {
            mark[s->node[k]] = name;
            list[count++] = s->node[k];
        }
    return count;
}

/* Lists the nodes of the vertices of group g, then those of their neighbours. Returns their number. */
static int32_t list_group(weft_coarse *c, const weft_bsr *matrix, int32_t g, int32_t *mark, int32_t *list) {
    int32_t count = 0;
    for (int32_t m = c->member_start[g]; m < c->member_start[g + 1]; m++)
        count = append_nodes(&c->space, c->member[m], g + 1, mark, list, count);
    c->own[g] = count;
    for (int32_t m = c->member_start[g]; m < c->member_start[g + 1]; m++)
        for (int32_t e = matrix->start[c->member[m]]; e < matrix->start[c->member[m] + 1]; e++)
            count = append_nodes(&c->space, matrix->column[e], g + 1, mark, list, count);
    return count;
}

/* Returns 0 if a group has too many nodes. */
static weft_result list_nodes(weft_coarse *c, const weft_bsr *matrix, int32_t *mark, int32_t *list, int *fits) {
    int32_t groups = c->space.nodes;
    c->list_start = weft_allocate((size_t)groups + 1, sizeof *c->list_start);
    c->own = weft_allocate((size_t)groups, sizeof *c->own);
    if (!c->list_start || !c->own)
        return weft_fail_memory("coarse level", (size_t)groups * 8);
    *fits = 1;
    for (int32_t g = 0; g < groups; g++) {
        int32_t count = list_group(c, matrix, g, mark, list);
        *fits &= count <= MOST_LISTED;
        c->list_start[g + 1] = c->list_start[g] + count;
    }
    c->list = weft_allocate((size_t)c->list_start[groups], sizeof *c->list);
    if (!c->list)
        return weft_fail_memory("coarse level", (size_t)c->list_start[groups] * 4);
    memset(mark, 0, (size_t)c->space.nodes * sizeof *mark);
    for (int32_t g = 0; g < groups; g++)
        list_group(c, matrix, g, mark, c->list + c->list_start[g]);
    return weft_ok();
}

/* Where the rows of each node are. */
static weft_result list_touches(weft_coarse *c) {
    int32_t nodes = c->space.nodes, groups = c->space.nodes;
    size_t touches = 0;
    for (int32_t g = 0; g < groups; g++)
        touches += (size_t)c->own[g];
    c->touch_start = weft_allocate((size_t)nodes + 2, sizeof *c->touch_start);
    c->touch = weft_allocate(2 * touches, sizeof *c->touch);
    if (!c->touch_start || !c->touch)
        return weft_fail_memory("coarse level", touches * 8);
    int32_t *next = c->touch_start + 1;
    for (int32_t g = 0; g < groups; g++)
        for (int32_t k = 0; k < c->own[g]; k++)
            next[c->list[c->list_start[g] + k] + 1]++;
    count_to_starts(next, nodes);
    for (int32_t g = 0; g < groups; g++)
        for (int32_t k = 0; k < c->own[g]; k++) {
            int32_t at = next[c->list[c->list_start[g] + k]]++;
            c->touch[2 * at] = g;
            c->touch[2 * at + 1] = k;
        }
    return weft_ok();
}

/* Writes the nodes adjacent to `node`, ascending, and returns their number. */
static int32_t find_adjacent(const weft_coarse *c, int32_t node, int32_t *mark, int32_t *found) {
    int32_t count = 0;
    mark[node] = node + 1;
    for (int32_t t = c->touch_start[node]; t < c->touch_start[node + 1]; t++) {
        int32_t g = c->touch[2 * t];
        for (int32_t k = c->list_start[g]; k < c->list_start[g + 1]; k++) {
            int32_t other = c->list[k], at = count;
            if (mark[other] == node + 1)
                continue;
            mark[other] = node + 1;
            count++;
            for (; at > 0 && found[at - 1] > other; at--)
                found[at] = found[at - 1];
            found[at] = other;
        }
    }
    return count;
}

/* Lists are of groups, so a node may list another that does not list it. Their block is 0. It is dropped, because the
 * factor relies on a symmetric graph. */
static weft_result make_symmetric(weft_coarse *c) {
    uint8_t *keep = weft_allocate((size_t)c->start[c->space.nodes], 1);
    if (!keep)
        return weft_fail_memory("coarse level", (size_t)c->start[c->space.nodes]);
    for (int32_t k = 0; k < c->space.nodes; k++)
        for (int32_t e = c->start[k]; e < c->start[k + 1]; e++)
            keep[e] = weft_coarse_slot(c, c->column[e], k) >= 0;
    int32_t kept = 0, from = 0;
    for (int32_t k = 0; k < c->space.nodes; k++) {
        for (int32_t e = from; e < c->start[k + 1]; e++)
            if (keep[e])
                c->column[kept++] = c->column[e];
        from = c->start[k + 1];
        c->start[k + 1] = kept;
    }
    free(keep);
    return weft_ok();
}

static weft_result make_matrix(weft_coarse *c, int32_t *mark, int32_t *found) {
    int32_t nodes = c->space.nodes;
    c->start = weft_allocate((size_t)nodes + 1, sizeof *c->start);
    c->diagonal = weft_allocate(9 * (size_t)nodes, sizeof *c->diagonal);
    if (!c->start || !c->diagonal)
        return weft_fail_memory("coarse level", (size_t)nodes * 76);
    memset(mark, 0, (size_t)nodes * sizeof *mark);
    for (int32_t k = 0; k < nodes; k++)
        c->start[k + 1] = c->start[k] + find_adjacent(c, k, mark, found);
    size_t blocks = (size_t)c->start[nodes];
    c->column = weft_allocate(blocks, sizeof *c->column);
    c->value = weft_allocate(9 * blocks, sizeof *c->value);
    if (!c->column || !c->value)
        return weft_fail_memory("coarse level", blocks * 76);
    memset(mark, 0, (size_t)nodes * sizeof *mark);
    for (int32_t k = 0; k < nodes; k++)
        find_adjacent(c, k, mark, c->column + c->start[k]);
    return make_symmetric(c);
}

/* Colours the nodes greedily so that those of a list differ, in the order of their numbers. A vertex can then find a
 * node in the list of any group by its colour. */
static weft_result colour_nodes(weft_coarse *c, int *fits) {
    int32_t nodes = c->space.nodes;
    c->colour = weft_allocate((size_t)nodes, sizeof *c->colour);
    int32_t *list_of = weft_allocate((size_t)nodes + 1, sizeof *list_of);
    int32_t *entry = weft_allocate((size_t)c->list_start[c->space.nodes], sizeof *entry);
    weft_result result = weft_ok();
    if (!c->colour || !list_of || !entry)
        result = weft_fail_memory("coarse level", (size_t)nodes * 5);
    for (int32_t k = 0; result.code == WEFT_OK && k < c->list_start[c->space.nodes]; k++)
        list_of[c->list[k]]++;
    int32_t before = 0;
    for (int32_t k = 0; result.code == WEFT_OK && k <= nodes; k++) {
        int32_t count = k < nodes ? list_of[k] : 0;
        list_of[k] = before;
        before += count;
    }
    for (int32_t g = 0; result.code == WEFT_OK && g < c->space.nodes; g++)
        for (int32_t k = c->list_start[g]; k < c->list_start[g + 1]; k++)
            entry[list_of[c->list[k]]++] = g;
    for (int32_t node = 0; result.code == WEFT_OK && node < nodes && *fits; node++) {
        uint8_t used[MOST_LISTED + 1] = {0};
        for (int32_t t = node > 0 ? list_of[node - 1] : 0; t < list_of[node]; t++)
            for (int32_t k = c->list_start[entry[t]]; k < c->list_start[entry[t] + 1]; k++)
                if (c->list[k] < node)
                    used[c->colour[c->list[k]]] = 1;
        int32_t colour = 0;
        while (colour < MOST_LISTED && used[colour])
            colour++;
        c->colour[node] = (uint8_t)colour;
        *fits = colour < MOST_LISTED;
    }
    free(entry);
    free(list_of);
    return result;
}

/* The index in the group's list of each entry of the interpolation. */
static weft_result find_local(weft_coarse *c) {
    const weft_coarse_space *s = &c->space;
    c->local = weft_allocate((size_t)WIDTH * (size_t)s->rows, 1);
    c->colour_at = weft_allocate((size_t)WIDTH * (size_t)s->rows, 1);
    c->colours = weft_allocate(2 * (size_t)s->rows, sizeof *c->colours);
    c->listed_at = weft_allocate(MOST_LISTED * (size_t)s->nodes, 1);
    if (!c->local || !c->colour_at || !c->colours || !c->listed_at)
        return weft_fail_memory("coarse level", 24 * (size_t)s->rows + MOST_LISTED * (size_t)s->nodes);
    for (int32_t g = 0; g < s->nodes; g++) {
        uint8_t *at = c->listed_at + MOST_LISTED * (size_t)g;
        for (int32_t k = 0; k < c->list_start[g + 1] - c->list_start[g]; k++)
            at[c->colour[c->list[c->list_start[g] + k]]] = (uint8_t)k;
        for (int32_t m = c->member_start[g]; m < c->member_start[g + 1]; m++)
            for (int32_t k = WIDTH * c->member[m]; k < WIDTH * (c->member[m] + 1); k++) {
                c->colour_at[k] = c->colour[s->node[k]];
                c->local[k] = at[c->colour_at[k]];
                c->colours[2 * (k / WIDTH) + c->colour_at[k] / 64] |= (uint64_t)1 << c->colour_at[k] % 64;
            }
    }
    return weft_ok();
}

/* The factor, or a further level. The rest positions of the nodes guide the order of the factor. */
static weft_result make_solver(weft_coarse *c, const weft_vec3 *rest) {
    const weft_coarse_space *s = &c->space;
    weft_vec3 *centre = weft_allocate((size_t)s->nodes, sizeof *centre);
    double *total = weft_allocate((size_t)s->nodes, sizeof *total);
    weft_result result = weft_ok();
    if (!centre || !total)
        result = weft_fail_memory("coarse level", (size_t)s->nodes * 32);
    for (int32_t k = 0; result.code == WEFT_OK && k < WIDTH * s->rows; k++) {
        double w = (double)s->weight[k];
        centre[s->node[k]] = weft_add_scaled(centre[s->node[k]], w, rest[k / WIDTH]);
        total[s->node[k]] += w;
    }
    for (int32_t k = 0; result.code == WEFT_OK && k < s->nodes; k++)
        centre[k] = total[k] > 0 ? weft_scale(1 / total[k], centre[k]) : centre[k];
    if (result.code == WEFT_OK && s->nodes > MOST_FACTORED)
        result = weft_coarse_inner_create(c, centre);
    else if (result.code == WEFT_OK)
        result = weft_cholesky_create(s->nodes, c->start, c->column, centre, 3, &c->factor);
    free(total);
    free(centre);
    if (result.code != WEFT_OK || c->inner)
        return result;
    c->right = weft_allocate((size_t)weft_cholesky_length(c->factor), sizeof *c->right);
    c->scratch = weft_allocate((size_t)weft_cholesky_scratch(c->factor), sizeof *c->scratch);
    return c->right && c->scratch ? weft_ok() : weft_fail_memory("coarse level", (size_t)s->nodes * 24);
}

static weft_result fill(weft_coarse *c, const weft_bsr *matrix, const weft_vec3 *rest, int32_t *mark, int32_t *found) {
    int fits = 1;
    WEFT_TRY(list_members(c));
    WEFT_TRY(list_nodes(c, matrix, mark, found, &fits));
    WEFT_TRY(colour_nodes(c, &fits));
    if (!fits)
        return weft_ok();
    WEFT_TRY(find_local(c));
    WEFT_TRY(list_touches(c));
    WEFT_TRY(make_matrix(c, mark, found));
    WEFT_TRY(weft_restriction_create(&c->space, &c->restriction));
    WEFT_TRY(weft_coarse_parts_create(c));
    return make_solver(c, rest);
}

weft_result weft_coarse_create(const weft_bsr *matrix, const weft_vec3 *rest, weft_coarse **made) {
    *made = NULL;
    weft_coarse *c = weft_allocate(1, sizeof *c);
    if (!c)
        return weft_fail_memory("coarse level", sizeof *c);
    c->isa = matrix->isa;
    weft_result result = weft_coarse_space_create(matrix, &c->space);
    size_t nodes = (size_t)c->space.nodes;
    int32_t *mark = weft_allocate(nodes, sizeof *mark), *found = weft_allocate(nodes, sizeof *found);
    c->shift = weft_allocate(4 * nodes, sizeof *c->shift);
    c->residual = weft_allocate(nodes, sizeof *c->residual);
    if (result.code == WEFT_OK && (!mark || !found || !c->shift || !c->residual))
        result = weft_fail_memory("coarse level", nodes * 48);
    if (result.code == WEFT_OK)
        result = fill(c, matrix, rest, mark, found);
    free(found);
    free(mark);
    if (result.code != WEFT_OK) {
        weft_coarse_destroy(c);
        return result;
    }
    *made = c;
    return weft_ok();
}

void weft_coarse_destroy(weft_coarse *c) {
    if (!c)
        return;
    weft_coarse_inner_destroy(c);
    weft_cholesky_destroy(c->factor);
    weft_coarse_parts_free(&c->parts);
    weft_restriction_free(&c->restriction);
    weft_coarse_space_free(&c->space);
    void *arrays[] = {c->member, c->member_start, c->listed_at, c->colours, c->list,        c->list_start, c->own,
                      c->local,  c->colour,       c->colour_at, c->touch,   c->touch_start, c->start,      c->column,
                      c->value,  c->diagonal,     c->residual,  c->right,   c->scratch,     c->shift};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    free(c);
}
