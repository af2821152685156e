#include "apps/cli/report_crossings.h"

#include <inttypes.h>
#include <stdio.h>

#include "io/notices.h"
#include "weft/text.h"

static void print_crossing(const weft_sim *sim, const weft_crossing *c) {
    char cloth[120], other[120];
    weft_format(cloth, sizeof cloth, "cloth '%.60s'", weft_sim_cloth(sim, c->cloth)->name);
    weft_contact_name(sim, c->cloth, c->other, c->body, other, sizeof other);
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
            weft_contact_name(sim, i, WEFT_NONE, body, name, sizeof name);
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
