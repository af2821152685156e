/* The state as bytes, and its hash. */
#include <math.h>

#include "sim/internal.h"

static const char MAGIC[8] = {'W', 'E', 'F', 'T', 'S', 'N', 'P', '2'};

typedef struct snapshot_header {
    char magic[8];
    int64_t size; /* of the whole snapshot */
    int32_t count, cloth_count, drag_count, move_count;
    int64_t integrator; /* bytes of the integrator's state, at the end */
    double time, dt_before;
    int64_t frame, step_count, links_broken;
} snapshot_header;

static size_t model_state_size(const sim_cloth *cloth) {
    return cloth->self && sim_model(cloth)->state_size ? sim_model(cloth)->state_size(cloth->self) : 0;
}

static const weft_integrator_functions *integrator_of(const weft_sim *sim) { return sim->integrator->functions; }

static size_t integrator_state_size(const weft_sim *sim) {
    return sim->integrator_self && integrator_of(sim)->state_size ? integrator_of(sim)->state_size(sim->integrator_self)
                                                                  : 0;
}

size_t weft_sim_snapshot_size(const weft_sim *sim) {
    size_t size = sizeof(snapshot_header) + 4 * (size_t)sim->count * sizeof(weft_vec3) +
                  (size_t)sim->drag_count * sizeof(sim_drag) + (size_t)sim_move_count(sim) * sizeof(sim_move);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        size += (size_t)sim->cloth[i].mesh->face_count + model_state_size(&sim->cloth[i]);
    return size + integrator_state_size(sim);
}

static char *put(char *at, const void *bytes, size_t size) {
    if (size > 0)
        memcpy(at, bytes, size);
    return at + size;
}

void weft_sim_snapshot(const weft_sim *sim, void *buffer) {
    snapshot_header header = {.size = (int64_t)weft_sim_snapshot_size(sim),
                              .count = sim->count,
                              .cloth_count = sim->cloth_count,
                              .drag_count = sim->drag_count,
                              .move_count = sim_move_count(sim),
                              .integrator = (int64_t)integrator_state_size(sim),
                              .time = sim->time,
                              .dt_before = sim->dt_before,
                              .frame = sim->frame,
                              .step_count = sim->step_count,
                              .links_broken = sim->links_broken};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    size_t vectors = (size_t)sim->count * sizeof(weft_vec3);
    char *at = put(buffer, &header, sizeof header);
    at = put(at, sim->x, vectors);
    at = put(at, sim->v, vectors);
    at = put(at, sim_x_before(sim), vectors);
    at = put(at, sim_v_before(sim), vectors);
    at = put(at, sim->drag, (size_t)sim->drag_count * sizeof(sim_drag));
    sim_save_moves(sim, at);
    at += (size_t)header.move_count * sizeof(sim_move);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        at = put(at, cloth->open_face, (size_t)cloth->mesh->face_count);
        size_t size = model_state_size(cloth);
        if (size > 0)
            sim_model(cloth)->state_save(cloth->self, at);
        at += size;
    }
    if (header.integrator > 0)
        integrator_of(sim)->state_save(sim->integrator_self, at);
}

/* Of drags and moves. */
static size_t inputs_size(const snapshot_header *header) {
    return (size_t)header->drag_count * sizeof(sim_drag) + (size_t)header->move_count * sizeof(sim_move);
}

static weft_result check_header(const weft_sim *sim, const void *buffer, size_t size, snapshot_header *header) {
    if (size < sizeof *header)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %zu bytes, at least %zu are needed", size, sizeof *header);
    memcpy(header, buffer, sizeof *header);
    if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: not a snapshot of this version");
    if (header->count != sim->count || header->cloth_count != sim->cloth_count)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: of %d cloths with %d vertices, this simulation has %d with %d",
                         header->cloth_count, header->count, sim->cloth_count, sim->count);
    if (header->integrator != (int64_t)integrator_state_size(sim))
        return weft_fail(WEFT_BAD_INPUT, "snapshot: of another integrator than '%s', or of one with other settings",
                         sim->integrator->name);
    size_t expected = weft_sim_snapshot_size(sim) - (size_t)sim->drag_count * sizeof(sim_drag) -
                      (size_t)sim_move_count(sim) * sizeof(sim_move);
    if (header->drag_count < 0 || header->drag_count > sim->count || header->move_count < 0 ||
        header->move_count > sim->body_count || size != expected + inputs_size(header))
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %zu bytes do not fit this simulation", size);
    if (!isfinite(header->time) || !isfinite(header->dt_before) || header->dt_before < 0 || header->frame < 0 ||
        header->step_count < 0)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: time %g s or frame %lld makes no sense", header->time,
                         (long long)header->frame);
    return weft_ok();
}

static weft_result check_vectors(const char *bytes, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        weft_vec3 v;
        memcpy(&v, bytes + i * (int64_t)sizeof v, sizeof v);
        if (!weft_vec3_is_finite(v))
            return weft_fail(WEFT_BAD_INPUT, "snapshot: value %lld of the state is not finite", (long long)i);
    }
    return weft_ok();
}

static weft_result check_drags(const weft_sim *sim, const char *bytes, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        sim_drag drag;
        memcpy(&drag, bytes + (size_t)i * sizeof drag, sizeof drag);
        if (drag.vertex < 0 || drag.vertex >= sim->count || !weft_vec3_is_finite(drag.to))
            return weft_fail(WEFT_BAD_INPUT, "snapshot: drag %d of vertex %d makes no sense", i, drag.vertex);
    }
    return weft_ok();
}

static weft_result reserve_drags(weft_sim *sim, int32_t count) {
    if (count <= sim->drag_capacity)
        return weft_ok();
    sim_drag *grown = realloc(sim->drag, (size_t)count * sizeof *grown);
    if (!grown)
        return weft_fail_memory("drags", (size_t)count * sizeof *grown);
    sim->drag = grown;
    sim->drag_capacity = count;
    return weft_ok();
}

/* Models and the integrator check their own part, so they go first; one that refuses after another took over is put
 * back. */
static weft_result load_models(weft_sim *sim, const char *at) {
    weft_result result = weft_ok();
    for (int32_t i = 0; i < sim->cloth_count && result.code == WEFT_OK; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        size_t faces = (size_t)cloth->mesh->face_count, size = model_state_size(cloth);
        for (size_t k = 0; k < faces; k++)
            if ((unsigned char)at[k] > 1)
                return weft_fail(WEFT_BAD_INPUT, "snapshot: face %zu is neither whole nor torn", k);
        if (size > 0)
            result = sim_model(cloth)->state_load(cloth->self, at + faces, size);
        at += faces + size;
    }
    size_t size = integrator_state_size(sim);
    if (result.code == WEFT_OK && size > 0)
        result = integrator_of(sim)->state_load(sim->integrator_self, at, size);
    return result;
}

static void take_state(weft_sim *sim, const snapshot_header *header, const char *at) {
    size_t vectors = (size_t)sim->count * sizeof(weft_vec3);
    memcpy(sim->x, at, vectors);
    memcpy(sim->v, at + vectors, vectors);
    memcpy(sim_x_before(sim), at + 2 * vectors, vectors);
    memcpy(sim_v_before(sim), at + 3 * vectors, vectors);
    at += 4 * vectors;
    if (header->drag_count > 0)
        memcpy(sim->drag, at, (size_t)header->drag_count * sizeof(sim_drag));
    sim->time = header->time;
    sim_load_moves(sim, at + (size_t)header->drag_count * sizeof(sim_drag), header->move_count);
    at += inputs_size(header);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        memcpy(cloth->open_face, at, (size_t)cloth->mesh->face_count);
        at += (size_t)cloth->mesh->face_count + model_state_size(cloth);
    }
    memset(sim->pulled, 0, vectors);
    sim->watch = SIM_WATCH_QUIETLY;
    sim->drag_count = header->drag_count;
    sim->dt_before = header->dt_before;
    sim->frame = header->frame;
    sim->step_count = header->step_count;
    sim->links_broken = header->links_broken;
    sim->frame_done = 0; /* snapshots are of whole frames */
}

weft_result weft_sim_restore(weft_sim *sim, const void *buffer, size_t size) {
    WEFT_TRY(weft_sim_prepare(sim));
    snapshot_header header;
    WEFT_TRY(check_header(sim, buffer, size, &header));
    const char *at = (const char *)buffer + sizeof header;
    size_t vectors = 4 * (size_t)sim->count * sizeof(weft_vec3);
    WEFT_TRY(check_vectors(at, 4 * (int64_t)sim->count));
    WEFT_TRY(check_drags(sim, at + vectors, header.drag_count));
    WEFT_TRY(sim_check_moves(sim, at + vectors + (size_t)header.drag_count * sizeof(sim_drag), header.move_count));
    WEFT_TRY(reserve_drags(sim, header.drag_count));

    void *kept = malloc(weft_sim_snapshot_size(sim));
    if (!kept)
        return weft_fail_memory("the state to go back to", weft_sim_snapshot_size(sim));
    weft_sim_snapshot(sim, kept);
    weft_result result = load_models(sim, at + vectors + inputs_size(&header));
    if (result.code == WEFT_OK)
        take_state(sim, &header, at);
    else
        load_models(sim, (const char *)kept + sizeof header + vectors + (size_t)sim->drag_count * sizeof(sim_drag) +
                             (size_t)sim_move_count(sim) * sizeof(sim_move));
    free(kept);
    sim_refresh_inputs(sim);
    return result;
}

static uint64_t hash_vectors(uint64_t hash, const weft_vec3 *vector, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        uint64_t word[3];
        memcpy(word, &vector[i], sizeof word);
        for (int k = 0; k < 3; k++) { /* FNV-1a over words instead of bytes, mixed once more per word */
            hash = (hash ^ word[k]) * UINT64_C(0x100000001b3);
            hash ^= hash >> 29;
        }
    }
    return hash;
}

uint64_t weft_sim_hash(const weft_sim *sim) {
    uint64_t hash = hash_vectors(UINT64_C(0xcbf29ce484222325), sim->x, sim->count);
    return hash_vectors(hash, sim->v, sim->count);
}
