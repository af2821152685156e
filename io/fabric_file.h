/* Fabric files: a fabric with its name, source and provenance, in YAML (docs/fabrics.md). */
#ifndef WEFT_IO_FABRIC_FILE_H
#define WEFT_IO_FABRIC_FILE_H

#include "io/file.h"
#include "weft/fabric.h"

enum { WEFT_FABRIC_NAME = 64, WEFT_FABRIC_TEXT = 2048, WEFT_FABRIC_NOTES = 48 };

/* One figure that a laboratory measured, or one line of provenance, as it is written in the file. */
typedef struct weft_fabric_note {
    char key[64], text[512];
} weft_fabric_note;

typedef struct weft_fabric_file {
    char name[WEFT_FABRIC_NAME];   /* the name of the file without folder and ending */
    char path[1024];               /* "" for a preset */
    char help[256];                /* one line */
    char source[WEFT_FABRIC_TEXT]; /* where the values come from, and the assumptions made */
    weft_fabric fabric;
    weft_fabric_note measured[WEFT_FABRIC_NOTES]; /* such as drape_coefficient: 22.3 */
    int measured_count;
    weft_fabric_note provenance[WEFT_FABRIC_NOTES]; /* how the file was made */
    int provenance_count;
} weft_fabric_file;

/* Files end with this. */
extern const char WEFT_FABRIC_ENDING[];

weft_result weft_fabric_file_read(const char *path, weft_fabric_file **file);
/* The same from memory. `path` is used for the name and in messages. */
weft_result weft_fabric_file_parse(const char *bytes, size_t size, const char *path, weft_fabric_file **file);
void weft_fabric_file_destroy(weft_fabric_file *file); /* null is allowed */
/* Writes a file that reads back as the same fabric. `unit` tables are those of weft_fabric_params. */
weft_result weft_fabric_file_write(const weft_fabric_file *file, const char *path);

/* "lab/suit.yaml" -> "suit" */
void weft_fabric_name(const char *path, char name[WEFT_FABRIC_NAME]);
/* Adds a note, as snprintf makes it. Notes beyond the limit are dropped. */
void weft_fabric_file_note(weft_fabric_note *notes, int *count, const char *key, const char *format, ...)
    WEFT_PRINTF(4, 5);
/* A measured figure as a number in `unit`, or `fallback` if the file has none. */
double weft_fabric_file_figure(const weft_fabric_file *file, const char *key, const char *unit, double fallback);

typedef enum weft_fabric_place { WEFT_FABRIC_NOWHERE, WEFT_FABRIC_BESIDE, WEFT_FABRIC_FOLDER } weft_fabric_place;

/* Looks up NAME.yaml beside the file `from` (""; the current folder), in the folder of the user, and in the folder of
 * Weft. A name with a slash or the ending .yaml is a path beside `from`. A scene of that name is not a fabric: a file
 * counts only if it has a key that fabrics have. */
weft_fabric_place weft_fabric_file_find(const char *name, const char *from, char *path, size_t size);
/* Folder `index` from 0 on: of the user ($XDG_DATA_HOME/weft/fabrics or ~/.local/share/weft/fabrics), then of Weft.
 * Returns 0 if there is no such folder. */
int weft_fabric_folder(int index, char *path, size_t size);
/* The fabric `name`: of a file as above, or a preset. */
weft_result weft_fabric_find(const char *name, const char *from, weft_fabric_file **file);

#endif
