# The Python package weft: an extension module with the engine, the files and the renderer inside, and Python sources.
# ${PROJECT_BINARY_DIR}/python is a folder for PYTHONPATH. apps/python/backend/weft_backend.py makes a wheel of it.
set(WEFT_PYTHON "" CACHE FILEPATH "Python interpreter for the package; by default /usr/bin/python3, else python3 in PATH")
set(python ${WEFT_PYTHON})
if(NOT python AND EXISTS /usr/bin/python3)
  set(python /usr/bin/python3)
elseif(NOT python)
  find_program(WEFT_PYTHON_FOUND python3)
  set(python ${WEFT_PYTHON_FOUND})
endif()

set(python_missing "")
if(NOT python)
  set(python_missing "python3 is not installed")
else()
  execute_process(
    COMMAND ${python} -c "import sysconfig; print(sysconfig.get_path('include'))"
    OUTPUT_VARIABLE python_include
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${python_include}/Python.h")
    set(python_missing "${python} has no Python.h (Debian: python3-dev)")
  elseif(NOT TARGET weft_render)
    set(python_missing "the renderer is missing")
  elseif(WEFT_SANITIZE MATCHES thread)
    set(python_missing "the interpreter does not run under the thread sanitizer")
  endif()
endif()
if(python_missing)
  message(STATUS "The Python package is not built: ${python_missing}")
  return()
endif()
# An extension with the address sanitizer needs its library before the interpreter's. The interpreter itself leaks.
set(python_environment PYTHONDONTWRITEBYTECODE=1)
if(WEFT_SANITIZE MATCHES address)
  execute_process(
    COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
    OUTPUT_VARIABLE python_asan
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND python_environment LD_PRELOAD=${python_asan} ASAN_OPTIONS=detect_leaks=0)
endif()

file(GLOB python_sources CONFIGURE_DEPENDS apps/python/src/*.c)
file(GLOB python_modules CONFIGURE_DEPENDS apps/python/weft/*)
set(python_package ${PROJECT_BINARY_DIR}/python/weft)
# The module holds its own engine and exports only its init function.
add_library(weft_python MODULE ${python_sources})
target_include_directories(weft_python SYSTEM PRIVATE ${python_include})
target_include_directories(weft_python PRIVATE ${PROJECT_SOURCE_DIR}/apps/python/src)
target_link_libraries(weft_python PRIVATE weft_render weft_load weft_garment weft_mannequin weft_io weft_engine)
target_link_options(weft_python PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(weft_python PROPERTIES PREFIX "" OUTPUT_NAME _engine SUFFIX .abi3.so LIBRARY_OUTPUT_DIRECTORY
                                                                                            ${python_package})

# The interactive view for notebooks: three.js and our script in one file, built with the tools of the studio.
set(python_view ${PROJECT_BINARY_DIR}/notebook_view.js)
file(GLOB_RECURSE view_sources CONFIGURE_DEPENDS apps/studio/web/src/notebook/*.ts apps/studio/web/src/view/sun_side.ts)
add_custom_command(
  OUTPUT ${python_view}
  COMMAND ${PROJECT_SOURCE_DIR}/tools/notebook-view ${python_view}
  DEPENDS tools/notebook-view ${view_sources} ${page_settings} ${npm_state}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Building the view for notebooks"
  VERBATIM)

# Copies the modules and writes the type stubs from the tables.
add_custom_command(
  OUTPUT ${python_package}/parameters.pyi
  COMMAND ${CMAKE_COMMAND} -E copy ${python_modules} ${python_package}
  COMMAND ${CMAKE_COMMAND} -E copy ${python_view} ${python_package}/view.js
  COMMAND ${CMAKE_COMMAND} -E env ${python_environment} ${python} ${PROJECT_SOURCE_DIR}/apps/python/backend/make_stubs.py
          ${python_package}
  DEPENDS weft_python ${python_modules} ${python_view} apps/python/backend/make_stubs.py
  COMMENT "Making the Python package"
  VERBATIM)
add_custom_target(weft_python_package ALL DEPENDS ${python_package}/parameters.pyi)
