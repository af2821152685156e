/* The library under a locale with a decimal comma, and under one whose decimal point has several bytes. The locales are
 * made with localedef in a temporary folder. Without localedef the test is skipped. */
#include <locale.h>
#include <unistd.h>

#include "io/numbers.h"
#include "io/text.h"
#include "support.h"

static char folder[] = "/tmp/weft-locale-XXXXXX";

static int make_locale(const char *name) {
    char command[512];
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s.UTF-8 >/dev/null 2>&1", name, folder, name);
    int made = system(command); /* localedef exits with 1 after mere warnings */
    return made == 0 || made == 256;
}

static int use_locale(const char *name) {
    char full[64];
    snprintf(full, sizeof full, "%s.UTF-8", name);
    return setlocale(LC_ALL, full) != NULL && strcmp(localeconv()->decimal_point, ".") != 0;
}

static void test_numbers_are_read(void **state) {
    (void)state;
    double number;
    must(weft_number_read("1.5 mm", "m", &number));
    assert_true(number == 1.5 * 1e-3);
    must(weft_number_read("  -12.25e-3", "m", &number));
    assert_true(number == -12.25e-3);
    must(weft_number_read("7 m", "m", &number));
    assert_true(number == 7);
    must(weft_number_read("0x1.8p3", "m", &number));
    assert_true(number == 12);
    must(weft_number_read("0.1000000000000000055511151231257827021181583404541015625", "", &number));
    assert_true(number == 0.1);
    assert_says(weft_number_read("1,5", "m", &number), "unknown unit");
    assert_says(weft_number_read(",5", "m", &number), "not a number");
    assert_says(weft_number_read("1.5.2", "m", &number), "unknown unit");
    assert_says(weft_number_read("inf", "m", &number), "not a finite number");

    const char *text = "2.5, 3.5", *end;
    assert_true(weft_real_parse(text, &end) == 2.5);
    assert_ptr_equal(end, text + 3);
    assert_true(weft_real_parse("x", &end) == 0);
    assert_true(weft_real_parse("1.", NULL) == 1);

    double *list;
    int64_t count;
    must(weft_numbers_parse("list", "0.5 1.25,2.5e-1", 15, &list, &count));
    assert_int_equal(count, 3);
    assert_true(list[0] == 0.5 && list[1] == 1.25 && list[2] == 0.25);
    free(list);
    assert_true(weft_real_read("12345678901234567890.5", 22, &number) && number == 12345678901234567890.5);
}

static void test_numbers_are_printed(void **state) {
    (void)state;
    char text[256];
    int length = weft_format(text, sizeof text, "%g %-8.3f|%08.2f|%+.1e|%.*g|%*.2f", 0.5, 1.5, -2.25, 1234.5, 3,
                             1.0 / 3, 6, 9.75);
    assert_string_equal(text, "0.5 1.500   |-0002.25|+1.2e+03|0.333|  9.75");
    assert_int_equal(length, (int)strlen(text));
    weft_format(text, sizeof text, "%d %5u %-3ld|%lld %zu %x %c %s %.2s %% %016llx", -1, 2u, 3L, 4LL, (size_t)5, 255u,
                'c', "a,b", "xyz", 0x1234ULL);
    assert_string_equal(text, "-1     2 3  |4 5 ff c a,b xy % 0000000000001234");
    assert_int_equal(weft_format(text, 6, "%.4f", 1.0 / 3), 6);
    assert_string_equal(text, "0.333");
    assert_int_equal(weft_format(NULL, 0, "%s %.1f", "abc", 2.5), 7);

    text[weft_real_write_exact(0.1, text)] = '\0';
    assert_string_equal(text, "0.1");
    weft_result result = weft_fail(WEFT_BAD_INPUT, "%s: %g m", "place", 1.5);
    assert_string_equal(result.message, "place: 1.5 m");
}

/* A sheet with wind and contact, made and changed through text. */
static uint64_t run_scene(void) {
    static const char *const SET[][2] = {{"time.step", "0.0025"},
                                         {"cloth.fabric.density", "150.5 g/m2"},
                                         {"forces.wind.direction", "[0.5, 0.25, 1]"},
                                         {"forces.wind.speed", "3.5"},
                                         {"contact.self", "true"},
                                         {"contact.thickness", "1.5 mm"}};
    test_sim made = make_sheet(8, 8, 0.5, 0.5, "implicit-euler");
    must(weft_sim_add_force(made.sim, "wind", NULL));
    for (size_t i = 0; i < sizeof SET / sizeof SET[0]; i++)
        set(made, SET[i][0], SET[i][1]);
    must(weft_sim_set_real(made.sim, "air.temperature", 21.5));
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    char text[WEFT_STRING_SIZE];
    must(weft_sim_get(made.sim, "time.step", text, sizeof text));
    assert_string_equal(text, "0.0025");
    must(weft_sim_get(made.sim, "forces.wind.direction", text, sizeof text));
    assert_string_equal(text, "[0.5, 0.25, 1]");
    must(weft_sim_get(made.sim, "air.temperature", text, sizeof text));
    assert_string_equal(text, "21.5");
    for (int i = 0; i < 10; i++)
        step(made, 0.0025);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void test_runs_are_the_same(void **state) { assert_int_equal(run_scene(), *(const uint64_t *)*state); }

int main(void) {
    static const char *const NAMES[] = {"de_DE", "ps_AF"};
    uint64_t hash = run_scene();
    int failed = 0, tested = 0;
    if (!mkdtemp(folder) || setenv("LOCPATH", folder, 1) != 0)
        return 1;
    for (int i = 0; i < 2; i++) {
        if (!make_locale(NAMES[i]) || !use_locale(NAMES[i])) {
            print_message("skipped: localedef cannot make the locale %s; install the package `locales`\n", NAMES[i]);
            continue;
        }
        void *expected = &hash;
        const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_numbers_are_read),
            cmocka_unit_test(test_numbers_are_printed),
            cmocka_unit_test_prestate(test_runs_are_the_same, expected),
        };
        failed += cmocka_run_group_tests_name(NAMES[i], tests, NULL, NULL);
        tested++;
        setlocale(LC_ALL, "C");
    }
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        return 1;
    return tested == 0 ? 77 : failed;
}
