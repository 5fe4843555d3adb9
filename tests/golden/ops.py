"""Golden values and gradients of the single operations: ops/<op>.<what>.npy, float64.

Each function is PyTorch's own (torch.nn.functional), except rms_norm, which PyTorch 1.13 has not:
y = x / sqrt(mean(x^2) + eps) * weight (Zhang and Sennrich 2019, arXiv 1910.07467). The gradients
are PyTorch's, for the cotangent in <op>.dy.npy: dx is the derivative of sum(dy * y) by x.
Written for and run with Python 3.11, PyTorch 1.13, NumPy 1.24. The inputs are rounded to float32,
so that single and double precision start from the same numbers.
"""
import zlib

import numpy as np
import torch
from torch.nn import functional as F

from schemes import FOLDER, random_inputs, save

EPS = 1e-5
IGNORE_INDEX = -100


def generator_for(op):
    """Each operation has numbers of its own, whatever the order they are made in."""
    return np.random.Generator(np.random.PCG64(zlib.crc32(op.encode())))


def record(folder, op, function, inputs, generator, constants=()):
    """Saves inputs (differentiated), constants (not), y, dy and the gradient of every input."""
    inputs = {name: array.astype(np.float32).astype(np.float64) for name, array in inputs.items()}
    tensors = {name: torch.from_numpy(array).requires_grad_() for name, array in inputs.items()}
    y = function(**tensors)
    dy = random_inputs(generator, *y.shape)
    y.backward(torch.from_numpy(dy))
    for name, array in [*inputs.items(), *constants, ("dy", dy), ("y", y.detach().numpy())]:
        save(folder, f"{op}.{name}", array)
    for name, tensor in tensors.items():
        save(folder, f"{op}.d{name}", tensor.grad.numpy())


def rms_norm(x, weight):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + EPS) * weight


def make_softmaxes(folder):
    for op, function in (("softmax", F.softmax), ("log_softmax", F.log_softmax)):
        generator = generator_for(op)
        x = 2 * random_inputs(generator, 2, 3, 5)
        x[0, 1] += 1024  # overflows exp unless the largest entry is subtracted first
        record(folder, op, lambda x, f=function: f(x, dim=-1), {"x": x}, generator)


def make_cross_entropy(folder):
    generator = generator_for("cross_entropy")
    logits = 2 * random_inputs(generator, 3, 5, 7)
    logits[0, 1] += 1024
    targets = generator.integers(0, 7, (3, 5))
    targets[0, 3] = targets[2, 0] = targets[2, 4] = IGNORE_INDEX

    def function(logits):
        return F.cross_entropy(logits.flatten(0, 1), torch.from_numpy(targets).flatten(),
                               ignore_index=IGNORE_INDEX)

    record(folder, "cross_entropy", function, {"logits": logits}, generator,
           [("targets", targets), ("ignore_index", IGNORE_INDEX)])


def make_norms(folder):
    generator = generator_for("layer_norm")
    inputs = {"x": random_inputs(generator, 2, 3, 5), "weight": random_inputs(generator, 5),
              "bias": random_inputs(generator, 5)}
    inputs["x"][1, 2] *= 2.0**-8  # a variance near eps: where eps stands matters
    record(folder, "layer_norm", lambda x, weight, bias: F.layer_norm(x, (5,), weight, bias, EPS),
           inputs, generator)
    generator = generator_for("rms_norm")
    inputs = {"x": random_inputs(generator, 2, 3, 5), "weight": random_inputs(generator, 5)}
    inputs["x"][1, 2] *= 2.0**-8
    record(folder, "rms_norm", rms_norm, inputs, generator)


def make_activations(folder):
    activations = {"gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "gelu_erf": F.gelu,
                   "relu": F.relu, "silu": F.silu}
    for op, function in activations.items():
        generator = generator_for(op)
        x = 2 * random_inputs(generator, 4, 7)
        x[0, :4] = [-32, -6, 6, 32]
        record(folder, op, lambda x, f=function: f(x), {"x": x}, generator)


def make_products(folder):
    generator = generator_for("matmul")
    record(folder, "matmul", lambda a, b: a @ b,
           {"a": random_inputs(generator, 2, 3, 4, 5), "b": random_inputs(generator, 2, 3, 5, 6)},
           generator)
    generator = generator_for("linear")
    record(folder, "linear", lambda x, weight, bias: F.linear(x, weight, bias),
           {"x": random_inputs(generator, 2, 3, 5), "weight": random_inputs(generator, 4, 5),
            "bias": random_inputs(generator, 4)}, generator)
    generator = generator_for("embedding")
    tokens = np.array([[6, 0, 2], [2, 5, 2]])  # row 2 three times: its gradients add up
    record(folder, "embedding", lambda weight: F.embedding(torch.from_numpy(tokens), weight),
           {"weight": random_inputs(generator, 7, 4)}, generator, [("tokens", tokens)])


def make(folder):
    torch.set_num_threads(1)
    folder = folder / "ops"
    make_softmaxes(folder)
    make_cross_entropy(folder)
    make_norms(folder)
    make_activations(folder)
    make_products(folder)


if __name__ == "__main__":
    make(FOLDER)
