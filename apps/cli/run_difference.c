#include "apps/cli/run_difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/run_folder.h"
#include "io/file.h"
#include "weft/text.h"

/* Finds `"PATH": VALUE` and copies the value without quotes. Returns 0 if there is none, or a list. */
static int find_value(const char *report, const char *path, char value[128]) {
    char key[300];
    snprintf(key, sizeof key, "\"%s\": ", path);
    const char *at = strstr(report, key);
    if (!at)
        return 0;
    at += strlen(key);
    at += *at == '"';
    snprintf(value, 128, "%.*s", (int)strcspn(at, "\",\n"), at);
    return value[0] != '[' && value[0] != '{';
}

static int is_same(const char *before, const char *now) {
    const char *end[2];
    double a = weft_real_parse(before, &end[0]), b = weft_real_parse(now, &end[1]);
    if (end[0] != before && !*end[0] && end[1] != now && !*end[1])
        return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
    return strcmp(before, now) == 0;
}

/* The integrator and the length of steps. */
static int may_change(const char *path) {
    static const char *const FREE[] = {"time.step", "time.mode", "time.jitter", "time.halvings", "time.accuracy"};
    for (size_t i = 0; i < sizeof FREE / sizeof FREE[0]; i++)
        if (strcmp(path, FREE[i]) == 0)
            return 1;
    return strncmp(path, "integrator.", 11) == 0;
}

static void compare(const char *report, const weft_sim *sim, char *text, size_t size) {
    char path[256], before[128], now[128];
    const weft_param *row;
    for (int i = 0; !text[0] && weft_sim_param_at(sim, i, path, sizeof path, &row); i++)
        if (!may_change(path) && row->type != WEFT_PAIR && row->type != WEFT_VECTOR &&
            find_value(report, path, before) && weft_sim_get(sim, path, now, sizeof now).code == WEFT_OK &&
            !is_same(before, now))
            snprintf(text, size, "%.100s was %.60s, now %.60s", path, before, now);
}

void weft_run_difference(const char *directory, const weft_sim *sim, char *text, size_t size) {
    char path[1024], *report;
    size_t length;
    text[0] = '\0';
    if (weft_run_folder_path(directory, "report.json", path, sizeof path).code != WEFT_OK ||
        weft_file_read(path, &report, &length).code != WEFT_OK)
        return;
    const char *settings = strstr(report, "\"settings\": {");
    if (settings)
        compare(settings, sim, text, size);
    free(report);
}
