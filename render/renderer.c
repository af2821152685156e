/* The renderer: builds the stage of a frame, traces it and develops the film. */
#include <stdlib.h>

#include "render/legend.h"
#include "render/trace.h"

struct weft_renderer {
    weft_view view;
    weft_work work;
    RTCDevice device;
    weft_mipmap image;
    weft_film film;
};

static weft_result prepare(weft_renderer *renderer) {
    WEFT_TRY(weft_view_check(&renderer->view));
    /* A single thread always builds the same tree, so ties between equally near triangles are resolved the same way. */
    renderer->device = rtcNewDevice("threads=1,ignore_config_files=1");
    if (!renderer->device)
        return weft_stage_device_result(NULL, "the device");
    if (renderer->view.texture == WEFT_TEXTURE_IMAGE)
        WEFT_TRY(weft_mipmap_read(renderer->view.texture_image, &renderer->image));
    return weft_film_create(&renderer->film, renderer->view.width, renderer->view.height);
}

weft_result weft_renderer_create(const weft_view *view, int threads, weft_renderer **renderer) {
    *renderer = NULL;
    weft_renderer *made = calloc(1, sizeof *made);
    if (!made)
        return weft_fail_memory("renderer", sizeof *made);
    made->view = *view;
    made->work.threads = threads > 0 ? threads : 1;
    weft_result result = prepare(made);
    if (result.code != WEFT_OK)
        weft_renderer_destroy(made);
    else
        *renderer = made;
    return result;
}

void weft_renderer_destroy(weft_renderer *renderer) {
    if (!renderer)
        return;
    weft_film_destroy(&renderer->film);
    weft_mipmap_free(&renderer->image);
    if (renderer->device)
        rtcReleaseDevice(renderer->device);
    free(renderer);
}

weft_result weft_renderer_frame(weft_renderer *renderer, const weft_shot *shot, const weft_camera *camera,
                                weft_picture *picture) {
    const weft_view *view = &renderer->view;
    WEFT_TRY(weft_picture_create(picture, view->width, view->height));
    weft_stage stage;
    weft_result result = weft_stage_build(&stage, renderer->device, view, shot, camera, &renderer->work);
    if (result.code != WEFT_OK) {
        weft_picture_destroy(picture);
        return result;
    }
    weft_setting set = weft_setting_make(view, &stage, renderer->image.count > 0 ? &renderer->image : NULL, camera);
    weft_trace(&set, &renderer->film, &renderer->work);
    if (view->denoise)
        weft_film_denoise(&renderer->film, &renderer->work);
    weft_film_resolve(&renderer->film, &renderer->work);
    weft_film_develop(&renderer->film, view, &renderer->work, picture);
    if (view->color != WEFT_COLOR_CLOTH && view->legend)
        weft_legend_draw(picture, view, shot->scalar_name, stage.scalar_low, stage.scalar_high);
    weft_stage_free(&stage);
    return weft_ok();
}

const float *weft_renderer_radiance(const weft_renderer *renderer) { return renderer->film.radiance; }
