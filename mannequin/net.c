/* Surface nets (Gibson 1998, Constrained elastic surface nets): one vertex for each cell of a grid that the surface
 * passes, one quad for each edge of the grid that it crosses. */
#include "mannequin/net.h"

#include <math.h>
#include <stdlib.h>

#include "weft/vec.h"

enum { BLOCK = 4 }; /* nodes along a side of a block that may be skipped as a whole */

typedef struct lattice {
    int32_t count[3]; /* nodes along x, y and z; the number along x is even, so that no node has x = 0 */
    weft_vec3 low;    /* place of node 0, m */
    double cell;      /* m */
    double *value;    /* distance of each node, m; z varies fastest */
    int32_t *vertex;  /* of the cell above each node, or WEFT_NONE */
} lattice;

static int64_t index_of(const lattice *l, int32_t x, int32_t y, int32_t z) {
    return ((int64_t)x * l->count[1] + y) * l->count[2] + z;
}

/* The coordinates of mirrored nodes differ by their sign only. */
static weft_vec3 place_of(const lattice *l, int32_t x, int32_t y, int32_t z) {
    return weft_vec3_make((x + 0.5 - l->count[0] / 2) * l->cell, l->low.y + y * l->cell, l->low.z + z * l->cell);
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

/* The mean of the points where the edges of a cell cross the surface; 0 if none does. */
static int cell_point(const lattice *l, int32_t x, int32_t y, int32_t z, weft_vec3 *point) {
    weft_vec3 sum = {0, 0, 0};
    int crossings = 0;
    for (int edge = 0; edge < 12; edge++) {
        int axis = edge / 4, first = (axis + 1) % 3, second = (axis + 2) % 3;
        int32_t a[3] = {x, y, z}, b[3];
        a[first] += edge % 2;
        a[second] += edge / 2 % 2;
        for (int k = 0; k < 3; k++)
            b[k] = a[k] + (k == axis);
        double u = l->value[index_of(l, a[0], a[1], a[2])], v = l->value[index_of(l, b[0], b[1], b[2])];
        if ((u < 0) == (v < 0))
            continue;
        weft_vec3 from = place_of(l, a[0], a[1], a[2]), to = place_of(l, b[0], b[1], b[2]);
        sum = weft_add(sum, weft_add_scaled(from, u / (u - v), weft_sub(to, from)));
        crossings++;
    }
    if (crossings > 0)
        *point = weft_scale(1.0 / crossings, sum);
    return crossings > 0;
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
    int32_t capacity = 0;
    for (int32_t x = 0; x + 1 < l->count[0]; x++)
        for (int32_t y = 0; y + 1 < l->count[1]; y++)
            for (int32_t z = 0; z + 1 < l->count[2]; z++) {
                weft_vec3 point;
                int64_t cell = index_of(l, x, y, z);
                l->vertex[cell] = WEFT_NONE;
                if (!cell_point(l, x, y, z, &point))
                    continue;
                if (!make_room((void **)&n->position, n->vertex_count, &capacity, sizeof *n->position))
                    return weft_fail_memory("a mannequin", (size_t)capacity * sizeof *n->position);
                l->vertex[cell] = n->vertex_count;
                n->position[n->vertex_count++] = point;
            }
    n->mirror = malloc(((size_t)n->vertex_count + 1) * sizeof *n->mirror);
    if (!n->mirror)
        return weft_fail_memory("a mannequin", (size_t)n->vertex_count * sizeof *n->mirror);
    int64_t slice = (int64_t)l->count[1] * l->count[2], cells = l->count[0] - 1;
    for (int64_t x = 0; x < cells; x++)
        for (int64_t i = 0; i < slice; i++) {
            int32_t y = (int32_t)(i / l->count[2]), z = (int32_t)(i % l->count[2]);
            if (y + 1 < l->count[1] && z + 1 < l->count[2] && l->vertex[x * slice + i] != WEFT_NONE)
                n->mirror[l->vertex[x * slice + i]] = l->vertex[(cells - 1 - x) * slice + i];
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
        n->quad[n->quad_count][u < 0 ? k : 3 - k] = l->vertex[index_of(l, cell[0], cell[1], cell[2])];
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
