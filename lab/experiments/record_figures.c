#include "lab/experiments/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/html.h"

enum { PAGE_WIDTH = 960 }; /* pixels: width of the page column */

struct weft_record {
    const char *directory;
    int quick;
    FILE *out;
    weft_scene_finder find;
    const weft_change *changes;
    FILE *html; /* writes to `text` by open_memstream */
    char *text;
    size_t size;
    int in_table;
    weft_verdicts verdicts;
};

typedef enum verdict { OK, DIFFERS, MISSED, VALUE } verdict;
static const char *const VERDICT[] = {"ok", "differs", "MISSED", ""};

weft_result weft_record_create(const char *directory, int quick, FILE *out, weft_scene_finder find,
                               weft_record **record) {
    weft_record *r = calloc(1, sizeof *r);
    if (!r)
        return weft_fail_memory("a record", sizeof *r);
    r->directory = directory;
    r->quick = quick;
    r->out = out;
    r->find = find;
    r->html = open_memstream(&r->text, &r->size);
    if (!r->html) {
        free(r);
        return weft_fail_memory("a record", sizeof *r);
    }
    *record = r;
    return weft_ok();
}

void weft_record_destroy(weft_record *record) {
    if (!record)
        return;
    fclose(record->html);
    free(record->text);
    free(record);
}

void weft_record_set_changes(weft_record *record, const weft_change *changes) {
    record->changes = changes;
    for (const weft_change *c = changes; c && c->path; c++)
        weft_record_note(record, "Changed by --set: %s = %s.", c->path, c->value);
}

const weft_change *weft_record_changes(const weft_record *record) { return record->changes; }

int weft_record_is_quick(const weft_record *record) { return record->quick; }

weft_result weft_record_path(const weft_record *record, const char *name, char path[1024]) {
    if (snprintf(path, 1024, "%s/%s", record->directory, name) >= 1024)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", record->directory);
    return weft_ok();
}

int weft_record_find_scene(const weft_record *record, const char *name, char path[1024]) {
    return record->find && record->find(name, path, 1024);
}

static void table(weft_record *r, int open) {
    if (r->in_table != open)
        fputs(open ? "<table><tr><th>figure</th><th>published or exact</th><th>ours</th><th>error "
                     "(limit)</th><th></th></tr>\n"
                   : "</table>\n",
              r->html);
    r->in_table = open;
}

static void row(weft_record *r, const char *what, const char *published, const char *ours, const char *off, verdict v) {
    int *const count[] = {&r->verdicts.ok, &r->verdicts.differs, &r->verdicts.missed, &r->verdicts.values};
    const char *const cell[] = {what, published, ours, off, VERDICT[v]};
    ++*count[v];
    fprintf(r->out, "%-58s %20s %20s %15s  %s\n", what, published, ours, off, VERDICT[v]);
    fflush(r->out);
    table(r, 1);
    fprintf(r->html, "<tr class='%s'>", v == OK ? "ok" : v == DIFFERS ? "differs" : v == MISSED ? "missed" : "value");
    for (size_t i = 0; i < sizeof cell / sizeof cell[0]; i++) {
        fputs("<td>", r->html);
        weft_html_text(r->html, cell[i]);
        fputs("</td>", r->html);
    }
    fputs("</tr>\n", r->html);
}

void weft_record_figure(weft_record *record, const char *what, double expected, double ours, double bound) {
    char a[32], b[32], off[64];
    snprintf(a, sizeof a, "%.5g", expected);
    snprintf(b, sizeof b, "%.5g", ours);
    snprintf(off, sizeof off, "%.3f %% (%g %%)", 100 * (ours / expected - 1), 100 * bound);
    row(record, what, a, b, off, fabs(ours - expected) <= bound * fabs(expected) ? OK : MISSED);
}

void weft_record_range(weft_record *record, const char *what, double low, double high, double ours) {
    char a[64], b[32];
    snprintf(a, sizeof a, "%.5g..%.5g", low, high);
    snprintf(b, sizeof b, "%.5g", ours);
    row(record, what, a, b, "", ours >= low && ours <= high ? OK : MISSED);
}

void weft_record_claim(weft_record *record, const char *what, const char *published, const char *ours, int holds) {
    row(record, what, published, ours, "", holds ? OK : MISSED);
}

void weft_record_differs(weft_record *record, const char *what, const char *published, const char *ours,
                         const char *why, int as_expected) {
    row(record, what, published, ours, "", as_expected ? DIFFERS : MISSED);
    fprintf(record->out, "    %s\n", why);
    fputs("<tr class='why'><td colspan='5'>", record->html);
    weft_html_text(record->html, why);
    fputs("</td></tr>\n", record->html);
}

void weft_refined_add(weft_refined *refined, double expected, double ours) {
    if (refined->count == WEFT_MOST_GRIDS)
        return;
    refined->expected[refined->count] = expected;
    refined->ours[refined->count++] = ours;
}

void weft_record_converges(weft_record *record, const char *what, const weft_refined *refined, double bound) {
    char line[160], ours[96] = "";
    double before = INFINITY;
    int used = 0, converges = 1;
    if (refined->count < 2)
        return;
    for (int i = 0; i < refined->count; i++) {
        double off = refined->ours[i] / refined->expected[i] - 1;
        converges &= fabs(off) < before || fabs(off) <= 0.2 * bound;
        before = fabs(off);
        used += snprintf(ours + used, sizeof ours - (size_t)used, "%s%.2g", i > 0 ? ", " : "", 100 * off);
    }
    snprintf(line, sizeof line, "%s: converges, error (%%)", what);
    row(record, line, "0", ours, "", converges && before <= bound ? OK : MISSED);
}

double weft_sample_mean(const weft_sample *sample) {
    double sum = 0;
    for (int i = 0; i < sample->count; i++)
        sum += sample->value[i];
    return sum / sample->count;
}

double weft_sample_deviation(const weft_sample *sample) {
    double mean = weft_sample_mean(sample), sum = 0;
    for (int i = 0; i < sample->count; i++)
        sum += (sample->value[i] - mean) * (sample->value[i] - mean);
    return sqrt(sum / (sample->count - 1));
}

void weft_record_same_mean(weft_record *record, const char *what, const weft_sample *a, const weft_sample *b,
                           double bound) {
    /* Student's t, two-sided 95 %, for two samples of 2, 3, ... values */
    static const double T[WEFT_MOST_STARTS - 1] = {4.303, 2.776, 2.447, 2.306, 2.228};
    char published[64], ours[96], off[64];
    double spread[2] = {weft_sample_deviation(a), weft_sample_deviation(b)};
    double mean[2] = {weft_sample_mean(a), weft_sample_mean(b)};
    double explained = T[a->count - 2] * hypot(spread[0], spread[1]) / sqrt(a->count);
    double most = explained > bound ? explained : bound, difference = fabs(mean[1] - mean[0]);
    snprintf(published, sizeof published, "differ by 0..%.3g", most);
    snprintf(ours, sizeof ours, "%.4g (sd %.2g), %.4g (sd %.2g)", mean[0], spread[0], mean[1], spread[1]);
    snprintf(off, sizeof off, "%.3g", difference);
    row(record, what, published, ours, off, difference <= most ? OK : MISSED);
}

void weft_record_value(weft_record *record, const char *what, double ours) {
    char b[32];
    snprintf(b, sizeof b, "%.5g", ours);
    row(record, what, "", b, "", VALUE);
}

void weft_record_note(weft_record *record, const char *format, ...) {
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(record->out, "%s\n", text);
    fflush(record->out);
    table(record, 0);
    fputs("<p>", record->html);
    weft_html_text(record->html, text);
    fputs("</p>\n", record->html);
}

weft_result weft_record_plot(weft_record *record, const char *name, const weft_plot *plot) {
    char path[1024], *svg;
    size_t size;
    WEFT_TRY(weft_record_path(record, name, path));
    WEFT_TRY(weft_plot_write(plot, path));
    WEFT_TRY(weft_file_read(path, &svg, &size));
    table(record, 0);
    fwrite(svg, 1, size, record->html);
    free(svg);
    return weft_ok();
}

/* Scales a picture to the page width and reduces it to a palette. */
static weft_result encode(const weft_picture *picture, char **png, size_t *size) {
    weft_picture small = {0};
    if (picture->width <= PAGE_WIDTH)
        return weft_picture_encode_palette(picture, png, size);
    WEFT_TRY(weft_picture_shrink(picture, PAGE_WIDTH, &small));
    weft_result result = weft_picture_encode_palette(&small, png, size);
    weft_picture_destroy(&small);
    return result;
}

weft_result weft_record_picture(weft_record *record, const char *name, const weft_picture *picture,
                                const char *caption) {
    char path[1024], *png;
    size_t size;
    WEFT_TRY(weft_record_path(record, name, path));
    WEFT_TRY(weft_picture_write_png(picture, path));
    WEFT_TRY(encode(picture, &png, &size));
    table(record, 0);
    fputs("<figure><img alt='", record->html);
    weft_html_text(record->html, caption);
    fputs("' src='data:image/png;base64,", record->html);
    weft_html_base64(record->html, png, size);
    fputs("'><figcaption>", record->html);
    weft_html_text(record->html, caption);
    fputs("</figcaption></figure>\n", record->html);
    free(png);
    return weft_ok();
}

weft_verdicts weft_record_verdicts(const weft_record *record) { return record->verdicts; }

weft_result weft_record_html(weft_record *record, const char **html) {
    table(record, 0);
    if (fflush(record->html) != 0 || ferror(record->html))
        return weft_fail_memory("the page", record->size);
    *html = record->text;
    return weft_ok();
}
