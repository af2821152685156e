/* Dual marching cubes (Nielson 2004): one vertex for each sheet of the surface in each cell of a grid, one quad for
 * each edge of the grid that the surface crosses. Thin places, such as hands and the gap between the thighs, have two
 * sheets in a cell. */
#include "wear/mannequin/net.h"

#include <math.h>
#include <stdlib.h>

#include "weft/vec.h"

enum { BLOCK = 4 }; /* nodes along a side of a block that may be skipped as a whole */

typedef struct lattice {
    int32_t count[3]; /* nodes along x, y and z; the number along x is even, so that no node has x = 0 */
    weft_vec3 low;    /* place of node 0, m */
    double cell;      /* m */
    double *value;    /* distance of each node, m; z varies fastest */
    int32_t *vertex;  /* the first vertex of the cell above each node */
} lattice;

static int64_t index_of(const lattice *l, int32_t x, int32_t y, int32_t z) {
    return ((int64_t)x * l->count[1] + y) * l->count[2] + z;
}

/* The coordinates of mirrored nodes differ by their sign only. */
static weft_vec3 place_of(const lattice *l, int32_t x, int32_t y, int32_t z) {
    return weft_vec3_make((x + 0.5 - 0.5 * l->count[0]) * l->cell, l->low.y + y * l->cell, l->low.z + z * l->cell);
}

/* Nodes of a block whose centre is far from the surface get the distance of the centre: only their sign is used. The
 * distance is an estimate, therefore the margin. */
static void sample_block(const lattice *l, const flesh *f, const int32_t at[3]) {
    static const double MARGIN = 2.5;
    int32_t end[3];
    for (int k = 0; k < 3; k++)
        end[k] = at[k] + BLOCK < l->count[k] ? at[k] + BLOCK : l->count[k];
    weft_vec3 centre =
        weft_scale(0.5, weft_add(place_of(l, at[0], at[1], at[2]), place_of(l, end[0] - 1, end[1] - 1, end[2] - 1)));
    double middle = flesh_distance(f, centre, FLESH_ALL), reach = MARGIN * 0.87 * BLOCK * l->cell;
    for (int32_t x = at[0]; x < end[0]; x++)
        for (int32_t y = at[1]; y < end[1]; y++)
            for (int32_t z = at[2]; z < end[2]; z++)
                l->value[index_of(l, x, y, z)] =
                    fabs(middle) > reach ? middle : flesh_distance(f, place_of(l, x, y, z), FLESH_ALL);
}

static void sample(const lattice *l, const flesh *f) {
    int32_t half = l->count[0] / 2, at[3];
    for (at[0] = half; at[0] < l->count[0]; at[0] += BLOCK)
        for (at[1] = 0; at[1] < l->count[1]; at[1] += BLOCK)
            for (at[2] = 0; at[2] < l->count[2]; at[2] += BLOCK)
                sample_block(l, f, at);
    int64_t slice = (int64_t)l->count[1] * l->count[2];
    for (int32_t x = 0; x < half; x++)
        for (int64_t i = 0; i < slice; i++)
            l->value[x * slice + i] = l->value[(l->count[0] - 1 - x) * slice + i];
}

/* The ends of an edge of a cell. Edges 4 axis to 4 axis + 3 are parallel to an axis. */
static void edge_ends(const int32_t cell[3], int edge, int32_t a[3], int32_t b[3]) {
    int axis = edge / 4;
    for (int k = 0; k < 3; k++)
        a[k] = cell[k];
    a[(axis + 1) % 3] += edge % 2;
    a[(axis + 2) % 3] += edge / 2 % 2;
    for (int k = 0; k < 3; k++)
        b[k] = a[k] + (k == axis);
}

static double value_at(const lattice *l, const int32_t node[3]) {
    return l->value[index_of(l, node[0], node[1], node[2])];
}

static void join(int8_t sheet[12], int a, int b) {
    int8_t from = sheet[a], to = sheet[b];
    for (int e = 0; e < 12; e++)
        if (sheet[e] == from)
            sheet[e] = to;
}

/* Joins the crossed edges of a face of a cell that belong to one curve. If all four are crossed, each curve goes around
 * an inner corner, so that the two cells at the face agree. */
static void join_face(const lattice *l, const int32_t cell[3], int normal, int side, int8_t sheet[12]) {
    int along = (normal + 1) % 3, across = (normal + 2) % 3;
    const int edge[4] = {4 * along + 2 * side, 4 * along + 1 + 2 * side, 4 * across + side, 4 * across + side + 2};
    int crossed[4], count = 0;
    for (int k = 0; k < 4; k++)
        if (sheet[edge[k]] >= 0)
            crossed[count++] = edge[k];
    if (count == 2)
        join(sheet, crossed[0], crossed[1]);
    for (int corner = 0; corner < 4 && count == 4; corner++) {
        int32_t node[3] = {cell[0], cell[1], cell[2]};
        node[normal] += side;
        node[along] += corner % 2;
        node[across] += corner / 2;
        if (value_at(l, node) < 0)
            join(sheet, edge[corner / 2], edge[2 + corner % 2]);
    }
}

/* The sheet of each edge of a cell that the surface crosses, or WEFT_NONE. Returns the number of sheets. */
static int find_sheets(const lattice *l, const int32_t cell[3], int8_t sheet[12]) {
    int32_t a[3], b[3];
    int crossings = 0, count = 0;
    for (int e = 0; e < 12; e++) {
        edge_ends(cell, e, a, b);
        int crosses = (value_at(l, a) < 0) != (value_at(l, b) < 0);
        sheet[e] = (int8_t)(crosses ? e : WEFT_NONE);
        crossings += crosses;
    }
    if (crossings == 0)
        return 0;
    for (int face = 0; face < 6; face++)
        join_face(l, cell, face / 2, face % 2, sheet);
    int8_t number[12];
    for (int e = 0; e < 12; e++)
        if (sheet[e] == e)
            number[e] = (int8_t)count++;
    for (int e = 0; e < 12; e++)
        sheet[e] = (int8_t)(sheet[e] >= 0 ? number[sheet[e]] : WEFT_NONE);
    return count;
}

/* The mean of the points where edges of a cell cross a sheet. */
static weft_vec3 sheet_point(const lattice *l, const int32_t cell[3], const int8_t sheet[12], int number) {
    weft_vec3 sum = {0, 0, 0};
    int crossings = 0;
    for (int e = 0; e < 12; e++) {
        int32_t a[3], b[3];
        if (sheet[e] != number)
            continue;
        edge_ends(cell, e, a, b);
        double u = value_at(l, a), v = value_at(l, b);
        weft_vec3 from = place_of(l, a[0], a[1], a[2]), to = place_of(l, b[0], b[1], b[2]);
        sum = weft_add(sum, weft_add_scaled(from, u / (u - v), weft_sub(to, from)));
        crossings++;
    }
    return weft_scale(1.0 / crossings, sum);
}

static int32_t grown(int32_t count) { return count < 1024 ? 1024 : count + count / 2; }

/* Makes room for one more; 0 if there is none. */
static int make_room(void **array, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity)
        return 1;
    void *larger = realloc(*array, (size_t)grown(*capacity) * size);
    if (!larger)
        return 0;
    *array = larger;
    *capacity = grown(*capacity);
    return 1;
}

static weft_result add_vertices(const lattice *l, net *n) {
    int32_t capacity = 0, cell[3];
    int8_t sheet[12];
    for (cell[0] = 0; cell[0] + 1 < l->count[0]; cell[0]++)
        for (cell[1] = 0; cell[1] + 1 < l->count[1]; cell[1]++)
            for (cell[2] = 0; cell[2] + 1 < l->count[2]; cell[2]++) {
                int count = find_sheets(l, cell, sheet);
                l->vertex[index_of(l, cell[0], cell[1], cell[2])] = n->vertex_count;
                for (int k = 0; k < count; k++) {
                    if (!make_room((void **)&n->position, n->vertex_count, &capacity, sizeof *n->position))
                        return weft_fail_memory("a mannequin", (size_t)capacity * sizeof *n->position);
                    n->position[n->vertex_count++] = sheet_point(l, cell, sheet, k);
                }
            }
    return weft_ok();
}

/* Mirroring swaps the edges of a cell at its two ends along x. */
static weft_result find_mirrors(const lattice *l, net *n) {
    int32_t cell[3];
    int8_t own[12], other[12];
    n->mirror = malloc(((size_t)n->vertex_count + 1) * sizeof *n->mirror);
    if (!n->mirror)
        return weft_fail_memory("a mannequin", (size_t)n->vertex_count * sizeof *n->mirror);
    for (cell[0] = 0; cell[0] + 1 < l->count[0]; cell[0]++)
        for (cell[1] = 0; cell[1] + 1 < l->count[1]; cell[1]++)
            for (cell[2] = 0; cell[2] + 1 < l->count[2]; cell[2]++) {
                if (find_sheets(l, cell, own) == 0)
                    continue;
                const int32_t opposite[3] = {l->count[0] - 2 - cell[0], cell[1], cell[2]};
                find_sheets(l, opposite, other);
                int32_t here = l->vertex[index_of(l, cell[0], cell[1], cell[2])];
                int32_t there = l->vertex[index_of(l, opposite[0], opposite[1], opposite[2])];
                for (int e = 0; e < 12; e++)
                    if (own[e] >= 0)
                        n->mirror[here + own[e]] = there + other[e / 4 == 0 ? e : e ^ (e / 4 == 1 ? 2 : 1)];
            }
    return weft_ok();
}

/* The quad around the edge from a node along an axis, if the surface crosses it. */
static weft_result add_quad(const lattice *l, net *n, int32_t *capacity, const int32_t at[3], int axis) {
    int32_t end[3] = {at[0] + (axis == 0), at[1] + (axis == 1), at[2] + (axis == 2)};
    double u = l->value[index_of(l, at[0], at[1], at[2])], v = l->value[index_of(l, end[0], end[1], end[2])];
    if ((u < 0) == (v < 0))
        return weft_ok();
    if (!make_room((void **)&n->quad, n->quad_count, capacity, sizeof *n->quad))
        return weft_fail_memory("a mannequin", (size_t)*capacity * sizeof *n->quad);
    static const int32_t AROUND[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
    for (int k = 0; k < 4; k++) {
        int32_t cell[3] = {at[0], at[1], at[2]};
        cell[(axis + 1) % 3] += AROUND[k][0];
        cell[(axis + 2) % 3] += AROUND[k][1];
        int edge = 4 * axis - AROUND[k][0] - 2 * AROUND[k][1];
        int8_t sheet[12];
        find_sheets(l, cell, sheet);
        n->quad[n->quad_count][u < 0 ? k : 3 - k] = l->vertex[index_of(l, cell[0], cell[1], cell[2])] + sheet[edge];
    }
    n->quad_count++;
    return weft_ok();
}

static weft_result add_quads(const lattice *l, net *n) {
    int32_t capacity = 0, at[3];
    for (at[0] = 1; at[0] + 1 < l->count[0]; at[0]++)
        for (at[1] = 1; at[1] + 1 < l->count[1]; at[1]++)
            for (at[2] = 1; at[2] + 1 < l->count[2]; at[2]++)
                for (int axis = 0; axis < 3; axis++)
                    WEFT_TRY(add_quad(l, n, &capacity, at, axis));
    return weft_ok();
}

weft_result net_make(const flesh *f, weft_vec3 low, weft_vec3 high, double cell, net *made) {
    *made = (net){0};
    lattice l = {.cell = cell};
    l.count[0] = 2 * ((int32_t)ceil(high.x / cell) + 3);
    l.count[1] = (int32_t)ceil((high.y - low.y) / cell) + 6;
    l.count[2] = (int32_t)ceil((high.z - low.z) / cell) + 6;
    l.low = weft_vec3_make(0, low.y - 2.5 * cell, low.z - 2.5 * cell);
    int64_t nodes = (int64_t)l.count[0] * l.count[1] * l.count[2];
    l.value = malloc((size_t)nodes * sizeof *l.value);
    l.vertex = malloc((size_t)nodes * sizeof *l.vertex);
    weft_result result = weft_fail_memory("a mannequin", (size_t)nodes * sizeof *l.value);
    if (l.value && l.vertex) {
        sample(&l, f);
        result = add_vertices(&l, made);
        if (result.code == WEFT_OK)
            result = find_mirrors(&l, made);
        if (result.code == WEFT_OK)
            result = add_quads(&l, made);
    }
    free(l.vertex);
    free(l.value);
    return result;
}

void net_free(net *n) {
    free(n->quad);
    free(n->mirror);
    free(n->position);
    *n = (net){0};
}
