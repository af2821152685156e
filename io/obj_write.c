/* Writer for Wavefront OBJ: one file per frame. */
#include <stdlib.h>

#include "io/text.h"
#include "io/writer_parts.h"

/* Index offsets. Indices continue from object to object within a file and start at 1. */
typedef struct offsets {
    int64_t vertex, uv;
} offsets;

static int same(weft_vec2 a, weft_vec2 b) { return a.x == b.x && a.y == b.y; }

/* A half-edge uses the texture coordinates of its vertex unless a seam gives it different ones. */
static int on_seam(const weft_mesh *mesh, int32_t h) {
    return mesh->halfedge_uv && mesh->face[h] != WEFT_NONE && !same(mesh->halfedge_uv[h], mesh->uv[mesh->origin[h]]);
}

static void put_row(weft_text *text, const char *keyword, const double *numbers, int count) {
    weft_text_put(text, keyword);
    for (int i = 0; i < count; i++) {
        weft_text_put_char(text, ' ');
        weft_text_put_real(text, numbers[i]);
    }
    weft_text_put_char(text, '\n');
}

static void put_vectors(weft_text *text, const char *keyword, const weft_vec3 *vector, int32_t count,
                        const weft_writer_options *options, int is_point) {
    for (int32_t v = 0; v < count; v++) {
        weft_vec3 p = is_point ? weft_writer_point(options, vector[v]) : weft_writer_direction(options, vector[v]);
        const double row[3] = {p.x, p.y, p.z};
        put_row(text, keyword, row, 3);
    }
}

/* Writes the texture coordinates. `index` (halfedge_count) receives the index within the object for each corner.
 * Returns the number of coordinates. */
static int64_t put_uv(weft_text *text, const weft_mesh *mesh, int32_t *index) {
    int64_t count = mesh->vertex_count;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        put_row(text, "vt", &mesh->uv[v].x, 2);
    for (int32_t h = 0; h < mesh->halfedge_count; h++) {
        index[h] = mesh->origin[h];
        if (on_seam(mesh, h)) {
            index[h] = (int32_t)count++;
            put_row(text, "vt", &mesh->halfedge_uv[h].x, 2);
        }
    }
    return count;
}

static void put_faces(weft_text *text, const weft_frame_cloth *cloth, const int32_t *uv_index, offsets from) {
    const weft_mesh *mesh = cloth->mesh;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        if (cloth->open_face && cloth->open_face[f])
            continue;
        weft_text_put_char(text, 'f');
        int32_t h = mesh->face_halfedge[f];
        do {
            int64_t vertex = from.vertex + mesh->origin[h];
            weft_text_put_char(text, ' ');
            weft_text_put_integer(text, vertex);
            weft_text_put_char(text, '/');
            if (uv_index)
                weft_text_put_integer(text, from.uv + uv_index[h]);
            weft_text_put_char(text, '/');
            weft_text_put_integer(text, vertex);
            h = mesh->next[h];
        } while (h != mesh->face_halfedge[f]);
        weft_text_put_char(text, '\n');
    }
}

static void put_object(weft_text *text, const weft_frame_cloth *cloth, const weft_writer_options *options,
                       const weft_vec3 *normal, int32_t *uv_index, offsets *from) {
    const weft_mesh *mesh = cloth->mesh;
    weft_text_put(text, "o ");
    weft_text_put(text, cloth->name);
    weft_text_put_char(text, '\n');
    put_vectors(text, "v", cloth->position, mesh->vertex_count, options, 1);
    int64_t uv_count = mesh->uv ? put_uv(text, mesh, uv_index) : 0;
    put_vectors(text, "vn", normal, mesh->vertex_count, options, 0);
    put_faces(text, cloth, mesh->uv ? uv_index : NULL, *from);
    from->vertex += mesh->vertex_count;
    from->uv += uv_count;
}

static weft_result put_objects(weft_text *text, const weft_writer_options *options, const weft_frame *frame) {
    offsets from = {1, 1};
    weft_text_put(text, "# Weft ");
    weft_text_put(text, weft_version());
    weft_text_put_char(text, '\n');
    for (int32_t c = 0; c < frame->cloth_count; c++) {
        const weft_frame_cloth *cloth = &frame->cloth[c];
        size_t vertices = (size_t)cloth->mesh->vertex_count + 1, halfedges = (size_t)cloth->mesh->halfedge_count + 1;
        weft_vec3 *normal = malloc(vertices * sizeof *normal);
        int32_t *uv_index = malloc(halfedges * sizeof *uv_index);
        if (normal && uv_index) {
            weft_mesh_vertex_normals(cloth->mesh, cloth->position, normal);
            put_object(text, cloth, options, normal, uv_index, &from);
        }
        free(uv_index);
        free(normal);
        if (!normal || !uv_index)
            return weft_fail_memory("writing an OBJ file", vertices * sizeof *normal + halfedges * sizeof *uv_index);
    }
    weft_text_flush(text);
    return weft_ok();
}

weft_result weft_obj_write(const char *path, const weft_writer_options *options, const weft_frame *frame) {
    weft_output output;
    weft_text text;
    WEFT_TRY(weft_output_open(&output, path));
    weft_text_start(&text, &output);
    weft_result result = put_objects(&text, options, frame);
    if (result.code == WEFT_OK)
        return weft_output_commit(&output);
    weft_output_discard(&output);
    return result;
}

/* -- the writer -- */

static weft_result open_sequence(const void *settings, const weft_take *take, const weft_frame *first, void **self) {
    return weft_sequence_open(settings, sizeof(weft_writer_options), take, first, "obj", self);
}

static weft_result write_frame(void *self, const weft_frame *frame) {
    const weft_sequence *s = self;
    char path[WEFT_PATH_SIZE];
    WEFT_TRY(weft_writer_path(s->directory, s->name, frame->index, "obj", path));
    return weft_obj_write(path, s->settings, frame);
}

static const weft_param PARAMS[] = {WEFT_WRITER_ROWS, {.name = NULL}};
static const weft_writer_functions FUNCTIONS = {open_sequence, write_frame, weft_sequence_sync, weft_sequence_close,
                                                weft_sequence_check};

const weft_component WEFT_OBJ_WRITER = {.abi = WEFT_ABI,
                                        .kind = WEFT_WRITER,
                                        .name = "obj",
                                        .help = "one OBJ file per frame with all cloths as objects",
                                        .settings_size = sizeof(weft_writer_options),
                                        .params = PARAMS,
                                        .functions = &FUNCTIONS,
                                        .paper = ""};
