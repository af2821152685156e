/* HTTP requests: the page, thumbnails and downloads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apps/studio/server/server.h"
#include "io/file.h"

enum { HEADER_SIZE = 4096, CHUNK = 1 << 16 };

static int add(struct lws *wsi, const char *name, const char *value, unsigned char **at, unsigned char *end) {
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
                                       (int)strlen(value), at, end);
}

/* The page loads nothing from other sites, and no other page may embed this one. */
static int add_policy(struct lws *wsi, unsigned char **at, unsigned char *end) {
    static const char *const HEADERS[][2] = {
        {"content-security-policy:",
         "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: "
         "blob: data:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
        {"x-content-type-options:", "nosniff"},
        {"referrer-policy:", "no-referrer"},
        {"cross-origin-resource-policy:", "same-origin"},
        {"cross-origin-opener-policy:", "same-origin"}};
    for (size_t i = 0; i < sizeof HEADERS / sizeof HEADERS[0]; i++)
        if (add(wsi, HEADERS[i][0], HEADERS[i][1], at, end))
            return -1;
    return 0;
}

typedef struct reply {
    unsigned status;
    const char *type;
    const char *cookie, *encoding; /* null: none */
    const char *tag;               /* null: the browser must not keep the body */
    const void *body;
    size_t size;
    void *owned; /* the body, if it is freed afterwards; else null */
} reply;

/* A browser asks each time whether what it has kept is still the same. */
static int add_caching(struct lws *wsi, const reply *r, unsigned char **at, unsigned char *end) {
    if (!r->tag)
        return add(wsi, "cache-control:", "no-store", at, end);
    return add(wsi, "cache-control:", "private, no-cache", at, end) || add(wsi, "etag:", r->tag, at, end) ||
           add(wsi, "vary:", "accept-encoding", at, end) ||
           (r->encoding && add(wsi, "content-encoding:", r->encoding, at, end));
}

/* Sends the headers and schedules the body, which it owns. */
static int answer(struct lws *wsi, studio_connection *connection, const reply *r) {
    unsigned char buffer[LWS_PRE + HEADER_SIZE], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer;
    lws_filepos_t length = r->status == HTTP_STATUS_NOT_MODIFIED ? LWS_ILLEGAL_HTTP_CONTENT_LEN : r->size;
    free(connection->owned);
    connection->owned = r->owned;
    connection->body = r->body;
    connection->size = r->size;
    connection->sent = 0;
    if (lws_add_http_common_headers(wsi, r->status, r->type, length, &at, end) || add_policy(wsi, &at, end) ||
        add_caching(wsi, r, &at, end) || (connection->refused && add(wsi, "connection:", "close", &at, end)) ||
        (r->cookie && add(wsi, "set-cookie:", r->cookie, &at, end)) ||
        lws_finalize_write_http_header(wsi, start, &at, end))
        return -1;
    if (r->size == 0)
        return lws_http_transaction_completed(wsi) ? -1 : 0;
    lws_callback_on_writable(wsi);
    return 0;
}

int studio_http_say(struct lws *wsi, studio_connection *connection, unsigned status, const char *type,
                    const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        return -1;
    memcpy(copy, text, strlen(text) + 1);
    return answer(wsi, connection,
                  &(reply){.status = status, .type = type, .body = copy, .size = strlen(text), .owned = copy});
}

static int say_line(struct lws *wsi, studio_connection *connection, unsigned status, const char *line) {
    return studio_http_say(wsi, connection, status, "text/plain; charset=utf-8", line);
}

/* A refused request has a body that nobody reads. It would be taken for the next request, so the connection ends. If it
 * were closed at once, the bytes that still arrive would reset it, and the client might never see the answer. */
static int end_connection(struct lws *wsi) {
    enum { LINGER_SECONDS = 2 };
    shutdown(lws_get_socket_fd(wsi), SHUT_WR);
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LINGER_SECONDS);
    return 0;
}

int studio_http_write(struct lws *wsi, studio_connection *connection) {
    unsigned char buffer[LWS_PRE + CHUNK];
    size_t left = connection->size - connection->sent, part = left < CHUNK ? left : CHUNK;
    int last = part == left;
    if (connection->size == 0)
        return 0;
    memcpy(buffer + LWS_PRE, connection->body + connection->sent, part);
    if (lws_write(wsi, buffer + LWS_PRE, part, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)part)
        return -1;
    connection->sent += part;
    if (!last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    free(connection->owned);
    connection->owned = NULL;
    connection->body = NULL;
    connection->size = 0;
    if (connection->refused)
        return end_connection(wsi);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

void studio_http_close(studio_connection *connection) {
    free(connection->owned);
    connection->owned = NULL;
    connection->body = NULL;
    if (connection->upload) {
        fclose(connection->upload);
        unlink(connection->upload_path);
        connection->upload = NULL;
    }
}

/* -- access control -- */

/* Copies a header of one line; "" if it is missing. Returns 0 if it does not fit. */
static int copy_header(struct lws *wsi, enum lws_token_indexes token, char *buffer, size_t size) {
    buffer[0] = '\0';
    int length = lws_hdr_total_length(wsi, token);
    return length == 0 || ((size_t)length < size && lws_hdr_copy(wsi, buffer, (int)size, token) == length);
}

static int has_token(const studio_server *server, struct lws *wsi) {
    char given[256], cookies[2048];
    const char *token = lws_get_urlarg_by_name(wsi, "token=", given, sizeof given);
    if (token && studio_token_is(server->token, token))
        return 1;
    return copy_header(wsi, WSI_TOKEN_HTTP_COOKIE, cookies, sizeof cookies) &&
           studio_cookie_has(cookies, server->cookie, server->token);
}

int studio_server_lets_in(const studio_server *server, struct lws *wsi) {
    char host[256], origin[256];
    if (!copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host) || !studio_host_is_local(host))
        return 0;
    if (!copy_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) || (origin[0] && !studio_origin_is(origin, host)))
        return 0;
    return has_token(server, wsi);
}

/* -- answers -- */

/* The frame of the page sets a cookie and is small; its script and style are large and can be kept. */
static int send_asset(struct lws *wsi, studio_connection *connection, const studio_page_file *file) {
    char header[512];
    reply r = {.status = HTTP_STATUS_OK, .type = studio_mime(file->path), .tag = file->tag};
    if (copy_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, header, sizeof header) && studio_has_tag(header, file->tag)) {
        r.status = HTTP_STATUS_NOT_MODIFIED;
        return answer(wsi, connection, &r);
    }
    int packed = file->packed && copy_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, header, sizeof header) &&
                 studio_accepts_gzip(header);
    r.encoding = packed ? "gzip" : NULL;
    r.body = packed ? file->packed : file->bytes;
    r.size = packed ? file->packed_size : file->size;
    return answer(wsi, connection, &r);
}

static int send_page(studio_server *server, struct lws *wsi, studio_connection *connection, const char *path) {
    char cookie[160];
    const studio_page_file *file = studio_page_find(strcmp(path, "/") == 0 ? "/index.html" : path);
    if (!file && studio_page_count() == 0 && strcmp(path, "/") == 0)
        return say_line(wsi, connection, 503,
                        "This program was built without the studio's page. Install npm and build again.\n");
    if (!file)
        return say_line(wsi, connection, 404, "There is no such file.\n");
    if (strcmp(file->path, "/index.html") != 0)
        return send_asset(wsi, connection, file);
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict", server->cookie, server->token);
    return answer(wsi, connection,
                  &(reply){.status = HTTP_STATUS_OK,
                           .type = studio_mime(file->path),
                           .cookie = strcmp(path, "/") == 0 ? cookie : NULL,
                           .body = file->bytes,
                           .size = file->size});
}

static int send_file(struct lws *wsi, studio_connection *connection, const char *path) {
    char *bytes;
    size_t size;
    if (weft_file_read(path, &bytes, &size).code != WEFT_OK)
        return say_line(wsi, connection, 404, "There is no such file.\n");
    return answer(
        wsi, connection,
        &(reply){.status = HTTP_STATUS_OK, .type = studio_mime(path), .body = bytes, .size = size, .owned = bytes});
}

static int send_thumbnail(studio_server *server, struct lws *wsi, studio_connection *connection, const char *name) {
    for (int i = 0; i < server->options->scene_count; i++) {
        const weft_studio_scene *scene = &server->options->scene[i];
        size_t length = strlen(scene->name);
        const char *slash = strrchr(scene->path, '/');
        char path[1400];
        if (!slash || strncmp(name, scene->name, length) != 0 || strcmp(name + length, ".png") != 0)
            continue;
        snprintf(path, sizeof path, "%.*s/thumbnails/%s.png", (int)(slash - scene->path), scene->path, scene->name);
        return send_file(wsi, connection, path);
    }
    return say_line(wsi, connection, 404, "There is no such scene.\n");
}

/* `rest` is "N/NAME", relative to the folder of exports. */
static int send_download(studio_server *server, struct lws *wsi, studio_connection *connection, const char *rest) {
    char path[2 * STUDIO_PATH_SIZE];
    size_t digits = strspn(rest, "0123456789");
    if (digits == 0 || digits > 9 || rest[digits] != '/' || !studio_is_file_name(rest + digits + 1))
        return say_line(wsi, connection, 404, "There is no such file.\n");
    snprintf(path, sizeof path, "%s/%.*s/%.160s", server->work, (int)digits, rest, rest + digits + 1);
    if (!studio_folder_holds(&server->folder, path))
        return say_line(wsi, connection, 404, "There is no such file.\n");
    return send_file(wsi, connection, path);
}

static int send_recording(studio_server *server, struct lws *wsi, studio_connection *connection, const char *name) {
    char path[STUDIO_PATH_SIZE], full[STUDIO_PATH_SIZE];
    snprintf(path, sizeof path, "recordings/%.160s", name);
    if (!studio_is_file_name(name) || studio_folder_find(&server->folder, path, full).code != WEFT_OK)
        return say_line(wsi, connection, 404, "There is no such file.\n");
    return send_file(wsi, connection, full);
}

static int begin_upload(studio_server *server, struct lws *wsi, studio_connection *connection) {
    char name[160] = "", length[32];
    const char *given = lws_get_urlarg_by_name(wsi, "name=", name, sizeof name);
    if (!copy_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length))
        length[0] = '\0';
    return studio_upload_begin(server, wsi, connection, given, length);
}

int studio_http_request(studio_server *server, struct lws *wsi, studio_connection *connection, const char *path) {
    static const char THUMBNAILS[] = "/thumbnails/", DOWNLOADS[] = "/download/", RECORDINGS[] = "/recordings/";
    connection->refused = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0; /* unless an upload begins */
    connection->upload_size = 0;
    if (!studio_server_lets_in(server, wsi))
        return say_line(wsi, connection, 403,
                        "The access token is missing or wrong. Open the address that weft studio printed.\n");
    if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0)
        return strcmp(path, "/upload") == 0 ? begin_upload(server, wsi, connection)
                                            : say_line(wsi, connection, 405, "POST is allowed for /upload only.\n");
    if (connection->refused)
        return say_line(wsi, connection, 405, "Only GET, and POST to /upload, are allowed.\n");
    if (strncmp(path, THUMBNAILS, sizeof THUMBNAILS - 1) == 0)
        return send_thumbnail(server, wsi, connection, path + sizeof THUMBNAILS - 1);
    if (strncmp(path, DOWNLOADS, sizeof DOWNLOADS - 1) == 0)
        return send_download(server, wsi, connection, path + sizeof DOWNLOADS - 1);
    if (strncmp(path, RECORDINGS, sizeof RECORDINGS - 1) == 0)
        return send_recording(server, wsi, connection, path + sizeof RECORDINGS - 1);
    return send_page(server, wsi, connection, path);
}
