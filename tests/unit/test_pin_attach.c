/* Pins that a body carries: on shapes and meshes, by calls and in scenes. */
#include "support.h"
#include "weft-io/yaml.h"

static weft_registry *known(void) {
    static weft_registry *registry;
    if (!registry)
        must(weft_registry_create(&registry));
    return registry;
}

static weft_sim *sheet(void) {
    weft_sim *sim;
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    must(weft_sim_create(known(), &sim));
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("wool")->fabric, NULL, NULL));
    must(weft_sim_add_force(sim, "gravity", NULL));
    return sim;
}

static void attach(weft_sim *sim, int32_t body, int32_t vertex) {
    weft_pin pin = weft_pin_default();
    pin.attached = 1;
    pin.body = body;
    must(weft_sim_add_pin(sim, 0, &pin, &vertex, 1));
}

static weft_vec3 place(const weft_sim *sim, int32_t vertex) { return weft_sim_positions(sim, 0)[vertex]; }

static void step_until(weft_sim *sim, double time) {
    while (weft_sim_time(sim) < time - 1e-9)
        must(weft_sim_step(sim, 0.005, NULL));
}

/* A box far below turns a quarter about y and moves. Vertex 0 is at the origin. */
static void shapes_carry_vertices(void **state) {
    (void)state;
    weft_sim *sim = sheet();
    int32_t box;
    must(weft_sim_add_body(sim, "box", NULL, &box));
    must(weft_sim_set(sim, "bodies.0.at", "[1, -3, 0]"));
    const weft_body_key keys[2] = {{.time = 0, .scale = 1},
                                   {.time = 0.1, .offset = {0.2, 0, 0}, .angle = acos(0), .scale = 1}};
    must(weft_sim_set_body_keys(sim, box, keys, 2));
    attach(sim, box, 0);
    step_until(sim, 0.1);
    weft_vec3 turned = {1.2, 0, 1}; /* [-1, 3, 0] turned about y is [0, 3, 1] */
    assert_below(weft_distance(place(sim, 0), turned), 1e-9);
    weft_sim_destroy(sim);
}

/* One triangle in front of the sheet, of three times its size, that tilts about its long edge in one sample. */
static weft_mesh *triangle(weft_vec3 tip) {
    const weft_vec3 position[3] = {{-2, -2, 0.1}, {4, -2, 0.1}, tip};
    static const int32_t CORNER[3] = {0, 1, 2}, SIZE[1] = {3};
    const weft_polygons polygons = {.position = position,
                                    .vertex_count = 3,
                                    .corner = CORNER,
                                    .corner_count = 3,
                                    .face_size = SIZE,
                                    .face_count = 1};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static const weft_vec3 UP = {1, 4, 0.1}, AHEAD = {1, -2, 6.1}; /* both are 6 away from the long edge */

static weft_sim *on_triangle(int32_t *body) {
    weft_sim *sim = sheet();
    must(weft_sim_add_body(sim, "mesh", triangle(UP), body));
    const weft_vec3 frame[6] = {{-2, -2, 0.1}, {4, -2, 0.1}, UP, {-2, -2, 0.1}, {4, -2, 0.1}, AHEAD};
    const weft_body_frames frames = {frame, 3, 2, 10, 0};
    must(weft_sim_set_body_frames(sim, *body, &frames));
    return sim;
}

static void meshes_carry_vertices(void **state) {
    (void)state;
    int32_t body;
    weft_sim *sim = on_triangle(&body);
    attach(sim, body, 0);
    step_until(sim, 0.1);
    /* the vertex was 0.1 behind the triangle, 2 above the edge */
    weft_vec3 tilted = {0, -1.9, 2.1};
    assert_below(weft_distance(place(sim, 0), tilted), 1e-9);
    weft_sim_destroy(sim);
}

/* A snapshot continues as the run did. */
static void snapshots_keep_attached_vertices(void **state) {
    (void)state;
    int32_t body;
    weft_sim *sim = on_triangle(&body);
    attach(sim, body, 0);
    step_until(sim, 0.04);
    size_t size = weft_sim_snapshot_size(sim);
    void *bytes = malloc(size);
    weft_sim_snapshot(sim, bytes);
    step_until(sim, 0.08);
    uint64_t hash = weft_sim_hash(sim);
    must(weft_sim_restore(sim, bytes, size));
    step_until(sim, 0.08);
    assert_true(hash == weft_sim_hash(sim));
    free(bytes);
    weft_sim_destroy(sim);
}

static void vertices_of_a_removed_body_stay(void **state) {
    (void)state;
    int32_t body;
    weft_sim *sim = on_triangle(&body);
    must(weft_sim_add_body(sim, "box", NULL, NULL));
    must(weft_sim_set(sim, "bodies.1.at", "[1, -30, 0]"));
    attach(sim, 0, 0);
    attach(sim, 1, 5);
    step_until(sim, 0.05);
    weft_vec3 before = place(sim, 0), other = place(sim, 5);
    must(weft_sim_remove_body(sim, 0));
    must(weft_sim_step(sim, 0.005, NULL));
    assert_below(weft_distance(place(sim, 0), before), 1e-12);
    assert_below(weft_distance(place(sim, 5), other), 1e-12);
    weft_sim_destroy(sim);
}

/* A pin that begins at 0.05 s holds its vertex where it has fallen to, and carries it from there on. A snapshot from
 * before and one from after that time both continue as the run did. */
static void late_pins_hold_what_is_there(void **state) {
    (void)state;
    int32_t body, vertex[2] = {0, 60};
    weft_sim *sim = on_triangle(&body);
    weft_pin pin = weft_pin_default();
    pin.attached = 1;
    pin.body = body;
    pin.begin = 0.05;
    must(weft_sim_add_pin(sim, 0, &pin, vertex, 2));
    assert_int_equal(weft_sim_held(sim, 0)[0], 0);
    step_until(sim, 0.04);
    assert_true(place(sim, 0).y < -1e-3);
    size_t size[2] = {weft_sim_snapshot_size(sim)};
    void *bytes[2] = {malloc(size[0])};
    weft_sim_snapshot(sim, bytes[0]);
    step_until(sim, 0.05);
    weft_vec3 fallen = place(sim, 0);
    step_until(sim, 0.06);
    assert_int_equal(weft_sim_held(sim, 0)[60], 1);
    size[1] = weft_sim_snapshot_size(sim);
    bytes[1] = malloc(size[1]);
    weft_sim_snapshot(sim, bytes[1]);
    step_until(sim, 0.1);
    weft_vec3 carried = place(sim, 0);
    /* Half-way the triangle is tilted by 45 degrees and its height is 6 / sqrt(2), at the end 6. The vertex keeps its
     * share of the height and its distance from the triangle. */
    double up = fallen.y + 2, ahead = fallen.z - 0.1;
    assert_near(carried.z - 0.1, up + ahead, 1e-9);
    assert_near(fabs(carried.y + 2), fabs(up - ahead) / sqrt(2), 1e-9);
    uint64_t hash = weft_sim_hash(sim);
    for (int i = 1; i >= 0; i--) {
        must(weft_sim_restore(sim, bytes[i], size[i]));
        step_until(sim, 0.1);
        assert_true(hash == weft_sim_hash(sim));
        free(bytes[i]);
    }
    must(weft_sim_unpin(sim, 0, vertex, 1));
    assert_int_equal(weft_sim_held(sim, 0)[0], 0);
    assert_int_equal(weft_sim_held(sim, 0)[60], 1);
    must(weft_sim_step(sim, 0.005, NULL));
    pin.begin = NAN;
    assert_says(weft_sim_add_pin(sim, 0, &pin, vertex, 1), "pin: begins at nan s");
    pin = weft_pin_default();
    pin.begin = 1;
    pin.start = &fallen;
    assert_says(weft_sim_add_pin(sim, 0, &pin, vertex, 1), "without start, keys and path");
    weft_sim_destroy(sim);
}

static weft_result load_triangle(void *context, const char *from, const char *path, weft_mesh **mesh) {
    (void)context, (void)from, (void)path;
    *mesh = triangle(UP);
    return weft_ok();
}

static weft_result read_scene(const char *pins, const char *bodies, weft_sim **sim) {
    char text[400];
    weft_tree *tree;
    weft_scene_files files = {.load_mesh = load_triangle};
    snprintf(text, sizeof text, "cloth: {grid: {cells: [2, 2]}, pins: [%s]}\nbodies: [%s]\n", pins, bodies);
    must(weft_yaml_read_memory(text, strlen(text), "scene.yaml", &tree));
    weft_result result = weft_scene_read(known(), tree, &files, sim);
    weft_tree_destroy(tree);
    return result;
}

static weft_result read_pins(const char *pins, weft_sim **sim) {
    return read_scene(
        pins, "plane: {at: [0, -5, 0]}, box: {at: [0, -4, 0], keys: [{time: 0}, {time: 1, offset: [1, 0, 0]}]}", sim);
}

static void scenes_attach_pins(void **state) {
    (void)state;
    weft_sim *sim;
    static const char *const NAMES[] = {"{side: left, attach: box}", "{side: left, attach: 1}"};
    for (int i = 0; i < 2; i++) {
        must(read_pins(NAMES[i], &sim));
        step_until(sim, 0.1);
        assert_near(place(sim, 0).x, 0.1, 1e-9);
        weft_sim_destroy(sim);
    }
    must(read_pins("{side: left, begin: 50 ms, attach: box}", &sim));
    assert_int_equal(weft_sim_held(sim, 0)[0], 0);
    step_until(sim, 0.1);
    assert_near(place(sim, 0).x, 0.05, 1e-9);
    weft_sim_destroy(sim);
    assert_says(read_pins("{side: left, begin: soon}", &sim), "scene.yaml:1: pins.begin");
    assert_says(read_pins("{side: left, attach: sphere}", &sim),
                "scene.yaml:1: pins.attach: the scene has no body 'sphere'");
    assert_says(read_pins("{side: left, attach: 2}", &sim), "there is no body 2; the scene has 2");
    assert_says(read_pins("{side: left, attach: -1}", &sim), "there is no body -1");
    assert_says(read_pins("{side: left, attach: 1e30}", &sim), "there is no body 1e30");
    assert_says(read_pins("{side: left, attach: [1]}", &sim), "needs the name or the number of a body");
    assert_says(read_pins("{side: left, attach: box, keys: [{time: 0}]}", &sim), "follows a body, and has keys");
}

/* A name that two bodies have is no name. */
static void ambiguous_names_are_refused(void **state) {
    (void)state;
    static const char MESHES[] = "mesh: {file: walker.obj}, plane: {at: [0, -5, 0]}, mesh: {file: chair.obj}";
    weft_sim *sim;
    assert_says(read_scene("{side: left, attach: mesh}", MESHES, &sim),
                "scene.yaml:1: pins.attach: body 0 (walker.obj) and body 2 (chair.obj) both are 'mesh'; give a number "
                "instead, as in attach: 0");
    assert_says(read_scene("{side: left, attach: box}", "box: {at: [0, -4, 0]}, box: {at: [0, -6, 0]}", &sim),
                "pins.attach: body 0 and body 1 both are 'box'; give a number");
    must(read_scene("{side: left, attach: 2}", MESHES, &sim));
    weft_sim_destroy(sim);
    must(read_scene("{side: left, attach: plane}", MESHES, &sim));
    weft_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_carry_vertices),
        cmocka_unit_test(meshes_carry_vertices),
        cmocka_unit_test(snapshots_keep_attached_vertices),
        cmocka_unit_test(vertices_of_a_removed_body_stay),
        cmocka_unit_test(late_pins_hold_what_is_there),
        cmocka_unit_test(scenes_attach_pins),
        cmocka_unit_test(ambiguous_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
