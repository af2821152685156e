/* results.sqlite: the tables results, columns and provenance. SQLite writes no times into its files, so equal results
 * give equal files. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/study/provenance.h"
#include "lab/study/results.h"
#include "weft/text.h"

enum { CELL = 4096 };

static weft_result fail(sqlite3 *base, const char *path) {
    return weft_fail(WEFT_BAD_FILE, "%.300s: %.150s", path, base ? sqlite3_errmsg(base) : "out of memory");
}

static weft_result execute(sqlite3 *base, const char *path, const char *sql) {
    return sqlite3_exec(base, sql, NULL, NULL, NULL) == SQLITE_OK ? weft_ok() : fail(base, path);
}

/* -- statements -- */

static int holds_number(const weft_study *study, int index) {
    weft_column column = weft_results_column(study, index);
    if (strcmp(column.kind, "parameter") == 0) {
        for (int i = 0; i < study->parameter_count; i++)
            if (!study->parameter[i].is_together && strcmp(study->parameter[i].name, column.name) == 0)
                return study->parameter[i].is_number;
        return 0;
    }
    return strcmp(column.kind, "figure") == 0;
}

/* CREATE TABLE and INSERT for the table of results. SQLite escapes the names, which may hold any character. */
static weft_result make_statements(const weft_study *study, char **create, char **insert) {
    int columns = weft_results_column_count(study);
    sqlite3_str *table = sqlite3_str_new(NULL), *row = sqlite3_str_new(NULL);
    sqlite3_str_appendf(table, "CREATE TABLE results(");
    sqlite3_str_appendf(row, "INSERT INTO results VALUES(");
    for (int c = 0; c < columns; c++) {
        weft_column column = weft_results_column(study, c);
        int is_text = strcmp(column.kind, "case") != 0 && strcmp(column.name, "frames") != 0;
        const char *type = c == 0                   ? "INTEGER PRIMARY KEY"
                           : holds_number(study, c) ? "REAL"
                           : is_text                ? "TEXT"
                                                    : "INTEGER";
        sqlite3_str_appendf(table, "%s\"%w\" %s", c > 0 ? ", " : "", column.name, type);
        sqlite3_str_appendf(row, "%s?", c > 0 ? ", " : "");
    }
    sqlite3_str_appendf(table, ")");
    sqlite3_str_appendf(row, ")");
    *create = sqlite3_str_finish(table);
    *insert = sqlite3_str_finish(row);
    return *create && *insert ? weft_ok() : weft_fail_memory("a table", CELL);
}

static int bind_cell(sqlite3_stmt *statement, int place, const char *cell, int is_number) {
    if (!cell[0])
        return sqlite3_bind_null(statement, place);
    if (!is_number)
        return sqlite3_bind_text(statement, place, cell, -1, SQLITE_TRANSIENT);
    if (!strpbrk(cell, ".eEn"))
        return sqlite3_bind_int64(statement, place, strtoll(cell, NULL, 10));
    return sqlite3_bind_double(statement, place, weft_real_parse(cell, NULL));
}

static weft_result fill_results(sqlite3 *base, const char *path, const weft_results *results, const char *insert) {
    sqlite3_stmt *statement;
    char cell[CELL];
    int columns = weft_results_column_count(results->study), is_number;
    weft_result result = weft_ok();
    if (sqlite3_prepare_v2(base, insert, -1, &statement, NULL) != SQLITE_OK)
        return fail(base, path);
    for (int64_t i = 0; i < results->study->case_count && result.code == WEFT_OK; i++) {
        if (!results->row[i].is_done)
            continue;
        for (int c = 0; c < columns && result.code == WEFT_OK; c++) {
            result = weft_results_cell(results, i, c, cell, sizeof cell, &is_number);
            if (result.code == WEFT_OK && bind_cell(statement, c + 1, cell, is_number) != SQLITE_OK)
                result = fail(base, path);
        }
        if (result.code == WEFT_OK && sqlite3_step(statement) != SQLITE_DONE)
            result = fail(base, path);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return result;
}

/* -- small tables of texts -- */

typedef struct sheet {
    sqlite3_stmt *statement;
    int failed;
} sheet;

static void put_line(sheet *s, const char *const *cells, int count) {
    for (int i = 0; i < count; i++)
        s->failed |= sqlite3_bind_text(s->statement, i + 1, cells[i], -1, SQLITE_TRANSIENT) != SQLITE_OK;
    s->failed |= sqlite3_step(s->statement) != SQLITE_DONE;
    sqlite3_reset(s->statement);
}

static void put_fact(void *context, const char *key, const char *value) {
    const char *cells[] = {key, value};
    put_line(context, cells, 2);
}

static weft_result fill_columns(sqlite3 *base, const char *path, const weft_study *study) {
    sheet s = {0};
    if (sqlite3_prepare_v2(base, "INSERT INTO columns VALUES(?, ?, ?, ?)", -1, &s.statement, NULL) != SQLITE_OK)
        return fail(base, path);
    for (int c = 0; c < weft_results_column_count(study); c++) {
        weft_column column = weft_results_column(study, c);
        const char *cells[] = {column.name, column.unit, column.kind, column.meaning};
        put_line(&s, cells, 4);
    }
    sqlite3_finalize(s.statement);
    return s.failed ? fail(base, path) : weft_ok();
}

static weft_result fill_provenance(sqlite3 *base, const char *path, const weft_results *results) {
    sheet s = {0};
    if (sqlite3_prepare_v2(base, "INSERT INTO provenance VALUES(?, ?)", -1, &s.statement, NULL) != SQLITE_OK)
        return fail(base, path);
    weft_result result = weft_provenance_tell(results, put_fact, &s);
    sqlite3_finalize(s.statement);
    return result.code == WEFT_OK && s.failed ? fail(base, path) : result;
}

/* -- the file -- */

/* The file is made anew and renamed, so it needs no journal of its own. */
static weft_result fill(sqlite3 *base, const char *path, const weft_results *results) {
    char *create = NULL, *insert = NULL;
    WEFT_TRY(execute(base, path, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=4096; BEGIN"));
    WEFT_TRY(execute(base, path, "CREATE TABLE columns(name TEXT, unit TEXT, kind TEXT, meaning TEXT)"));
    WEFT_TRY(execute(base, path, "CREATE TABLE provenance(key TEXT, value TEXT)"));
    weft_result result = make_statements(results->study, &create, &insert);
    if (result.code == WEFT_OK)
        result = execute(base, path, create);
    if (result.code == WEFT_OK)
        result = fill_results(base, path, results, insert);
    sqlite3_free(create);
    sqlite3_free(insert);
    WEFT_TRY(result);
    WEFT_TRY(fill_columns(base, path, results->study));
    WEFT_TRY(fill_provenance(base, path, results));
    return execute(base, path, "COMMIT");
}

weft_result weft_results_write_sqlite(const weft_results *results, const char *path) {
    char part[1100];
    sqlite3 *base = NULL;
    snprintf(part, sizeof part, "%s.part", path);
    unlink(part);
    weft_result result = sqlite3_open(part, &base) == SQLITE_OK ? fill(base, path, results) : fail(base, path);
    if (sqlite3_close(base) != SQLITE_OK && result.code == WEFT_OK)
        result = weft_fail(WEFT_BAD_FILE, "%.300s: cannot be closed", path);
    if (result.code == WEFT_OK && rename(part, path) != 0)
        result = weft_fail(WEFT_BAD_FILE, "%.300s: cannot be renamed", part);
    if (result.code != WEFT_OK)
        unlink(part);
    return result;
}
