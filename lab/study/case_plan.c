#include "lab/study/case_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "lab/study/provenance.h"

typedef struct plan_head {
    char magic[8], version[16], commit[32];
    uint64_t figure_size;
    int32_t setup_count, threads, jobs, unused;
    double seconds;
} plan_head;

static const char MAGIC[8] = "WEFTPLN1";

static plan_head make_head(int setup_count, const weft_case_settings *settings) {
    plan_head head;
    memset(&head, 0, sizeof head); /* padding too */
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    snprintf(head.version, sizeof head.version, "%.15s", weft_version());
    snprintf(head.commit, sizeof head.commit, "%.31s", weft_commit());
    head.figure_size = sizeof(weft_figure);
    head.setup_count = setup_count;
    head.threads = settings->threads;
    head.jobs = settings->jobs;
    head.seconds = settings->seconds;
    return head;
}

/* -- writing -- */

static void put_text(weft_output *output, const char *text) {
    int32_t length = text ? (int32_t)strlen(text) : -1;
    weft_output_write(output, &length, sizeof length);
    if (text)
        weft_output_write(output, text, (size_t)length + 1);
}

static void put_setup(weft_output *output, const weft_case_setup *setup) {
    int32_t counts[6] = {setup->set_count,       setup->recording.figure_count,  (int32_t)setup->recording.positions,
                         setup->recording.every, setup->recording.picture_width, setup->recording.picture_height};
    weft_output_write(output, counts, sizeof counts);
    put_text(output, setup->scene);
    put_text(output, setup->base);
    for (int i = 0; i < setup->set_count; i++)
        put_text(output, setup->set[i]);
    weft_output_write(output, setup->recording.figure,
                      (size_t)setup->recording.figure_count * sizeof *setup->recording.figure);
}

/* A scene by a relative path must be found from any folder. */
static weft_result put_absolute(weft_output *output, const weft_case_setup *setup) {
    char scene[4096], base[4096];
    weft_case_setup copy = *setup;
    if (!realpath(setup->scene, scene))
        return weft_fail(WEFT_BAD_FILE, "%.300s: no such file", setup->scene);
    copy.scene = scene;
    copy.base = realpath(setup->base ? setup->base : ".", base) ? base : setup->base;
    put_setup(output, &copy);
    return weft_ok();
}

weft_result weft_case_plan_write(const char *path, const weft_case_setup *setups, int setup_count,
                                 const weft_case_settings *settings) {
    weft_output output;
    plan_head head = make_head(setup_count, settings);
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_write(&output, &head, sizeof head);
    weft_result result = weft_ok();
    for (int i = 0; i < setup_count && result.code == WEFT_OK; i++)
        result = put_absolute(&output, &setups[i]);
    if (result.code == WEFT_OK)
        return weft_output_commit(&output);
    weft_output_discard(&output);
    return result;
}

/* -- reading -- */

typedef struct source {
    const char *at;
    size_t left;
} source;

static const void *take(source *from, size_t size) {
    const char *here = from->at;
    if (size > from->left)
        return NULL;
    from->at += size;
    from->left -= size;
    return here;
}

/* Returns 0 if the file is too short. */
static int take_text(source *from, const char **text) {
    const void *bytes = take(from, sizeof(int32_t));
    int32_t length = -2;
    if (bytes)
        memcpy(&length, bytes, sizeof length);
    *text = NULL;
    if (length == -1)
        return 1;
    const char *here = length >= 0 ? take(from, (size_t)length + 1) : NULL;
    *text = here && here[length] == '\0' ? strdup(here) : NULL;
    return *text != NULL;
}

static int take_setup(source *from, weft_case_setup *setup) {
    int32_t counts[6];
    const void *bytes = take(from, sizeof counts);
    if (!bytes)
        return 0;
    memcpy(counts, bytes, sizeof counts);
    if (counts[0] < 0 || counts[0] > 100000 || counts[1] < 0 || counts[1] > 100000)
        return 0;
    setup->recording.positions = (weft_keep)counts[2];
    setup->recording.every = counts[3];
    setup->recording.picture_width = counts[4];
    setup->recording.picture_height = counts[5];
    const char **set = calloc((size_t)counts[0] + 1, sizeof *set);
    setup->set = set;
    if (!set || !take_text(from, &setup->scene) || !setup->scene || !take_text(from, &setup->base))
        return 0;
    for (; setup->set_count < counts[0]; setup->set_count++)
        if (!take_text(from, &set[setup->set_count]) || !set[setup->set_count])
            return 0;
    size_t size = (size_t)counts[1] * sizeof(weft_figure);
    bytes = take(from, size);
    weft_figure *figure = bytes ? malloc(size + 1) : NULL;
    if (!figure)
        return 0;
    memcpy(figure, bytes, size);
    setup->recording.figure = figure;
    setup->recording.figure_count = counts[1];
    return 1;
}

static weft_result read_bytes(const char *path, source *from, weft_case_plan *plan) {
    plan_head head, own;
    const void *bytes = take(from, sizeof head);
    if (!bytes || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: not a plan of cases", path);
    memcpy(&head, bytes, sizeof head);
    plan->settings = (weft_case_settings){.jobs = head.jobs, .threads = head.threads, .seconds = head.seconds};
    own = make_head(head.setup_count, &plan->settings);
    if (memcmp(&own, &head, sizeof head) != 0 || head.setup_count < 1 || head.setup_count > 100000)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: made by weft %.15s, commit %.31s; this is another build", path,
                         head.version, head.commit);
    plan->setup = calloc((size_t)head.setup_count, sizeof *plan->setup);
    if (!plan->setup)
        return weft_fail_memory(path, (size_t)head.setup_count * sizeof *plan->setup);
    for (; plan->setup_count < head.setup_count; plan->setup_count++)
        if (!take_setup(from, &plan->setup[plan->setup_count])) {
            plan->setup_count++; /* free what was read of it */
            return weft_fail(WEFT_BAD_INPUT, "%.300s: truncated", path);
        }
    return weft_ok();
}

weft_result weft_case_plan_read(const char *path, weft_case_plan *plan) {
    char *bytes;
    size_t size;
    *plan = (weft_case_plan){0};
    WEFT_TRY(weft_file_read(path, &bytes, &size));
    source from = {bytes, size};
    weft_result result = read_bytes(path, &from, plan);
    free(bytes);
    return result;
}

void weft_case_plan_free(weft_case_plan *plan) {
    for (int i = 0; i < plan->setup_count; i++) {
        weft_case_setup *setup = &plan->setup[i];
        for (int k = 0; k < setup->set_count; k++)
            free((void *)setup->set[k]);
        free((void *)setup->set);
        free((void *)setup->scene);
        free((void *)setup->base);
        free((void *)setup->recording.figure);
    }
    free(plan->setup);
    *plan = (weft_case_plan){0};
}
