# One program per tests/unit/test_*.c, linked with all libraries. Names with a special meaning:
#   test_*_hash.c        also built at -O0 with an unoptimised engine; both must print the same output
#   test_*_allocation.c  calls malloc, calloc and realloc through __wrap_malloc, ..., so it can make them fail
find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka IMPORTED_TARGET cmocka)
if(NOT cmocka_FOUND)
  message(STATUS "The tests are not built: cmocka is not installed (Debian: libcmocka-dev)")
  return()
endif()

function(weft_unit_test name source engine)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${weft_client_libraries} ${engine} PkgConfig::cmocka ${CMAKE_DL_LIBS})
  if(name MATCHES "^test_cuda")
    target_link_libraries(${name} PRIVATE weft_cuda_host ${engine})
  endif()
  if(name MATCHES "^test_studio")
    target_link_libraries(${name} PRIVATE PkgConfig::jansson)
    add_dependencies(${name} weft)
  endif()
  if(name MATCHES "^test_(stress_.*)")
    target_sources(${name} PRIVATE tests/stress/${CMAKE_MATCH_1}.c)
  endif()
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L WEFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             $<$<TARGET_EXISTS:weft>:WEFT_PROGRAM="$<TARGET_FILE:weft>">)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(name MATCHES "_allocation$")
    target_link_options(${name} PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
  endif()
endfunction()

# The environment of the tests. The thread sanitizer ends a forked process that starts threads, unless told otherwise.
set(test_environment "ASAN_OPTIONS=detect_stack_use_after_return=1" "UBSAN_OPTIONS=print_stacktrace=1"
                     "TSAN_OPTIONS=die_after_fork=0" "WEFT_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                     "WEFT_BUILD=${PROJECT_BINARY_DIR}")
if(TARGET weft)
  list(APPEND test_environment "WEFT=$<TARGET_FILE:weft>")
endif()

# tests/tiers.txt names the lowest tier that runs a test, and its seconds. ctest starts the longest tests first.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tests/tiers.txt)
file(STRINGS tests/tiers.txt tier_lines REGEX "^[a-z]")
foreach(line ${tier_lines})
  string(REGEX REPLACE " +" ";" words "${line}")
  list(POP_FRONT words name)
  set(tier_of_${name} ${words})
  if(name MATCHES "^experiment/(.*)")
    list(APPEND experiment_tests ${CMAKE_MATCH_1})
  endif()
endforeach()

# weft_test(NAME LABEL COMMAND...): a test of the tier that tests/tiers.txt gives it in this build. The time limit only
# stops tests that hang. On a loaded machine a test of one minute may take ten.
function(weft_test name label)
  if(NOT tier_of_${name})
    message(FATAL_ERROR "tests/tiers.txt has no line for the test ${name}: name its tier and its seconds")
  endif()
  list(GET tier_of_${name} 0 1 tier_and_seconds)
  if(WEFT_SANITIZE)
    list(GET tier_of_${name} 2 3 tier_and_seconds)
  endif()
  list(GET tier_and_seconds 0 tier)
  list(GET tier_and_seconds 1 seconds)
  if(tier STREQUAL "-") # not in this build
    return()
  endif()
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${label};tier-${tier}" ENVIRONMENT "${test_environment}" TIMEOUT 1200
                                          COST ${seconds} SKIP_RETURN_CODE 77)
endfunction()

file(GLOB unit_tests CONFIGURE_DEPENDS tests/unit/test_*.c)
foreach(source ${unit_tests})
  get_filename_component(name ${source} NAME_WE)
  weft_unit_test(${name} ${source} weft_engine)
  if(name MATCHES "_hash$" AND WEFT_TWINS)
    weft_unit_test(${name}_O0 ${source} weft_engine_O0)
    target_compile_options(${name}_O0 PRIVATE -O0)
    # Runs both programs and fails if either fails.
    weft_test(unit/${name} unit ${PROJECT_SOURCE_DIR}/tools/same-output $<TARGET_FILE:${name}> $<TARGET_FILE:${name}_O0>)
  else()
    weft_test(unit/${name} unit ${name})
  endif()
endforeach()

# The checks for a GPU, with loops on the CPU in its place. tools/test-gpu runs them on a GPU.
if(TARGET gpu_check)
  weft_test(gpu/check_on_host unit gpu_check --short --host)
endif()

# The fuzz targets with seeds and changed seeds, under the address sanitizer; `make fuzz` needs clang and runs longer.
if(WEFT_SANITIZE MATCHES address AND TARGET weft)
  file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
  foreach(source ${fuzz_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source} tests/fuzz/mutate.c)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${name} PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200809L)
    target_link_libraries(${name} PRIVATE ${weft_client_libraries} weft_engine)
    if(name STREQUAL fuzz_studio)
      target_link_libraries(${name} PRIVATE PkgConfig::jansson)
    endif()
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/fuzz)
    set(changed_seeds 10000)
    if(name MATCHES "^fuzz_(studio|inputs)$") # these run frames
      set(changed_seeds 1000)
    endif()
    weft_test(fuzz/${name} fuzz ${PROJECT_SOURCE_DIR}/tools/in-empty-folder
              ${PROJECT_BINARY_DIR}/tests/fuzz/${name}.run $<TARGET_FILE:${name}> ${changed_seeds}
              ${PROJECT_SOURCE_DIR}/tests/fuzz/seeds/${name})
  endforeach()
endif()

# Renders analytic cloths, to inspect and time the renderer without a simulation.
if(TARGET weft_render)
  add_executable(render_demo EXCLUDE_FROM_ALL tests/render_demo.c)
  target_link_libraries(render_demo PRIVATE ${weft_client_libraries} weft_engine)
endif()

# Random scenes with contact, checked after every step. `make soak` runs many; the test runs seeds that are known to pass
# (tests/stress/RESULTS.md). Under the sanitizers a step takes ten times as long.
if(TARGET weft)
  file(GLOB stress_sources CONFIGURE_DEPENDS tests/stress/*.c)
  add_executable(stress_scenes ${stress_sources})
  target_include_directories(stress_scenes PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(stress_scenes PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200809L)
  target_link_libraries(stress_scenes PRIVATE weft_load weft_garment weft_mannequin weft_io weft_engine)
  set_target_properties(stress_scenes PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set(stress_seeds 60)
  if(WEFT_SANITIZE OR WEFT_COVERAGE)
    set(stress_seeds 4)
  endif()
  weft_test(stress/seeds stress stress_scenes --first 1000000 --seeds ${stress_seeds} --out
            ${PROJECT_BINARY_DIR}/tests/stress/seeds)
  # a sharp mesh at 18 m/s: fast bodies make steps fall back to constraints
  weft_test(stress/sharp_mesh stress stress_scenes --first 1445 --seeds 1 --out
            ${PROJECT_BINARY_DIR}/tests/stress/sharp_mesh)
  # cloths that fly beside one that hangs: energy is part of the check
  weft_test(stress/flight stress stress_scenes --strict --first 65 --seeds 1 --out
            ${PROJECT_BINARY_DIR}/tests/stress/flight)
  # undriven scenes that gained 1 to 8 %: an impact that bdf2 extrapolated, edges whose forces were not the derivative of
  # their energy, a long step around an obstacle, and a triangle at a border that collapsed
  foreach(seed 1000639 1001607 1006257 1000060)
    weft_test(stress/energy_${seed} stress stress_scenes --strict --first ${seed} --seeds 1 --out
              ${PROJECT_BINARY_DIR}/tests/stress/energy_${seed})
  endforeach()
  # light cloth in wind, whose lift jumps: a step took 5385 Newton updates
  weft_test(stress/wind_work stress stress_scenes --updates 100 --first 1001092 --seeds 1 --out
            ${PROJECT_BINARY_DIR}/tests/stress/wind_work)
  # light cloth in strong wind with `projective` or `xpbd`, and a thin sheet that a mesh hits: all diverged
  foreach(seed 180 1004316 1007934 5000167 5005161)
    weft_test(stress/diverged_${seed} stress stress_scenes --first ${seed} --seeds 1 --out
              ${PROJECT_BINARY_DIR}/tests/stress/diverged_${seed})
  endforeach()
  weft_test(stress/usage stress ${PROJECT_SOURCE_DIR}/tools/in-empty-folder ${PROJECT_BINARY_DIR}/tests/stress/usage
            ${PROJECT_SOURCE_DIR}/tests/stress/test_stress_usage.sh $<TARGET_FILE:stress_scenes>)
endif()

# Scripts that run the command ($WEFT), each in its own empty folder. Exit status 77 means skipped. Whole scenes take minutes
# under the sanitizers, and so does a browser without a graphics card: tests/tiers.txt leaves these out there. The unit
# tests and the tests of the server cover the same code in smaller cases.
if(TARGET weft)
  file(GLOB script_tests CONFIGURE_DEPENDS tests/cli/test_*.sh tests/clients/test_*.sh tests/studio/test_*.sh
       tests/docs/*.sh)
  foreach(source ${script_tests})
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    weft_test(${folder}/${name} ${folder} ${PROJECT_SOURCE_DIR}/tools/in-empty-folder
              ${PROJECT_BINARY_DIR}/tests/${folder}/${name} ${source})
  endforeach()
  if(TEST cli/test_scenes) # not under the sanitizers; wasm/test_wasm reads its runs
    set_tests_properties(cli/test_scenes PROPERTIES FIXTURES_SETUP gallery)
  endif()
endif()

# Checks of the sources and of the built libraries.
if(NOT WEFT_SANITIZE AND NOT WEFT_COVERAGE)
  file(GLOB source_checks CONFIGURE_DEPENDS tests/checks/*)
  foreach(source ${source_checks})
    get_filename_component(name ${source} NAME)
    weft_test(checks/${name} checks ${source})
  endforeach()
endif()

# The browser build, which needs emscripten: skipped unless `make test-wasm` or `make site` has built it.
if(TARGET weft AND NOT WEFT_SANITIZE AND NOT WEFT_COVERAGE)
  foreach(name test_wasm test_npm test_site)
    weft_test(wasm/${name} wasm ${PROJECT_SOURCE_DIR}/tools/in-empty-folder ${PROJECT_BINARY_DIR}/tests/wasm/${name}
              ${PROJECT_SOURCE_DIR}/tests/wasm/${name}.sh)
  endforeach()
  set_tests_properties(wasm/test_wasm PROPERTIES FIXTURES_REQUIRED gallery)
endif()

# The quick subset of each experiment that tests/tiers.txt names. It fails if a result leaves its bounds.
if(TARGET weft_experiments AND TARGET weft AND NOT WEFT_SANITIZE)
  foreach(name ${experiment_tests})
    weft_test(experiment/${name} experiment ${PROJECT_SOURCE_DIR}/tools/in-empty-folder
              ${PROJECT_BINARY_DIR}/tests/experiment/${name} ${PROJECT_SOURCE_DIR}/tests/experiment/quick.sh ${name})
  endforeach()
endif()

# Uses the installed package as a user would. Libraries built with sanitizers are not installed.
if(sim_sources AND NOT WEFT_SANITIZE AND NOT WEFT_COVERAGE)
  set(stage ${PROJECT_BINARY_DIR}/tests/install)
  weft_test(install/files install ${PROJECT_SOURCE_DIR}/tests/install/files.sh ${PROJECT_BINARY_DIR} ${stage})
  set_tests_properties(install/files PROPERTIES FIXTURES_SETUP installed)
  set(install_tests pkg_config cmake_package plugin)
  if(TARGET weft)
    list(APPEND install_tests command files_package npm_later)
  endif()
  foreach(name ${install_tests})
    weft_test(install/${name} install ${PROJECT_SOURCE_DIR}/tests/install/${name}.sh ${stage})
    set_tests_properties(install/${name} PROPERTIES FIXTURES_REQUIRED installed)
  endforeach()
  if(TARGET weft)
    set_tests_properties(install/command PROPERTIES DEPENDS install/plugin)
  endif()
endif()

# The Python package: its tests with pytest, the wheel, and the example scripts. A test that cannot run says why.
if(TARGET weft_python_package)
  set(python_test_environment ${test_environment} "PYTHONPATH=${PROJECT_BINARY_DIR}/python" "PYTHONDONTWRITEBYTECODE=1")
  if(python_asan) # freed memory would count as lost
    list(APPEND python_test_environment "LD_PRELOAD=${python_asan}" "WEFT_CYCLES=200"
         "ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1")
  endif()
  file(GLOB python_tests CONFIGURE_DEPENDS tests/python/test_*.py)
  foreach(source ${python_tests})
    get_filename_component(name ${source} NAME_WE)
    weft_test(python/${name} python ${PROJECT_SOURCE_DIR}/tools/in-empty-folder ${PROJECT_BINARY_DIR}/tests/python/${name}
              ${PROJECT_SOURCE_DIR}/tests/python/run.sh ${python} ${name}.py)
    set_tests_properties(python/${name} PROPERTIES ENVIRONMENT "${python_test_environment}")
  endforeach()
  if(python_asan)
    weft_test(python/leaks python ${PROJECT_SOURCE_DIR}/tools/in-empty-folder ${PROJECT_BINARY_DIR}/tests/python/leaks
              ${PROJECT_SOURCE_DIR}/tests/python/leaks.sh ${python} ${python_asan})
    set_tests_properties(python/leaks PROPERTIES ENVIRONMENT
                                                 "${test_environment};PYTHONPATH=${PROJECT_BINARY_DIR}/python")
  else()
    weft_test(python/wheel python ${PROJECT_SOURCE_DIR}/tools/in-empty-folder ${PROJECT_BINARY_DIR}/tests/python/wheel
              ${PROJECT_SOURCE_DIR}/tests/python/wheel.sh ${python} ${PROJECT_BINARY_DIR}/python/weft)
    weft_test(python/examples python ${PROJECT_SOURCE_DIR}/tools/in-empty-folder
              ${PROJECT_BINARY_DIR}/tests/python/examples ${PROJECT_SOURCE_DIR}/tests/python/examples.sh ${python})
    set_tests_properties(python/examples PROPERTIES ENVIRONMENT "${python_test_environment}")
    weft_test(python/view python ${python} ${PROJECT_SOURCE_DIR}/tests/python/view.py)
    set_tests_properties(python/view PROPERTIES ENVIRONMENT "${python_test_environment}")
    weft_test(python/types python ${PROJECT_SOURCE_DIR}/tools/in-empty-folder ${PROJECT_BINARY_DIR}/tests/python/types
              ${PROJECT_SOURCE_DIR}/tests/python/types.sh ${python} ${PROJECT_BINARY_DIR}/python)
  endif()
elseif(python_missing)
  weft_test(python/package python sh -c "echo 'skipped: the Python package is not built: ${python_missing}'; exit 77")
endif()
