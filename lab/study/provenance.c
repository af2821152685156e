#include "lab/study/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <weft_commit.h> /* made by tools/commit-header */

#include "io/file.h"
#include "io/json.h"
#include "lab/study/case_runner.h"
#include "lab/study/value_text.h"
#include "weft-io/checkpoint.h"
#include "weft-io/yaml.h"
#include "weft/sort.h"

/* "model name : AMD EPYC" of /proc/cpuinfo */
static void find_processor(char *name, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static weft_result tell_hosts(const weft_results *results, weft_fact tell, void *context) {
    size_t count = (size_t)results->host_count, size = 1;
    char **sorted = malloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        size += strlen(results->host[i]) + 2;
    char *text = calloc(size, 1);
    if (sorted && text && count > 0) {
        memcpy(sorted, results->host, count * sizeof *sorted);
        weft_sort(sorted, count, sizeof *sorted, by_name);
        for (size_t i = 0; i < count; i++) {
            if (text[0])
                strcat(text, ", ");
            strcat(text, sorted[i]);
        }
    }
    if (text)
        tell(context, "hosts", text);
    weft_result result = sorted && text ? weft_ok() : weft_fail_memory("hosts", size);
    free(sorted);
    free(text);
    return result;
}

static void tell_machine(weft_fact tell, void *context) {
    struct utsname system;
    char processor[128], text[512];
    if (uname(&system) != 0)
        memset(&system, 0, sizeof system);
    find_processor(processor, sizeof processor);
    snprintf(text, sizeof text, "%.120s, %d processors, %.60s %.60s %.60s", processor, weft_case_processors(),
             system.sysname, system.release, system.machine);
    tell(context, "machine", text);
}

static weft_result tell_study(const weft_study *study, weft_fact tell, void *context) {
    const weft_value *root = weft_tree_root(study->tree);
    size_t length = weft_value_write(root, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return weft_fail_memory("a study", length);
    weft_value_write(root, text, length + 1);
    tell(context, "study_file", text);
    free(text);
    return weft_ok();
}

const char *weft_commit(void) { return WEFT_COMMIT; }

weft_result weft_scene_values_hash(const char *scene, uint64_t *hash) {
    weft_tree *tree;
    WEFT_TRY(weft_yaml_read(scene, &tree));
    const weft_value *root = weft_tree_root(tree);
    size_t length = weft_value_write(root, NULL, 0);
    char *text = malloc(length + 1);
    if (text) {
        weft_value_write(root, text, length + 1);
        *hash = weft_hash_bytes(WEFT_HASH_START, text, length);
    }
    free(text);
    weft_tree_destroy(tree);
    return text ? weft_ok() : weft_fail_memory(scene, length);
}

static void tell_scene(const weft_study *study, weft_fact tell, void *context) {
    char text[32] = "unknown";
    uint64_t hash;
    if (weft_scene_values_hash(study->scene, &hash).code == WEFT_OK)
        snprintf(text, sizeof text, "%016" PRIx64, hash);
    tell(context, "scene", study->scene);
    tell(context, "scene_hash", text);
}

weft_result weft_provenance_tell(const weft_results *results, weft_fact tell, void *context) {
    static const char *const DESIGNS[] = {"grid", "random", "latin", "sobol", "saltelli", "morris"};
    const weft_study *study = results->study;
    char number[32];
    tell(context, "program", "weft");
    tell(context, "version", weft_version());
    tell(context, "commit", WEFT_COMMIT);
    tell(context, "study", study->name);
    tell_scene(study, tell, context);
    tell(context, "design", DESIGNS[study->settings.design]);
    snprintf(number, sizeof number, "%d", study->settings.seed);
    tell(context, "seed", number);
    snprintf(number, sizeof number, "%" PRId64, study->case_count);
    tell(context, "cases", number);
    tell_machine(tell, context);
    WEFT_TRY(tell_hosts(results, tell, context));
    return tell_study(study, tell, context);
}

static void put_json(void *json, const char *key, const char *value) { weft_json_text(json, key, value); }

weft_result weft_results_write_provenance(const weft_results *results, const char *path) {
    weft_output output;
    weft_json json;
    WEFT_TRY(weft_output_open(&output, path));
    weft_json_start(&json, &output);
    weft_json_object(&json, NULL);
    weft_result result = weft_provenance_tell(results, put_json, &json);
    weft_json_end(&json, '}');
    if (result.code == WEFT_OK)
        return weft_output_commit(&output);
    weft_output_discard(&output);
    return result;
}
