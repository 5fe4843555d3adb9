// What you write in this lab. Your code goes into solution.cpp.
//
// Six backward functions. Each gets dy, the gradient of the loss with respect to what the forward
// function returned, and what the forward function saw; it hands on the gradient of the loss with
// respect to each input. The formulas follow from the chain rule.
//
// Every function ADDS to the gradients it is given and never sets them: what a tensor feeds into
// several places comes back from several places, and the sum is its gradient. In y = x * x even
// da and db are one and the same array. All arrays have their shapes already; matrices are
// [rows, columns], one token a row.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

/// Backward of y = a * b, element by element.   a, b, y: one shape.
///
///   da += dy * b        db += dy * a
void mul_backward(const xt::xarray<double>& dy, const xt::xarray<double>& a,
                  const xt::xarray<double>& b, xt::xarray<double>& da, xt::xarray<double>& db);

/// Backward of the product of matrices y = a b.   a: [M, K], b: [K, N], y: [M, N].
///
///   da += dy b^T        db += a^T dy
///
/// The shapes leave no other choice when M, K and N differ. Source: Giles (2008), "Collected matrix
/// derivative results for forward and reverse mode algorithmic differentiation".
void matmul_backward(const xt::xarray<double>& dy, const xt::xarray<double>& a,
                     const xt::xarray<double>& b, xt::xarray<double>& da, xt::xarray<double>& db);

/// Backward of y = exp(x) / sum(exp(x)) over each row.   x, y: [N, C]. It is given y, not x: all it
/// needs is there.
///
///   dx_i += y_i (dy_i - sum_j dy_j y_j)
///
/// Source: dy_i/dx_j = y_i ((i == j) - y_j), Bridle (1990).
void softmax_backward(const xt::xarray<double>& dy, const xt::xarray<double>& y,
                      xt::xarray<double>& dx);

/// Backward of y = n * weight + bias over each row, where n = (x - mean(x)) / s and
/// s = sqrt(mean((x - mean(x))^2) + epsilon).   x, y: [N, C], weight, bias: [C].
///
///   g = dy * weight
///   dx += (g - mean(g) - n * mean(g * n)) / s       means over the row
///   dweight += sum over rows of dy * n              dbias += sum over rows of dy
///
/// Source: Ba, Kiros and Hinton (2016), arXiv 1607.06450.
void layer_norm_backward(const xt::xarray<double>& dy, const xt::xarray<double>& x,
                         const xt::xarray<double>& weight, double epsilon, xt::xarray<double>& dx,
                         xt::xarray<double>& dweight, xt::xarray<double>& dbias);

/// Backward of the lookup y[n] = table[rows[n]].   table: [V, C], rows: N numbers in [0, V),
/// y: [N, C].
///
///   dtable[rows[n]] += dy[n]       for every n, also where a row was looked up before
void embedding_backward(const xt::xarray<double>& dy, const std::vector<std::size_t>& rows,
                        xt::xarray<double>& dtable);

/// Backward of the mean cross entropy of N rows,
/// loss = 1/N sum_n (log(sum_i exp(logits[n, i])) - logits[n, targets[n]]), in nats.
/// logits: [N, V], targets: N numbers in [0, V). `dloss` is the gradient of the loss itself.
///
///   dlogits[n, i] += dloss / N * (softmax(logits[n])_i - (i == targets[n]))
///
/// Large logits must not overflow: take the largest of a row away first, it cancels.
/// Source: Bridle (1990), where softmax and its loss are one.
void cross_entropy_backward(double dloss, const xt::xarray<double>& logits,
                            const std::vector<std::size_t>& targets, xt::xarray<double>& dlogits);
