/* Writes a small run directory with every writer, for the checks by other programs: write_run DIR.
 * The scene is "wave": a grid "sheet" of quads whose vertices all move differently, and a triangle "flap". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/file.h"
#include "io/writer_parts.h"

enum { FRAMES = 25 };

static void move(const weft_mesh *mesh, int64_t frame, weft_vec3 *position) {
    double t = (double)frame / 24;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 p = mesh->position[v];
        position[v] = (weft_vec3){p.x + 0.1 * sin(t + v), p.y - t * t, p.z + 0.3 * cos(5 * t + 2 * p.x)};
    }
}

static weft_result write_all(const weft_component *writer, const char *directory, weft_frame *frame,
                             weft_vec3 *position[2]) {
    const weft_writer_functions *f = writer->functions;
    weft_take take = {directory, "wave", 24, FRAMES, 0};
    char settings[256];
    void *self;
    weft_params_default(writer->params, settings);
    for (frame->index = 0; frame->index < FRAMES; frame->index++) {
        for (int c = 0; c < 2; c++)
            move(frame->cloth[c].mesh, frame->index, position[c]);
        if (frame->index == 0)
            WEFT_TRY(f->open(settings, &take, frame, &self));
        weft_result result = f->frame(self, frame);
        if (result.code != WEFT_OK) {
            f->close(self, 0);
            return result;
        }
    }
    return f->close(self, 1);
}

static weft_result write_run(const char *directory, weft_frame *frame, weft_vec3 *position[2]) {
    WEFT_TRY(weft_directory_make(directory));
    WEFT_TRY(write_all(&WEFT_OBJ_WRITER, directory, frame, position));
    WEFT_TRY(write_all(&WEFT_PLY_WRITER, directory, frame, position));
    WEFT_TRY(write_all(&WEFT_PC2_WRITER, directory, frame, position));
    WEFT_TRY(write_all(&WEFT_MDD_WRITER, directory, frame, position));
    WEFT_TRY(write_all(&WEFT_GLB_WRITER, directory, frame, position));
    return write_all(&WEFT_USDA_WRITER, directory, frame, position);
}

static weft_result make(const char *directory) {
    weft_mesh *mesh[2] = {NULL, NULL};
    weft_grid grid = weft_grid_default();
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh[0]));
    const weft_vec3 corners[3] = {{2, 0, 0}, {3, 0, 0}, {2, 1, 0}};
    const int32_t corner[3] = {0, 1, 2}, size = 3;
    const weft_polygons flap = {.name = "flap",
                                .position = corners,
                                .vertex_count = 3,
                                .corner = corner,
                                .corner_count = 3,
                                .face_size = &size,
                                .face_count = 1};
    weft_result result = weft_mesh_create(&flap, &mesh[1]);
    if (result.code == WEFT_OK) {
        weft_vec3 *position[2] = {calloc((size_t)mesh[0]->vertex_count, sizeof(weft_vec3)),
                                  calloc(3, sizeof(weft_vec3))};
        const weft_frame_cloth cloth[2] = {{"sheet", mesh[0], position[0], NULL}, {"flap", mesh[1], position[1], NULL}};
        weft_frame frame = {.cloth_count = 2, .cloth = cloth};
        result = position[0] && position[1] ? write_run(directory, &frame, position)
                                            : weft_fail_memory("positions", sizeof(weft_vec3));
        free(position[1]);
        free(position[0]);
    }
    weft_mesh_destroy(mesh[1]);
    weft_mesh_destroy(mesh[0]);
    return result;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s DIR\n", arguments[0]);
        return 2;
    }
    weft_result result = make(arguments[1]);
    if (result.code != WEFT_OK)
        fprintf(stderr, "%s\n", result.message);
    return result.code != WEFT_OK;
}
