/* How the parts of a garment file are read. Each function names file, line and what is allowed when it fails. */
#ifndef WEFT_WEAR_GARMENT_READING_H
#define WEFT_WEAR_GARMENT_READING_H

#include "wear/garment/pattern.h"

/* Coordinates in files are in cm, as on paper. */
#define GARMENT_CM 0.01

/* Fails with the place of `value` in front of the message. */
weft_result garment_bad(const weft_value *value, const char *format, ...) WEFT_PRINTF(2, 3);
/* Refuses a value that is not a map, and keys that are not in the null-terminated list. `what` starts the message. */
weft_result garment_check_keys(const weft_value *map, const char *what, const char *const *keys);
/* Refuses null, other kinds than lists, and more than `most` children. */
weft_result garment_check_list(const weft_value *list, const char *what, int most);
weft_result garment_read_name(const weft_value *value, const char *text, char name[GARMENT_NAME]);

/* Readers of one value. A null value changes nothing. */
/* A plain number in cm, or a length with its unit. */
weft_result garment_read_length(const weft_value *value, const char *what, double *metres);
/* With its unit; at most one turn either way. */
weft_result garment_read_angle(const weft_value *value, const char *what, double *radians);
/* A number with an optional unit, from `low` to `high`. */
weft_result garment_read_number(const weft_value *value, const char *what, const char *unit, double low, double high,
                                double *number);
weft_result garment_read_flag(const weft_value *value, const char *what, int32_t *flag);

/* Readers of required values. */
weft_result garment_read_lengths(const weft_value *list, const char *what, int count, double *metres);
weft_result garment_read_point(const weft_value *list, const char *what, weft_vec2 *point);
/* PANEL.EDGE, or PANEL.EDGE FROM..TO with fractions of its length. */
weft_result garment_read_side(const garment_pattern *pattern, const weft_value *value, const char *what,
                              garment_side *side);

/* Parts of a file. */
/* A panel from its own value. `parts` is the file's `body`, or null. */
weft_result garment_read_panel(const weft_value *value, const weft_value *parts, garment_panel *panel);
/* A panel that is another one seen in a mirror: `{mirror: NAME}` with what differs. */
weft_result garment_read_mirrored(const garment_pattern *pattern, const weft_value *value, const weft_value *parts,
                                  garment_panel *panel);
/* Doubles a panel at a straight edge: a half that is cut on the fold of the fabric. */
weft_result garment_unfold(const weft_value *value, garment_panel *panel);
/* Area and bounds. */
weft_result garment_measure(garment_panel *panel);
void garment_panel_free(garment_panel *panel);
/* `value` may be null if `place` is set already, as that of a mirrored panel. */
weft_result garment_read_place(const weft_value *value, const weft_value *parts, garment_panel *panel);
/* Swaps left and right in a name: sleeve_left becomes sleeve_right. */
void garment_swap_sides(const char *name, char swapped[GARMENT_NAME]);
/* Elastics, buttons and attachments. */
weft_result garment_read_notions(const weft_value *root, garment_pattern *pattern);
weft_result garment_read_seams(const weft_value *list, garment_pattern *pattern);

#endif
