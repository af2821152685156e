# The studio: the server, and the web page that npm builds and that is embedded in the program.
file(GLOB studio_sources CONFIGURE_DEPENDS apps/studio/server/*.c)
if(NOT studio_sources)
  return()
endif()
pkg_check_modules(websockets REQUIRED IMPORTED_TARGET libwebsockets)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)
find_package(Threads REQUIRED)

file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS apps/studio/web/src/* apps/studio/web/public/*)
file(GLOB page_settings CONFIGURE_DEPENDS apps/studio/web/*.json apps/studio/web/*.ts apps/studio/web/*.html)
set(page ${PROJECT_BINARY_DIR}/studio_page.c)
add_custom_command(
  OUTPUT ${page}
  COMMAND ${PROJECT_SOURCE_DIR}/tools/studio-page ${page}
  DEPENDS tools/studio-page ${page_sources} ${page_settings} ${npm_state}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Building the studio web page"
  VERBATIM)

weft_client(weft_studio ${studio_sources} ${page})
target_link_libraries(weft_studio PRIVATE PkgConfig::websockets PkgConfig::jansson Threads::Threads)
list(PREPEND weft_client_libraries weft_studio)
