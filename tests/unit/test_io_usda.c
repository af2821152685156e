#include "io_stage.h"

#include "io/store.h"

static const weft_store_settings PLAIN = {.options = {.scale = 1}, .every = 1, .normals = 1};

static void assert_has(const char *text, const char *excerpt) {
    if (!strstr(text, excerpt))
        fail_msg("the file does not contain '%s'", excerpt);
}

/* Returns the value of an attribute of a mesh after `label`, such as "points = " or "3: " for a sample. Fails if it is
 * missing. */
static const char *value_of(const char *text, const char *mesh, const char *attribute, const char *label) {
    char heading[128];
    snprintf(heading, sizeof heading, "def Mesh \"%s\"", mesh);
    const char *at = strstr(text, heading);
    assert_non_null(at);
    at = strstr(at, attribute);
    assert_non_null(at);
    at = strstr(at, label);
    assert_non_null(at);
    return at + strlen(label);
}

/* Reads "[(x, y, z), ...]" into `v`. Returns the number of vectors. */
static int read_vectors(const char *at, weft_vec3 *v) {
    int count = 0;
    assert_int_equal(*at, '[');
    while (*at != ']') {
        char *end;
        double number[3];
        assert_int_equal(at[0] == '[' ? at[1] : at[2], '(');
        at += at[0] == '[' ? 2 : 3;
        for (int k = 0; k < 3; k++) {
            number[k] = strtod(at, &end);
            assert_true(end != at);
            at = end + (k < 2 ? 2 : 1); /* ", " or ")" */
        }
        v[count++] = (weft_vec3){number[0], number[1], number[2]};
    }
    return count;
}

static void points_and_normals_match_frames(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_USDA_WRITER, &PLAIN, &s, "u", FRAMES, 0, FRAMES, 1));
    assert_false(exists(in_folder("u/scene.usda.frames.part")));
    char *text;
    size_t size;
    assert_ok(weft_file_read(in_folder("u/scene.usda"), &text, &size));
    assert_memory_equal(text, "#usda 1.0\n(\n", 12);
    assert_has(text, "defaultPrim = \"scene\"");
    assert_has(text, "upAxis = \"Y\"");
    assert_has(text, "metersPerUnit = 1\n");
    assert_has(text, "timeCodesPerSecond = 24\n");
    assert_has(text, "endTimeCode = 4\n");
    for (int64_t k = 0; k < FRAMES; k++) {
        set_frame(&s, k);
        for (int c = 0; c < 2; c++) {
            weft_vec3 there[64], normal[64], low = s.position[c][0], high = low;
            char label[8];
            int32_t n = s.mesh[c]->vertex_count;
            snprintf(label, sizeof label, " %d: ", (int)k);
            assert_int_equal(read_vectors(value_of(text, s.cloth[c].name, "points.timeSamples", label), there), n);
            for (int32_t v = 0; v < n; v++) {
                weft_vec3 p = s.position[c][v];
                assert_near(there[v], p, 3e-7);
                low = (weft_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
                high = (weft_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
            }
            weft_mesh_vertex_normals(s.mesh[c], s.position[c], normal);
            assert_int_equal(read_vectors(value_of(text, s.cloth[c].name, "normals.timeSamples", label), there), n);
            for (int32_t v = 0; v < n; v++)
                assert_near(there[v], normal[v], 3e-7);
            assert_int_equal(read_vectors(value_of(text, s.cloth[c].name, "extent.timeSamples", label), there), 2);
            assert_near(there[0], low, 3e-7);
            assert_near(there[1], high, 3e-7);
        }
    }
    free(text);
    clear(&s);
}

static void faces_texture_coordinates_and_materials_are_written(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_USDA_WRITER, &PLAIN, &s, "f", FRAMES, 0, FRAMES, 1));
    char *text;
    size_t size;
    assert_ok(weft_file_read(in_folder("f/scene.usda"), &text, &size));
    const char *strip = strstr(text, "def Mesh \"strip\"");
    assert_non_null(strip);
    assert_has(strip, "int[] faceVertexCounts = [4, 4]\n");
    assert_has(strip, "int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]\n");
    assert_has(strip, "primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1), (5, 0), (6, 0), (6, 1), (5, 1)] (\n"
                      "            interpolation = \"faceVarying\"");
    assert_has(strip, "primvars:st:indices = [0, 1, 2, 3, 4, 5, 6, 7]\n");
    assert_has(strip, "material:binding = </scene/Looks/strip>");
    assert_has(text, "def Material \"strip\"");
    assert_has(text, "token outputs:surface.connect = </scene/Looks/strip/Surface.outputs:surface>");
    assert_has(value_of(text, "flag", "primvars:st = ", ""), "interpolation = \"vertex\"");
    free(text);
    clear(&s);
}

static void axes_and_units_are_converted(void **state) {
    (void)state;
    stage s;
    build(&s);
    const weft_store_settings given = {.options = {.up = 1, .scale = 100}, .every = 2, .normals = 0};
    assert_ok(run(&WEFT_USDA_WRITER, &given, &s, "z", FRAMES, 0, FRAMES, 1));
    char *text;
    size_t size;
    assert_ok(weft_file_read(in_folder("z/scene.usda"), &text, &size));
    assert_has(text, "upAxis = \"Z\"");
    assert_has(text, "metersPerUnit = 0.01\n");
    assert_null(strstr(text, "normals"));
    assert_null(strstr(text, " 3: ["));
    set_frame(&s, 4);
    weft_vec3 there[64], p = s.position[0][9];
    read_vectors(value_of(text, "flag", "points.timeSamples", " 4: "), there);
    assert_near(there[9], (weft_vec3){100 * p.x, -100 * p.z, 100 * p.y}, 3e-5);
    free(text);
    clear(&s);
}

/* Faces become time samples at the frames in which they change. */
static void torn_faces_are_time_samples(void **state) {
    (void)state;
    stage s;
    build(&s);
    uint8_t open[2] = {0, 0};
    s.cloth[1].open_face = open;
    const weft_writer_functions *f = WEFT_USDA_WRITER.functions;
    weft_take take = {in_folder("t"), "1 scene", 24, FRAMES, 0};
    assert_ok(weft_directory_make(take.directory));
    s.cloth[0].name = "Looks";
    void *self;
    assert_ok(f->open(&PLAIN, &take, &s.frame, &self));
    for (int64_t k = 0; k < FRAMES; k++) {
        set_frame(&s, k);
        open[0] = k >= 2;
        assert_ok(f->frame(self, &s.frame));
    }
    assert_ok(f->close(self, 1));
    char *text;
    size_t size;
    assert_ok(weft_file_read(in_folder("t/1 scene.usda"), &text, &size));
    assert_has(text, "def Xform \"_1_scene\"");
    assert_has(text, "def Mesh \"Looks_2\""); /* the scope of the materials already has this name */
    const char *strip = strstr(text, "def Mesh \"strip\"");
    assert_has(strip,
               "int[] faceVertexCounts.timeSamples = {\n            0: [4, 4],\n            2: [4],\n        }\n");
    assert_has(strip, "faceVertexIndices.timeSamples = {\n            0: [0, 1, 2, 3, 1, 4, 5, 2],\n"
                      "            2: [1, 4, 5, 2],\n        }\n");
    assert_has(strip, "primvars:st:indices.timeSamples = {\n            0: [0, 1, 2, 3, 4, 5, 6, 7],\n"
                      "            2: [4, 5, 6, 7],\n        }\n");
    assert_has(value_of(text, "Looks_2", "faceVertexCounts", ""), "faceVertexCounts = [4, 4");
    free(text);
    clear(&s);
}

static void single_frame_has_no_time_samples(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_USDA_WRITER, &PLAIN, &s, "still", 1, 0, 1, 1));
    char *text;
    size_t size;
    assert_ok(weft_file_read(in_folder("still/scene.usda"), &text, &size));
    assert_null(strstr(text, "timeSamples"));
    weft_vec3 there[64];
    assert_int_equal(read_vectors(value_of(text, "flag", "points", " = "), there), 40);
    set_frame(&s, 0);
    assert_near(there[39], s.position[0][39], 3e-7);
    free(text);
    clear(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_normals_match_frames),
        cmocka_unit_test(faces_texture_coordinates_and_materials_are_written),
        cmocka_unit_test(axes_and_units_are_converted),
        cmocka_unit_test(torn_faces_are_time_samples),
        cmocka_unit_test(single_frame_has_no_time_samples),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
