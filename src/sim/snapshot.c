/* Snapshots: the state as bytes, and its hash. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

static const char MAGIC[8] = {'W', 'E', 'F', 'T', 'S', 'N', 'P', '9'};

/* Largest value of time.halvings. */
enum { MOST_DEPTH = 20 };

typedef struct snapshot_header {
    char magic[8];
    int64_t size; /* of the whole snapshot, bytes */
    int32_t count, cloth_count, drag_count, move_count;
    int32_t pinned, grips; /* pinned: number of vertices inserted into pins, by refinement or late */
    int32_t step_depth;
    uint32_t scheme;    /* of the integrator's name, which the state belongs to */
    int64_t integrator; /* bytes of the integrator's state, stored last */
    double time, dt_before, slow_for, step_wanted;
    uint64_t sleep_key;
    int64_t frame, step_count, links_broken;
} snapshot_header;

/* Layout after the header:
 *   for each cloth a cloth_header and its surface
 *   x, v, x_before, v_before
 *   drags; moves of bodies; vertices inserted into pins; grips of contact
 *   for each cloth its open faces and the state of its model
 *   the state of the integrator */

typedef struct cloth_header {
    int64_t surface; /* bytes; 0 if the mesh cannot change */
    int64_t faces;   /* of the mesh */
    int64_t model;   /* bytes of the model's state */
} cloth_header;

typedef struct pinned {
    int32_t pin, vertex;
    weft_vec3 start;
    int32_t triangle, reserved; /* an attachment to a body, by its values */
    double weight[3];
    weft_vec3 apart;
} pinned;

static size_t model_state_size(const sim_cloth *cloth) {
    return cloth->self && sim_model(cloth)->state_size ? sim_model(cloth)->state_size(cloth->self) : 0;
}

static const weft_integrator_functions *integrator_of(const weft_sim *sim) { return sim->integrator->functions; }

/* FNV-1a of the integrator's name: G. Fowler, L. Noll, K. Vo, The FNV non-cryptographic hash algorithm. */
static uint32_t scheme_of(const weft_sim *sim) {
    uint32_t hash = 2166136261U;
    for (const char *c = sim->integrator->name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    return hash;
}

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
        size += sizeof(cloth_header) + (size_t)sim->cloth[i].mesh->face_count + model_state_size(&sim->cloth[i]);
    return size + integrator_state_size(sim);
}

size_t weft_sim_snapshot_size(const weft_sim *sim) {
    sim_fetch_quietly(sim);
    sim_fetch_grips((weft_sim *)sim);
    size_t size = fixed_size(sim) + (size_t)sim->drag_count * sizeof(sim_drag) +
                  (size_t)sim_move_count(sim) * sizeof(sim_move) + (size_t)count_pinned(sim) * sizeof(pinned) +
                  (size_t)sim->grips[0].count * sizeof(weft_contact_grip);
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
        const sim_cloth *cloth = &sim->cloth[i];
        cloth_header header = {(int64_t)surface_size(cloth), cloth->mesh->face_count, (int64_t)model_state_size(cloth)};
        at = put(at, &header, sizeof header);
        if (header.surface > 0)
            weft_refined_save(cloth->refined, at);
        at += header.surface;
    }
    return at;
}

static char *put_pinned(const weft_sim *sim, char *at) {
    for (int32_t i = 0; i < sim->pin_count; i++)
        for (int32_t k = sim->pin[i].given; k < sim->pin[i].count; k++) {
            const sim_pin *pin = &sim->pin[i];
            pinned one = {.pin = i, .vertex = pin->vertex[k], .start = pin->start[k], .triangle = WEFT_NONE};
            if (pin->late && pin->attachment) {
                one.triangle = pin->attachment[k].triangle;
                memcpy(one.weight, pin->attachment[k].weight, sizeof one.weight);
                one.apart = pin->attachment[k].apart;
            }
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
                              .grips = sim->grips[0].count,
                              .move_count = sim_move_count(sim),
                              .scheme = scheme_of(sim),
                              .integrator = (int64_t)integrator_state_size(sim),
                              .time = sim->time,
                              .dt_before = sim->dt_before,
                              .step_depth = sim->step_depth,
                              .step_wanted = sim->step_wanted,
                              .slow_for = sim->slow_for,
                              .sleep_key = sim->sleep_key,
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
    at = put(at, sim->grips[0].grip, (size_t)header.grips * sizeof(weft_contact_grip));
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

/* What a snapshot says of a cloth. */
typedef struct cloth_part {
    size_t faces, model;   /* bytes of open faces and of the model's state */
    weft_refined *surface; /* the surface to take; null if the mesh cannot change, and once it is taken */
    int changes;           /* whether there was one */
} cloth_part;

/* Positions of the sections of a snapshot. */
typedef struct parts {
    snapshot_header header;
    cloth_part *cloth; /* (cloth_count) */
    const char *state, *drags, *moves, *pinned, *grips, *models, *end;
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
    if (header->integrator < 0) /* the integrator checks the size itself */
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %lld bytes for the integrator make no sense",
                         (long long)header->integrator);
    if (!isfinite(header->time) || !isfinite(header->dt_before) || !isfinite(header->slow_for) ||
        !(header->step_wanted >= 0 && header->step_wanted < HUGE_VAL) || header->dt_before < 0 ||
        header->step_depth < 0 || header->step_depth > MOST_DEPTH || header->frame < 0 || header->step_count < 0)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: time %g s or frame %lld makes no sense", header->time,
                         (long long)header->frame);
    return weft_ok();
}

static weft_result fail_surface(const sim_cloth *cloth, int64_t size) {
    return weft_fail(WEFT_BAD_INPUT, "snapshot: %lld bytes for the surface of cloth '%.64s' do not fit",
                     (long long)size, cloth->name);
}

/* A snapshot from before the first change of a mesh has no surface; the mesh is then as it was given. */
static weft_result read_surface(weft_sim *sim, sim_cloth *cloth, const char *at, size_t size, cloth_part *part) {
    weft_result allowed = size > 0 ? sim_allow_changes(sim, cloth) : weft_ok();
    if (allowed.code != WEFT_OK)
        return allowed.code == WEFT_UNSUPPORTED ? fail_surface(cloth, (int64_t)size) : allowed;
    part->changes = cloth->refined != NULL;
    if (!part->changes)
        return weft_ok();
    if (size == 0)
        return sim_make_whole_surface(cloth, &part->surface);
    WEFT_TRY(weft_refined_load(cloth->refined, at, size, &part->surface));
    const char *flaw = sim_split_flaw(cloth, part->surface);
    return flaw ? weft_fail(WEFT_BAD_INPUT, "snapshot: the surface of cloth '%.64s': %s", cloth->name, flaw)
                : weft_ok();
}

/* Faces of the cloth once the snapshot's surface is taken. */
static size_t faces_of(const sim_cloth *cloth, const cloth_part *part) {
    int triangles = part->surface && (sim_model(cloth)->gives & WEFT_RESHAPES);
    return (size_t)(triangles ? part->surface->triangle_count : cloth->mesh->face_count);
}

/* Reads the header and the surface of a cloth at *at. Advances *at. */
static weft_result read_cloth(weft_sim *sim, sim_cloth *cloth, const char **at, const char *end, cloth_part *part) {
    cloth_header header;
    if (end - *at < (ptrdiff_t)sizeof header)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: ends within the surface of cloth '%.64s'", cloth->name);
    memcpy(&header, *at, sizeof header);
    *at += sizeof header;
    if (header.surface < 0 || header.surface > end - *at)
        return fail_surface(cloth, header.surface);
    WEFT_TRY(read_surface(sim, cloth, *at, (size_t)header.surface, part));
    *at += header.surface;
    int counts = header.surface > 0 || !part->changes; /* before its first change a mesh may have had larger faces */
    if (header.model < 0 || header.model > end - *at || header.faces < 0 || header.faces > end - *at ||
        (counts && (size_t)header.faces != faces_of(cloth, part)))
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %lld faces of cloth '%.64s' and %lld bytes of its model do not fit",
                         (long long)header.faces, cloth->name, (long long)header.model);
    part->faces = (size_t)header.faces;
    part->model = (size_t)header.model;
    return weft_ok();
}

static weft_result read_cloths(weft_sim *sim, const char **at, const char *end, cloth_part *part) {
    for (int32_t i = 0; i < sim->cloth_count; i++)
        WEFT_TRY(read_cloth(sim, &sim->cloth[i], at, end, &part[i]));
    return weft_ok();
}

/* Finds the sections by the counts of vertices and faces after loading. */
static weft_result find_parts(const weft_sim *sim, size_t left, const char *at, parts *p) {
    int64_t count = 0;
    size_t faces = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const cloth_part *part = &p->cloth[i];
        count += part->surface ? part->surface->vertex_count : sim->cloth[i].mesh->vertex_count;
        faces += part->faces + part->model;
    }
    faces += (size_t)p->header.integrator;
    if (p->header.count != count)
        return weft_fail(WEFT_BAD_INPUT, "snapshot: of %d cloths with %d vertices, this simulation has %d with %lld",
                         p->header.cloth_count, p->header.count, sim->cloth_count, (long long)count);
    size_t state = 4 * (size_t)count * sizeof(weft_vec3);
    if (p->header.drag_count < 0 || p->header.drag_count > count || p->header.pinned < 0 || p->header.grips < 0 ||
        p->header.move_count < 0 || p->header.move_count > sim->body_count || (size_t)p->header.integrator > left ||
        left != state + faces + (size_t)p->header.drag_count * sizeof(sim_drag) +
                    (size_t)p->header.move_count * sizeof(sim_move) + (size_t)p->header.pinned * sizeof(pinned) +
                    (size_t)p->header.grips * sizeof(weft_contact_grip))
        return weft_fail(WEFT_BAD_INPUT, "snapshot: %lld bytes do not fit this simulation", (long long)p->header.size);
    p->state = at;
    p->drags = p->state + state;
    p->moves = p->drags + (size_t)p->header.drag_count * sizeof(sim_drag);
    p->pinned = p->moves + (size_t)p->header.move_count * sizeof(sim_move);
    p->grips = p->pinned + (size_t)p->header.pinned * sizeof(pinned);
    p->models = p->grips + (size_t)p->header.grips * sizeof(weft_contact_grip);
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
static weft_result check_given(const weft_sim *sim, const cloth_part *part) {
    for (int32_t c = 0; c < sim->cloth_count; c++)
        for (int32_t i = 0; part[c].surface && i < sim->pin_count; i++)
            for (int32_t k = 0; k < sim->pin[i].given; k++) {
                int32_t v = sim->pin[i].vertex[k] - sim->cloth[c].first;
                if (v < sim->cloth[c].refined->vertex_count && v >= part[c].surface->vertex_count)
                    return weft_fail(WEFT_BAD_INPUT, "snapshot: has no vertex %d of cloth '%.64s', which a pin holds",
                                     (int)v, sim->cloth[c].name);
            }
    return weft_ok();
}

/* A late pin has no more vertices than it was given, each attached to a triangle of its body. */
static int is_attachable(const weft_sim *sim, const sim_pin *pin, const pinned *one) {
    if (!pin->late || !pin->attachment)
        return 1;
    const weft_mesh *mesh = sim->body[pin->pin.body].mesh;
    return one->triangle >= (mesh ? 0 : WEFT_NONE) && one->triangle < (mesh ? mesh->triangle_count : 0) &&
           isfinite(one->weight[0]) && isfinite(one->weight[1]) && isfinite(one->weight[2]) &&
           weft_vec3_is_finite(one->apart);
}

/* Fails if a late pin has more vertices in the snapshot than it was given. */
static weft_result check_late(const weft_sim *sim, const parts *p) {
    for (int32_t k = 0; k < sim->pin_count; k++) {
        int32_t count = 0;
        for (int32_t i = 0; i < p->header.pinned && sim->pin[k].late; i++) {
            pinned one;
            memcpy(&one, p->pinned + (size_t)i * sizeof one, sizeof one);
            count += one.pin == k;
        }
        if (count > sim->pin[k].late_count)
            return weft_fail(WEFT_BAD_INPUT, "snapshot: pin %d has %d vertices; %d are possible", k, count,
                             sim->pin[k].late_count);
    }
    return weft_ok();
}

static weft_result check_pinned(const weft_sim *sim, const parts *p) {
    for (int32_t i = 0; i < p->header.pinned; i++) {
        pinned one;
        memcpy(&one, p->pinned + (size_t)i * sizeof one, sizeof one);
        if (one.pin < 0 || one.pin >= sim->pin_count || one.vertex < 0 || one.vertex >= p->header.count ||
            !weft_vec3_is_finite(one.start) || !is_attachable(sim, &sim->pin[one.pin], &one))
            return weft_fail(WEFT_BAD_INPUT, "snapshot: vertex %d of pin %d makes no sense", one.vertex, one.pin);
    }
    return weft_ok();
}

/* Vertices are only compared, never used as an index. */
static weft_result check_grips(const parts *p) {
    for (int32_t i = 0; i < p->header.grips; i++) {
        weft_contact_grip one;
        memcpy(&one, p->grips + (size_t)i * sizeof one, sizeof one);
        if (!isfinite(one.reach) || one.reach < 0 || !weft_vec3_is_finite(one.slip))
            return weft_fail(WEFT_BAD_INPUT, "snapshot: grip %d of a contact makes no sense", i);
    }
    return weft_ok();
}

static weft_result reserve_grips(weft_sim *sim, int32_t count) {
    if (count <= sim->grips[0].capacity)
        return weft_ok();
    weft_contact_grip *grown = realloc(sim->grips[0].grip, (size_t)count * sizeof *grown);
    if (!grown)
        return weft_fail_memory("grips of contact", (size_t)count * sizeof *grown);
    sim->grips[0].grip = grown;
    sim->grips[0].capacity = count;
    return weft_ok();
}

static weft_result check_faces(const weft_sim *sim, const parts *p) {
    const char *at = p->models;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        for (size_t k = 0; k < p->cloth[i].faces; k++)
            if ((unsigned char)at[k] > 1)
                return weft_fail(WEFT_BAD_INPUT, "snapshot: face %d is neither whole nor torn", (int)k);
        at += p->cloth[i].faces + p->cloth[i].model;
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

/* Loads the state of the models whose meshes can change, or of the others. */
static weft_result load_models(weft_sim *sim, const parts *p, int changing) {
    weft_result result = weft_ok();
    const char *at = p->models;
    for (int32_t i = 0; i < sim->cloth_count && result.code == WEFT_OK; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        const cloth_part *part = &p->cloth[i];
        if (part->changes == changing && part->model != model_state_size(cloth))
            result = weft_fail(WEFT_BAD_INPUT, "snapshot: %zu bytes for the model of cloth '%.64s', which has %zu",
                               part->model, cloth->name, model_state_size(cloth));
        else if (part->changes == changing && part->model > 0)
            result = sim_model(cloth)->state_load(cloth->self, at + part->faces, part->model);
        at += part->faces + part->model;
    }
    return result;
}

/* Bytes of the integrator's state; 0 if it is of another integrator, so that this one starts afresh. */
static size_t state_for_integrator(const weft_sim *sim, const parts *p) {
    return p->header.scheme == scheme_of(sim) ? (size_t)p->header.integrator : 0;
}

/* Models and the integrator check their own sections. Those of meshes that stay are loaded first, because a refusal
 * then leaves the meshes alone. */
static weft_result load_steady(weft_sim *sim, const parts *p) {
    size_t integrator = state_for_integrator(sim, p);
    WEFT_TRY(load_models(sim, p, 0));
    if (is_changing(sim) || integrator_state_size(sim) == 0)
        return weft_ok();
    if (integrator > 0)
        return integrator_of(sim)->state_load(sim->integrator_self, p->end - integrator, integrator);
    sim_forget_integrator(sim); /* the snapshot is of an integrator without a state: this one starts afresh */
    return weft_ok();
}

/* Loads the state of the integrator after changed meshes: the integrator is created for these first. */
static weft_result load_changed(weft_sim *sim, const parts *p) {
    size_t size = state_for_integrator(sim, p);
    if (!is_changing(sim))
        return weft_ok();
    if (size == 0) {
        if (integrator_state_size(sim) > 0)
            sim_forget_integrator(sim);
        return weft_ok();
    }
    WEFT_TRY(sim_prepare_integrator(sim));
    if (integrator_state_size(sim) == 0) /* the snapshot is of another integrator, and this one has no state */
        return weft_ok();
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
        if (pin->late && pin->attachment) {
            sim_attachment *made = &pin->attachment[pin->count];
            *made = (sim_attachment){.triangle = one.triangle, .apart = one.apart};
            memcpy(made->weight, one.weight, sizeof made->weight);
        }
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
    sim->grips[0].count = header->grips;
    if (header->grips > 0)
        memcpy(sim->grips[0].grip, p->grips, (size_t)header->grips * sizeof(weft_contact_grip));
    const char *at = p->models;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        if (p->cloth[i].faces == (size_t)cloth->mesh->face_count)
            memcpy(cloth->open_face, at, p->cloth[i].faces);
        at += p->cloth[i].faces + p->cloth[i].model;
    }
    memset(sim->pulled, 0, vectors);
    sim->watch = SIM_WATCH_QUIETLY;
    sim->drag_count = header->drag_count;
    sim->dt_before = header->dt_before;
    sim->step_depth = header->step_depth;
    sim->step_wanted = header->step_wanted;
    sim->slow_for = header->slow_for;
    sim->contact_energy = 0; /* known again after a step, and so are the forces */
    sim->pressing_known = 0;
    sim->sleep_key = header->sleep_key;
    sim->frame = header->frame;
    sim->step_count = header->step_count;
    sim->links_broken = header->links_broken;
    sim->frame_done = 0; /* snapshots are taken between frames */
}

/* Pins have room for all their vertices. Given vertices of later cloths follow the new numbering. */
static weft_result take_surfaces(weft_sim *sim, const parts *p) {
    WEFT_TRY(sim_reserve(sim, p->header.count));
    for (int32_t i = 0; i < sim->pin_count; i++)
        WEFT_TRY(sim_reserve_pin(&sim->pin[i], sim->pin[i].given + p->header.pinned));
    for (int32_t i = sim->cloth_count - 1; i >= 0; i--)
        if (p->cloth[i].surface) {
            sim_replace_refined(sim, &sim->cloth[i], p->cloth[i].surface);
            p->cloth[i].surface = NULL;
        }
    return sim_rebuild(sim);
}

static weft_result check_state(weft_sim *sim, const parts *p) {
    WEFT_TRY(check_vectors(p->state, 4 * (int64_t)p->header.count));
    WEFT_TRY(check_drags(p));
    WEFT_TRY(sim_check_moves(sim, p->moves, p->header.move_count));
    WEFT_TRY(check_pinned(sim, p));
    WEFT_TRY(check_late(sim, p));
    WEFT_TRY(check_grips(p));
    WEFT_TRY(check_given(sim, p->cloth));
    return check_faces(sim, p);
}

static weft_result take(weft_sim *sim, const parts *p) {
    sim_forget_device(sim);
    WEFT_TRY(load_steady(sim, p));
    WEFT_TRY(take_surfaces(sim, p));
    WEFT_TRY(load_models(sim, p, 1));
    take_state(sim, p);
    WEFT_TRY(load_changed(sim, p));
    return finish_integrator(sim);
}

static weft_result restore_bytes(weft_sim *sim, const void *buffer, size_t size, int again);

/* After a refusal the previous state is restored. */
static weft_result restore(weft_sim *sim, const parts *p, int again) {
    WEFT_TRY(check_state(sim, p));
    WEFT_TRY(reserve_drags(sim, p->header.drag_count));
    WEFT_TRY(reserve_grips(sim, p->header.grips));
    size_t size = weft_sim_snapshot_size(sim);
    void *kept = malloc(size);
    if (!kept)
        return weft_fail_memory("the state to go back to", size);
    weft_sim_snapshot(sim, kept);
    weft_result result = take(sim, p);
    if (result.code != WEFT_OK && !again)
        restore_bytes(sim, kept, size, 1);
    free(kept);
    return result;
}

/* `again`: this restores the previous state after a failure. */
static weft_result restore_bytes(weft_sim *sim, const void *buffer, size_t size, int again) {
    parts p;
    WEFT_TRY(check_header(sim, buffer, size, &p.header));
    p.cloth = weft_allocate((size_t)sim->cloth_count, sizeof *p.cloth);
    if (!p.cloth)
        return weft_fail_memory("snapshot", (size_t)sim->cloth_count * sizeof *p.cloth);
    const char *at = (const char *)buffer + sizeof p.header, *end = (const char *)buffer + size;
    weft_result result = read_cloths(sim, &at, end, p.cloth);
    if (result.code == WEFT_OK)
        result = find_parts(sim, (size_t)(end - at), at, &p);
    if (result.code == WEFT_OK)
        result = restore(sim, &p, again);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        weft_refined_destroy(p.cloth[i].surface);
    free(p.cloth);
    return result;
}

weft_result weft_sim_restore(weft_sim *sim, const void *buffer, size_t size) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(buffer);
    WEFT_TRY(weft_sim_prepare(sim));
    weft_result result = restore_bytes(sim, buffer, size, 0);
    sim->budget.known = 0;
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
    sim_fetch_quietly(sim);
    uint64_t hash = hash_vectors(UINT64_C(0xcbf29ce484222325), sim->x, sim->count);
    return hash_vectors(hash, sim->v, sim->count);
}
