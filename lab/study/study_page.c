#include "lab/study/study_page.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/html.h"
#include "lab/study/journal.h"
#include "lab/study/page_parts.h"
#include "lab/study/provenance.h"
#include "lab/study/study_folder.h"
#include "weft/text.h"

static const char STYLE[] =
    "<meta name='viewport' content='width=device-width, initial-scale=1'>\n<style>\n"
    ":root{--ink:#1c2330;--soft:#5b6472;--line:#dfe3e8;--paper:#fff;--accent:#3b6fb6}\n"
    "*{box-sizing:border-box}\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:1280px;margin:0 auto;"
    "padding:1rem 1.5rem 4rem}\n"
    "h1{font-size:1.6rem;margin:.5rem 0 0}h2{margin:2.5rem 0 .5rem;border-bottom:1px solid "
    "var(--line);font-size:1.2rem}"
    "h3{margin:1.2rem 0 .3rem;font-size:1rem}small,.note,.tick{color:var(--soft);font-weight:normal}\n"
    "nav a{margin-right:1rem;color:var(--accent)}\n"
    ".facts{display:flex;flex-wrap:wrap;gap:.4rem 2rem;margin:.8rem 0}.facts b{display:block;font-size:1.2rem}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));gap:.6rem}\n"
    ".plots svg{width:100%}svg{max-width:100%;height:auto;font:11px "
    "system-ui,sans-serif;fill:var(--ink)}svg.bar{vertical-align:middle}\n"
    "svg .tick{fill:var(--soft);font-size:10px}.grid,.axis{stroke:var(--line);fill:none}.axis{stroke:#8891a0}\n"
    "circle{fill:var(--accent);fill-opacity:.35}.mean{fill:none;stroke:#c8702a;stroke-width:1.8}\n"
    ".case{fill:none;stroke-opacity:.55;stroke-width:1.1}.case:hover{stroke-opacity:1;stroke-width:3}\n"
    "table{border-collapse:collapse;font-size:13px}td,th{padding:.15rem .6rem;border-bottom:1px solid var(--line);"
    "text-align:left;vertical-align:top}svg.bar{min-width:60px}td.number{text-align:right;white-space:nowrap;font-"
    "variant-numeric:tabular-nums}\n"
    ".cases th{position:sticky;top:0;background:var(--paper)}tr.failed td{background:#fdeaea}\n"
    ".scroll{overflow-x:auto}.scroll svg{max-width:none}.tall{max-height:70vh;overflow-y:auto}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:.8rem}"
    "figure{margin:0}figure img{width:100%;border:1px solid var(--line);border-radius:4px}"
    "figcaption{font-size:11px;line-height:1.35;color:var(--soft);overflow-wrap:anywhere}\n"
    ".scale{font-size:12px;font-weight:normal;color:var(--soft);margin-left:1rem}.scale i{display:inline-block;"
    "width:90px;height:10px;margin:0 .4rem;background:linear-gradient(90deg,#352a87,#0f77db,#15b1b4,#a7be5a,#f9fb0e)}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}summary{cursor:pointer}\n"
    "@media(max-width:600px){body{padding:.6rem}h1{font-size:1.3rem}}\n"
    "</style></head><body>\n";

/* -- shared by the parts -- */

void weft_page_text(const weft_page *page, const char *text) { weft_html_text(page->out->file, text); }

const char *weft_page_name(const weft_parameter *parameter) {
    const char *name = parameter->name, *last = strrchr(name, '.');
    while (last && last > name && last[-1] != '.')
        last--;
    return last ? last : name;
}

double weft_page_value(const weft_page *page, int64_t index, int figure) {
    const weft_row *row = &page->results->row[index];
    return row->is_done && row->status == WEFT_CASE_OK && isfinite(row->value[figure]) ? row->value[figure] : NAN;
}

/* Between five colours whose lightness rises steadily. */
void weft_page_color(double share, char color[8]) {
    static const int STOPS[5][3] = {{53, 42, 135}, {15, 119, 219}, {21, 177, 180}, {167, 190, 90}, {249, 251, 14}};
    double at = 4 * (share < 0 ? 0 : share > 1 ? 1 : share);
    int stop = at >= 4 ? 3 : (int)at, rgb[3];
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)(STOPS[stop][i] + (at - stop) * (STOPS[stop + 1][i] - STOPS[stop][i]) + 0.5);
    snprintf(color, 8, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
}

void weft_page_number(double number, char text[32]) {
    double size = fabs(number);
    weft_format(text, 32, size >= 1000 && size < 1e6 ? "%.0f" : "%.3g", number);
}

/* -- the head of the page -- */

static void put_fact_line(void *context, const char *key, const char *value) {
    const weft_page *page = context;
    weft_output_print(page->out, "<tr><td>");
    weft_page_text(page, key);
    weft_output_print(page->out, "</td><td>");
    weft_page_text(page, value);
    weft_output_print(page->out, "</td></tr>\n");
}

/* As the study wrote it when it ran; an unfinished study may have none yet. */
static weft_result put_provenance(const weft_page *page) {
    char path[1024];
    const char *key;
    json_t *value;
    WEFT_TRY(weft_study_folder_file(page->folder, "provenance.json", path, sizeof path));
    json_t *facts = json_load_file(path, 0, NULL);
    if (!facts)
        return weft_provenance_tell(page->results, put_fact_line, (void *)page);
    json_object_foreach(facts, key, value) if (json_is_string(value))
        put_fact_line((void *)page, key, json_string_value(value));
    json_decref(facts);
    return weft_ok();
}

static weft_result put_head(const weft_page *page, const char *title) {
    static const char *const DESIGNS[] = {"grid", "random", "Latin hypercube", "Sobol sequence", "Saltelli", "Morris"};
    const weft_results *results = page->results;
    weft_output_print(page->out, "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>");
    weft_page_text(page, title);
    weft_output_print(page->out, "</title>\n%s<h1>Study ", STYLE);
    weft_page_text(page, title);
    weft_output_print(page->out,
                      "</h1>\n<div class='facts'><div><b>%" PRId64 "</b>of %" PRId64 " cases</div><div><b>%" PRId64
                      "</b>ok</div><div><b>%" PRId64 "</b>failed</div><div><b>%s</b>design</div>"
                      "<div><b>%d</b>parameters</div><div><b>%.4g s</b>CPU time</div></div>\n",
                      results->done, page->study->case_count, results->ok, results->done - results->ok,
                      DESIGNS[page->study->settings.design], page->study->parameter_count, results->cpu_seconds);
    weft_output_print(page->out,
                      "<nav><a href='#figures'>figures</a><a href='#sensitivity'>sensitivity</a><a "
                      "href='#plots'>plots</a><a href='#heat-maps'>heat maps</a><a href='#parallel'>parallel "
                      "coordinates</a>%s<a href='#cases'>cases</a></nav>\n"
                      "<details><summary>Where these results come from</summary><table>\n",
                      page->study->pictures ? "<a href='#pictures'>pictures</a>" : "");
    WEFT_TRY(put_provenance(page));
    weft_output_print(page->out, "</table></details>\n");
    return weft_ok();
}

static void put_figures(const weft_page *page) {
    weft_output_print(page->out, "<h2 id='figures'>Figures</h2>\n<div class='scroll'><table><tr><th>figure<th>smallest"
                                 "<th>mean<th>largest<th>unit<th>values<th>meaning</tr>\n");
    for (int f = 0; f < page->study->figure_count; f++) {
        const double numbers[3] = {page->low[f], page->mean[f], page->high[f]};
        weft_output_print(page->out, "<tr><td>");
        weft_page_text(page, page->study->figure[f].name);
        for (int i = 0; i < 3; i++) {
            char text[32] = "";
            if (page->count[f] > 0)
                weft_page_number(numbers[i], text);
            weft_output_print(page->out, "</td><td class='number'>%s", text);
        }
        weft_column column = weft_results_column(page->study, weft_results_column_count(page->study) - 4 -
                                                                  page->study->figure_count + f);
        weft_output_print(page->out, "</td><td>");
        weft_page_text(page, column.unit);
        weft_output_print(page->out, "</td><td class='number'>%" PRId64 "</td><td>", page->count[f]);
        weft_page_text(page, column.meaning);
        weft_output_print(page->out, "</td></tr>\n");
    }
    weft_output_print(page->out, "</table></div>\n");
}

/* -- the page -- */

static void measure_figures(weft_page *page) {
    for (int f = 0; f < page->study->figure_count; f++) {
        double sum = 0;
        page->low[f] = INFINITY;
        page->high[f] = -INFINITY;
        for (int64_t i = 0; i < page->study->case_count; i++) {
            double value = weft_page_value(page, i, f);
            if (isnan(value))
                continue;
            page->low[f] = fmin(page->low[f], value);
            page->high[f] = fmax(page->high[f], value);
            sum += value;
            page->count[f]++;
        }
        page->mean[f] = page->count[f] > 0 ? sum / (double)page->count[f] : NAN;
    }
}

static weft_result put_page(weft_page *page, const char *title) {
    WEFT_TRY(put_head(page, title));
    put_figures(page);
    WEFT_TRY(weft_page_sensitivity(page));
    weft_page_lines(page);
    weft_page_heat_maps(page);
    weft_page_parallel(page);
    WEFT_TRY(weft_page_thumbnails(page));
    WEFT_TRY(weft_page_table(page));
    weft_output_print(page->out, "</body></html>\n");
    return weft_ok();
}

static weft_result write_page(const weft_study *study, const weft_results *results, const char *folder,
                              const char *path) {
    weft_output output;
    size_t count = (size_t)study->figure_count + 1;
    double *numbers = calloc(3 * count, sizeof *numbers);
    int64_t *counts = calloc(count, sizeof *counts);
    weft_page page = {.out = &output, .study = study, .results = results, .folder = folder, .count = counts};
    weft_result result = numbers && counts ? weft_output_open(&output, path) : weft_fail_memory(path, count);
    if (result.code == WEFT_OK) {
        page.low = numbers;
        page.high = numbers + count;
        page.mean = numbers + 2 * count;
        measure_figures(&page);
        result = put_page(&page, study->name);
        if (result.code == WEFT_OK)
            result = weft_output_commit(&output);
        else
            weft_output_discard(&output);
    }
    free(numbers);
    free(counts);
    return result;
}

/* "out/bend/" -> "bend" */
static void name_after_folder(const char *folder, char *name, size_t size) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    size_t begin = length;
    while (begin > 0 && folder[begin - 1] != '/')
        begin--;
    snprintf(name, size, "%.*s", (int)(length - begin), folder + begin);
}

weft_result weft_study_page_write(const char *folder, const char *out, char path[1024]) {
    char journal[1024];
    weft_study study = {0};
    weft_results results = {0};
    int64_t end = 0;
    weft_result result = weft_study_folder_read(folder, &study);
    if (result.code == WEFT_OK)
        result = weft_study_folder_file(folder, "journal", journal, sizeof journal);
    if (result.code == WEFT_OK)
        result = weft_results_create(&results, &study);
    if (result.code == WEFT_OK)
        result = weft_journal_scan(journal, &results, weft_results_add, &end);
    if (result.code == WEFT_OK && out && snprintf(path, 1024, "%s", out) >= 1024)
        result = weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", out);
    if (result.code == WEFT_OK && !out)
        result = weft_study_folder_file(folder, "report.html", path, 1024);
    if (result.code == WEFT_OK) {
        name_after_folder(folder, study.name, sizeof study.name);
        result = write_page(&study, &results, folder, path);
    }
    weft_results_free(&results);
    weft_study_close(&study);
    return result;
}
