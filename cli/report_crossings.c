#include "cli/report_crossings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "weft/text.h"

/* Writes "body 'box'", or "body 'box' (bodies.1)" if several bodies have that name. */
static void name_body(const weft_sim *sim, int32_t body, char *text, size_t size) {
    const char *name = weft_sim_body_name(sim, body);
    int same = 0;
    for (int32_t i = 0; i < weft_sim_body_count(sim); i++)
        same += strcmp(weft_sim_body_name(sim, i), name) == 0;
    if (same > 1)
        weft_format(text, size, "body '%.60s' (bodies.%d)", name, body);
    else
        weft_format(text, size, "body '%.60s'", name);
}

static void name_other(const weft_sim *sim, int32_t cloth, int32_t other, int32_t body, char *text, size_t size) {
    if (body != WEFT_NONE)
        name_body(sim, body, text, size);
    else if (other == cloth)
        weft_format(text, size, "itself");
    else
        weft_format(text, size, "cloth '%.60s'", weft_sim_cloth(sim, other)->name);
}

void weft_event_write(const weft_sim *sim, const weft_sim_event *event, char *text, size_t size) {
    char other[120];
    name_other(sim, event->cloth, event->other, event->body, other, sizeof other);
    if (event->left > 0) {
        weft_format(text, size, "at %.6g s %" PRId64 " collision%s left: cloth '%.60s' may have passed through %s",
                    event->time, event->left, event->left == 1 ? " was" : "s were",
                    weft_sim_cloth(sim, event->cloth)->name, other);
        return;
    }
    if (event->touches > 0) {
        weft_format(text, size,
                    "at %.6g s cloth '%.60s' touches %s at distance 0 in %" PRId64
                    " places, and which side it is on cannot be told: it may pass through",
                    event->time, weft_sim_cloth(sim, event->cloth)->name, other, event->touches);
        return;
    }
    if (event->crossings == 0) {
        weft_format(text, size, "at %.6g s cloth '%.60s' lies inside of %s", event->time,
                    weft_sim_cloth(sim, event->cloth)->name, other);
        return;
    }
    weft_format(text, size, "at %.6g s cloth '%.60s' intersects %s: %" PRId64 " edge%s through triangles", event->time,
                weft_sim_cloth(sim, event->cloth)->name, other, event->crossings,
                event->crossings == 1 ? " passes" : "s pass");
}

static void print_crossing(const weft_sim *sim, const weft_crossing *c) {
    char cloth[120], other[120];
    weft_format(cloth, sizeof cloth, "cloth '%.60s'", weft_sim_cloth(sim, c->cloth)->name);
    name_other(sim, c->cloth, c->other, c->body, other, sizeof other);
    int self = c->body == WEFT_NONE && c->other == c->cloth;
    printf("            edge %d-%d of %s passes through triangle %d-%d-%d of %s\n", c->edge[0], c->edge[1],
           c->edge_of_other ? other : cloth, c->triangle[0], c->triangle[1], c->triangle[2],
           c->edge_of_other || self ? cloth : other);
}

static void print_inside(const weft_sim *sim) {
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        for (int32_t body = 0; body < weft_sim_body_count(sim); body++) {
            char name[120];
            if (!weft_sim_inside(sim, i, body))
                continue;
            name_other(sim, i, WEFT_NONE, body, name, sizeof name);
            printf("warning     cloth '%.60s' lies inside of %s\n", weft_sim_cloth(sim, i)->name, name);
        }
}

weft_result weft_crossings_print(weft_sim *sim) {
    enum { MOST = 10 };
    weft_crossing crossing[MOST];
    weft_intersections found;
    int32_t count;
    WEFT_TRY(weft_sim_crossings(sim, crossing, MOST, &count, &found));
    int64_t all = found.self + found.cloths + found.bodies;
    if (found.bodies == 0)
        print_inside(sim);
    if (all == 0)
        return weft_ok();
    printf("warning     the start intersects: %" PRId64 " edges pass through triangles (%" PRId64
           " of a cloth itself, %" PRId64 " between cloths, %" PRId64 " with bodies); contact: {repair: true} "
           "untangles what it can\n",
           all, found.self, found.cloths, found.bodies);
    for (int32_t i = 0; i < count; i++)
        print_crossing(sim, &crossing[i]);
    if (all > count)
        printf("            and %" PRId64 " more\n", all - count);
    return weft_ok();
}

void weft_repair_write(const weft_sim *sim, char *text, size_t size) {
    weft_repair done = weft_sim_repaired(sim);
    text[0] = '\0';
    if (done.before == 0)
        return;
    int used =
        weft_format(text, size,
                    "the start was untangled: %" PRId64 " intersections or vertices inside of bodies before, "
                    "%" PRId64 " after %d rounds; vertices moved by up to %.3g mm, edges got longer by up to %.3g %%",
                    done.before, done.after, done.rounds, 1000 * done.farthest, 100 * done.stretch);
    if (done.after > 0 && used > 0 && (size_t)used < size)
        weft_format(text + used, size - (size_t)used,
                    "; what is left could not be untangled without stretching the cloth, and stays as it was");
}

void weft_separation_write(const weft_sim *sim, char *text, size_t size) {
    weft_separation done = weft_sim_separated(sim);
    text[0] = '\0';
    if (done.left > 0)
        weft_format(text, size,
                    "%" PRId64
                    " places touch at distance 0, and which side the cloth is on cannot be told: it may pass "
                    "through; move it off by a little",
                    done.left);
    else if (done.vertices > 0)
        weft_format(text, size,
                    "the start touches at distance 0, which does not say on which side the cloth is: %" PRId64
                    " vertices were moved off by up to %.3g mm",
                    done.vertices, 1000 * done.farthest);
}
