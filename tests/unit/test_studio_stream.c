/* Frames over the WebSocket: their contents and rate, and that a viewer that stops reading does no harm. */
#include "studio_client.h"

/* Memory figures are meaningless with a sanitizer, which keeps freed memory. */
/* Rates and delays are always printed, but only asserted if WEFT_TIMED is set, as in `make bench`, on an otherwise idle
 * machine. */
static int is_timed(void) { return getenv("WEFT_TIMED") != NULL; }

/* Soft springs without forces, one step per frame, so that the test measures streaming alone. */
static studio start_sheet(int cells) {
    char scene[1024];
    snprintf(
        scene, sizeof scene,
        "time: {step: 17 ms, frames: 100, rate: 60}\n"
        "integrator: symplectic-euler\n"
        "cloth:\n"
        "  - name: sheet\n"
        "    grid: {cells: [%d, %d], size: [1, 1], axes: [x, -y]}\n"
        "    fabric: {density: 300 g/m2}\n"
        "    model: {name: springs, structural_stiffness: 0.001, shear_stiffness: 0.001, flexion_stiffness: 0.0005,\n"
        "            damping: 0}\n"
        "    velocity: [0.01, 0, 0.02]\n",
        cells, cells);
    return studio_start(scene);
}

/* -- contents of a frame -- */

typedef struct sheet {
    uint32_t vertices, triangles, wires, links, version;
    int textured;
} sheet;

static float f32_at(const viewer *v, size_t at) {
    float number;
    assert_true(at + 4 <= v->last_size);
    memcpy(&number, v->last + at, 4);
    return number;
}

/* The lengths of all sections must add up to the size of the message, and all indices must be valid. */
static sheet read_shape(const viewer *v) {
    assert_int_equal(u32_at(v, 0), 0x54464557);
    assert_int_equal(v->last[4], 1);
    sheet s = {.version = u32_at(v, 8),
               .vertices = u32_at(v, 12),
               .triangles = u32_at(v, 16),
               .wires = u32_at(v, 20),
               .links = u32_at(v, 24),
               .textured = (int)u32_at(v, 28)};
    size_t indices = 3 * (size_t)s.triangles + 2 * (size_t)s.wires + 2 * (size_t)s.links;
    size_t size = 32 + 4 * indices + 8 * (size_t)s.links + (s.links + 3) / 4 * 4 +
                  (s.textured ? 8 * (size_t)s.vertices : 0) + (s.triangles + 3) / 4 * 4;
    size_t pattern = size; /* then corners in the flat cloth, and panels */
    size += s.textured ? 24 * (size_t)s.triangles + (2 * (size_t)s.triangles + 3) / 4 * 4 : 0;
    assert_int_equal(v->last_size, size);
    for (size_t i = 0; i < indices; i++)
        assert_true(u32_at(v, 32 + 4 * i) < s.vertices);
    /* a grid without seams: each corner is where its vertex is, and there are no panels */
    size_t uv = 32 + 4 * indices + 8 * (size_t)s.links + (s.links + 3) / 4 * 4;
    for (size_t i = 0; s.textured && i < 6 * (size_t)s.triangles; i++)
        assert_true(f32_at(v, pattern + 4 * i) ==
                    f32_at(v, uv + 8 * (size_t)u32_at(v, 32 + 4 * (i / 2)) + 4 * (i % 2)));
    for (size_t i = 0; s.textured && i < 2 * (size_t)s.triangles; i++)
        assert_int_equal((uint8_t)v->last[pattern + 24 * (size_t)s.triangles + i], 0xff);
    return s;
}

/* Reads until the next shape. */
static sheet next_shape(viewer *v) {
    while (viewer_next(v, PATIENCE))
        if (v->last_code == 2 && v->last[4] == 1)
            return read_shape(v);
    fail_msg("no shape arrived");
    return (sheet){0};
}

/* The position of vertex i in a frame of one cloth. */
static void position(const viewer *v, const sheet *s, uint32_t i, double p[3]) {
    enum { SECTION = 40, DATA = SECTION + 20 };
    assert_int_equal(u32_at(v, 12), 1);
    assert_int_equal(v->last[SECTION + 1], 1);
    assert_int_equal(u32_at(v, SECTION + 4), s->version);
    assert_int_equal(u32_at(v, SECTION + 8), s->vertices);
    int quantised = u32_at(v, SECTION + 12) & 1;
    for (int k = 0; k < 3; k++) {
        if (!quantised) {
            p[k] = (double)f32_at(v, DATA + 4 * (3 * (size_t)i + (size_t)k));
            continue;
        }
        uint16_t q;
        double low = (double)f32_at(v, DATA + 4 * (size_t)k), high = (double)f32_at(v, DATA + 12 + 4 * (size_t)k);
        memcpy(&q, v->last + DATA + 24 + 2 * (3 * (size_t)i + (size_t)k), 2);
        p[k] = low + (high - low) * q / 65535;
    }
}

/* Vertex (i, j) of the grid rests at (i / 4, -j / 4, 0). Both encodings must agree. */
static void frames_contain_positions(void **state) {
    (void)state;
    studio s = start_sheet(4);
    for (int quantised = 0; quantised < 2; quantised++) {
        viewer v = viewer_open(&s);
        viewer_must(&v, quantised ? "\"do\":\"hello\",\"quantise\":true" : "\"do\":\"hello\",\"quantise\":false");
        sheet shape = next_shape(&v);
        assert_int_equal(shape.vertices, 25);
        assert_int_equal(shape.triangles, 32);
        assert_int_equal(shape.wires, 40); /* quads without diagonals */
        assert_int_equal(shape.links, 40 + 32 + 30);
        assert_int_equal(shape.textured, 1);
        assert_true(viewer_frame(&v, PATIENCE));
        for (uint32_t i = 0; i < 25; i++) {
            double p[3], error = quantised ? 1.0 / 65535 : 1e-7;
            position(&v, &shape, i, p);
            assert_near(p[0], i % 5 / 4.0, error);
            assert_near(p[1], -(double)(i / 5) / 4.0, error);
            assert_near(p[2], 0, error);
        }
        viewer_close(&v);
    }
    studio_stop(&s);
}

/* A cut doubles vertices in the next shape and keeps its triangles, and frames refer to the new shape. */
static void cutting_changes_shape(void **state) {
    (void)state;
    studio s = start_sheet(4);
    viewer v = viewer_open(&s);
    viewer_must(&v, "\"do\":\"hello\"");
    sheet before = next_shape(&v);
    /* from the front, straight down between the columns at x = 0.25 and 0.5 */
    json_t *answer = viewer_ask(&v, "\"do\":\"cut\",\"eye\":[0.375,-0.5,5],\"rays\":[[0,1,-5],[0,-1,-5]]");
    assert_true(json_integer_value(json_object_get(answer, "cut")) > 0);
    json_decref(answer);
    sheet after = next_shape(&v);
    assert_int_equal(after.triangles, before.triangles);
    assert_int_equal(after.vertices, before.vertices + 5); /* between two columns of four cells */
    assert_int_not_equal(after.version, before.version);
    assert_true(viewer_frame(&v, PATIENCE));
    double p[3];
    position(&v, &after, 0, p);
    viewer_close(&v);
    studio_stop(&s);
}

/* -- speed -- */

static double cpu_seconds(pid_t process, pid_t thread) {
    char path[64], line[1024];
    unsigned long user, system;
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", process, thread);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(
        sscanf(strrchr(line, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system), 2);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* 60 frames per second of 10,000 vertices. The first thread does all the sending. */
static void frame_rate_is_high(void **state) {
    (void)state;
    studio s = start_sheet(99);
    double best = 0, least = 1e9;
    int rounds = is_timed() ? 3 : 1;
    for (int quantised = 0; quantised < 2; quantised++) {
        viewer v = viewer_open(&s);
        viewer_must(&v, quantised ? "\"do\":\"hello\",\"quantise\":true" : "\"do\":\"hello\",\"quantise\":false");
        viewer_must(&v, "\"do\":\"play\"");
        viewer_frame(&v, PATIENCE);
        for (int round = 0; round < rounds; round++) {
            int frames = 0;
            double begin = seconds(), cpu = cpu_seconds(s.pid, s.pid);
            while (seconds() < begin + 1)
                frames += viewer_frame(&v, PATIENCE);
            double wall = seconds() - begin, rate = frames / wall;
            cpu = (cpu_seconds(s.pid, s.pid) - cpu) / wall;
            printf("%s: %.1f frames/s of 10000 vertices, %.0f%% of a core to send them\n",
                   quantised ? "16 bits" : "floats", rate, 100 * cpu);
            best = rate > best ? rate : best;
            least = cpu < least ? cpu : least;
        }
        viewer_must(&v, "\"do\":\"pause\"");
        viewer_close(&v);
    }
    studio_stop(&s);
    assert_true(best > 0);
    if (is_timed()) {
        assert_true(best > 57);
        assert_true(least < 0.5);
    }
}

/* The time from sending a drag to receiving a frame that shows it, with 2,025 vertices. */
static void drag_latency_is_low(void **state) {
    (void)state;
    enum { COUNT = 21 };
    studio s = start_sheet(44);
    viewer v = viewer_open(&s);
    viewer_must(&v, "\"do\":\"hello\"");
    sheet shape = next_shape(&v);
    viewer_must(&v, "\"do\":\"play\"");
    double least = 1e9, most = 0, times[COUNT];
    for (int i = 0; i < COUNT; i++) {
        char text[128];
        double x = 0.5 + 0.01 * i, begin, p[3] = {0, 0, 0};
        nap(0.013 * (i % 3));
        snprintf(text, sizeof text, "{\"id\":%d,\"do\":\"drag\",\"vertices\":[1000],\"to\":[[%g,0.25,0.5]]}", 1000 + i,
                 x);
        viewer_send(&v, text);
        begin = seconds();
        do {
            if (!viewer_frame(&v, PATIENCE))
                fail_msg("no frame shows the drag");
            position(&v, &shape, 1000, p);
        } while (fabs(p[0] - x) > 2e-4 || fabs(p[1] - 0.25) > 2e-4);
        times[i] = seconds() - begin;
        least = times[i] < least ? times[i] : least;
        most = times[i] > most ? times[i] : most;
    }
    int fast = 0;
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        fast += times[i] < 0.05;
        sum += times[i];
    }
    printf("drag to frame: %.1f ms on average, %.1f to %.1f ms, %d of %d below 50 ms\n", 1000 * sum / COUNT,
           1000 * least, 1000 * most, fast, COUNT);
    viewer_close(&v);
    studio_stop(&s);
    if (is_timed())
        assert_int_equal(fast, COUNT);
}

/* -- a viewer that stops reading -- */

static long resident_kib(pid_t process) {
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        sscanf(line, "VmRSS: %ld", &kib);
    fclose(file);
    return kib;
}

static int64_t frame_now(viewer *v) {
    json_t *answer = viewer_ask(v, "\"do\":\"state\"");
    int64_t frame = json_integer_value(json_object_get(json_array_get(json_object_get(answer, "panes"), 0), "frame"));
    json_decref(answer);
    return frame;
}

static double rate_over(viewer *v, double time) {
    int64_t before = frame_now(v);
    double begin = seconds();
    while (seconds() < begin + time)
        viewer_frame(v, 0.1);
    int64_t frame = frame_now(v);
    for (; frame == before && seconds() < begin + PATIENCE; frame = frame_now(v))
        viewer_frame(v, 0.1);
    return (double)(frame - before) / (seconds() - begin);
}

static void stalled_viewers_cost_no_memory_or_rate(void **state) {
    (void)state;
    studio s = start_sheet(99);
    viewer watching = viewer_open(&s), stalled[4];
    viewer_must(&watching, "\"do\":\"hello\",\"quantise\":false");
    for (int i = 0; i < 4; i++) {
        stalled[i] = viewer_open(&s);
        int small = 4096; /* little fits into the buffer of the system */
        setsockopt(stalled[i].fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        viewer_must(&stalled[i], "\"do\":\"hello\",\"quantise\":false");
        /* it acknowledges frames that it has not read, so that only the socket holds it back */
        for (int k = 0; k < 300; k++) {
            char text[96];
            snprintf(text, sizeof text, "{\"id\":1,\"do\":\"ack\",\"sequence\":%d}", k);
            viewer_send(&stalled[i], text);
        }
    }
    viewer_must(&watching, "\"do\":\"play\"");
    double rate = 0;
    for (int round = 0; round < (is_timed() ? 3 : 1) && rate < 55; round++)
        rate = rate_over(&watching, 1);
    viewer_must(&watching, "\"do\":\"pause\"");
    /* while paused nothing is recorded; each change of colours makes a frame of 120 kB */
    viewer_must(&watching, "\"do\":\"show\",\"scalar\":\"speed\"");
    long before = resident_kib(s.pid);
    for (int i = 0; i < 400; i++)
        viewer_must(&watching, i % 2 ? "\"do\":\"show\",\"scalar\":\"speed\"" : "\"do\":\"show\",\"scalar\":null");
    long grown = resident_kib(s.pid) - before;
    printf("with 4 stalled viewers: %.1f frames/s; 400 frames of 120 kB later %ld KiB more\n", rate, grown);
    for (int i = 0; i < 4; i++)
        viewer_close(&stalled[i]);
    viewer_close(&watching);
    studio_stop(&s);
    assert_true(rate > 0);
    if (is_timed())
        assert_true(rate > 55);
    if (!SANITIZED)
        assert_true(grown < 8 * 1024);
}

/* Two viewers see the same simulation, each in its own encoding. */
static void viewers_see_same_simulation(void **state) {
    (void)state;
    studio s = start_sheet(8);
    viewer a = viewer_open(&s), b = viewer_open(&s);
    viewer_must(&a, "\"do\":\"hello\",\"quantise\":false");
    viewer_must(&b, "\"do\":\"hello\",\"quantise\":true");
    sheet shape_a = next_shape(&a), shape_b = next_shape(&b);
    viewer_must(&a, "\"do\":\"step\",\"count\":5");
    viewer *both[] = {&a, &b};
    double p[2][3];
    for (int i = 0; i < 2; i++)
        do
            assert_true(viewer_frame(both[i], PATIENCE));
        while (u32_at(both[i], 16) < 5);
    position(&a, &shape_a, 40, p[0]);
    position(&b, &shape_b, 40, p[1]);
    for (int k = 0; k < 3; k++)
        assert_near(p[0][k], p[1][k], 2e-5);
    viewer_close(&a);
    viewer_close(&b);
    studio_stop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_contain_positions),    cmocka_unit_test(cutting_changes_shape),
        cmocka_unit_test(viewers_see_same_simulation), cmocka_unit_test(frame_rate_is_high),
        cmocka_unit_test(drag_latency_is_low),         cmocka_unit_test(stalled_viewers_cost_no_memory_or_rate),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
