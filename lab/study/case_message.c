#include "lab/study/case_message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "weft-io/checkpoint.h"

/* -- bytes -- */

weft_result weft_write_all(int file, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return weft_fail(WEFT_BAD_FILE, "%s", strerror(errno));
        at += written;
        size -= (size_t)written;
    }
    return weft_ok();
}

int weft_read_all(int file, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        at += got;
        size -= (size_t)got;
    }
    return 1;
}

/* -- outcomes -- */

static const char MAGIC[8] = "WEFTCAS1";

typedef struct message_head {
    char magic[8];
    uint64_t size;  /* of the body, bytes */
    uint64_t hash;  /* of the body */
    uint64_t check; /* hash of the fields before, so that a damaged size is noticed */
} message_head;
_Static_assert(sizeof(message_head) == WEFT_MESSAGE_HEAD, "the head has a fixed size");

typedef struct outcome_body {
    int64_t index, frames;
    uint64_t state_hash;
    double cpu_seconds, wall_seconds;
    uint64_t value_count, block_size;
    uint32_t status;
    char host[64];
    char reason[256];
} outcome_body;

static uint64_t head_check(const message_head *head) {
    return weft_hash_bytes(WEFT_HASH_START, head, offsetof(message_head, check));
}

size_t weft_message_size(const char *bytes) {
    message_head head;
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || head.check != head_check(&head))
        return 0;
    return sizeof head + (size_t)head.size;
}

weft_result weft_outcome_pack(int64_t index, const weft_case_outcome *outcome, char **bytes, size_t *size) {
    outcome_body body;
    memset(&body, 0, sizeof body); /* padding too, because it is written to files */
    body.index = index;
    body.frames = outcome->frames;
    body.state_hash = outcome->state_hash;
    body.cpu_seconds = outcome->cpu_seconds;
    body.wall_seconds = outcome->wall_seconds;
    body.value_count = (uint64_t)outcome->value_count;
    body.block_size = outcome->block_size;
    body.status = (uint32_t)outcome->status;
    memcpy(body.host, outcome->host, strnlen(outcome->host, sizeof body.host - 1));
    memcpy(body.reason, outcome->reason, strnlen(outcome->reason, sizeof body.reason - 1));
    size_t values = (size_t)body.value_count * sizeof(double);
    size_t whole = sizeof body + values + outcome->block_size;
    message_head head = {.size = whole};
    char *packed = malloc(sizeof head + whole);
    if (!packed)
        return weft_fail_memory("the result of a case", whole);
    char *at = packed + sizeof head;
    memcpy(at, &body, sizeof body);
    if (values > 0)
        memcpy(at + sizeof body, outcome->value, values);
    if (outcome->block_size > 0)
        memcpy(at + sizeof body + values, outcome->block, outcome->block_size);
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.hash = weft_hash_bytes(WEFT_HASH_START, at, whole);
    head.check = head_check(&head);
    memcpy(packed, &head, sizeof head);
    *bytes = packed;
    *size = sizeof head + whole;
    return weft_ok();
}

static int copy_arrays(const char *at, const outcome_body *body, weft_case_outcome *outcome) {
    size_t values = (size_t)body->value_count * sizeof(double);
    outcome->value = malloc(values + 1);
    outcome->block = body->block_size > 0 ? malloc((size_t)body->block_size) : NULL;
    if (!outcome->value || (body->block_size > 0 && !outcome->block)) {
        weft_case_outcome_free(outcome);
        return 0;
    }
    memcpy(outcome->value, at, values);
    if (body->block_size > 0)
        memcpy(outcome->block, at + values, (size_t)body->block_size);
    outcome->value_count = (int)body->value_count;
    outcome->block_size = (size_t)body->block_size;
    return 1;
}

size_t weft_outcome_unpack(const char *bytes, size_t size, int64_t *index, weft_case_outcome *outcome) {
    message_head head;
    outcome_body body;
    size_t whole = size >= sizeof head ? weft_message_size(bytes) : 0;
    if (whole < sizeof head + sizeof body || whole > size)
        return 0;
    memcpy(&head, bytes, sizeof head);
    const char *at = bytes + sizeof head;
    memcpy(&body, at, sizeof body);
    size_t rest = (size_t)head.size - sizeof body;
    if (head.hash != weft_hash_bytes(WEFT_HASH_START, at, (size_t)head.size) ||
        body.value_count > rest / sizeof(double) || body.block_size != rest - body.value_count * sizeof(double) ||
        body.status >= WEFT_CASE_STATUSES)
        return 0;
    *index = body.index;
    if (!outcome)
        return whole;
    *outcome = (weft_case_outcome){.status = (weft_case_status)body.status,
                                   .state_hash = body.state_hash,
                                   .frames = body.frames,
                                   .cpu_seconds = body.cpu_seconds,
                                   .wall_seconds = body.wall_seconds};
    memcpy(outcome->host, body.host, sizeof outcome->host);
    memcpy(outcome->reason, body.reason, sizeof outcome->reason);
    outcome->host[sizeof outcome->host - 1] = outcome->reason[sizeof outcome->reason - 1] = '\0';
    return copy_arrays(at + sizeof body, &body, outcome) ? whole : 0;
}

/* -- cases -- */

typedef struct case_head {
    int64_t index;
    int32_t setup, set_count;
    uint64_t size; /* of the texts: the picture, then the assignments, each with its final zero */
} case_head;

weft_result weft_case_pack(int64_t index, const weft_case *one, char **bytes, size_t *size) {
    const char *picture = one->picture ? one->picture : "";
    case_head head = {.index = index, .setup = one->setup, .set_count = one->set_count, .size = strlen(picture) + 1};
    for (int i = 0; i < one->set_count; i++)
        head.size += strlen(one->set[i]) + 1;
    char *packed = malloc(sizeof head + (size_t)head.size);
    if (!packed)
        return weft_fail_memory("a case", (size_t)head.size);
    memcpy(packed, &head, sizeof head);
    char *at = packed + sizeof head;
    at = stpcpy(at, picture) + 1;
    for (int i = 0; i < one->set_count; i++)
        at = stpcpy(at, one->set[i]) + 1;
    *bytes = packed;
    *size = sizeof head + (size_t)head.size;
    return weft_ok();
}

int weft_case_receive(int file, weft_case_room *room, int64_t *index, weft_case *one) {
    case_head head;
    if (!weft_read_all(file, &head, sizeof head))
        return 0;
    weft_case_room_free(room);
    room->bytes = malloc((size_t)head.size);
    room->set = malloc(((size_t)head.set_count + 1) * sizeof *room->set);
    if (!room->bytes || !room->set || !weft_read_all(file, room->bytes, (size_t)head.size))
        return 0;
    const char *at = room->bytes + strlen(room->bytes) + 1;
    for (int32_t i = 0; i < head.set_count; i++) {
        room->set[i] = at;
        at += strlen(at) + 1;
    }
    *index = head.index;
    *one = (weft_case){.setup = head.setup,
                       .set = room->set,
                       .set_count = head.set_count,
                       .picture = room->bytes[0] ? room->bytes : NULL};
    return 1;
}

void weft_case_room_free(weft_case_room *room) {
    free(room->bytes);
    free(room->set);
    *room = (weft_case_room){0};
}
