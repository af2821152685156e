#include "lab/experiments/chapter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

weft_result weft_chapter_take(const weft_experiment *experiment, weft_record *record, double seconds,
                              weft_chapter *chapter) {
    const char *html;
    WEFT_TRY(weft_record_html(record, &html));
    *chapter = (weft_chapter){.experiment = experiment,
                              .verdicts = weft_record_verdicts(record),
                              .seconds = seconds,
                              .quick = weft_record_is_quick(record),
                              .html = strdup(html)};
    snprintf(chapter->version, sizeof chapter->version, "%s", weft_version());
    return chapter->html ? weft_ok() : weft_fail_memory("a chapter", strlen(html));
}

void weft_chapter_clear(weft_chapter *chapter) {
    free(chapter->html);
    chapter->html = NULL;
}

static weft_result path_of(const weft_experiment *experiment, const char *out, char path[1024]) {
    if (snprintf(path, 1024, "%s/%s/chapter.html", out, experiment->name) >= 1024)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", out);
    return weft_ok();
}

/* The first line of the file holds the counts for the table of verdicts. */
static const char HEAD[] = "<!-- weft %s: ok %d differs %d missed %d values %d seconds %.1f quick %d -->\n";

weft_result weft_chapter_save(const weft_chapter *chapter, const char *out) {
    char path[1024];
    weft_output file;
    const weft_verdicts *v = &chapter->verdicts;
    WEFT_TRY(path_of(chapter->experiment, out, path));
    WEFT_TRY(weft_output_open(&file, path));
    weft_output_print(&file, HEAD, chapter->version, v->ok, v->differs, v->missed, v->values, chapter->seconds,
                      chapter->quick);
    weft_output_write(&file, chapter->html, strlen(chapter->html));
    return weft_output_commit(&file);
}

static int read_head(const char *text, weft_chapter *c) {
    weft_verdicts *v = &c->verdicts;
    return sscanf(text, "<!-- weft %31[0-9.]: ok %d differs %d missed %d values %d seconds %lf quick %d -->",
                  c->version, &v->ok, &v->differs, &v->missed, &v->values, &c->seconds, &c->quick) == 7;
}

weft_result weft_chapter_load(const weft_experiment *experiment, const char *out, weft_chapter *chapter) {
    char path[1024], *text;
    size_t size;
    *chapter = (weft_chapter){.experiment = experiment};
    WEFT_TRY(path_of(experiment, out, path));
    FILE *there = fopen(path, "rb");
    if (!there)
        return weft_ok();
    fclose(there);
    WEFT_TRY(weft_file_read(path, &text, &size));
    char *line = strchr(text, '\n');
    if (!line || !read_head(text, chapter)) {
        free(text);
        return weft_fail(WEFT_BAD_FILE, "%.900s: not a chapter by weft; run the experiment again", path);
    }
    memmove(text, line + 1, strlen(line + 1) + 1);
    chapter->html = text;
    return weft_ok();
}

weft_result weft_chapter_remove(const weft_experiment *experiment, const char *out) {
    char path[1024];
    WEFT_TRY(path_of(experiment, out, path));
    if (remove(path) != 0 && errno != ENOENT)
        return weft_fail(WEFT_BAD_FILE, "%.900s: %s", path, strerror(errno));
    return weft_ok();
}
