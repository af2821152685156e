/* Grips: which viewer drags which vertices. A viewer that disconnects releases its own vertices and no others. */
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/session.h"

struct studio_grip {
    studio_grip *next;
    uint64_t viewer;
    int32_t cloth, room;
    unsigned char *held; /* 1 if this viewer holds the vertex (room) */
};

static studio_grip *find(studio_session *session, uint64_t viewer, int32_t cloth) {
    studio_grip *grip = session->grips;
    while (grip && (grip->viewer != viewer || grip->cloth != cloth))
        grip = grip->next;
    if (grip)
        return grip;
    grip = calloc(1, sizeof *grip);
    if (!grip)
        return NULL;
    *grip = (studio_grip){.next = session->grips, .viewer = viewer, .cloth = cloth};
    session->grips = grip;
    return grip;
}

/* Grows the array: refinement and tearing add vertices. */
static int make_room(studio_grip *grip, int32_t room) {
    if (room <= grip->room)
        return 1;
    unsigned char *grown = realloc(grip->held, (size_t)room);
    if (!grown)
        return 0;
    memset(grown + grip->room, 0, (size_t)(room - grip->room));
    grip->held = grown;
    grip->room = room;
    return 1;
}

weft_result studio_grip_take(studio_session *session, uint64_t viewer, const weft_input *input) {
    int32_t room = weft_sim_cloth(session->pane[0].sim, input->index)->mesh->vertex_count;
    studio_grip *grip = find(session, viewer, input->index);
    if (!grip || !make_room(grip, room) || !grip->held)
        return weft_fail_memory("a grip", (size_t)room);
    for (int32_t i = 0; i < input->vertex_count; i++)
        grip->held[input->vertex[i]] = 1;
    return weft_ok();
}

void studio_grip_release(studio_session *session, const weft_input *input) {
    for (studio_grip *grip = session->grips; grip; grip = grip->next) {
        if (grip->cloth != input->index)
            continue;
        if (input->vertex_count == 0 && grip->held)
            memset(grip->held, 0, (size_t)grip->room);
        for (int32_t i = 0; i < input->vertex_count; i++)
            if (input->vertex[i] < grip->room)
                grip->held[input->vertex[i]] = 0;
    }
}

static void destroy(studio_grip *grip) {
    free(grip->held);
    free(grip);
}

/* Releases the vertices of a grip. If memory for the list is out, the whole cloth is released, so that no vertex stays
 * held for ever. */
static void let_go(studio_session *session, const studio_grip *grip) {
    int32_t most = weft_sim_cloth(session->pane[0].sim, grip->cloth)->mesh->vertex_count, count = 0;
    int32_t *vertex = malloc(((size_t)grip->room + 1) * sizeof *vertex);
    int holds = 0;
    for (int32_t i = 0; i < grip->room && i < most; i++) {
        if (!grip->held[i])
            continue;
        holds = 1;
        if (vertex)
            vertex[count++] = i;
    }
    weft_input input = {.kind = WEFT_INPUT_RELEASE, .index = grip->cloth, .vertex = vertex, .vertex_count = count};
    if (holds)
        (void)studio_session_act(session, -1, &input, NULL);
    free(vertex);
}

void studio_grip_forget(studio_session *session, uint64_t viewer) {
    studio_grip **link = &session->grips, *gone = NULL;
    while (*link) {
        studio_grip *grip = *link;
        if (grip->viewer != viewer) {
            link = &grip->next;
            continue;
        }
        *link = grip->next;
        grip->next = gone;
        gone = grip;
    }
    while (gone) {
        studio_grip *next = gone->next;
        let_go(session, gone);
        destroy(gone);
        gone = next;
    }
}

void studio_grip_clear(studio_session *session) {
    while (session->grips) {
        studio_grip *next = session->grips->next;
        destroy(session->grips);
        session->grips = next;
    }
}
