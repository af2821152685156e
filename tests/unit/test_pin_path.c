/* Pins that follow the samples of a path, by calls and from a cache that a scene names. */
#include "support.h"
#include "weft-io/yaml.h"

enum { SAMPLES = 3 };
static const double RATE = 10;

/* Where vertex `i` is held at time t: a bent way, linear between the samples. */
static weft_vec3 way(int32_t i, double t) {
    double s = fmin(fmax(t * RATE, 0), SAMPLES - 1);
    double bend = s < 1 ? s : 2 - s;
    return weft_vec3_make(i + 0.1 * s, 0.2 * bend, 0.3 * i);
}

static void assert_held(const weft_sim *sim, int32_t vertex, weft_vec3 place) {
    assert_true(weft_distance(weft_sim_positions(sim, 0)[vertex], place) < 1e-12);
}

static weft_sim *sheet(void) {
    static weft_registry *registry;
    weft_sim *sim;
    weft_mesh *mesh;
    int32_t cloth, gravity;
    weft_grid grid = weft_grid_default();
    if (!registry)
        must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("wool")->fabric, NULL, &cloth));
    must(weft_sim_add_force(sim, "gravity", &gravity));
    return sim;
}

static weft_pin pin_of(weft_vec3 *path, int32_t count) {
    weft_pin pin = weft_pin_default();
    for (int32_t s = 0; s < SAMPLES; s++)
        for (int32_t i = 0; i < count; i++)
            path[s * count + i] = way(i, s / RATE);
    pin.path = path;
    pin.path_count = SAMPLES;
    pin.path_rate = RATE;
    return pin;
}

static void pins_follow_their_path(void **state) {
    (void)state;
    weft_sim *sim = sheet();
    weft_vec3 path[SAMPLES * 3];
    weft_pin pin = pin_of(path, 3);
    pin.release = 0.3;
    must(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0, 5, 10}, 3));
    memset(path, 0, sizeof path); /* it was copied */
    while (weft_sim_time(sim) < 0.06)
        must(weft_sim_step(sim, 0.004, NULL));
    for (int32_t i = 0; i < 3; i++)
        assert_held(sim, 5 * i, way(i, weft_sim_time(sim)));
    /* the others keep their own way when one is let go */
    must(weft_sim_unpin(sim, 0, (int32_t[]){0}, 1));
    while (weft_sim_time(sim) < 0.25)
        must(weft_sim_step(sim, 0.004, NULL));
    for (int32_t i = 1; i < 3; i++)
        assert_held(sim, 5 * i, way(i, weft_sim_time(sim)));
    assert_true(weft_distance(weft_sim_positions(sim, 0)[0], way(0, 1)) > 0.01);
    while (weft_sim_time(sim) < 0.35)
        must(weft_sim_step(sim, 0.004, NULL));
    assert_true(weft_distance(weft_sim_positions(sim, 0)[5], way(1, 1)) > 1e-4);
    weft_sim_destroy(sim);
}

static void bad_paths_are_refused(void **state) {
    (void)state;
    weft_sim *sim = sheet();
    weft_vec3 path[SAMPLES];
    weft_pin good = pin_of(path, 1), pin = good;
    pin.path_count = 0;
    assert_says(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0}, 1), "a path of 0 samples");
    pin = good;
    pin.path_rate = 0;
    assert_says(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0}, 1), "0 per second");
    pin = good;
    pin.key = &(weft_key){0};
    pin.key_count = 1;
    assert_says(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0}, 1), "both keys and a path");
    path[1].y = NAN;
    assert_says(weft_sim_add_pin(sim, 0, &good, (int32_t[]){0}, 1), "sample 1 of the path is not finite");
    weft_sim_destroy(sim);
}

/* -- scenes -- */

static int32_t file_vertices; /* of the cache that load_way stands for */

static weft_result load_way(void *context, const char *from, const char *path, const weft_mesh *mesh,
                            weft_body_frames *frames) {
    (void)context, (void)from, (void)path;
    assert_null(mesh);
    weft_vec3 *position = malloc((size_t)SAMPLES * (size_t)file_vertices * sizeof *position);
    assert_non_null(position);
    for (int32_t s = 0; s < SAMPLES; s++)
        for (int32_t i = 0; i < file_vertices; i++)
            position[s * file_vertices + i] = way(i, s / RATE);
    frames->position = position;
    frames->vertex_count = file_vertices;
    frames->frame_count = SAMPLES;
    return weft_ok();
}

static weft_result read(const weft_scene_files *files, const char *pin, weft_sim **sim) {
    static weft_registry *registry;
    char text[400];
    snprintf(text, sizeof text, "cloth: {grid: {cells: [3, 3]}, scale: 2, at: [0, 1, 0], pins: [{%s}]}\n", pin);
    weft_tree *tree;
    if (!registry)
        must(weft_registry_create(&registry));
    must(weft_yaml_read_memory(text, strlen(text), "scene.yaml", &tree));
    weft_result result = weft_scene_read(registry, tree, files, sim);
    weft_tree_destroy(tree);
    return result;
}

static void scenes_name_a_cache(void **state) {
    (void)state;
    const weft_scene_files files = {.load_frames = load_way};
    weft_sim *sim;
    for (int whole = 0; whole < 2; whole++) {
        file_vertices = whole ? 16 : 2;
        must(read(&files, "vertices: [3, 1], cache: a.pc2, rate: 10, start: 0.05", &sim));
        while (weft_sim_time(sim) < 0.11)
            must(weft_sim_step(sim, 0.01, NULL));
        for (int32_t i = 0; i < 2; i++) { /* placed like the cloth */
            weft_vec3 place = weft_scale(2, way(whole ? 1 + 2 * i : i, weft_sim_time(sim) - 0.05));
            assert_held(sim, 1 + 2 * i, weft_add(place, weft_vec3_make(0, 1, 0)));
        }
        if (!whole)
            weft_sim_destroy(sim);
    }
    int32_t count;
    assert_int_equal(weft_sim_pin(sim, 0, &count)->path_count, SAMPLES);
    assert_int_equal(count, 2);
    assert_null(weft_sim_pin(sim, 1, NULL));
    weft_sim_destroy(sim);
    file_vertices = 3;
    assert_says(read(&files, "vertices: [3, 1], cache: a.pc2", &sim),
                "scene.yaml:1: pins.cache: has 3 vertices; 2 are needed, those of the pin, or 16, those of the mesh");
    file_vertices = 1;
    assert_says(read(NULL, "vertices: [0], cache: a.pc2", &sim),
                "scene.yaml:1: pins.cache: this program reads no caches");
    assert_says(read(&files, "vertices: [0], cache: []", &sim), "pins.cache: needs the name of a file");
    assert_says(read(&files, "vertices: [0], rate: 3", &sim), "pins.rate: needs a `cache`");
    assert_says(read(&files, "vertices: [0], cache: a.pc2, rate: 0", &sim), "0 per second");
    assert_says(read(&files, "vertices: [0], cache: a.pc2, keys: [{time: 0}]", &sim), "both keys and a path");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pins_follow_their_path),
                                       cmocka_unit_test(bad_paths_are_refused), cmocka_unit_test(scenes_name_a_cache)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
