/* Study files: cases of grids and designs, linked values, and differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/study/study_file.h"
#include "lab/study/value_text.h"
#include "support.h"

static weft_result parse(const char *text, weft_study *study) {
    return weft_study_parse(text, strlen(text), "folder/test.yaml", study);
}

/* The assignments of a case, separated by spaces. */
static const char *assignments(const weft_study *study, int64_t index) {
    static char text[1024];
    weft_study_room room = {0};
    weft_case one;
    text[0] = '\0';
    must(weft_study_case(study, index, &room, &one));
    for (int i = 0; i < one.set_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " " : "", one.set[i]);
    weft_study_room_free(&room);
    return text;
}

static void grids_have_all_combinations(void **state) {
    (void)state;
    weft_study study;
    must(parse("scene: a.yaml\nset: {t: [1, 2]}\nrepeats: 2\nseed: 5\nvary:\n"
               "  a: [1 mm, 2 mm, 4 mm]\n  b: {paths: [x, y], log: [1, 100], count: 3}\n"
               "  c: {together: {p: [1, 2], q: ['a, b', {k: v}]}}\n",
               &study));
    assert_int_equal(study.case_count, 3 * 3 * 2 * 2);
    assert_string_equal(study.scene, "folder/a.yaml");
    assert_string_equal(study.set[0], "t=[1, 2]");
    assert_string_equal(assignments(&study, 0), "a=1 mm x=1 y=1 p=1 q=a, b air.seed=5");
    assert_string_equal(assignments(&study, 3), "a=1 mm x=1 y=1 p=2 q={k: v} air.seed=6");
    assert_string_equal(assignments(&study, 35), "a=4 mm x=100 y=100 p=2 q={k: v} air.seed=6");
    assert_string_equal(assignments(&study, 16), "a=2 mm x=10 y=10 p=1 q=a, b air.seed=5");
    assert_string_equal(study.parameter[0].unit, "mm");
    assert_near(weft_study_number(&study, 35, 0, 0), 4, 0);
    assert_near(weft_study_place(&study, 16, 1), 0.5, 1e-12);
    weft_study_close(&study);
}

static void designs_stay_in_their_ranges(void **state) {
    (void)state;
    static const char *const DESIGNS[] = {"random", "latin", "sobol", "saltelli", "morris"};
    for (int d = 0; d < 5; d++) {
        char text[300];
        weft_study study;
        int seen[3] = {0};
        snprintf(
            text, sizeof text,
            "scene: s\ndesign: %s\nsamples: 16\nvary: {a: {range: [2 m, 3 m]}, b: {log: [1, 1000]}, c: {whole: [1, "
            "3]}}\n",
            DESIGNS[d]);
        must(parse(text, &study));
        assert_int_equal(study.case_count, d < 3 ? 16 : d == 3 ? 80 : 64);
        for (int64_t i = 0; i < study.case_count; i++) {
            double a = weft_study_number(&study, i, 0, 0), b = weft_study_number(&study, i, 1, 0);
            double c = weft_study_number(&study, i, 2, 0);
            assert_true(a >= 2 && a <= 3 && b >= 1 && b <= 1000 && (c == 1 || c == 2 || c == 3));
            seen[(int)c - 1]++;
        }
        assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
        weft_study_close(&study);
    }
}

static void differences_are_named(void **state) {
    (void)state;
    weft_study a, b;
    char text[400];
    must(parse("scene: s\nvary: {x: [1, 2]}\nrun: {jobs: 1}\n", &a));
    must(parse("scene: s\nvary: {x: [1, 3]}\nrun: {jobs: 2}\n", &b));
    weft_study_difference(&a, &b, text, sizeof text);
    assert_string_equal(text, "vary.x was [1, 2], now [1, 3]");
    weft_study_close(&b);
    must(parse("scene: s\nvary: {x: [1, 2]}\nlimits: {time: 1 s}\n", &b));
    weft_study_difference(&a, &b, text, sizeof text);
    assert_string_equal(text, "");
    weft_study_close(&b);
    must(parse("scene: s\nvary: {x: [1, 2]}\nseed: 3\n", &b));
    weft_study_difference(&a, &b, text, sizeof text);
    assert_string_equal(text, "seed was not there, now 3");
    weft_study_close(&b);
    weft_study_close(&a);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } MISTAKES[] = {
        {"scene: s\nvary: {a: 3}", "folder/test.yaml:2: vary.a: needs a list"},
        {"scene: s\nvary: {a: []}", "at least one value"},
        {"scene: s\nvary: {a: {range: [1, 2]}}", "a grid needs a count"},
        {"scene: s\nvary: {a: {range: [1, 2], log: [1, 2], count: 2}}", "needs one of list, range, log"},
        {"scene: s\nvary: {a: {log: [0, 2], count: 2}}", "above 0"},
        {"scene: s\nvary: {a: {range: [1 mm, 2 m], count: 2}}", "the same unit"},
        {"scene: s\nvary: {a: {together: {x: [1], y: [1, 2]}}}", "the same number of values"},
        {"scene: s\nvary: {a: {paths: [], list: [1]}}", "paths needs"},
        {"scene: s\nvary: {a: {range: [1, 2], count: 2}}\ndesign: latin\nsamples: 3", "only a grid uses a count"},
        {"scene: s\ndesign: sobol\nsamples: 3", "1 to 32 parameters"},
        {"scene: s\nsamples: 3", "a grid has no samples"},
        {"scene: s\nrecord: {a: {frames: kinetic, report: x}}", "only one of report"},
        {"scene: s\nrecord: {a: {reduce: max}}", "needs one of report"},
        {"scene: s\nrecord: {a: {report: x, at: 1 s}}", "reduce and at do not apply"},
        {"scene: s\nrecord: {a: {frames: step_ms}}", "wall times differ"},
        {"scene: s\nrecord: {status: {frames: kinetic}}", "a column of this name"},
        {"scene: s\nrecord: {a: {drape: {support: 2, radius: 1}}}", "must exceed"},
        {"scene: s\npositions: some", "needs last, all"},
        {"scene: s\npictures: 3", "needs true, false"},
        {"scene: s\nslurm: {partiton: x}", "did you mean 'partition'"},
        {"scene: s\nrepeats: 0", "repeats: 0 is below 1"},
    };
    for (size_t i = 0; i < sizeof MISTAKES / sizeof MISTAKES[0]; i++) {
        weft_study study;
        assert_says(parse(MISTAKES[i].text, &study), MISTAKES[i].message);
        weft_study_close(&study);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_all_combinations),
        cmocka_unit_test(designs_stay_in_their_ranges),
        cmocka_unit_test(differences_are_named),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
