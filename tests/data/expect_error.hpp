// What a test of a clear error asks for.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "phasor/core/error.hpp"

namespace phasor {

/// Fails unless `call` throws an Expected whose one line has `part` in it.
template <class Expected = DataError, class Call>
void expect_error(Call call, const std::string& part) {
  try {
    call();
  } catch (const Expected& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nwanted: " << part;
    EXPECT_EQ(message.find('\n'), std::string::npos) << "more than one line: " << message;
    return;
  }
  ADD_FAILURE() << "nothing thrown, wanted: " << part;
}

}  // namespace phasor
