/* The mailbox between the simulation thread and the network thread. */
#include "apps/studio/server/mailbox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_LETTERS = 4096 };

double studio_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void studio_letter_free(studio_letter *letter) {
    free(letter->bytes);
    free(letter);
}

weft_result studio_mailbox_create(studio_mailbox *box) {
    memset(box, 0, sizeof *box);
    pthread_condattr_t steady;
    if (pthread_condattr_init(&steady) != 0)
        return weft_fail_memory("the studio's mailbox", sizeof *box);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    int failed = pthread_mutex_init(&box->lock, NULL) != 0 || pthread_cond_init(&box->came, &steady) != 0;
    pthread_condattr_destroy(&steady);
    return failed ? weft_fail_memory("the studio's mailbox", sizeof *box) : weft_ok();
}

static void free_all(studio_letter *letter) {
    while (letter) {
        studio_letter *next = letter->next;
        studio_letter_free(letter);
        letter = next;
    }
}

void studio_mailbox_destroy(studio_mailbox *box) {
    free_all(box->in_first);
    free_all(box->out_first);
    studio_frame_drop(box->latest);
    pthread_cond_destroy(&box->came);
    pthread_mutex_destroy(&box->lock);
}

static studio_letter *make_letter(uint64_t viewer, char *bytes, size_t size, unsigned flags) {
    studio_letter *letter = calloc(1, sizeof *letter);
    if (!letter) {
        free(bytes);
        return NULL;
    }
    letter->viewer = viewer;
    letter->bytes = bytes;
    letter->size = size;
    letter->flags = flags;
    return letter;
}

static void append(studio_letter **first, studio_letter **last, studio_letter *letter) {
    if (*last)
        (*last)->next = letter;
    else
        *first = letter;
    *last = letter;
}

int studio_mailbox_send(studio_mailbox *box, uint64_t viewer, char *bytes, size_t size) {
    int news = bytes == NULL;
    studio_letter *letter = make_letter(viewer, bytes, size, 0);
    if (!letter)
        return 0;
    pthread_mutex_lock(&box->lock);
    int taken = news || box->in_count < MOST_LETTERS;
    if (taken) {
        append(&box->in_first, &box->in_last, letter);
        box->in_count++;
        pthread_cond_signal(&box->came);
    }
    pthread_mutex_unlock(&box->lock);
    if (!taken)
        studio_letter_free(letter);
    return taken;
}

studio_letter *studio_mailbox_take(studio_mailbox *box, double seconds) {
    double until = studio_now() + fmin(seconds, 3600);
    struct timespec at = {.tv_sec = (time_t)until, .tv_nsec = (long)(1e9 * (until - floor(until)))};
    pthread_mutex_lock(&box->lock);
    while (!box->in_first && !box->closed && seconds > 0)
        if (pthread_cond_timedwait(&box->came, &box->lock, &at) != 0)
            break;
    studio_letter *first = box->in_first;
    box->in_first = box->in_last = NULL;
    box->in_count = 0;
    pthread_mutex_unlock(&box->lock);
    return first;
}

void studio_mailbox_close(studio_mailbox *box) {
    pthread_mutex_lock(&box->lock);
    box->closed = 1;
    pthread_cond_broadcast(&box->came);
    pthread_mutex_unlock(&box->lock);
}

int studio_mailbox_is_closed(studio_mailbox *box) {
    pthread_mutex_lock(&box->lock);
    int closed = box->closed;
    pthread_mutex_unlock(&box->lock);
    return closed;
}

void studio_mailbox_post(studio_mailbox *box, uint64_t viewer, char *text, unsigned flags) {
    studio_letter *letter = make_letter(viewer, text, strlen(text), flags);
    if (!letter)
        return;
    pthread_mutex_lock(&box->lock);
    append(&box->out_first, &box->out_last, letter);
    pthread_mutex_unlock(&box->lock);
}

studio_letter *studio_mailbox_take_posts(studio_mailbox *box) {
    pthread_mutex_lock(&box->lock);
    studio_letter *first = box->out_first;
    box->out_first = box->out_last = NULL;
    pthread_mutex_unlock(&box->lock);
    return first;
}

void studio_mailbox_show(studio_mailbox *box, studio_frame *frame) {
    pthread_mutex_lock(&box->lock);
    studio_frame *old = box->latest;
    box->latest = frame;
    pthread_mutex_unlock(&box->lock);
    studio_frame_drop(old);
}

studio_frame *studio_mailbox_latest(studio_mailbox *box) {
    pthread_mutex_lock(&box->lock);
    studio_frame *frame = studio_frame_hold(box->latest);
    pthread_mutex_unlock(&box->lock);
    return frame;
}
