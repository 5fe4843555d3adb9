# What `cmake --install` puts below the prefix: library, headers, command, and the package that
# find_package(phasor) reads. The Python module has its rules beside its sources. The build with
# double stays here: it is for checking gradients, and the tests do that.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# As in the tree, the product is phasor::phasor, and phasor::course comes on top.
set_target_properties(phasor_flags PROPERTIES EXPORT_NAME flags)
set_target_properties(phasor_base PROPERTIES EXPORT_NAME base)
set_target_properties(phasor_f32 PROPERTIES EXPORT_NAME phasor)
set_target_properties(phasor_course PROPERTIES EXPORT_NAME course)
install(TARGETS phasor_flags phasor_base phasor_f32 phasor_course EXPORT phasor-targets
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY src/phasor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN *.hpp
        PATTERN cli EXCLUDE PATTERN python EXCLUDE PATTERN scripts EXCLUDE)
if(TARGET phasor)
  install(TARGETS phasor)
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/phasor)
install(EXPORT phasor-targets NAMESPACE phasor:: DESTINATION ${package})
# Before 1.0 a new minor version may change what programs use.
write_basic_package_version_file(phasor-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES src/phasor-config.cmake src/dependencies.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/phasor-config-version.cmake
        DESTINATION ${package})
