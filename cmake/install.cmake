# Installs library, headers, command, man page, scenes, pkg-config file and CMake package. The installation is
# relocatable.
include(CMakePackageConfigHelpers)

install(TARGETS weft_headers weft_engine weft_shared EXPORT weft)
install(DIRECTORY include/weft TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
if(TARGET weft)
  file(RELATIVE_PATH to_library /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(weft PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}")
  install(TARGETS weft)
  install(FILES ${PROJECT_BINARY_DIR}/weft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/scenes)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
  install(DIRECTORY fabrics DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weft NAMESPACE weft:: FILE weft-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/weft-config.cmake.in weft-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weft-config.cmake ${PROJECT_BINARY_DIR}/weft-config-version.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/weft.pc.in weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
