/* Sobol indices and elementary effects as tables with bars. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lab/study/page_parts.h"
#include "lab/study/sensitivity.h"

/* One number per point: the mean of the repeats. */
static void point_values(const weft_page *page, int figure, double *value) {
    int repeats = page->study->settings.repeats;
    for (int64_t i = 0; i < page->study->point_count; i++) {
        value[i] = 0;
        for (int r = 0; r < repeats; r++)
            value[i] += weft_page_value(page, i * repeats + r, figure) / repeats;
    }
}

static void put_bar(const weft_page *page, double share, const char *color) {
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    weft_output_print(page->out,
                      "<svg class='bar' viewBox='0 0 100 10' width='100' height='10'><rect width='%.1f' height='10' "
                      "fill='%s'/></svg>",
                      100 * share, color);
}

static void put_name(const weft_page *page, int parameter) {
    weft_output_print(page->out, "<tr><td>");
    weft_page_text(page, page->study->parameter[parameter].name);
    weft_output_print(page->out, "</td>");
}

static void put_sobol(const weft_page *page, const double *value) {
    int k = page->study->parameter_count;
    weft_sobol_index index[WEFT_MOST_PARAMETERS];
    int64_t used;
    if (!weft_sobol_indices(value, page->study->settings.samples, k, index, &used)) {
        weft_output_print(page->out,
                          "<p>The figure does not vary, or too few samples are complete (%" PRId64 ").</p>\n", used);
        return;
    }
    weft_output_print(page->out, "<div class='scroll'><table><tr><th>parameter<th>first order<th><th>total<th></tr>\n");
    for (int d = 0; d < k; d++) {
        put_name(page, d);
        weft_output_print(page->out, "<td class='number'>%.3f &plusmn; %.3f</td><td>", index[d].first,
                          index[d].first_error);
        put_bar(page, index[d].first, "#3b6fb6");
        weft_output_print(page->out, "</td><td class='number'>%.3f &plusmn; %.3f</td><td>", index[d].total,
                          index[d].total_error);
        put_bar(page, index[d].total, "#c8702a");
        weft_output_print(page->out, "</td></tr>\n");
    }
    weft_output_print(page->out, "</table></div><p class='note'>From %" PRId64 " of %d samples.</p>\n", used,
                      page->study->settings.samples);
}

static void put_morris(const weft_page *page, int figure, const double *value) {
    int k = page->study->parameter_count;
    weft_morris_effect effect[WEFT_MOST_PARAMETERS];
    int64_t used;
    double largest = 0;
    if (!weft_morris_effects(value, page->study->point, page->study->settings.samples, k, effect, &used)) {
        weft_output_print(page->out, "<p>Too few steps are complete (%" PRId64 ").</p>\n", used);
        return;
    }
    for (int d = 0; d < k; d++)
        largest = fmax(largest, fmax(effect[d].mean_absolute, effect[d].deviation));
    weft_output_print(page->out, "<div class='scroll'><table><tr><th>parameter<th>mu<th>mu*<th><th>sigma<th></tr>\n");
    for (int d = 0; d < k; d++) {
        char mean[32], absolute[32], deviation[32];
        weft_page_number(effect[d].mean, mean);
        weft_page_number(effect[d].mean_absolute, absolute);
        weft_page_number(effect[d].deviation, deviation);
        put_name(page, d);
        weft_output_print(page->out, "<td class='number'>%s</td><td class='number'>%s</td><td>", mean, absolute);
        put_bar(page, largest > 0 ? effect[d].mean_absolute / largest : 0, "#3b6fb6");
        weft_output_print(page->out, "</td><td class='number'>%s</td><td>", deviation);
        put_bar(page, largest > 0 ? effect[d].deviation / largest : 0, "#c8702a");
        weft_output_print(page->out, "</td></tr>\n");
    }
    weft_output_print(page->out, "</table></div><p class='note'>Change of the figure");
    if (page->study->figure[figure].unit[0]) {
        weft_output_print(page->out, " (");
        weft_page_text(page, page->study->figure[figure].unit);
        weft_output_print(page->out, ")");
    }
    weft_output_print(page->out, " over the whole range of a parameter, from at least %" PRId64 " steps.</p>\n", used);
}

weft_result weft_page_sensitivity(const weft_page *page) {
    int design = page->study->settings.design;
    weft_output_print(page->out, "<h2 id='sensitivity'>Sensitivity</h2>\n");
    if (design != WEFT_DESIGN_SALTELLI && design != WEFT_DESIGN_MORRIS) {
        weft_output_print(page->out,
                          "<p>This design does not allow sensitivity indices: they need pairs of cases that differ in "
                          "one parameter only, at random places. Use <code>design: saltelli</code> for Sobol indices, "
                          "or <code>design: morris</code> for a cheap screening.</p>\n");
        return weft_ok();
    }
    weft_output_print(page->out, design == WEFT_DESIGN_SALTELLI
                                     ? "<p>Sobol indices. First order: the share of the variance that a parameter "
                                       "explains alone. Total: with all its interactions. Errors are 95 %% "
                                       "intervals.</p>\n"
                                     : "<p>Elementary effects (Morris). mu* is the mean effect without its sign. A "
                                       "sigma as large as mu* shows interactions or curvature.</p>\n");
    double *value = malloc(((size_t)page->study->point_count + 1) * sizeof *value);
    if (!value)
        return weft_fail_memory("sensitivity", (size_t)page->study->point_count * sizeof *value);
    for (int f = 0; f < page->study->figure_count; f++) {
        weft_output_print(page->out, "<h3>");
        weft_page_text(page, page->study->figure[f].name);
        weft_output_print(page->out, "</h3>\n");
        point_values(page, f, value);
        if (design == WEFT_DESIGN_SALTELLI)
            put_sobol(page, value);
        else
            put_morris(page, f, value);
    }
    free(value);
    return weft_ok();
}
