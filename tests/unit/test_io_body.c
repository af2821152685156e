/* Bodies from files: mesh sequences, point caches, and non-manifold meshes. */
#include "io/body_file.h"
#include "io/bytes.h"
#include "io_support.h"

/* A tetrahedron with its tip at height `y`. `base` is the line of its base face, so that the corner order can vary. */
static const char *tent(const char *name, double y, const char *base) {
    char text[400];
    snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0.3 %g 0.3\n%sf 1 4 2\nf 2 4 3\nf 3 4 1\n", y, base);
    return write_text(name, text);
}

static const char BASE[] = "f 1 2 3\n", TURNED[] = "f 2 3 1\n";

static void mesh_sequence_is_read(void **state) {
    (void)state;
    weft_mesh *mesh;
    weft_soup soup;
    weft_body_frames frames = {.rate = 1};
    tent("s_003.obj", 1, BASE);
    tent("s_004.obj", 2, BASE);
    tent("s_005.obj", 4, BASE);
    tent("s_007.obj", 9, BASE); /* after a gap */
    assert_ok(weft_body_file_read(in_folder("s_%03d.obj"), &mesh, &soup));
    assert_int_equal(soup.edges + soup.faces, 0);
    assert_ok(weft_body_frames_read(in_folder("s_%03d.obj"), mesh, &frames));
    assert_int_equal(frames.frame_count, 3);
    assert_int_equal(frames.vertex_count, 4);
    const double tip[3] = {1, 2, 4};
    for (int i = 0; i < 3; i++)
        assert_true(frames.position[4 * i + 3].y == tip[i]);
    free((void *)frames.position);

    tent("s_004.obj", 2, TURNED);
    assert_refused(weft_body_frames_read(in_folder("s_%03d.obj"), mesh, &frames), WEFT_BAD_INPUT,
                   "s_004.obj: face 0 has other corners");
    assert_null(frames.position);
    write_text("s_004.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    assert_refused(weft_body_frames_read(in_folder("s_%03d.obj"), mesh, &frames), WEFT_BAD_INPUT,
                   "s_004.obj: 3 vertices and 1 faces, but the first of the sequence has 4 and 4");
    weft_mesh_destroy(mesh);
}

static void bad_sequence_names_are_refused(void **state) {
    (void)state;
    weft_mesh *mesh;
    weft_soup soup;
    assert_refused(weft_body_file_read(in_folder("none_%04d.obj"), &mesh, &soup), WEFT_BAD_FILE, "none_0000.obj");
    assert_refused(weft_body_file_read(in_folder("n_%s.obj"), &mesh, &soup), WEFT_BAD_INPUT, "%d or %04d");
    assert_refused(weft_body_file_read(in_folder("n_%d_%d.obj"), &mesh, &soup), WEFT_BAD_INPUT, "and once");
    assert_refused(weft_body_file_read(in_folder("n_%n.obj"), &mesh, &soup), WEFT_BAD_INPUT, "%d or %04d");
    assert_refused(weft_body_file_read(in_folder("none.obj"), &mesh, &soup), WEFT_BAD_FILE, "none.obj");
}

/* Two frames of the tetrahedron, as PC2 or MDD. */
static size_t make_cache(int is_pc2, int32_t points, unsigned char *bytes) {
    size_t at = is_pc2 ? 32 : 16;
    memset(bytes, 0, 400);
    if (is_pc2) {
        memcpy(bytes, "POINTCACHE2", 12);
        weft_bytes_put(bytes + 12, 1, 4, 0);
        weft_bytes_put(bytes + 16, (uint64_t)points, 4, 0);
        weft_bytes_put(bytes + 28, 2, 4, 0);
    } else {
        weft_bytes_put(bytes, 2, 4, 1);
        weft_bytes_put(bytes + 4, (uint64_t)points, 4, 1);
    }
    for (int i = 0; i < 2 * 3 * points; i++, at += 4)
        weft_bytes_put_float(bytes + at, 0.25 * i, !is_pc2);
    return at;
}

static void point_caches_are_read(void **state) {
    (void)state;
    weft_mesh *mesh;
    weft_soup soup;
    unsigned char bytes[400];
    assert_ok(weft_body_file_read(tent("tent.obj", 1, BASE), &mesh, &soup));
    for (int is_pc2 = 0; is_pc2 < 2; is_pc2++) {
        const char *name = is_pc2 ? "tent.pc2" : "tent.mdd";
        weft_body_frames frames = {.rate = 1};
        size_t size = make_cache(is_pc2, 4, bytes);
        write_bytes(name, bytes, size);
        assert_ok(weft_body_frames_read(in_folder(name), mesh, &frames));
        assert_int_equal(frames.frame_count, 2);
        for (int i = 0; i < 8; i++)
            assert_true(frames.position[i].x == 0.75 * i && frames.position[i].z == 0.75 * i + 0.5);
        free((void *)frames.position);
        write_bytes(name, bytes, size - 1);
        assert_refused(weft_body_frames_read(in_folder(name), mesh, &frames), WEFT_BAD_INPUT, "do not fit");
        write_bytes(name, bytes, 7);
        assert_refused(weft_body_frames_read(in_folder(name), mesh, &frames), WEFT_BAD_INPUT, "not a cache");
        size = make_cache(is_pc2, 5, bytes);
        write_bytes(name, bytes, size);
        assert_refused(weft_body_frames_read(in_folder(name), mesh, &frames), WEFT_BAD_INPUT,
                       "a cache of 5 vertices, but the mesh has 4");
        /* the caches of pins */
        assert_ok(weft_body_frames_read(in_folder(name), NULL, &frames));
        assert_int_equal(frames.vertex_count, 5);
        assert_true(frames.position[9].y == 0.75 * 9 + 0.25);
        free((void *)frames.position);
    }
    assert_refused(weft_body_frames_read(in_folder("s_%03d.obj"), NULL, &(weft_body_frames){.rate = 1}), WEFT_BAD_INPUT,
                   "neither a sequence");
    weft_body_frames frames = {.rate = 1};
    assert_refused(weft_body_frames_read(in_folder("tent.obj"), mesh, &frames), WEFT_BAD_INPUT, "neither a sequence");
    weft_mesh_destroy(mesh);
}

static void non_manifold_mesh_is_read(void **state) {
    (void)state;
    weft_mesh *mesh;
    weft_soup soup;
    /* three faces at one edge, and a face without area */
    const char *path = write_text("fins.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\n"
                                              "f 1 2 3\nf 2 1 4\nf 1 2 5\nf 1 2 2\n");
    assert_ok(weft_body_file_read(path, &mesh, &soup));
    assert_int_equal(soup.edges, 1);
    assert_int_equal(soup.faces, 1);
    assert_int_equal(mesh->triangle_count, 3);
    weft_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_sequence_is_read),
        cmocka_unit_test(bad_sequence_names_are_refused),
        cmocka_unit_test(point_caches_are_read),
        cmocka_unit_test(non_manifold_mesh_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
