/* Cases and outcomes as bytes, for pipes and journals. Both ends run the same program. */
#ifndef WEFT_LAB_STUDY_CASE_MESSAGE_H
#define WEFT_LAB_STUDY_CASE_MESSAGE_H

#include "lab/study/case_runner.h"

/* Writes all bytes, or fails. */
weft_result weft_write_all(int file, const void *bytes, size_t size);
/* Reads exactly `size` bytes. Returns 0 at the end of the file or on an error. */
int weft_read_all(int file, void *bytes, size_t size);

/* A message: a head with its size and checksum, and a body. The caller frees `bytes`. */
weft_result weft_outcome_pack(int64_t index, const weft_case_outcome *outcome, char **bytes, size_t *size);
/* Reads a packed outcome from memory. Returns the number of bytes used, or 0 if the message is cut off or damaged. The
 * caller frees the outcome. A null `outcome` skips it. */
size_t weft_outcome_unpack(const char *bytes, size_t size, int64_t *index, weft_case_outcome *outcome);
/* Bytes of the message that begins with these WEFT_MESSAGE_HEAD bytes; 0 if it is none. */
enum { WEFT_MESSAGE_HEAD = 32 };
size_t weft_message_size(const char *head);

/* A case as a list of texts. The caller frees `bytes`. */
weft_result weft_case_pack(int64_t index, const weft_case *one, char **bytes, size_t *size);
/* Reads one case from a pipe. `room` is reused and holds the texts; free it in the end. Returns 0 at the end. */
typedef struct weft_case_room {
    char *bytes;
    const char **set;
} weft_case_room;
int weft_case_receive(int file, weft_case_room *room, int64_t *index, weft_case *one);
void weft_case_room_free(weft_case_room *room);

#endif
