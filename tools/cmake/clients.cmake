# Everything that uses the engine through its public headers. The program that links these static libraries chooses the
# engine: shared, static or unoptimised. weft_client_libraries is in link order.
find_package(PkgConfig REQUIRED)
set(weft_client_libraries)

# What npm makes is left out without it, and made once it is installed: `make demo` does not install it, `make build` does.
find_program(WEFT_NPM npm)
set(npm_state ${PROJECT_BINARY_DIR}/npm_state)
if(WEFT_NPM)
  file(CONFIGURE OUTPUT ${npm_state} CONTENT "installed")
else()
  file(CONFIGURE OUTPUT ${npm_state} CONTENT "missing")
endif()

function(weft_client name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/io/include)
  target_link_libraries(${name} PUBLIC weft_headers)
  target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L)
endfunction()

file(GLOB io_sources CONFIGURE_DEPENDS io/*.c)
file(GLOB garment_sources CONFIGURE_DEPENDS wear/garment/*.c)
file(GLOB load_sources CONFIGURE_DEPENDS wear/load/*.c)
file(GLOB mannequin_sources CONFIGURE_DEPENDS wear/mannequin/*.c)
if(io_sources)
  pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1)
  pkg_check_modules(assimp REQUIRED IMPORTED_TARGET assimp)
  weft_client(weft_io ${io_sources})
  # The folder in which an uninstalled program looks up fabrics by name.
  target_compile_definitions(weft_io PRIVATE WEFT_FABRICS_FOLDER="${PROJECT_SOURCE_DIR}/data/fabrics")
  target_link_libraries(weft_io PRIVATE PkgConfig::yaml PkgConfig::assimp)
  list(PREPEND weft_client_libraries weft_io)

  # The same code as an installed library, with what sews the garments that a scene may name. libweft-io.so exports only
  # the WEFT_API functions of io/include/weft-io.
  set(sewing_sources ${garment_sources})
  list(FILTER sewing_sources EXCLUDE REGEX "/(import|draft|dxf|svg|build|place_by_name|pattern_write|pattern_picture)")
  add_library(weft_io_shared SHARED ${io_sources} ${sewing_sources} ${load_sources} ${mannequin_sources})
  target_include_directories(
    weft_io_shared PRIVATE ${PROJECT_SOURCE_DIR} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/io/include>
                                                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(weft_io_shared PUBLIC weft_shared PRIVATE PkgConfig::yaml PkgConfig::assimp)
  target_compile_definitions(weft_io_shared PRIVATE _POSIX_C_SOURCE=200809L)
  set_target_properties(weft_io_shared PROPERTIES OUTPUT_NAME weft-io EXPORT_NAME io VERSION ${PROJECT_VERSION}
                                                  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  add_library(weft::io ALIAS weft_io_shared)
endif()

if(mannequin_sources)
  weft_client(weft_mannequin ${mannequin_sources})
  list(PREPEND weft_client_libraries weft_mannequin)
endif()

if(garment_sources)
  find_package(EXPAT REQUIRED)
  weft_client(weft_garment ${garment_sources})
  target_link_libraries(weft_garment PUBLIC weft_io PRIVATE EXPAT::EXPAT)
  # Where an uninstalled program finds designs and the program that drafts them.
  target_compile_definitions(weft_garment PRIVATE WEFT_DESIGNS_FOLDER="${PROJECT_SOURCE_DIR}/wear/garment/designs"
                                                  WEFT_DRAFT_PROGRAM="${PROJECT_SOURCE_DIR}/wear/garment/draft/draft.mjs")
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/draft_modules.stamp
    COMMAND ${PROJECT_SOURCE_DIR}/tools/draft-modules ${PROJECT_BINARY_DIR}/draft_modules.stamp
    DEPENDS tools/draft-modules wear/garment/draft/package-lock.json ${npm_state}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Installing FreeSewing"
    VERBATIM)
  add_custom_target(draft_modules ALL DEPENDS ${PROJECT_BINARY_DIR}/draft_modules.stamp)
  list(PREPEND weft_client_libraries weft_garment)
endif()

if(load_sources)
  weft_client(weft_load ${load_sources})
  target_link_libraries(weft_load PUBLIC weft_garment weft_mannequin weft_io)
  list(PREPEND weft_client_libraries weft_load)
endif()

file(GLOB render_sources CONFIGURE_DEPENDS render/*.c)
if(render_sources)
  find_package(embree 3 REQUIRED)
  pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng)
  weft_client(weft_render ${render_sources})
  target_link_libraries(weft_render PRIVATE embree PkgConfig::png)
  list(PREPEND weft_client_libraries weft_render)
endif()

file(GLOB bench_sources CONFIGURE_DEPENDS lab/bench/*.c)
if(bench_sources)
  weft_client(weft_bench ${bench_sources})
  target_compile_definitions(weft_bench PRIVATE WEFT_BENCH_RESULTS="${PROJECT_SOURCE_DIR}/lab/bench/results")
  list(PREPEND weft_client_libraries weft_bench)
  # The peer for comparisons in the benchmarks. It is a separate program and the only C++ in the project.
  pkg_check_modules(bullet QUIET IMPORTED_TARGET bullet)
  if(bullet_FOUND AND NOT WEFT_SANITIZE AND NOT WEFT_FUZZ AND NOT WEFT_LINT AND NOT WEFT_COVERAGE)
    enable_language(CXX)
    add_executable(peer_bullet lab/bench/peer_bullet.cpp)
    set_target_properties(peer_bullet PROPERTIES COMPILE_OPTIONS "-O2")
    target_link_libraries(peer_bullet PRIVATE PkgConfig::bullet)
    add_dependencies(weft_bench peer_bullet)
    target_compile_definitions(weft_bench PRIVATE WEFT_PEER_BULLET="$<TARGET_FILE:peer_bullet>")
  endif()
endif()

file(GLOB study_sources CONFIGURE_DEPENDS lab/study/*.c)
if(study_sources)
  pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)
  pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3)
  pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET hdf5)
  weft_client(weft_study ${study_sources})
  target_compile_definitions(weft_study PRIVATE _DEFAULT_SOURCE)
  target_link_libraries(weft_study PRIVATE PkgConfig::jansson PkgConfig::sqlite PkgConfig::hdf5)
  list(PREPEND weft_client_libraries weft_study)
  # The commit that results name as their origin. The file changes, and is compiled again, only if the commit does.
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/commit-header ${PROJECT_BINARY_DIR}/commit/weft_commit.h)
  add_custom_target(
    weft_commit
    COMMAND ${PROJECT_SOURCE_DIR}/tools/commit-header ${PROJECT_BINARY_DIR}/commit/weft_commit.h
    BYPRODUCTS ${PROJECT_BINARY_DIR}/commit/weft_commit.h
    VERBATIM)
  add_dependencies(weft_study weft_commit)
  target_include_directories(weft_study PRIVATE ${PROJECT_BINARY_DIR}/commit)
endif()

file(GLOB lab_sources CONFIGURE_DEPENDS lab/textile/*.c lab/fit/*.c)
if(lab_sources)
  pkg_check_modules(nlopt REQUIRED IMPORTED_TARGET nlopt)
  weft_client(weft_lab ${lab_sources})
  target_link_libraries(weft_lab PRIVATE PkgConfig::nlopt)
  list(PREPEND weft_client_libraries weft_lab)
endif()

file(GLOB experiment_sources CONFIGURE_DEPENDS lab/experiments/*.c)
if(experiment_sources)
  weft_client(weft_experiments ${experiment_sources})
  list(PREPEND weft_client_libraries weft_experiments)
endif()

include(tools/cmake/studio.cmake)

# The command links libweft.so. It shares one engine with its plugins and can use only the public API.
file(GLOB cli_sources CONFIGURE_DEPENDS apps/cli/*.c)
if(cli_sources AND sim_sources)
  add_executable(weft ${cli_sources})
  target_include_directories(weft PRIVATE ${PROJECT_SOURCE_DIR})
  # The folder in which an uninstalled command looks up scenes by name.
  target_compile_definitions(weft PRIVATE _POSIX_C_SOURCE=200809L WEFT_SCENES_FOLDER="${PROJECT_SOURCE_DIR}/data/scenes")
  target_link_libraries(weft PRIVATE ${weft_client_libraries} weft_shared ${CMAKE_DL_LIBS})
  # The man page comes from the tables behind --help.
  add_custom_command(
    TARGET weft
    POST_BUILD
    COMMAND weft help --man >${PROJECT_BINARY_DIR}/weft.1
    BYPRODUCTS ${PROJECT_BINARY_DIR}/weft.1)
endif()
