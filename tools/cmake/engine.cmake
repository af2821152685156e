# The engine depends only on libc (with its threads) and libm. Its objects make libweft.so (the command, plugins), libweft.a
# (other programs) and libweft_engine.a (our tests and tools, which see internal functions). The first two export only the
# WEFT_API functions.
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

# The libraries that a program needs in addition to a static engine.
function(weft_engine_links target)
  target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:$<LINK_ONLY:Threads::Threads>>
                                            $<INSTALL_INTERFACE:${CMAKE_THREAD_LIBS_INIT}>)
endfunction()

add_library(weft_objects OBJECT ${engine_sources})
weft_engine_settings(weft_objects)

add_library(weft_engine STATIC $<TARGET_OBJECTS:weft_objects>)
target_link_libraries(weft_engine PUBLIC weft_headers)
weft_engine_links(weft_engine)

# One object, in which all symbols but those of the WEFT_API functions are local. A program may thus use any other name.
set(whole_object ${PROJECT_BINARY_DIR}/weft_static.o)
add_custom_command(
  OUTPUT ${whole_object}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${whole_object} $<TARGET_OBJECTS:weft_objects>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${whole_object}
  DEPENDS weft_objects $<TARGET_OBJECTS:weft_objects>
  COMMENT "Joining the objects of libweft.a"
  COMMAND_EXPAND_LISTS VERBATIM)
add_library(weft_static STATIC ${whole_object})
set_target_properties(weft_static PROPERTIES OUTPUT_NAME weft LINKER_LANGUAGE C)
target_link_libraries(weft_static PUBLIC weft_headers)
weft_engine_links(weft_static)

add_library(weft_shared SHARED $<TARGET_OBJECTS:weft_objects>)
target_link_libraries(weft_shared PUBLIC weft_headers)
target_link_libraries(weft_shared PRIVATE Threads::Threads)
# Before 1.0 every minor version may change the layout of public structures.
set_target_properties(weft_shared PROPERTIES OUTPUT_NAME weft EXPORT_NAME weft VERSION ${PROJECT_VERSION}
                                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_library(weft::weft ALIAS weft_shared)
add_library(weft::weft_static ALIAS weft_static)

# The same code without optimisation. The tests compare its state hashes with those of the optimised build.
add_library(weft_engine_O0 STATIC EXCLUDE_FROM_ALL ${engine_sources})
weft_engine_settings(weft_engine_O0)
weft_engine_links(weft_engine_O0)
target_compile_options(weft_engine_O0 PRIVATE -O0)
