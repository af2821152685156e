/* Snapshots: the state as bytes, and its hash. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

static const char MAGIC[8] = {'W', 'E', 'F', 'T', 'S', 'N', 'P', '4'};

typedef struct snapshot_header {
    char magic[8];
    int64_t size; /* of the whole snapshot, bytes */
    int32_t count, cloth_count, drag_count, move_count;
    int32_t pinned, unused; /* pinned: number of vertices that refinement inserted into pins */
    int64_t integrator;     /* bytes of the integrator's state, stored last */
    double time, dt_before;
    int64_t frame, step_count, links_broken;
} snapshot_header;

/* Layout after the header:
 *   for each cloth the size of its surface, 0 if it cannot change, and the surface
 *   x, v, x_before, v_before
 *   drags; moves of bodies; vertices inserted into pins
 *   for each cloth its open faces and the state of its model
 *   the state of the integrator */

typedef struct pinned {
    int32_t pin, vertex;
    weft_vec3 start;
} pinned;

static size_t model_state_size(const sim_cloth *cloth) {
    return cloth->self && sim_model(cloth)->state_size ? sim_model(cloth)->state_size(cloth->self) : 0;
}

static const weft_integrator_functions *integrator_of(const weft_sim *sim) { return sim->integrator->functions; }

/* 0 between a change of a mesh and the next step, which creates the integrator again. */
static size_t integrator_state_size(const weft_sim *sim) {
    return sim_integrator_fits(sim) && integrator_of(sim)->state_size
               ? integrator_of(sim)->state_size(sim->integrator_self)
               : 0;
}

/* Whether meshes can change, and the state of the integrator with them. */
static int is_changing(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++)
        if (sim->cloth[i].refined)
            return 1;
    return 0;
}

static weft_result fail_integrator(const weft_sim *sim) {
    return weft_fail(WEFT_BAD_INPUT, "snapshot: of another integrator than '%s', or of one with other settings",
                     sim->integrator->name);
}

static size_t surface_size(const sim_cloth *cloth) { return cloth->refined ? weft_refined_size(cloth->refined) : 0; }

static int32_t count_pinned(const weft_sim *sim) {
    int32_t count = 0;
    for (int32_t i = 0; i < sim->pin_count; i++)
        count += sim->pin[i].count - sim->pin[i].given;
    return count;
}

/* Bytes of the parts with constant size, without surfaces, drags and pinned vertices. */
static size_t fixed_size(const weft_sim *sim) {
    size_t size = sizeof(snapshot_header) + 4 * (size_t)sim->count * sizeof(weft_vec3);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        size += sizeof(int64_t) + (size_t)sim->cloth[i].mesh->face_count + model_state_size(&sim->cloth[i]);
    return size + integrator_state_size(sim);
}

size_t weft_sim_snapshot_size(const weft_sim *sim) {
    size_t size = fixed_size(sim) + (size_t)sim->drag_count * sizeof(sim_drag) +
                  (size_t)sim_move_count(sim) * sizeof(sim_move) + (size_t)count_pinned(sim) * sizeof(pinned);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        size += surface_size(&sim->cloth[i]);
    return size;
}

static char *put(char *at, const void *bytes, size_t size) {
    if (size > 0)
        memcpy(at, bytes, size);
    return at + size;
}

static char *put_surfaces(const weft_sim *sim, char *at) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        int64_t size = (int64_t)surface_size(&sim->cloth[i]);
        at = put(at, &size, sizeof size);
        if (size > 0)
            weft_refined_save(sim->cloth[i].refined, at);
        at += size;
    }
    return at;
}

static char *put_pinned(const weft_sim *sim, char *at) {
    for (int32_t i = 0; i < sim->pin_count; i++)
        for (int32_t k = sim->pin[i].given; k < sim->pin[i].count; k++) {
            pinned one = {i, sim->pin[i].vertex[k], sim->pin[i].start[k]};
            at = put(at, &one, sizeof one);
        }
    return at;
}

void weft_sim_snapshot(const weft_sim *sim, void *buffer) {
    snapshot_header header = {.size = (int64_t)weft_sim_snapshot_size(sim),
                              .count = sim->count,
                              .cloth_count = sim->cloth_count,
                              .drag_count = sim->drag_count,
                              .pinned = count_pinned(sim),
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
    at = put_surfaces(sim, at);
    at = put(at, sim->x, vectors);
    at = put(at, sim->v, vectors);
    at = put(at, sim_x_before(sim), vectors);
    at = put(at, sim_v_before(sim), vectors);
    at = put(at, sim->drag, (size_t)sim->drag_count * sizeof(sim_drag));
    sim_save_moves(sim, at);
    at += (size_t)header.move_count * sizeof(sim_move);
    at = put_pinned(sim, at);
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

/* Positions of the sections of a snapshot. */
typedef struct parts {
    snapshot_header header;
    const char *surfaces, *state, *drags, *moves, *pinned, *models, *end;
} parts;

static weft_result read_header(const void *buffer, size_t size, snapshot_header *header) {
    if (size < sizeof *header)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %zu bytes, at least %zu are needed", size, sizeof *header);
    memcpy(header, buffer, sizeof *header);
    if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: not a snapshot of this version");
    return weft_ok();
}

weft_result weft_snapshot_step_count(const void *buffer, size_t size, int64_t *steps) {
    snapshot_header header;
    WEFT_REQUIRE(buffer);
    WEFT_REQUIRE(steps);
    WEFT_TRY(read_header(buffer, size, &header));
    *steps = header.step_count;
    return weft_ok();
}

static weft_result check_header(const weft_sim *sim, const void *buffer, size_t size, snapshot_header *header) {
    WEFT_TRY(read_header(buffer, size, header));
    if (header->cloth_count != sim->cloth_count)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: of %d cloths with %d vertices, this simulation has %d with %d",
                         header->cloth_count, header->count, sim->cloth_count, sim->count);
    int stores = integrator_state_size(sim) > 0; /* the integrator checks the size itself */
    if (header->integrator < 0 || (!is_changing(sim) && (header->integrator > 0) != stores))
        return fail_integrator(sim);
    if (!isfinite(header->time) || !isfinite(header->dt_before) || header->dt_before < 0 || header->frame < 0 ||
        header->step_count < 0)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: time %g s or frame %lld makes no sense", header->time,
                         (long long)header->frame);
    return weft_ok();
}

/* Reads the surface at *at, or keeps the present one if it is the same. Advances *at. */
static weft_result read_surface(const sim_cloth *cloth, const char **at, const char *end, weft_refined **surface) {
    int64_t size;
    *surface = NULL;
    if (end - *at < (ptrdiff_t)sizeof size)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: ends within the surface of cloth '%.64s'", cloth->name);
    memcpy(&size, *at, sizeof size);
    *at += sizeof size;
    if (size < 0 || size > end - *at || (size > 0) != (cloth->refined != NULL))
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %lld bytes for the surface of cloth '%.64s' do not fit",
                         (long long)size, cloth->name);
    if (size > 0)
        WEFT_TRY(weft_refined_load(cloth->refined, *at, (size_t)size, surface));
    *at += size;
    return weft_ok();
}

static weft_result read_surfaces(const weft_sim *sim, const char **at, const char *end, weft_refined **surface) {
    for (int32_t i = 0; i < sim->cloth_count; i++)
        WEFT_TRY(read_surface(&sim->cloth[i], at, end, &surface[i]));
    return weft_ok();
}

/* Counts of vertices and faces after loading. The faces of a cloth that can change are its triangles. */
static weft_result find_parts(const weft_sim *sim, weft_refined *const *surface, size_t left, const char *at,
                              parts *p) {
    int64_t count = 0;
    size_t faces = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        count += surface[i] ? surface[i]->vertex_count : cloth->mesh->vertex_count;
        faces += surface[i] ? (size_t)surface[i]->triangle_count : (size_t)cloth->mesh->face_count;
        faces += model_state_size(cloth);
    }
    faces += (size_t)p->header.integrator;
    if (p->header.count != count)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: of %d cloths with %d vertices, this simulation has %d with %lld",
                         p->header.cloth_count, p->header.count, sim->cloth_count, (long long)count);
    size_t state = 4 * (size_t)count * sizeof(weft_vec3);
    if (p->header.drag_count < 0 || p->header.drag_count > count || p->header.pinned < 0 || p->header.move_count < 0 ||
        p->header.move_count > sim->body_count || (size_t)p->header.integrator > left ||
        left != state + faces + (size_t)p->header.drag_count * sizeof(sim_drag) +
                    (size_t)p->header.move_count * sizeof(sim_move) + (size_t)p->header.pinned * sizeof(pinned))
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %lld bytes do not fit this simulation", (long long)p->header.size);
    p->state = at;
    p->drags = p->state + state;
    p->moves = p->drags + (size_t)p->header.drag_count * sizeof(sim_drag);
    p->pinned = p->moves + (size_t)p->header.move_count * sizeof(sim_move);
    p->models = p->pinned + (size_t)p->header.pinned * sizeof(pinned);
    p->end = at + left;
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

static weft_result check_drags(const parts *p) {
    for (int32_t i = 0; i < p->header.drag_count; i++) {
        sim_drag drag;
        memcpy(&drag, p->drags + (size_t)i * sizeof drag, sizeof drag);
        if (drag.vertex < 0 || drag.vertex >= p->header.count || !weft_vec3_is_finite(drag.to) ||
            !weft_vec3_is_finite(drag.from) || !isfinite(drag.begin) || !isfinite(drag.end))
            return weft_fail(WEFT_BAD_INPUT, "snapshot: drag %d of vertex %d makes no sense", i, drag.vertex);
    }
    return weft_ok();
}

/* Refinement may have inserted vertices into a pin. */
static weft_result check_given(const weft_sim *sim, weft_refined *const *surface) {
    for (int32_t c = 0; c < sim->cloth_count; c++)
        for (int32_t i = 0; surface[c] && i < sim->pin_count; i++)
            for (int32_t k = 0; k < sim->pin[i].given; k++) {
                int32_t v = sim->pin[i].vertex[k] - sim->cloth[c].first;
                if (v < sim->cloth[c].refined->vertex_count && v >= surface[c]->vertex_count)
                    return weft_fail(WEFT_BAD_INPUT, "snapshot: has no vertex %d of cloth '%.64s', which a pin holds",
                                     (int)v, sim->cloth[c].name);
            }
    return weft_ok();
}

static weft_result check_pinned(const weft_sim *sim, const parts *p) {
    for (int32_t i = 0; i < p->header.pinned; i++) {
        pinned one;
        memcpy(&one, p->pinned + (size_t)i * sizeof one, sizeof one);
        if (one.pin < 0 || one.pin >= sim->pin_count || one.vertex < 0 || one.vertex >= p->header.count ||
            !weft_vec3_is_finite(one.start))
            return weft_fail(WEFT_BAD_INPUT, "snapshot: vertex %d of pin %d makes no sense", one.vertex, one.pin);
    }
    return weft_ok();
}

static weft_result check_faces(const weft_sim *sim, weft_refined *const *surface, const char *at) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        int32_t faces = surface[i] ? surface[i]->triangle_count : cloth->mesh->face_count;
        for (int32_t k = 0; k < faces; k++)
            if ((unsigned char)at[k] > 1)
                return weft_fail(WEFT_BAD_INPUT, "snapshot: face %d is neither whole nor torn", (int)k);
        at += (size_t)faces + model_state_size(cloth);
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

/* Models and the integrator check their own sections, so they are loaded first. If one refuses, the previous state of
 * the others is restored. */
static weft_result load_models(weft_sim *sim, weft_refined *const *surface, const char *at, size_t integrator) {
    weft_result result = weft_ok();
    for (int32_t i = 0; i < sim->cloth_count && result.code == WEFT_OK; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        size_t faces = surface && surface[i] ? (size_t)surface[i]->triangle_count : (size_t)cloth->mesh->face_count;
        size_t size = model_state_size(cloth);
        if (size > 0)
            result = sim_model(cloth)->state_load(cloth->self, at + faces, size);
        at += faces + size;
    }
    if (result.code == WEFT_OK && integrator > 0 && !is_changing(sim))
        result = integrator_of(sim)->state_load(sim->integrator_self, at, integrator);
    return result;
}

/* Loads the state of the integrator after changed meshes: the integrator is created for these first. */
static weft_result load_changed(weft_sim *sim, const parts *p) {
    size_t size = (size_t)p->header.integrator;
    if (!is_changing(sim))
        return weft_ok();
    if (size == 0) {
        if (integrator_state_size(sim) > 0)
            sim_forget_integrator(sim);
        return weft_ok();
    }
    WEFT_TRY(sim_prepare_integrator(sim));
    if (integrator_state_size(sim) == 0)
        return fail_integrator(sim);
    return integrator_of(sim)->state_load(sim->integrator_self, p->end - size, size);
}

static weft_result finish_integrator(weft_sim *sim) {
    if (!sim->integrator_self || !integrator_of(sim)->restored)
        return weft_ok();
    weft_system system = sim_system(sim);
    return integrator_of(sim)->restored(sim->integrator_self, sim->integrator_settings, &system);
}

static void take_pinned(weft_sim *sim, const parts *p) {
    for (int32_t i = 0; i < sim->pin_count; i++)
        sim->pin[i].count = sim->pin[i].given;
    for (int32_t i = 0; i < p->header.pinned; i++) {
        pinned one;
        memcpy(&one, p->pinned + (size_t)i * sizeof one, sizeof one);
        sim_pin *pin = &sim->pin[one.pin];
        pin->vertex[pin->count] = one.vertex;
        pin->start[pin->count++] = one.start;
    }
}

static void take_state(weft_sim *sim, const parts *p) {
    const snapshot_header *header = &p->header;
    size_t vectors = (size_t)sim->count * sizeof(weft_vec3);
    memcpy(sim->x, p->state, vectors);
    memcpy(sim->v, p->state + vectors, vectors);
    memcpy(sim_x_before(sim), p->state + 2 * vectors, vectors);
    memcpy(sim_v_before(sim), p->state + 3 * vectors, vectors);
    if (header->drag_count > 0)
        memcpy(sim->drag, p->drags, (size_t)header->drag_count * sizeof(sim_drag));
    sim->time = header->time;
    sim_load_moves(sim, p->moves, header->move_count);
    take_pinned(sim, p);
    const char *at = p->models;
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
    sim->frame_done = 0; /* snapshots are taken between frames */
}

/* Pins have room for all their vertices. Given vertices of later cloths follow the new numbering. */
static weft_result take_surfaces(weft_sim *sim, weft_refined **surface, const parts *p) {
    WEFT_TRY(sim_reserve(sim, p->header.count));
    for (int32_t i = 0; i < sim->pin_count; i++)
        WEFT_TRY(sim_reserve_pin(&sim->pin[i], sim->pin[i].given + p->header.pinned));
    for (int32_t i = sim->cloth_count - 1; i >= 0; i--)
        if (surface[i]) {
            sim_replace_refined(sim, &sim->cloth[i], surface[i]);
            surface[i] = NULL;
        }
    return sim_rebuild(sim);
}

static weft_result restore_bytes(weft_sim *sim, const void *buffer, size_t size, int again);

static weft_result restore(weft_sim *sim, weft_refined **surface, const parts *p, int again) {
    WEFT_TRY(check_vectors(p->state, 4 * (int64_t)p->header.count));
    WEFT_TRY(check_drags(p));
    WEFT_TRY(sim_check_moves(sim, p->moves, p->header.move_count));
    WEFT_TRY(check_pinned(sim, p));
    WEFT_TRY(check_given(sim, surface));
    WEFT_TRY(check_faces(sim, surface, p->models));
    WEFT_TRY(reserve_drags(sim, p->header.drag_count));
    void *kept = malloc(weft_sim_snapshot_size(sim));
    if (!kept)
        return weft_fail_memory("the state to go back to", weft_sim_snapshot_size(sim));
    weft_sim_snapshot(sim, kept);
    size_t kept_size = weft_sim_snapshot_size(sim), integrator = integrator_state_size(sim), models = integrator;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        models += (size_t)sim->cloth[i].mesh->face_count + model_state_size(&sim->cloth[i]);
    weft_result result = load_models(sim, surface, p->models, (size_t)p->header.integrator);
    int models_refused = result.code != WEFT_OK;
    if (models_refused)
        load_models(sim, NULL, (const char *)kept + kept_size - models, integrator);
    else
        result = take_surfaces(sim, surface, p);
    if (result.code == WEFT_OK) {
        take_state(sim, p);
        result = load_changed(sim, p);
    }
    if (result.code == WEFT_OK)
        result = finish_integrator(sim);
    if (result.code != WEFT_OK && !models_refused && !again) /* the surface was refused: restore the previous one */
        restore_bytes(sim, kept, kept_size, 1);
    free(kept);
    return result;
}

/* `again`: this restores the previous state after a failure. */
static weft_result restore_bytes(weft_sim *sim, const void *buffer, size_t size, int again) {
    parts p;
    WEFT_TRY(check_header(sim, buffer, size, &p.header));
    weft_refined **surface = weft_allocate((size_t)sim->cloth_count, sizeof *surface);
    if (!surface)
        return weft_fail_memory("snapshot", (size_t)sim->cloth_count * sizeof *surface);
    const char *at = (const char *)buffer + sizeof p.header, *end = (const char *)buffer + size;
    weft_result result = read_surfaces(sim, &at, end, surface);
    if (result.code == WEFT_OK)
        result = find_parts(sim, surface, (size_t)(end - at), at, &p);
    if (result.code == WEFT_OK)
        result = restore(sim, surface, &p, again);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        weft_refined_destroy(surface[i]);
    free(surface);
    return result;
}

weft_result weft_sim_restore(weft_sim *sim, const void *buffer, size_t size) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(buffer);
    WEFT_TRY(weft_sim_prepare(sim));
    weft_result result = restore_bytes(sim, buffer, size, 0);
    sim_refresh_inputs(sim);
    return result.code == WEFT_OK ? weft_sim_prepare(sim) : result;
}

static uint64_t hash_vectors(uint64_t hash, const weft_vec3 *vector, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        uint64_t word[3];
        memcpy(word, &vector[i], sizeof word);
        for (int k = 0; k < 3; k++) { /* FNV-1a over words instead of bytes, with one more mixing step per word */
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
