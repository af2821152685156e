/* The `buckling` model against theory, finite differences and counting. test_sinc_fit.c tests its polynomial. */
#include "buckling_support.h"

/* Counts the links of a type, and checks that no pair of vertices is linked twice. */
static int count_links(const cloth_of *c, int type) {
    int count = 0, total = functions()->link_count(c->self);
    for (int i = 0; i < total; i++) {
        weft_link a = functions()->link_at(c->self, i);
        assert_true(a.a != a.b);
        count += a.type == type;
        for (int j = 0; j < i; j++) {
            weft_link b = functions()->link_at(c->self, j);
            assert_false((a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a));
        }
    }
    return count;
}

static void grid_vertices_have_sixteen_neighbours(void **state) {
    (void)state;
    static const int SIZES[][2] = {{5, 7}, {1, 1}, {2, 1}, {2, 2}, {1, 6}, {9, 4}};
    for (size_t n = 0; n < sizeof SIZES / sizeof SIZES[0]; n++) {
        int p = SIZES[n][0], q = SIZES[n][1];
        cloth_of c = make_cloth(grid_mesh(p, q, 0.3, 0.5));
        create(&c);
        assert_int_equal(count_links(&c, WEFT_STRUCTURAL), p * (q + 1) + q * (p + 1));
        assert_int_equal(count_links(&c, WEFT_SHEAR), 2 * p * q);
        assert_int_equal(count_links(&c, WEFT_FLEXION), (p - 1) * (q + 1) + (q - 1) * (p + 1) + 2 * (p - 1) * (q - 1));
        /* every pair is one or two cells apart along a line or a diagonal, at its rest length */
        for (int i = 0; i < functions()->link_count(c.self); i++) {
            weft_link link = functions()->link_at(c.self, i);
            int di = abs(link.a % (p + 1) - link.b % (p + 1)), dj = abs(link.a / (p + 1) - link.b / (p + 1));
            int far = link.type == WEFT_FLEXION ? 2 : 1;
            assert_true((di == far || di == 0) && (dj == far || dj == 0) && di + dj > 0);
            assert_int_equal(link.type == WEFT_SHEAR, di == 1 && dj == 1);
            assert_near(link.rest_length, hypot(di * 0.3 / p, dj * 0.5 / q), 1e-12);
        }
        destroy_cloth(&c);
    }
}

static void triangles_link_edges_and_opposite_vertices(void **state) {
    (void)state;
    cloth_of c = make_cloth(triangle_mesh(7, 6, 0.02));
    create(&c);
    int edges = 42 + 60 - 1, inner = 3 * 60 - edges; /* Euler's formula; an inner edge has two triangles */
    assert_int_equal(c.mesh->edge_count, edges);
    assert_int_equal(count_links(&c, WEFT_STRUCTURAL), edges);
    assert_int_equal(count_links(&c, WEFT_SHEAR), 0);
    assert_int_equal(count_links(&c, WEFT_FLEXION), inner);
    for (int i = 0; i < functions()->link_count(c.self); i++) {
        weft_link link = functions()->link_at(c.self, i);
        assert_near(link.rest_length, link.type == WEFT_FLEXION ? 0.02 * sqrt(3) : 0.02, 1e-12);
    }
    destroy_cloth(&c);
}

static double sinc_inverse(double s) {
    double low = 0, high = PI;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(middle > 0 && sin(middle) / middle < s ? &high : &low) = middle;
    }
    return 0.5 * (low + high);
}

/* A strip of two cells has two beams and no diagonals. Its ends are brought together. The expected force follows
 * equations 9 and 11 of Choi and Ko (2002), the energy is its integral by the trapezoidal rule. The steepness g = c_b
 * L^3 / 2 k_b selects the case. 2e6: the linear branch ends at once; 160: in between; 17: the linear branch returns at
 * a third of the length; 0.2: linear everywhere. */
static void beams_follow_equations_of_choi_and_ko(void **state) {
    (void)state;
    static const double STEEPNESS[] = {2e6, 160, 17, 0.2};
    enum { STEPS = 4000 };
    for (int n = 0; n < 4; n++) {
        const double L = 0.2, cb = 50, kb = cb * L * L * L / (2 * STEEPNESS[n]);
        cloth_of c = make_cloth(grid_mesh(2, 1, L, 0.1));
        c.settings.stretch = 2 * cb;
        c.settings.compression = 0.5;
        c.settings.flexion = kb;
        create(&c);
        double summed = 0, before = 0, passed = 0;
        int lines = 0;
        weft_vec3 x[6], v[6] = {{0, 0, 0}}, f[6];
        memcpy(x, c.mesh->position, sizeof x);
        for (int i = 1; i <= STEPS; i++) {
            double u = pow((double)i / STEPS, 4), s = 1 - u, y = sinc_inverse(s), kappa = 2 * y / L;
            for (int k = 0; k < 6; k++)
                x[k].x = c.mesh->position[k].x * s;
            force(&c, x, v, f);
            double beam = y > 0 ? kb * kappa * kappa / (cos(y) - sin(y) / y) : -12 * kb / (L * L);
            double line = -cb * u * L, expected = beam < line ? line : beam;
            if (u > 1e-6 && s > 0)
                assert_near(-f[2].x, expected, 1e-6 * fabs(expected));
            summed -= L * (u - passed) * 0.5 * (expected + before);
            before = expected, passed = u;
            lines += s < 0.2 && beam < line;
            assert_near(energy(&c, x), 2 * summed, 5e-4 * summed + 1e-18);
        }
        assert_int_equal(lines > 0, n >= 2);
        destroy_cloth(&c);
    }
}

/* Random states of a grid, triangles and a tube: stretched, compressed, and nearly collapsed. */
static const double SCALES[] = {1.3, 1, 0.98, 0.7, 0.3, 0.02, 1e-6};
enum { SCALE_COUNT = sizeof SCALES / sizeof SCALES[0] };

static cloth_of make_case(int n, int fabric) {
    cloth_of c = make_cloth(n == 0 ? grid_mesh(5, 4, 0.1, 0.12) : n == 1 ? triangle_mesh(6, 5, 0.02) : tube_mesh(0.02));
    c.settings.source = fabric ? WEFT_SPRINGS_FABRIC : WEFT_SPRINGS_GIVEN;
    c.settings.flexion = 1e-6;
    c.settings.flexion_triangles = 1e-4;
    create(&c);
    return c;
}

static double *component(weft_vec3 *v, int i) { return i == 0 ? &v->x : i == 1 ? &v->y : &v->z; }

static void forces_are_gradients_of_energy(void **state) {
    (void)state;
    for (int n = 0; n < 6; n++) {
        cloth_of c = make_case(n % 3, n >= 3);
        int32_t count = c.mesh->vertex_count;
        weft_vec3 x[64], v[64] = {{0, 0, 0}}, f[64];
        for (int k = 0; k < SCALE_COUNT; k++) {
            crumple(c.mesh, (uint64_t)(100 * n + k), SCALES[k], 1e-3, x);
            force(&c, x, v, f);
            double largest = 0;
            for (int32_t i = 0; i < count; i++)
                largest = fmax(largest, weft_length(f[i]));
            for (int32_t i = 0; i < 3 * count; i++) {
                double *at = component(&x[i / 3], i % 3), kept = *at, h = 1e-7;
                *at = kept + h;
                double up = energy(&c, x);
                *at = kept - h;
                double down = energy(&c, x);
                *at = kept;
                /* the second derivative jumps by k where a length passes L, which causes an error of k h / 4 */
                assert_near(-(up - down) / (2 * h), *component(&f[i / 3], i % 3), 2e-5 * largest);
            }
        }
        destroy_cloth(&c);
    }
}

static void collapsed_states_have_zero_force(void **state) {
    (void)state;
    for (int n = 0; n < 3; n++) {
        cloth_of c = make_case(n, 0);
        int32_t count = c.mesh->vertex_count, links = functions()->link_count(c.self);
        weft_vec3 x[64] = {{0, 0, 0}}, v[64], f[64];
        double k[9], d[9];
        for (int32_t i = 0; i < count; i++)
            v[i] = random_vector(5, (uint64_t)i, 1);
        force(&c, x, v, f);
        assert_true(isfinite(energy(&c, x)));
        for (int32_t i = 0; i < count; i++)
            assert_true(f[i].x == 0 && f[i].y == 0 && f[i].z == 0);
        for (int32_t i = 0; i < links; i++) {
            functions()->element_blocks(c.self, 0, &i, 1, x, v, k, d);
            for (int e = 0; e < 9; e++)
                assert_true(k[e] == 0 && d[e] == 0);
        }
        destroy_cloth(&c);
    }
}

/* The largest deviation of a block from -(along d d^T + across (1 - d d^T)). */
static double block_error(const double *block, weft_vec3 d, double along, double across) {
    double worst = 0, direction[3] = {d.x, d.y, d.z};
    for (int r = 0; r < 3; r++)
        for (int e = 0; e < 3; e++) {
            double projector = direction[r] * direction[e];
            double expected = -(along * projector + across * ((r == e) - projector));
            worst = fmax(worst, fabs(block[3 * r + e] - expected));
        }
    return worst;
}

/* Tension of one interaction at a given length. The tests above check this scalar function. */
static double tension(const weft_buckling *b, int32_t i, double length) {
    weft_interaction a = weft_buckling_at(b, i);
    int bends;
    return weft_buckling_tension(&b->sinc, a, length - a.rest, &bends);
}

static void blocks_are_derivatives_of_tension(void **state) {
    (void)state;
    for (int n = 0; n < 3; n++) {
        cloth_of c = make_case(n, 0);
        const weft_elements *list;
        assert_int_equal(functions()->element_lists(c.self, &list), 1);
        assert_int_equal(list->arity, 2);
        assert_int_equal(list->count, functions()->link_count(c.self));
        weft_vec3 x[64], v[64] = {{0, 0, 0}};
        int stretched = 0, bent = 0;
        for (int k = 0; k < SCALE_COUNT - 1; k++) {
            crumple(c.mesh, (uint64_t)k, SCALES[k], 2e-3, x);
            for (int32_t i = 0; i < list->count; i++) {
                weft_link link = functions()->link_at(c.self, i);
                weft_vec3 way = weft_sub(x[list->vertex[2 * i + 1]], x[list->vertex[2 * i]]);
                double length = weft_length(way), h = 1e-7 * link.rest_length, block[9];
                if (fabs(length - link.rest_length) < 4 * h || length < 4 * h)
                    continue;
                double along = (tension(c.self, i, length + h) - tension(c.self, i, length - h)) / (2 * h);
                int beam = link.type == WEFT_FLEXION, slack = (length < link.rest_length) != beam;
                double across = beam || slack ? 0 : tension(c.self, i, length) / length; /* that of a beam is dropped */
                functions()->element_blocks(c.self, 0, &i, 1, x, v, block, NULL);
                assert_true(block_error(block, weft_normalize(way), along, across) <= 1e-5 * 200);
                assert_true(slack ? along == 0 : along > 0);
                stretched += !beam && !slack;
                bent += beam && !slack && fabs(along) < 0.9 * link.stiffness;
            }
        }
        assert_true(stretched > 50 && bent > 50); /* both kinds occurred */
        destroy_cloth(&c);
    }
}

/* The Hessian block of a stretched edge against central differences of the force. */
static void stretched_edges_have_full_hessian(void **state) {
    (void)state;
    cloth_of c = make_cloth(grid_mesh(1, 1, 0.1, 0.1));
    c.settings.shear = 0;
    create(&c);
    weft_vec3 x[4], v[4] = {{0, 0, 0}}, up[4], down[4];
    for (int seed = 0; seed < 20; seed++) {
        for (int i = 0; i < 4; i++)
            x[i] = weft_add(weft_scale(1.5, c.mesh->position[i]), random_vector((uint64_t)seed, (uint64_t)i, 0.02));
        for (int32_t link = 0; link < functions()->link_count(c.self); link++) {
            weft_link pair = functions()->link_at(c.self, link);
            double block[9], h = 1e-6;
            if (pair.stiffness == 0)
                continue;
            functions()->element_blocks(c.self, 0, &link, 1, x, v, block, NULL);
            for (int e = 0; e < 3; e++) {
                double *at = component(&x[pair.b], e), kept = *at;
                *at = kept + h, force(&c, x, v, up);
                *at = kept - h, force(&c, x, v, down);
                *at = kept;
                for (int r = 0; r < 3; r++)
                    assert_near(block[3 * r + e],
                                -(*component(&up[pair.a], r) - *component(&down[pair.a], r)) / (2 * h), 1e-5);
            }
        }
    }
    destroy_cloth(&c);
}

enum { SIDE = 3 * 20 };

static void add_block(double matrix[SIDE][SIDE], int32_t a, int32_t b, const double *block) {
    for (int r = 0; r < 3; r++)
        for (int e = 0; e < 3; e++) {
            matrix[3 * a + r][3 * b + e] += block[3 * r + e];
            matrix[3 * b + e][3 * a + r] += block[3 * r + e];
            matrix[3 * a + r][3 * a + e] -= block[3 * r + e];
            matrix[3 * b + r][3 * b + e] -= block[3 * r + e];
        }
}

/* The smallest eigenvalue is above -shift if the Cholesky factorisation of A + shift I succeeds. */
static int is_positive(double matrix[SIDE][SIDE], int size, double shift) {
    for (int j = 0; j < size; j++) {
        for (int k = 0; k < j; k++)
            matrix[j][j] -= matrix[j][k] * matrix[j][k];
        if (!(matrix[j][j] + shift > 0))
            return 0;
        matrix[j][j] = sqrt(matrix[j][j] + shift);
        for (int i = j + 1; i < size; i++) {
            for (int k = 0; k < j; k++)
                matrix[i][j] -= matrix[i][k] * matrix[j][k];
            matrix[i][j] /= matrix[j][j];
        }
    }
    return 1;
}

static void matrices_are_positive_semidefinite(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        cloth_of c = make_cloth(n == 0 ? grid_mesh(4, 3, 0.1, 0.08) : triangle_mesh(5, 4, 0.02));
        c.settings.flexion = 1e-5;
        c.settings.damping_kind = n == 0 ? WEFT_SPRINGS_ALONG : WEFT_SPRINGS_ISOTROPIC;
        create(&c);
        int32_t count = c.mesh->vertex_count, links = functions()->link_count(c.self);
        weft_vec3 x[20], v[20] = {{0, 0, 0}};
        for (int seed = 0; seed < 1000; seed++) {
            static double stiff[SIDE][SIDE], damp[SIDE][SIDE];
            memset(stiff, 0, sizeof stiff);
            memset(damp, 0, sizeof damp);
            crumple(c.mesh, (uint64_t)seed, 1.02 * weft_random(9, (uint64_t)seed), 5e-3, x);
            for (int32_t i = 0; i < links; i++) {
                weft_link link = functions()->link_at(c.self, i);
                double k[9], d[9];
                functions()->element_blocks(c.self, 0, &i, 1, x, v, k, d);
                for (int r = 0; r < 3; r++)
                    for (int e = 0; e < r; e++)
                        assert_true(k[3 * r + e] == k[3 * e + r] && d[3 * r + e] == d[3 * e + r]);
                add_block(stiff, link.a, link.b, k);
                add_block(damp, link.a, link.b, d);
            }
            assert_true(is_positive(stiff, 3 * count, 1e-10 * 100));
            assert_true(is_positive(damp, 3 * count, 1e-10 * 0.001));
        }
        destroy_cloth(&c);
    }
}

static void rigid_motion_causes_no_force(void **state) {
    (void)state;
    for (int n = 0; n < 3; n++) {
        cloth_of c = make_case(n, 0);
        int32_t count = c.mesh->vertex_count;
        weft_vec3 axis = {0.36, 0.48, 0.8}, turn = {0.3, -2, 1}, x[64], v[64], f[64];
        for (int32_t i = 0; i < count; i++) {
            weft_vec3 p = c.mesh->position[i], side = weft_cross(axis, p); /* Rodrigues' formula, by 1.1 rad */
            x[i] = weft_add(weft_add(weft_scale(cos(1.1), p), weft_scale(sin(1.1), side)),
                            weft_scale((1 - cos(1.1)) * weft_dot(axis, p), axis));
            x[i] = weft_add(x[i], weft_vec3_make(2, -1, 3));
            v[i] = weft_add(weft_cross(turn, x[i]), weft_vec3_make(1, 2, 3));
        }
        force(&c, x, v, f);
        for (int32_t i = 0; i < count; i++)
            assert_near(weft_length(f[i]), 0, 1e-10);
        assert_near(energy(&c, x), 0, 1e-20);
        destroy_cloth(&c);
    }
}

static void forces_conserve_momentum(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        cloth_of c = make_case(n & 1, 0);
        c.settings.damping_time = 0.01;
        c.settings.damping_kind = n & 2 ? WEFT_SPRINGS_ISOTROPIC : WEFT_SPRINGS_ALONG;
        c.cloth.fabric = &c.fabric; /* make_case returned a copy */
        must(functions()->retune(c.self, &c.settings, &c.cloth));
        weft_vec3 x[64], v[64], f[64], sum = {0, 0, 0}, turn = {0, 0, 0};
        double power = 0, largest = 0;
        crumple(c.mesh, 3, 0.9, 5e-3, x);
        for (int32_t i = 0; i < c.mesh->vertex_count; i++)
            v[i] = weft_vec3_make(0, 0, 0);
        force(&c, x, v, f);
        for (int32_t i = 0; i < c.mesh->vertex_count; i++)
            v[i] = random_vector(4, (uint64_t)i, 1), power -= weft_dot(f[i], v[i]);
        force(&c, x, v, f);
        for (int32_t i = 0; i < c.mesh->vertex_count; i++) {
            sum = weft_add(sum, f[i]);
            turn = weft_add(turn, weft_cross(x[i], f[i]));
            power += weft_dot(f[i], v[i]);
            largest = fmax(largest, weft_length(f[i]));
        }
        assert_true(largest > 0.1);
        assert_near(weft_length(sum), 0, 1e-12);
        if (!(n & 2)) /* the damping as printed does not conserve angular momentum */
            assert_near(weft_length(turn), 0, 1e-12);
        assert_true(power < -1e-3); /* the power that damping dissipates */
        destroy_cloth(&c);
    }
}

/* The damping force is exactly -D v with the returned blocks. */
static void damping_blocks_reproduce_damping_force(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        cloth_of c = make_case(n & 1, 1);
        c.settings.damping_kind = n & 2 ? WEFT_SPRINGS_ISOTROPIC : WEFT_SPRINGS_ALONG;
        c.cloth.fabric = &c.fabric; /* make_case returned a copy */
        must(functions()->retune(c.self, &c.settings, &c.cloth));
        weft_vec3 x[64], v[64], still[64] = {{0, 0, 0}}, f[64], f0[64];
        crumple(c.mesh, 8, 0.8, 3e-3, x);
        for (int32_t i = 0; i < c.mesh->vertex_count; i++)
            v[i] = random_vector(7, (uint64_t)i, 1);
        force(&c, x, v, f);
        force(&c, x, still, f0);
        for (int32_t i = 0; i < functions()->link_count(c.self); i++) {
            weft_link link = functions()->link_at(c.self, i);
            double k[9], d[9];
            functions()->element_blocks(c.self, 0, &i, 1, x, v, k, d);
            weft_vec3 e = weft_sub(v[link.b], v[link.a]);
            weft_vec3 push = {d[0] * e.x + d[1] * e.y + d[2] * e.z, d[3] * e.x + d[4] * e.y + d[5] * e.z,
                              d[6] * e.x + d[7] * e.y + d[8] * e.z};
            f0[link.a] = weft_sub(f0[link.a], push);
            f0[link.b] = weft_add(f0[link.b], push);
        }
        for (int32_t i = 0; i < c.mesh->vertex_count; i++)
            assert_near(weft_distance(f[i], f0[i]), 0, 1e-9);
        destroy_cloth(&c);
    }
}

/* Two triangles folded onto each other: their opposite vertices coincide, so their beam has no rest length. */
static void beams_of_zero_rest_length_have_no_force(void **state) {
    (void)state;
    static const weft_vec3 POSITION[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
    static const int32_t CORNER[] = {0, 1, 2, 1, 0, 3}, SIZE[] = {3, 3};
    weft_polygons polygons = {.name = "fold",
                              .position = POSITION,
                              .vertex_count = 4,
                              .corner = CORNER,
                              .corner_count = 6,
                              .face_size = SIZE,
                              .face_count = 2};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    for (int source = 0; source < 3; source++) {
        cloth_of c = make_cloth(mesh);
        c.settings.source = source;
        create(&c);
        weft_vec3 x[4], v[4], f[4];
        memcpy(x, POSITION, sizeof x);
        for (int i = 0; i < 4; i++)
            v[i] = random_vector(1, (uint64_t)i, 1);
        v[3] = v[2];
        x[3].z = 0.1, x[3].y = 0.9; /* opened: the edges at vertex 3 are slack, but the beam has a length */
        force(&c, x, v, f);
        double k[9], d[9];
        int32_t beam = functions()->link_count(c.self) - 1;
        functions()->element_blocks(c.self, 0, &beam, 1, x, v, k, d);
        for (int e = 0; e < 9; e++)
            assert_true(k[e] == 0 && d[e] == 0);
        for (int i = 0; i < 4; i++)
            assert_true(weft_vec3_is_finite(f[i]));
        assert_true(isfinite(energy(&c, x)));
        functions()->destroy(c.self);
    }
    weft_mesh_destroy(mesh);
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    enum { VERTICES = 61 * 47 };
    static weft_vec3 x[VERTICES], v[VERTICES], f1[VERTICES], f4[VERTICES];
    for (int damping = 0; damping < 2; damping++) {
        cloth_of c = make_cloth(grid_mesh(60, 46, 1, 0.8));
        c.settings.damping_kind = damping;
        create(&c);
        crumple(c.mesh, 2, 0.95, 5e-3, x);
        memset(f1, 0, sizeof f1);
        memset(f4, 0, sizeof f4);
        for (int i = 0; i < VERTICES; i++)
            v[i] = random_vector(6, (uint64_t)i, 1);
        weft_work one = {1, NULL}, four = {4, NULL};
        functions()->force(c.self, &one, x, v, f1);
        functions()->force(c.self, &four, x, v, f4);
        assert_memory_equal(f1, f4, sizeof f1);
        double e1 = functions()->energy(c.self, &one, x), e4 = functions()->energy(c.self, &four, x);
        assert_memory_equal(&e1, &e4, sizeof e1);
        destroy_cloth(&c);
    }
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    weft_buckling_settings settings;
    weft_params_default(weft_buckling_model.params, &settings);
    const weft_param *table = weft_buckling_model.params;
    assert_says(weft_param_read_text(weft_params_find(table, "compression"), "0", "model", &settings), "not above 0");
    assert_says(weft_param_read_text(weft_params_find(table, "flexion"), "-1", "model", &settings), "below 0");
    assert_says(weft_param_read_text(weft_params_find(table, "flexion"), "1 N/m", "model", &settings), "unknown unit");
    must(weft_param_read_text(weft_params_find(table, "flexion"), "0.2 uN m2", "model", &settings));
    assert_near(settings.flexion, 2e-7, 1e-20);
    cloth_of c = make_cloth(grid_mesh(2, 2, 0.1, 0.1));
    create(&c);
    settings.source = WEFT_SPRINGS_GIVEN;
    settings.stretch = 0;
    assert_says(functions()->retune(c.self, &settings, &c.cloth), "cloth sheet: model.stretch: 0");
    void *self;
    assert_says(functions()->create(&settings, &c.cloth, &self), "model.stretch");
    assert_null(self);
    settings.stretch = 1;
    settings.compression = 0;
    assert_says(functions()->create(&settings, &c.cloth, &self), "model.compression");
    destroy_cloth(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_vertices_have_sixteen_neighbours),
        cmocka_unit_test(triangles_link_edges_and_opposite_vertices),
        cmocka_unit_test(beams_follow_equations_of_choi_and_ko),
        cmocka_unit_test(forces_are_gradients_of_energy),
        cmocka_unit_test(collapsed_states_have_zero_force),
        cmocka_unit_test(blocks_are_derivatives_of_tension),
        cmocka_unit_test(stretched_edges_have_full_hessian),
        cmocka_unit_test(matrices_are_positive_semidefinite),
        cmocka_unit_test(rigid_motion_causes_no_force),
        cmocka_unit_test(forces_conserve_momentum),
        cmocka_unit_test(damping_blocks_reproduce_damping_force),
        cmocka_unit_test(beams_of_zero_rest_length_have_no_force),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
