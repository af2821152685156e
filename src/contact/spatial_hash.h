/* A spatial hash of the triangles of one object: the alternative to the tree traversal. */
#ifndef WEFT_CONTACT_SPATIAL_HASH_H
#define WEFT_CONTACT_SPATIAL_HASH_H

#include "contact/box_tree.h"

typedef struct contact_bin contact_bin;

typedef struct contact_hash_entry {
    uint64_t key; /* of the cell */
    int32_t triangle;
    uint32_t bucket;
} contact_hash_entry;

/* The table is filled in parallel: by as many chunks of triangles as it has partitions of buckets. */
enum { HASH_PARTITIONS = 16 };

/* A chunk of consecutive triangles. */
typedef struct contact_hash_chunk {
    double extent, largest; /* sum and maximum of the box extents, m */
    int32_t triangles;
    int64_t place[HASH_PARTITIONS]; /* place of the chunk's next entry in each partition */
} contact_hash_chunk;

/* Triangles by the grid cells that their swept boxes touch. Triangles are numbered in tree order. */
typedef struct contact_hash {
    double cell;          /* edge length of a cell, m */
    float origin[3];      /* of the grid, m */
    int32_t last_cell[3]; /* the highest occupied cell along each axis */
    uint32_t buckets;     /* a power of two */
    int32_t *start;       /* first entry of each bucket (buckets + 1) */
    contact_hash_entry *entry;
    contact_hash_entry *unsorted; /* the same entries by partition, not yet by bucket */
    int64_t capacity;
    contact_hash_chunk chunk[HASH_PARTITIONS];
    int64_t partition[HASH_PARTITIONS + 1]; /* first entry of each partition */
} contact_hash;

/* Fills the hash from the triangle boxes of the object's tree. */
weft_status contact_hash_fill(const weft_work *work, contact_object *object);
void contact_hash_destroy(contact_hash *hash);
/* Writes the triangles whose boxes overlap `box` to bin->found, in tree order, and returns their number. */
int32_t contact_hash_find(const contact_object *object, const contact_box *box, contact_bin *bin);

#endif
