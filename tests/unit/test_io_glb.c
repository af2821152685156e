#include "io_stage.h"

#include <signal.h>
#include <sys/resource.h>

#include "io/bytes.h"
#include "io/store.h"

static const weft_store_settings PLAIN = {.options = {.scale = 1}, .every = 1, .normals = 1};

/* A GLB file split by the rules of the container. Numbers in the JSON are found by their names. */
typedef struct glb {
    unsigned char *bytes;
    size_t size;
    char *json;
    const unsigned char *binary;
    size_t binary_size;
} glb;

static uint32_t word(const unsigned char *at) { return (uint32_t)weft_bytes_get(at, 4, 0); }

static double real(const unsigned char *at) {
    uint32_t bits = word(at);
    float number;
    memcpy(&number, &bits, 4);
    return (double)number;
}

static glb take_apart(const char *path) {
    glb g = {0};
    g.bytes = (unsigned char *)read_text(path, &g.size);
    assert_true(g.size > 28);
    assert_memory_equal(g.bytes, "glTF\2\0\0\0", 8);
    assert_int_equal(word(g.bytes + 8), g.size);
    size_t json_size = word(g.bytes + 12);
    assert_memory_equal(g.bytes + 16, "JSON", 4);
    assert_int_equal(json_size % 4, 0);
    const unsigned char *chunk = g.bytes + 20 + json_size;
    g.binary_size = word(chunk);
    assert_memory_equal(chunk + 4, "BIN\0", 4);
    g.binary = chunk + 8;
    assert_int_equal(20 + json_size + 8 + g.binary_size, g.size);
    g.json = calloc(json_size + 1, 1);
    assert_non_null(g.json);
    memcpy(g.json, g.bytes + 20, json_size);
    return g;
}

static void put_away(glb *g) {
    free(g->json);
    free(g->bytes);
}

static int count(const char *text, const char *excerpt) {
    int found = 0;
    for (const char *at = strstr(text, excerpt); at; at = strstr(at + 1, excerpt))
        found++;
    return found;
}

static weft_vec3 vector(const unsigned char *at) { return (weft_vec3){real(at), real(at + 4), real(at + 8)}; }

/* The layout of io/glb_parts.h: 40 points of the flag and 6 + 2 of the strip, whose seam duplicates two vertices. */
enum { FLAG = 40, STRIP = 8, POINTS = FLAG + STRIP, FACES = 7 * 4 * 2 + 4, ROW = POINTS * 24 };

static const unsigned char *targets_of(const glb *g) { return g->binary + ROW + POINTS * 8 + FACES * 12; }

static void base_mesh_and_morph_targets_match_frames(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_GLB_WRITER, &PLAIN, &s, "g", FRAMES, 0, FRAMES, 1));
    assert_false(exists(in_folder("g/scene.glb.frames.part")));
    glb g = take_apart(in_folder("g/scene.glb"));
    assert_int_equal(g.binary_size, ROW + POINTS * 8 + FACES * 12 + FRAMES * ROW + FRAMES * 4 + FRAMES * FRAMES * 4);
    assert_int_equal(count(g.json, "\"POSITION\""), 2 * (1 + FRAMES));
    assert_int_equal(count(g.json, "\"min\""), 2 * (1 + FRAMES) + 1);
    assert_int_equal(count(g.json, "\"weights\""), 2);
    assert_int_equal(count(g.json, "\"doubleSided\": true"), 2);
    assert_non_null(strstr(g.json, "\"frame_0004\""));
    static const int SOURCE[STRIP - 6] = {1, 2}; /* the vertices of the strip on the seam */
    for (int64_t k = 0; k < FRAMES; k++) {
        set_frame(&s, k);
        for (int c = 0; c < 2; c++) {
            weft_vec3 normal[FLAG];
            weft_mesh_vertex_normals(s.mesh[c], s.position[c], normal);
            int points = c ? STRIP : FLAG;
            const unsigned char *base = g.binary + (c ? FLAG * 24 : 0);
            const unsigned char *moved = targets_of(&g) + k * ROW + (c ? FLAG * 24 : 0);
            for (int p = 0; p < points; p++) {
                int v = p < s.mesh[c]->vertex_count ? p : SOURCE[p - 6];
                weft_vec3 a = vector(base + 12 * p), b = vector(moved + 12 * p);
                assert_near((weft_vec3){a.x + b.x, a.y + b.y, a.z + b.z}, s.position[c][v], 5e-7);
                a = vector(base + 12 * (points + p));
                b = vector(moved + 12 * (points + p));
                assert_near((weft_vec3){a.x + b.x, a.y + b.y, a.z + b.z}, normal[v], 5e-7);
            }
        }
    }
    const unsigned char *times = targets_of(&g) + FRAMES * ROW;
    for (int k = 0; k < FRAMES; k++) {
        assert_true(fabs(real(times + 4 * k) - k / 24.0) < 1e-7);
        for (int i = 0; i < FRAMES; i++)
            assert_true(real(times + 4 * FRAMES + 4 * (k * FRAMES + i)) == (i == k));
    }
    put_away(&g);
    clear(&s);
}

/* Seams keep both texture coordinates. In glTF, v runs downwards. */
static void texture_coordinates_keep_seams(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_GLB_WRITER, &PLAIN, &s, "uv", FRAMES, 0, FRAMES, 1));
    glb g = take_apart(in_folder("uv/scene.glb"));
    const unsigned char *uv = g.binary + ROW + FLAG * 8, *index = g.binary + ROW + POINTS * 8 + 7 * 4 * 2 * 12;
    assert_true(real(uv + 8) == 1 && real(uv + 12) == 1);            /* vertex 1: (1, 0) */
    assert_true(real(uv + 8 * 6) == 5 && real(uv + 8 * 6 + 4) == 1); /* its copy: (5, 0) */
    int used = 0;
    for (int i = 0; i < 12; i++) {
        assert_true(word(index + 4 * i) < STRIP);
        used |= 1 << word(index + 4 * i);
    }
    assert_int_equal(used, 0xff);
    put_away(&g);
    clear(&s);
}

/* Assimp is an independent reader. */
static void first_frame_reads_back_with_assimp(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_GLB_WRITER, &PLAIN, &s, "back", FRAMES, 0, FRAMES, 1));
    weft_mesh *mesh;
    assert_ok(weft_mesh_file_read(in_folder("back/scene.glb"), &mesh));
    assert_int_equal(mesh->vertex_count, 46);
    assert_int_equal(mesh->triangle_count, 7 * 4 * 2 + 4);
    set_frame(&s, 0);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        double nearest = 1;
        for (int c = 0; c < 2; c++)
            for (int32_t i = 0; i < s.mesh[c]->vertex_count; i++) {
                weft_vec3 p = mesh->position[v], q = s.position[c][i];
                nearest = fmin(nearest, fabs(p.x - q.x) + fabs(p.y - q.y) + fabs(p.z - q.z));
            }
        assert_true(nearest < 1e-6);
    }
    weft_mesh_destroy(mesh);
    clear(&s);
}

/* Frames 0, 3 and the last, 4, with their own times, in centimetres. */
static void every_option_skips_frames(void **state) {
    (void)state;
    stage s;
    build(&s);
    const weft_store_settings few = {.options = {.scale = 100}, .every = 3, .normals = 0};
    assert_ok(run(&WEFT_GLB_WRITER, &few, &s, "few", FRAMES, 0, FRAMES, 1));
    glb g = take_apart(in_folder("few/scene.glb"));
    enum { HALF = POINTS * 12, START = HALF + POINTS * 8 + FACES * 12 };
    assert_int_equal(g.binary_size, START + 3 * HALF + 3 * 4 + 9 * 4);
    assert_null(strstr(g.json, "NORMAL"));
    const int frames[3] = {0, 3, 4};
    for (int k = 0; k < 3; k++) {
        set_frame(&s, frames[k]);
        weft_vec3 a = vector(g.binary + 12 * 7), b = vector(g.binary + START + k * HALF + 12 * 7);
        weft_vec3 p = s.position[0][7];
        assert_near((weft_vec3){a.x + b.x, a.y + b.y, a.z + b.z}, (weft_vec3){100 * p.x, 100 * p.y, 100 * p.z}, 5e-5);
        assert_true(fabs(real(g.binary + START + 3 * HALF + 4 * k) - frames[k] / 24.0) < 1e-7);
    }
    put_away(&g);
    clear(&s);
}

static void single_frame_has_no_animation(void **state) {
    (void)state;
    stage s;
    build(&s);
    assert_ok(run(&WEFT_GLB_WRITER, &PLAIN, &s, "still", 1, 0, 1, 1));
    glb g = take_apart(in_folder("still/scene.glb"));
    assert_null(strstr(g.json, "animations"));
    assert_null(strstr(g.json, "targets"));
    assert_int_equal(g.binary_size, ROW + POINTS * 8 + FACES * 12);
    put_away(&g);
    clear(&s);
}

/* Only faces that are open at the start are omitted. */
static void initially_torn_faces_are_omitted(void **state) {
    (void)state;
    stage s;
    build(&s);
    const uint8_t open[2] = {1, 0};
    s.cloth[1].open_face = open;
    assert_ok(run(&WEFT_GLB_WRITER, &PLAIN, &s, "torn", FRAMES, 0, FRAMES, 1));
    glb g = take_apart(in_folder("torn/scene.glb"));
    assert_int_equal(g.binary_size,
                     ROW + POINTS * 8 + (FACES - 2) * 12 + FRAMES * ROW + FRAMES * 4 + FRAMES * FRAMES * 4);
    put_away(&g);
    clear(&s);
}

static void resumed_file_is_bit_identical(void **state) {
    (void)state;
    stage s;
    build(&s);
    const weft_component *const writers[] = {&WEFT_GLB_WRITER, &WEFT_USDA_WRITER};
    for (int i = 0; i < 4; i++) {
        const weft_component *w = writers[i % 2];
        const weft_store_settings given = {.options = {.scale = 1}, .every = 1 + i / 2, .normals = 1};
        char file[32], whole[80], broken[80], partial[128];
        snprintf(file, sizeof file, "scene.%s", w->name);
        snprintf(whole, sizeof whole, "whole%d/%s", i, file);
        snprintf(broken, sizeof broken, "broken%d/%s", i, file);
        snprintf(partial, sizeof partial, "%s.frames.part", broken);
        char in_whole[32], in_broken[32];
        snprintf(in_whole, sizeof in_whole, "whole%d", i);
        snprintf(in_broken, sizeof in_broken, "broken%d", i);
        assert_ok(run(w, &given, &s, in_whole, FRAMES, 0, FRAMES, 1));
        assert_ok(run(w, &given, &s, in_broken, FRAMES, 0, 3, 0));
        assert_false(exists(in_folder(broken)));
        assert_true(exists(in_folder(partial)));
        /* records of another run are refused and kept */
        weft_store_settings other = given;
        other.options.scale = 2;
        assert_refused(run(w, &other, &s, in_broken, FRAMES, 2, FRAMES, 1), WEFT_BAD_FILE,
                       "start anew instead of resuming");
        /* three frames exist, but the checkpoint is from the second */
        assert_ok(run(w, &given, &s, in_broken, FRAMES, 2, FRAMES, 1));
        assert_same_file(whole, broken);
        assert_false(exists(in_folder(partial)));
        /* killed after the file was closed but before the run ended */
        assert_ok(run(w, &given, &s, in_broken, FRAMES, FRAMES, FRAMES, 1));
        assert_same_file(whole, broken);
        assert_refused(run(w, &given, &s, in_broken, FRAMES, 2, FRAMES, 1), WEFT_BAD_FILE, "is complete");
        assert_same_file(whole, broken);
        assert_refused(run(w, &given, &s, "nothing", FRAMES, 3, FRAMES, 1), WEFT_BAD_FILE, "No such file");
        assert_refused(run(w, &given, &s, "early", FRAMES, 0, 2, 1), WEFT_BAD_FILE, "after 2 of 5 frames");
    }
    clear(&s);
}

/* A limit on the file size simulates a full disk. The records survive a failure while the file is assembled, so that it
 * can be made later. */
static void full_disk_keeps_recorded_frames(void **state) {
    (void)state;
    stage s;
    build(&s);
    struct rlimit old, small;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 16 + FRAMES * (46 * 24 + 30) + 100; /* the records fit, but not the file with its JSON */
    setrlimit(RLIMIT_FSIZE, &small);
    weft_result full = run(&WEFT_GLB_WRITER, &PLAIN, &s, "full", FRAMES, 0, FRAMES, 1);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_refused(full, WEFT_BAD_FILE, "full/scene.glb: File too large");
    assert_false(exists(in_folder("full/scene.glb")));
    assert_false(exists(in_folder("full/scene.glb.part")));
    assert_ok(run(&WEFT_GLB_WRITER, &PLAIN, &s, "full", FRAMES, FRAMES, FRAMES, 1));
    assert_ok(run(&WEFT_GLB_WRITER, &PLAIN, &s, "roomy", FRAMES, 0, FRAMES, 1));
    assert_same_file("full/scene.glb", "roomy/scene.glb");
    clear(&s);
}

static weft_result open_only(const weft_store_settings *settings, const weft_frame *frame, int64_t frame_count) {
    const weft_writer_functions *f = WEFT_GLB_WRITER.functions;
    weft_take take = {in_folder(""), "scene", 24, frame_count, 0};
    void *self;
    WEFT_TRY(f->open(settings, &take, frame, &self));
    return f->close(self, 0);
}

static void limits_of_format_are_reported(void **state) {
    (void)state;
    stage s;
    build(&s);
    const weft_store_settings up = {.options = {.up = 1, .scale = 1}, .every = 1};
    assert_refused(open_only(&up, &s.frame, 5), WEFT_UNSUPPORTED, "glTF files are always y up");
    assert_refused(open_only(&PLAIN, &s.frame, 4097), WEFT_UNSUPPORTED, "with glb.every: 2");
    weft_store_settings some = PLAIN;
    some.every = 2;
    assert_ok(open_only(&some, &s.frame, 4097));
    /* the suggested value suffices for any length */
    for (int64_t frames = 4097; frames < 60000; frames += 1237) {
        weft_result refused = open_only(&PLAIN, &s.frame, frames);
        const char *advice = strstr(refused.message, "glb.every: ");
        assert_non_null(advice);
        some.every = (int32_t)strtol(advice + strlen("glb.every: "), NULL, 10);
        assert_ok(open_only(&some, &s.frame, frames));
    }
    /* 50451 vertices, 24 bytes, 4096 frames: 4.96 GB */
    weft_grid grid = weft_grid_default();
    grid.cells[0] = 250;
    grid.cells[1] = 200;
    weft_mesh *mesh;
    assert_ok(weft_mesh_create_grid(&grid, &mesh));
    const weft_frame_cloth cloth = {.name = "large", .mesh = mesh, .position = mesh->position};
    const weft_frame frame = {.cloth_count = 1, .cloth = &cloth};
    assert_refused(open_only(&PLAIN, &frame, 4096), WEFT_UNSUPPORTED, "would have about 5.0 GB for 4096 frames");
    some = PLAIN;
    some.normals = 0;
    assert_ok(open_only(&some, &frame, 4096));
    weft_mesh_destroy(mesh);
    clear(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_mesh_and_morph_targets_match_frames),
        cmocka_unit_test(texture_coordinates_keep_seams),
        cmocka_unit_test(first_frame_reads_back_with_assimp),
        cmocka_unit_test(every_option_skips_frames),
        cmocka_unit_test(single_frame_has_no_animation),
        cmocka_unit_test(initially_torn_faces_are_omitted),
        cmocka_unit_test(resumed_file_is_bit_identical),
        cmocka_unit_test(full_disk_keeps_recorded_frames),
        cmocka_unit_test(limits_of_format_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
