/* All virtual tests of one fabric, and what a laboratory reports of them. */
#ifndef WEFT_LAB_TEXTILE_FABRIC_TEST_H
#define WEFT_LAB_TEXTILE_FABRIC_TEST_H

#include "io/fabric_file.h"
#include "lab/textile/bending_length.h"
#include "lab/textile/drapemeter.h"
#include "lab/textile/kes_tests.h"

enum { WEFT_LAB_STARTS = 9, WEFT_LAB_ROWS = 48 };

/* One line of a laboratory report. A value that does not exist is NAN. */
typedef struct weft_lab_row {
    const char *test;     /* such as "KES-FB1 tensile" */
    const char *quantity; /* such as "EMT, extension" */
    double weft, warp;    /* in `unit`; a quantity without direction has only `weft` */
    const char *unit;
    double si_weft, si_warp; /* in `si_unit` */
    const char *si_unit;
} weft_lab_row;

/* The four numbers with four digits, "" for those that do not exist: weft, warp, SI weft, SI warp. */
void weft_lab_row_write(const weft_lab_row *row, char text[4][32]);

typedef struct weft_fabric_test {
    const weft_fabric_file *fabric;
    double load;               /* N/m: the largest of the tensile test */
    weft_kes_curve tensile[2]; /* weft and warp */
    double clamped[2];         /* N/m */
    weft_kes_curve shear, bending[2];
    weft_cantilever cantilever[2];
    weft_specimen specimen;
    double drape[WEFT_LAB_STARTS]; /* %, by start */
    int starts;
    weft_shadow shadow; /* of the first start */
    weft_vec3 *x;       /* shape of the first start */
    weft_lab_row row[WEFT_LAB_ROWS];
    int row_count;
} weft_fabric_test;

/* Runs all tests. `grid` is the resolution of the drape test, 0 to 2; it starts `starts` times from a different
 * unevenness. Clear the test even if this fails. */
weft_result weft_fabric_test_run(const weft_fabric_file *fabric, int grid, int starts, weft_fabric_test *test);
void weft_fabric_test_clear(weft_fabric_test *test); /* a zeroed test is allowed */

/* Writes report.csv, curves, pictures and a page index.html that holds them all into a folder, which is made. */
weft_result weft_fabric_test_write(const weft_fabric_test *test, const char *folder);

#endif
