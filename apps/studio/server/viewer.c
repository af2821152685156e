/* Viewers: receiving their messages, and sending texts and frames at the pace at which they read. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/server.h"
#include "apps/studio/server/session.h"

/* -- texts -- */

static studio_text *text_make(const char *bytes, size_t size) {
    studio_text *text = calloc(1, sizeof *text);
    if (!text)
        return NULL;
    text->memory = malloc(STUDIO_FRONT + size);
    if (!text->memory) {
        free(text);
        return NULL;
    }
    memcpy(text->memory + STUDIO_FRONT, bytes, size);
    text->size = size;
    text->users = 1;
    return text;
}

static void text_drop(studio_text *text) {
    if (text && --text->users == 0) {
        free(text->memory);
        free(text);
    }
}

/* Returns 0 if the queue is full or memory is out. */
static int queue_text(studio_viewer *viewer, studio_text *text) {
    if (viewer->text_bytes + text->size > STUDIO_QUEUE_LIMIT)
        return 0;
    if (viewer->text_count == viewer->text_room) {
        int room = viewer->text_room > 0 ? 2 * viewer->text_room : 16;
        studio_text **grown = malloc((size_t)room * sizeof *grown);
        if (!grown)
            return 0;
        for (int i = 0; i < viewer->text_count; i++)
            grown[i] = viewer->text[(viewer->text_first + i) % viewer->text_room];
        free(viewer->text);
        viewer->text = grown;
        viewer->text_room = room;
        viewer->text_first = 0;
    }
    viewer->text[(viewer->text_first + viewer->text_count++) % viewer->text_room] = text;
    viewer->text_bytes += text->size;
    text->users++;
    return 1;
}

/* -- connecting and disconnecting -- */

int studio_viewer_open(studio_server *server, struct lws *wsi, studio_connection *connection) {
    studio_viewer *viewer = calloc(1, sizeof *viewer);
    if (!viewer)
        return -1;
    viewer->wsi = wsi;
    viewer->id = ++server->next_id;
    viewer->quantised = 1;
    viewer->interval = 1.0 / 60;
    viewer->next = server->viewers;
    server->viewers = viewer;
    server->viewer_count++;
    connection->viewer = viewer;
    return 0;
}

void studio_viewer_close(studio_server *server, studio_connection *connection) {
    studio_viewer *viewer = connection->viewer;
    if (!viewer)
        return;
    connection->viewer = NULL;
    studio_viewer **link = &server->viewers;
    while (*link != viewer)
        link = &(*link)->next;
    *link = viewer->next;
    server->viewer_count--;
    studio_mailbox_send(&server->box, viewer->id, NULL, 0);
    for (int i = 0; i < viewer->text_count; i++)
        text_drop(viewer->text[(viewer->text_first + i) % viewer->text_room]);
    studio_frame_drop(viewer->sending);
    free(viewer->text);
    studio_known_free(&viewer->shapes);
    free(viewer->message);
    free(viewer);
}

static void want_to_write(studio_viewer *viewer) {
    if (viewer->waiting_since == 0)
        viewer->waiting_since = studio_now();
    lws_callback_on_writable(viewer->wsi);
}

static void hang_up(studio_viewer *viewer) {
    lws_set_timeout(viewer->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

/* -- receiving -- */

/* Handles an `ack` message. This thread paces frames by itself; the simulation never sees acks. Returns whether the
 * message was an ack. */
static int take_ack(studio_viewer *viewer, const json_t *message) {
    const char *name = json_string_value(json_object_get(message, "do"));
    if (!name || strcmp(name, "ack") != 0)
        return 0;
    json_int_t sequence = json_integer_value(json_object_get(message, "sequence"));
    if (sequence == (json_int_t)viewer->sent)
        viewer->unacked = 0;
    else if (viewer->unacked > 0 && sequence > (json_int_t)viewer->acked && sequence < (json_int_t)viewer->sent)
        viewer->unacked--;
    else
        return 1;
    viewer->acked = (uint32_t)sequence;
    want_to_write(viewer);
    return 1;
}

static int take_stream(studio_viewer *viewer, const json_t *message) {
    const char *name = json_string_value(json_object_get(message, "do"));
    if (!name || (strcmp(name, "stream") != 0 && strcmp(name, "hello") != 0))
        return 0;
    const json_t *quantise = json_object_get(message, "quantise"), *rate = json_object_get(message, "rate");
    if (json_is_boolean(quantise))
        viewer->quantised = json_is_true(quantise);
    if (json_is_number(rate) && json_number_value(rate) >= 0.1 && json_number_value(rate) <= 1000)
        viewer->interval = 1 / json_number_value(rate);
    return strcmp(name, "stream") == 0;
}

static int say(studio_viewer *viewer, const char *line) {
    studio_text *text = text_make(line, strlen(line));
    int queued = text && queue_text(viewer, text);
    text_drop(text);
    if (queued)
        want_to_write(viewer);
    return queued ? 0 : -1;
}

static int confirm(studio_viewer *viewer, const json_t *message) {
    char line[96];
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    snprintf(line, sizeof line, "{\"re\":%lld,\"ok\":true}", (long long)id);
    return say(viewer, line);
}

/* Messages for this thread (`ack`, `stream`) are short. Longer ones go unparsed to the simulation thread. */
static int take_message(studio_server *server, studio_viewer *viewer, char *bytes, size_t size) {
    enum { SHORT = 512 };
    json_t *message = size <= SHORT ? json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
    int acked = message && take_ack(viewer, message);
    int streamed = message && !acked && take_stream(viewer, message);
    int status = streamed ? confirm(viewer, message) : 0;
    json_decref(message);
    if (acked || streamed) {
        free(bytes);
        return status;
    }
    if (studio_mailbox_send(&server->box, viewer->id, bytes, size))
        return 0;
    return say(viewer, "{\"re\":0,\"error\":\"too many commands at once; this one is ignored\"}");
}

static int keep_bytes(studio_viewer *viewer, const void *bytes, size_t size) {
    size_t wanted = viewer->message_size + size;
    if (wanted > viewer->message_room) {
        char *grown = realloc(viewer->message, wanted);
        if (!grown)
            return 0;
        viewer->message = grown;
        viewer->message_room = wanted;
    }
    if (size > 0)
        memcpy(viewer->message + viewer->message_size, bytes, size);
    viewer->message_size = wanted;
    return 1;
}

static int refuse(struct lws *wsi, enum lws_close_status status, const char *why) {
    char reason[64];
    int length = snprintf(reason, sizeof reason, "%s", why);
    lws_close_reason(wsi, status, (unsigned char *)reason, (size_t)length);
    return -1;
}

int studio_viewer_receive(studio_server *server, struct lws *wsi, studio_viewer *viewer, const void *bytes,
                          size_t size) {
    if (lws_frame_is_binary(wsi))
        return refuse(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages must be text");
    if (viewer->message_size + size + lws_remaining_packet_payload(wsi) > STUDIO_MESSAGE_LIMIT)
        return refuse(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "messages may have at most 1 MiB");
    if (!keep_bytes(viewer, bytes, size))
        return -1;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
        return 0;
    char *whole = viewer->message ? viewer->message : malloc(1);
    size_t length = viewer->message_size;
    viewer->message = NULL;
    viewer->message_size = viewer->message_room = 0;
    return whole ? take_message(server, viewer, whole, length) : -1;
}

/* -- sending -- */

static int send_bytes(studio_viewer *viewer, unsigned char *memory, size_t size, enum lws_write_protocol kind) {
    return lws_write(viewer->wsi, memory + STUDIO_FRONT, size, kind) < (int)size ? -1 : 0;
}

/* Returns the seconds until the next frame may be sent. It is due at 0.9 of the interval: with a full interval, small
 * clock differences would skip every other frame. */
static double until_next(const studio_viewer *viewer) {
    return viewer->sent_at + 0.9 * viewer->interval - studio_now();
}

static void choose_frame(studio_server *server, studio_viewer *viewer) {
    if (viewer->sending || !viewer->begun || viewer->unacked >= STUDIO_UNACKED)
        return;
    studio_frame *latest = studio_mailbox_latest(&server->box);
    if (!latest)
        return;
    double wait = until_next(viewer);
    if (latest->sequence == viewer->sent || wait > 0) {
        if (latest->sequence != viewer->sent)
            lws_set_timer_usecs(viewer->wsi, (lws_usec_t)(1e6 * wait) + 1);
        studio_frame_drop(latest);
        return;
    }
    viewer->sending = latest;
}

static int send_text(studio_viewer *viewer) {
    studio_text *text = viewer->text[viewer->text_first];
    viewer->text_first = (viewer->text_first + 1) % viewer->text_room;
    viewer->text_count--;
    viewer->text_bytes -= text->size;
    int status = send_bytes(viewer, text->memory, text->size, LWS_WRITE_TEXT);
    text_drop(text);
    return status;
}

static int send_frame(studio_viewer *viewer) {
    studio_shape *shape = studio_known_missing(&viewer->shapes, viewer->sending);
    if (shape) {
        if (!studio_known_add(&viewer->shapes, shape))
            return -1;
        return send_bytes(viewer, shape->message.memory, shape->message.size, LWS_WRITE_BINARY);
    }
    const studio_bytes *message = studio_frame_message(viewer->sending, viewer->quantised, viewer->id);
    if (!message)
        return -1;
    int status = send_bytes(viewer, message->memory, message->size, LWS_WRITE_BINARY);
    viewer->sent = viewer->sending->sequence;
    viewer->sent_at = studio_now();
    viewer->unacked++;
    studio_frame_drop(viewer->sending);
    viewer->sending = NULL;
    return status;
}

/* Sends one message at a time. libwebsockets calls again when the socket can take the next one. A frame is chosen even
 * if a text goes first: this call may be the frame's timer or ack, and nothing else would ask for the frame again. */
int studio_viewer_write(studio_server *server, studio_viewer *viewer) {
    int status = 0;
    viewer->waiting_since = 0;
    choose_frame(server, viewer);
    if (viewer->text_count > 0)
        status = send_text(viewer);
    else if (viewer->sending)
        status = send_frame(viewer);
    if (status == 0 && (viewer->text_count > 0 || viewer->sending))
        want_to_write(viewer);
    return status;
}

/* -- from the simulation -- */

static void deliver(studio_server *server, const studio_letter *letter) {
    studio_text *text = text_make(letter->bytes, letter->size);
    for (studio_viewer *viewer = server->viewers; text && viewer; viewer = viewer->next) {
        if (letter->viewer != 0 && letter->viewer != viewer->id)
            continue;
        if (letter->viewer == 0 && !viewer->begun)
            continue; /* its hello will be answered with the full state */
        if ((letter->flags & STUDIO_POST_REPLACED) && viewer->text_count > 0)
            continue;
        if (!queue_text(viewer, text))
            hang_up(viewer);
        if (letter->flags & STUDIO_POST_BEGIN)
            viewer->begun = 1;
    }
    text_drop(text);
}

void studio_viewers_wake(studio_server *server) {
    studio_letter *letter = studio_mailbox_take_posts(&server->box);
    while (letter) {
        studio_letter *next = letter->next;
        deliver(server, letter);
        studio_letter_free(letter);
        letter = next;
    }
    for (studio_viewer *viewer = server->viewers; viewer; viewer = viewer->next) {
        choose_frame(server, viewer);
        if (viewer->text_count > 0 || viewer->sending)
            want_to_write(viewer);
    }
}

void studio_viewers_sweep(studio_server *server) {
    double now = studio_now();
    for (studio_viewer *viewer = server->viewers; viewer; viewer = viewer->next)
        if (viewer->waiting_since > 0 && now - viewer->waiting_since > STUDIO_STALL_SECONDS)
            hang_up(viewer);
}
