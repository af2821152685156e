/* The studio: a simulation that runs in its own thread, and a server on 127.0.0.1 through which browsers watch and
 * touch it. docs/studio-protocol.md says what goes over the wire. */
#ifndef WEFT_STUDIO_STUDIO_H
#define WEFT_STUDIO_STUDIO_H

#include "weft/component.h"

/* A scene that can be chosen by name. */
typedef struct weft_studio_scene {
    char name[128];
    char path[1024];
    char summary[256];
} weft_studio_scene;

typedef struct weft_studio_options {
    const weft_registry *registry;
    const weft_studio_scene *scene; /* (scene_count) */
    int scene_count;
    const char *start;   /* name or path of the scene to begin with */
    const char *folder;  /* files are read and written below it only, but for the scenes above */
    const char *program; /* the command itself, which makes pictures; null: none are made */
    int port;            /* 0: any that is free */
    int threads;         /* of the simulation; 0: one for each processor */
    /* Called once requests are answered, with the address that lets one in. */
    void (*ready)(void *context, const char *url);
    /* Asked about ten times a second. */
    int (*stopped)(void *context);
    void *context;
} weft_studio_options;

/* Whether the program has the page in it. */
int weft_studio_has_page(void);
/* Returns when `stopped` says so. */
weft_result weft_studio_run(const weft_studio_options *options);

#endif
