#include "lab/experiments/experiments_page.h"

#include <string.h>

#include "io/file.h"

static const char HEAD[] =
    "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>Weft: experiments</title>\n"
    "<meta name='viewport' content='width=device-width, initial-scale=1'>\n<style>\n"
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222 }\n"
    "h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem }\n"
    "table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; font-size: 13px }\n"
    "td, th { padding: .15rem .7rem; border-bottom: 1px solid #eee; text-align: left; vertical-align: top }\n"
    ".ok td:last-child { color: #00705a } .differs td:last-child { color: #a15c00 }\n"
    ".missed td { background: #ffe3df } .missed td:last-child { color: #b00020; font-weight: bold }\n"
    ".why td { color: #555; font-style: italic; padding-left: 2rem }\n"
    "img, svg { max-width: 100%; height: auto } figure { margin: 1rem 0 } figcaption { color: #555; font-size: 13px }\n"
    ".source { color: #555 }\n</style></head><body>\n<h1>Weft: experiments</h1>\n"
    "<p><code>weft experiment</code> reproduces published results and exact solutions and compares them with Weft. "
    "<b>ok</b>: within its bound. <b>differs</b>: not as published; the reason follows. <b>MISSED</b>: outside its "
    "bound. The column <i>version</i> names the version of Weft that made the figures.</p>\n";

static void put_verdicts(weft_output *out, const weft_chapter *chapter, int count) {
    weft_verdicts sum = {0};
    weft_output_print(
        out, "<table><tr><th>experiment</th><th>what</th><th>version</th><th>ok</th><th>differs</th><th>missed</"
             "th><th>CPU s</th></tr>\n");
    for (int i = 0; i < count; i++) {
        const weft_experiment *e = chapter[i].experiment;
        weft_verdicts v = chapter[i].verdicts;
        sum.ok += v.ok;
        sum.differs += v.differs;
        sum.missed += v.missed;
        weft_output_print(out,
                          "<tr class='%s'><td><a "
                          "href='#%s'>%s</a></td><td>%s%s</td><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%.0f</td>"
                          "</tr>\n",
                          v.missed > 0 ? "missed" : "value", e->name, e->name, e->help,
                          chapter[i].quick ? " (quick: fewer cases)" : "", chapter[i].version, v.ok, v.differs,
                          v.missed, chapter[i].seconds);
    }
    weft_output_print(out,
                      "<tr><td></td><td>total</td><td></td><td>%d</td><td>%d</td><td>%d</td><td></td></tr></table>\n",
                      sum.ok, sum.differs, sum.missed);
}

weft_result weft_page_write(const weft_chapter *chapter, int count, const char *path) {
    weft_output out;
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_write(&out, HEAD, sizeof HEAD - 1);
    put_verdicts(&out, chapter, count);
    for (int i = 0; i < count; i++) {
        const weft_experiment *e = chapter[i].experiment;
        weft_output_print(&out, "<h2 id='%s'>%s</h2>\n<p>%s</p><p class='source'>%s</p>\n", e->name, e->name, e->help,
                          e->source);
        weft_output_print(&out, "<p class='source'>Figures of Weft %s</p>\n", chapter[i].version);
        weft_output_write(&out, chapter[i].html, strlen(chapter[i].html));
    }
    weft_output_print(&out, "</body></html>\n");
    return weft_output_commit(&out);
}
