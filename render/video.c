/* Writes videos by sending pictures to an ffmpeg process. */
#include "render/video.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "weft/text.h"

extern char **environ;

struct weft_video {
    char path[1024];
    int32_t width, height;
    pid_t process;
    int socket; /* connected to its standard input */
    FILE *log;  /* its standard error */
};

/* Starts a process in its own process group. Ctrl-C then reaches only this program, which decides what happens to the
 * file. */
static int spawn(char *const *arguments, int input, int errors, pid_t *process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int cause = posix_spawn_file_actions_init(&files);
    if (cause)
        return cause;
    cause = posix_spawnattr_init(&attributes);
    if (cause) {
        posix_spawn_file_actions_destroy(&files);
        return cause;
    }
    if (input >= 0)
        cause = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    else
        cause = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!cause)
        cause = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!cause && errors >= 0)
        cause = posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    else if (!cause)
        cause = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!cause)
        cause = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (!cause)
        cause = posix_spawnp(process, arguments[0], &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return cause;
}

static int wait_for(pid_t process) {
    int status;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static weft_result fail_start(int cause) {
    if (cause == ENOENT)
        return weft_fail(WEFT_BAD_FILE, "ffmpeg, which makes the video, is not installed (not found in PATH)");
    return weft_fail(WEFT_BAD_FILE, "ffmpeg, which makes the video, cannot be started: %s", strerror(cause));
}

weft_result weft_video_check(void) {
    char name[] = "ffmpeg", option[] = "-version";
    char *arguments[] = {name, option, NULL};
    pid_t process;
    int cause = spawn(arguments, -1, -1, &process);
    if (cause)
        return fail_start(cause);
    if (wait_for(process) != 0)
        return weft_fail(WEFT_BAD_FILE, "ffmpeg, which makes the video, does not work: 'ffmpeg -version' fails");
    return weft_ok();
}

/* Uses BT.709, as players expect for H.264. Quality 18 is hard to distinguish from the original. */
static int start_encoder(weft_video *video, double rate, int input) {
    char size[32], rate_text[32], file[1200];
    snprintf(size, sizeof size, "%dx%d", video->width, video->height);
    weft_format(rate_text, sizeof rate_text, "%.9g", rate);
    snprintf(file, sizeof file, "file:%s.part", video->path);
    static const char FILTER[] = "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv";
    const char *const arguments[] = {"ffmpeg",      "-hide_banner", "-nostdin",    "-loglevel",     "error",
                                     "-y",          "-f",           "rawvideo",    "-pixel_format", "rgba",
                                     "-video_size", size,           "-framerate",  rate_text,       "-i",
                                     "pipe:0",      "-an",          "-vf",         FILTER,          "-c:v",
                                     "libx264",     "-preset",      "medium",      "-crf",          "18",
                                     "-pix_fmt",    "yuv420p",      "-colorspace", "bt709",         "-color_primaries",
                                     "bt709",       "-color_trc",   "bt709",       "-color_range",  "tv",
                                     "-movflags",   "+faststart",   "-f",          "mp4",           file,
                                     NULL};
    /* posix_spawn takes non-const arguments but does not modify them */
    char *words[sizeof arguments / sizeof *arguments];
    memcpy(words, arguments, sizeof arguments);
    return spawn(words, input, fileno(video->log), &video->process);
}

static weft_result start(weft_video *video, double rate) {
    int pair[2];
    video->log = tmpfile();
    if (!video->log)
        return weft_fail(WEFT_BAD_FILE, "a file for ffmpeg's messages: %s", strerror(errno));
    /* A socket instead of a pipe: only a socket can be written without a signal when the other end is closed. */
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return weft_fail(WEFT_BAD_FILE, "a connection to ffmpeg: %s", strerror(errno));
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    int cause = start_encoder(video, rate, pair[1]);
    close(pair[1]);
    if (cause) {
        close(pair[0]);
        return fail_start(cause);
    }
    video->socket = pair[0];
    return weft_ok();
}

static void destroy(weft_video *video) {
    if (video->socket >= 0)
        close(video->socket);
    if (video->log)
        fclose(video->log);
    free(video);
}

/* Checks the target before any picture is rendered, so that the error names it. */
static weft_result check_target(const char *path) {
    WEFT_TRY(weft_target_check(path));
    char part[1032];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "wb");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%.400s: cannot be written: %s", path, strerror(errno));
    fclose(file);
    return weft_ok();
}

weft_result weft_video_open(const char *path, int32_t width, int32_t height, double rate, weft_video **video) {
    *video = NULL;
    if (width < 2 || height < 2)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: a video of %d x %d pixels: each side must be at least 2", path, width,
                         height);
    if (strlen(path) >= sizeof(*video)->path)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", path);
    WEFT_TRY(check_target(path));
    weft_video *made = calloc(1, sizeof *made);
    if (!made)
        return weft_fail_memory("a video", sizeof *made);
    strcpy(made->path, path);
    made->width = width;
    made->height = height;
    made->socket = -1;
    weft_result result = start(made, rate);
    if (result.code == WEFT_OK) {
        *video = made;
        return result;
    }
    char part[1032];
    snprintf(part, sizeof part, "%s.part", path);
    unlink(part);
    destroy(made);
    return result;
}

/* Reads the first line that ffmpeg wrote. */
static void read_log(weft_video *video, char *line, int size) {
    rewind(video->log);
    if (!fgets(line, size, video->log))
        snprintf(line, (size_t)size, "it does not say why");
    line[strcspn(line, "\r\n")] = '\0';
}

/* Closes the input and returns the exit status. */
static int end_process(weft_video *video) {
    if (video->socket >= 0)
        close(video->socket);
    video->socket = -1;
    int status = video->process > 0 ? wait_for(video->process) : -1;
    video->process = 0;
    return status;
}

weft_result weft_video_add(weft_video *video, const weft_picture *picture) {
    if (picture->width != video->width || picture->height != video->height)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: a picture of %d x %d in a video of %d x %d", video->path,
                         picture->width, picture->height, video->width, video->height);
    const uint8_t *at = picture->rgba;
    size_t left = 4 * (size_t)picture->width * (size_t)picture->height;
    while (left > 0) {
        ssize_t sent = send(video->socket, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0) {
            char line[160];
            end_process(video);
            read_log(video, line, sizeof line);
            return weft_fail(WEFT_BAD_FILE, "%.250s: ffmpeg failed: %s", video->path, line);
        }
        at += sent;
        left -= (size_t)sent;
    }
    return weft_ok();
}

weft_result weft_video_close(weft_video *video, int finished) {
    char part[1032], line[160];
    snprintf(part, sizeof part, "%s.part", video->path);
    if (!finished && video->process > 0)
        kill(video->process, SIGKILL);
    int status = end_process(video);
    weft_result result = weft_ok();
    if (finished && status != 0) {
        read_log(video, line, sizeof line);
        result = weft_fail(WEFT_BAD_FILE, "%.250s: ffmpeg failed: %s", video->path, line);
    } else if (finished && rename(part, video->path) != 0) {
        result = weft_fail(WEFT_BAD_FILE, "%.300s: %s", video->path, strerror(errno));
    }
    if (!finished || result.code != WEFT_OK)
        unlink(part);
    destroy(video);
    return result;
}
