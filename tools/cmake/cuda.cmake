# The GPU backend. Its kernels are also plain C: the library weft_cuda_host runs them as loops on the CPU, for tests.
# With nvcc, libweft_cuda.so is built too. nvcc is called directly, because the project's own flags are for C compilers.
set(WEFT_CUDA AUTO CACHE STRING "Build the CUDA backend: ON, OFF, or AUTO (if nvcc is found)")
set(cuda_folders ${PROJECT_SOURCE_DIR}/gpu ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
file(GLOB cuda_sources CONFIGURE_DEPENDS gpu/*.c)
list(FILTER cuda_sources EXCLUDE REGEX "/(plugin|backend_cuda)\\.c$")
add_library(weft_cuda_host STATIC EXCLUDE_FROM_ALL ${cuda_sources})
target_include_directories(weft_cuda_host PUBLIC ${cuda_folders})
target_link_libraries(weft_cuda_host PUBLIC weft_headers)

set(cuda_missing "")
if(WEFT_CUDA STREQUAL OFF OR WEFT_SANITIZE OR WEFT_FUZZ OR WEFT_LINT OR WEFT_COVERAGE)
  set(cuda_missing "it is switched off")
else()
  find_program(WEFT_NVCC nvcc HINTS /usr/local/cuda/bin)
  if(NOT WEFT_NVCC)
    set(cuda_missing "nvcc is not installed")
  endif()
endif()
if(cuda_missing AND WEFT_CUDA STREQUAL ON)
  message(FATAL_ERROR "The CUDA backend cannot be built: ${cuda_missing}")
elseif(cuda_missing)
  message(STATUS "The CUDA backend is not built: ${cuda_missing}")
  return()
endif()

get_filename_component(cuda_root ${WEFT_NVCC} DIRECTORY)
get_filename_component(cuda_root ${cuda_root} DIRECTORY)
set(cuda_object ${PROJECT_BINARY_DIR}/execute_cuda.o)
list(TRANSFORM cuda_folders PREPEND -I OUTPUT_VARIABLE cuda_includes)
file(GLOB cuda_headers CONFIGURE_DEPENDS gpu/*.h gpu/*.cuh)
set(cuda_warnings)
if(WEFT_WERROR)
  set(cuda_warnings -Werror=all-warnings)
endif()
# Machine code for Hopper (compute capability 9.0), and portable code that drivers compile for newer GPUs. Without
# fused multiply-adds the CPU computes the same bits.
add_custom_command(
  OUTPUT ${cuda_object}
  COMMAND
    ${WEFT_NVCC} -std=c++17 -O3 --fmad=false -gencode=arch=compute_90,code=sm_90
    -gencode=arch=compute_90,code=compute_90 -Xcompiler=-fPIC,-Wall,-Wextra,-fvisibility=hidden
    ${cuda_warnings} ${cuda_includes} -c ${PROJECT_SOURCE_DIR}/gpu/execute_cuda.cu -o
    ${cuda_object}
  DEPENDS gpu/execute_cuda.cu ${cuda_headers} src/sim/device_backend.h src/cloth/device_elements.h
  COMMENT "Compiling the kernels for the GPU"
  VERBATIM)
add_library(weft_cuda_device STATIC gpu/backend_cuda.c ${cuda_object})
target_link_libraries(weft_cuda_device PUBLIC weft_cuda_host ${cuda_root}/lib64/libcudart_static.a Threads::Threads
                                              ${CMAKE_DL_LIBS} rt stdc++)
set_target_properties(weft_cuda_device PROPERTIES LINKER_LANGUAGE C)

# The command loads libweft_cuda.so when a scene asks for it.
add_library(weft_cuda MODULE gpu/plugin.c)
target_link_libraries(weft_cuda PRIVATE weft_cuda_device weft_shared)
set_target_properties(weft_cuda PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS weft_cuda DESTINATION ${CMAKE_INSTALL_LIBDIR})

# Programs for a machine with a GPU (tools/test-gpu, tools/bench-gpu). They need no other library.
foreach(name gpu_check gpu_bench gpu_table)
  add_executable(${name} tests/gpu/${name}.c)
  target_include_directories(${name} PRIVATE ${cuda_folders} ${PROJECT_SOURCE_DIR}/tests/gpu)
  target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L)
  target_link_libraries(${name} PRIVATE weft_cuda_device weft_engine)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endforeach()
