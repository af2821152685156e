#include "io_support.h"

#include "io/bytes.h"
#include "weft-io/mesh_file.h"

static weft_result parse(const char *text, weft_mesh **mesh) {
    return weft_ply_read_memory(text, strlen(text), "a.ply", mesh);
}

#define assert_bad(text, excerpt)                                                                                      \
    do {                                                                                                               \
        weft_mesh *none;                                                                                               \
        assert_refused(parse(text, &none), WEFT_BAD_INPUT, excerpt);                                                   \
        assert_null(none);                                                                                             \
    } while (0)

#define HEAD   "ply\nformat ascii 1.0\n"
#define XYZ    "property float x\nproperty float y\nproperty float z\n"
#define FACE   "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define POINTS "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"

static void ascii_file_is_read(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(parse(HEAD "comment by hand\nobj_info none\nelement vertex 4\n" XYZ FACE POINTS "4 0 1 2 3\n", &mesh));
    assert_int_equal(mesh->face_count, 1);
    assert_int_equal(mesh->vertex_count, 4);
    assert_true(mesh->position[2].x == 1 && mesh->position[2].y == 1);
    assert_null(mesh->uv);
    weft_mesh_destroy(mesh);
    assert_ok(parse("ply\r\nformat ascii 1.0\r\nelement vertex 3\r\nproperty double x\r\nproperty double y\r\nproperty "
                    "double z\r\nelement face 1\r\nproperty list uchar int vertex_index\r\nend_header\r\n0 0 0\r\n1 0 "
                    "0\r\n0 1 0\r\n3 0 1 2\r\n",
                    &mesh));
    weft_mesh_destroy(mesh);
}

#define NORMAL "property float nx\nproperty float ny\nproperty float nz\n"
#define FOLD                                                                                                           \
    "element vertex 8\n" XYZ NORMAL "element face 2\nproperty list uchar int vertex_indices\nend_header\n"             \
    "0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n1 0 0 1 0 0\n1 0 -1 1 0 0\n1 1 -1 1 0 0\n1 1 -0 1 0 0\n"      \
    "4 0 1 2 3\n4 4 5 6 7\n"

/* Blender writes a vertex once for each normal. Its faces must stay connected. Cracks in Weft's own files stay open. */
static void vertices_split_by_normals_are_joined(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(parse(HEAD "comment Created by Blender 3.4.1\n" FOLD, &mesh));
    assert_int_equal(mesh->vertex_count, 6);
    assert_int_equal(mesh->boundary_count, 1);
    assert_int_equal(mesh->input_vertex_count, 8);
    assert_null(weft_mesh_flaw(mesh));
    weft_mesh_destroy(mesh);
    assert_ok(parse(HEAD "comment Weft 0.2.0\n" FOLD, &mesh));
    assert_int_equal(mesh->vertex_count, 8);
    weft_mesh_destroy(mesh);
}

/* Two sheets at the same place cannot be joined to a surface and stay apart. */
static void coincident_sheets_stay_apart(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(parse(HEAD "element vertex 8\n" XYZ "element face 2\nproperty list uchar int vertex_indices\n"
                         "end_header\n" POINTS POINTS "4 0 1 2 3\n4 4 5 6 7\n",
                    &mesh));
    assert_int_equal(mesh->vertex_count, 8);
    weft_mesh_destroy(mesh);
}

static void unknown_elements_and_properties_are_skipped(void **state) {
    (void)state;
    static const char *const PAIRS[][2] = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
    for (int i = 0; i < 3; i++) {
        char text[800];
        weft_mesh *mesh;
        snprintf(text, sizeof text,
                 HEAD "element odd 2\nproperty list int float nothing\nproperty short n\nelement vertex 3\n"
                      "property uchar red\n" XYZ "property float %s\nproperty float %s\nproperty float quality\n"
                      "element face 1\nproperty uchar flags\nproperty list uint uint vertex_indices\n"
                      "property list uchar float more\nelement empty 7\nend_header\n"
                      "2 1 2 5\n0 6\n255 0 0 0 7 8 nan\n255 1 0 0 9 8 1\n255 0 1 0 7 10 1\n1 3 0 1 2 0\n",
                 PAIRS[i][0], PAIRS[i][1]);
        assert_ok(parse(text, &mesh));
        assert_non_null(mesh->uv);
        assert_true(mesh->uv[1].x == 9 && mesh->uv[2].y == 10);
        weft_mesh_destroy(mesh);
    }
}

/* A square with every number type, in either byte order. */
static size_t build(unsigned char *at, int big) {
    const unsigned char *start = at;
    at += sprintf((char *)at,
                  "ply\nformat binary_%s_endian 1.0\nelement extra 1\nproperty list ushort double d\nproperty char c\n"
                  "element vertex 4\nproperty int8 a\nproperty float x\nproperty double y\nproperty int16 z\n"
                  "property uint32 id\nelement face 2\nproperty list uint8 int32 vertex_indices\nend_header\n",
                  big ? "big" : "little");
    weft_bytes_put(at, 2, 2, big), at += 2;
    weft_bytes_put_double(at, 1.5, big), at += 8;
    weft_bytes_put_double(at, 2.5, big), at += 8;
    *at++ = 1;
    for (int v = 0; v < 4; v++) {
        *at++ = 9;
        weft_bytes_put_float(at, v == 1 || v == 2 ? 0.5 : -0.5, big), at += 4;
        weft_bytes_put_double(at, v >= 2 ? 1.1 : 0.1, big), at += 8;
        weft_bytes_put(at, (uint64_t)(int64_t)-300, 2, big), at += 2;
        weft_bytes_put(at, UINT32_MAX, 4, big), at += 4;
    }
    static const int FACES[2][3] = {{0, 1, 2}, {0, 2, 3}};
    for (int f = 0; f < 2; f++) {
        *at++ = 3;
        for (int c = 0; c < 3; c++, at += 4)
            weft_bytes_put(at, (uint64_t)FACES[f][c], 4, big);
    }
    return (size_t)(at - start);
}

static void binary_files_of_both_byte_orders_are_read(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        unsigned char bytes[1000];
        size_t size = build(bytes, big);
        weft_mesh *mesh;
        assert_ok(weft_ply_read_memory((char *)bytes, size, "b.ply", &mesh));
        assert_int_equal(mesh->face_count, 2);
        assert_true(mesh->position[1].x == 0.5 && mesh->position[2].y == 1.1 && mesh->position[3].z == -300);
        weft_mesh_destroy(mesh);
    }
}

static void every_truncation_is_refused(void **state) {
    (void)state;
    unsigned char bytes[1000];
    size_t size = build(bytes, 0);
    weft_mesh *mesh;
    for (size_t cut = 0; cut < size; cut++) {
        char *exact = malloc(cut > 0 ? cut : 1); /* of exact size, so that the address sanitizer detects a read past the
                                                  * end */
        assert_non_null(exact);
        memcpy(exact, bytes, cut);
        assert_refused(weft_ply_read_memory(exact, cut, "b.ply", &mesh), WEFT_BAD_INPUT,
                       cut < 4 ? "b.ply: not a PLY file" : "truncated");
        free(exact);
    }
    assert_refused(weft_ply_read_memory((char *)bytes, size - 2, "b.ply", &mesh), WEFT_BAD_INPUT, "in face 1 of 2");
}

static void messages_name_the_line(void **state) {
    (void)state;
    assert_bad("solid\n", "a.ply: not a PLY file");
    assert_bad("ply\nformat utf8 1.0\n", "a.ply:2: unknown format 'utf8'");
    assert_bad("ply\nelement vertex 3\n" XYZ FACE, "one 'format' line, 0 are there");
    assert_bad(HEAD "element vertex 3\n" XYZ "end_header\n", "the elements 'vertex' and 'face' are needed");
    assert_bad(HEAD "element vertex 3\nproperty float x\nproperty float y\n" FACE, "needs the properties x, y and z");
    assert_bad(HEAD "element vertex 3\nproperty half x\n", "a.ply:4: unknown type 'half'");
    assert_bad(HEAD "element vertex 3\nproperty float x\nproperty float x\n", "a.ply:5: a second property 'x'");
    assert_bad(HEAD "element vertex -3\n", "a.ply:3: an element needs");
    assert_bad(HEAD "property float x\n", "a.ply:3: a property before");
    assert_bad(HEAD "vertices 3\n", "a.ply:3: unknown statement 'vertices'");
    assert_bad(HEAD "element vertex 3\nproperty list float int x\n", "a.ply:4: a list needs a whole number");
    assert_bad(HEAD "element vertex 4\n" XYZ FACE POINTS "4 0 1 2 4\n",
               "a.ply:14: face 0: vertex index out of range: 4");
    assert_bad(HEAD "element vertex 4\n" XYZ FACE POINTS "4 0 1 2 -1\n", "vertex index out of range: -1");
    assert_bad(HEAD "element vertex 4\n" XYZ FACE POINTS "4 0 1 2 2.5\n", "vertex index out of range: 2.5");
    assert_bad(HEAD "element vertex 4\n" XYZ FACE POINTS "2 0 1 0 0\n", "at least 3 corners, not 2");
    assert_bad(HEAD "element vertex 4\n" XYZ FACE "0 0 0\n1 nan 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
               "a.ply:11: vertex 1: not a finite number");
    assert_bad(HEAD "element vertex 4\n" XYZ FACE POINTS "4 0 1 2\n", "a.ply:14: truncated in face 0");
    assert_bad(HEAD "element vertex 4\n" XYZ FACE POINTS "200 0 1 2\n", "truncated");
}

/* Counts that no file could contain are refused before memory is allocated. */
static void impossible_counts_are_refused(void **state) {
    (void)state;
    assert_bad(HEAD "element vertex 900000000000000\n" XYZ FACE POINTS "4 0 1 2 3\n", "at most 100000000 are allowed");
    assert_bad(HEAD "element vertex 90000000\n" XYZ FACE POINTS "4 0 1 2 3\n",
               "90000000 rows of 'vertex' need at least");
    assert_bad("ply\nformat binary_little_endian 1.0\nelement junk 900000000000000\nproperty list uchar int i\n"
               "element vertex 3\n" XYZ FACE,
               "rows of 'junk' need at least");
    assert_bad(HEAD "element vertex 3\n" XYZ
                    "element face 999999999\nproperty list uchar int vertex_indices\nend_header\n"
                    "0 0 0 1 0 0 1 1 0 3 0 1 2\n",
               "rows of 'face' need at least");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascii_file_is_read),
        cmocka_unit_test(vertices_split_by_normals_are_joined),
        cmocka_unit_test(coincident_sheets_stay_apart),
        cmocka_unit_test(unknown_elements_and_properties_are_skipped),
        cmocka_unit_test(binary_files_of_both_byte_orders_are_read),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(messages_name_the_line),
        cmocka_unit_test(impossible_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
