#include "studio/server/page.h"

#include <string.h>

/* Made by cmake/studio.cmake; ends with a row whose path is null. */
extern const studio_page_file STUDIO_PAGE_FILES[];

int studio_page_count(void) {
    int count = 0;
    while (STUDIO_PAGE_FILES[count].path)
        count++;
    return count;
}

const studio_page_file *studio_page_find(const char *path) {
    for (const studio_page_file *file = STUDIO_PAGE_FILES; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

const char *studio_mime(const char *path) {
    static const char *const TYPES[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".json", "application/json"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".jpg", "image/jpeg"},
                                           {".webp", "image/webp"},
                                           {".ico", "image/x-icon"},
                                           {".woff2", "font/woff2"},
                                           {".wasm", "application/wasm"},
                                           {".hdr", "application/octet-stream"},
                                           {".mp4", "video/mp4"},
                                           {".glb", "model/gltf-binary"},
                                           {".obj", "model/obj"},
                                           {".yaml", "application/yaml"},
                                           {".inputs", "text/plain; charset=utf-8"},
                                           {".txt", "text/plain; charset=utf-8"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof TYPES / sizeof TYPES[0]; i++)
        if (strcmp(TYPES[i][0], dot) == 0)
            return TYPES[i][1];
    return "application/octet-stream";
}
