/* Scene reading: declarations shared by this folder. */
#ifndef WEFT_SIM_SCENE_READER_H
#define WEFT_SIM_SCENE_READER_H

#include "weft/scene.h"
#include "weft/vec.h"

/* Vertices of a garment that the body holds once it is sewn. */
typedef struct scene_attachment {
    int32_t *vertex; /* of the input mesh (count) */
    int32_t count, cloth;
    double begin;                  /* when it is sewn, s */
    const weft_value *entry;       /* of the cloth */
    struct scene_attachment *next; /* of other cloths */
} scene_attachment;

typedef struct scene_reader {
    const weft_registry *registry;
    const weft_scene_files *files;
    weft_sim *sim;
    const weft_value *bodies; /* the scene's list, or null */
    double settle;            /* bodies begin to move after this time by default, s */
    scene_attachment *attachments;
} scene_reader;

/* A failure whose message starts with the file and line of `value`. */
weft_result scene_fail(const weft_value *value, const char *format, ...) WEFT_PRINTF(2, 3);
/* Adds the file and line of `value` to a failure that has none yet. */
weft_result scene_at(const weft_value *value, weft_result result);
/* Rejects keys of `map` that are not in `known` (null-terminated) and suggests the nearest. */
weft_result scene_check_keys(const weft_value *map, const char *what, const char *const *known);
/* Reads a list of exactly `count` numbers in `unit`. */
weft_result scene_read_numbers(const weft_value *list, const char *what, const char *unit, int count, double *numbers);
weft_result scene_read_vector(const weft_value *list, const char *what, const char *unit, weft_vec3 *vector);
/* Reads a component name from `springs` or `{name: springs, ...}`. Without one, the name is `fallback`. */
weft_result scene_component_name(const weft_value *value, const char *what, const char *fallback, const char **name);
/* Sets each value of `map` at `path`.KEY, except the keys in `except`. */
weft_result scene_apply(scene_reader *reader, const weft_value *map, const char *path, const char *const *except);
/* Sets `path`.KEY for the key of `value`. */
weft_result scene_apply_value(scene_reader *reader, const weft_value *value, const char *path);
/* Whether --set gave the value. */
int scene_is_set(const weft_value *value);
/* Sets the values of a component. If `--set` replaced the component's name, it skips values in the scene file that only
 * another component of the same kind has. */
weft_result scene_apply_component(scene_reader *reader, const weft_value *map, const char *path, weft_kind kind);

/* scene_contact.c: `contact`, whose settings of a method are groups. */
weft_result scene_read_contact(scene_reader *reader, const weft_value *contact);
/* scene_select.c: rejects keys of `entry` that are neither selectors nor in `others`. */
weft_result scene_check_select(const weft_value *entry, const char *owner, const char *const *others);
/* Reads the selector of `entry`. `owner` appears in messages. The caller frees `select->vertices`. */
weft_result scene_read_select(const weft_value *entry, const char *owner, weft_select *select);
/* scene_maps.c: must be called before the simulation is prepared. */
weft_result scene_read_maps(scene_reader *reader, const weft_value *maps, int32_t cloth, const weft_mesh *mesh);

/* scene_garment.c */
/* Refuses keys that only a garment has. */
weft_result scene_check_garment_keys(const weft_value *cloth);
/* The caller frees `sewn`. */
weft_result scene_load_garment(scene_reader *reader, const weft_value *cloth, weft_sewn *sewn);
/* Panels with a fabric of their own become factors on that of the cloth. */
weft_result scene_apply_panels(const weft_value *cloth, weft_sewn *sewn, const weft_fabric *fabric);
/* The padding of the garment file, Pa (mesh->group_count), becomes a parameter of its panels. May be null. */
weft_result scene_pad_panels(scene_reader *reader, const weft_value *cloth, int32_t index, const weft_mesh *mesh,
                             const double *padding);
/* `ease` and `panels` of a cloth: what differs from the garment file. */
weft_result scene_read_panels(scene_reader *reader, const weft_value *cloth, int32_t index, const weft_mesh *mesh);
/* Keeps what a garment attaches to the body until the bodies are there. */
weft_result scene_keep_attached(scene_reader *reader, const weft_value *cloth, int32_t index, weft_sewn *sewn);
/* Adds the pins of all garments. The simulation must be prepared. */
weft_result scene_attach_garments(scene_reader *reader);
void scene_free_attachments(scene_reader *reader);
/* Damps the beginning if there is a garment. */
weft_result scene_add_settling(scene_reader *reader);
/* Refuses garments that begin inside of bodies, cross themselves, or cross another cloth with which they collide. The
 * simulation must be prepared, and repaired if that is wanted. */
weft_result scene_check_garments(scene_reader *reader, const weft_value *cloths);

/* Scales, rotates and moves points as the entry of a cloth says. */
weft_result scene_place(const weft_value *cloth, weft_vec3 *point, int64_t count);
weft_result scene_read_cloth(scene_reader *reader, const weft_value *value, int index);
weft_result scene_read_bodies(scene_reader *reader, const weft_value *list);
weft_result scene_read_cuts(scene_reader *reader, const weft_value *list, int32_t cloth);
/* The body that `attach` names: by its component's name, or by its number. */
weft_result scene_find_body(const scene_reader *reader, const weft_value *attach, int32_t *body);
weft_result scene_read_pins(scene_reader *reader, const weft_value *entry, int32_t cloth);

#endif
