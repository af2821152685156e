/* Whole scenes with contact: the kernels as loops on the CPU against the engine. No intersections by the engine's
 * audit, the same way to rest, and the same bits again. */
#include "cuda_fixture.h"
/* after `must` */
#include "gpu/contact_scenes.h"

/* What a run leaves. */
typedef struct outcome {
    weft_measures measures;
    weft_vec3 centre; /* of all vertices, m */
    uint64_t hash;
    int64_t contacts, crossings;
} outcome;

static void count_crossings(weft_sim *sim, outcome *to) {
    weft_intersections found;
    must(weft_sim_intersections(sim, &found));
    to->crossings += found.self + found.cloths + found.bodies;
}

static outcome run(const weft_registry *registry, const contact_scene *scene, const char *device, int frames) {
    outcome made = {0};
    weft_sim *sim = contact_scene_create(registry, scene, device, 1);
    for (int i = 0; i < frames; i++) {
        weft_report report;
        must(weft_sim_advance_frame(sim, &report, NULL));
        made.contacts += report.contact.contacts;
        count_crossings(sim, &made);
    }
    must(weft_sim_measure(sim, &made.measures));
    made.hash = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    return made;
}

/* A scene, how long it runs, and how far centres of mass (m) and energies (relative) may be apart at the end. Cloth
 * that folds is chaotic: only its energies agree. The two minimise the same potential on different ways, and each stops
 * at corrections of 5 mm/s. After 40 frames the sheet on a ball is 2 mm (engine) and 8 mm (GPU) from a run that
 * converges twenty times farther, after 20 frames 3 and 2 mm. So it is compared after 20. Of the strip the distance
 * grows eightfold in ten frames, 2 mm after 20, 13 mm after 30, 142 mm after 60. One difference is known: only the
 * engine gives squeezed pairs the stiffness of their coming force (barrier_load.c). */
static const struct {
    contact_scene scene;
    int frames;
    double centre, energy;
} SCENES[] = {
    {{"stack", CONTACT_STACK, "springs", "implicit-euler", 10, 4, 0.02, 0.02, {NULL}}, 30, 1e-4, 1e-3},
    {{"sheet on a ball", CONTACT_SPHERE, "springs", "implicit-euler", 12, 1, 0.02, 0.004, {NULL}}, 20, 5e-3, 0.02},
    {{"two sheets", CONTACT_SPHERE, "corotational", "implicit-euler", 10, 2, 0.02, 0.004, {NULL}}, 30, 5e-3, 0.02},
    {{"moving ball", CONTACT_PUSHED, "corotational", "bdf2", 12, 1, 0.01, 0.004, {NULL}}, 30, 5e-3, 0.05},
    {{"folding strip", CONTACT_STRIP, "springs", "implicit-euler", 6, 1, 0.01, 0.004, {NULL}}, 30, 0.05, 0.05},
};

static void scenes_agree_with_the_engine(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; i++) {
        outcome ours = run(registry, &SCENES[i].scene, "cuda-host", SCENES[i].frames);
        outcome theirs = run(registry, &SCENES[i].scene, "cpu", SCENES[i].frames);
        const weft_measures *a = &ours.measures, *b = &theirs.measures;
        double scale = fabs(b->potential + b->elastic + b->kinetic);
        double apart = weft_distance(a->centre, b->centre);
        double energy = fabs(a->potential + a->elastic + a->kinetic - b->potential - b->elastic - b->kinetic) / scale;
        print_message("%s: centres %.2g m apart, energies %.2g, contacts %lld and %lld\n", SCENES[i].scene.name, apart,
                      energy, (long long)ours.contacts, (long long)theirs.contacts);
        assert_int_equal(ours.crossings, 0);
        assert_true(ours.contacts > 0);
        assert_below(apart, SCENES[i].centre);
        assert_below(energy, SCENES[i].energy);
    }
    weft_registry_destroy(registry);
}

static void runs_give_the_same_bits(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    for (int i = 1; i < 4; i++)
        assert_true(run(registry, &SCENES[i].scene, "cuda-host", 20).hash ==
                    run(registry, &SCENES[i].scene, "cuda-host", 20).hash);
    weft_registry_destroy(registry);
}

/* A run that goes on from a snapshot, or after a change that copies the scene again, gives the bits of one that did
 * not stop: grips travel too. */
static void snapshots_keep_the_grips(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    uint64_t hash[3];
    void *snapshot = NULL;
    size_t size = 0;
    for (int k = 0; k < 3; k++) {
        weft_sim *sim = contact_scene_create(registry, &SCENES[2].scene, "cuda-host", 1);
        must(weft_sim_prepare(sim));
        if (k == 2)
            must(weft_sim_restore(sim, snapshot, size));
        for (int frame = k == 2 ? 15 : 0; frame < 25; frame++) {
            if (k == 0 && frame == 15) {
                size = weft_sim_snapshot_size(sim);
                snapshot = malloc(size);
                weft_sim_snapshot(sim, snapshot);
                assert_true(sim->grips[0].count > 10);
            }
            if (k == 1 && frame == 15)
                must(weft_sim_set(sim, "time.step", "0.02")); /* as it was */
            must(weft_sim_advance_frame(sim, NULL, NULL));
        }
        hash[k] = weft_sim_hash(sim);
        weft_sim_destroy(sim);
    }
    free(snapshot);
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] == hash[2]);
    weft_registry_destroy(registry);
}

/* Friction: on a slope below the angle of friction cloth stays, above it slides. */
static double slide_on_slope(const weft_registry *registry, const char *friction) {
    weft_sim *sim;
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 6;
    grid.size[0] = grid.size[1] = 0.3;
    double c = cos(0.3), s = sin(0.3);
    grid.axis[0] = weft_vec3_make(c, s, 0);
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    grid.origin = weft_vec3_make(-0.0035 * s, 0.0035 * c, -0.15);
    must(weft_sim_create(registry, &sim));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_set(sim, "device.name", "cuda-host"));
    must(weft_sim_set(sim, "time.step", "0.02"));
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, "springs", NULL));
    must(weft_sim_add_body(sim, "plane", NULL, NULL));
    must(weft_sim_set(sim, "bodies.plane.rotate", "[0, 0, 0.3]"));
    must(weft_sim_set(sim, "bodies.plane.friction", friction));
    must(weft_sim_set(sim, "contact.thickness", "0.004"));
    must(weft_sim_add_force(sim, "gravity", NULL));
    for (int i = 0; i < 50; i++)
        must(weft_sim_advance_frame(sim, NULL, NULL));
    double moved = weft_distance(weft_sim_positions(sim, 0)[24], mesh->position[24]);
    weft_sim_destroy(sim);
    return moved;
}

/* tan 0.3 = 0.309; without friction it would slide 0.5 g sin 0.3 t^2 = 5.8 m in 2 s. */
static void friction_holds_on_slopes(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    double held = slide_on_slope(registry, "0.35"), slid = slide_on_slope(registry, "0.25");
    print_message("below the angle of friction: %.3g m, above: %.3g m\n", held, slid);
    assert_below(held, 5e-3);
    assert_true(slid > 0.1);
    weft_registry_destroy(registry);
}

/* A sheet in free fall keeps its momentum although solves are loose while another one touches the ground. */
static void flight_keeps_its_momentum(void **state) {
    (void)state;
    static const contact_scene SCENE = {"fall", CONTACT_STACK, "springs", "implicit-euler", 8, 2, 0.02, 0.02, {NULL}};
    weft_registry *registry = cuda_registry();
    weft_sim *sim = contact_scene_create(registry, &SCENE, "cuda-host", 1);
    must(weft_sim_set(sim, "forces.air-damping.coefficient", "0"));
    must(weft_sim_prepare(sim));
    int32_t count = weft_sim_cloth(sim, 1)->mesh->vertex_count;
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 up = weft_add(weft_sim_positions(sim, 1)[i], weft_vec3_make(0, 2, 0));
        must(weft_sim_place(sim, 1, i, up, weft_vec3_make(0, 0, 0)));
    }
    double sum = 0, mass = 0;
    weft_report report;
    for (int i = 0; i < 20; i++)
        must(weft_sim_advance_frame(sim, &report, NULL));
    assert_true(report.contact.contacts > 0);
    for (int32_t i = 0; i < count; i++) {
        double m = sim->mass[weft_sim_cloth(sim, 0)->mesh->vertex_count + i];
        sum += m * weft_sim_velocities(sim, 1)[i].y;
        mass += m;
    }
    assert_below(fabs(sum / mass + 9.81 * 0.4), 2e-3);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

/* Layers that lie at distance 0 are parted before the first step, and the device gets the new places. */
static void coinciding_layers_are_parted(void **state) {
    (void)state;
    static const contact_scene SCENE = {"pair", CONTACT_STACK, "springs", "implicit-euler", 6, 2, 0.02, 0.004, {NULL}};
    weft_registry *registry = cuda_registry();
    weft_sim *sim = contact_scene_create(registry, &SCENE, "cuda-host", 1);
    outcome made = {0};
    must(weft_sim_prepare(sim));
    for (int32_t i = 0; i < weft_sim_cloth(sim, 1)->mesh->vertex_count; i++) {
        weft_vec3 at = weft_sim_positions(sim, 1)[i];
        at.y = weft_sim_positions(sim, 0)[0].y;
        must(weft_sim_place(sim, 1, i, at, weft_vec3_make(0, 0, 0)));
    }
    for (int i = 0; i < 10; i++)
        must(weft_sim_advance_frame(sim, NULL, NULL));
    assert_true(weft_sim_separated(sim).vertices > 0);
    count_crossings(sim, &made);
    assert_int_equal(made.crossings, 0);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

/* Pins that are pulled through a body leave no way out: the step fails, and the state is as before, without
 * intersections. */
static void hopeless_steps_fail_with_a_line(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    static const contact_scene SCENE = {"pins", CONTACT_PUSHED, "springs", "implicit-euler", 8, 1, 0.01, 0.004, {NULL}};
    weft_sim *sim = contact_scene_create(registry, &SCENE, "cuda-host", 1);
    outcome made = {0};
    weft_result result = weft_ok();
    must(weft_sim_drag(sim, 0, 40, weft_vec3_make(0.5, -0.5, -2)));
    for (int i = 0; i < 60 && result.code == WEFT_OK; i++)
        result = weft_sim_advance_frame(sim, NULL, NULL);
    assert_says(result, "pins or bodies could not reach their places");
    assert_says(result, "use device: cpu");
    assert_non_null(weft_sim_advice(sim));
    count_crossings(sim, &made);
    assert_int_equal(made.crossings, 0);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_agree_with_the_engine),    cmocka_unit_test(runs_give_the_same_bits),
        cmocka_unit_test(snapshots_keep_the_grips),        cmocka_unit_test(friction_holds_on_slopes),
        cmocka_unit_test(coinciding_layers_are_parted),    cmocka_unit_test(flight_keeps_its_momentum),
        cmocka_unit_test(hopeless_steps_fail_with_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
