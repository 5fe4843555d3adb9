// lab_gallery OUT: one page, OUT/index.html, with the figures of all labs that wrote into OUT.
#include <fmt/format.h>

#include "phasor/core/program.hpp"
#include "phasor/core/text.hpp"
#include "phasor/figure/gallery.hpp"

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr,
               "usage: lab_gallery OUT   (the folder the labs wrote to, for example out)\n");
    return 2;
  }
  return phasor::run_program("lab_gallery", [&] {
    fmt::print("{}\n", phasor::printable(phasor::write_gallery(argv[1]).string()));
    return 0;
  });
}
