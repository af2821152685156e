/* Fuzzes study files: reads one and writes the values of its first and last cases. */
#include <stdlib.h>

#include "lab/study/study_file.h"
#include "weft-io/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Large designs are valid but too slow here. */
static int is_small(const uint8_t *bytes, size_t size) {
    weft_tree *tree;
    if (weft_yaml_read_memory((const char *)bytes, size, "fuzz", &tree).code != WEFT_OK)
        return 0;
    const weft_value *samples = weft_value_find(weft_tree_root(tree), "samples");
    int small = !samples || strtod(samples->text, NULL) < 100;
    weft_tree_destroy(tree);
    return small;
}

static void write_case(const weft_study *study, int64_t index, weft_study_room *room) {
    weft_case one;
    char text[4096];
    if (weft_study_case(study, index, room, &one).code != WEFT_OK)
        return;
    for (int p = 0; p < study->parameter_count; p++)
        for (int part = 0; part < weft_parameter_parts(&study->parameter[p]); part++) {
            (void)weft_study_value(study, index, p, part, text, sizeof text);
            (void)weft_study_number(study, index, p, part);
            (void)weft_study_place(study, index, p);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    weft_study study;
    weft_study_room room = {0};
    char difference[400];
    if (!is_small(bytes, size))
        return 0;
    if (weft_study_parse((const char *)bytes, size, "fuzz", &study).code == WEFT_OK) {
        write_case(&study, 0, &room);
        write_case(&study, study.case_count - 1, &room);
        weft_study_difference(&study, &study, difference, sizeof difference);
        if (difference[0])
            abort(); /* a study differs from itself */
    }
    weft_study_room_free(&room);
    weft_study_close(&study);
    return 0;
}
