/* What goes between the thread that simulates and the one that speaks to viewers. */
#ifndef WEFT_STUDIO_MAILBOX_H
#define WEFT_STUDIO_MAILBOX_H

#include <pthread.h>
#include <stdatomic.h>

#include "studio/server/frame.h"

/* A command of a viewer, or the news that it is gone (null bytes). */
typedef struct studio_letter {
    struct studio_letter *next;
    uint64_t viewer; /* 0: all */
    unsigned flags;  /* STUDIO_POST_... */
    char *bytes;
    size_t size;
} studio_letter;

typedef struct studio_mailbox {
    pthread_mutex_t lock;
    pthread_cond_t came; /* into `in`, by the steady clock */
    studio_letter *in_first, *in_last;
    studio_letter *out_first, *out_last;
    int in_count;
    studio_frame *latest;
    int closed;
} studio_mailbox;

/* Seconds of a steady clock. */
double studio_now(void);

weft_result studio_mailbox_create(studio_mailbox *box);
void studio_mailbox_destroy(studio_mailbox *box);

/* To the simulation; takes the bytes over. Refused (0) when it has too many to read, but for news. */
int studio_mailbox_send(studio_mailbox *box, uint64_t viewer, char *bytes, size_t size);
/* All that came, waiting for up to `seconds` when there is none. Free each with studio_letter_free. */
studio_letter *studio_mailbox_take(studio_mailbox *box, double seconds);
/* Ends the waiting for ever; `take` then returns null at once. */
void studio_mailbox_close(studio_mailbox *box);
int studio_mailbox_is_closed(studio_mailbox *box);

/* To viewers; takes the text over. */
void studio_mailbox_post(studio_mailbox *box, uint64_t viewer, char *text, unsigned flags);
studio_letter *studio_mailbox_take_posts(studio_mailbox *box);
/* The newest frame; the one before it is dropped. */
void studio_mailbox_show(studio_mailbox *box, studio_frame *frame);
/* Holds it for the caller; null without one. */
studio_frame *studio_mailbox_latest(studio_mailbox *box);

void studio_letter_free(studio_letter *letter);

#endif
