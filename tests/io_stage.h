/* A small run for the tests of the writers: two cloths in which every vertex moves differently. */
#ifndef WEFT_TESTS_IO_STAGE_H
#define WEFT_TESTS_IO_STAGE_H

#include <math.h>

#include "io/writer_parts.h"
#include "io_support.h"
#include "weft-io/mesh_file.h"

enum { FRAMES = 5 };

typedef struct stage {
    weft_mesh *mesh[2];
    weft_vec3 *position[2];
    weft_frame_cloth cloth[2];
    weft_frame frame;
} stage;

static inline void set_frame(stage *s, int64_t index) {
    s->frame.index = index;
    s->frame.time = (double)index / 24;
    for (int c = 0; c < 2; c++)
        for (int32_t v = 0; v < s->mesh[c]->vertex_count; v++) {
            weft_vec3 p = s->mesh[c]->position[v];
            double t = s->frame.time;
            s->position[c][v] = (weft_vec3){p.x + 0.1 * sin(t + v), p.y - t * t, p.z + 0.2 * cos(3 * t + p.x)};
        }
}

static inline void build(stage *s) {
    *s = (stage){0};
    weft_grid grid = weft_grid_default();
    grid.cells[0] = 7;
    grid.cells[1] = 4;
    assert_ok(weft_mesh_create_grid(&grid, &s->mesh[0]));
    /* A seam: vertex 1 has different texture coordinates in the second face. */
    static const char STRIP[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                                "vt 5 0\nvt 6 0\nvt 6 1\nvt 5 1\nf 1/1 2/2 3/3 4/4\nf 2/5 5/6 6/7 3/8\n";
    assert_ok(weft_obj_read_memory(STRIP, sizeof STRIP - 1, "strip", &s->mesh[1]));
    for (int c = 0; c < 2; c++) {
        s->position[c] = calloc((size_t)s->mesh[c]->vertex_count, sizeof(weft_vec3));
        assert_non_null(s->position[c]);
        s->cloth[c] = (weft_frame_cloth){.name = c ? "strip" : "flag", .mesh = s->mesh[c], .position = s->position[c]};
    }
    s->frame = (weft_frame){.cloth_count = 2, .cloth = s->cloth};
    set_frame(s, 0);
}

static inline void clear(stage *s) {
    for (int c = 0; c < 2; c++) {
        free(s->position[c]);
        weft_mesh_destroy(s->mesh[c]);
    }
}

/* Writes frames [from, to) of a run. */
static inline weft_result run(const weft_component *writer, const void *settings, stage *s, const char *folder,
                              int64_t frame_count, int64_t from, int64_t to, int finished) {
    const weft_writer_functions *f = writer->functions;
    weft_take take = {in_folder(folder), "scene", 24, frame_count, from};
    assert_ok(weft_directory_make(take.directory));
    set_frame(s, from);
    void *self;
    WEFT_TRY(f->open(settings, &take, &s->frame, &self));
    weft_result result = weft_ok();
    for (int64_t i = from; i < to && result.code == WEFT_OK; i++) {
        set_frame(s, i);
        result = f->frame(self, &s->frame);
        if (result.code == WEFT_OK)
            result = f->sync(self);
    }
    weft_result closed = f->close(self, finished && result.code == WEFT_OK);
    return result.code == WEFT_OK ? closed : result;
}

static inline void assert_near(weft_vec3 a, weft_vec3 b, double tolerance) {
    double far = fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
    if (!(far <= tolerance))
        fail_msg("(%g %g %g) and (%g %g %g)", a.x, a.y, a.z, b.x, b.y, b.z);
}

static inline void assert_same_file(const char *a, const char *b) {
    size_t first, second;
    char *one = read_text(in_folder(a), &first), *two = read_text(in_folder(b), &second);
    assert_int_equal(first, second);
    assert_memory_equal(one, two, first);
    free(one);
    free(two);
}

#endif
