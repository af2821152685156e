/* An export job. Its own thread makes a file from recorded frames, with its own copy (twin) of the simulation. */
#ifndef WEFT_STUDIO_JOB_H
#define WEFT_STUDIO_JOB_H

#include "apps/studio/server/session.h"

enum { STUDIO_MOST_FILES = 64 };

typedef struct studio_job {
    studio_session *session; /* for its host and its `stopping` flag */
    int number;
    int slot;       /* in session->job */
    char name[128]; /* of the file, without extension */
    char format[8]; /* obj, ply, glb, pc2, png, mp4 */
    char folder[STUDIO_PATH_SIZE];
    weft_tree *tree;
    json_t *bodies; /* sizes of bodies: path -> text */
    int pane;
    double rate;
    studio_moment **moment; /* (count) */
    int64_t count;
    weft_vec3 front; /* the cloth's colour in the scene, sRGB */
    int has_camera;
    weft_vec3 eye, target;
    double fov; /* degrees, vertical */
    int width, height;
    char file[STUDIO_MOST_FILES][STUDIO_NAME_SIZE + 8]; /* the finished files, in `folder` (file_count) */
    int file_count;
} studio_job;

void studio_job_free(studio_job *job); /* null is allowed */
/* Makes the files and writes their names to `job->file`. */
weft_result studio_job_make(studio_job *job);
/* Sends the progress, 0 to 1, to all viewers. */
void studio_job_tell(const studio_job *job, double progress);
/* Returns whether the job must end early: a viewer has cancelled it, or the studio ends. */
int studio_job_stops(const studio_job *job);

/* -- glb_colours.c -- */
/* Sets the colour (sRGB) of all materials in a GLB file. */
weft_result studio_glb_colour(const char *path, weft_vec3 srgb);

#endif
