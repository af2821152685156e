/* An export: files made by a thread of their own from recorded frames and a twin of the simulation. */
#ifndef WEFT_STUDIO_JOB_H
#define WEFT_STUDIO_JOB_H

#include "studio/server/session.h"

typedef struct studio_job {
    studio_session *session; /* for its host, and to hear that the studio stops */
    int number;
    char name[128]; /* of the file, without ending */
    char format[8]; /* obj, glb, png, mp4 */
    char folder[STUDIO_PATH_SIZE];
    weft_tree *tree;
    json_t *bodies; /* path -> text: their sizes */
    int pane;
    double rate;
    studio_moment **moment; /* (count) */
    int64_t count;
    int has_camera;
    weft_vec3 eye, target;
    double fov; /* degrees, vertical */
    int width, height;
} studio_job;

void studio_job_free(studio_job *job); /* null is allowed */
/* Makes the file; `path` (STUDIO_PATH_SIZE) is then its name. */
weft_result studio_job_make(studio_job *job, char *path);
/* Sends the event. */
void studio_job_tell(const studio_job *job, double progress);

#endif
