// Errors as tests want them: the exact type, on one line, naming what was wanted and what came.
#pragma once
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <typeinfo>

#include "phasor/core/error.hpp"

namespace phasor {

/// Fails unless `call` throws exactly E, its message one line that contains every part.
template <class E = DataError, class Call>
void expect_error(Call call, std::initializer_list<std::string> parts) {
  try {
    call();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(typeid(error) == typeid(E)) << "another type of error: " << message;
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), message.npos) << "no '" << part << "' in: " << message;
    return;
  }
  ADD_FAILURE() << "no error, wanted one with '" << (parts.size() ? *parts.begin() : "") << "'";
}

/// The same for a message of which one part is worth checking.
template <class E = DataError, class Call>
void expect_error(Call call, const std::string& part) {
  expect_error<E>(call, std::initializer_list<std::string>{part});
}

}  // namespace phasor
