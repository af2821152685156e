/* Line plots, heat maps and parallel coordinates. A parameter is drawn by the place of its value: logarithmic ranges
 * are logarithmic axes, and the values of a list are equally spaced. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/study/page_parts.h"
#include "lab/study/study_vary.h"

/* -- axes -- */

enum { WIDTH = 300, HEIGHT = 200, LEFT = 64, RIGHT = 22, TOP = 12, BOTTOM = 40 };

static double across(double share) { return LEFT + share * (WIDTH - LEFT - RIGHT); }
static double down(double share) { return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM); }

static void open_svg(const weft_page *page, int width, int height) {
    weft_output_print(page->out, "<svg viewBox='0 0 %d %d' width='%d' height='%d' role='img'>\n", width, height, width,
                      height);
}

/* The text of the value at a place from 0 to 1, at most 10 characters. */
static void place_label(const weft_parameter *p, double place, char text[64]) {
    if (p->vary != WEFT_VARY_LIST) {
        double value =
            p->vary == WEFT_VARY_LOG ? p->low * pow(p->high / p->low, place) : p->low + place * (p->high - p->low);
        char number[32];
        weft_page_number(value, number);
        snprintf(text, 64, "%s", number);
        return;
    }
    const weft_value *item = weft_value_at(p->list[0], (int)floor(place * (p->count - 1) + 0.5));
    const char *word = item->kind == WEFT_VALUE_TEXT ? item->text : "...";
    size_t length = p->is_number ? strcspn(word, " ") : strlen(word);
    snprintf(text, 64, length > 10 ? "%.*s..." : "%.*s", (int)(length > 10 ? 8 : length), word);
}

/* Number of labels along an axis, and their places. */
static int label_places(const weft_parameter *p, double place[5]) {
    int count = p->count > 0 && p->count < 5 ? p->count : p->vary == WEFT_VARY_LIST ? 5 : 3;
    for (int i = 0; i < count; i++) {
        place[i] = count > 1 ? (double)i / (count - 1) : 0.5;
        if (p->vary == WEFT_VARY_LIST && p->count > 1)
            place[i] = floor(place[i] * (p->count - 1) + 0.5) / (p->count - 1);
    }
    return count;
}

static void put_parameter_axis(const weft_page *page, const weft_parameter *p) {
    double place[5];
    int count = label_places(p, place);
    for (int i = 0; i < count; i++) {
        char text[64];
        place_label(p, place[i], text);
        weft_output_print(page->out, "<text class='tick' text-anchor='middle' x='%.1f' y='%d'>", across(place[i]),
                          HEIGHT - BOTTOM + 15);
        weft_page_text(page, text);
        weft_output_print(page->out, "</text>\n");
    }
    weft_output_print(page->out, "<text text-anchor='middle' x='%.1f' y='%d'>", across(0.5), HEIGHT - 7);
    weft_page_text(page, weft_page_name(p));
    if (p->unit[0]) {
        weft_output_print(page->out, " (");
        weft_page_text(page, p->unit);
        weft_output_print(page->out, ")");
    }
    weft_output_print(page->out, "</text>\n");
}

static void put_figure_axis(const weft_page *page, int figure) {
    for (int i = 0; i <= 2; i++) {
        char text[32];
        double share = i / 2.0;
        weft_page_number(page->low[figure] + share * (page->high[figure] - page->low[figure]), text);
        weft_output_print(page->out,
                          "<path class='grid' d='M%d %.1f H%d'/><text class='tick' text-anchor='end' x='%d' "
                          "y='%.1f'>%s</text>\n",
                          LEFT, down(share), WIDTH - RIGHT, LEFT - 5, down(share) + 4, text);
    }
}

/* From 0 to 1 between the extremes of a figure. */
static double figure_share(const weft_page *page, int figure, double value) {
    double range = page->high[figure] - page->low[figure];
    return range > 0 ? (value - page->low[figure]) / range : 0.5;
}

static int shown_figures(const weft_page *page) {
    return page->study->figure_count < WEFT_PAGE_FIGURES ? page->study->figure_count : WEFT_PAGE_FIGURES;
}

static int shown_parameters(const weft_page *page) {
    return page->study->parameter_count < WEFT_PAGE_PARAMETERS ? page->study->parameter_count : WEFT_PAGE_PARAMETERS;
}

/* Large studies draw every n-th case, so that the page stays small. */
static int64_t stride_of(const weft_page *page, int64_t most) {
    int64_t stride = (page->study->case_count + most - 1) / most;
    return stride > 0 ? stride : 1;
}

/* -- figures over parameters: dots, and a line through the means -- */

enum { BINS = 12, MOST_DOTS = 400, MOST_LINES = 300 };

/* The line joins the means of the values of a list or grid; of other designs, those of equal intervals. */
static int bin_count(const weft_page *page, int parameter) {
    const weft_parameter *p = &page->study->parameter[parameter];
    int64_t levels = p->vary == WEFT_VARY_LIST ? p->count : page->study->point ? 0 : weft_parameter_levels(p);
    return levels > 0 && levels <= 64 ? (int)levels : BINS;
}

static int bin_of(double place, int bins, int exact) {
    int bin = exact ? (int)floor(place * (bins - 1) + 0.5) : (int)(place * bins);
    return bin < 0 ? 0 : bin < bins ? bin : bins - 1;
}

static int has_levels(const weft_page *page, int parameter) {
    const weft_parameter *p = &page->study->parameter[parameter];
    return p->vary == WEFT_VARY_LIST || !page->study->point;
}

static double bin_place(int bin, int bins, int exact) {
    return exact ? (bins > 1 ? (double)bin / (bins - 1) : 0.5) : (bin + 0.5) / bins;
}

static void put_means(const weft_page *page, int figure, int parameter) {
    double sum[64] = {0};
    int count[64] = {0}, bins = bin_count(page, parameter), exact = has_levels(page, parameter) && bins != BINS;
    exact = exact || (has_levels(page, parameter) && weft_parameter_levels(&page->study->parameter[parameter]) == BINS);
    for (int64_t i = 0; i < page->study->case_count; i++) {
        double value = weft_page_value(page, i, figure);
        if (isnan(value))
            continue;
        int bin = bin_of(weft_study_place(page->study, i, parameter), bins, exact);
        sum[bin] += value;
        count[bin]++;
    }
    weft_output_print(page->out, "<polyline class='mean' points='");
    for (int b = 0; b < bins; b++)
        if (count[b] > 0)
            weft_output_print(page->out, "%.1f,%.1f ", across(bin_place(b, bins, exact)),
                              down(figure_share(page, figure, sum[b] / count[b])));
    weft_output_print(page->out, "'/>\n");
}

static void put_dots(const weft_page *page, int figure, int parameter) {
    for (int64_t i = 0; i < page->study->case_count; i += stride_of(page, MOST_DOTS)) {
        double value = weft_page_value(page, i, figure);
        char text[32];
        if (isnan(value))
            continue;
        weft_page_number(value, text);
        weft_output_print(
            page->out, "<circle cx='%.1f' cy='%.1f' r='2.2'><title>case %" PRId64 ": %s</title></circle>\n",
            across(weft_study_place(page->study, i, parameter)), down(figure_share(page, figure, value)), i, text);
    }
}

void weft_page_lines(const weft_page *page) {
    weft_output_print(page->out, "<h2 id='plots'>Figures over parameters</h2>\n<p>A dot is a case. The line joins the "
                                 "means of cases with nearby values.</p>\n");
    for (int f = 0; f < shown_figures(page); f++) {
        if (page->count[f] == 0)
            continue;
        weft_output_print(page->out, "<h3>");
        weft_page_text(page, page->study->figure[f].name);
        weft_output_print(page->out, page->study->figure[f].unit[0] ? " <small>(" : "");
        weft_page_text(page, page->study->figure[f].unit);
        weft_output_print(page->out, page->study->figure[f].unit[0] ? ")</small></h3>" : "</h3>");
        weft_output_print(page->out, "<div class='plots'>\n");
        for (int p = 0; p < shown_parameters(page); p++) {
            open_svg(page, WIDTH, HEIGHT);
            put_figure_axis(page, f);
            put_parameter_axis(page, &page->study->parameter[p]);
            put_dots(page, f, p);
            put_means(page, f, p);
            weft_output_print(page->out, "</svg>\n");
        }
        weft_output_print(page->out, "</div>\n");
    }
}

/* -- heat maps -- */

enum { CELLS = 8 };

static void put_scale(const weft_page *page, int figure) {
    char low[32], high[32];
    weft_page_number(page->low[figure], low);
    weft_page_number(page->high[figure], high);
    weft_output_print(page->out, "<span class='scale'>%s<i></i>%s ", low, high);
    weft_page_text(page, page->study->figure[figure].unit);
    weft_output_print(page->out, "</span>");
}

static void put_cells(const weft_page *page, int figure, int x, int y) {
    double sum[64][64] = {{0}};
    int count[64][64] = {{0}}, wide = bin_count(page, x), high = bin_count(page, y);
    int exact_x = has_levels(page, x), exact_y = has_levels(page, y);
    wide = exact_x ? wide : CELLS;
    high = exact_y ? high : CELLS;
    for (int64_t i = 0; i < page->study->case_count; i++) {
        double value = weft_page_value(page, i, figure);
        if (isnan(value))
            continue;
        int a = bin_of(weft_study_place(page->study, i, x), wide, exact_x);
        int b = bin_of(weft_study_place(page->study, i, y), high, exact_y);
        sum[b][a] += value;
        count[b][a]++;
    }
    double w = (double)(WIDTH - LEFT - RIGHT) / wide, h = (double)(HEIGHT - TOP - BOTTOM) / high;
    for (int b = 0; b < high; b++)
        for (int a = 0; a < wide; a++) {
            char color[8], text[32];
            if (count[b][a] == 0)
                continue;
            double mean = sum[b][a] / count[b][a];
            weft_page_color(figure_share(page, figure, mean), color);
            weft_page_number(mean, text);
            weft_output_print(page->out,
                              "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'><title>%s, mean of %d "
                              "cases</title></rect>\n",
                              LEFT + a * w, HEIGHT - BOTTOM - (b + 1) * h, w + 0.3, h + 0.3, color, text, count[b][a]);
        }
}

/* Labels of a heat map sit in the middle of its cells. */
static void put_cell_labels(const weft_page *page, int parameter, int vertical) {
    const weft_parameter *p = &page->study->parameter[parameter];
    double place[5];
    int count = label_places(p, place), bins = bin_count(page, parameter), exact = has_levels(page, parameter);
    for (int i = 0; i < count; i++) {
        char text[64];
        double at = exact ? (place[i] * (bins - 1) + 0.5) / bins : place[i];
        place_label(p, place[i], text);
        if (vertical)
            weft_output_print(page->out, "<text class='tick' text-anchor='end' x='%d' y='%.1f'>", LEFT - 5,
                              down(at) + 4);
        else
            weft_output_print(page->out, "<text class='tick' text-anchor='middle' x='%.1f' y='%d'>", across(at),
                              HEIGHT - BOTTOM + 15);
        weft_page_text(page, text);
        weft_output_print(page->out, "</text>\n");
    }
    if (vertical)
        weft_output_print(page->out, "<text text-anchor='middle' transform='translate(10 %.1f) rotate(-90)'>",
                          down(0.5));
    else
        weft_output_print(page->out, "<text text-anchor='middle' x='%.1f' y='%d'>", across(0.5), HEIGHT - 7);
    weft_page_text(page, weft_page_name(p));
    weft_output_print(page->out, "</text>\n");
}

void weft_page_heat_maps(const weft_page *page) {
    enum { MOST = 15 };
    if (page->study->parameter_count < 2)
        return;
    weft_output_print(page->out, "<h2 id='heat-maps'>Heat maps</h2>\n<p>A cell is the mean of the cases with these two "
                                 "values. Empty cells have no case.</p>\n");
    for (int f = 0; f < shown_figures(page); f++) {
        int shown = 0;
        if (page->count[f] == 0)
            continue;
        weft_output_print(page->out, "<h3>");
        weft_page_text(page, page->study->figure[f].name);
        weft_output_print(page->out, " ");
        put_scale(page, f);
        weft_output_print(page->out, "</h3><div class='plots'>\n");
        for (int x = 0; x < shown_parameters(page); x++)
            for (int y = x + 1; y < shown_parameters(page) && shown < MOST; y++, shown++) {
                open_svg(page, WIDTH, HEIGHT);
                put_cells(page, f, x, y);
                put_cell_labels(page, x, 0);
                put_cell_labels(page, y, 1);
                weft_output_print(page->out, "</svg>\n");
            }
        weft_output_print(page->out, "</div>\n");
    }
}

/* -- parallel coordinates -- */

static void put_parallel_axis(const weft_page *page, double x, int height, const char *name, const char *low,
                              const char *high) {
    weft_output_print(page->out, "<path class='axis' d='M%.1f 34 V%d'/><text text-anchor='middle' x='%.1f' y='14'>", x,
                      height - 22, x);
    weft_page_text(page, name);
    weft_output_print(page->out, "</text><text class='tick' text-anchor='middle' x='%.1f' y='28'>", x);
    weft_page_text(page, high);
    weft_output_print(page->out, "</text><text class='tick' text-anchor='middle' x='%.1f' y='%d'>", x, height - 8);
    weft_page_text(page, low);
    weft_output_print(page->out, "</text>\n");
}

static void put_parallel(const weft_page *page, int figure) {
    enum { GAP = 130, TALL = 260 };
    int axes = shown_parameters(page);
    int width = GAP * (axes + 1);
    open_svg(page, width, TALL);
    for (int64_t i = 0; i < page->study->case_count; i += stride_of(page, MOST_LINES)) {
        double value = weft_page_value(page, i, figure);
        char color[8], text[32];
        if (isnan(value))
            continue;
        double share = figure_share(page, figure, value);
        weft_page_color(share, color);
        weft_page_number(value, text);
        weft_output_print(page->out, "<polyline class='case' stroke='%s' points='", color);
        for (int p = 0; p < axes; p++)
            weft_output_print(page->out, "%.0f,%.1f ", GAP * (p + 0.5),
                              TALL - 22 - weft_study_place(page->study, i, p) * (TALL - 56));
        weft_output_print(page->out, "%.0f,%.1f'><title>case %" PRId64 ": %s</title></polyline>\n", GAP * (axes + 0.5),
                          TALL - 22 - share * (TALL - 56), i, text);
    }
    for (int p = 0; p < axes; p++) {
        char low[64], high[64];
        place_label(&page->study->parameter[p], 0, low);
        place_label(&page->study->parameter[p], 1, high);
        put_parallel_axis(page, GAP * (p + 0.5), TALL, weft_page_name(&page->study->parameter[p]), low, high);
    }
    char low[32], high[32];
    weft_page_number(page->low[figure], low);
    weft_page_number(page->high[figure], high);
    put_parallel_axis(page, GAP * (axes + 0.5), TALL, page->study->figure[figure].name, low, high);
    weft_output_print(page->out, "</svg>\n");
}

void weft_page_parallel(const weft_page *page) {
    if (page->study->parameter_count < 2)
        return;
    weft_output_print(page->out, "<h2 id='parallel'>Parallel coordinates</h2>\n<p>A line is a case. Its colour is the "
                                 "figure on the last axis.</p>\n");
    for (int f = 0; f < shown_figures(page); f++) {
        if (page->count[f] == 0)
            continue;
        weft_output_print(page->out, "<details%s><summary>", f == 0 ? " open" : "");
        weft_page_text(page, page->study->figure[f].name);
        weft_output_print(page->out, "</summary><div class='scroll'>\n");
        put_parallel(page, f);
        weft_output_print(page->out, "</div></details>\n");
    }
}
