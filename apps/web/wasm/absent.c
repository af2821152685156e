/* What a browser does not have: Assimp, other programs, clocks of threads, and the page of the server. Meshes are read
 * from OBJ and PLY files, which are the engine's own readers. */
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <time.h>

#include "apps/studio/server/page.h"
#include "io/assimp_read.h"

extern const studio_page_file STUDIO_PAGE_FILES[];
const studio_page_file STUDIO_PAGE_FILES[] = {{.path = NULL}};

static weft_result refuse(const char *path, const char *ending) {
    return weft_fail(WEFT_UNSUPPORTED, "%.280s: '%s' files cannot be read in a browser; convert it to .obj or .ply",
                     path, ending);
}

weft_result weft_assimp_read(const char *path, const char *ending, weft_mesh **mesh, weft_soup *soup) {
    (void)soup;
    *mesh = NULL;
    return refuse(path, ending);
}

weft_result weft_assimp_animate(const char *path, const char *ending, const weft_animation_wish *wish,
                                const weft_mesh *mesh, weft_body_frames *frames, char *names, size_t size) {
    (void)wish;
    (void)mesh;
    (void)frames;
    (void)names;
    (void)size;
    return refuse(path, ending);
}

/* The pool then never leaves out a worker for time that others took. */
int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    (void)thread;
    (void)clock;
    return ENOSYS;
}

/* Exports never ask for pictures, because the host of the session has no program (studio_host). */
int posix_spawn(pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                char *const environment[restrict]) {
    (void)child;
    (void)path;
    (void)actions;
    (void)attributes;
    (void)arguments;
    (void)environment;
    return ENOSYS;
}
