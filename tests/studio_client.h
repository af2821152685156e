/* Starts `weft studio` in a temporary folder and talks to it over plain sockets. It can also send malformed requests
 * that no client library would send. */
#ifndef WEFT_TESTS_STUDIO_CLIENT_H
#define WEFT_TESTS_STUDIO_CLIENT_H

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

enum { PATIENCE = 300 }; /* s to wait for an expected event; long, because the machine may be loaded */

typedef struct studio {
    pid_t pid;
    int port;
    char token[64];
    char folder[256];
    char url[256];
} studio;

static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void nap(double time) {
    struct timespec wait = {(time_t)time, (long)(1e9 * (time - (double)(time_t)time))};
    nanosleep(&wait, NULL);
}

/* -- the studio process -- */

static inline void write_file(const char *folder, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* `scene` is the text of a scene file. It is written to "scene.yaml". */
static inline studio studio_start(const char *scene) {
    studio s = {0};
    snprintf(s.folder, sizeof s.folder, "/tmp/weft-studio-test-XXXXXX");
    assert_non_null(mkdtemp(s.folder));
    write_file(s.folder, "scene.yaml", scene);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    s.pid = fork();
    assert_true(s.pid >= 0);
    if (s.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* so that a failing test does not leave it running */
        if (chdir(s.folder) != 0)
            _exit(99);
        dup2(ends[1], 1);
        close(ends[0]);
        execl(WEFT_PROGRAM, "weft", "studio", "scene.yaml", "--no-open", "--threads", "1", (char *)NULL);
        _exit(99);
    }
    close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    if (!fgets(s.url, sizeof s.url, out) ||
        sscanf(s.url, "http://127.0.0.1:%d/?token=%63[0-9a-f]", &s.port, s.token) != 2)
        fail_msg("weft studio printed '%s'", s.url);
    fclose(out);
    assert_int_equal(strlen(s.token), 32);
    return s;
}

static inline void remove_tree(const char *path) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char inner[4096];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%.3000s/%s", path, entry->d_name);
        if (lstat(inner, &info) == 0 && S_ISDIR(info.st_mode))
            remove_tree(inner);
        else
            unlink(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* The studio must still be running, exit on SIGTERM, and return 0 (sanitizers report errors by their exit status). */
static inline void studio_stop(studio *s) {
    int status = 0;
    assert_int_equal(waitpid(s->pid, &status, WNOHANG), 0);
    kill(s->pid, SIGTERM);
    assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    remove_tree(s->folder);
}

/* -- plain HTTP requests -- */

static inline int dial(const studio *s) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(fd >= 0);
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        fail_msg("connect: %s", strerror(errno));
    return fd;
}

static inline int can_read(int fd, double time) {
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    return poll(&poll_fd, 1, (int)(1000 * time)) > 0;
}

static inline void send_all(int fd, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the studio closed the connection, which is allowed */
        at += sent;
        size -= (size_t)sent;
    }
}

/* Sends the bytes unchanged and returns the HTTP status of the answer, or 0 without an answer. `body` (size) receives
 * the whole answer, with its headers. */
static inline int ask_raw(const studio *s, const char *request, size_t length, char *body, size_t size) {
    int fd = dial(s), status = 0;
    size_t used = 0;
    send_all(fd, request, length);
    while (used + 1 < size && can_read(fd, PATIENCE)) {
        ssize_t got = recv(fd, body + used, size - 1 - used, 0);
        if (got <= 0)
            break;
        used += (size_t)got;
        body[used] = '\0';
        const char *end = strstr(body, "\r\n\r\n"), *field = strstr(body, "content-length: ");
        if (end && field && used >= (size_t)(end + 4 - body) + strtoul(field + 16, NULL, 10))
            break;
    }
    body[used] = '\0';
    close(fd);
    sscanf(body, "HTTP/1.%*d %d", &status);
    return status;
}

/* Sends a GET request with additional header lines. `token` may be null. */
static inline int ask(const studio *s, const char *path, const char *host, const char *token, const char *headers,
                      char *body, size_t size) {
    char request[4096];
    int length =
        snprintf(request, sizeof request, "GET %s%s%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n", path,
                 token ? (strchr(path, '?') ? "&token=" : "?token=") : "", token ? token : "", host, headers);
    return ask_raw(s, request, (size_t)length, body, size);
}

/* -- WebSocket -- */

typedef struct viewer {
    int fd;
    char *buffer; /* received bytes that are not yet consumed */
    size_t used, room;
    int next_id;
    char *last; /* payload of the last message, followed by a 0 byte */
    size_t last_size;
    int last_code; /* 1 text, 2 binary, 8 close */
    int acks;      /* whether frames are acknowledged on arrival */
    /* Messages that arrived before the last awaited answer: the newest shape, and the newest frame after it. */
    char *passed[2];
    size_t passed_size[2];
} viewer;

/* Returns the HTTP status of the handshake: 101 if the WebSocket is open. */
static inline int viewer_try(const studio *s, viewer *v, const char *path, const char *host, const char *headers) {
    char request[2048], answer[4096] = "";
    *v = (viewer){.fd = dial(s), .acks = 1};
    int length = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
                          path, host, headers);
    send_all(v->fd, request, (size_t)length);
    size_t used = 0;
    int status = 0;
    while (used + 1 < sizeof answer && !strstr(answer, "\r\n\r\n") && can_read(v->fd, PATIENCE)) {
        ssize_t got = recv(v->fd, answer + used, 1, 0); /* byte by byte, so that nothing after the header is consumed */
        if (got <= 0)
            break;
        used += (size_t)got;
        answer[used] = '\0';
    }
    sscanf(answer, "HTTP/1.%*d %d", &status);
    return status;
}

static inline void viewer_close(viewer *v) {
    close(v->fd);
    free(v->buffer);
    free(v->last);
    free(v->passed[0]);
    free(v->passed[1]);
    *v = (viewer){.fd = -1};
}

static inline viewer viewer_open(const studio *s) {
    char path[128], host[64];
    viewer v;
    snprintf(path, sizeof path, "/ws?token=%s", s->token);
    snprintf(host, sizeof host, "127.0.0.1:%d", s->port);
    assert_int_equal(viewer_try(s, &v, path, host, ""), 101);
    return v;
}

/* Sends a WebSocket frame with any first byte (128: final; 1: text). `said` is the declared length and may be wrong. */
static inline void viewer_send_frame(viewer *v, unsigned first, const void *bytes, size_t size, uint64_t said) {
    unsigned char head[14] = {(unsigned char)first};
    size_t used = 2;
    if (said < 126) {
        head[1] = (unsigned char)(128 | said);
    } else if (said < 65536) {
        head[1] = 128 | 126;
        head[2] = (unsigned char)(said >> 8);
        head[3] = (unsigned char)said;
        used = 4;
    } else {
        head[1] = 128 | 127;
        for (int i = 0; i < 8; i++)
            head[2 + i] = (unsigned char)(said >> (8 * (7 - i)));
        used = 10;
    }
    used += 4; /* 4 bytes of mask, all zero */
    char *whole = malloc(used + size + 1);
    assert_non_null(whole);
    memcpy(whole, head, used);
    if (size > 0)
        memcpy(whole + used, bytes, size);
    send_all(v->fd, whole, used + size);
    free(whole);
}

static inline void viewer_send(viewer *v, const char *text) {
    viewer_send_frame(v, 128 | 1, text, strlen(text), strlen(text));
}

/* Takes one complete message out of the buffer. Returns 0 if there is none. */
static inline int viewer_take(viewer *v) {
    const unsigned char *b = (const unsigned char *)v->buffer;
    if (v->used < 2)
        return 0;
    size_t length = b[1] & 127, head = 2;
    if (length == 126) {
        if (v->used < 4)
            return 0;
        length = (size_t)b[2] << 8 | b[3];
        head = 4;
    } else if (length == 127) {
        if (v->used < 10)
            return 0;
        length = 0;
        for (int i = 0; i < 8; i++)
            length = length << 8 | b[2 + i];
        head = 10;
    }
    if (v->used < head + length)
        return 0;
    v->last_code = b[0] & 15;
    v->last = realloc(v->last, length + 1);
    assert_non_null(v->last);
    memcpy(v->last, v->buffer + head, length);
    v->last[length] = '\0';
    v->last_size = length;
    v->used -= head + length;
    memmove(v->buffer, v->buffer + head + length, v->used);
    return 1;
}

static inline uint32_t u32_at(const viewer *v, size_t at) {
    uint32_t number;
    assert_true(at + 4 <= v->last_size);
    memcpy(&number, v->last + at, 4);
    return number;
}

static inline int is_frame(const viewer *v) { return v->last_code == 2 && v->last_size > 16 && v->last[4] == 3; }

static inline void viewer_ack(viewer *v) {
    char text[96];
    snprintf(text, sizeof text, "{\"id\":1,\"do\":\"ack\",\"sequence\":%u}", u32_at(v, 8));
    viewer_send(v, text);
}

/* Reads the next message from the socket. Returns 0 if none arrives within `time` seconds or the connection has
 * ended. */
static inline int viewer_read(viewer *v, double time) {
    double until = seconds() + time;
    while (!viewer_take(v)) {
        double left = until - seconds();
        if (left <= 0 || !can_read(v->fd, left))
            return 0;
        if (v->used + 65536 > v->room) {
            v->room = 2 * v->room + 65536;
            v->buffer = realloc(v->buffer, v->room);
            assert_non_null(v->buffer);
        }
        ssize_t got = recv(v->fd, v->buffer + v->used, v->room - v->used, 0);
        if (got <= 0)
            return 0;
        v->used += (size_t)got;
    }
    if (is_frame(v) && v->acks)
        viewer_ack(v);
    return 1;
}

static inline void viewer_forget(viewer *v, int which) {
    free(v->passed[which]);
    v->passed[which] = NULL;
}

/* Keeps a shape or a frame for viewer_next. A new shape discards the kept frame, because that frame belongs to the old
 * shape. */
static inline void viewer_keep(viewer *v) {
    int which = is_frame(v);
    if (v->last_code != 2 || (!which && v->last[4] != 1))
        return;
    viewer_forget(v, 1);
    viewer_forget(v, which);
    v->passed[which] = v->last;
    v->passed_size[which] = v->last_size;
    v->last = NULL;
}

/* Returns the next message like viewer_read, but first the messages kept while waiting for an answer. */
static inline int viewer_next(viewer *v, double time) {
    int which = v->passed[0] ? 0 : 1;
    if (!v->passed[which])
        return viewer_read(v, time);
    free(v->last);
    v->last = v->passed[which];
    v->last_size = v->passed_size[which];
    v->last_code = 2;
    v->passed[which] = NULL;
    return 1;
}

/* Sends a command, given without its braces and id, and returns the answer. The caller calls json_decref. */
static inline json_t *viewer_ask(viewer *v, const char *fields) {
    char *text = malloc(strlen(fields) + 64);
    assert_non_null(text);
    int id = ++v->next_id;
    sprintf(text, "{\"id\":%d,%s}", id, fields);
    viewer_send(v, text);
    free(text);
    viewer_forget(v, 0);
    viewer_forget(v, 1);
    for (; viewer_read(v, PATIENCE); viewer_keep(v)) {
        json_t *message = v->last_code == 1 ? json_loadb(v->last, v->last_size, 0, NULL) : NULL;
        if (message && json_integer_value(json_object_get(message, "re")) == id && json_object_get(message, "re"))
            return message;
        json_decref(message);
    }
    fail_msg("no answer to %s", fields);
    return NULL;
}

/* Sends a command that must succeed. */
static inline void viewer_must(viewer *v, const char *fields) {
    json_t *answer = viewer_ask(v, fields);
    const char *error = json_string_value(json_object_get(answer, "error"));
    if (error)
        fail_msg("%s: %s", fields, error);
    json_decref(answer);
}

/* Sends a command that must be refused with a message that contains `excerpt`. */
static inline void viewer_refused(viewer *v, const char *fields, const char *excerpt) {
    json_t *answer = viewer_ask(v, fields);
    const char *error = json_string_value(json_object_get(answer, "error"));
    if (!error || !strstr(error, excerpt))
        fail_msg("%s: '%s' does not contain '%s'", fields, error ? error : "no error", excerpt);
    json_decref(answer);
}

/* Waits for the next frame. Returns 0 if none arrives within `time` seconds. */
static inline int viewer_frame(viewer *v, double time) {
    double until = seconds() + time;
    while (viewer_next(v, until - seconds()))
        if (is_frame(v))
            return 1;
    return 0;
}

#endif
