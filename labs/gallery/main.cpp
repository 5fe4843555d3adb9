// lab_gallery OUT: one page, OUT/index.html, with the figures of all labs that wrote into OUT.
#include <fmt/format.h>

#include <exception>

#include "phasor/figure/gallery.hpp"

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr,
               "usage: lab_gallery OUT   (the folder the labs wrote to, for example out)\n");
    return 2;
  }
  try {
    fmt::print("{}\n", phasor::write_gallery(argv[1]).string());
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "lab_gallery: {}\n", problem.what());
    return 2;
  }
}
