/* Traces all pixels of a frame into a film. */
#ifndef WEFT_RENDER_TRACE_H
#define WEFT_RENDER_TRACE_H

#include "render/film.h"
#include "render/shade.h"

weft_setting weft_setting_make(const weft_view *view, const weft_stage *stage, const weft_mipmap *image,
                               const weft_camera *camera);
void weft_trace(const weft_setting *setting, weft_film *film, const weft_work *work);

#endif
