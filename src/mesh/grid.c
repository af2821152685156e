/* Rectangular grids of quads or criss-cross triangles, with rest coordinates. */
#include "core/memory.h"
#include "core/require.h"
#include "mesh/stages.h"
#include "weft/vec.h"

weft_grid weft_grid_default(void) {
    weft_grid grid = {.cells = {10, 10},
                      .size = {1, 1},
                      .origin = {0, 0, 0},
                      .axis = {{1, 0, 0}, {0, -1, 0}},
                      .diagonals = WEFT_ALTERNATING};
    return grid;
}

static weft_result check_shape(const weft_grid *grid) {
    for (int k = 0; k < 2; k++) {
        weft_vec3 a = grid->axis[k];
        if (!(grid->size[k] > 0) || !isfinite(grid->size[k]))
            return weft_fail(WEFT_BAD_INPUT, "grid: size [%g, %g] m: each must be finite and above 0", grid->size[0],
                             grid->size[1]);
        if (!weft_vec3_is_finite(a) || !(weft_length(a) > 0) || !isfinite(weft_length(a)))
            return weft_fail(WEFT_BAD_INPUT, "grid: axis %d is [%g, %g, %g], it must be finite and not zero", k, a.x,
                             a.y, a.z);
    }
    weft_vec3 o = grid->origin;
    if (!weft_vec3_is_finite(o))
        return weft_fail(WEFT_BAD_INPUT, "grid: origin [%g, %g, %g] m must be finite", o.x, o.y, o.z);
    weft_vec3 a = grid->axis[0], b = grid->axis[1];
    if (weft_length(weft_cross(weft_normalize(a), weft_normalize(b))) < 1e-6)
        return weft_fail(WEFT_BAD_INPUT, "grid: axes [%g, %g, %g] and [%g, %g, %g] are parallel", a.x, a.y, a.z, b.x,
                         b.y, b.z);
    return weft_ok();
}

/* Computes in double, because the cell counts may be huge. Near the limits the result is exact. */
static weft_result check_cells(const weft_grid *grid) {
    int criss_cross = grid->diagonals == WEFT_CRISS_CROSS;
    long long across = (long long)grid->cells[0], down = (long long)grid->cells[1];
    if (across < 1 || down < 1)
        return weft_fail(WEFT_BAD_INPUT, "grid: cells [%lld, %lld]: each must be at least 1", across, down);
    double cells = (double)across * (double)down;
    double vertices = ((double)across + 1) * ((double)down + 1) + (criss_cross ? cells : 0);
    double corners = cells * (criss_cross ? 12 : 4);
    if (vertices > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "grid: cells [%lld, %lld] make %.16g vertices, at most %d are allowed", across,
                         down, vertices, WEFT_MESH_LIMIT);
    if (corners > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "grid: cells [%lld, %lld] make %.16g corners of faces, at most %d are allowed",
                         across, down, corners, WEFT_MESH_LIMIT);
    if (grid->diagonals != WEFT_ALTERNATING && grid->diagonals != WEFT_ONE_WAY && !criss_cross)
        return weft_fail(WEFT_BAD_INPUT, "grid: diagonals %d, known are %d to %d", (int)grid->diagonals,
                         WEFT_ALTERNATING, WEFT_CRISS_CROSS);
    return weft_ok();
}

typedef struct grid_input {
    int32_t cells[2], vertex_count, face_count, face_size;
    weft_vec3 *position;
    weft_vec2 *uv; /* moved to the mesh */
    int32_t *corner, *size;
    unsigned char *diagonal; /* null for criss-cross */
} grid_input;

static int allocate_input(const weft_grid *grid, grid_input *input) {
    int criss_cross = grid->diagonals == WEFT_CRISS_CROSS;
    input->cells[0] = (int32_t)grid->cells[0];
    input->cells[1] = (int32_t)grid->cells[1];
    int32_t cells = input->cells[0] * input->cells[1];
    input->vertex_count = (input->cells[0] + 1) * (input->cells[1] + 1) + (criss_cross ? cells : 0);
    input->face_count = criss_cross ? 4 * cells : cells;
    input->face_size = criss_cross ? 3 : 4;
    size_t vertices = (size_t)input->vertex_count, faces = (size_t)input->face_count;
    input->position = weft_allocate(vertices, sizeof *input->position);
    input->uv = weft_allocate(vertices, sizeof *input->uv);
    input->corner = weft_allocate(faces * (size_t)input->face_size, sizeof *input->corner);
    input->size = weft_allocate(faces, sizeof *input->size);
    input->diagonal = criss_cross ? NULL : weft_allocate(faces, 1);
    return input->position && input->uv && input->corner && input->size && (input->diagonal || criss_cross);
}

static void free_input(grid_input *input) {
    free(input->diagonal);
    free(input->size);
    free(input->corner);
    free(input->uv);
    free(input->position);
}

/* `i` counts half cells. The far side is exactly at `size`, free of rounding. */
static double coordinate(const weft_grid *grid, int k, int64_t i) {
    int64_t halves = 2 * grid->cells[k];
    return i == halves ? grid->size[k] : (double)i * grid->size[k] / (double)halves;
}

static void place(const weft_grid *grid, grid_input *input, int32_t v, int64_t i, int64_t j) {
    weft_vec2 uv = {coordinate(grid, 0, i), coordinate(grid, 1, j)};
    weft_vec3 along = weft_add_scaled(grid->origin, uv.x, weft_normalize(grid->axis[0]));
    input->uv[v] = uv;
    input->position[v] = weft_add_scaled(along, uv.y, weft_normalize(grid->axis[1]));
}

static void fill_vertices(const weft_grid *grid, grid_input *input) {
    int32_t v = 0;
    for (int32_t j = 0; j <= input->cells[1]; j++)
        for (int32_t i = 0; i <= input->cells[0]; i++)
            place(grid, input, v++, 2 * (int64_t)i, 2 * (int64_t)j);
    if (grid->diagonals != WEFT_CRISS_CROSS)
        return;
    for (int32_t j = 0; j < input->cells[1]; j++)
        for (int32_t i = 0; i < input->cells[0]; i++)
            place(grid, input, v++, 2 * (int64_t)i + 1, 2 * (int64_t)j + 1);
}

/* Counter-clockwise when seen against axis[0] x axis[1]. */
static void fill_faces(const weft_grid *grid, grid_input *input) {
    int32_t row = input->cells[0] + 1, *corner = input->corner, cell = 0;
    for (int32_t f = 0; f < input->face_count; f++)
        input->size[f] = input->face_size;
    for (int32_t j = 0; j < input->cells[1]; j++)
        for (int32_t i = 0; i < input->cells[0]; i++, cell++) {
            int32_t v = j * row + i, around[4] = {v, v + 1, v + row + 1, v + row};
            if (grid->diagonals == WEFT_CRISS_CROSS) {
                for (int k = 0; k < 4; k++) {
                    *corner++ = around[k];
                    *corner++ = around[(k + 1) % 4];
                    *corner++ = row * (input->cells[1] + 1) + cell;
                }
                continue;
            }
            memcpy(corner, around, sizeof around);
            corner += 4;
            input->diagonal[cell] = grid->diagonals == WEFT_ALTERNATING && (i + j) % 2 == 1;
        }
}

/* Moves the vertices' rest coordinates to the mesh. */
static weft_result set_uv(weft_mesh *mesh, grid_input *input) {
    size_t count = (size_t)mesh->halfedge_count;
    mesh->halfedge_uv = weft_allocate(count, sizeof *mesh->halfedge_uv);
    if (!mesh->halfedge_uv)
        return weft_fail_memory("rest coordinates", count * sizeof *mesh->halfedge_uv);
    mesh->uv = input->uv;
    input->uv = NULL;
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        mesh->halfedge_uv[h] = mesh->uv[mesh->origin[h]];
    return weft_ok();
}

static weft_result make(const weft_grid *grid, grid_input *input, weft_mesh **mesh) {
    if (!allocate_input(grid, input))
        return weft_fail_memory("grid", (size_t)input->vertex_count * (sizeof(weft_vec3) + sizeof(weft_vec2)) +
                                            (size_t)input->face_count * 5 * sizeof(int32_t));
    fill_vertices(grid, input);
    fill_faces(grid, input);
    weft_polygons polygons = {.name = "grid",
                              .position = input->position,
                              .vertex_count = input->vertex_count,
                              .corner = input->corner,
                              .corner_count = (int64_t)input->face_count * input->face_size,
                              .face_size = input->size,
                              .face_count = input->face_count};
    weft_mesh_hint hint = {input->diagonal, NULL, NULL};
    WEFT_TRY(weft_mesh_build(&polygons, &hint, mesh));
    for (int k = 0; k < 2; k++) {
        (*mesh)->grid_cells[k] = input->cells[k];
        (*mesh)->grid_size[k] = grid->size[k];
    }
    return set_uv(*mesh, input);
}

weft_result weft_mesh_create_grid(const weft_grid *grid, weft_mesh **mesh) {
    WEFT_REQUIRE(mesh);
    *mesh = NULL;
    WEFT_REQUIRE(grid);
    WEFT_TRY(check_cells(grid));
    WEFT_TRY(check_shape(grid));
    grid_input input = {.position = NULL};
    weft_result result = make(grid, &input, mesh);
    free_input(&input);
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(*mesh);
        *mesh = NULL;
    }
    return result;
}
