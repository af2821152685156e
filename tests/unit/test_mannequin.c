/* The mannequin: girths, surface, skinning, poses, walk, and what is refused. */
#include "contact/response.h"
#include "support.h"
#include "wear/mannequin/mannequin_body.h"
#include "weft-io/yaml.h"
#include "weft/sort.h"

static mannequin *make(double height, double chest, double waist, double hip) {
    mannequin_measures measures = mannequin_measures_default();
    measures.height = height;
    measures.chest = chest;
    measures.waist = waist;
    measures.hip = hip;
    mannequin *m;
    must(mannequin_make(&measures, &m));
    return m;
}

static mannequin *usual(void) {
    static mannequin *m;
    if (!m)
        m = make(1.70, 0.92, 0.76, 0.98);
    return m;
}

static double girth(const mannequin *m, const char *name) { return mannequin_girth_find(m, name)->girth; }

static int64_t self_intersections(const mannequin *m, const mannequin_pose *pose) {
    weft_vec3 *position = malloc((size_t)m->mesh->vertex_count * sizeof *position);
    mannequin_pose_apply(m, pose, position);
    weft_audit_surface surface = {position, m->mesh->vertex_count, m->mesh->triangle_count,
                                  (const int32_t(*)[3])m->mesh->triangle, NULL};
    int64_t count;
    must(weft_audit(&surface, NULL, &count));
    free(position);
    return count;
}

static void check_size(double height, double chest, double waist, double hip) {
    mannequin *m = make(height, chest, waist, hip);
    assert_near(girth(m, "chest"), chest, 0.005 * chest);
    assert_near(girth(m, "waist"), waist, 0.005 * waist);
    assert_near(girth(m, "hip"), hip, 0.005 * hip);
    double low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < m->mesh->vertex_count; v++) {
        low = fmin(low, m->mesh->position[v].y);
        high = fmax(high, m->mesh->position[v].y);
    }
    assert_near(low, 0, 1e-12);
    assert_near(high, height, 1e-12);
    assert_int_equal(m->mesh->boundary_count, 0);
    assert_int_equal(m->mesh->vertex_count - m->mesh->edge_count + m->mesh->triangle_count, 2);
    for (int i = 0; i < 4; i++) {
        mannequin_pose pose = mannequin_walk_pose(m, 1.2, 0.02 + i / 4.0);
        assert_int_equal(self_intersections(m, &pose), 0);
    }
    mannequin_destroy(m);
}

static void girths_are_the_wanted_ones(void **state) {
    (void)state;
    check_size(1.58, 0.80, 0.62, 0.86);
    check_size(1.75, 1.16, 1.04, 1.20);
    check_size(1.90, 1.02, 0.88, 1.02);
}

/* The limbs follow their measurements too. */
static void limbs_have_their_girths(void **state) {
    (void)state;
    const mannequin *m = usual();
    const mannequin_measures *e = &m->measures;
    assert_near(girth(m, "neck"), e->neck, 0.01 * e->neck);
    assert_near(girth(m, "upper_arm"), e->upper_arm, 0.01 * e->upper_arm);
    assert_near(girth(m, "wrist"), e->wrist, 0.01 * e->wrist);
    assert_near(girth(m, "thigh"), e->thigh, 0.01 * e->thigh);
    assert_near(girth(m, "knee"), e->knee, 0.01 * e->knee);
    assert_near(girth(m, "calf"), e->calf, 0.01 * e->calf);
    assert_near(girth(m, "ankle"), e->ankle, 0.01 * e->ankle);
}

/* A person of 170 cm with a chest of 92 cm has 55 to 75 litres. */
static void surface_is_closed_and_plausible(void **state) {
    (void)state;
    const mannequin *m = usual();
    const weft_mesh *mesh = m->mesh;
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->boundary_count, 0);
    assert_int_equal(mesh->vertex_count - mesh->edge_count + mesh->triangle_count, 2);
    assert_true(m->volume > 0.055 && m->volume < 0.075);
    double sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            sum += weft_distance(mesh->position[mesh->triangle[t][k]], mesh->position[mesh->triangle[t][(k + 1) % 3]]);
    assert_near(sum / (3 * mesh->triangle_count), m->measures.edge, 0.1 * m->measures.edge);
    assert_near(weft_mesh_area(mesh, mesh->position), 1.75, 0.2); /* 1.80 m2 by Du Bois and Du Bois (1916) for 64 kg */
}

static int compare_places(const void *a, const void *b) {
    const weft_vec3 *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static void left_and_right_are_alike(void **state) {
    (void)state;
    const mannequin *m = usual();
    size_t count = (size_t)m->mesh->vertex_count, size = count * sizeof(weft_vec3);
    weft_vec3 *own = malloc(size), *mirrored = malloc(size);
    for (size_t i = 0; i < count; i++) {
        weft_vec3 p = m->mesh->position[i];
        own[i] = p;
        mirrored[i] = weft_vec3_make(p.x == 0 ? 0 : -p.x, p.y, p.z);
    }
    weft_sort(own, count, sizeof *own, compare_places);
    weft_sort(mirrored, count, sizeof *mirrored, compare_places);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(compare_places(&own[i], &mirrored[i]), 0);
    assert_near(mannequin_part_find(m, "left_leg")->radius, mannequin_part_find(m, "right_leg")->radius, 1e-9);
    free(mirrored);
    free(own);
}

static void weights_add_up_to_one(void **state) {
    (void)state;
    const mannequin *m = usual();
    for (int32_t v = 0; v < m->mesh->vertex_count; v++) {
        double weight[MANNEQUIN_JOINTS], sum = 0;
        mannequin_weights(m, v, weight);
        for (int i = 0; i < MANNEQUIN_JOINTS; i++) {
            assert_true(weight[i] >= 0);
            sum += weight[i];
        }
        assert_near(sum, 1, 1e-12);
    }
}

/* -- poses -- */

static void poses_do_not_intersect_themselves(void **state) {
    (void)state;
    const mannequin *m = usual();
    for (int32_t i = 0; MANNEQUIN_POSES[i]; i++) {
        mannequin_pose pose = mannequin_pose_make(m, i);
        assert_int_equal(self_intersections(m, &pose), 0);
    }
}

static void the_walk_does_not_intersect_itself(void **state) {
    (void)state;
    const mannequin *m = usual();
    for (int i = 0; i < 16; i++) {
        mannequin_pose pose = mannequin_walk_pose(m, 1.2, i / 16.0);
        assert_int_equal(self_intersections(m, &pose), 0);
    }
}

static double volume(const mannequin *m, const weft_vec3 *x) {
    double sum = 0;
    for (int32_t t = 0; t < m->mesh->triangle_count; t++) {
        const int32_t *v = m->mesh->triangle[t];
        sum += weft_dot(x[v[0]], weft_cross(x[v[1]], x[v[2]])) / 6;
    }
    return sum;
}

/* Bent knees and elbows keep the volume within 3 %. */
static void limbs_do_not_collapse(void **state) {
    (void)state;
    const mannequin *m = usual();
    weft_vec3 *position = malloc((size_t)m->mesh->vertex_count * sizeof *position);
    mannequin_pose pose = {0};
    pose.turn[MANNEQUIN_LEFT_KNEE] = weft_vec3_make(1.5, 0, 0);
    pose.turn[MANNEQUIN_LEFT_ELBOW] = weft_vec3_make(-1.05, -1.05, 0);
    mannequin_pose_apply(m, &pose, position);
    assert_near(volume(m, position), m->volume, 0.03 * m->volume);
    free(position);
}

static void blends_begin_and_end_in_their_poses(void **state) {
    (void)state;
    const mannequin *m = usual();
    mannequin_pose a = mannequin_pose_make(m, 1), b = mannequin_pose_make(m, 4);
    mannequin_pose from = mannequin_pose_between(&a, &b, 0), to = mannequin_pose_between(&a, &b, 1);
    for (int i = 0; i < MANNEQUIN_JOINTS; i++) {
        assert_near(weft_distance(from.turn[i], a.turn[i]), 0, 1e-9);
        assert_near(weft_distance(to.turn[i], b.turn[i]), 0, 1e-9);
    }
    const mannequin_motion rise = {.pose = 4, .motion = 2, .start = 1, .blend = 2};
    mannequin_pose before = mannequin_motion_at(m, &rise, 0.5), after = mannequin_motion_at(m, &rise, 3.5);
    assert_near(weft_distance(before.offset, b.offset), 0, 1e-12);
    assert_near(weft_length(after.turn[MANNEQUIN_LEFT_HIP]), 0, 1e-9);
}

/* -- walk -- */

static void the_walk_is_periodic_and_smooth(void **state) {
    (void)state;
    const mannequin *m = usual();
    weft_vec3 at[3][MANNEQUIN_JOINTS];
    mannequin_pose first = mannequin_walk_pose(m, 1.2, 0), last = mannequin_walk_pose(m, 1.2, 1);
    mannequin_pose_joints(m, &first, at[0]);
    mannequin_pose_joints(m, &last, at[1]);
    for (int j = 0; j < MANNEQUIN_JOINTS; j++)
        assert_near(weft_distance(at[0][j], at[1][j]), 0, 1e-9);
    double step = mannequin_walk_period(m, 1.2) / 200; /* s */
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++) {
            mannequin_pose pose = mannequin_walk_pose(m, 1.2, (i + k) / 200.0);
            mannequin_pose_joints(m, &pose, at[k]);
        }
        for (int j = 0; j < MANNEQUIN_JOINTS; j++) {
            weft_vec3 bend = weft_add_scaled(weft_add(at[0][j], at[2][j]), -2, at[1][j]);
            assert_below(weft_length(bend) / (step * step), 150); /* m/s2 */
        }
    }
}

/* In the middle of the stance the foot lies flat and keeps its place on the floor. */
static void standing_feet_do_not_slide(void **state) {
    (void)state;
    const mannequin *m = usual();
    const mannequin_motion walk = {.motion = 1, .speed = 1.2, .travels = 1, .start = 0, .blend = 0.5};
    double period = mannequin_walk_period(m, 1.2), begin = 0.25; /* the walk is at phase 0 when its time is 0.25 s */
    int32_t count = m->mesh->vertex_count;
    weft_vec3 *first = malloc((size_t)count * sizeof *first), *now = malloc((size_t)count * sizeof *now);
    double most = 0, deepest = 0;
    for (int i = 0; i <= 20; i++) {
        double time = begin + period * (2 + 0.13 + 0.19 * i / 20);
        mannequin_pose pose = mannequin_motion_at(m, &walk, time);
        mannequin_pose_apply(m, &pose, i == 0 ? first : now);
        for (int32_t v = 0; v < count && i > 0; v++) {
            deepest = fmin(deepest, now[v].y);
            if (m->mesh->position[v].x > 0 && m->mesh->position[v].y < 0.01)
                most = fmax(most, weft_distance(now[v], first[v]));
        }
    }
    assert_below(most, 0.02);
    assert_true(deepest > -0.02);
    free(now);
    free(first);
}

/* -- what is refused -- */

static weft_result try_value(size_t offset, double value) {
    mannequin_measures measures = mannequin_measures_default();
    *(double *)((char *)&measures + offset) = value;
    mannequin *m;
    weft_result result = mannequin_make(&measures, &m);
    assert_null(m);
    return result;
}

static void impossible_measures_are_refused(void **state) {
    (void)state;
    assert_says(try_value(offsetof(mannequin_measures, height), -1), "mannequin.height: -1 m");
    assert_says(try_value(offsetof(mannequin_measures, chest), 10),
                "mannequin.chest: 10 m is not possible here; 0.68 to");
    assert_says(try_value(offsetof(mannequin_measures, waist), NAN), "mannequin.waist: nan m");
    assert_says(try_value(offsetof(mannequin_measures, hip), 0.1), "mannequin.hip: 0.1 m");
    assert_says(try_value(offsetof(mannequin_measures, edge), 0.2), "mannequin.edge");
    assert_says(try_value(offsetof(mannequin_measures, thigh), 2), "mannequin.thigh: 2 m");
    assert_says(try_value(offsetof(mannequin_measures, inseam), INFINITY), "mannequin.inseam");
}

/* -- in scenes -- */

static weft_result read_scene(const char *body, weft_sim **sim) {
    static weft_registry *registry;
    char text[1000];
    snprintf(text, sizeof text,
             "time: {frames: 10, rate: 25, step: 20 ms}\n"
             "cloth: {grid: {cells: [20, 20], size: [0.6, 0.6], origin: [-0.3, 1.75, -0.3], axes: [[0, 0, 1], [1, 0, "
             "0]]}}\nbodies:\n  - mannequin: {%s}\n",
             body);
    weft_tree *tree;
    if (!registry) {
        must(weft_registry_create(&registry));
        must(mannequin_register(registry));
    }
    must(weft_yaml_read_memory(text, strlen(text), "scene.yaml", &tree));
    weft_result result = weft_scene_read(registry, tree, NULL, sim);
    weft_tree_destroy(tree);
    return result;
}

static void scenes_refuse_what_is_impossible(void **state) {
    (void)state;
    weft_sim *sim;
    assert_says(read_scene("chest: 10 m", &sim), "scene.yaml:4: bodies.mannequin.chest: 10 m is above 2");
    assert_says(read_scene("chest: 1.9 m", &sim), "scene.yaml:4: mannequin.chest: 1.9 m is not possible here");
    assert_says(read_scene("height: -3", &sim), "height");
    assert_says(read_scene("height: nan", &sim), "height");
    assert_says(read_scene("pose: lying", &sim), "pose");
    assert_says(read_scene("motion: walk, rate: 1e6", &sim), "mannequin.rate");
}

static void scenes_get_a_moving_mesh(void **state) {
    (void)state;
    weft_sim *sim;
    must(read_scene("motion: walk, start: 0.1 s, edge: 3 cm", &sim));
    const weft_body_frames *frames = weft_sim_body_frames(sim, 0);
    assert_non_null(frames);
    assert_near(frames->rate, 50, 1e-9);
    assert_near(frames->start, 0.1, 1e-12);
    assert_int_equal(frames->frame_count, 16);
    assert_true(weft_sim_body_moves(sim, 0));
    weft_sim_destroy(sim);
    must(read_scene("pose: t-pose, edge: 3 cm", &sim));
    assert_null(weft_sim_body_frames(sim, 0));
    weft_sim_destroy(sim);
}

static uint64_t hash_after_steps(int threads) {
    weft_sim *sim;
    must(read_scene("motion: walk, edge: 3 cm, blend: 0.2 s", &sim));
    weft_sim_set_threads(sim, threads);
    for (int i = 0; i < 6; i++)
        must(weft_sim_step(sim, 0.02, NULL));
    uint64_t hash = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    return hash;
}

static void bits_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t one = hash_after_steps(1);
    assert_true(one == hash_after_steps(2));
    assert_true(one == hash_after_steps(3));
}

/* -- sharing -- */

static void scenes_share_the_mannequin_of_their_garment(void **state) {
    (void)state;
    mannequin_measures measures = mannequin_measures_default(), other = measures;
    measures.edge = other.edge = 0.03;
    other.waist = 0.7;
    mannequin *first, *second;
    must(mannequin_obtain(&measures, &first));
    mannequin_hand_over(first);
    must(mannequin_obtain(&measures, &second));
    assert_ptr_equal(second, first);
    mannequin_hand_over(second);
    must(mannequin_obtain(&other, &first)); /* of other measures: the spare one is gone */
    assert_near(first->measures.waist, 0.7, 0);
    must(mannequin_obtain(&measures, &second));
    assert_ptr_not_equal(second, first);
    assert_near(second->measures.waist, measures.waist, 0);
    mannequin_destroy(first);
    mannequin_destroy(second);
    other.waist = 7;
    assert_says(mannequin_obtain(&other, &first), "mannequin.waist: 7 m is not possible here");
    assert_null(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(girths_are_the_wanted_ones),
        cmocka_unit_test(limbs_have_their_girths),
        cmocka_unit_test(surface_is_closed_and_plausible),
        cmocka_unit_test(left_and_right_are_alike),
        cmocka_unit_test(weights_add_up_to_one),
        cmocka_unit_test(poses_do_not_intersect_themselves),
        cmocka_unit_test(the_walk_does_not_intersect_itself),
        cmocka_unit_test(limbs_do_not_collapse),
        cmocka_unit_test(blends_begin_and_end_in_their_poses),
        cmocka_unit_test(scenes_share_the_mannequin_of_their_garment),
        cmocka_unit_test(the_walk_is_periodic_and_smooth),
        cmocka_unit_test(standing_feet_do_not_slide),
        cmocka_unit_test(impossible_measures_are_refused),
        cmocka_unit_test(scenes_refuse_what_is_impossible),
        cmocka_unit_test(scenes_get_a_moving_mesh),
        cmocka_unit_test(bits_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
