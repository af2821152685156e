#include "lab/textile/test_page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/html.h"
#include "weft/text.h"

static const char STYLE[] =
    "<meta name='viewport' content='width=device-width, initial-scale=1'>\n<style>\n"
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222 }\n"
    "h2 { margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; font-size: 1.2rem }\n"
    "table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; font-size: 13px }\n"
    "td, th { padding: .15rem .7rem; border-bottom: 1px solid #eee; text-align: left; vertical-align: top }\n"
    "td.number { text-align: right }\n"
    ".warning { background: #fff2d6; border-left: 4px solid #e69f00; padding: .4rem .8rem }\n"
    "img, svg { max-width: 100%; height: auto } figure { margin: 1rem 0 } figcaption { color: #555; font-size: 13px }\n"
    "</style></head><body>\n";

weft_result weft_lab_path(const char *folder, const char *name, char path[1024]) {
    if (snprintf(path, 1024, "%s/%s", folder, name) >= 1024)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", folder);
    return weft_ok();
}

weft_result weft_lab_page_open(weft_lab_page *page, const char *folder, const char *title) {
    char path[1024];
    *page = (weft_lab_page){.folder = folder};
    WEFT_TRY(weft_lab_path(folder, "index.html", path));
    WEFT_TRY(weft_output_open(&page->out, path));
    weft_output_print(&page->out, "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>");
    weft_html_text(page->out.file, title);
    weft_output_print(&page->out, "</title>\n%s<h1>", STYLE);
    weft_html_text(page->out.file, title);
    weft_output_print(&page->out, "</h1>\n<p>Weft %s</p>\n", weft_version());
    return weft_ok();
}

void weft_lab_page_heading(weft_lab_page *page, const char *text) {
    weft_output_print(&page->out, "<h2>");
    weft_html_text(page->out.file, text);
    weft_output_print(&page->out, "</h2>\n");
}

static void put(weft_lab_page *page, const char *open, const char *close, const char *format, va_list arguments) {
    char text[4096];
    weft_format_list(text, sizeof text, format, arguments);
    weft_output_print(&page->out, "%s", open);
    weft_html_text(page->out.file, text);
    weft_output_print(&page->out, "%s\n", close);
}

void weft_lab_page_text(weft_lab_page *page, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put(page, "<p>", "</p>", format, arguments);
    va_end(arguments);
}

void weft_lab_page_warning(weft_lab_page *page, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put(page, "<p class='warning'>", "</p>", format, arguments);
    va_end(arguments);
}

static void put_cells(weft_lab_page *page, const char *tag, char *cells) {
    weft_output_print(&page->out, "<tr>");
    for (char *cell = cells; cell;) {
        char *next = strchr(cell, '|');
        if (next)
            *next++ = '\0';
        weft_output_print(&page->out, strchr("0123456789-", *cell) && *cell ? "<%s class='number'>" : "<%s>", tag);
        weft_html_text(page->out.file, cell);
        weft_output_print(&page->out, "</%s>", tag);
        cell = next;
    }
    weft_output_print(&page->out, "</tr>\n");
}

void weft_lab_page_table(weft_lab_page *page, const char *header) {
    char cells[512];
    snprintf(cells, sizeof cells, "%s", header);
    weft_output_print(&page->out, "<table>\n");
    put_cells(page, "th", cells);
}

void weft_lab_page_row(weft_lab_page *page, const char *format, ...) {
    char cells[1024];
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(cells, sizeof cells, format, arguments);
    va_end(arguments);
    put_cells(page, "td", cells);
}

void weft_lab_page_end_table(weft_lab_page *page) { weft_output_print(&page->out, "</table>\n"); }

weft_result weft_lab_page_plot(weft_lab_page *page, const char *name, const weft_plot *plot) {
    char path[1024], *bytes;
    size_t size;
    WEFT_TRY(weft_lab_path(page->folder, name, path));
    WEFT_TRY(weft_plot_write(plot, path));
    WEFT_TRY(weft_file_read(path, &bytes, &size));
    const char *svg = strstr(bytes, "<svg");
    weft_output_print(&page->out, "<figure>");
    weft_output_write(&page->out, svg ? svg : bytes, strlen(svg ? svg : bytes));
    weft_output_print(&page->out, "</figure>\n");
    free(bytes);
    return weft_ok();
}

weft_result weft_lab_page_picture(weft_lab_page *page, const char *name, const weft_picture *picture,
                                  const char *caption) {
    char path[1024], *png;
    size_t size;
    WEFT_TRY(weft_lab_path(page->folder, name, path));
    WEFT_TRY(weft_picture_write_png(picture, path));
    WEFT_TRY(weft_picture_encode_palette(picture, &png, &size));
    weft_output_print(&page->out, "<figure><img alt='' src='data:image/png;base64,");
    weft_html_base64(page->out.file, png, size);
    weft_output_print(&page->out, "'><figcaption>");
    weft_html_text(page->out.file, caption);
    weft_output_print(&page->out, "</figcaption></figure>\n");
    free(png);
    return weft_ok();
}

weft_result weft_lab_page_close(weft_lab_page *page) {
    weft_output_print(&page->out, "</body></html>\n");
    return weft_output_commit(&page->out);
}

void weft_lab_page_discard(weft_lab_page *page) { weft_output_discard(&page->out); }
