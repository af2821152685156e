/* Internals of the server: all connections, handled by libwebsockets in one thread. */
#ifndef WEFT_STUDIO_SERVER_H
#define WEFT_STUDIO_SERVER_H

#include <libwebsockets.h>

#include "apps/studio/server/access_guard.h"
#include "apps/studio/server/folder.h"
#include "apps/studio/server/known_shapes.h"
#include "apps/studio/server/mailbox.h"
#include "apps/studio/server/page.h"
#include "apps/studio/server/studio.h"

enum {
    STUDIO_MESSAGE_LIMIT = 1 << 20, /* bytes of a message from a viewer */
    STUDIO_QUEUE_LIMIT = 8 << 20,   /* bytes of text queued for a viewer */
    STUDIO_UNACKED = 2,             /* frames sent but not acknowledged */
    STUDIO_STALL_SECONDS = 60       /* a viewer that reads nothing for so long is disconnected */
};

/* A text message, shared by several viewers. */
typedef struct studio_text {
    int users;
    size_t size;
    unsigned char *memory; /* STUDIO_FRONT free bytes, then the text */
} studio_text;

typedef struct studio_viewer {
    struct studio_viewer *next;
    struct lws *wsi;
    uint64_t id;
    int begun; /* it has said hello and receives frames */
    int quantised;
    double interval; /* s between frames */
    double sent_at;
    uint32_t sent, acked; /* sequence numbers of frames */
    int unacked;
    studio_frame *sending; /* the frame being sent, after its new shapes; or null */
    studio_known_shapes shapes;
    studio_text **text; /* queue of texts, a ring (text_room) */
    int text_first, text_count, text_room;
    size_t text_bytes;
    double waiting_since; /* s, since when data waits for the socket; 0: none waits */
    char *message;        /* the fragments of a message received so far */
    size_t message_size, message_room;
} studio_viewer;

typedef struct studio_server {
    const weft_studio_options *options;
    studio_folder folder;
    char work[STUDIO_PATH_SIZE]; /* the folder of exports */
    char token[STUDIO_TOKEN_SIZE];
    char cookie[32]; /* name of the cookie that holds the token */
    int port;
    struct lws_context *context;
    lws_sorted_usec_list_t timer;
    int stopped;
    studio_mailbox box;
    studio_viewer *viewers;
    int viewer_count;
    uint64_t next_id;
} studio_server;

/* The data of a connection, HTTP or WebSocket. */
typedef struct studio_connection {
    studio_viewer *viewer;
    /* an answer being sent */
    const unsigned char *body;
    size_t size, sent;
    void *owned; /* freed after the answer; may be null */
    /* an upload */
    FILE *upload;
    char upload_path[STUDIO_PATH_SIZE];
    char upload_name[160];
    size_t upload_size; /* bytes of the body so far, also of a refused one */
    int refused;        /* the request is no GET and no upload: its body is dropped, and the connection ends */
} studio_connection;

/* Returns whether a request is allowed: checks host, origin and token. */
int studio_server_lets_in(const studio_server *server, struct lws *wsi);

/* http.c */
int studio_http_request(studio_server *server, struct lws *wsi, studio_connection *connection, const char *path);
int studio_http_write(struct lws *wsi, studio_connection *connection);
void studio_http_close(studio_connection *connection);
/* Answers with a copy of `text`. */
int studio_http_say(struct lws *wsi, studio_connection *connection, unsigned status, const char *type,
                    const char *text);

/* upload.c */
/* `name` and `length` are as the request gives them; null or "" if they are missing. */
int studio_upload_begin(studio_server *server, struct lws *wsi, studio_connection *connection, const char *name,
                        const char *length);
int studio_upload_add(studio_connection *connection, const void *bytes, size_t size);
int studio_upload_end(studio_server *server, struct lws *wsi, studio_connection *connection);

/* viewer.c */
int studio_viewer_open(studio_server *server, struct lws *wsi, studio_connection *connection);
void studio_viewer_close(studio_server *server, studio_connection *connection);
int studio_viewer_receive(studio_server *server, struct lws *wsi, studio_viewer *viewer, const void *bytes,
                          size_t size);
int studio_viewer_write(studio_server *server, studio_viewer *viewer);
/* Delivers the texts and the newest frame of the simulation to viewers. */
void studio_viewers_wake(studio_server *server);
/* Disconnects viewers that have read nothing for STUDIO_STALL_SECONDS. */
void studio_viewers_sweep(studio_server *server);

#endif
