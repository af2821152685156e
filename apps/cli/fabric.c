#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/fabric_table.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "io/fabric_sheet.h"
#include "lab/textile/fabric_test.h"

typedef struct order {
    const char *out;
    int starts, quick;
} order;

static weft_result list(const char *name, const order *o) {
    (void)name;
    (void)o;
    weft_table *table = weft_table_create(2);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        const char *cells[] = {preset->name, preset->help};
        weft_table_add(table, cells);
    }
    weft_fabric_files_fill(table);
    weft_table_print(table, 0);
    free(table);
    char folder[1024];
    for (int i = 0; weft_fabric_folder(i, folder, sizeof folder); i++)
        printf("%s%s\n", i > 0 ? "        " : "files: ", folder);
    return weft_ok();
}

static weft_result show(const char *name, const order *o) {
    (void)o;
    weft_fabric_file *fabric;
    WEFT_TRY(weft_fabric_find(name, "", &fabric));
    weft_result result = weft_fabric_print(fabric);
    weft_fabric_file_destroy(fabric);
    return result;
}

/* -- test -- */

static weft_result print_test(const weft_fabric_test *t) {
    weft_table *table = weft_table_create(7);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
    weft_table_add(table, (const char *const[]){"", "weft", "warp", "", "weft", "warp", "SI"});
    const char *last = "";
    for (int i = 0; i < t->row_count; i++) {
        const weft_lab_row *r = &t->row[i];
        char text[4][32], quantity[64];
        if (strcmp(last, r->test) != 0)
            weft_table_add(table, (const char *const[]){r->test, "", "", "", "", "", ""});
        last = r->test;
        snprintf(quantity, sizeof quantity, "  %s", r->quantity);
        weft_lab_row_write(r, text);
        weft_table_add(table, (const char *const[]){quantity, text[0], text[1], r->unit, text[2], text[3], r->si_unit});
    }
    weft_table_print(table, 0);
    free(table);
    return weft_ok();
}

static weft_result test(const char *name, const order *o) {
    weft_fabric_file *fabric;
    weft_fabric_test t = {0};
    char folder[1024];
    WEFT_TRY(weft_fabric_find(name, "", &fabric));
    printf("%s: %s\n", fabric->name, fabric->help);
    fflush(stdout);
    weft_result result = weft_fabric_test_run(fabric, o->quick ? 0 : 1, o->quick ? 1 : o->starts, &t);
    if (result.code == WEFT_OK)
        result = print_test(&t);
    snprintf(folder, sizeof folder, "out/fabric-%s", fabric->name);
    if (result.code == WEFT_OK)
        result = weft_fabric_test_write(&t, o->out ? o->out : folder);
    if (result.code == WEFT_OK)
        printf("page: %s/index.html\n", o->out ? o->out : folder);
    weft_fabric_test_clear(&t);
    weft_fabric_file_destroy(fabric);
    return result;
}

/* -- import -- */

/* A fabric file has the name of the sheet, in the folder of the user. */
static weft_result import_path(const weft_fabric_file *fabric, const order *o, char path[1024]) {
    char folder[900];
    if (o->out) {
        snprintf(path, 1024, "%s", o->out);
        return weft_ok();
    }
    if (!weft_fabric_folder(0, folder, sizeof folder))
        return weft_fail(WEFT_BAD_FILE, "there is no folder of fabrics; name the file with --out");
    WEFT_TRY(weft_directory_make(folder));
    snprintf(path, 1024, "%s/%s%s", folder, fabric->name, WEFT_FABRIC_ENDING);
    return weft_ok();
}

static weft_result import(const char *name, const order *o) {
    weft_fabric_file *fabric;
    char path[1024];
    WEFT_TRY(weft_fabric_sheet_read(name, &fabric));
    weft_result result = import_path(fabric, o, path);
    weft_fabric_file_note(fabric->provenance, &fabric->provenance_count, "imported_from", "%s", name);
    weft_fabric_file_note(fabric->provenance, &fabric->provenance_count, "program", "weft %s", weft_version());
    if (result.code == WEFT_OK)
        result = weft_fabric_file_write(fabric, path);
    if (result.code == WEFT_OK)
        result = weft_fabric_print(fabric);
    if (result.code == WEFT_OK)
        printf("\nwritten: %s\n", path);
    weft_fabric_file_destroy(fabric);
    return result;
}

/* -- */

static const struct verb {
    const char *name;
    int takes_name;
    weft_result (*run)(const char *name, const order *o);
} VERBS[] = {{"list", 0, list}, {"show", 1, show}, {"test", 1, test}, {"import", 1, import}};
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

static int refuse(const weft_words *words) {
    weft_complain("fabric: '%.60s%s%.60s': needs list, show NAME, test NAME or import FILE (weft fabric --help)",
                  words->word[0], words->count > 1 ? " " : "", words->count > 1 ? words->word[1] : "");
    return WEFT_EXIT_USAGE;
}

int weft_command_fabric(int argc, char **argv) {
    order o = {.out = NULL, .starts = 3};
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &o.out, "PATH",
         "test: the folder of the results (default: out/fabric-NAME); import: the fabric file", 0},
        {"--starts", WEFT_OPTION_COUNT, &o.starts, "N",
         "test: start the drape test N times from another unevenness (default: 3)", WEFT_LAB_STARTS},
        {"--quick", WEFT_OPTION_FLAG, &o.quick, NULL, "test: drape a coarse mesh once", 0},
        {0},
    };
    weft_usage usage = {"fabric",
                        "list | show NAME | test NAME | import FILE",
                        1,
                        2,
                        "Lists, shows and tests fabrics, and makes them from data sheets.",
                        "NAME is a preset, a fabric file, or the name of a file beside the current folder, in the\n"
                        "user's folder ($XDG_DATA_HOME/weft/fabrics) or among the fabrics of Weft. 'test' runs the\n"
                        "tensile, shear and bending tests of Kawabata, the cantilever test and the drape test on\n"
                        "virtual specimens. It prints what a laboratory reports and writes a page with pictures.\n"
                        "'import' reads a data sheet of KES-F or FAST and writes a fabric file.",
                        table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    if (o.starts < 1 || (o.out && !o.out[0])) {
        weft_complain("fabric: %s", o.starts < 1 ? "--starts 0: needs at least 1" : "--out '' names no file");
        return WEFT_EXIT_USAGE;
    }
    for (int i = 0; i < VERB_COUNT; i++)
        if (strcmp(VERBS[i].name, words.word[0]) == 0 && words.count == 1 + VERBS[i].takes_name) {
            weft_result result = VERBS[i].run(words.count > 1 ? words.word[1] : NULL, &o);
            return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
        }
    return refuse(&words);
}
