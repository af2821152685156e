/* Starts of a fit that other processes solve, such as the tasks of a job array on a cluster: one file for each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/columns.h"
#include "lab/fit/fit.h"
#include "lab/textile/test_page.h"

static weft_result path_of(const char *folder, int index, char path[1024]) {
    char name[32];
    snprintf(name, sizeof name, "start-%d.csv", index + 1);
    return weft_lab_path(folder, name, path);
}

weft_result weft_fit_start_write(const weft_fit *fit, int index, const weft_fit_start *start, const char *folder) {
    weft_output out;
    char path[1024];
    WEFT_TRY(weft_directory_make(folder));
    WEFT_TRY(path_of(folder, index, path));
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out, "cost,evaluations,done");
    for (int i = 0; i < fit->parameter_count; i++)
        weft_output_print(&out, ",log of %s", fit->parameter[i].name);
    weft_output_print(&out, "\n%.17g,%d,%d", start->cost, start->evaluations, start->done);
    for (int i = 0; i < fit->parameter_count; i++)
        weft_output_print(&out, ",%.17g", start->z[i]);
    weft_output_print(&out, "\n");
    return weft_output_commit(&out);
}

static weft_result read_start(const weft_fit *fit, const weft_columns *c, weft_fit_start *start) {
    int fits = c->rows == 1 && c->count == 3 + fit->parameter_count;
    for (int i = 0; fits && i < fit->parameter_count; i++) {
        const weft_fit_parameter *p = &fit->parameter[i];
        double z = c->value[3 + i];
        fits = strncmp(c->name[3 + i], "log of ", 7) == 0 && strcmp(c->name[3 + i] + 7, p->name) == 0 &&
               z >= log(p->low) - 1e-9 && z <= log(p->high) + 1e-9;
        start->z[i] = z;
    }
    if (!fits)
        return weft_fail(WEFT_BAD_INPUT, "%s: is not a start of this fit", c->path);
    start->cost = c->value[0];
    start->evaluations = c->value[1] >= 0 && c->value[1] < 1e9 ? (int)c->value[1] : 0;
    start->done = c->value[2] != 0;
    return weft_ok();
}

weft_result weft_fit_starts_read(const weft_fit *fit, const char *folder, weft_fit_result *result) {
    *result = (weft_fit_result){0};
    for (int k = 0; k < fit->starts; k++) {
        char path[1024];
        weft_columns columns;
        WEFT_TRY(path_of(folder, k, path));
        WEFT_TRY(weft_columns_read(path, &columns));
        weft_result read = read_start(fit, &columns, &result->start[k]);
        weft_columns_clear(&columns);
        WEFT_TRY(read);
    }
    return weft_ok();
}
