// Attention in double and step by step, for proofs about order. The model's own is in model/.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// softmax(q k^T / sqrt(D), over the keys that the mask shows) v.
///   q: [T, D], k: [S, D], v: [S, E], mask: [T, S], 1 where the query sees the key, 0 where not
///   -> [T, E]
/// A hidden key has weight 0, exactly. With the identity as v the result is the weights. Throws
/// ShapeError when the shapes do not fit. Vaswani et al. (2017), equation 1.
xt::xarray<double> attended(const xt::xarray<double>& q, const xt::xarray<double>& k,
                            const xt::xarray<double>& v, const xt::xarray<double>& mask);

/// What `attended` is, or what a learner wrote in its place.
using AttentionFunction =
    std::function<xt::xarray<double>(const xt::xarray<double>& q, const xt::xarray<double>& k,
                                     const xt::xarray<double>& v, const xt::xarray<double>& mask)>;

/// [size, size]: every token sees every token, or itself and those before it.
xt::xarray<double> full_mask(std::size_t size);
xt::xarray<double> causal_mask(std::size_t size);

/// Row i of the result is row order[i] of `rows`. Throws ShapeError unless `order` names each row
/// once.
xt::xarray<double> permuted(const xt::xarray<double>& rows, const std::vector<std::size_t>& order);

/// The order that undoes `order`: permuted(permuted(x, order), inverse_order(order)) is x.
std::vector<std::size_t> inverse_order(const std::vector<std::size_t>& order);

/// Weights of one layer with one head: x + attention(x query, x key, x value) output.
/// Each is [width, width].
struct AttentionLayer {
  xt::xarray<double> query, key, value, output;
};

/// Layers with normal weights of variance 1 / width; layer n is drawn from the stream
/// (seed, "attention layer", n), so a deeper stack begins with the same layers.
std::vector<AttentionLayer> random_layers(std::uint64_t seed, std::size_t count, std::size_t width);

/// [rows, width], standard normal, from the stream (seed, "token vectors").
xt::xarray<double> random_tokens(std::uint64_t seed, std::size_t rows, std::size_t width);

/// What a stack makes of x.
struct StackPass {
  std::vector<xt::xarray<double>> weights;  ///< of each layer, [T, T]
  std::vector<xt::xarray<double>> outputs;  ///< after each layer, [T, width]
};
StackPass run_stack(const std::vector<AttentionLayer>& layers, const xt::xarray<double>& x,
                    const xt::xarray<double>& mask, const AttentionFunction& attend = attended);

}  // namespace phasor
