// What every program does around its work: errors become one line, and lost output an error.
#pragma once
#include <functional>
#include <string>

namespace phasor {

/// Sends what was printed on its way. Throws DataError when standard output does not take it.
void flush_output();

/// The whole of a main(): runs `body` and returns its exit code. When it throws, or when what it
/// printed does not arrive (a full disk, a closed standard output), one line "NAME: what is wrong;
/// the way out" goes to standard error and the exit code is 2.
int run_program(const std::string& name, const std::function<int()>& body);

}  // namespace phasor
