#include "io_support.h"

#include "weft-io/yaml.h"

static weft_result parse(const char *text, weft_tree **tree) {
    return weft_yaml_read_memory(text, strlen(text), "scene.yaml", tree);
}

static const char *text_at(const weft_value *map, const char *key) {
    const weft_value *found = weft_value_find(map, key);
    assert_non_null(found);
    return found->text;
}

#define assert_bad(text, excerpt)                                                                                      \
    do {                                                                                                               \
        weft_tree *none;                                                                                               \
        assert_refused(parse(text, &none), WEFT_BAD_INPUT, excerpt);                                                   \
        assert_null(none);                                                                                             \
    } while (0)

static void keeps_values_and_lines(void **state) {
    (void)state;
    weft_tree *tree;
    assert_ok(parse("time: {step: 0.005, frames: 240}\n"
                    "cloth:\n"
                    "  - name: flag\n"
                    "    cells: [48, 32]\n"
                    "empty:\n"
                    "quoted: \"a\\tb\"\n",
                    &tree));
    weft_value *root = weft_tree_root(tree);
    assert_int_equal(root->count, 4);
    assert_string_equal(text_at(weft_value_find(root, "time"), "step"), "0.005");
    weft_value *entry = weft_value_at(weft_value_find(root, "cloth"), 0);
    assert_string_equal(text_at(entry, "name"), "flag");
    weft_value *cells = weft_value_find(entry, "cells");
    assert_int_equal(cells->line, 4);
    assert_string_equal(cells->file, "scene.yaml");
    assert_int_equal(cells->kind, WEFT_VALUE_LIST);
    assert_string_equal(weft_value_at(cells, 1)->text, "32");
    assert_string_equal(text_at(root, "empty"), "");
    assert_int_equal(weft_value_find(root, "empty")->line, 5);
    assert_string_equal(text_at(root, "quoted"), "a\tb");
    weft_tree_destroy(tree);
}

static void reads_json(void **state) {
    (void)state;
    weft_tree *tree;
    assert_ok(parse("{\"a\": [1, {\"b\": true}], \"c\": \"d\"}", &tree));
    assert_string_equal(text_at(weft_tree_root(tree), "c"), "d");
    weft_tree_destroy(tree);
}

static void standard_tags_are_ignored(void **state) {
    (void)state;
    weft_tree *tree;
    assert_ok(parse("a: !!float 3\nb: !!seq [! 4]\nc: !!map {!!str d: !!bool true}\n", &tree));
    assert_string_equal(text_at(weft_tree_root(tree), "a"), "3");
    assert_string_equal(weft_value_at(weft_value_find(weft_tree_root(tree), "b"), 0)->text, "4");
    assert_string_equal(text_at(weft_value_find(weft_tree_root(tree), "c"), "d"), "true");
    weft_tree_destroy(tree);
}

static void empty_document_is_empty_map(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"", "# only a comment\n", "---\n", "---\n...\n"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        weft_tree *tree;
        assert_ok(parse(TEXTS[i], &tree));
        assert_int_equal(weft_tree_root(tree)->kind, WEFT_VALUE_MAP);
        assert_int_equal(weft_tree_root(tree)->count, 0);
        weft_tree_destroy(tree);
    }
}

static void messages_name_the_line(void **state) {
    (void)state;
    assert_bad("a: 1\nb: 2\na: 3\n", "scene.yaml:3: the key 'a' was given before, in line 1");
    assert_bad("a: &x 1\nb: *x\n", "scene.yaml:2: aliases (*x)");
    assert_bad("a: &x [*x]\n", "scene.yaml:1: aliases (*x)");
    assert_bad("a: 1\nb: !foo 3\n", "scene.yaml:2: tags (!foo) are not allowed");
    assert_bad("a: 1\nb: !foo [3]\n", "scene.yaml:2: tags (!foo)");
    assert_bad("a: 1\nb: !!set {c}\n", "scene.yaml:2: tags (tag:yaml.org,2002:set)");
    assert_bad("a: !!map 3\n", "scene.yaml:1: tags (tag:yaml.org,2002:map)");
    assert_bad("!foo a: 1\n", "scene.yaml:1: tags (!foo)");
    assert_bad("a: 1\n---\nb: 2\n", "scene.yaml:2: a second document");
    assert_bad("a: 1\n[1, 2]: 3\n", "scene.yaml:2: a key must be");
    assert_bad("a: 1\nb: [1, 2\nc: 3\n", "scene.yaml:3: did not find expected ',' or ']'");
    assert_bad("a: 1\n\tb: 2\n", "scene.yaml:2: ");
    assert_bad("- 1\n- 2\n", "scene.yaml:1: the top level needs named values");
    assert_bad("just words", "scene.yaml:1: the top level");
    assert_bad("a: \"x\\0y\"\n", "scene.yaml:1: a text with a 0 character");
    assert_bad("a: 1\nb: \xff\n", "scene.yaml:2: ");
}

static void refuses_excessive_depth_and_size(void **state) {
    (void)state;
    char text[400] = "a: ";
    size_t used = 3;
    for (int i = 0; i < 63; i++)
        text[used++] = '[';
    for (int i = 0; i < 63; i++)
        text[used++] = ']';
    weft_tree *tree;
    assert_ok(weft_yaml_read_memory(text, used, "deep", &tree));
    weft_tree_destroy(tree);
    memset(text + 3, '[', 80);
    assert_refused(weft_yaml_read_memory(text, 83, "deep", &tree), WEFT_BAD_INPUT, "deep:1: lists and maps nest");

    size_t size = 300000;
    char *many = malloc(size);
    assert_non_null(many);
    strcpy(many, "a: [");
    for (size_t i = 4; i + 1 < size; i += 2)
        many[i] = '1', many[i + 1] = ',';
    assert_refused(weft_yaml_read_memory(many, size - 1, "many", &tree), WEFT_BAD_INPUT, "more than 100000 values");
    free(many);
    assert_refused(weft_yaml_read_memory("", (16 << 20) + 1, "big", &tree), WEFT_BAD_INPUT, "big: 16777217 bytes");
}

/* 49,000 keys in one map: comparing all pairs would take seconds. */
static void reading_time_is_not_quadratic_in_keys(void **state) {
    (void)state;
    char *text = malloc((size_t)49000 * 24);
    assert_non_null(text);
    size_t used = 0;
    for (int i = 0; i < 49000; i++)
        used += (size_t)sprintf(text + used, "k%d: %d\n", i, i);
    weft_tree *tree;
    assert_ok(weft_yaml_read_memory(text, used, "wide", &tree));
    assert_int_equal(weft_tree_root(tree)->count, 49000);
    weft_tree_destroy(tree);
    free(text);
}

static void includes_are_merged(void **state) {
    (void)state;
    weft_tree *tree;
    assert_ok(weft_directory_make(in_folder("parts")));
    write_text("parts/air.yaml", "air: {temperature: 3}\nforces: [gravity]\n");
    write_text("parts/more.yaml", "include: air.yaml\nforces: [wind]\ntime: {step: 1}\n");
    const char *path = write_text("scene.yaml", "include: [parts/air.yaml, parts/more.yaml]\ntime: {frames: 2}\n");
    assert_ok(weft_yaml_read(path, &tree));
    weft_value *root = weft_tree_root(tree);
    assert_null(weft_value_find(root, "include"));
    assert_int_equal(root->count, 3);
    assert_string_equal(text_at(weft_value_find(root, "air"), "temperature"), "3");
    assert_string_equal(weft_value_at(weft_value_find(root, "forces"), 0)->text, "wind");
    assert_null(weft_value_find(weft_value_find(root, "time"), "step")); /* maps are not merged */
    assert_non_null(strstr(weft_value_find(root, "forces")->file, "parts/more.yaml"));
    assert_int_equal(weft_value_find(root, "forces")->line, 2);
    weft_tree_destroy(tree);
}

static void bad_includes_are_refused(void **state) {
    (void)state;
    weft_tree *tree;
    write_text("one.yaml", "a: 1\ninclude: two.yaml\n");
    write_text("two.yaml", "include: ./one.yaml\n");
    assert_refused(weft_yaml_read(in_folder("one.yaml"), &tree), WEFT_BAD_INPUT,
                   "one.yaml: a file that includes itself");
    assert_refused(weft_yaml_read(write_text("lost.yaml", "a: 1\ninclude: nowhere.yaml\n"), &tree), WEFT_BAD_INPUT,
                   "lost.yaml:2: include: ");
    assert_refused(weft_yaml_read(in_folder("lost.yaml"), &tree), WEFT_BAD_INPUT, "nowhere.yaml: No such file");
    assert_refused(weft_yaml_read(write_text("map.yaml", "include: {a: b}\n"), &tree), WEFT_BAD_INPUT,
                   "map.yaml:1: include: needs the name of a file");
    assert_refused(weft_yaml_read(in_folder("absent.yaml"), &tree), WEFT_BAD_FILE, "absent.yaml: No such file");
    for (int i = 0; i < 12; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "deep%d.yaml", i);
        snprintf(text, sizeof text, "include: deep%d.yaml\n", i + 1);
        write_text(name, i < 11 ? text : "a: 1\n");
    }
    assert_refused(weft_yaml_read(in_folder("deep0.yaml"), &tree), WEFT_BAD_INPUT, "includes nest deeper than 8");
    assert_ok(weft_yaml_read(in_folder("deep3.yaml"), &tree));
    weft_tree_destroy(tree);
}

static void paths_set_nested_values(void **state) {
    (void)state;
    weft_tree *tree;
    assert_ok(parse("cloth: [{name: a, at: [0, 0, 0]}, {name: b, at: [0, 0, 0]}]", &tree));
    assert_ok(weft_yaml_set(tree, "cloth.cuts", "[{at: 1 s, path: [[0, 0, 0], [1, -2.5, 0]]}, { at : 2 }]"));
    for (int i = 0; i < 2; i++) { /* every cloth has its own */
        char path[32];
        snprintf(path, sizeof path, "cloth.%d.cuts.1.at", i);
        assert_ok(weft_yaml_set(tree, path, i ? "4 s" : "3 s"));
    }
    for (int i = 0; i < 2; i++) {
        weft_value *cuts = weft_value_find(weft_value_at(weft_value_find(weft_tree_root(tree), "cloth"), i), "cuts");
        weft_value *points = weft_value_find(weft_value_at(cuts, 0), "path");
        assert_int_equal(cuts->count, 2);
        assert_string_equal(cuts->file, "--set");
        assert_int_equal(points->line, 0);
        assert_string_equal(text_at(weft_value_at(cuts, 0), "at"), "1 s");
        assert_string_equal(text_at(weft_value_at(cuts, 1), "at"), i ? "4 s" : "3 s");
        assert_string_equal(weft_value_at(weft_value_at(points, 1), 1)->text, "-2.5");
    }
    assert_ok(weft_yaml_set(tree, "a", "{b: \"x, \\\"y\\\"\", c: 'it''s', d: [], e: {}}"));
    weft_value *a = weft_value_find(weft_tree_root(tree), "a");
    assert_string_equal(text_at(a, "b"), "x, \"y\"");
    assert_string_equal(text_at(a, "c"), "it's");
    assert_int_equal(weft_value_find(a, "d")->kind, WEFT_VALUE_LIST);
    assert_int_equal(weft_value_find(a, "e")->kind, WEFT_VALUE_MAP);
    assert_ok(weft_yaml_set(tree, "name", "a, b: c]"));
    assert_string_equal(text_at(weft_tree_root(tree), "name"), "a, b: c]");

    static const char *const BAD[][2] = {
        {"[1, 2", "--set a: did not find expected ',' or ']' at the end"},
        {"[1,, 2]", "--set a: did not find expected node content at ', 2]'"},
        {"[{at: 1] x", "--set a: did not find expected ',' or '}' at '] x'"},
        {"[\xc3\xa9\xc3\xa9, {a: 1] x", "--set a: did not find expected ',' or '}' at '] x'"},
        {"{at: 1 to: 2}", "--set a: did not find expected ',' or '}' at ': 2}'"},
        {"{at: 1, at: 2}", "--set a: the key 'at' was given before"},
        {"[1] 2", "--set a: did not find expected <document start> at '2'"},
        {"[\"1]", "--set a: found unexpected end of stream at the end"},
        {"[\xff]", "--set a: invalid leading UTF-8 octet"},
        {"[*b]", "--set a: aliases (*b) are not allowed"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_refused(weft_yaml_set(tree, "a", BAD[i][0]), WEFT_BAD_INPUT, BAD[i][1]);
    char deep[201];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    deep[200] = '\0';
    assert_refused(weft_yaml_set(tree, "a", deep), WEFT_BAD_INPUT, "--set a: lists and maps nest deeper than 64");
    assert_string_equal(text_at(weft_value_find(weft_tree_root(tree), "a"), "c"), "it's"); /* unchanged */
    weft_tree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_values_and_lines),
        cmocka_unit_test(reads_json),
        cmocka_unit_test(standard_tags_are_ignored),
        cmocka_unit_test(empty_document_is_empty_map),
        cmocka_unit_test(messages_name_the_line),
        cmocka_unit_test(refuses_excessive_depth_and_size),
        cmocka_unit_test(reading_time_is_not_quadratic_in_keys),
        cmocka_unit_test(paths_set_nested_values),
        cmocka_unit_test(includes_are_merged),
        cmocka_unit_test(bad_includes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
