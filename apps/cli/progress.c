#include "apps/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/cli/interrupt.h"
#include "weft/text.h"

enum { PLAIN_LINES = 20, NARROWEST = 8, WIDEST = 40 };
static const double REDRAW = 0.1; /* s */

void weft_duration_write(double seconds, char *text, int size) {
    size_t n = (size_t)size;
    if (seconds < 1)
        snprintf(text, n, "%.0f ms", 1000 * seconds);
    else if (seconds < 120)
        snprintf(text, n, "%.0f s", seconds);
    else if (seconds < 7200)
        snprintf(text, n, "%d min %d s", (int)(seconds / 60), (int)seconds % 60);
    else
        snprintf(text, n, "%.0f h %d min", seconds / 3600 - 0.5, (int)(seconds / 60) % 60);
}

void weft_progress_begin(weft_progress *progress, const char *name, int quiet, int64_t first, int64_t frames,
                         double rate) {
    *progress = (weft_progress){.quiet = quiet,
                                .terminal = isatty(STDERR_FILENO),
                                .first = first,
                                .frames = frames,
                                .rate = rate,
                                .begin = weft_wall_clock(),
                                .unit = "frame"};
    snprintf(progress->name, sizeof progress->name, "%s", name);
    weft_printable(progress->name, "");
}

static int terminal_width(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void draw_bar(const weft_progress *progress, int64_t frame, const char *text) {
    int room = terminal_width() - (int)strlen(progress->name) - (int)strlen(text) - 6;
    int width = room > WIDEST ? WIDEST : room;
    fprintf(stderr, "\r%s ", progress->name);
    if (width >= NARROWEST) {
        int done = progress->frames > 0 ? (int)((double)width * (double)frame / (double)progress->frames) : width;
        char bar[WIDEST + 1];
        memset(bar, '-', (size_t)width);
        memset(bar, '#', (size_t)done);
        bar[width] = '\0';
        fprintf(stderr, "[%s] ", bar);
    }
    fprintf(stderr, "%s\033[K", text);
    fflush(stderr);
}

/* Three significant digits; all digits from 1000 on. */
static void write_rate(double rate, char *text, size_t size) {
    snprintf(text, size, rate < 1000 ? "%.3g" : "%.0f", rate);
}

void weft_progress_show(weft_progress *progress, int64_t frame) {
    double now = weft_wall_clock(), spent = now - progress->begin;
    int line = progress->frames > 0 ? (int)(PLAIN_LINES * frame / progress->frames) : PLAIN_LINES;
    int due =
        progress->terminal ? now - progress->shown >= REDRAW || frame == progress->frames : line > progress->lines;
    if (progress->quiet || !due)
        return;
    progress->shown = now;
    progress->lines = line;

    double speed = spent > 0 ? (double)(frame - progress->first) / spent : 0;
    char left[32] = "", text[240], frames_text[32], times_text[32] = "";
    write_rate(speed, frames_text, sizeof frames_text);
    if (progress->rate > 0)
        write_rate(speed / progress->rate, times_text, sizeof times_text);
    if (speed > 0)
        weft_duration_write((double)(progress->frames - frame) / speed, left, sizeof left);
    snprintf(text, sizeof text, "%s %" PRId64 "/%" PRId64 "%s  %s %ss/s  %s%s%s%s", progress->unit, frame,
             progress->frames, progress->note, frames_text, progress->unit, times_text,
             times_text[0] ? "x real time  " : "", left, left[0] ? " left" : "");
    if (progress->terminal) {
        draw_bar(progress, frame, text);
        progress->drawn = 1;
    } else {
        fprintf(stderr, "%s: %s\n", progress->name, text);
    }
}

void weft_progress_end(weft_progress *progress) {
    if (progress->drawn)
        fprintf(stderr, "\r\033[K");
    progress->drawn = 0;
}
