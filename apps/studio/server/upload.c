/* Uploads over HTTP: a file is received whole, then checked and stored (store_upload.c). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/server/server.h"
#include "apps/studio/server/store_upload.h"

static int refuse(struct lws *wsi, studio_connection *connection, unsigned status, const char *why) {
    char text[400];
    studio_http_close(connection);
    snprintf(text, sizeof text, "{\"error\":\"%.360s\"}\n", why);
    for (char *c = text + 10; *c && c[1] && c[2] && c[3]; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
            *c = '\'';
    return studio_http_say(wsi, connection, status, "application/json", text);
}

int studio_upload_begin(studio_server *server, struct lws *wsi, studio_connection *connection, const char *name,
                        const char *length) {
    char full[STUDIO_PATH_SIZE];
    if (!length[0])
        return refuse(wsi, connection, 411, "the Content-Length header is missing");
    weft_result result = studio_upload_check_name(name ? name : "");
    if (result.code != WEFT_OK)
        return refuse(wsi, connection, 400, result.message);
    if (strtoull(length, NULL, 10) > STUDIO_UPLOAD_LIMIT)
        return refuse(wsi, connection, 413, "the file is larger than 64 MiB");
    if (strtoull(length, NULL, 10) == 0)
        return refuse(wsi, connection, 400, "the file is empty");
    result = studio_folder_place(&server->folder, "uploads", name, full);
    if (result.code != WEFT_OK)
        return refuse(wsi, connection, 400, result.message);
    snprintf(connection->upload_name, sizeof connection->upload_name, "%s", name);
    snprintf(connection->upload_path, sizeof connection->upload_path, "%.900s.%d.part", full, lws_get_socket_fd(wsi));
    connection->upload = fopen(connection->upload_path, "wbx");
    if (!connection->upload)
        return refuse(wsi, connection, 500, strerror(errno));
    connection->refused = 0;
    return 0;
}

int studio_upload_add(studio_connection *connection, const void *bytes, size_t size) {
    connection->upload_size += size;
    if (connection->upload_size > STUDIO_UPLOAD_LIMIT)
        return -1;
    if (connection->refused)
        return 0;
    if (!connection->upload || fwrite(bytes, 1, size, connection->upload) != size)
        return -1;
    return 0;
}

int studio_upload_end(studio_server *server, struct lws *wsi, studio_connection *connection) {
    char path[STUDIO_PATH_SIZE], text[STUDIO_PATH_SIZE + 32];
    if (!connection->upload)
        return 0;
    int failed = fclose(connection->upload) != 0;
    connection->upload = NULL;
    weft_result result =
        failed ? weft_fail(WEFT_BAD_FILE, "the file could not be stored")
               : studio_upload_store(&server->folder, connection->upload_path, connection->upload_name, path);
    unlink(connection->upload_path);
    if (result.code != WEFT_OK)
        return refuse(wsi, connection, failed ? 500 : 400, result.message);
    snprintf(text, sizeof text, "{\"path\":\"%s\"}\n", path);
    return studio_http_say(wsi, connection, 200, "application/json", text);
}
