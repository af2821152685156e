/* Writes the frames of a simulation: gathers its cloths, bodies, links and strains, and passes them on. */
#include "weft-io/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/frame_bodies.h"

typedef struct recorded_writer {
    const weft_component *component;
    void *settings;
    void *self; /* null until the first frame */
} recorded_writer;

/* What is gathered of one cloth. */
typedef struct recorded_cloth {
    weft_strain *strain;
    double *pressure;
    int32_t *generation;
    weft_link *link;
} recorded_cloth;

struct weft_recorder {
    weft_sim *sim;
    weft_take take;
    char *directory, *name; /* owned texts of `take` */
    int with_take, with_strain, with_pressure, is_open;
    weft_take_writer *take_writer;
    recorded_writer writer[WEFT_RECORDER_WRITERS];
    int writer_count;
    int64_t next;
    int32_t cloth_count;
    recorded_cloth *own;     /* (cloth_count) */
    weft_frame_cloth *cloth; /* (cloth_count) */
    weft_take_links *links;  /* (cloth_count) */
    weft_frame_bodies bodies;
};

static char *copy_text(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static const weft_writer_functions *functions_of(const recorded_writer *writer) { return writer->component->functions; }

static weft_result make_room(weft_recorder *recorder) {
    size_t count = (size_t)recorder->cloth_count + 1;
    recorder->own = calloc(count, sizeof *recorder->own);
    recorder->cloth = calloc(count, sizeof *recorder->cloth);
    recorder->links = calloc(count, sizeof *recorder->links);
    if (!recorder->own || !recorder->cloth || !recorder->links || !recorder->directory || !recorder->name)
        return weft_fail_memory("a recorder", count * sizeof *recorder->cloth);
    return weft_ok();
}

weft_result weft_recorder_create(weft_sim *sim, const weft_take *take, weft_recorder **recorder) {
    *recorder = NULL;
    weft_recorder *made = calloc(1, sizeof *made);
    if (!made)
        return weft_fail_memory("a recorder", sizeof *made);
    made->sim = sim;
    made->take = *take;
    made->take.directory = made->directory = copy_text(take->directory);
    made->take.name = made->name = copy_text(take->name);
    made->next = take->first_frame;
    made->cloth_count = weft_sim_cloth_count(sim);
    weft_result result = make_room(made);
    if (result.code == WEFT_OK)
        *recorder = made;
    else
        weft_recorder_close(made, 0);
    return result;
}

void weft_recorder_use_strain(weft_recorder *recorder) { recorder->with_strain = 1; }

void weft_recorder_use_pressure(weft_recorder *recorder) { recorder->with_pressure = 1; }

void weft_recorder_use_take(weft_recorder *recorder) { recorder->with_take = 1; }

weft_result weft_recorder_add_writer(weft_recorder *recorder, const weft_registry *registry, const char *name,
                                     const weft_value *settings) {
    const weft_component *component;
    WEFT_TRY(weft_registry_require(registry, WEFT_WRITER, name, "", &component));
    if (recorder->writer_count == WEFT_RECORDER_WRITERS || recorder->is_open)
        return weft_fail(WEFT_UNSUPPORTED, "writer '%.40s': at most %d writers, added before the first frame", name,
                         WEFT_RECORDER_WRITERS);
    void *memory = calloc(1, component->settings_size + 1);
    if (!memory)
        return weft_fail_memory("settings of a writer", component->settings_size);
    weft_params_default(component->params, memory);
    weft_result result = weft_params_read(component->params, settings, name, NULL, memory);
    if (result.code == WEFT_OK)
        recorder->writer[recorder->writer_count++] = (recorded_writer){.component = component, .settings = memory};
    else
        free(memory);
    return result;
}

/* -- gathering a frame -- */

static weft_result resize(void **array, size_t size) {
    void *grown = realloc(*array, size > 0 ? size : 1);
    if (!grown)
        return weft_fail_memory("a recorded frame", size);
    *array = grown;
    return weft_ok();
}

/* A changing mesh has no links in a take. */
static weft_result gather_links(weft_recorder *recorder, int32_t i) {
    int32_t count = weft_sim_changes(recorder->sim, i) ? 0 : weft_sim_link_count(recorder->sim, i);
    recorded_cloth *own = &recorder->own[i];
    WEFT_TRY(resize((void **)&own->link, (size_t)count * sizeof *own->link));
    for (int32_t k = 0; k < count; k++)
        own->link[k] = weft_sim_link(recorder->sim, i, k);
    recorder->links[i] = (weft_take_links){own->link, count};
    return weft_ok();
}

static weft_result gather_cloth(weft_recorder *recorder, int32_t i) {
    weft_sim *sim = recorder->sim;
    const weft_cloth *cloth = weft_sim_cloth(sim, i);
    recorded_cloth *own = &recorder->own[i];
    size_t triangles = (size_t)cloth->mesh->triangle_count;
    weft_frame_cloth *shape = &recorder->cloth[i];
    *shape = (weft_frame_cloth){.name = cloth->name,
                                .mesh = cloth->mesh,
                                .position = weft_sim_positions(sim, i),
                                .open_face = weft_sim_open_faces(sim, i)};
    if (weft_sim_changes(sim, i)) {
        WEFT_TRY(resize((void **)&own->generation, triangles * sizeof *own->generation));
        WEFT_TRY(weft_sim_generations(sim, i, own->generation));
        shape->generation = own->generation;
    }
    if (recorder->with_strain) {
        WEFT_TRY(resize((void **)&own->strain, triangles * sizeof *own->strain));
        WEFT_TRY(weft_sim_strains(sim, i, own->strain));
        shape->strain = own->strain;
    }
    if (recorder->with_pressure) {
        WEFT_TRY(resize((void **)&own->pressure, (size_t)cloth->mesh->vertex_count * sizeof *own->pressure));
        WEFT_TRY(weft_sim_pressures(sim, i, own->pressure));
        shape->pressure = own->pressure;
    }
    return recorder->with_take ? gather_links(recorder, i) : weft_ok();
}

static weft_result gather(weft_recorder *recorder, weft_frame *frame) {
    if (weft_sim_cloth_count(recorder->sim) != recorder->cloth_count)
        return weft_fail(WEFT_UNSUPPORTED, "%.200s: cloths were added or removed during the recording",
                         recorder->directory);
    for (int32_t i = 0; i < recorder->cloth_count; i++)
        WEFT_TRY(gather_cloth(recorder, i));
    WEFT_TRY(weft_frame_bodies_follow(&recorder->bodies, recorder->sim));
    *frame = (weft_frame){.index = recorder->next,
                          .time = weft_sim_time(recorder->sim),
                          .cloth_count = recorder->cloth_count,
                          .cloth = recorder->cloth,
                          .body_count = recorder->bodies.count,
                          .body = recorder->bodies.body};
    return weft_ok();
}

/* -- writing -- */

/* Nothing is written if a writer refuses the simulation. */
static weft_result open_files(weft_recorder *recorder, const weft_frame *first) {
    for (int i = 0; i < recorder->writer_count; i++) {
        const weft_writer_functions *writer = functions_of(&recorder->writer[i]);
        if (writer->check)
            WEFT_TRY(writer->check(recorder->writer[i].settings, &recorder->take, first));
    }
    WEFT_TRY(weft_directory_make(recorder->directory));
    recorder->is_open = 1;
    if (recorder->with_take)
        WEFT_TRY(weft_take_writer_open(&recorder->take, first, recorder->links, &recorder->take_writer));
    for (int i = 0; i < recorder->writer_count; i++) {
        recorded_writer *writer = &recorder->writer[i];
        WEFT_TRY(functions_of(writer)->open(writer->settings, &recorder->take, first, &writer->self));
    }
    return weft_ok();
}

weft_result weft_recorder_write_frame(weft_recorder *recorder) {
    weft_frame frame;
    WEFT_TRY(gather(recorder, &frame));
    if (!recorder->is_open)
        WEFT_TRY(open_files(recorder, &frame));
    if (recorder->take_writer)
        WEFT_TRY(weft_take_writer_write_frame(recorder->take_writer, &frame, recorder->links));
    for (int i = 0; i < recorder->writer_count; i++)
        WEFT_TRY(functions_of(&recorder->writer[i])->frame(recorder->writer[i].self, &frame));
    recorder->next++;
    return weft_ok();
}

weft_result weft_recorder_close(weft_recorder *recorder, int finished) {
    if (!recorder)
        return weft_ok();
    weft_result first = recorder->take_writer ? weft_take_writer_close(recorder->take_writer, finished) : weft_ok();
    for (int i = 0; i < recorder->writer_count; i++) {
        recorded_writer *writer = &recorder->writer[i];
        weft_result result = writer->self ? functions_of(writer)->close(writer->self, finished) : weft_ok();
        first = first.code == WEFT_OK ? result : first;
        free(writer->settings);
    }
    for (int32_t i = 0; recorder->own && i < recorder->cloth_count; i++) {
        free(recorder->own[i].strain);
        free(recorder->own[i].pressure);
        free(recorder->own[i].generation);
        free(recorder->own[i].link);
    }
    weft_frame_bodies_free(&recorder->bodies);
    free(recorder->links);
    free(recorder->cloth);
    free(recorder->own);
    free(recorder->name);
    free(recorder->directory);
    free(recorder);
    return first;
}
