# find_package(phasor): the targets phasor::phasor, and phasor::course with the figures and claims.
# What they need is found first; when something is missing, CMake names it and phasor is not found.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(Threads)
find_dependency(xsimd)
find_dependency(xtensor)
# The library was built with OpenBLAS; xtensor-blas looks for a BLAS of its own, and finds the same.
set(phasor_outer_vendor "${BLA_VENDOR}")
set(BLA_VENDOR OpenBLAS)
find_dependency(BLAS)
find_dependency(xtensor-blas)
set(BLA_VENDOR "${phasor_outer_vendor}")
unset(phasor_outer_vendor)

include(${CMAKE_CURRENT_LIST_DIR}/phasor-targets.cmake)
