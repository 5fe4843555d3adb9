// A test of code that computes with Real: built twice, named Suite_f32.Name and Suite_f64.Name.
#pragma once
#include <gtest/gtest.h>

#include "phasor/core/real.hpp"

#ifdef PHASOR_DOUBLE
#define REAL_TEST(suite, name) TEST(suite##_f64, name)
#else
#define REAL_TEST(suite, name) TEST(suite##_f32, name)
#endif
