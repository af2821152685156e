/* Checks a study before anything starts: builds the scene with the extreme values, in a process of its own. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/study/case_message.h"
#include "lab/study/case_worker.h"
#include "lab/study/study_run.h"
#include "lab/study/study_vary.h"

enum { MOST_PROBES = 200 };

typedef struct probes {
    int64_t index[MOST_PROBES];
    int count;
} probes;

static void add(probes *p, int64_t index) {
    for (int i = 0; i < p->count; i++)
        if (p->index[i] == index)
            return;
    if (p->count < MOST_PROBES)
        p->index[p->count++] = index;
}

/* The values of each parameter, with the first values of the others: all of a list, the ends of an interval. */
static void probe_grid(const weft_study *study, probes *p) {
    int64_t stride = study->settings.repeats;
    for (int i = study->parameter_count - 1; i >= 0; i--) {
        int64_t levels = weft_parameter_levels(&study->parameter[i]);
        if (study->parameter[i].vary == WEFT_VARY_LIST)
            for (int64_t level = 0; level < levels; level++)
                add(p, level * stride);
        else
            add(p, (levels - 1) * stride);
        stride *= levels;
    }
}

/* The cases with the smallest and the largest value of each parameter. */
static void probe_points(const weft_study *study, probes *p) {
    int k = study->parameter_count;
    for (int i = 0; i < k; i++) {
        int64_t low = 0, high = 0;
        for (int64_t j = 1; j < study->point_count; j++) {
            low = study->point[j * k + i] < study->point[low * k + i] ? j : low;
            high = study->point[j * k + i] > study->point[high * k + i] ? j : high;
        }
        add(p, low * study->settings.repeats);
        add(p, high * study->settings.repeats);
    }
}

static weft_result try_all(const weft_study *study, const probes *p) {
    weft_case_setup setup = weft_study_setup(study);
    weft_case_worker worker;
    weft_study_room room = {0};
    weft_result result = weft_case_worker_open(&worker, &setup, 1, 1);
    for (int i = 0; i < p->count && result.code == WEFT_OK; i++) {
        weft_case one;
        result = weft_study_case(study, p->index[i], &room, &one);
        if (result.code == WEFT_OK)
            result = weft_case_worker_check(&worker, &one, i == 0);
    }
    weft_study_room_free(&room);
    weft_case_worker_close(&worker);
    return result;
}

static void report_and_exit(const weft_study *study, const probes *p, int file) {
    weft_result result = try_all(study, p);
    int32_t code = (int32_t)result.code;
    (void)weft_write_all(file, &code, sizeof code);
    (void)weft_write_all(file, result.message, strlen(result.message) + 1);
    _exit(0);
}

weft_result weft_study_check(const weft_study *study) {
    probes p = {0};
    int ends[2];
    add(&p, 0);
    if (study->point)
        probe_points(study, &p);
    else
        probe_grid(study, &p);
    if (pipe(ends) != 0)
        return weft_fail(WEFT_NO_MEMORY, "no pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        report_and_exit(study, &p, ends[1]);
    close(ends[1]);
    int32_t code = -1;
    char message[512] = "";
    int heard = child > 0 && weft_read_all(ends[0], &code, sizeof code);
    ssize_t length = heard ? read(ends[0], message, sizeof message - 1) : 0;
    message[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (!heard)
        return weft_fail(WEFT_NO_MEMORY, "%.300s: the check of the scene ended early", study->path);
    return code == WEFT_OK ? weft_ok() : weft_fail((weft_code)code, "%s", message);
}
