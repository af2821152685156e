#include "apps/cli/fabric_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/folder_names.h"

void weft_fabric_files_fill(weft_table *table) {
    weft_names names = {0};
    char folder[1024], path[1024];
    for (int i = 0; weft_fabric_folder(i, folder, sizeof folder); i++)
        weft_names_add(&names, folder, WEFT_FABRIC_ENDING);
    weft_names_sort(&names);
    for (int i = 0; i < names.count; i++) {
        weft_fabric_file *file = NULL;
        char help[WEFT_TABLE_CELL] = "";
        if (weft_fabric_file_find(names.name[i], "/", path, sizeof path) == WEFT_FABRIC_NOWHERE)
            continue;
        weft_result result = weft_fabric_file_read(path, &file);
        snprintf(help, sizeof help, "%s", result.code == WEFT_OK ? file->help : result.message);
        const char *cells[] = {names.name[i], help};
        weft_table_add(table, cells);
        weft_fabric_file_destroy(file);
    }
    weft_names_free(&names);
}

static void print_notes(const char *title, const weft_fabric_note *notes, int count) {
    if (count > 0)
        printf("\n%s\n", title);
    for (int i = 0; i < count; i++)
        printf("  %-20s %s\n", notes[i].key, notes[i].text);
}

weft_result weft_fabric_print(const weft_fabric_file *fabric) {
    printf("fabric %s: %s\n%s\n", fabric->name, fabric->help, fabric->source);
    if (fabric->path[0])
        printf("file: %s\n", fabric->path);
    printf("\n");
    weft_table *table = weft_table_create(4);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
    for (const weft_param *row = weft_fabric_params(); row->name; row++) {
        char value[WEFT_STRING_SIZE];
        weft_table_write_value(row, &fabric->fabric, value, sizeof value);
        const char *cells[] = {row->name, value, row->unit, row->help};
        weft_table_add(table, cells);
    }
    weft_table_print(table, 2);
    free(table);
    print_notes("measured", fabric->measured, fabric->measured_count);
    print_notes("provenance", fabric->provenance, fabric->provenance_count);
    return weft_ok();
}
