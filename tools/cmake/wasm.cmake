# The engine, scene reading, writers and the studio's session as a WebAssembly module with an ES module around it.
# tools/wasm configures this build with emscripten's toolchain. WEFT_WASM_LIBRARIES has the sources of libyaml and
# jansson, as tools/wasm-libraries unpacks them.
set(WEFT_WASM_LIBRARIES "" CACHE PATH "Folder with the sources of libyaml and jansson")
option(WEFT_WASM_THREADS "Use threads; the page must be cross-origin isolated" OFF)

set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
add_compile_options(-msimd128)
add_compile_definitions(_GNU_SOURCE _POSIX_C_SOURCE=200809L)
if(WEFT_WASM_THREADS)
  add_compile_options(-pthread)
  add_link_options(-pthread)
endif()

file(GLOB yaml_sources ${WEFT_WASM_LIBRARIES}/libyaml/src/*.c)
file(GLOB jansson_sources ${WEFT_WASM_LIBRARIES}/jansson/src/*.c)
if(NOT yaml_sources OR NOT jansson_sources)
  message(FATAL_ERROR "WEFT_WASM_LIBRARIES has no libyaml and jansson; use tools/wasm")
endif()
# what its configure script would find
set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 1)
set(json_have_atomic_builtins 1)
set(json_have_sync_builtins 1)
configure_file(${WEFT_WASM_LIBRARIES}/jansson/src/jansson_config.h.in ${PROJECT_BINARY_DIR}/jansson/jansson_config.h @ONLY)
file(
  CONFIGURE # unlike WRITE it leaves an unchanged file as it is
  OUTPUT ${PROJECT_BINARY_DIR}/jansson/jansson_private_config.h
  CONTENT
    "#define HAVE_STDINT_H 1\n#define HAVE_STRTOLL 1\n#define HAVE_SYS_TYPES_H 1\n#define HAVE_LOCALECONV 1\n#define HAVE_LOCALE_H 1\n#define INITIAL_HASHTABLE_ORDER 3\n"
  @ONLY)
add_library(wasm_libraries STATIC ${yaml_sources} ${jansson_sources})
target_include_directories(wasm_libraries PUBLIC ${WEFT_WASM_LIBRARIES}/libyaml/include ${WEFT_WASM_LIBRARIES}/jansson/src
                                                 ${PROJECT_BINARY_DIR}/jansson)
target_compile_definitions(
  wasm_libraries PRIVATE YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5" HAVE_STDINT_H=1)
target_compile_options(wasm_libraries PRIVATE -w)

file(GLOB_RECURSE engine_sources CONFIGURE_DEPENDS src/*.c)
file(GLOB io_sources CONFIGURE_DEPENDS io/*.c)
file(GLOB sewing_sources CONFIGURE_DEPENDS wear/load/*.c wear/mannequin/*.c wear/garment/*.c)
file(GLOB session_sources CONFIGURE_DEPENDS apps/studio/server/*.c)
file(GLOB own_sources CONFIGURE_DEPENDS apps/web/wasm/*.c)
list(FILTER io_sources EXCLUDE REGEX "/assimp_")
# what needs expat or other programs, as in clients.cmake
list(FILTER sewing_sources EXCLUDE REGEX "/(import|draft|dxf|svg|build|place_by_name|pattern_write|pattern_picture)")
# what serves pages over the network
list(FILTER session_sources EXCLUDE REGEX "/(server|http|viewer|upload|mailbox|access_guard)\\.c$")

# They define one of the macros above themselves.
set_source_files_properties(src/core/pool.c src/core/seconds.c PROPERTIES COMPILE_OPTIONS -Wno-macro-redefined)
# Some loops are too long to unroll for WebAssembly; that costs speed only.
set_source_files_properties(src/solve/projective_passes.c PROPERTIES COMPILE_OPTIONS -Wno-pass-failed)
add_executable(weft ${engine_sources} ${io_sources} ${sewing_sources} render/camera.c render/scalar.c render/view.c ${session_sources}
                    ${own_sources})
target_include_directories(weft PRIVATE include src ${PROJECT_SOURCE_DIR} io/include)
target_compile_definitions(weft PRIVATE WEFT_VERSION="${PROJECT_VERSION}" WEFT_FABRICS_FOLDER="/weft/fabrics")
target_link_libraries(weft PRIVATE wasm_libraries)
set_target_properties(weft PROPERTIES SUFFIX .mjs)
# The memory holds four panes of a large scene and the recorded frames; it grows as needed.
target_link_options(
  weft
  PRIVATE
  -sMODULARIZE=1
  -sEXPORT_ES6=1
  -sEXPORT_NAME=createWeft
  -sENVIRONMENT=web,worker
  -sALLOW_MEMORY_GROWTH=1
  -sMAXIMUM_MEMORY=2GB
  -sINITIAL_MEMORY=32MB
  -sTOTAL_STACK=2MB
  -sFORCE_FILESYSTEM=1
  -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8
  -sEXPORTED_FUNCTIONS=_malloc,_free
  -sMALLOC=dlmalloc
  --no-entry)
if(WEFT_WASM_THREADS)
  target_link_options(weft PRIVATE -sPTHREAD_POOL_SIZE=Module.threads -sPTHREAD_POOL_SIZE_STRICT=2 -Wno-pthreads-mem-growth)
endif()

# The parsers under the fuzz corpora (tests/wasm/corpora.mjs): one function per target.
if(NOT WEFT_WASM_THREADS)
  set(fuzz_functions _malloc,_free)
  foreach(name fuzz_checkpoint fuzz_fabric fuzz_garment fuzz_inputs fuzz_numbers fuzz_obj fuzz_ply fuzz_scene fuzz_set fuzz_studio fuzz_take)
    list(APPEND fuzz_sources tests/fuzz/${name}.c)
    string(APPEND fuzz_functions ",_run_${name}")
    set_source_files_properties(tests/fuzz/${name}.c PROPERTIES COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=run_${name})
  endforeach()
  add_executable(weft_fuzz EXCLUDE_FROM_ALL ${fuzz_sources} $<TARGET_OBJECTS:weft>)
  target_include_directories(weft_fuzz PRIVATE include src ${PROJECT_SOURCE_DIR} io/include)
  target_link_libraries(weft_fuzz PRIVATE wasm_libraries)
  set_target_properties(weft_fuzz PROPERTIES SUFFIX .mjs)
  target_link_options(
    weft_fuzz
    PRIVATE
    -sMODULARIZE=1
    -sEXPORT_ES6=1
    -sENVIRONMENT=node
    -sALLOW_MEMORY_GROWTH=1
    -sMAXIMUM_MEMORY=2GB
    -sTOTAL_STACK=2MB
    -sFORCE_FILESYSTEM=1
    -sEXPORTED_RUNTIME_METHODS=FS
    -sEXPORTED_FUNCTIONS=${fuzz_functions}
    --no-entry)
endif()
