/* Watches how far the yarns of garments are stretched, panel by panel. */
#ifndef WEFT_IO_YARN_WATCH_H
#define WEFT_IO_YARN_WATCH_H

#include "weft/sim.h"

/* Woven fabric that is stretched further along its yarns is drawn tight. */
#define WEFT_YARN_LIMIT 0.05

/* One panel. All but the first three are of the frame in which a yarn of it is stretched most. */
typedef struct weft_yarn_panel {
    int32_t cloth, group;
    int32_t frames; /* in which a triangle of it is above the limit; 0: the rest is not set */
    int64_t frame;
    double time, stretch; /* s; the largest of a triangle */
    int along_warp;
    int32_t triangles; /* above the limit */
    weft_vec3 at;      /* middle of the triangle, m */
    weft_vec2 place;   /* in the pattern, from the left and the bottom of the panel, m */
} weft_yarn_panel;

typedef struct weft_yarn_watch {
    weft_yarn_panel *panel; /* (panels), in the order of cloths and panels */
    int32_t panels;
    double begin;      /* when all garments have settled, s */
    int32_t frames;    /* watched */
    int32_t over;      /* number of them in which some panel is above the limit */
    double (*yarn)[2]; /* scratch: along weft and warp, of each triangle */
} weft_yarn_watch;

/* Finds the panels. Close it even if this fails. */
weft_result weft_yarn_watch_open(weft_yarn_watch *watch, const weft_sim *sim);
/* Looks at a frame with these measures. Frames before the garments have settled are left out. */
weft_result weft_yarn_watch_frame(weft_yarn_watch *watch, weft_sim *sim, const weft_measures *measures);
/* Writes one line about a panel that was above the limit, or an empty text. */
void weft_yarn_watch_write(const weft_yarn_watch *watch, const weft_sim *sim, int32_t panel, char *text, size_t size);
void weft_yarn_watch_close(weft_yarn_watch *watch); /* a zeroed struct is allowed */

#endif
