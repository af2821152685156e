/* The header of a PLY file: its elements and their properties. */
#ifndef WEFT_IO_PLY_HEADER_H
#define WEFT_IO_PLY_HEADER_H

#include "weft/base.h"

typedef enum weft_ply_type {
    WEFT_PLY_INT8,
    WEFT_PLY_UINT8,
    WEFT_PLY_INT16,
    WEFT_PLY_UINT16,
    WEFT_PLY_INT32,
    WEFT_PLY_UINT32,
    WEFT_PLY_FLOAT,
    WEFT_PLY_DOUBLE,
    WEFT_PLY_TYPES
} weft_ply_type;

typedef enum weft_ply_format { WEFT_PLY_ASCII, WEFT_PLY_LITTLE, WEFT_PLY_BIG } weft_ply_format;

enum { WEFT_PLY_ELEMENTS = 16, WEFT_PLY_PROPERTIES = 256, WEFT_PLY_NAME = 64 };

typedef struct weft_ply_property {
    char name[WEFT_PLY_NAME];
    int is_list;
    weft_ply_type count_type, type; /* count_type: lists only */
} weft_ply_property;

typedef struct weft_ply_element {
    char name[WEFT_PLY_NAME];
    int64_t count;
    int first, property_count; /* range in weft_ply_header.property */
} weft_ply_element;

typedef struct weft_ply_header {
    weft_ply_format format;
    int element_count, property_count;
    weft_ply_element element[WEFT_PLY_ELEMENTS];
    weft_ply_property property[WEFT_PLY_PROPERTIES];
    size_t size; /* bytes of the header */
    int lines;
    int is_ours; /* 1: written by Weft */
} weft_ply_header;

weft_result weft_ply_header_read(const char *bytes, size_t size, const char *name, weft_ply_header *header);
/* The index of a property of an element, or -1. */
int weft_ply_find(const weft_ply_header *header, const weft_ply_element *element, const char *name);
/* Size of one value in bytes. */
int weft_ply_type_size(weft_ply_type type);

#endif
