/* Whole steps of the GPU backend, run as loops on the CPU, against those of the engine; states, frames, refusals. */
#include <pthread.h>

#include "cuda_fixture.h"

/* Both solve to 1e-10. With one linearisation per step, the matrix is part of the result. The two round it to float in
 * different ways: 6e-8 relative, 1e-6 m after ten steps in which the sheet of 1 m moves by centimetres. With converged
 * Newton iterations the matrix does not matter. */
#define TIGHT "integrator.tolerance", "1e-10", "integrator.iterations", "3000", "integrator.precondition", "block"

static const cuda_case IMPLICIT[] = {
    {"corotational", "implicit-euler", {TIGHT}, 1},
    {"corotational", "bdf2", {TIGHT}, 1},
    {"corotational", "bdf2", {TIGHT, "cloth.model.bending", "hinge"}, 0},
    {"corotational", "bdf2", {TIGHT, "cloth.model.strain", "green", "integrator.warm_start", "false"}, 0},
    {"springs", "bdf2", {TIGHT}, 1},
};

#define CONVERGED TIGHT, "integrator.newton", "30", "integrator.newton_tolerance", "1e-11"

static const cuda_case NEWTON[] = {
    {"corotational", "bdf2", {CONVERGED, "cloth.model.bending", "hinge"}, 0},
    {"corotational", "implicit-euler", {CONVERGED}, 1},
};

/* Its stiffness jumps at the rest length. One linearisation with lengths in float may miss that, and Newton iterations
 * end with an error at the jumps. */
static const cuda_case BUCKLING = {"buckling", "implicit-euler", {CONVERGED}, 0};

static const cuda_case EXPLICIT[] = {
    {"springs", "symplectic-euler", {"time.step", "0.0002"}, 1},
    {"springs", "forward-euler", {"time.step", "0.0001"}, 0},
    {"corotational", "verlet", {"time.step", "0.0001"}, 0},
    {"springs", "verlet-timecorrected", {"time.step", "0.0002"}, 0},
    {"buckling", "verlet-taylor", {"time.step", "0.0002"}, 0},
};

/* Largest distance after two frames. */
static double run_both(const cuda_case *c) {
    weft_registry *registry = cuda_registry();
    weft_sim *cpu = cuda_sheet(registry, c, 10, "cpu"), *gpu = cuda_sheet(registry, c, 10, "cuda-host");
    for (int frame = 0; frame < 2; frame++) {
        int32_t steps[2];
        must(weft_sim_advance_frame(cpu, NULL, &steps[0]));
        must(weft_sim_advance_frame(gpu, NULL, &steps[1]));
        assert_int_equal(steps[0], steps[1]);
    }
    double distance = cuda_distance(cpu, gpu);
    assert_true(weft_distance(weft_sim_positions(cpu, 0)[40], (weft_vec3){0, 0, 0}) > 0.01);
    weft_sim_destroy(gpu);
    weft_sim_destroy(cpu);
    weft_registry_destroy(registry);
    return distance;
}

static void implicit_steps_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof IMPLICIT / sizeof IMPLICIT[0]; i++)
        assert_below(run_both(&IMPLICIT[i]), 1e-6);
    for (size_t i = 0; i < sizeof NEWTON / sizeof NEWTON[0]; i++)
        assert_below(run_both(&NEWTON[i]), 1e-9);
    assert_below(run_both(&BUCKLING), 1e-6);
}

/* Iterations of three steps of a stiff sheet of 61 x 37 vertices at 16 ms. */
static int32_t iterations_with(const weft_registry *registry, const char *precondition, weft_sim **sim) {
    cuda_case c = {
        "corotational",
        "bdf2",
        {"integrator.tolerance", "1e-7", "integrator.iterations", "9000", "integrator.precondition", precondition},
        1};
    *sim = cuda_sheet(registry, &c, 60, "cuda-host");
    int32_t sum = 0;
    for (int i = 0; i < 3; i++) {
        weft_report report;
        must(weft_sim_step(*sim, 0.016, &report));
        assert_int_equal(report.solve.not_converged, 0);
        sum += report.solve.iterations;
    }
    return sum;
}

/* Both preconditioners solve the same equations; the levels need fewer iterations. */
static void levels_save_iterations(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    weft_sim *block, *levels;
    int32_t with_block = iterations_with(registry, "block", &block);
    int32_t with_levels = iterations_with(registry, "cholesky", &levels);
    assert_int_equal(((gpu_simulation *)levels->device.self)->gpu.level_count, 3);
    assert_below(cuda_distance(block, levels), 1e-6);
    assert_below(with_levels, 0.4 * with_block);
    weft_sim_destroy(levels);
    weft_sim_destroy(block);
    weft_registry_destroy(registry);
}

static void explicit_steps_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof EXPLICIT / sizeof EXPLICIT[0]; i++)
        assert_below(run_both(&EXPLICIT[i]), 1e-9);
}

static const cuda_case PLAIN = {"corotational", "bdf2", {NULL}, 1};

/* The host sees the state after each step of a frame, not only at its end. */
static void state_arrives_when_asked_for(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    weft_sim *sim = cuda_sheet(registry, &PLAIN, 10, "cuda-host");
    weft_report report;
    int32_t done;
    must(weft_sim_advance_step(sim, &report, &done));
    assert_int_equal(done, 0);
    assert_int_equal(sim->device.ahead, 1);
    double before = weft_sim_positions(sim, 0)[40].y;
    assert_int_equal(sim->device.ahead, 0);
    must(weft_sim_advance_step(sim, &report, &done));
    assert_true(weft_sim_positions(sim, 0)[40].y < before);
    assert_true(report.solve.iterations > 0);
    assert_in_range(report.solve.newton, 2, 6); /* of two steps, three in each at most */
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

/* A run gives the same bits again, and so does one that goes on from a snapshot. */
static void runs_are_repeatable(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    uint64_t hash[3];
    void *snapshot = NULL;
    size_t size = 0;
    for (int k = 0; k < 3; k++) {
        weft_sim *sim = cuda_sheet(registry, &PLAIN, 10, "cuda-host");
        must(weft_sim_prepare(sim));
        if (k == 2)
            must(weft_sim_restore(sim, snapshot, size));
        for (int frame = k == 2 ? 1 : 0; frame < 3; frame++) {
            must(weft_sim_advance_frame(sim, NULL, NULL));
            if (k == 0 && frame == 0) {
                size = weft_sim_snapshot_size(sim);
                snapshot = malloc(size);
                weft_sim_snapshot(sim, snapshot);
            }
        }
        hash[k] = weft_sim_hash(sim);
        weft_sim_destroy(sim);
    }
    free(snapshot);
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] == hash[2]);
    weft_registry_destroy(registry);
}

/* A changed value, a new place and a released pin reach the device. */
static void changes_reach_the_device(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    weft_sim *sim[2] = {cuda_sheet(registry, &IMPLICIT[1], 10, "cpu"),
                        cuda_sheet(registry, &IMPLICIT[1], 10, "cuda-host")};
    for (int k = 0; k < 2; k++) {
        must(weft_sim_set(sim[k], "integrator.newton_tolerance", "1e-6"));
        must(weft_sim_advance_frame(sim[k], NULL, NULL));
        must(weft_sim_set(sim[k], "cloth.fabric.density", "0.4"));
        must(weft_sim_set(sim[k], "forces.wind.speed", "9"));
        must(weft_sim_place(sim[k], 0, 60, weft_sim_positions(sim[k], 0)[61], (weft_vec3){0, 0, 1}));
        must(weft_sim_unpin(sim[k], 0, (int32_t[]){0}, 1));
        must(weft_sim_drag(sim[k], 0, 30, (weft_vec3){0.5, -0.2, 0.1}));
        must(weft_sim_advance_frame(sim[k], NULL, NULL));
        must(weft_sim_release(sim[k], 0, 30));
        must(weft_sim_advance_frame(sim[k], NULL, NULL));
    }
    assert_below(cuda_distance(sim[0], sim[1]), 1e-5); /* three frames, one of them with a violent drag */
    weft_sim_destroy(sim[0]);
    weft_sim_destroy(sim[1]);
    weft_registry_destroy(registry);
}

static void steps_that_diverge_are_halved(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    cuda_case c = {"springs", "forward-euler", {"time.step", "0.01", "time.halvings", "0"}, 0};
    weft_sim *sim = cuda_sheet(registry, &c, 10, "cuda-host");
    weft_result result = weft_ok();
    for (int frame = 0; frame < 200 && result.code == WEFT_OK; frame++)
        result = weft_sim_advance_frame(sim, NULL, NULL);
    assert_says(result, "diverged");
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

/* What the device does not support is refused by name. */
static void the_rest_is_refused(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    const struct {
        cuda_case scene;
        const char *says;
    } bad[] = {
        {{"springs", "projective", {NULL}, 0}, "integrator projective"},
        {{"springs", "xpbd", {NULL}, 0}, "integrator xpbd"},
        {{"springs", "verlet-constraints", {NULL}, 0}, "integrator verlet-constraints"},
        {{"corotational", "bdf2", {"integrator.solver", "direct"}, 0}, "integrator.solver: direct"},
        {{"springs", "bdf2", {"cloth.model.limit", "0.1"}, 0}, "model.limit of cloth 'sheet'"},
        {{"springs", "bdf2", {"cloth.model.tear", "1.5"}, 0}, "model.tear of cloth 'sheet'"},
        {{"springs", "verlet", {"contact.self", "true"}, 0}, "contact with this integrator"},
        {{"corotational", "bdf2", {"contact.self", "true", "contact.mode", "fast"}, 0}, "contact.mode: fast"},
        {{"corotational", "bdf2", {"contact.self", "true", "contact.method", "constraints"}, 0},
         "contact.method: constraints"},
        {{"corotational", "bdf2", {"contact.self", "true", "contact.repair", "true"}, 0}, "contact.repair"},
        {{"corotational", "bdf2", {"contact.strain_limit", "0.1"}, 0}, "contact.strain_limit"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        weft_sim *sim;
        weft_mesh *mesh;
        weft_grid grid = weft_grid_default();
        must(weft_sim_create(registry, &sim));
        must(weft_sim_set_integrator(sim, bad[i].scene.integrator));
        must(weft_sim_set(sim, "device.name", "cuda-host"));
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, bad[i].scene.model,
                                NULL));
        for (int k = 0; bad[i].scene.set[k]; k += 2)
            must(weft_sim_set(sim, bad[i].scene.set[k], bad[i].scene.set[k + 1]));
        assert_says(weft_sim_prepare(sim), bad[i].says);
        weft_sim_destroy(sim);
    }
    weft_sim *sim = NULL;
    must(weft_sim_create(registry, &sim));
    must(weft_sim_set(sim, "device.name", "abacus"));
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, NULL, NULL));
    assert_says(weft_sim_prepare(sim), "device 'abacus' is not known");
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

/* A program may ask between the steps of a frame, too. */
static void hashes_follow_the_device(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    weft_sim *sim = cuda_sheet(registry, &PLAIN, 10, "cuda-host");
    int32_t done;
    must(weft_sim_prepare(sim));
    uint64_t before = weft_sim_hash(sim);
    must(weft_sim_advance_step(sim, NULL, &done));
    assert_true(sim->device.ahead && !done);
    assert_true(weft_sim_hash(sim) != before);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

/* What is seen of a frame: its hash, its energy, and where the ball is. */
typedef struct frame_seen {
    uint64_t hash;
    double time, energy, ball;
} frame_seen;

static frame_seen see(weft_sim *sim) {
    weft_measures measures;
    weft_body_surface ball;
    must(weft_sim_measure(sim, &measures));
    must(weft_sim_body_surface(sim, 0, &ball));
    double at = ball.position[0].z;
    weft_memory_free(ball.position);
    weft_memory_free(ball.triangle);
    return (frame_seen){weft_sim_hash(sim), weft_sim_time(sim), measures.kinetic + measures.elastic, at};
}

/* A ball moves past the sheet. */
static weft_sim *sheet_and_ball(const weft_registry *registry) {
    static const weft_body_key KEYS[] = {{.time = 0, .scale = 1}, {.time = 0.2, .offset = {0, 0, 0.1}, .scale = 1}};
    weft_sim *sim = cuda_sheet(registry, &PLAIN, 10, "cuda-host");
    must(weft_sim_add_body(sim, "sphere", NULL, NULL));
    must(weft_sim_set(sim, "bodies.sphere.radius", "0.05"));
    must(weft_sim_set(sim, "bodies.sphere.at", "[0.5, -0.3, -0.8]"));
    must(weft_sim_set_body_keys(sim, 0, KEYS, 2));
    return sim;
}

typedef struct reader {
    weft_still *still;
    frame_seen seen;
} reader;

static void *read_still(void *context) {
    reader *r = context;
    weft_sim *shown;
    must(weft_still_wait(r->still, &shown));
    r->seen = see(shown);
    return NULL;
}

/* A thread reads each frame while the next one is computed. It sees what a program sees that waits after every frame.
 */
static void stills_are_the_frames(void **state) {
    (void)state;
    enum { FRAMES = 6 };
    weft_registry *registry = cuda_registry();
    weft_sim *sim = sheet_and_ball(registry), *plain = sheet_and_ball(registry);
    reader r = {0};
    must(weft_still_create(sim, &r.still));
    must(weft_sim_advance_frame(sim, NULL, NULL));
    for (int i = 0; i < FRAMES; i++) {
        pthread_t thread;
        must(weft_still_take(r.still));
        assert_int_equal(pthread_create(&thread, NULL, read_still, &r), 0);
        must(weft_sim_advance_frame(sim, NULL, NULL));
        assert_true(sim->device.ahead); /* nobody waited for the state of the simulation itself */
        pthread_join(thread, NULL);
        weft_still_keep(r.still);
        assert_int_equal(sim->device.frame, i + 1);
        must(weft_sim_advance_frame(plain, NULL, NULL));
        frame_seen expected = see(plain);
        assert_true(r.seen.hash == expected.hash && r.seen.time == expected.time);
        assert_true(r.seen.energy == expected.energy && r.seen.ball == expected.ball);
    }
    must(weft_sim_advance_frame(plain, NULL, NULL));
    assert_true(weft_sim_hash(sim) == weft_sim_hash(plain)); /* the simulation has its own state */
    weft_still_destroy(r.still);
    assert_null(sim->device.still);
    weft_sim_destroy(plain);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

/* A change forgets the device; the still that is under way arrives before. A lost device leaves the last frame kept. */
static void stills_survive_the_device(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    weft_sim *sim = cuda_sheet(registry, &PLAIN, 10, "cuda-host"), *shown;
    weft_still *still, *second;
    must(weft_still_create(sim, &still));
    assert_says(weft_still_create(sim, &second), "has one already");
    assert_says(weft_still_wait(still, &shown), "none was taken");
    must(weft_sim_advance_frame(sim, NULL, NULL));
    must(weft_still_take(still));
    must(weft_sim_set(sim, "cloth.fabric.density", "0.3"));
    must(weft_sim_advance_frame(sim, NULL, NULL));
    must(weft_still_wait(still, &shown));
    assert_int_equal(weft_sim_frame(shown), 1);
    must(weft_still_take(still));
    must(weft_still_wait(still, &shown));
    uint64_t hash = weft_sim_hash(shown);
    sim_lose_device(sim, weft_fail(WEFT_NO_MEMORY, "gone"));
    weft_still_keep(still);
    assert_int_equal(weft_sim_frame(sim), 2);
    assert_true(weft_sim_hash(sim) == hash && weft_sim_time(sim) == weft_sim_time(shown));
    assert_true(sim->dt_before > 0 && sim->dt_before == shown->dt_before); /* a checkpoint goes on with the same bits */
    weft_still_destroy(still);
    weft_sim_destroy(sim);
    sim = cuda_sheet(registry, &PLAIN, 10, "cpu");
    assert_says(weft_still_create(sim, &still), "only a device");
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

static void old_gpus_are_refused(void **state) {
    (void)state;
    must(gpu_check_capability(0, "NVIDIA H200", 9, 0));
    must(gpu_check_capability(0, "NVIDIA B200", 10, 0));
    assert_says(gpu_check_capability(1, "NVIDIA A100", 8, 0),
                "GPU 1, NVIDIA A100, has compute capability 8.0, and 9.0 or newer is needed: use device: cpu");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(implicit_steps_agree),          cmocka_unit_test(levels_save_iterations),
        cmocka_unit_test(explicit_steps_agree),          cmocka_unit_test(state_arrives_when_asked_for),
        cmocka_unit_test(runs_are_repeatable),           cmocka_unit_test(changes_reach_the_device),
        cmocka_unit_test(steps_that_diverge_are_halved), cmocka_unit_test(the_rest_is_refused),
        cmocka_unit_test(hashes_follow_the_device),      cmocka_unit_test(old_gpus_are_refused),
        cmocka_unit_test(stills_are_the_frames),         cmocka_unit_test(stills_survive_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
