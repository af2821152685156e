/* Writer for PLY: one file per cloth and frame. */
#include <stdlib.h>

#include "io/bytes.h"
#include "io/text.h"
#include "io/writer_parts.h"
#include "weft/vec.h"

typedef struct ply_settings {
    weft_writer_options options;
    int32_t ascii, wide; /* wide: positions as double */
} ply_settings;

/* A file being written. */
typedef struct target {
    const ply_settings *settings;
    const weft_frame_cloth *cloth;
    weft_text *text;
    int wide_count; /* 1: a face has more than 255 corners, so counts need a larger type */
} target;

static int is_open(const weft_frame_cloth *cloth, int32_t f) { return cloth->open_face && cloth->open_face[f]; }

static int64_t face_size(const weft_mesh *mesh, int32_t f) {
    int64_t size = 0;
    int32_t h = mesh->face_halfedge[f];
    do {
        size++;
        h = mesh->next[h];
    } while (h != mesh->face_halfedge[f]);
    return size;
}

static void put_bytes(target *t, uint64_t bits, int size) {
    unsigned char bytes[8];
    weft_bytes_put(bytes, bits, size, 0);
    for (int i = 0; i < size; i++)
        weft_text_put_char(t->text, (char)bytes[i]);
}

static void put_real(target *t, double number, int wide) {
    unsigned char bytes[8];
    if (t->settings->ascii) {
        char buffer[WEFT_REAL_SIZE];
        buffer[wide ? weft_real_write_exact(number, buffer) : weft_real_write(number, buffer)] = '\0';
        weft_text_put(t->text, buffer);
        weft_text_put_char(t->text, ' ');
        return;
    }
    if (wide)
        weft_bytes_put_double(bytes, number, 0);
    else
        weft_bytes_put_float(bytes, number, 0);
    for (int i = 0; i < (wide ? 8 : 4); i++)
        weft_text_put_char(t->text, (char)bytes[i]);
}

static void put_integer(target *t, int64_t number, int size) {
    if (!t->settings->ascii) {
        put_bytes(t, (uint64_t)number, size);
        return;
    }
    weft_text_put_integer(t->text, number);
    weft_text_put_char(t->text, ' ');
}

static void end_row(target *t) {
    if (t->settings->ascii)
        weft_text_put_char(t->text, '\n');
}

/* Strain and stress per face: the average over its triangles, weighted by rest area (face_count x 6). */
static weft_result face_strains(const weft_frame_cloth *cloth, double **values) {
    const weft_mesh *mesh = cloth->mesh;
    size_t size = ((size_t)mesh->face_count + 1) * 7 * sizeof **values;
    double *sum = calloc((size_t)mesh->face_count + 1, 7 * sizeof *sum), *weight = sum + 6 * (size_t)mesh->face_count;
    if (!sum)
        return weft_fail_memory("writing a PLY file", size);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        const weft_vec3 *p = mesh->position;
        double area = weft_length(weft_cross(weft_sub(p[v[1]], p[v[0]]), weft_sub(p[v[2]], p[v[0]])));
        int32_t f = mesh->triangle_face[t];
        weight[f] += area;
        double *own = sum + 6 * (size_t)f;
        for (int k = 0; k < 3; k++) {
            own[k] += area * cloth->strain[t].strain[k];
            own[3 + k] += area * cloth->strain[t].stress[k];
        }
    }
    for (size_t i = 0; i < 6 * (size_t)mesh->face_count; i++)
        sum[i] = weight[i / 6] > 0 ? sum[i] / weight[i / 6] : 0;
    *values = sum;
    return weft_ok();
}

static void put_vertices(target *t, const weft_vec3 *normal) {
    const weft_mesh *mesh = t->cloth->mesh;
    const weft_writer_options *options = &t->settings->options;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 p = weft_writer_point(options, t->cloth->position[v]);
        weft_vec3 n = weft_writer_direction(options, normal[v]);
        const double place[3] = {p.x, p.y, p.z}, direction[3] = {n.x, n.y, n.z};
        for (int i = 0; i < 3; i++)
            put_real(t, place[i], t->settings->wide);
        for (int i = 0; i < 3; i++)
            put_real(t, direction[i], 0);
        if (mesh->uv) {
            put_real(t, mesh->uv[v].x, 0);
            put_real(t, mesh->uv[v].y, 0);
        }
        if (t->cloth->pressure)
            put_real(t, t->cloth->pressure[v], 0);
        end_row(t);
    }
}

static void put_faces(target *t, const double *values) {
    const weft_mesh *mesh = t->cloth->mesh;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        if (is_open(t->cloth, f))
            continue;
        put_integer(t, face_size(mesh, f), t->wide_count ? 4 : 1);
        int32_t h = mesh->face_halfedge[f];
        do {
            put_integer(t, mesh->origin[h], 4);
            h = mesh->next[h];
        } while (h != mesh->face_halfedge[f]);
        for (size_t k = 0; values && k < 6; k++)
            put_real(t, values[6 * (size_t)f + k], 0);
        end_row(t);
    }
}

static void put_header(target *t) {
    const weft_mesh *mesh = t->cloth->mesh;
    const char *type = t->settings->wide ? "double" : "float";
    int64_t faces = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        faces += !is_open(t->cloth, f);
        t->wide_count |= face_size(mesh, f) > 255;
    }
    weft_output *output = t->text->output;
    weft_output_print(output, "ply\nformat %s 1.0\ncomment Weft %s\nelement vertex %d\n",
                      t->settings->ascii ? "ascii" : "binary_little_endian", weft_version(), mesh->vertex_count);
    weft_output_print(output, "property %s x\nproperty %s y\nproperty %s z\n", type, type, type);
    weft_output_print(output, "property float nx\nproperty float ny\nproperty float nz\n%s%s",
                      mesh->uv ? "property float s\nproperty float t\n" : "",
                      t->cloth->pressure ? "property float pressure\n" : "");
    weft_output_print(output, "element face %lld\nproperty list %s int vertex_indices\n", (long long)faces,
                      t->wide_count ? "int" : "uchar");
    if (t->cloth->strain)
        weft_output_print(output,
                          "property float strain_weft\nproperty float strain_warp\nproperty float strain_shear\n"
                          "property float stress_weft\nproperty float stress_warp\nproperty float stress_shear\n");
    weft_output_print(output, "end_header\n");
}

static weft_result write_file(const ply_settings *settings, const weft_frame_cloth *cloth, const weft_vec3 *normal,
                              const double *values, const char *path) {
    weft_output output;
    weft_text text;
    WEFT_TRY(weft_output_open(&output, path));
    target t = {.settings = settings, .cloth = cloth, .text = &text};
    weft_text_start(&text, &output);
    put_header(&t);
    put_vertices(&t, normal);
    put_faces(&t, values);
    weft_text_flush(&text);
    return weft_output_commit(&output);
}

static weft_result write_cloth(const ply_settings *settings, const weft_frame_cloth *cloth, const char *path) {
    size_t size = ((size_t)cloth->mesh->vertex_count + 1) * sizeof(weft_vec3);
    weft_vec3 *normal = malloc(size);
    if (!normal)
        return weft_fail_memory("writing a PLY file", size);
    weft_mesh_vertex_normals(cloth->mesh, cloth->position, normal);
    double *values = NULL;
    weft_result result = cloth->strain ? face_strains(cloth, &values) : weft_ok();
    if (result.code == WEFT_OK)
        result = write_file(settings, cloth, normal, values, path);
    free(values);
    free(normal);
    return result;
}

/* -- the writer -- */

static weft_result open_sequence(const void *settings, const weft_take *take, const weft_frame *first, void **self) {
    return weft_sequence_open(settings, sizeof(ply_settings), take, first, "ply", self);
}

static weft_result write_frame(void *self, const weft_frame *frame) {
    const weft_sequence *s = self;
    for (int32_t c = 0; c < frame->cloth_count; c++) {
        char path[WEFT_PATH_SIZE];
        WEFT_TRY(weft_writer_path(s->directory, frame->cloth[c].name, frame->index, "ply", path));
        WEFT_TRY(write_cloth(s->settings, &frame->cloth[c], path));
    }
    return weft_ok();
}

static const weft_param PARAMS[] = {WEFT_WRITER_ROWS,
                                    {.name = "ascii",
                                     .type = WEFT_BOOL,
                                     .offset = offsetof(ply_settings, ascii),
                                     .high = 1,
                                     .fallback = "false",
                                     .unit = "",
                                     .help = "write text instead of little-endian binary"},
                                    {.name = "double",
                                     .type = WEFT_BOOL,
                                     .offset = offsetof(ply_settings, wide),
                                     .high = 1,
                                     .fallback = "false",
                                     .unit = "",
                                     .help = "write positions as 64-bit numbers"},
                                    {.name = NULL}};
static const weft_writer_functions FUNCTIONS = {open_sequence, write_frame, weft_sequence_sync, weft_sequence_close,
                                                weft_sequence_check};

const weft_component WEFT_PLY_WRITER = {.abi = WEFT_ABI,
                                        .kind = WEFT_WRITER,
                                        .name = "ply",
                                        .help = "one PLY file per cloth and frame",
                                        .settings_size = sizeof(ply_settings),
                                        .params = PARAMS,
                                        .functions = &FUNCTIONS,
                                        .paper = ""};
