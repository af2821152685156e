/* The mailbox between the simulation thread and the network thread, which talks to viewers. */
#ifndef WEFT_STUDIO_MAILBOX_H
#define WEFT_STUDIO_MAILBOX_H

#include <pthread.h>
#include <stdatomic.h>

#include "apps/studio/server/frame.h"

/* A message to or from a viewer. To the simulation, null bytes mean that the viewer has disconnected. */
typedef struct studio_letter {
    struct studio_letter *next;
    uint64_t viewer; /* 0: all */
    unsigned flags;  /* STUDIO_POST_... */
    char *bytes;
    size_t size;
} studio_letter;

typedef struct studio_mailbox {
    pthread_mutex_t lock;
    pthread_cond_t came; /* signals arrivals in `in`; uses the monotonic clock */
    studio_letter *in_first, *in_last;
    studio_letter *out_first, *out_last;
    int in_count;
    studio_frame *latest;
    int closed;
} studio_mailbox;

/* Returns the seconds of a monotonic clock. */
double studio_now(void);

weft_result studio_mailbox_create(studio_mailbox *box);
void studio_mailbox_destroy(studio_mailbox *box);

/* Sends to the simulation and takes ownership of the bytes. Returns 0 if the queue is full; the news that a viewer has
 * disconnected is always accepted. */
int studio_mailbox_send(studio_mailbox *box, uint64_t viewer, char *bytes, size_t size);
/* Takes all messages that have arrived, and waits up to `seconds` if there are none. The caller frees each with
 * studio_letter_free. */
studio_letter *studio_mailbox_take(studio_mailbox *box, double seconds);
/* Ends all waiting. From then on studio_mailbox_take does not wait. */
void studio_mailbox_close(studio_mailbox *box);
int studio_mailbox_is_closed(studio_mailbox *box);

/* Sends to viewers and takes ownership of the text. */
void studio_mailbox_post(studio_mailbox *box, uint64_t viewer, char *text, unsigned flags);
studio_letter *studio_mailbox_take_posts(studio_mailbox *box);
/* Sets the newest frame, takes ownership of it, and drops the one before. */
void studio_mailbox_show(studio_mailbox *box, studio_frame *frame);
/* Returns the newest frame, held for the caller, or null if there is none. */
studio_frame *studio_mailbox_latest(studio_mailbox *box);

void studio_letter_free(studio_letter *letter);

#endif
