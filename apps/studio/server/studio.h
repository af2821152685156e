/* The studio: a simulation in its own thread, and a server on 127.0.0.1 through which browsers show and control it.
 * docs/studio-protocol.md describes the protocol. */
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
    const char *start;   /* name or path of the first scene */
    const char *folder;  /* files are read and written only below it, except the scenes above */
    const char *program; /* the weft command, which renders pictures; null: no pictures */
    int port;            /* 0: any free port */
    int threads;         /* of the simulation; 0: one per processor */
    /* Called once the server is listening, with the address that contains the token. */
    void (*ready)(void *context, const char *url);
    /* Called about ten times a second. Nonzero ends the studio. May be null. */
    int (*stopped)(void *context);
    void *context;
} weft_studio_options;

/* Returns whether the program contains the page. */
int weft_studio_has_page(void);
/* Runs the studio until `stopped` returns nonzero. */
weft_result weft_studio_run(const weft_studio_options *options);

#endif
