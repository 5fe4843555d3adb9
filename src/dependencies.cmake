# The packages that the library needs, and with it every program that uses it, in the order in which
# they are looked for. Read by the build and, installed, by find_package(phasor). This list and
# src/phasor/tensor/xtensor.hpp are all that has to follow a new release of them. Debian has
#            fmt   nlohmann-json  xsimd  xtensor  xtensor-blas  OpenBLAS
#   12       9.1   3.11.2         8.1    0.24     0.20          0.3.21
#   13       10.1  3.11.3         13.2   0.25     0.21          0.3.29
# xtensor-blas looks for a BLAS of its own: with this vendor it finds the one found before it.
set(phasor_blas_vendor OpenBLAS)
set(phasor_packages fmt nlohmann_json Threads xsimd xtensor BLAS xtensor-blas)
set(phasor_package_targets fmt::fmt nlohmann_json::nlohmann_json xtensor xtensor-blas xsimd
                           BLAS::BLAS Threads::Threads)
