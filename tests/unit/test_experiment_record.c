/* The verdicts of experiments, which alone make `weft experiment` and its test fail, and the saved chapters of the
 * report page. */
#include "io_support.h"
#include "lab/experiments/experiments_page.h"

#include <math.h>
#include <string.h>

static char folder[64];
static FILE *printed; /* output of the record */

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "%s", in_folder(""));
    printed = fopen(in_folder("printed"), "w");
    return printed ? 0 : 1;
}

static weft_record *begin(int quick) {
    weft_record *record;
    assert_ok(weft_record_create(folder, quick, printed, NULL, &record));
    return record;
}

static int missed(const weft_record *record) { return weft_record_verdicts(record).missed; }

static void figures_beyond_tolerance_are_missed(void **state) {
    (void)state;
    weft_record *r = begin(0);
    weft_record_figure(r, "inside", 10, 10.09, 0.01);
    weft_record_figure(r, "inside, negative", -10, -9.91, 0.01);
    weft_record_range(r, "at its end", 0, 1, 1);
    weft_record_claim(r, "holds", "a", "b", 1);
    weft_record_differs(r, "as said", "a", "b", "because", 1);
    weft_record_value(r, "a value", NAN);
    assert_int_equal(missed(r), 0);
    assert_int_equal(weft_record_verdicts(r).ok, 4);
    assert_int_equal(weft_record_verdicts(r).differs, 1);
    assert_int_equal(weft_record_verdicts(r).values, 1);
    int count = 0;
    weft_record_figure(r, "above", 10, 10.11, 0.01);
    assert_int_equal(missed(r), ++count);
    weft_record_figure(r, "below", 10, 9.89, 0.01);
    assert_int_equal(missed(r), ++count);
    weft_record_figure(r, "of the other sign", 10, -10, 0.01);
    assert_int_equal(missed(r), ++count);
    weft_record_figure(r, "not a number", 10, NAN, 0.01);
    assert_int_equal(missed(r), ++count);
    weft_record_range(r, "outside", 0, 1, 1.0001);
    assert_int_equal(missed(r), ++count);
    weft_record_range(r, "not a number", 0, 1, NAN);
    assert_int_equal(missed(r), ++count);
    weft_record_claim(r, "does not hold", "a", "b", 0);
    assert_int_equal(missed(r), ++count);
    weft_record_differs(r, "not as said", "a", "b", "because", 0);
    assert_int_equal(missed(r), ++count);
    weft_record_destroy(r);
}

static weft_refined refined_of(double coarse, double middle, double fine) {
    weft_refined refined = {0};
    weft_refined_add(&refined, 10, coarse);
    weft_refined_add(&refined, 10, middle);
    weft_refined_add(&refined, 10, fine);
    return refined;
}

static void divergence_is_missed(void **state) {
    (void)state;
    weft_record *r = begin(0);
    weft_refined good[] = {refined_of(12, 10.5, 9.95), refined_of(9, 9.9, 9.99), refined_of(10, 10.01, 10.015)};
    weft_refined bad[] = {refined_of(10.5, 10.6, 10.05), /* moves away first */
                          refined_of(12, 11, 10.2),      /* not close enough yet */
                          refined_of(10.01, 10.02, 10.05), refined_of(10.5, NAN, 10), refined_of(10.5, 10.2, NAN)};
    weft_refined single = {0};
    weft_refined_add(&single, 10, 99);
    weft_record_converges(r, "a quick one", &single, 0.01);
    assert_int_equal(weft_record_verdicts(r).ok + missed(r), 0);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        weft_record_converges(r, "converges", &good[i], 0.01);
    assert_int_equal(weft_record_verdicts(r).ok, 3);
    assert_int_equal(missed(r), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        weft_record_converges(r, "does not", &bad[i], 0.01);
        assert_int_equal(missed(r), (int)i + 1);
    }
    weft_record_destroy(r);
}

/* The difference of two means counts only beyond the bound and beyond the spread of the starts. */
static void means_differ_by_more_than_spread(void **state) {
    (void)state;
    weft_record *r = begin(0);
    const weft_sample narrow = {{50, 50.1, 49.9}, 3}, near = {{51, 51.2, 51.1}, 3}, far = {{47.1, 47, 46.9}, 3};
    const weft_sample wide = {{51, 46, 48}, 3}, other = {{47.3, 51.5, 50.2}, 3}, broken = {{50, NAN, 50}, 3};
    assert_true(fabs(weft_sample_mean(&wide) - 145.0 / 3) < 1e-12);
    assert_true(fabs(weft_sample_deviation(&narrow) - 0.1) < 1e-12);
    weft_record_same_mean(r, "within the bound", &narrow, &near, 1.5);
    weft_record_same_mean(r, "within the spread", &wide, &other, 0.5);
    assert_int_equal(weft_record_verdicts(r).ok, 2);
    assert_int_equal(missed(r), 0);
    weft_record_same_mean(r, "beyond both", &narrow, &far, 1.5);
    assert_int_equal(missed(r), 1);
    weft_record_same_mean(r, "not a number", &narrow, &broken, 1.5);
    assert_int_equal(missed(r), 2);
    weft_record_destroy(r);
}

static void pages_escape_html_and_are_complete(void **state) {
    (void)state;
    const char *html;
    weft_record *r = begin(0);
    weft_record_claim(r, "a < b & 'c'", "<script>", "\"", 1);
    weft_record_note(r, "1 < %d", 2);
    assert_ok(weft_record_html(r, &html));
    assert_non_null(strstr(html, "a &lt; b &amp; &#39;c&#39;"));
    assert_null(strstr(html, "<script>"));
    assert_non_null(strstr(html, "<p>1 &lt; 2</p>"));
    assert_non_null(strstr(html, "</table>"));
    weft_record_destroy(r);
}

static void saved_chapters_load_unchanged(void **state) {
    (void)state;
    weft_chapter chapter, back;
    char *page;
    size_t size;
    mkdir(in_folder("catenary"), 0777);
    weft_record *r = begin(1);
    weft_record_figure(r, "sag", 1, 2, 0.1);
    weft_record_figure(r, "mode", 1, 1, 0.1);
    assert_ok(weft_chapter_take(&WEFT_CATENARY, r, 12.25, &chapter));
    weft_record_destroy(r);
    assert_ok(weft_chapter_save(&chapter, folder));
    assert_ok(weft_chapter_load(&WEFT_CATENARY, folder, &back));
    assert_string_equal(back.html, chapter.html);
    assert_int_equal(back.verdicts.missed, 1);
    assert_int_equal(back.verdicts.ok, 1);
    assert_int_equal(back.quick, 1);
    assert_true(fabs(back.seconds - 12.25) < 0.06);
    assert_ok(weft_page_write(&back, 1, in_folder("page.html")));
    assert_ok(weft_file_read(in_folder("page.html"), &page, &size));
    assert_non_null(strstr(page, "<h2 id='catenary'>"));
    assert_non_null(strstr(page, "quick: fewer cases"));
    assert_non_null(strstr(page, "class='missed'"));
    free(page);
    weft_chapter_clear(&chapter);
    weft_chapter_clear(&back);
    assert_ok(weft_chapter_remove(&WEFT_CATENARY, folder));
    assert_ok(weft_chapter_remove(&WEFT_CATENARY, folder));
    assert_ok(weft_chapter_load(&WEFT_CATENARY, folder, &back));
    assert_null(back.html);
}

static void the_page_names_the_version_of_each_chapter(void **state) {
    (void)state;
    static const char OLD[] = "<!-- weft 0.0.9: ok 3 differs 0 missed 0 values 0 seconds 1 quick 0 -->\n<p>old</p>\n";
    weft_chapter chapter[2];
    char *page;
    size_t size;
    mkdir(in_folder("elastica"), 0777);
    write_text("elastica/chapter.html", OLD);
    assert_ok(weft_chapter_load(&WEFT_ELASTICA, folder, &chapter[0]));
    weft_record *r = begin(0);
    assert_ok(weft_chapter_take(&WEFT_CATENARY, r, 1, &chapter[1]));
    weft_record_destroy(r);
    assert_string_equal(chapter[1].version, weft_version());
    assert_ok(weft_page_write(chapter, 2, in_folder("page.html")));
    assert_ok(weft_file_read(in_folder("page.html"), &page, &size));
    const char *elastica = strstr(page, "<h2 id='elastica'>"), *catenary = strstr(page, "<h2 id='catenary'>");
    assert_non_null(strstr(page, "<td>0.0.9</td>"));
    assert_non_null(elastica);
    assert_non_null(catenary);
    const char *old = strstr(elastica, "Figures of Weft 0.0.9");
    assert_true(old && old < catenary);
    assert_null(strstr(catenary, "0.0.9"));
    free(page);
    weft_chapter_clear(&chapter[0]);
    weft_chapter_clear(&chapter[1]);
}

static void foreign_chapters_are_refused(void **state) {
    (void)state;
    static const char *const BAD[] = {"", "<p>no head</p>\n",
                                      "<!-- weft <b>: ok 1 differs 0 missed 0 values 0 "
                                      "seconds 1 quick 0 -->\n<p>no version</p>\n"};
    weft_chapter back;
    mkdir(in_folder("elastica"), 0777);
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        write_text("elastica/chapter.html", BAD[i]);
        assert_refused(weft_chapter_load(&WEFT_ELASTICA, folder, &back), WEFT_BAD_FILE, "not a chapter by weft");
        assert_null(back.html);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_beyond_tolerance_are_missed),
        cmocka_unit_test(divergence_is_missed),
        cmocka_unit_test(means_differ_by_more_than_spread),
        cmocka_unit_test(pages_escape_html_and_are_complete),
        cmocka_unit_test(saved_chapters_load_unchanged),
        cmocka_unit_test(foreign_chapters_are_refused),
        cmocka_unit_test(the_page_names_the_version_of_each_chapter),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
