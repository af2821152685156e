#include "io_support.h"

#include <time.h>

#include "weft-io/mesh_file.h"

static weft_result parse(const char *text, weft_mesh **mesh) {
    return weft_obj_read_memory(text, strlen(text), "a.obj", mesh);
}

#define assert_bad(text, excerpt)                                                                                      \
    do {                                                                                                               \
        weft_mesh *none;                                                                                               \
        assert_refused(parse(text, &none), WEFT_BAD_INPUT, excerpt);                                                   \
        assert_null(none);                                                                                             \
    } while (0)

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static int face_corner(const weft_mesh *mesh, int32_t face, int corner) {
    int32_t h = mesh->face_halfedge[face];
    while (corner-- > 0)
        h = mesh->next[h];
    return mesh->origin[h];
}

static void quads_are_kept(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(parse(SQUARE "f 1 2 3 4\n", &mesh));
    assert_int_equal(mesh->face_count, 1);
    assert_int_equal(mesh->triangle_count, 2);
    assert_int_equal(mesh->vertex_count, 4);
    assert_true(mesh->position[2].x == 1 && mesh->position[2].y == 1);
    assert_null(mesh->face_group);
    assert_null(mesh->uv);
    weft_mesh_destroy(mesh);
}

static void all_index_forms_are_read(void **state) {
    (void)state;
    static const char *const FACES[] = {"f 1 2 3 4",
                                        "f 1/1 2/2 3/3 4/4",
                                        "f 1//1 2//1 3//1 4//1",
                                        "f 1/1/1 2/2/1 3/3/1 4/4/1",
                                        "f -4 -3 -2 -1",
                                        "f -4/-4/-1 -3/-3/-1 3/3/1 -1/4/1",
                                        "f 1/ 2/ 3/ 4/",
                                        "f +1 +2 +3 +4"};
    for (size_t i = 0; i < sizeof FACES / sizeof *FACES; i++) {
        char text[400];
        weft_mesh *mesh;
        snprintf(text, sizeof text, SQUARE "vt 0 0\nvt 2 0\nvt 2 2 0.5\nvt 0 2\nvn 0 0 1\n%s\n", FACES[i]);
        assert_ok(parse(text, &mesh));
        int first = 0;
        while (face_corner(mesh, 0, first) != 0)
            first++;
        for (int c = 0; c < 4; c++)
            assert_int_equal(face_corner(mesh, 0, first + c), c);
        assert_true((mesh->uv != NULL) == (i == 1 || i == 3 || i == 5));
        if (mesh->uv)
            assert_true(mesh->uv[2].x == 2 && mesh->uv[2].y == 2 && mesh->uv[1].y == 0);
        weft_mesh_destroy(mesh);
    }
}

/* Windows and old Mac line ends, comments, tabs, continued lines, colours, a byte order mark, a missing last line
 * end. */
static void unusual_valid_files_are_read(void **state) {
    (void)state;
    static const char *const TEXTS[] = {
        "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nf 1 2 3 4\r\n",
        "v 0 0 0\rv 1 0 0\rv 1 1 0\rv 0 1 0\rf 1 2 3 4",
        "\xef\xbb\xbf# comment\n\n" SQUARE "f 1 2 3 4 # quad\n",
        "v\t0 0  0 \nv 1 0 0 0.5 0.5 0.5\nv 1 1 0 1\nv 0 \\\n1 \\\r\n0\nf 1 2\\\n 3 4",
        "mtllib x.mtl\nf 1 2 3 4\n" SQUARE "s 1\nusemtl m\nl 1 2\np 1\nvp 0 1\n",
        "   v 0 0 0\nv 1e0 0.0 -0\nv 1. 1 0\nv .0 1 0\nf 1 2 3 4\n# ends \\",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        weft_mesh *mesh;
        assert_ok(parse(TEXTS[i], &mesh));
        assert_int_equal(mesh->vertex_count, 4);
        assert_int_equal(mesh->face_count, 1);
        assert_true(weft_mesh_area(mesh, mesh->position) == 1.0);
        weft_mesh_destroy(mesh);
    }
}

static void groups_are_kept(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(parse(SQUARE "v 2 0 0\nv 2 1 0\nv 3 0 0\nv 3 1 0\no Shirt front\ng unused\ng left  \nf 1 2 3 4\ng right\n"
                           "f 2 5 6 3\ng left\nf 5 7 8 6\n",
                    &mesh));
    assert_int_equal(mesh->group_count, 2);
    assert_string_equal(mesh->group_name[mesh->face_group[0]], "left");
    assert_string_equal(mesh->group_name[mesh->face_group[1]], "right");
    assert_int_equal(mesh->face_group[2], mesh->face_group[0]);
    weft_mesh_destroy(mesh);
    assert_ok(parse(SQUARE "v 2 0 0\nv 2 1 0\nf 1 2 3 4\no My shirt\nf 2 5 6 3\n", &mesh));
    assert_string_equal(mesh->group_name[mesh->face_group[0]], "default");
    assert_string_equal(mesh->group_name[mesh->face_group[1]], "My shirt");
    weft_mesh_destroy(mesh);
}

static void seams_keep_both_texture_coordinates(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(
        parse(SQUARE "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 5 0\nvt 6 1\nvt 5 1\nf 1/1 2/2 3/3\nf 1/5 3/6 4/7\n", &mesh));
    int found = 0;
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        if (mesh->face[h] == 1 && mesh->origin[h] == 0)
            found = mesh->halfedge_uv[h].x == 5 && mesh->halfedge_uv[h].y == 0;
    assert_true(found);
    weft_mesh_destroy(mesh);
}

static void messages_name_the_line(void **state) {
    (void)state;
    assert_bad(SQUARE "f 1 2 3 5\n", "a.obj:5: vertex index out of range: 5 (4 vertices)");
    assert_bad(SQUARE "f 1 2 -5\n", "a.obj:5: vertex index out of range: '-5'");
    assert_bad(SQUARE "f 0 1 2\n", "a.obj:5: vertex index out of range: '0'");
    assert_bad(SQUARE "f 1/1 2/1 3/1\n", "a.obj:5: texture index out of range: 1 (0 texture");
    assert_bad(SQUARE "f 1 2\n", "a.obj:5: a face of 2 corners");
    assert_bad(SQUARE "f 1 2 x\n", "a.obj:5: not a corner of a face: 'x'");
    assert_bad(SQUARE "f 1 2 3/y\n", "a.obj:5: not a corner of a face: '3/y'");
    assert_bad(SQUARE "f 1 2 99999999999999999999\n", "a.obj:5: vertex index out of range");
    assert_bad("v 0 0 0\nv 1 nan 0\n", "a.obj:2: not a finite number: 'nan'");
    assert_bad("v 0 0 0\r\nv inf 1 0\r\n", "a.obj:2: not a finite number: 'inf'");
    assert_bad("v 0 0 0\nv 1 1e999 0\n", "a.obj:2: not a finite number: '1e999'");
    assert_bad("v 0 0\n", "a.obj:1: 'v' has 2 numbers, 3 are needed");
    assert_bad("v 0 \\\n0 z\n", "a.obj:2: not a finite number: 'z'");
    assert_bad("vt 0 u\n", "a.obj:1: not a finite number: 'u'");
    assert_bad("", "a.obj: not an OBJ surface");
    assert_bad("\x89PNG\r\n", "a.obj: not an OBJ surface");
    assert_bad(SQUARE, "a.obj");
    assert_bad(SQUARE "f 1 2 3 3\n", "a.obj");
}

static void file_extension_selects_reader(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(weft_mesh_file_read(write_text("square.OBJ", SQUARE "f 1 2 3 4\n"), &mesh));
    weft_mesh_destroy(mesh);
    assert_refused(weft_mesh_file_read(in_folder("none.obj"), &mesh), WEFT_BAD_FILE, "none.obj: No such file");
    assert_refused(weft_mesh_file_read(in_folder("none.fbx"), &mesh), WEFT_BAD_FILE, "none.fbx: No such file");
    assert_refused(weft_mesh_file_read(write_text("a.txt", ""), &mesh), WEFT_BAD_INPUT, "the ending '.txt'");
    assert_refused(weft_mesh_file_read("dir.obj/name", &mesh), WEFT_BAD_INPUT, "the ending ''");
}

/* A strip of 100,000 quads with one group per face: no step of the reader may be quadratic. */
static void reading_time_is_not_quadratic(void **state) {
    (void)state;
    enum { N = 100000 };
    char *text = malloc((size_t)N * 120);
    assert_non_null(text);
    size_t used = 0;
    for (int i = 0; i <= N; i++)
        used += (size_t)sprintf(text + used, "v %d.125 0 0\nv %d.125 1 0\n", i, i);
    for (int i = 0; i < N; i++)
        used +=
            (size_t)sprintf(text + used, "g part%d\nf %d %d %d %d\n", i, 2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2);
    weft_mesh *mesh;
    clock_t start = clock();
    assert_ok(weft_obj_read_memory(text, used, "strip.obj", &mesh));
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    assert_int_equal(mesh->face_count, N);
    assert_int_equal(mesh->group_count, N);
    assert_string_equal(mesh->group_name[mesh->face_group[N - 1]], "part99999");
    weft_mesh_destroy(mesh);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quads_are_kept),
        cmocka_unit_test(all_index_forms_are_read),
        cmocka_unit_test(unusual_valid_files_are_read),
        cmocka_unit_test(groups_are_kept),
        cmocka_unit_test(seams_keep_both_texture_coordinates),
        cmocka_unit_test(messages_name_the_line),
        cmocka_unit_test(file_extension_selects_reader),
        cmocka_unit_test(reading_time_is_not_quadratic),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
