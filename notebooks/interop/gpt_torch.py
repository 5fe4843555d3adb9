"""The Mini-GPT of a Phasor run: load(folder) gives a function, tokens [B, T] -> logits [B, T, V].
w: name -> weight, [out, in] for a linear map. c: settings. Width C = H heads of D columns."""
import math
import torch
from torch.nn import functional as F
from run_files import read_settings, read_weights

def load(folder):
    w, c = read_weights(folder), read_settings(folder)
    return lambda tokens: gpt(tokens, w, c)

def gpt(tokens, w, c):
    T, C, H, scheme = tokens.shape[1], c["width"], c["heads"], c["scheme"]
    affine = lambda name: (w[name + ".weight"], w[name + ".bias"])
    x = w["token_embedding.weight"][tokens]                                       # [B, T, C]
    if scheme == "learned":
        x = x + w["position.table"][:T]
    if scheme == "sinusoidal":
        x = x * math.sqrt(C) + torch.stack(sin_cos(T, C, c), -1).flatten(1)  # sin, cos, sin, ...
    added = bias(T, w, c)
    for n in range(c["layers"]):
        at = f"blocks.{n}."
        h = F.layer_norm(x, [C], *affine(at + "norm1"))
        q, k, v = (F.linear(h, *affine(at + name)).view(*h.shape[:2], H, -1).transpose(1, 2)
                   for name in ("attention.query", "attention.key", "attention.value"))
        q, k = (rotate(q, c), rotate(k, c)) if scheme == "rope" else (q, k)       # [B, H, T, D]
        weights = (q @ k.mT / math.sqrt(C / H) + added).softmax(-1)               # [B, H, T, T]
        x = x + F.linear((weights @ v).transpose(1, 2).flatten(2), *affine(at + "attention.output"))
        h = F.linear(F.layer_norm(x, [C], *affine(at + "norm2")), *affine(at + "mlp.up"))
        x = x + F.linear(F.gelu(h, approximate="tanh"), *affine(at + "mlp.down"))
    x = F.layer_norm(x, [C], *affine("norm"))
    return x @ w.get("head.weight", w["token_embedding.weight"]).T                # [B, T, V]

def sin_cos(T, N, c):
    """Of the angles p base^(-2i/N) of positions p and pairs i of N columns, [T, N/2] each."""
    angle = torch.arange(T).double()[:, None] * c["base"] ** (-torch.arange(0, N, 2).double() / N)
    return angle.sin().float(), angle.cos().float()

def rotate(x, c):
    """Each pair (a, b) of the first R columns becomes (a cos - b sin, a sin + b cos)."""
    R = 2 * int(c["fraction"] * x.shape[-1] / 2)
    pairs = torch.arange(R).view(2, -1) if c["pairing"] == "half" else torch.arange(R).view(-1, 2).T
    (a, b), (sin, cos), rotated = x[..., pairs].unbind(-2), sin_cos(x.shape[2], R, c), x.clone()
    rotated[..., pairs] = torch.stack((a * cos - b * sin, a * sin + b * cos), -2)
    return rotated

def bias(T, w, c):
    """[H, T, T], from the distance of query (row) and key (column); -inf hides the future."""
    rel = torch.arange(T)[:, None] - torch.arange(T)
    H, distance, added = c["heads"], rel.clamp(min=0).double(), torch.zeros(1, T, T)
    if c["scheme"] == "alibi":  # -m_h distance, m_h = 2^(-8h/n); h in half steps beyond n
        n = 2 ** int(math.log2(H))
        h = torch.cat((torch.arange(1, n + 1), torch.arange(n) + 0.5))[:H, None, None]
        added = -(2 ** (-8 * h / n)) * distance.float()
    if c["scheme"] == "t5_bias":  # table[bucket, h]: the first buckets hold one distance each
        n, e, most = c["buckets"], c["buckets"] // 2, c["max_distance"]
        far = e + ((distance / e).log() / math.log(most / e) * (n - e)).floor()
        bucket = torch.where(distance < e, distance, far).clamp(max=n - 1).long()
        added = w["position.table"].T[:, bucket]
    return added.masked_fill(rel < 0, -math.inf)
