# find_package(phasor): the targets phasor::phasor, and phasor::course with the figures and claims.
# What they need is found first; when something is missing, CMake names it and phasor is not found.
include(CMakeFindDependencyMacro)
include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
set(phasor_outer_vendor "${BLA_VENDOR}")
set(BLA_VENDOR ${phasor_blas_vendor})
foreach(package IN LISTS phasor_packages)
  find_dependency(${package})
endforeach()
set(BLA_VENDOR "${phasor_outer_vendor}")
foreach(variable outer_vendor blas_vendor packages package_targets)
  unset(phasor_${variable})
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/phasor-targets.cmake)
