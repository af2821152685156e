/* Units, parameter tables, value trees, arenas, parallel loops and sums, and random numbers. */
#include "support.h"

#include "core/memory.h"

static void numbers_with_units_are_converted(void **state) {
    (void)state;
    static const struct {
        const char *text, *unit;
        double expected;
    } CASES[] = {
        {"150 g/m2", "kg/m2", 0.15},
        {"5 mm", "m", 0.005},
        {"30 deg", "rad", 0.5235987755982988},
        {"2", "s", 2},
        {"1e-3", "m", 0.001},
        {" 12cm ", "m", 0.12},
        {"300 K", "C", 26.85},
        {"36 km/h", "m/s", 10},
        {"5 %", "", 0.05},
        {"1 gf/cm", "N/m", 0.980665},
        {"0.5 gf/(cm degree)", "N/(m rad)", 0.5 * 0.980665 * 180 / 3.14159265358979323846},
        {"0.5 gf/(cm rad)", "N/(m rad)", 0.4903325},
        {"0.51 N/m", "N/(m rad)", 0.51},
        {"60 Hz", "1/s", 60},
        {"-4.5", "", -4.5},
        {"150 g/m^2", "kg/m2", 0.15},
        {"150 g/m²", "kg/m2", 0.15},
        {"0.15kg/m²", "kg/m2", 0.15},
        {"4.4 oz/yd²", "kg/m2", 4.4 * 0.0339057},
        {"9.81 m/s^2", "m/s2", 9.81},
        {"9.81 m/s²", "m/s2", 9.81},
        {"2 kg/(m² s)", "kg/(m2 s)", 2},
        {"12 \u00b5N m", "N m", 12e-6}, /* micro sign */
        {"12 \u03bcN m", "N m", 12e-6}, /* Greek mu */
        {"12 µN·m²", "N m2", 12e-6},
        {"12 uN*m^2", "N m2", 12e-6},
        {"0.1 gf cm²/cm", "N m", 9.80665e-6},
        {"5 µm", "m", 5e-6},
        {"2 N⋅s/m", "kg/s", 2},
        {"30°", "rad", 0.5235987755982988},
        {"21 °C", "C", 21},
        {"18 mg/cm2", "kg/m2", 0.18},
        {"0.2 kPa", "Pa", 200},
        {"3 mbar", "Pa", 300},
        {"0.1 gf.cm2/cm", "N m", 9.80665e-6},
        {"0.5 gf/cm/degree", "N/(m rad)", 0.5 * 0.980665 * 180 / 3.14159265358979323846},
        {"0.5 gf/cm degree", "N/(m rad)", 0.5 * 0.980665 * 180 / 3.14159265358979323846},
        {"0.5 gf/cm.deg", "N/(m rad)", 0.5 * 0.980665 * 180 / 3.14159265358979323846},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        double number;
        must(weft_number_read(CASES[i].text, CASES[i].unit, &number));
        assert_near(number, CASES[i].expected, 1e-12 * (1 + fabs(CASES[i].expected)));
    }
    double number;
    assert_says(weft_number_read("five", "m", &number), "'five' is not a number");
    assert_says(weft_number_read("5 kg", "m", &number), "unknown unit; allowed: m, dm, cm");
    assert_says(weft_number_read("5 kg", "", &number), "unknown unit");
    assert_says(weft_number_read("0.5 gf/cm", "N/(m rad)", &number), "gf/(cm degree)");
    assert_says(weft_number_read("0.5 gf/(cm degree)", "N/m", &number), "unknown unit");
    assert_says(weft_number_read("1 m^3", "m", &number), "unknown unit");
    assert_says(weft_number_read("1 N/m²", "N/m", &number), "'1 N/m²' has an unknown unit; allowed: N/m, N/cm");
    assert_says(weft_number_read("1 µµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµm", "m", &number), "unknown unit");
    assert_says(weft_number_read("nan", "m", &number), "not a finite number");
    assert_says(weft_number_read("1e999", "m", &number), "not a finite number");
    assert_says(weft_number_read("", "m", &number), "not a number");
}

typedef struct sample {
    double weight;
    int32_t count, on, mode;
    weft_vec2 cells;
    weft_vec3 where;
    char name[WEFT_STRING_SIZE];
} sample;

static const char *const MODES[] = {"slow", "fast", NULL};
static const char *const FORMER[] = {"", "quick", NULL};
static const weft_param SAMPLE[] = {
    {"weight", WEFT_REAL, offsetof(sample, weight), 0, 10, "0.15", "kg/m2", "a weight", NULL, WEFT_OPEN_LOW, NULL,
     NULL},
    {"count", WEFT_INT, offsetof(sample, count), 1, 100, "7", "", "a count", NULL, 0, NULL, NULL},
    {"on", WEFT_BOOL, offsetof(sample, on), 0, 1, "true", "", "a switch", NULL, 0, NULL, NULL},
    {"mode", WEFT_CHOICE, offsetof(sample, mode), 0, 0, "fast", "", "a choice", MODES, 0, FORMER, NULL},
    {"cells", WEFT_PAIR, offsetof(sample, cells), 1, 1e9, "[3, 4]", "", "a pair", NULL, WEFT_WHOLE, NULL, NULL},
    {"where", WEFT_VECTOR, offsetof(sample, where), 0, 0, "[0, -9.81, 0]", "m", "a place", NULL, 0, NULL, NULL},
    {"name", WEFT_STRING, offsetof(sample, name), 0, 0, "flag", "", "a name", NULL, 0, NULL, NULL},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL},
};

static weft_result set_one(sample *settings, const char *name, const char *text) {
    return weft_param_read_text(weft_params_find(SAMPLE, name), text, "sample", settings);
}

static void parameters_check_and_round_trip_values(void **state) {
    (void)state;
    sample s;
    weft_params_default(SAMPLE, &s);
    assert_near(s.weight, 0.15, 0);
    assert_int_equal(s.count, 7);
    assert_int_equal(s.on, 1);
    assert_int_equal(s.mode, 1);
    assert_near(s.cells.y, 4, 0);
    assert_near(s.where.y, -9.81, 0);
    assert_string_equal(s.name, "flag");

    must(set_one(&s, "weight", "300 g/m2"));
    assert_near(s.weight, 0.3, 1e-15);
    must(set_one(&s, "where", "1 2 30cm"));
    assert_near(s.where.z, 0.3, 1e-15);
    must(set_one(&s, "where", "[1, 2 cm, 3]"));
    assert_near(s.where.y, 0.02, 1e-15);
    must(set_one(&s, "on", "no"));
    assert_int_equal(s.on, 0);
    assert_says(set_one(&s, "weight", "0"), "sample.weight: 0 is not above 0 (kg/m2)");
    assert_says(set_one(&s, "weight", "-3"), "sample.weight: -3 is below 0 (kg/m2)");
    assert_says(set_one(&s, "weight", "11"), "11 is above 10");
    assert_says(set_one(&s, "count", "2.5"), "not a whole number");
    assert_says(set_one(&s, "on", "maybe"), "neither true nor false");
    assert_says(set_one(&s, "mode", "rapid"), "'rapid' is not one of slow, fast");
    assert_says(set_one(&s, "cells", "[1.5, 2]"), "1.5 is not a whole number");
    assert_says(set_one(&s, "cells", "[0, 2]"), "0 is below 1");
    assert_says(set_one(&s, "where", "[1, 2]"), "not three numbers");
    assert_says(set_one(&s, "where", "[1, 2, 3, 4]"), "not three numbers");

    for (const weft_param *row = SAMPLE; row->name; row++) { /* written values read back unchanged */
        char text[WEFT_STRING_SIZE];
        sample copy = s;
        weft_param_write(row, &s, text, sizeof text);
        must(weft_param_read_text(row, text, "sample", &copy));
        assert_memory_equal(&copy, &s, sizeof s);
    }
}

/* A renamed choice is read by both names and written by the present one. */
static void former_names_of_choices_are_read(void **state) {
    (void)state;
    sample s;
    char text[WEFT_STRING_SIZE];
    weft_params_default(SAMPLE, &s);
    must(set_one(&s, "mode", "slow"));
    must(set_one(&s, "mode", "quick"));
    assert_int_equal(s.mode, 1);
    weft_param_write(weft_params_find(SAMPLE, "mode"), &s, text, sizeof text);
    assert_string_equal(text, "fast");
    assert_says(set_one(&s, "mode", ""), "'' is not one of slow, fast");
}

/* Tables write some choices in the singular, others in the plural: both are read. A name that is given exactly wins. */
static void groups_and_former_names_are_found(void **state) {
    (void)state;
    static const char *const WAYS[] = {"impulse", "constraint"};
    static const weft_param TABLE[] = {
        {.name = "plain", .type = WEFT_INT, .fallback = "1", .unit = "", .help = ""},
        {.name = "inner.on",
         .type = WEFT_BOOL,
         .fallback = "true",
         .unit = "",
         .help = "",
         .former = WAYS,
         .was = "way"},
        {.name = "inner.plain", .type = WEFT_INT, .fallback = "1", .unit = "", .help = "", .was = "old"},
        {0}};
    assert_ptr_equal(weft_params_find(TABLE, "plain"), &TABLE[0]); /* not a former name or the inner one */
    assert_ptr_equal(weft_params_find(TABLE, "inner.plain"), &TABLE[2]);
    assert_ptr_equal(weft_params_find(TABLE, "old"), &TABLE[2]);
    assert_null(weft_params_find(TABLE, "inner"));
    assert_int_equal(weft_params_have_group(TABLE, "inner"), 1);
    assert_int_equal(weft_params_have_group(TABLE, "inn"), 0);
    assert_int_equal(weft_params_have_group(TABLE, "plain"), 0);
    assert_int_equal(weft_params_have_group(NULL, "inner"), 0);
    static const struct {
        const char *text;
        int32_t expected;
    } CASES[] = {{"impulse", 0}, {"impulses", 0}, {"constraint", 1}, {"constraints", 1}, {"off", 0}, {"true", 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int32_t got = -1;
        must(weft_param_read_text(&TABLE[1], CASES[i].text, "", &got));
        assert_int_equal(got, CASES[i].expected);
    }
    int32_t kept = 7;
    assert_says(weft_param_read_text(&TABLE[1], "", "", &kept), "'' is neither true nor false");
    assert_says(weft_param_read_text(&TABLE[1], "barrier", "", &kept), "'barrier' is neither true nor false");
    assert_int_equal(kept, 7);
}

static void choices_are_read_in_singular_and_plural(void **state) {
    (void)state;
    static const char *const WORDS[] = {"impulse", "constraints", "hits", "hit", "s", NULL};
    static const char *const OLD[] = {"", "bond", "", "", "", NULL};
    static const weft_param ROW = {.name = "way",
                                   .type = WEFT_CHOICE,
                                   .fallback = "impulse",
                                   .unit = "",
                                   .help = "",
                                   .choices = WORDS,
                                   .former = OLD};
    static const struct {
        const char *text;
        int32_t expected;
    } CASES[] = {{"impulse", 0}, {"impulses", 0}, {"constraints", 1}, {"constraint", 1}, {"bond", 1},
                 {"bonds", 1},   {"hits", 2},     {"hit", 3},         {"s", 4}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int32_t got = -1;
        must(weft_param_read_text(&ROW, CASES[i].text, "", &got));
        assert_int_equal(got, CASES[i].expected);
    }
    int32_t kept = 7;
    assert_says(weft_param_read_text(&ROW, "", "", &kept), "'' is not one of impulse");
    assert_says(weft_param_read_text(&ROW, "constraintss", "", &kept), "did you mean 'constraints'?");
    assert_says(weft_param_read_text(&ROW, "imulse", "", &kept), "hit, s; did you mean 'impulse'?");
    assert_int_equal(kept, 7);

    weft_contact_settings contact;
    char text[WEFT_STRING_SIZE];
    weft_params_default(weft_contact_params(), &contact);
    static const char *const ROWS[] = {"method", "bodies", "layers"};
    for (int i = 0; i < 3; i++) {
        const weft_param *row = weft_params_find(weft_contact_params(), ROWS[i]);
        must(weft_param_read_text(row, "constraint", "contact", &contact));
        must(weft_param_read_text(row, "constraints", "contact", &contact));
        weft_param_write(row, &contact, text, sizeof text);
        assert_string_equal(text, i == 0 ? "constraints" : "true");
    }
}

static void nearest_name_is_found(void **state) {
    (void)state;
    static const char *const NAMES[] = {"density", "stiffness", "damping", "drag"};
    assert_string_equal(weft_nearest("densty", NAMES, 4), "density");
    assert_string_equal(weft_nearest("dnesity", NAMES, 4), "density");
    assert_string_equal(weft_nearest("dampng", NAMES, 4), "damping");
    assert_null(weft_nearest("temperature", NAMES, 4));
    static const char *const PARTS[] = {"lift", "stretch_weft", "stretch_warp"};
    assert_string_equal(weft_nearest("weft", PARTS, 3), "stretch_weft");
    assert_string_equal(weft_nearest("lif", PARTS, 3), "lift");
    static const char *const OTHERS[] = {"obj", "box", "wind", "--out", "x"};
    static const char *const WORDS[] = {"abc", "foo", "bend", "--list", "y"};
    for (int i = 0; i < 5; i++)
        assert_null(weft_nearest(WORDS[i], OTHERS, 5));
}

static const weft_value *at(weft_tree *tree, const char *a, const char *b, const char *c) {
    const weft_value *value = weft_value_find(weft_tree_root(tree), a);
    if (b)
        value = value->kind == WEFT_VALUE_LIST ? weft_value_at(value, atoi(b)) : weft_value_find(value, b);
    return c ? weft_value_find(value, c) : value;
}

static void paths_set_lists(void **state) {
    (void)state;
    weft_tree *tree, *copy;
    must(weft_tree_create(&tree));
    must(weft_tree_set(tree, "a", "[ 1 s ,-2.5, x y ]"));
    must(weft_tree_set(tree, "b.none", "[]"));
    must(weft_tree_set(tree, "name", "a, b]"));
    assert_int_equal(at(tree, "a", NULL, NULL)->count, 3);
    assert_string_equal(at(tree, "a", "0", NULL)->text, "1 s");
    assert_string_equal(at(tree, "a", "1", NULL)->text, "-2.5");
    assert_string_equal(at(tree, "a", "2", NULL)->text, "x y");
    assert_int_equal(at(tree, "b", "none", NULL)->kind, WEFT_VALUE_LIST);
    assert_int_equal(at(tree, "b", "none", NULL)->count, 0);
    assert_string_equal(at(tree, "name", NULL, NULL)->text, "a, b]");
    static const char *const BAD[] = {"[", "[1, 2", "[1,, 2]", "[,]", "[1] 2", "[1]]", "[[1]]", "['1']", "{1]", "{}"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_says(weft_tree_set(tree, "a", BAD[i]), "' is not a value or a list of values");
    assert_int_equal(at(tree, "a", NULL, NULL)->count, 3); /* unchanged */

    must(weft_tree_create(&copy));
    must(weft_tree_put(copy, "all.of", weft_tree_root(tree)));
    weft_tree_destroy(tree);
    assert_string_equal(weft_value_find(at(copy, "all", "of", "b"), "none")->key, "none");
    assert_string_equal(weft_value_at(at(copy, "all", "of", "a"), 2)->text, "x y");
    weft_tree_destroy(copy);
}

static void paths_set_values(void **state) {
    (void)state;
    weft_tree *tree;
    must(weft_tree_create(&tree));
    must(weft_tree_set(tree, "time.step", "0.01"));
    assert_string_equal(at(tree, "time", "step", NULL)->text, "0.01");
    must(weft_tree_set(tree, "time.step", "0.02"));
    assert_string_equal(at(tree, "time", "step", NULL)->text, "0.02");
    assert_int_equal(at(tree, "time", NULL, NULL)->count, 1);

    weft_value *forces = weft_tree_list(tree, "a.yaml", 3);
    must(weft_value_put(tree, weft_tree_root(tree), "forces", forces));
    weft_value_append(forces, weft_tree_text(tree, "gravity", "a.yaml", 4));
    weft_value *wind = weft_tree_map(tree, "a.yaml", 5);
    must(weft_value_put(tree, wind, "wind", weft_tree_text(tree, "", "a.yaml", 5)));
    weft_value_append(forces, wind);
    must(weft_tree_set(tree, "forces.wind.speed", "6"));
    must(weft_tree_set(tree, "forces.gravity.acceleration", "[0, -1, 0]"));
    assert_string_equal(weft_value_find(at(tree, "forces", "1", "wind"), "speed")->text, "6");
    const weft_value *acceleration = weft_value_find(at(tree, "forces", "0", "gravity"), "acceleration");
    assert_int_equal(acceleration->kind, WEFT_VALUE_LIST);
    assert_string_equal(weft_value_at(acceleration, 1)->text, "-1");
    must(weft_tree_set(tree, "forces.1.turbulence", "0.5"));
    must(weft_tree_set(tree, "forces.1.wind.scale", "2"));
    assert_int_equal(weft_value_at(forces, 1)->count, 1);
    assert_string_equal(weft_value_find(at(tree, "forces", "1", "wind"), "turbulence")->text, "0.5");
    assert_string_equal(weft_value_find(at(tree, "forces", "1", "wind"), "scale")->text, "2");
    assert_says(weft_tree_set(tree, "forces.rain.speed", "1"), "no entry 'rain'");
    assert_says(weft_tree_set(tree, "time..step", "1"), "not a path");
    assert_says(weft_tree_set(tree, "", "1"), "not a path");

    weft_value *cloths = weft_tree_list(tree, "a.yaml", 6);
    must(weft_value_put(tree, weft_tree_root(tree), "cloth", cloths));
    for (int i = 0; i < 2; i++) {
        weft_value *cloth = weft_tree_map(tree, "a.yaml", 7 + i);
        must(weft_value_put(tree, cloth, "name", weft_tree_text(tree, i ? "b" : "a", "a.yaml", 7)));
        must(weft_value_put(tree, cloth, "model", weft_tree_text(tree, "springs", "a.yaml", 7)));
        weft_value_append(cloths, cloth);
    }
    must(weft_tree_set(tree, "cloth.fabric.density", "0.3")); /* every cloth */
    must(weft_tree_set(tree, "cloth.b.fabric.density", "0.4"));
    must(weft_tree_set(tree, "cloth.0.model.tear", "2"));
    assert_string_equal(weft_value_find(at(tree, "cloth", "0", "fabric"), "density")->text, "0.3");
    assert_string_equal(weft_value_find(at(tree, "cloth", "1", "fabric"), "density")->text, "0.4");
    assert_string_equal(weft_value_find(at(tree, "cloth", "0", "model"), "name")->text, "springs");
    assert_string_equal(weft_value_find(at(tree, "cloth", "0", "model"), "tear")->text, "2");
    weft_tree_destroy(tree);
}

static void unknown_key_message_suggests_nearest(void **state) {
    (void)state;
    weft_tree *tree;
    must(weft_tree_create(&tree));
    weft_value *map = weft_tree_map(tree, "flag.yaml", 10);
    must(weft_value_put(tree, map, "wieght", weft_tree_text(tree, "3", "flag.yaml", 12)));
    sample s;
    weft_params_default(SAMPLE, &s);
    assert_says(weft_params_read(SAMPLE, map, "fabric", NULL, &s),
                "flag.yaml:12: fabric: unknown key 'wieght'; did you mean 'weight'?");
    weft_tree_destroy(tree);
}

/* A terminal obeys control characters, of one byte or two; bytes that are not UTF-8 may be taken for such. */
static void messages_have_no_control_characters(void **state) {
    (void)state;
    assert_string_equal(weft_fail(WEFT_BAD_INPUT, "%s", "a\x1b[31mb\r\n\tc\x7f").message, "a?[31mb???c?");
    assert_string_equal(weft_fail(WEFT_BAD_INPUT, "%s", "\xc2\x9b\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x91\x95").message,
                        "??\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x91\x95");
    assert_string_equal(weft_fail(WEFT_BAD_INPUT, "%.1s<\x9b<\xe2\x82", "\xc3\xa9").message, "?<?<??");
    char text[] = "a\tb\n\x1b";
    assert_int_equal(weft_printable(text, "\t\n"), 1);
    assert_string_equal(text, "a\tb\n?");
}

static void arena_reuses_its_memory(void **state) {
    (void)state;
    weft_arena *arena = weft_arena_create();
    void *first = NULL;
    for (int round = 0; round < 4; round++) {
        weft_arena_empty(arena);
        void *a = weft_arena_take(arena, 100000, "a"), *b = weft_arena_take(arena, 70000, "b");
        assert_int_equal((uintptr_t)a % 64, 0);
        assert_int_equal((uintptr_t)b % 64, 0);
        memset(a, 1, 100000);
        memset(b, 2, 70000);
        assert_int_equal(((char *)a)[99999], 1);
        if (round == 2)
            first = a;
        if (round == 3)
            assert_ptr_equal(a, first); /* a single block from the second round on */
    }
    assert_null(weft_arena_take(arena, SIZE_MAX - 10, "the moon"));
    assert_string_equal(weft_arena_failure(arena), "the moon");
    weft_arena_destroy(arena);
}

static double harmonic(void *context, int64_t begin, int64_t end) {
    (void)context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += 1.0 / (double)(i + 1);
    return sum;
}

static void sums_do_not_depend_on_thread_count(void **state) {
    (void)state;
    weft_work work = {1, weft_arena_create()};
    double one = weft_parallel_sum(&work, 1000000, 1000, harmonic, NULL);
    /* H_n = ln n + gamma + 1 / 2n - ... */
    assert_near(one, log(1e6) + 0.57721566490153286 + 0.5e-6, 1e-12);
    for (int threads = 2; threads <= 5; threads++) {
        work.threads = threads;
        double many = weft_parallel_sum(&work, 1000000, 1000, harmonic, NULL);
        assert_memory_equal(&one, &many, sizeof one);
    }
    weft_arena_destroy(work.arena);
}

static void mark(void *context, int64_t begin, int64_t end) {
    uint8_t *seen = context;
    for (int64_t i = begin; i < end; i++)
        seen[i]++;
}

/* Covers fewer blocks than threads, more blocks than threads, and more threads than the maximum number of shares. */
static void loops_visit_each_block_once(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static const int THREADS[] = {1, 2, 3, 7, 70};
    static const int64_t BLOCKS[] = {100, 3333, 10000};
    weft_work work = {1, NULL};
    uint8_t *seen = weft_allocate(COUNT, 1);
    assert_non_null(seen);
    for (size_t t = 0; t < sizeof THREADS / sizeof THREADS[0]; t++)
        for (size_t b = 0; b < sizeof BLOCKS / sizeof BLOCKS[0]; b++) {
            memset(seen, 0, COUNT);
            work.threads = THREADS[t];
            weft_parallel_for(&work, COUNT, BLOCKS[b], mark, seen);
            for (int i = 0; i < COUNT; i++)
                assert_int_equal(seen[i], 1);
        }
    free(seen);
}

static void random_numbers_are_uniform_and_smooth(void **state) {
    (void)state;
    double sum = 0, squares = 0, smooth = 0;
    const int n = 100000;
    for (int i = 0; i < n; i++) {
        double r = weft_random(42, (uint64_t)i);
        assert_true(r >= 0 && r < 1);
        sum += r;
        squares += r * r;
        smooth += weft_random_smooth(42, 0.37 * i);
        double step = weft_random_smooth(5, 0.001 * i) - weft_random_smooth(5, 0.001 * (i + 1));
        assert_true(fabs(step) < 0.004); /* the steepest slope is 2 x 15/8 per unit */
    }
    /* standard errors: 0.29 / sqrt(n) = 0.0009 and 0.3 / sqrt(n) */
    assert_near(sum / n, 0.5, 0.004);
    assert_near(squares / n, 1.0 / 3, 0.004);
    assert_near(smooth / n, 0, 0.02);
    assert_true(weft_random_bits(1, 0) != weft_random_bits(2, 0));
}

/* -- sorting -- */

/* Only the first byte counts, so that many elements are equal. */
static int compare_first_bytes(const void *a, const void *b) {
    return (int)*(const unsigned char *)a - (int)*(const unsigned char *)b;
}

/* The elements end with their number, unless they have one byte. */
static void fill_elements(unsigned char *list, size_t count, size_t size, int kind) {
    for (size_t i = 0; i < count; i++) {
        unsigned char *element = list + i * size;
        memset(element, (int)(i & 255), size);
        memcpy(element + size - (size > 4 ? 4 : size), &(uint32_t){(uint32_t)i}, size > 4 ? 4 : size);
        element[0] = (unsigned char)(kind == 0   ? 256 * weft_random(7, i)
                                     : kind == 1 ? 3 * weft_random(7, i)
                                     : kind == 2 ? 255 * i / count
                                     : kind == 3 ? 255 - 255 * i / count
                                                 : 1);
    }
}

/* The only stable order: by key, then by number. */
static void check_stable(const unsigned char *before, const unsigned char *after, size_t count, size_t size) {
    size_t next[256] = {0};
    for (size_t i = 0; i < count; i++)
        for (unsigned key = before[i * size] + 1u; key < 256; key++)
            next[key]++;
    for (size_t i = 0; i < count; i++) {
        size_t at = next[before[i * size]]++;
        if (memcmp(before + i * size, after + at * size, size) != 0)
            fail_msg("%zu elements of %zu bytes: element %zu is not at %zu", count, size, i, at);
    }
}

static void sort_keeps_the_order_of_equal_elements(void **state) {
    (void)state;
    static const size_t SIZES[] = {1, 3, 4, 8, 16, 24, 352, WEFT_SORT_BYTES / 2 + 1, WEFT_SORT_BYTES + 8};
    static const size_t COUNTS[] = {0, 1, 2, 3, 7, 33, 64, 1000, 20011};
    for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; s++)
        for (size_t c = 0; c < sizeof COUNTS / sizeof COUNTS[0]; c++) {
            size_t size = SIZES[s], count = size > 4000 && COUNTS[c] > 64 ? 101 : COUNTS[c];
            unsigned char *before = malloc(count * size + 1), *after = malloc(count * size + 1);
            assert_true(before && after);
            for (int kind = 0; kind < 5; kind++) {
                fill_elements(before, count, size, kind);
                memcpy(after, before, count * size);
                weft_sort(after, count, size, compare_first_bytes);
                check_stable(before, after, count, size);
            }
            free(after);
            free(before);
        }
    weft_sort(NULL, 0, 8, compare_first_bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_with_units_are_converted),
        cmocka_unit_test(parameters_check_and_round_trip_values),
        cmocka_unit_test(former_names_of_choices_are_read),
        cmocka_unit_test(choices_are_read_in_singular_and_plural),
        cmocka_unit_test(groups_and_former_names_are_found),
        cmocka_unit_test(nearest_name_is_found),
        cmocka_unit_test(paths_set_values),
        cmocka_unit_test(paths_set_lists),
        cmocka_unit_test(unknown_key_message_suggests_nearest),
        cmocka_unit_test(messages_have_no_control_characters),
        cmocka_unit_test(arena_reuses_its_memory),
        cmocka_unit_test(sums_do_not_depend_on_thread_count),
        cmocka_unit_test(loops_visit_each_block_once),
        cmocka_unit_test(sort_keeps_the_order_of_equal_elements),
        cmocka_unit_test(random_numbers_are_uniform_and_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
