/* `bodies` and `contact` of a scene file. */
#include "support.h"
#include "weft-io/yaml.h"

static weft_result read_with(const weft_scene_files *files, const char *bodies, weft_sim **sim) {
    static weft_registry *registry;
    char text[2000];
    snprintf(text, sizeof text, "cloth: {grid: {cells: [2, 2]}}\n%s\n", bodies);
    weft_tree *tree;
    if (!registry)
        must(weft_registry_create(&registry));
    must(weft_yaml_read_memory(text, strlen(text), "scene.yaml", &tree));
    weft_result result = weft_scene_read(registry, tree, files, sim);
    weft_tree_destroy(tree);
    return result;
}

static weft_result read(const char *bodies, weft_sim **sim) { return read_with(NULL, bodies, sim); }

static double value_of(const weft_sim *sim, const char *path) {
    char value[64];
    must(weft_sim_get(sim, path, value, sizeof value));
    return strtod(value, NULL);
}

static void bodies_and_contact_are_read(void **state) {
    (void)state;
    weft_sim *sim;
    must(read("bodies:\n"
              "  - plane\n"
              "  - sphere: {radius: 30 cm, at: [1, 2, 3], friction: 0.4,\n"
              "      keys: [{time: 1}, {time: 2, offset: [0, 1, 0], angle: 90 deg, scale: 2}]}\n"
              "contact: {self: true, thickness: 3 mm}",
              &sim));
    assert_int_equal(weft_sim_body_count(sim), 2);
    assert_string_equal(weft_sim_body_name(sim, 1), "sphere");
    assert_near(value_of(sim, "bodies.sphere.radius"), 0.3, 1e-12);
    assert_near(value_of(sim, "bodies.1.friction"), 0.4, 1e-12);
    assert_near(value_of(sim, "contact.thickness"), 0.003, 1e-12);
    weft_body_surface surface;
    must(weft_sim_step(sim, 0.001, NULL));
    must(weft_sim_body_surface(sim, 1, &surface));
    for (int32_t i = 0; i < surface.vertex_count; i++)
        assert_near(weft_distance(surface.position[i], weft_vec3_make(1, 2, 3)), 0.3, 1e-12);
    free(surface.triangle);
    free(surface.position);
    weft_sim_destroy(sim);
}

/* Several bodies or forces of one name have numbers in paths, and a failure says so. */
static void repeated_names_need_numbers(void **state) {
    (void)state;
    weft_sim *sim;
    char value[64];
    must(read("bodies: [capsule: {radius: 0.1}, plane, capsule: {radius: 0.2}]\nforces: [wind, wind]", &sim));
    assert_near(value_of(sim, "bodies.2.radius"), 0.2, 1e-12);
    assert_near(value_of(sim, "bodies.plane.friction"), value_of(sim, "bodies.1.friction"), 0);
    assert_says(weft_sim_get(sim, "bodies.capsule.radius", value, sizeof value),
                "'bodies.capsule.radius': there are 2 bodies 'capsule', with the numbers 0, 2; give one, as in "
                "'bodies.0.radius'");
    assert_says(weft_sim_set(sim, "bodies.capsule.radius", "1"), "as in 'bodies.0.radius'");
    assert_says(weft_sim_set(sim, "forces.wind.speed", "1"), "there are 2 forces 'wind', with the numbers 0, 1");
    assert_says(weft_sim_set(sim, "bodies.caps.radius", "1"), "no parameter 'bodies.caps.radius'");
    assert_says(weft_sim_set(sim, "bodies.", "1"), "no parameter 'bodies.'");
    weft_sim_destroy(sim);
    char many[600] = "bodies: [";
    for (int i = 0; i < 50; i++)
        strcat(many, i ? ", sphere" : "sphere");
    must(read(strcat(many, "]"), &sim));
    assert_says(weft_sim_set(sim, "bodies.sphere.radius", "1"),
                "there are 50 bodies 'sphere', with the numbers 0, 1, 2");
    weft_sim_destroy(sim);
}

static void bad_bodies_and_contact_are_refused(void **state) {
    (void)state;
    weft_sim *sim;
    assert_says(read("bodies: sphere", &sim), "scene.yaml:2: bodies: needs a list");
    assert_says(read("bodies: [spere]", &sim), "did you mean 'sphere'");
    assert_says(read("bodies: [sphere: {radius: -1}]", &sim), "radius");
    assert_says(read("bodies: [sphere: {radios: 1}]", &sim), "radius");
    assert_says(read("bodies: [sphere: 3]", &sim), "needs named values");
    assert_says(read("bodies: [{sphere: {}, box: {}}]", &sim), "an entry is a name");
    assert_says(read("bodies: [mesh]", &sim), "needs the name of a file");
    assert_says(read("bodies: [mesh: {file: a.obj}]", &sim), "reads no mesh files");
    assert_says(read("bodies: [box: {size: [1, 0, 1]}]", &sim), "box.size");
    assert_says(read("bodies: [box: {keys: [{offset: [1, 0, 1]}]}]", &sim), "needs a time");
    assert_says(read("bodies: [box: {keys: [{time: 1}, {time: 0}]}]", &sim), "does not come after");
    assert_says(read("bodies: [box: {keys: [{time: 1, scale: 0}]}]", &sim), "scale");
    assert_says(read("bodies: [box: {keys: {time: 1}}]", &sim), "needs a list");
    assert_says(read("bodies: [box: {appears: 2, vanishes: 1}]", &sim),
                "scene.yaml:2: bodies.box.vanishes: 1 s is not after it appears, at 2 s");
    assert_says(read("contact: {thicknes: 1}", &sim), "thickness");
    assert_says(read("contact: {thickness: -1}", &sim), "thickness");
}

static weft_result load_square(void *context, const char *from, const char *path, weft_mesh **mesh) {
    (void)context, (void)from, (void)path;
    weft_grid grid = weft_grid_default();
    grid.origin = weft_vec3_make(5, 0, 0);
    return weft_mesh_create_grid(&grid, mesh);
}

/* Keeps what the scene asks for; the file has no animation. */
static weft_result keep_wish(void *context, const char *from, const char *path, const weft_animation_wish *wish,
                             const weft_mesh *mesh, weft_body_frames *frames) {
    (void)from, (void)path, (void)mesh;
    *(weft_animation_wish *)context = *wish;
    frames->frame_count = 0;
    return weft_ok();
}

/* 50 frames per second in steps of at most 3 ms are 7 steps per frame. */
static void animations_are_sampled_at_step_times(void **state) {
    (void)state;
    weft_sim *sim;
    weft_animation_wish wish = {0};
    weft_scene_files files = {.context = &wish, .load_mesh = load_square, .load_animation = keep_wish};
    must(read_with(&files, "time: {step: 3 ms, rate: 50, frames: 25}\nbodies: [mesh: {file: a.glb}]", &sim));
    weft_sim_destroy(sim);
    assert_near(wish.rate, 350, 1e-9);
    assert_near(wish.length, 0.5, 1e-12);
    assert_false(wish.is_exact);
    must(read_with(&files, "bodies: [mesh: {file: a.glb, rate: 24}]", &sim));
    weft_sim_destroy(sim);
    assert_near(wish.rate, 24, 0);
    assert_true(wish.is_exact);
}

/* -- the groups of contact -- */

static void count_note(void *context, const char *text) {
    int *count = context;
    *count += strstr(text, " is now contact.") != NULL;
}

/* Reads `contact` and expects `notes` notices of former names. */
static weft_sim *read_contact(const char *contact, int notes) {
    int count = 0;
    weft_sim *sim;
    const weft_scene_files files = {.context = &count, .note = count_note};
    must(read_with(&files, contact, &sim));
    assert_int_equal(count, notes);
    return sim;
}

static void settings_of_a_contact_method_are_a_group(void **state) {
    (void)state;
    weft_sim *sim = read_contact("contact:\n"
                                 "  self: true\n"
                                 "  method: impulses\n"
                                 "  barrier: {sleep: 1 mm/s}\n"
                                 "  constraints: {bodies: false, solves: 3}\n"
                                 "  impulses:\n",
                                 0);
    const weft_contact_settings *used = weft_sim_contact_settings(sim);
    assert_int_equal(used->method, WEFT_CONTACT_IMPULSES);
    assert_near(used->sleep, 0.001, 1e-15);
    assert_int_equal(used->bodies, 0);
    assert_int_equal(used->layers, 1);
    assert_int_equal(used->solves, 3);
    assert_int_equal(used->zones, 60);
    weft_sim_destroy(sim);
}

/* Each former name, in a scene and as a path. */
static void former_names_of_contact_are_read(void **state) {
    (void)state;
    static const char *const CASES[][4] = {
        {"sleep", "barrier.sleep", "0.001", "0.001"},
        {"bodies", "constraints.bodies", "impulse", "false"},
        {"layers", "constraints.layers", "impulses", "false"},
        {"layers", "constraints.layers", "constraint", "true"},
        {"solves", "constraints.solves", "3", "3"},
        {"sweeps", "impulses.sweeps", "5", "5"},
        {"iterations", "impulses.iterations", "7", "7"},
        {"zones", "impulses.zones", "11", "11"},
        {"halvings", "impulses.halvings", "1", "1"},
        {"stretch", "impulses.stretch", "0.25", "0.25"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[100], former[64], present[64], value[WEFT_STRING_SIZE];
        snprintf(text, sizeof text, "contact: {%s: %s}", CASES[i][0], CASES[i][2]);
        snprintf(former, sizeof former, "contact.%s", CASES[i][0]);
        snprintf(present, sizeof present, "contact.%s", CASES[i][1]);
        weft_sim *read = read_contact(text, 1), *made;
        must(weft_sim_create(NULL, &made));
        must(weft_sim_set(made, former, CASES[i][2]));
        weft_sim *const BOTH[] = {read, made};
        for (int k = 0; k < 2; k++) {
            must(weft_sim_get(BOTH[k], present, value, sizeof value));
            assert_string_equal(value, CASES[i][3]);
            must(weft_sim_get(BOTH[k], former, value, sizeof value));
            assert_string_equal(value, CASES[i][3]);
            weft_sim_destroy(BOTH[k]);
        }
    }
}

/* The present name counts, whatever the order in the file, and --set counts more than the file. */
static void present_names_of_contact_win(void **state) {
    (void)state;
    static const struct {
        const char *text, *set[2];
        double solves;
    } CASES[] = {
        {"contact: {solves: 3, constraints: {solves: 4}}", {NULL}, 4},
        {"contact: {constraints: {solves: 4}, solves: 3}", {NULL}, 4},
        {"contact: {constraints: {solves: 4}}", {"contact.solves", "5"}, 5},
        {"contact: {constraints: {bodies: true}, solves: 3}", {"contact.constraints.solves", "5"}, 5},
        {"contact: {solves: 3}", {"contact.constraints", "{solves: 5}"}, 5},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int notes = 0;
        char text[200];
        weft_tree *tree;
        weft_sim *sim;
        const weft_scene_files files = {.context = &notes, .note = count_note};
        snprintf(text, sizeof text, "cloth: {grid: {cells: [2, 2]}}\n%s\n", CASES[i].text);
        must(weft_yaml_read_memory(text, strlen(text), "scene.yaml", &tree));
        if (CASES[i].set[0])
            must(weft_yaml_set(tree, CASES[i].set[0], CASES[i].set[1]));
        must(weft_scene_read(NULL, tree, &files, &sim));
        assert_near(value_of(sim, "contact.constraints.solves"), CASES[i].solves, 0);
        assert_int_equal(notes, 1);
        weft_sim_destroy(sim);
        weft_tree_destroy(tree);
    }
}

static void bad_groups_of_contact_are_refused(void **state) {
    (void)state;
    static const char *const CASES[][2] = {
        {"contact: {constraints: 3}", "scene.yaml:2: contact.constraints: needs named values"},
        {"contact: {constraints: [solves]}", "scene.yaml:2: contact.constraints: needs named values"},
        {"contact: {constraints: {solvs: 3}}", "no parameter 'constraints.solvs'; did you mean 'constraints.solves'?"},
        {"contact: {constraints: {zones: 3}}", "scene.yaml:2: contact: no parameter 'constraints.zones'"},
        {"contact: {constraints: {solves: 0}}", "scene.yaml:2: contact.constraints.solves: 0 is below 1"},
        {"contact: {constraints: {bodies: maybe}}", "contact.constraints.bodies: 'maybe' is neither true nor false"},
        {"contact: {constraints: {solves: {a: 1}}}", "a map, but a single value is needed"},
        {"contact: {sloves: 3}", "contact: no parameter 'sloves'; did you mean 'constraints.solves'?"},
        {"contact: {method: hope}", "'hope' is not one of constraints, barrier, impulses"},
        {"contact: 3", "contact: needs named values"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        weft_sim *sim;
        assert_says(read(CASES[i][0], &sim), CASES[i][1]);
        assert_null(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_and_contact_are_read),
        cmocka_unit_test(animations_are_sampled_at_step_times),
        cmocka_unit_test(repeated_names_need_numbers),
        cmocka_unit_test(bad_bodies_and_contact_are_refused),
        cmocka_unit_test(settings_of_a_contact_method_are_a_group),
        cmocka_unit_test(former_names_of_contact_are_read),
        cmocka_unit_test(present_names_of_contact_win),
        cmocka_unit_test(bad_groups_of_contact_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
