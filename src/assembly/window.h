/* Places of the vertices around the rows that are being assembled, see weft_pair_window. */
#ifndef WEFT_ASSEMBLY_WINDOW_H
#define WEFT_ASSEMBLY_WINDOW_H

#include "assembly/assemble.h"

/* Floats of a window for rows whose columns are up to `reach` away. */
size_t weft_window_size(int32_t reach);
weft_pair_window weft_window_in(float *memory, int32_t reach);

/* x and u of vertices [begin, end); begin is a multiple of WEFT_RUN, and so is end, or it is the last vertex. */
void weft_window_fill(const weft_assembly *assembly, const weft_pair_window *window, int32_t begin, int32_t end);

#endif
