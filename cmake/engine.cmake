# The engine depends only on libc (with its threads) and libm. Its objects make both libweft.a (tests, static users) and libweft.so
# (the command, plugins). libweft.so exports only the WEFT_API functions.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

add_library(weft_headers INTERFACE)
target_include_directories(weft_headers INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(weft_headers INTERFACE m) # weft/vec.h is inline

file(GLOB_RECURSE engine_sources CONFIGURE_DEPENDS src/*.c)
file(GLOB sim_sources CONFIGURE_DEPENDS src/sim/*.c)

function(weft_engine_settings target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC weft_headers)
  target_compile_definitions(${target} PRIVATE WEFT_VERSION="${PROJECT_VERSION}" $<$<BOOL:${WEFT_PORTABLE}>:WEFT_PORTABLE>)
endfunction()

# The libraries that a program needs in addition to libweft.a.
function(weft_engine_links target)
  target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:$<LINK_ONLY:Threads::Threads>>
                                            $<INSTALL_INTERFACE:${CMAKE_THREAD_LIBS_INIT}>)
endfunction()

add_library(weft_objects OBJECT ${engine_sources})
weft_engine_settings(weft_objects)

add_library(weft_engine STATIC $<TARGET_OBJECTS:weft_objects>)
target_link_libraries(weft_engine PUBLIC weft_headers)
weft_engine_links(weft_engine)
set_target_properties(weft_engine PROPERTIES OUTPUT_NAME weft EXPORT_NAME weft_static)

add_library(weft_shared SHARED $<TARGET_OBJECTS:weft_objects>)
target_link_libraries(weft_shared PUBLIC weft_headers)
target_link_libraries(weft_shared PRIVATE Threads::Threads)
# Before 1.0 every minor version may change the layout of public structures.
set_target_properties(weft_shared PROPERTIES OUTPUT_NAME weft EXPORT_NAME weft VERSION ${PROJECT_VERSION}
                                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_library(weft::weft ALIAS weft_shared)
add_library(weft::weft_static ALIAS weft_engine)

# The same code without optimisation. The tests compare its state hashes with those of the optimised build.
add_library(weft_engine_O0 STATIC EXCLUDE_FROM_ALL ${engine_sources})
weft_engine_settings(weft_engine_O0)
weft_engine_links(weft_engine_O0)
target_compile_options(weft_engine_O0 PRIVATE -O0)
