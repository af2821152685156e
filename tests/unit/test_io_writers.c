#include "io_stage.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "io/bytes.h"
#include "io/writer_parts.h"
#include "weft-io/mesh_file.h"

typedef struct settings {
    weft_writer_options options;
    int32_t ascii, wide;
} settings;
static const settings PLAIN = {.options = {.scale = 1}};

static void written_obj_reads_back(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_OBJ_WRITER, &PLAIN, &s, "o", FRAMES, 0, FRAMES, 1));
    weft_mesh *mesh;
    assert_ok(weft_mesh_file_read(in_folder("o/obj/scene_0004.obj"), &mesh));
    int32_t n = s.mesh[0]->vertex_count;
    assert_int_equal(mesh->vertex_count, n + s.mesh[1]->vertex_count);
    assert_int_equal(mesh->face_count, s.mesh[0]->face_count + 2);
    set_frame(&s, 4);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        assert_near(mesh->position[v], v < n ? s.position[0][v] : s.position[1][v - n], 3e-9);
    assert_string_equal(mesh->group_name[mesh->face_group[0]], "flag");
    assert_string_equal(mesh->group_name[mesh->face_group[mesh->face_count - 1]], "strip");
    int seam = 0;
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        if (mesh->face[h] == mesh->face_count - 1 && mesh->origin[h] == n + 1)
            seam = mesh->halfedge_uv[h].x == 5 && mesh->halfedge_uv[h].y == 0;
    assert_true(seam);
    weft_mesh_destroy(mesh);
    clear(&s);
}

/* The normals in the file are those of a flat square, rotated to the axes of the file. */
static void obj_converts_axes_and_scale_and_omits_torn_faces(void **state) {
    (void)state;
    stage s;
    build(&s);
    memcpy(s.position[1], s.mesh[1]->position, sizeof(weft_vec3) * 6);
    const uint8_t open[2] = {1, 0};
    s.cloth[1].open_face = open;
    weft_frame one = {.cloth_count = 1, .cloth = &s.cloth[1]};
    weft_writer_options options = {.up = 1, .scale = 100};
    assert_ok(weft_obj_write(in_folder("turned.obj"), &options, &one));
    char *text = read_text(in_folder("turned.obj"), NULL);
    assert_non_null(strstr(text, "\nv 200 0 100\n")); /* (2, 1, 0) m with z up, in cm */
    assert_non_null(strstr(text, "\nvn 0 -1 0\n"));
    int vertices = 0, faces = 0;
    for (const char *line = text; line; line = strchr(line + 1, '\n')) {
        vertices += strncmp(line, "\nv ", 3) == 0;
        faces += strncmp(line, "\nf ", 3) == 0;
    }
    assert_int_equal(vertices, 6); /* all vertices stay in order, including those that no face uses any more */
    assert_int_equal(faces, 1);
    free(text);
    clear(&s);
}

static void written_ply_reads_back(void **state) {
    (void)state;
    stage s;
    build(&s);
    for (int kind = 0; kind < 4; kind++) {
        settings given = {.options = {.scale = 1}, .ascii = kind & 1, .wide = kind >> 1};
        assert_ok(run(&WEFT_PLY_WRITER, &given, &s, "p", FRAMES, 0, FRAMES, 1));
        weft_mesh *mesh;
        assert_ok(weft_mesh_file_read(in_folder("p/ply/flag_0003.ply"), &mesh));
        assert_int_equal(mesh->vertex_count, s.mesh[0]->vertex_count);
        assert_int_equal(mesh->face_count, s.mesh[0]->face_count);
        set_frame(&s, 3);
        for (int32_t v = 0; v < mesh->vertex_count; v++) {
            assert_near(mesh->position[v], s.position[0][v], given.wide ? 0 : given.ascii ? 3e-9 : 3e-7);
            assert_true(fabs(mesh->uv[v].x - s.mesh[0]->uv[v].x) < 1e-6);
        }
        weft_mesh_destroy(mesh);
    }
    clear(&s);
}

/* A face has the area-weighted mean of its triangles. The quad is split into triangles of different area. */
static void ply_contains_face_strains(void **state) {
    (void)state;
    static const char KITE[] = "v 0 0 0\nv 1 0 0\nv 3 3 0\nv 0 1 0\nf 1 2 3 4\nv 5 0 0\nf 2 5 3\n";
    weft_mesh *mesh;
    assert_ok(weft_obj_read_memory(KITE, sizeof KITE - 1, "kite", &mesh));
    assert_int_equal(mesh->triangle_count, 3);
    weft_strain strain[3];
    double area[2] = {0, 0}, sum[2][6] = {{0}};
    for (int t = 0; t < 3; t++) {
        const int32_t *v = mesh->triangle[t];
        weft_vec3 a = mesh->position[v[0]], b = mesh->position[v[1]], c = mesh->position[v[2]];
        double own = 0.5 * fabs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y));
        int32_t f = mesh->triangle_face[t];
        area[f] += own;
        for (int k = 0; k < 3; k++) {
            strain[t].strain[k] = 0.25 * (t + 1) - k;
            strain[t].stress[k] = 100 * t + 7 * k;
            sum[f][k] += own * strain[t].strain[k];
            sum[f][3 + k] += own * strain[t].stress[k];
        }
    }
    const weft_frame_cloth cloth = {.name = "kite", .mesh = mesh, .position = mesh->position, .strain = strain};
    const weft_frame frame = {.cloth_count = 1, .cloth = &cloth};
    const weft_writer_functions *f = WEFT_PLY_WRITER.functions;
    weft_take take = {in_folder("strains"), "scene", 24, 1, 0};
    settings given = {.options = {.scale = 1}, .ascii = 1};
    void *self;
    assert_ok(weft_directory_make(take.directory));
    assert_ok(f->open(&given, &take, &frame, &self));
    assert_ok(f->frame(self, &frame));
    assert_ok(f->close(self, 1));
    weft_mesh *back;
    assert_ok(weft_mesh_file_read(in_folder("strains/ply/kite_0000.ply"), &back));
    assert_int_equal(back->face_count, 2);
    weft_mesh_destroy(back);
    size_t size;
    char *text = NULL;
    assert_ok(weft_file_read(in_folder("strains/ply/kite_0000.ply"), &text, &size));
    assert_non_null(strstr(text, "vertex_indices\nproperty float strain_weft\nproperty float strain_warp\n"
                                 "property float strain_shear\nproperty float stress_weft\n"
                                 "property float stress_warp\nproperty float stress_shear\nend_header\n"));
    char *at = strstr(text, "\n4 ");
    assert_non_null(at);
    for (int face = 0; face < 2; face++) {
        for (int skip = face ? 4 : 5; skip > 0; skip--)
            strtol(at, &at, 10);
        for (int k = 0; k < 6; k++) {
            double value = strtod(at, &at);
            assert_true(fabs(value - sum[face][k] / area[face]) < 1e-4);
        }
    }
    free(text);
    weft_mesh_destroy(mesh);
}

/* Reads a number of 4 bytes, independently of the engine. */
static uint32_t word(const unsigned char *at, int big) {
    return big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static double real(const unsigned char *at, int big) {
    uint32_t bits = word(at, big);
    float number;
    memcpy(&number, &bits, 4);
    return (double)number;
}

static void check_positions(stage *s, const unsigned char *at, int big) {
    for (int64_t i = 0; i < FRAMES; i++) {
        set_frame(s, i);
        for (int32_t v = 0; v < s->mesh[0]->vertex_count; v++, at += 12)
            assert_near((weft_vec3){real(at, big), real(at + 4, big), real(at + 8, big)}, s->position[0][v], 3e-7);
    }
}

static void pc2_has_documented_layout(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_PC2_WRITER, &PLAIN, &s, "c", FRAMES, 0, FRAMES, 1));
    size_t size;
    unsigned char *bytes = (unsigned char *)read_text(in_folder("c/flag.pc2"), &size);
    assert_int_equal(size, 32 + FRAMES * 40 * 12);
    assert_memory_equal(bytes, "POINTCACHE2\0\1\0\0\0\x28\0\0\0", 20);
    assert_true(real(bytes + 20, 0) == 0 && real(bytes + 24, 0) == 1);
    assert_int_equal(word(bytes + 28, 0), FRAMES);
    check_positions(&s, bytes + 32, 0);
    free(bytes);
    assert_true(exists(in_folder("c/strip.pc2")));
    assert_false(exists(in_folder("c/flag.pc2.part")));
    weft_mesh *base;
    assert_ok(weft_mesh_file_read(in_folder("c/flag.obj"), &base));
    set_frame(&s, 0);
    assert_int_equal(base->vertex_count, 40);
    for (int32_t v = 0; v < 40; v++)
        assert_near(base->position[v], s.position[0][v], 3e-9);
    weft_mesh_destroy(base);
    clear(&s);
}

static void mdd_has_documented_layout(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_MDD_WRITER, &PLAIN, &s, "m", FRAMES, 0, FRAMES, 1));
    size_t size;
    unsigned char *bytes = (unsigned char *)read_text(in_folder("m/flag.mdd"), &size);
    assert_int_equal(size, 8 + 4 * FRAMES + FRAMES * 40 * 12);
    assert_int_equal(word(bytes, 1), FRAMES);
    assert_int_equal(word(bytes + 4, 1), 40);
    for (int i = 0; i < FRAMES; i++)
        assert_true(fabs(real(bytes + 8 + 4 * i, 1) - i / 24.0) < 1e-7);
    check_positions(&s, bytes + 8 + 4 * FRAMES, 1);
    free(bytes);
    clear(&s);
}

static void resumed_caches_are_bit_identical(void **state) {
    (void)state;
    stage s;
    build(&s);
    const weft_component *const WRITERS[] = {&WEFT_PC2_WRITER, &WEFT_MDD_WRITER};
    for (int i = 0; i < 2; i++) {
        const weft_component *w = WRITERS[i];
        char whole[32], broken[32];
        snprintf(whole, sizeof whole, "whole/flag.%s", w->name);
        snprintf(broken, sizeof broken, "broken/flag.%s", w->name);
        assert_ok(run(w, &PLAIN, &s, "whole", FRAMES, 0, FRAMES, 1));
        /* three frames exist, but the checkpoint is from the second */
        assert_ok(run(w, &PLAIN, &s, "broken", FRAMES, 0, 3, 0));
        assert_false(exists(in_folder(broken)));
        assert_ok(run(w, &PLAIN, &s, "broken", FRAMES, 2, FRAMES, 1));
        assert_same_file(whole, broken);
        /* killed after the files were closed but before the run ended */
        assert_ok(run(w, &PLAIN, &s, "broken", FRAMES, 2, FRAMES, 1));
        assert_same_file(whole, broken);
        /* a finished run cannot be extended, and stays unchanged */
        assert_refused(run(w, &PLAIN, &s, "broken", FRAMES + 3, FRAMES, FRAMES + 3, 1), WEFT_BAD_FILE,
                       "start anew instead of resuming");
        assert_same_file(whole, broken);
    }
    assert_same_file("whole/flag.obj", "broken/flag.obj");
    clear(&s);
}

static void resuming_short_files_is_refused(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_PC2_WRITER, &PLAIN, &s, "short", FRAMES, 0, 2, 0));
    assert_refused(run(&WEFT_PC2_WRITER, &PLAIN, &s, "short", FRAMES, 3, FRAMES, 1), WEFT_BAD_FILE,
                   "flag.pc2.part: too short to go on: 992 bytes there, 1472 needed");
    assert_true(exists(in_folder("short/flag.pc2.part")));
    assert_refused(run(&WEFT_PC2_WRITER, &PLAIN, &s, "nothing", FRAMES, 3, FRAMES, 1), WEFT_BAD_FILE,
                   "flag.pc2.part: No such file");
    assert_refused(run(&WEFT_PC2_WRITER, &PLAIN, &s, "early", FRAMES, 0, 2, 1), WEFT_BAD_FILE, "after 2 of 5 frames");
    clear(&s);
}

/* A limit on the file size simulates a full disk. */
static void full_disk_leaves_complete_frames(void **state) {
    (void)state;
    stage s;
    build(&s);
    struct rlimit old, small;
    struct stat status;
    signal(SIGXFSZ, SIG_IGN);
    assert_ok(run(&WEFT_PC2_WRITER, &PLAIN, &s, "full", FRAMES, 0, 0, 0)); /* the base meshes fit */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 32 + 5 * 480 - 100;
    weft_component const *const w = &WEFT_PC2_WRITER;
    const weft_writer_functions *f = w->functions;
    weft_take take = {in_folder("full"), "scene", 24, 9, 0};
    void *self;
    assert_ok(f->open(&PLAIN, &take, &s.frame, &self));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    weft_result result = weft_ok();
    int64_t written = 0;
    for (; written < 9 && result.code == WEFT_OK; written++) {
        set_frame(&s, written);
        result = f->frame(self, &s.frame);
    }
    weft_result closed = f->close(self, 0);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(written, 5);
    assert_refused(result, WEFT_BAD_FILE, "full/flag.pc2: File too large");
    assert_refused(closed, WEFT_BAD_FILE, "full/flag.pc2: File too large");
    assert_false(exists(in_folder("full/flag.pc2")));
    assert_int_equal(stat(in_folder("full/flag.pc2.part"), &status), 0);
    assert_int_equal(status.st_size, 32 + 4 * 480);
    assert_ok(run(w, &PLAIN, &s, "full", 9, 4, 9, 1)); /* there is space again */
    clear(&s);
}

static void full_disk_leaves_no_partial_mesh(void **state) {
    (void)state;
    stage s;
    build(&s);
    struct rlimit old, small;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 500;
    setrlimit(RLIMIT_FSIZE, &small);
    weft_result obj = run(&WEFT_OBJ_WRITER, &PLAIN, &s, "half", 1, 0, 1, 1);
    weft_result ply = run(&WEFT_PLY_WRITER, &PLAIN, &s, "half", 1, 0, 1, 1);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_refused(obj, WEFT_BAD_FILE, "half/obj/scene_0000.obj: File too large");
    assert_refused(ply, WEFT_BAD_FILE, "half/ply/flag_0000.ply: File too large");
    assert_false(exists(in_folder("half/obj/scene_0000.obj")));
    assert_false(exists(in_folder("half/obj/scene_0000.obj.part")));
    assert_false(exists(in_folder("half/ply/flag_0000.ply.part")));
    clear(&s);
}

static void cloth_names_unfit_for_files_are_refused(void **state) {
    (void)state;
    stage s;
    build(&s);
    s.cloth[1].name = "../strip";
    assert_refused(run(&WEFT_PLY_WRITER, &PLAIN, &s, "n", 1, 0, 1, 1), WEFT_BAD_INPUT, "'../strip' cannot be the name");
    s.cloth[1].name = "flag";
    assert_refused(run(&WEFT_PC2_WRITER, &PLAIN, &s, "n", 1, 0, 1, 1), WEFT_BAD_INPUT,
                   "two cloths have the name 'flag'");
    clear(&s);
}

/* Every default can be read and fills the settings. */
static void parameter_defaults_fill_settings(void **state) {
    (void)state;
    settings given;
    memset(&given, 0xff, sizeof given);
    weft_params_default(WEFT_PLY_WRITER.params, &given);
    assert_int_equal(given.options.up, 0);
    assert_true(given.options.scale == 1);
    assert_int_equal(given.ascii, 0);
    assert_int_equal(given.wide, 0);
    assert_int_equal(sizeof given, WEFT_PLY_WRITER.settings_size);
}

static void all_writers_are_registered(void **state) {
    (void)state;
    static const char *const NAMES[] = {"obj", "ply", "pc2", "mdd"};
    weft_registry *registry;
    assert_ok(weft_registry_create(&registry));
    assert_ok(weft_writers_register(registry));
    for (int i = 0; i < 4; i++)
        assert_non_null(weft_registry_find(registry, WEFT_WRITER, NAMES[i]));
    weft_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_obj_reads_back),
        cmocka_unit_test(obj_converts_axes_and_scale_and_omits_torn_faces),
        cmocka_unit_test(written_ply_reads_back),
        cmocka_unit_test(ply_contains_face_strains),
        cmocka_unit_test(pc2_has_documented_layout),
        cmocka_unit_test(mdd_has_documented_layout),
        cmocka_unit_test(resumed_caches_are_bit_identical),
        cmocka_unit_test(resuming_short_files_is_refused),
        cmocka_unit_test(full_disk_leaves_complete_frames),
        cmocka_unit_test(full_disk_leaves_no_partial_mesh),
        cmocka_unit_test(cloth_names_unfit_for_files_are_refused),
        cmocka_unit_test(parameter_defaults_fill_settings),
        cmocka_unit_test(all_writers_are_registered),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
