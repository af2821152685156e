#include "io_support.h"

#include <math.h>

#include "io/json.h"
#include "weft-io/yaml.h"

static char *written(void (*fill)(weft_json *)) {
    weft_output output;
    weft_json json;
    const char *path = in_folder("report.json");
    assert_ok(weft_output_open(&output, path));
    weft_json_start(&json, &output);
    fill(&json);
    assert_ok(weft_output_commit(&output));
    return read_text(path, NULL);
}

static void fill_plain(weft_json *json) {
    weft_json_object(json, NULL);
    weft_json_text(json, "name", "flag");
    weft_json_integer(json, "steps", -9007199254740993);
    weft_json_real(json, "dt", 0.005);
    weft_json_real(json, "bad", NAN);
    weft_json_real(json, "far", -INFINITY);
    weft_json_bool(json, "done", 7);
    weft_json_array(json, "phases");
    weft_json_real(json, NULL, 1);
    weft_json_object(json, NULL);
    weft_json_end(json, '}');
    weft_json_end(json, ']');
    weft_json_end(json, '}');
}

static void output_is_indented(void **state) {
    (void)state;
    char *text = written(fill_plain);
    assert_string_equal(text, "{\n"
                              "  \"name\": \"flag\",\n"
                              "  \"steps\": -9007199254740993,\n"
                              "  \"dt\": 0.005,\n"
                              "  \"bad\": null,\n"
                              "  \"far\": null,\n"
                              "  \"done\": true,\n"
                              "  \"phases\": [\n"
                              "    1,\n"
                              "    {}\n"
                              "  ]\n"
                              "}\n");
    free(text);
}

static const char ODD[] = "\"\\/\n\t h\xc3\xa4";

static void fill_odd(weft_json *json) {
    weft_json_object(json, NULL);
    weft_json_text(json, "odd \"key\"", ODD);
    weft_json_text(json, "broken", "a\xff\xc3(\xed\xa0\x80z\xe2\x82");
    weft_json_real(json, "third", 1.0 / 3.0);
    weft_json_end(json, '}');
}

static void fill_controls(weft_json *json) {
    weft_json_object(json, NULL);
    weft_json_text(json, "controls", "\x01\x1b[2J\x7f");
    weft_json_end(json, '}');
}

/* The YAML reader refuses these. */
static void control_characters_are_escaped(void **state) {
    (void)state;
    char *text = written(fill_controls);
    assert_non_null(strstr(text, "\"\\u0001\\u001b[2J\\u007f\""));
    free(text);
}

/* JSON is a subset of YAML, so the independent YAML reader shows that the escapes are right. */
static void escaped_text_reads_back(void **state) {
    (void)state;
    char *text = written(fill_odd);
    weft_tree *tree;
    assert_ok(weft_yaml_read_memory(text, strlen(text), "json", &tree));
    const weft_value *root = weft_tree_root(tree);
    assert_string_equal(weft_value_find(root, "odd \"key\"")->text, ODD);
    assert_string_equal(weft_value_find(root, "broken")->text,
                        "a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd");
    assert_true(strtod(weft_value_find(root, "third")->text, NULL) == 1.0 / 3.0);
    weft_tree_destroy(tree);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(output_is_indented),
                                       cmocka_unit_test(control_characters_are_escaped),
                                       cmocka_unit_test(escaped_text_reads_back)};
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
