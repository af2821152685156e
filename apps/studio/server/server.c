/* The studio's server: network thread, simulation thread, and the folder of exports. */
#include "apps/studio/server/server.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/server/session.h"

/* -- the simulation thread -- */

typedef struct simulation {
    studio_server *server;
    studio_session *session;
} simulation;

static void post(void *context, uint64_t viewer, char *text, unsigned flags) {
    studio_server *server = context;
    studio_mailbox_post(&server->box, viewer, text, flags);
    if (server->context)
        lws_cancel_service(server->context);
}

static void show(void *context, studio_frame *frame) {
    studio_server *server = context;
    studio_mailbox_show(&server->box, frame);
    if (server->context)
        lws_cancel_service(server->context);
}

static void read_letters(studio_session *session, studio_letter *letter) {
    while (letter) {
        studio_letter *next = letter->next;
        if (letter->bytes)
            studio_session_execute(session, letter->viewer, letter->bytes, letter->size);
        else
            studio_session_forget(session, letter->viewer);
        studio_letter_free(letter);
        letter = next;
    }
}

static void *simulate(void *context) {
    simulation *own = context;
    studio_mailbox *box = &own->server->box;
    double wait = 0;
    while (!studio_mailbox_is_closed(box)) {
        read_letters(own->session, studio_mailbox_take(box, wait));
        wait = studio_session_go_on(own->session, studio_now());
    }
    return NULL;
}

/* -- connections -- */

/* Checks a request before it becomes a WebSocket. */
static int admit_viewer(studio_server *server, struct lws *wsi) {
    char path[64];
    int length = lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI);
    unsigned status = 0;
    if (!studio_server_lets_in(server, wsi))
        status = 403;
    else if (length <= 0 || strcmp(path, "/ws") != 0)
        status = 404;
    else if (server->viewer_count >= STUDIO_MOST_VIEWERS)
        status = 503;
    if (status == 0)
        return 0;
    return lws_return_http_status(wsi, status, NULL) < 0 ? -1 : 1; /* above 0: answered, no upgrade */
}

static int serve(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    studio_server *server = lws_context_user(lws_get_context(wsi));
    studio_connection *connection = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return studio_http_request(server, wsi, connection, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return studio_http_write(wsi, connection);
    case LWS_CALLBACK_HTTP_BODY:
        return studio_upload_add(connection, in, size);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return studio_upload_end(server, wsi, connection);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (connection)
            studio_http_close(connection);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return admit_viewer(server, wsi);
    case LWS_CALLBACK_ESTABLISHED:
        memset(connection, 0, sizeof *connection);
        return studio_viewer_open(server, wsi, connection);
    case LWS_CALLBACK_RECEIVE:
        return studio_viewer_receive(server, wsi, connection->viewer, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return studio_viewer_write(server, connection->viewer);
    case LWS_CALLBACK_TIMER: /* the viewer's next frame is due */
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        studio_viewer_close(server, connection);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        studio_viewers_wake(server);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols PROTOCOLS[] = {
    {.name = "weft-studio",
     .callback = serve,
     .per_session_data_size = sizeof(studio_connection),
     .rx_buffer_size = 65536},
    {.name = NULL},
};

static void look_around(lws_sorted_usec_list_t *timer) {
    studio_server *server = lws_container_of(timer, studio_server, timer);
    server->stopped = server->options->stopped && server->options->stopped(server->options->context);
    studio_viewers_sweep(server);
    lws_sul_schedule(server->context, 0, &server->timer, look_around, 100 * LWS_US_PER_MS);
    if (server->stopped)
        lws_cancel_service(server->context);
}

static weft_result listen_local(studio_server *server) {
    lws_set_log_level(0, NULL);
    struct lws_context_creation_info info = {
        .port = server->options->port,
        .iface = "127.0.0.1",
        .protocols = PROTOCOLS,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .user = server,
        .fd_limit_per_thread = 512,
        .max_http_header_pool = 128,
        .max_http_header_data = 8192,
        .pt_serv_buf_size = 65536,
        .timeout_secs = 10,
        .keepalive_timeout = 10,
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
    };
    server->context = lws_create_context(&info);
    struct lws_vhost *host = server->context ? lws_create_vhost(server->context, &info) : NULL;
    if (!host)
        return weft_fail(WEFT_BAD_FILE, "port %d of 127.0.0.1 cannot be listened on; --port 0 finds a free one",
                         server->options->port);
    server->port = lws_get_vhost_listen_port(host);
    return weft_ok();
}

/* -- the folder of exports -- */

static weft_result make_work(studio_server *server) {
    int length =
        snprintf(server->work, sizeof server->work, "%.900s/.weft-studio-%ld", server->folder.path, (long)getpid());
    if (length >= (int)sizeof server->work)
        return weft_fail(WEFT_BAD_FILE, "%.200s: the path is too long", server->folder.path);
    return weft_ok(); /* the first export makes the folder */
}

/* Removes a folder and its contents. Links are removed, not followed. */
static void remove_folder(const char *path, int depth) {
    DIR *folder = depth < 8 ? opendir(path) : NULL;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char inner[2 * STUDIO_PATH_SIZE];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner)
            continue;
        if (lstat(inner, &info) == 0 && S_ISDIR(info.st_mode))
            remove_folder(inner, depth + 1);
        else
            unlink(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* -- starting and stopping -- */

static weft_result run(studio_server *server, studio_session *session) {
    const weft_studio_options *options = server->options;
    simulation own = {server, session};
    pthread_t thread;
    char url[128];
    WEFT_TRY(listen_local(server));
    snprintf(server->cookie, sizeof server->cookie, "weft_%d", server->port);
    if (pthread_create(&thread, NULL, simulate, &own) != 0)
        return weft_fail(WEFT_NO_MEMORY, "no thread for the simulation");
    snprintf(url, sizeof url, "http://127.0.0.1:%d/?token=%s", server->port, server->token);
    if (options->ready)
        options->ready(options->context, url);
    look_around(&server->timer);
    while (!server->stopped && lws_service(server->context, 0) >= 0)
        ;
    studio_mailbox_close(&server->box);
    pthread_join(thread, NULL);
    return weft_ok();
}

static weft_result start(studio_server *server) {
    const weft_studio_options *options = server->options;
    WEFT_TRY(studio_folder_open(options->folder, &server->folder));
    WEFT_TRY(studio_token_make(server->token));
    WEFT_TRY(make_work(server));
    studio_host host = {.registry = options->registry,
                        .scene = options->scene,
                        .scene_count = options->scene_count,
                        .folder = server->folder,
                        .program = options->program,
                        .work = server->work,
                        .threads = options->threads,
                        .context = server,
                        .post = post,
                        .show = show};
    studio_session *session;
    WEFT_TRY(studio_session_create(&host, options->start, &session));
    weft_result result = run(server, session);
    studio_session_destroy(session);
    return result;
}

int weft_studio_has_page(void) { return studio_page_count() > 0; }

weft_result weft_studio_run(const weft_studio_options *options) {
    studio_server *server = calloc(1, sizeof *server);
    if (!server)
        return weft_fail_memory("the studio", sizeof *server);
    server->options = options;
    weft_result result = studio_mailbox_create(&server->box);
    if (result.code == WEFT_OK) {
        result = start(server);
        if (server->context)
            lws_context_destroy(server->context);
        if (server->work[0])
            remove_folder(server->work, 0);
        studio_mailbox_destroy(&server->box);
    }
    free(server);
    return result;
}
