/* The study file: a scene, the values to vary, what to record and how to run it. */
#ifndef WEFT_LAB_STUDY_STUDY_FILE_H
#define WEFT_LAB_STUDY_STUDY_FILE_H

#include "lab/study/case_runner.h"
#include "lab/study/design.h"
#include "weft/param.h"
#include "weft/value.h"

enum { WEFT_MOST_LINKED = 8, WEFT_MOST_PARAMETERS = 64, WEFT_MOST_FIGURES = 256 };
#define WEFT_MOST_CASES INT64_C(10000000)

typedef enum weft_vary { WEFT_VARY_LIST, WEFT_VARY_RANGE, WEFT_VARY_LOG, WEFT_VARY_WHOLE } weft_vary;

/* A varied parameter. Pointers point into the tree of the study. */
typedef struct weft_parameter {
    char name[128];
    const char *path[WEFT_MOST_LINKED]; /* each gets the value (path_count) */
    int path_count;
    weft_vary vary;
    double low, high;                         /* RANGE, LOG, WHOLE */
    char unit[24];                            /* of the numbers, as written; "" for none */
    int is_number;                            /* 1: all values are numbers with this unit */
    int count;                                /* values of the grid; 0: all whole numbers */
    const weft_value *list[WEFT_MOST_LINKED]; /* LIST: one list for all paths, or one for each of them */
    int is_together;                          /* 1: one list for each path */
    const weft_value *value;                  /* its entry in the file */
} weft_parameter;

/* Settings of Slurm; each is an option of sbatch. */
typedef struct weft_slurm_settings {
    char partition[WEFT_STRING_SIZE], account[WEFT_STRING_SIZE], qos[WEFT_STRING_SIZE];
    char memory[WEFT_STRING_SIZE]; /* as sbatch --mem */
    double time;                   /* limit of a task, s; 0: that of the partition */
    int32_t batch;                 /* cases of a task */
    int32_t cpus;                  /* of a task */
    int32_t tasks;                 /* most tasks at a time; 0: no limit */
    int32_t attempts;              /* of a case */
    double poll;                   /* s between looks at the queue */
} weft_slurm_settings;

typedef struct weft_study_settings {
    int32_t design; /* weft_design */
    int32_t samples, seed, repeats;
    double limit; /* s per case; 0: none */
    int32_t jobs, threads;
    int32_t on; /* 0: local, 1: slurm */
    weft_slurm_settings slurm;
} weft_study_settings;

typedef struct weft_study {
    char path[1024]; /* of the study file */
    char name[128];  /* "bend" of "studies/bend.yaml" */
    char scene[1024];
    weft_tree *tree;
    weft_parameter *parameter; /* (parameter_count) */
    int parameter_count;
    char **set; /* "PATH=VALUE" for all cases (set_count) */
    int set_count;
    weft_figure *figure; /* (figure_count) */
    int figure_count;
    weft_keep positions;
    int32_t positions_every;
    int pictures; /* 1: a picture of each case */
    int32_t picture_width, picture_height;
    weft_study_settings settings;
    weft_case_loader load_device; /* set after reading; null: cases run on the CPU */
    double *point;                /* of designs other than a grid (point_count x parameter_count); else null */
    int64_t point_count;          /* points of the design */
    int64_t case_count;           /* points times repeats */
} weft_study;

/* Finds the path of a named scene; returns 0 if there is none. */
typedef int (*weft_scene_lookup)(const char *name, char *path, size_t size);

/* Reads and checks a study file, but not its scene. Close the study even if this fails. */
weft_result weft_study_read(const char *path, weft_scene_lookup find, weft_study *study);
/* The same from memory, for tests. */
weft_result weft_study_parse(const char *bytes, size_t size, const char *name, weft_study *study);
void weft_study_close(weft_study *study);

/* -- cases: case = point * repeats + repeat -- */

/* The value of a parameter in a case. For linked lists, `part` numbers the path. Returns the text without its unit for
 * numbers. */
weft_result weft_study_value(const weft_study *study, int64_t index, int parameter, int part, char *text, size_t size);
/* The same as a number; not a number for texts. */
double weft_study_number(const weft_study *study, int64_t index, int parameter, int part);
/* Position of the value among those of its parameter, from 0 to 1. */
double weft_study_place(const weft_study *study, int64_t index, int parameter);

/* The assignments of a case. Free the room in the end. */
typedef struct weft_study_room {
    char *bytes;
    size_t size;
    const char **set;
} weft_study_room;
weft_result weft_study_case(const weft_study *study, int64_t index, weft_study_room *room, weft_case *one);
void weft_study_room_free(weft_study_room *room);

/* Number of columns of a parameter: one, or one per path for linked lists. */
static inline int weft_parameter_parts(const weft_parameter *parameter) {
    return parameter->is_together ? parameter->path_count : 1;
}
/* Name of a column. */
static inline const char *weft_parameter_column(const weft_parameter *parameter, int part) {
    return parameter->is_together ? parameter->path[part] : parameter->name;
}

/* The first value that differs between two study files, apart from how they are run: "vary.x was 3, now 4". Empty text
 * if they are the same. */
void weft_study_difference(const weft_study *before, const weft_study *now, char *text, size_t size);

#endif
