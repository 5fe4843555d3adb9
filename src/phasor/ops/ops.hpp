// Every op, for code that uses many.
#pragma once
#include "phasor/ops/activation.hpp"
#include "phasor/ops/attention.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "phasor/ops/dropout.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/embedding.hpp"
#include "phasor/ops/gather.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/ops/norm.hpp"
#include "phasor/ops/reduce.hpp"
#include "phasor/ops/softmax.hpp"
