#include "io_support.h"

#include <math.h>

#include "io/bytes.h"
#include "weft-io/mesh_file.h"
#include "weft-io/take.h"
#include "weft/vec.h"

enum { FRAMES = 6, LINKS = 3, CORNERS = 4 };

/* A grid; a strip of two quads with strains and with a seam in its texture coordinates; and two tetrahedra as bodies,
 * of which one moves. */
typedef struct stage {
    weft_mesh *mesh[2];
    weft_vec3 *position[2];
    uint8_t *open[2];
    weft_strain strain[4]; /* of the strip */
    weft_link link[LINKS];
    weft_frame_cloth cloth[2];
    weft_take_links links[2];
    weft_vec3 corner[2][CORNERS];
    weft_frame_body body[2];
    weft_frame frame;
} stage;

static const int32_t TETRAHEDRON[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

/* A multiple of 1/1024 m is exact in single precision. */
static double on_grid(double x) { return floor(1024 * x + 0.5) / 1024; }

static void set_frame(stage *s, int64_t index) {
    s->frame.index = index;
    s->frame.time = (double)index / 24;
    for (int c = 0; c < 2; c++) {
        for (int32_t v = 0; v < s->mesh[c]->vertex_count; v++) {
            weft_vec3 p = s->mesh[c]->position[v];
            s->position[c][v] =
                (weft_vec3){on_grid(p.x + sin((double)index + v)), on_grid(p.y - (double)(index * index)),
                            on_grid(p.z + cos(3.0 * (double)index + p.x))};
        }
        for (int32_t f = 0; f < s->mesh[c]->face_count; f++)
            s->open[c][f] = index >= 2 && f % 3 == 1;
    }
    for (int v = 0; v < CORNERS; v++)
        s->corner[1][v] = weft_vec3_make(v == 1 ? 2 : 0, v == 2 ? 3 : 0.125 * (double)index, v == 3);
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 3; k++) {
            s->strain[t].strain[k] = on_grid(sin((double)(index + 10 * t + k)));
            s->strain[t].stress[k] = on_grid(100 * cos((double)(index + 10 * t + k)));
        }
    for (int i = 0; i < LINKS; i++)
        s->link[i].stiffness = index >= 2 + i ? 0 : 5;
}

static void build(stage *s) {
    *s = (stage){0};
    weft_grid grid = weft_grid_default();
    grid.cells[0] = 7;
    grid.cells[1] = 4;
    assert_ok(weft_mesh_create_grid(&grid, &s->mesh[0]));
    static const char STRIP[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                                "vt 5 0\nvt 6 0\nvt 6 1\nvt 5 1\nf 1/1 2/2 3/3 4/4\nf 2/5 5/6 6/7 3/8\n";
    assert_ok(weft_obj_read_memory(STRIP, sizeof STRIP - 1, "strip", &s->mesh[1]));
    for (int c = 0; c < 2; c++) {
        s->position[c] = calloc((size_t)s->mesh[c]->vertex_count, sizeof(weft_vec3));
        s->open[c] = calloc((size_t)s->mesh[c]->face_count, 1);
        assert_non_null(s->position[c]);
        assert_non_null(s->open[c]);
        s->cloth[c] = (weft_frame_cloth){
            .name = c ? "strip" : "flag", .mesh = s->mesh[c], .position = s->position[c], .open_face = s->open[c]};
    }
    assert_int_equal(s->mesh[1]->triangle_count, 4);
    s->cloth[1].strain = s->strain;
    for (int i = 0; i < LINKS; i++)
        s->link[i] = (weft_link){.a = i, .b = i + 2, .type = i, .rest_length = 0.25 * (i + 1)};
    s->links[0] = (weft_take_links){s->link, LINKS};
    for (int b = 0; b < 2; b++)
        s->body[b] = (weft_frame_body){.name = b ? "hand" : "rock",
                                       .position = s->corner[b],
                                       .vertex_count = CORNERS,
                                       .triangle = TETRAHEDRON,
                                       .triangle_count = 4,
                                       .moves = b};
    for (int v = 0; v < CORNERS; v++)
        s->corner[0][v] = weft_vec3_make(v == 1, v == 2, v == 3);
    s->frame = (weft_frame){.cloth_count = 2, .cloth = s->cloth, .body_count = 2, .body = s->body};
    set_frame(s, 0);
}

static void clear(stage *s) {
    for (int c = 0; c < 2; c++) {
        free(s->open[c]);
        free(s->position[c]);
        weft_mesh_destroy(s->mesh[c]);
    }
}

static weft_take take_from(int64_t first) {
    return (weft_take){
        .directory = in_folder(""), .name = "scene", .rate = 24, .frame_count = FRAMES, .first_frame = first};
}

/* Writes frames first .. last - 1. Returns the result of closing. */
static weft_result write_frames(stage *s, int64_t first, int64_t last, int finished) {
    weft_take_writer *writer;
    weft_take take = take_from(first);
    set_frame(s, 0);
    WEFT_TRY(weft_take_writer_open(&take, &s->frame, s->links, &writer));
    for (int64_t i = first; i < last; i++) {
        set_frame(s, i);
        assert_ok(weft_take_writer_write_frame(writer, &s->frame, s->links));
    }
    assert_ok(weft_take_writer_sync(writer));
    return weft_take_writer_close(writer, finished);
}

static void make_state(const weft_take_reader *reader, weft_take_state *state) {
    for (int32_t c = 0; c < reader->cloth_count; c++) {
        state[c] = (weft_take_state){calloc((size_t)reader->cloth[c].vertex_count, sizeof(weft_vec3)),
                                     calloc((size_t)reader->cloth[c].face_count, 1),
                                     calloc((size_t)reader->cloth[c].link_count + 1, 1),
                                     calloc((size_t)reader->cloth[c].triangle_count, sizeof(weft_strain)), NULL};
        assert_true(state[c].position && state[c].open_face && state[c].broken && state[c].strain);
    }
}

static void free_state(weft_take_state *state, int count) {
    for (int c = 0; c < count; c++) {
        free(state[c].position);
        free(state[c].open_face);
        free(state[c].broken);
        free(state[c].strain);
    }
}

static void check_cloth(const weft_take_cloth *there, const weft_frame_cloth *cloth) {
    const weft_mesh *mesh = cloth->mesh;
    assert_string_equal(there->name, cloth->name);
    assert_int_equal(there->vertex_count, mesh->vertex_count);
    assert_int_equal(there->face_count, mesh->face_count);
    assert_int_equal(there->triangle_count, mesh->triangle_count);
    assert_memory_equal(there->triangle, mesh->triangle, (size_t)mesh->triangle_count * sizeof *mesh->triangle);
    assert_memory_equal(there->triangle_face, mesh->triangle_face, (size_t)mesh->triangle_count * sizeof(int32_t));
    /* walks around each face by the half-edges */
    for (int32_t f = 0, corner = 0; f < mesh->face_count; corner += there->face_size[f++]) {
        int32_t h = mesh->face_halfedge[f], offset = 0, size = 0;
        while (offset < there->face_size[f] && there->corner[corner + offset] != mesh->origin[h])
            offset++;
        do {
            int32_t at = corner + (offset + size) % there->face_size[f];
            assert_int_equal(there->corner[at], mesh->origin[h]);
            assert_float_equal(there->corner_uv[at].x, mesh->halfedge_uv[h].x, 1e-6);
            assert_float_equal(there->corner_uv[at].y, mesh->halfedge_uv[h].y, 1e-6);
            h = mesh->next[h];
            size++;
        } while (h != mesh->face_halfedge[f]);
        assert_int_equal(there->face_size[f], size);
    }
}

static void check_bodies(stage *s, weft_take_reader *reader, int64_t index) {
    assert_int_equal(reader->body_count, 2);
    for (int b = 0; b < 2; b++) {
        const weft_take_body *there = &reader->body[b];
        weft_vec3 position[CORNERS];
        assert_string_equal(there->name, s->body[b].name);
        assert_int_equal(there->moves, b);
        assert_int_equal(there->vertex_count, CORNERS);
        assert_int_equal(there->triangle_count, 4);
        assert_memory_equal(there->triangle, TETRAHEDRON, sizeof TETRAHEDRON);
        assert_ok(weft_take_reader_read_body(reader, index, b, position));
        for (int v = 0; v < CORNERS; v++)
            assert_true(weft_distance(position[v], s->corner[b][v]) == 0);
    }
}

static void check_frame(stage *s, weft_take_reader *reader, weft_take_state *state, int64_t index) {
    set_frame(s, index);
    assert_ok(weft_take_reader_read_frame(reader, index, state));
    for (int c = 0; c < 2; c++) {
        for (int32_t v = 0; v < s->mesh[c]->vertex_count; v++) {
            assert_true(state[c].position[v].x == s->position[c][v].x);
            assert_true(state[c].position[v].y == s->position[c][v].y);
            assert_true(state[c].position[v].z == s->position[c][v].z);
        }
        assert_memory_equal(state[c].open_face, s->open[c], (size_t)s->mesh[c]->face_count);
    }
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 3; k++) {
            assert_true(state[1].strain[t].strain[k] == s->strain[t].strain[k]);
            assert_true(state[1].strain[t].stress[k] == s->strain[t].stress[k]);
        }
    for (int i = 0; i < LINKS; i++)
        assert_int_equal(state[0].broken[i], s->link[i].stiffness == 0);
    check_bodies(s, reader, index);
}

static void frames_read_back_in_any_order(void **unused) {
    (void)unused;
    stage s;
    build(&s);
    assert_ok(write_frames(&s, 0, FRAMES, 1));
    assert_false(exists(in_folder("frames.weft.part")));
    weft_take_reader reader;
    weft_take_state state[2];
    assert_ok(weft_take_reader_open(in_folder("frames.weft"), 0, &reader));
    assert_string_equal(reader.name, "scene");
    assert_true(reader.rate == 24 && reader.frame_count == FRAMES && reader.frame_wanted == FRAMES);
    assert_int_equal(reader.cloth_count, 2);
    for (int c = 0; c < 2; c++)
        check_cloth(&reader.cloth[c], &s.cloth[c]);
    assert_int_equal(reader.cloth[0].link_count, LINKS);
    assert_true(!reader.cloth[0].has_strain && reader.cloth[1].has_strain);
    for (int i = 0; i < LINKS; i++) {
        assert_int_equal(reader.cloth[0].link[i].a, i);
        assert_int_equal(reader.cloth[0].link[i].b, i + 2);
        assert_int_equal(reader.cloth[0].link[i].type, i);
        assert_true(reader.cloth[0].link[i].rest_length == 0.25 * (i + 1));
    }
    make_state(&reader, state);
    static const int64_t ORDER[] = {FRAMES - 1, 0, 3, 2, 2, 4, 1};
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++)
        check_frame(&s, &reader, state, ORDER[i]);
    assert_refused(weft_take_reader_read_frame(&reader, FRAMES, state), WEFT_BAD_INPUT, "there are 0 to 5");
    assert_refused(weft_take_reader_read_frame(&reader, -1, state), WEFT_BAD_INPUT, "no frame -1");
    weft_vec3 corner[CORNERS];
    assert_refused(weft_take_reader_read_body(&reader, FRAMES, 1, corner), WEFT_BAD_INPUT, "there are 0 to 5");
    assert_refused(weft_take_reader_read_body(&reader, 0, 2, corner), WEFT_BAD_INPUT, "no body 2");
    free_state(state, 2);
    weft_take_reader_close(&reader);
    clear(&s);
}

static void resumed_take_is_bit_identical(void **unused) {
    (void)unused;
    stage s;
    size_t whole_size, size;
    build(&s);
    assert_ok(write_frames(&s, 0, FRAMES, 1));
    char *whole = read_text(in_folder("frames.weft"), &whole_size);
    assert_int_equal(unlink(in_folder("frames.weft")), 0);
    assert_ok(write_frames(&s, 0, 4, 0)); /* frame 3 is in no checkpoint and is written again */
    assert_false(exists(in_folder("frames.weft")));
    assert_ok(write_frames(&s, 3, FRAMES, 1));
    char *again = read_text(in_folder("frames.weft"), &size);
    assert_int_equal(size, whole_size);
    assert_memory_equal(again, whole, size);
    free(again);
    /* a run that was interrupted while it closed its files */
    assert_ok(write_frames(&s, 3, FRAMES, 1));
    again = read_text(in_folder("frames.weft"), &size);
    assert_int_equal(size, whole_size);
    assert_memory_equal(again, whole, size);
    /* a take of another scene */
    s.link[1].rest_length = 9;
    assert_refused(write_frames(&s, 3, FRAMES, 1), WEFT_BAD_FILE, "made with other");
    s.link[1].rest_length = 0.5;
    s.corner[0][2].x = 9;
    assert_refused(write_frames(&s, 3, FRAMES, 1), WEFT_BAD_FILE, "made with other");
    s.corner[0][2].x = 0;
    /* a take with too few frames is not finished */
    assert_refused(write_frames(&s, 3, FRAMES - 1, 1), WEFT_BAD_FILE, "closed after 5 of 6 frames");
    assert_true(exists(in_folder("frames.weft.part")));
    assert_int_equal(unlink(in_folder("frames.weft.part")), 0);
    assert_refused(write_frames(&s, 3, FRAMES, 1), WEFT_BAD_FILE, "frames.weft.part: No such file");
    free(again);
    free(whole);
    clear(&s);
}

static void refuses_frames_of_wrong_shape(void **unused) {
    (void)unused;
    stage s;
    weft_take_writer *writer;
    build(&s);
    weft_take take = take_from(0);
    assert_ok(weft_take_writer_open(&take, &s.frame, s.links, &writer));
    set_frame(&s, 1);
    assert_refused(weft_take_writer_write_frame(writer, &s.frame, s.links), WEFT_UNSUPPORTED, "frame 0 of 6");
    set_frame(&s, 0);
    s.links[0].count = 2;
    assert_refused(weft_take_writer_write_frame(writer, &s.frame, s.links), WEFT_UNSUPPORTED, "2 links");
    s.links[0].count = LINKS;
    s.position[1][2].y = 1e300;
    assert_refused(weft_take_writer_write_frame(writer, &s.frame, s.links), WEFT_BAD_INPUT, "not finite");
    set_frame(&s, 0);
    assert_ok(weft_take_writer_write_frame(writer, &s.frame, s.links));
    assert_ok(weft_take_writer_close(writer, 0));
    take.frame_count = 0;
    assert_refused(weft_take_writer_open(&take, &s.frame, s.links, &writer), WEFT_BAD_INPUT, "not 0");
    take = take_from(0);
    take.directory = in_folder("nowhere");
    assert_refused(weft_take_writer_open(&take, &s.frame, s.links, &writer), WEFT_BAD_FILE, "No such file");
    clear(&s);
}

/* A truncated take is refused with the present and required numbers of bytes. If unfinished takes are allowed, its
 * complete frames can be read. */
static void reports_truncation(void **unused) {
    (void)unused;
    stage s;
    size_t size;
    build(&s);
    assert_ok(write_frames(&s, 0, FRAMES, 1));
    char *bytes = read_text(in_folder("frames.weft"), &size);
    size_t header = (size_t)weft_bytes_get((unsigned char *)bytes + 16, 8, 0), frame = (size - header) / FRAMES;
    assert_int_equal(header + FRAMES * frame, size);
    for (size_t cut = 0; cut < size; cut += cut < header + 20 ? 1 : 37) {
        weft_take_reader reader;
        char numbers[80];
        char *copy = malloc(cut + 1); /* of exact size, so that the address sanitizer detects a read past the end */
        assert_non_null(copy);
        memcpy(copy, bytes, cut);
        assert_refused(weft_take_reader_open_memory(copy, cut, "cut", 0, &reader), WEFT_BAD_INPUT, "truncated");
        snprintf(numbers, sizeof numbers, "%zu bytes there, %zu needed", cut,
                 cut < 40       ? 40
                 : cut < header ? header
                                : size);
        assert_refused(weft_take_reader_open_memory(copy, cut, "cut", 0, &reader), WEFT_BAD_INPUT, numbers);
        weft_result result = weft_take_reader_open_memory(copy, cut, "cut", 1, &reader);
        assert_int_equal(result.code, cut < header + frame ? WEFT_BAD_INPUT : WEFT_OK);
        if (result.code == WEFT_OK) {
            assert_int_equal(reader.frame_count, (cut - header) / frame);
            assert_int_equal(reader.frame_wanted, FRAMES);
        }
        weft_take_reader_close(&reader);
        free(copy);
    }
    free(bytes);
    clear(&s);
}

/* Changes every byte of the header. The file is refused, or all indices are still in range. */
static void survives_damaged_headers(void **unused) {
    (void)unused;
    stage s;
    size_t size;
    build(&s);
    assert_ok(write_frames(&s, 0, FRAMES, 1));
    char *bytes = read_text(in_folder("frames.weft"), &size);
    size_t header = (size_t)weft_bytes_get((unsigned char *)bytes + 16, 8, 0);
    int refused = 0;
    for (size_t at = 0; at < header; at++) {
        weft_take_reader reader;
        char old = bytes[at];
        bytes[at] = (char)(old ^ 0x81);
        refused += weft_take_reader_open_memory(bytes, size, "damaged", 0, &reader).code != WEFT_OK;
        for (int32_t c = 0; c < reader.cloth_count; c++)
            for (int32_t i = 0; i < 3 * reader.cloth[c].triangle_count; i++)
                assert_in_range(reader.cloth[c].triangle[i], 0, reader.cloth[c].vertex_count - 1);
        for (int32_t b = 0; b < reader.body_count; b++)
            for (int32_t i = 0; i < 3 * reader.body[b].triangle_count; i++)
                assert_in_range(reader.body[b].triangle[i], 0, reader.body[b].vertex_count - 1);
        weft_take_reader_close(&reader);
        bytes[at] = old;
    }
    assert_true(refused > 100);
    weft_take_reader reader;
    weft_take_state state[2];
    bytes[0] = 'X';
    assert_refused(weft_take_reader_open_memory(bytes, size, "t", 0, &reader), WEFT_BAD_INPUT, "not a take");
    bytes[0] = 'W';
    bytes[8] = 9;
    assert_refused(weft_take_reader_open_memory(bytes, size, "t", 0, &reader), WEFT_BAD_INPUT, "version 9");
    bytes[8] = 2;
    memcpy(bytes + header + 12, "\0\0\xc0\x7f", 4); /* NaN as x of vertex 1 */
    assert_ok(weft_take_reader_open_memory(bytes, size, "t", 0, &reader));
    make_state(&reader, state);
    assert_refused(weft_take_reader_read_frame(&reader, 0, state), WEFT_BAD_INPUT,
                   "frame 0, cloth 'flag', vertex 1 is not finite");
    assert_ok(weft_take_reader_read_frame(&reader, 1, state));
    weft_vec3 corner[CORNERS];
    memcpy(bytes + size - 12, "\0\0\xc0\x7f", 4); /* the last corner of the moving body */
    assert_refused(weft_take_reader_read_body(&reader, FRAMES - 1, 1, corner), WEFT_BAD_INPUT,
                   "frame 5, body 'hand', vertex 3 is not finite");
    assert_ok(weft_take_reader_read_body(&reader, FRAMES - 2, 1, corner));
    free_state(state, 2);
    weft_take_reader_close(&reader);
    assert_refused(weft_take_reader_open(in_folder("missing"), 0, &reader), WEFT_BAD_FILE, "No such file");
    assert_refused(weft_take_reader_open(in_folder(""), 0, &reader), WEFT_BAD_FILE, "Is a directory");
    free(bytes);
    clear(&s);
}

static void refuses_damaged_bodies(void **unused) {
    (void)unused;
    stage s;
    size_t size;
    build(&s);
    assert_ok(write_frames(&s, 0, FRAMES, 1));
    char *bytes = read_text(in_folder("frames.weft"), &size);
    unsigned char *hand = (unsigned char *)bytes + weft_bytes_get((unsigned char *)bytes + 16, 8, 0) - 48 - 12 - 4;
    assert_memory_equal(hand, "hand", 4);
    /* the fields after the name, each with an invalid number */
    static const struct {
        int at;
        uint32_t number;
        const char *message;
    } DAMAGE[] = {{4, 2, "flag for motion is not 0 or 1"},
                  {8, 0xffffffff, "count out of range"},
                  {8, 3, "index out of range"},
                  {8, 5, "truncated"},
                  {12, 0xffffffff, "count out of range"},
                  {12, 5, "shorter than its counts"},
                  {12, 3, "longer than its counts"},
                  {16 + 44, 4, "index out of range"},
                  {-4, 0, "the name of a body"},
                  {-4, 300, "the name of a body"},
                  {-4 - 48 - 48 - 12 - 4 - 4 - 4, 1000, "the number of bodies"}};
    for (size_t i = 0; i < sizeof DAMAGE / sizeof *DAMAGE; i++) {
        weft_take_reader reader;
        unsigned char *at = hand + DAMAGE[i].at, old[4];
        memcpy(old, at, 4);
        weft_bytes_put(at, DAMAGE[i].number, 4, 0);
        assert_refused(weft_take_reader_open_memory(bytes, size, "t", 0, &reader), WEFT_BAD_INPUT, DAMAGE[i].message);
        memcpy(at, old, 4);
    }
    s.corner[0][1].x = NAN;
    assert_refused(write_frames(&s, 0, FRAMES, 1), WEFT_BAD_INPUT, "body 'rock' has a position");
    free(bytes);
    clear(&s);
}

/* The header of version 1 ends after the cloths. */
static void reads_version_1(void **unused) {
    (void)unused;
    stage s;
    size_t size;
    build(&s);
    s.frame.body_count = 0;
    assert_ok(write_frames(&s, 0, FRAMES, 1));
    char *bytes = read_text(in_folder("frames.weft"), &size);
    size_t header = (size_t)weft_bytes_get((unsigned char *)bytes + 16, 8, 0);
    memmove(bytes + header - 4, bytes + header, size - header);
    weft_bytes_put((unsigned char *)bytes + 8, 1, 4, 0);
    weft_bytes_put((unsigned char *)bytes + 16, header - 4, 8, 0);
    weft_take_reader reader;
    weft_take_state state[2];
    assert_ok(weft_take_reader_open_memory(bytes, size - 4, "t", 0, &reader));
    assert_int_equal(reader.body_count, 0);
    make_state(&reader, state);
    set_frame(&s, 4);
    assert_ok(weft_take_reader_read_frame(&reader, 4, state));
    assert_memory_equal(state[1].position, s.position[1], (size_t)s.mesh[1]->vertex_count * sizeof(weft_vec3));
    free_state(state, 2);
    weft_take_reader_close(&reader);
    free(bytes);
    clear(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_read_back_in_any_order),
                                       cmocka_unit_test(resumed_take_is_bit_identical),
                                       cmocka_unit_test(refuses_frames_of_wrong_shape),
                                       cmocka_unit_test(reports_truncation),
                                       cmocka_unit_test(survives_damaged_headers),
                                       cmocka_unit_test(refuses_damaged_bodies),
                                       cmocka_unit_test(reads_version_1)};
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
