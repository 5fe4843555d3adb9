"""Golden training runs of the PyTorch Mini-GPT: training/*.

Ten steps of a two-layer model for each of CONFIGS, from saved weights on saved batches, in double and
in single precision. AdamW is torch.optim.AdamW (Loshchilov and Hutter 2019, arXiv 1711.05101),
with decoupled weight decay on parameters of two axes or more only. Gradients are scaled by
min(1, clip / norm), norm over all parameters. The learning rate rises over the warm-up and then
follows a cosine. See README.md for every file.
Written for and run with Python 3.11, PyTorch 1.13, NumPy 1.24, one thread.
"""
import dataclasses
import json
import math

import numpy as np
import torch

import mini_gpt
import safetensors
import schemes

RECIPE = {"steps": 10, "batch": 4, "learning_rate": 1e-2, "min_learning_rate": 1e-3, "warmup": 3,
          "beta1": 0.9, "beta2": 0.95, "epsilon": 1e-8, "weight_decay": 0.1, "clip": 1.0}
LOOSE_CLIP = 2.0

CONFIGS = {
    "learned": mini_gpt.Config(scheme="learned"),
    "rope": mini_gpt.Config(scheme="rope",
                            options={"base": 10000.0, "fraction": 1.0, "pairing": "interleaved"}),
    "sinusoidal": mini_gpt.Config(scheme="sinusoidal",
                                  options={"base": 10000.0, "layout": "interleaved"}),
    "alibi": mini_gpt.Config(scheme="alibi", tied=True),
    "none": mini_gpt.Config(scheme="none"),
    "sinusoidal_tied": mini_gpt.Config(scheme="sinusoidal", tied=True,
                                       options={"base": 10000.0, "layout": "interleaved"}),
}


def learning_rate(step, recipe):
    """The rate of step 0, 1, ..."""
    highest, lowest, warmup = recipe["learning_rate"], recipe["min_learning_rate"], recipe["warmup"]
    if step < warmup:
        return (step + 1) / warmup * highest
    progress = (step - warmup) / (recipe["steps"] - warmup)
    return lowest + 0.5 * (highest - lowest) * (1 + math.cos(math.pi * progress))


def make_optimizer(model, recipe):
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": recipe["weight_decay"]},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe["learning_rate"], eps=recipe["epsilon"],
                             betas=(recipe["beta1"], recipe["beta2"]))


def clip_gradients(model, clip):
    """Scales all gradients by min(1, clip / norm); returns the norm from before."""
    gradients = [p.grad for p in model.parameters()]
    norm = math.sqrt(sum(float((g * g).sum()) for g in gradients))
    if norm > clip:
        for gradient in gradients:
            gradient.mul_(clip / norm)
    return norm


def train_step(model, optimizer, step, tokens, targets, recipe):
    """One step; returns the loss from before it and the gradient norm from before clipping."""
    for group in optimizer.param_groups:
        group["lr"] = learning_rate(step, recipe)
    optimizer.zero_grad(set_to_none=True)
    loss = model.loss(tokens, targets)
    loss.backward()
    norm = clip_gradients(model, recipe["clip"])
    optimizer.step()
    return float(loss.detach()), norm


def batches(config, recipe, seed):
    """inputs, targets [steps, B, T]: a chain that goes from t to 3 t + 1 (mod V) four times out of
    five and anywhere otherwise; the targets are the inputs one place later."""
    generator = np.random.Generator(np.random.PCG64(seed))
    shape = (recipe["steps"], recipe["batch"], config.context + 1)
    tokens = generator.integers(0, config.vocabulary, shape)
    follows = generator.random(shape) < 0.8
    for t in range(1, shape[-1]):
        successor = (3 * tokens[..., t - 1] + 1) % config.vocabulary
        tokens[..., t] = np.where(follows[..., t], successor, tokens[..., t])
    return tokens[..., :-1].copy(), tokens[..., 1:].copy()


def checksums(named_tensors):
    """By path: the sum, the sum of squares, and the sum of v_i cos(i) over the row-major index i,
    which also sees values in the wrong place."""
    result = {}
    for name, tensor in named_tensors:
        values = tensor.detach().double().flatten().tolist()
        result[name] = {"sum": math.fsum(values),
                        "sum_of_squares": math.fsum(v * v for v in values),
                        "cosine_sum": math.fsum(v * math.cos(i) for i, v in enumerate(values))}
    return result


def first_gradients(config, weights, tokens, targets):
    model = mini_gpt.build(config, weights, torch.float64)
    model.loss(tokens, targets).backward()
    return checksums((name, p.grad) for name, p in model.named_parameters())


def run(config, weights, inputs, targets, dtype, recipe):
    """The trained model, the losses [steps] and the gradient norms [steps]."""
    model = mini_gpt.build(config, weights, dtype)
    optimizer = make_optimizer(model, recipe)
    rows = [train_step(model, optimizer, step, inputs[step], targets[step], recipe)
            for step in range(recipe["steps"])]
    losses, norms = np.array(rows).T
    return model, losses, norms


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


def make_one(folder, name, config, seed, inputs, targets):
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    weights = mini_gpt.random_weights(config, seed)
    safetensors.write(folder / "weights.safetensors", weights)
    write_json(folder / "config.json", dataclasses.asdict(config))

    model, losses, norms = run(config, weights, inputs, targets, torch.float64, RECIPE)
    _, losses_single, norms_single = run(config, weights, inputs, targets, torch.float32, RECIPE)
    # With the higher limit some steps are clipped and some are not.
    loose = {**RECIPE, "clip": LOOSE_CLIP}
    _, losses_loose, _ = run(config, weights, inputs, targets, torch.float64, loose)
    for what, array in (("losses_f64", losses), ("losses_f32", losses_single),
                        (f"losses_clip{LOOSE_CLIP:g}_f64", losses_loose),
                        ("gradient_norms_f64", norms), ("gradient_norms_f32", norms_single)):
        schemes.save(folder, what, array)
    with torch.no_grad():
        schemes.save(folder, "final_logits", model(inputs[0]).numpy())
    write_json(folder / "checksums.json", {
        "first_gradients": first_gradients(config, weights, inputs[0], targets[0]),
        "final_parameters": checksums(model.named_parameters())})
    relative = np.abs(losses_single - losses) / losses
    clipped, clipped_loose = ((norms > clip).sum() for clip in (RECIPE["clip"], LOOSE_CLIP))
    print(f"{name:15s} loss {losses[0]:.6f} -> {losses[-1]:.6f}, {len(norms)} gradient norms, "
          f"{clipped} above {RECIPE['clip']:g}, {clipped_loose} above {LOOSE_CLIP:g}; "
          f"float32 against float64: largest relative difference {relative.max():.1e}")


def make(folder):
    torch.set_num_threads(1)
    folder = folder / "training"
    inputs, targets = batches(CONFIGS["learned"], RECIPE, 30)
    schemes.save(folder, "inputs", inputs)
    schemes.save(folder, "targets", targets)
    rates = [learning_rate(step, RECIPE) for step in range(RECIPE["steps"])]
    schemes.save(folder, "learning_rates", rates)
    write_json(folder / "recipe.json", RECIPE)
    for seed, (name, config) in enumerate(CONFIGS.items(), 31):
        make_one(folder, name, config, seed, torch.from_numpy(inputs), torch.from_numpy(targets))


if __name__ == "__main__":
    make(schemes.FOLDER)
