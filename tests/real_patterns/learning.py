"""Reinforcement learning and networks, such as the kernels of skrl and warp-nn: losses, activations, normalization, recurrence."""

from __future__ import annotations

import mpmath as mp
import numpy as np

from real_patterns.figures import each, threads
from real_patterns.pattern import Pattern, both, kept, number, read, twins, written

_WRONG = "is not the derivative: of {}, the adjoint gives"
LOGITS = read("x", "float32", 6, 5, low=-2, high=2)
ACTIVATED = [-100.0, -20.5, -3.0, -0.5, 0.25, 0.5, 2.0, 19.5, 20.5, 100.0]
DONES = (np.arange(24).reshape(4, 6) % 5 == 3).astype(np.int32)


def _surrogate(now, old, advantage):
    ratio = mp.exp(now - old)
    return -min(ratio * advantage, min(max(ratio, 0.8), 1.2) * advantage)


def _advantages(a, i):
    found, last = [0] * 6, 0
    for t in reversed(range(6)):
        later = a.v[i, t + 1] if t < 5 else 0
        kept_on = 1 - int(a.done[i, t])
        last = (
            a.r[i, t] - a.v[i, t] + mp.mpf(np.float32(0.99).item()) * kept_on * (later + mp.mpf(np.float32(0.95).item()) * last)
        )
        found[t] = last
    return found


def _normalized(row):
    mean = sum(row) / len(row)
    variance = sum((x - mean) ** 2 for x in row) / len(row)
    return [(x - mean) / mp.sqrt(variance + mp.mpf(np.float32(1e-5).item())) for x in row]


def _recurrent(a, i):
    h = mp.mpf(0)
    for t in range(5):
        h = mp.tanh(a.w[0] * a.x[i, t] + a.u[0] * h)
    return h


def _logarithm_of_softmax(row):
    total = mp.log(sum(mp.exp(x) for x in row))
    return [x - total for x in row]


PATTERNS = {
    **twins("ratio of action probabilities", Pattern("""
        @wp.func
        def log_prob(action: float, loc: float, scale: float):
            return 0.0 - wp.pow(action - loc, 2.0) / (2.0 * wp.pow(scale, 2.0)) - wp.log(scale) - 0.9189385


        @wp.kernel
        def ratio(x: wp.array2d(dtype=float), loc: wp.array2d(dtype=float), log_std: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            for j in range(n):
                total += log_prob(x[i, j], loc[i, j], wp.exp(log_std[j]))
            out[i] = wp.exp(total)
    """, (6,), (LOGITS, read("loc", "float32", 6, 5), read("log_std", "float32", 5, low=0, high=0.5), number("n", 5), written("out", "float32", 6)),
        reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: mp.exp(sum(
            -((a.x[i, j] - a.loc[i, j]) ** 2) / (2 * mp.exp(a.log_std[j]) ** 2) - a.log_std[j] - mp.mpf(np.float32(0.9189385).item()) for j in range(5)
        )), 6)}), "ratio of action probabilities, five actions", "range(n)", "range(5)"),
    "clipped surrogate loss": Pattern("""
        @wp.kernel
        def policy_loss(now: wp.array(dtype=float), old: wp.array(dtype=float), advantage: wp.array(dtype=float), loss: wp.array(dtype=float)):
            i = wp.tid()
            ratio = wp.exp(now[i] - old[i])
            clipped = wp.clamp(ratio, 0.8, 1.2)
            wp.atomic_add(loss, 0, 0.0 - wp.min(ratio * advantage[i], clipped * advantage[i]))
    """, (12,), (kept("now", "float32", np.linspace(-1.0, 1.0, 12)), kept("old", "float32", np.linspace(-1.0, 1.0, 12)),
                 read("advantage", "float32", 12), both("loss", "float32", 1)),
        formula=lambda a: {"loss": a.loss + each(_surrogate, a.now, a.old, a.advantage).sum()}),
    "clipped value loss": Pattern("""
        @wp.kernel
        def value_loss(v: wp.array(dtype=float), old: wp.array(dtype=float), target: wp.array(dtype=float), n: float, loss: wp.array(dtype=float)):
            i = wp.tid()
            clipped = old[i] + wp.clamp(v[i] - old[i], -0.2, 0.2)
            a = v[i] - target[i]
            b = clipped - target[i]
            wp.atomic_add(loss, 0, wp.max(a * a, b * b) / n)
    """, (16,), (read("v", "float32", 16), read("old", "float32", 16), read("target", "float32", 16, low=-3, high=3), number("n", 16.0), both("loss", "float32", 1)),
        formula=lambda a: {"loss": a.loss + each(
            lambda v, old, target: max((v - target) ** 2, (old + min(max(v - old, -mp.mpf(np.float32(0.2).item())), mp.mpf(np.float32(0.2).item())) - target) ** 2) / 16,
            a.v, a.old, a.target).sum()}),
    "critics of which the smaller counts": Pattern("""
        @wp.kernel
        def actor_loss(q1: wp.array(dtype=float), q2: wp.array(dtype=float), log_prob: wp.array(dtype=float), alpha: wp.array(dtype=float), loss: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_add(loss, 0, (wp.exp(alpha[0]) * log_prob[i] - wp.min(q1[i], q2[i])) / 16.0)
    """, (16,), (read("q1", "float32", 16), read("q2", "float32", 16), read("log_prob", "float32", 16, low=-5, high=1), read("alpha", "float32", 1), both("loss", "float32", 1)),
        formula=lambda a: {"loss": a.loss + each(lambda p, q, entropy: (mp.exp(a.alpha[0]) * entropy - min(p, q)) / 16, a.q1, a.q2, a.log_prob).sum()}),
    "advantages backwards in time": Pattern("""
        @wp.kernel
        def advantages(r: wp.array2d(dtype=float), v: wp.array2d(dtype=float), done: wp.array2d(dtype=int), gamma: float, lam: float, n: int, out: wp.array2d(dtype=float)):
            i = wp.tid()
            last = float(0.0)
            for k in range(n):
                t = n - 1 - k
                later = float(0.0)
                if t < n - 1:
                    later = v[i, t + 1]
                last = r[i, t] - v[i, t] + gamma * float(1 - done[i, t]) * (later + lam * last)
                out[i, t] = last
    """, (4,), (read("r", "float32", 4, 6), read("v", "float32", 4, 6), kept("done", "int32", DONES), number("gamma", 0.99), number("lam", 0.95),
                number("n", 6), written("out", "float32", 4, 6)),
        formula=lambda a: {"out": threads(lambda i: _advantages(a, i), 4)}),
    **twins("layer normalization", Pattern("""
        @wp.kernel
        def normalize(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
            i = wp.tid()
            n = x.shape[1]
            mean = float(0.0)
            for j in range(n):
                mean += x[i, j]
            mean = mean / float(n)
            variance = float(0.0)
            for j in range(n):
                d = x[i, j] - mean
                variance += d * d
            scale = 1.0 / wp.sqrt(variance / float(n) + 1.0e-5)
            for j in range(n):
                out[i, j] = (x[i, j] - mean) * scale
    """, (6,), (LOGITS, written("out", "float32", 6, 5)), reason=_WRONG.format("x"),
        formula=lambda a: {"out": threads(lambda i: _normalized(a.x[i]), 6)}), "layer normalization of five", "range(n)", "range(5)"),
    **twins("logarithm of a softmax", Pattern("""
        @wp.kernel
        def log_softmax(x: wp.array2d(dtype=float), largest: wp.array(dtype=float), n: int, out: wp.array2d(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            for j in range(n):
                total += wp.exp(x[i, j] - largest[i])
            for j in range(n):
                out[i, j] = x[i, j] - largest[i] - wp.log(total)
    """, (6,), (LOGITS, read("largest", "float32", 6, low=1, high=2), number("n", 5), written("out", "float32", 6, 5)), reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: _logarithm_of_softmax(a.x[i]), 6)}), "logarithm of a softmax of five", "range(n)", "range(5)"),
    **twins("a recurrent cell over time", Pattern("""
        @wp.kernel
        def recurrent(x: wp.array2d(dtype=float), w: wp.array(dtype=float), u: wp.array(dtype=float), steps: int, out: wp.array(dtype=float)):
            i = wp.tid()
            h = float(0.0)
            for t in range(steps):
                h = wp.tanh(w[0] * x[i, t] + u[0] * h)
            out[i] = h
    """, (6,), (LOGITS, read("w", "float32", 1, low=0.5, high=1), read("u", "float32", 1, low=0.5, high=1), number("steps", 5), written("out", "float32", 6)),
        reason="is not the derivative", formula=lambda a: {"out": threads(lambda i: _recurrent(a, i), 6)}), "a recurrent cell over five steps", "range(steps)", "range(5)"),
    "softplus with a threshold": Pattern("""
        @wp.kernel
        def softplus(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            y = x[i]
            if x[i] <= 20.0:
                y = wp.log(1.0 + wp.exp(x[i]))
            out[i] = y
    """, (10,), (kept("x", "float32", ACTIVATED), written("out", "float32", 10)),
        formula=lambda a: {"out": each(lambda x: mp.log(1 + mp.exp(x)) if x <= 20 else x, a.x)}),
    "mish": Pattern("""
        @wp.func
        def softplus(x: float):
            if x > 0.0:
                return x + wp.log(1.0 + wp.exp(0.0 - x))
            return wp.log(1.0 + wp.exp(x))


        @wp.kernel
        def mish(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = x[i] * wp.tanh(softplus(x[i]))
    """, (10,), (kept("x", "float32", ACTIVATED), written("out", "float32", 10)),
        formula=lambda a: {"out": each(lambda x: x * mp.tanh(mp.log(1 + mp.exp(x))), a.x)}),
    "exponential units at zero": Pattern("""
        @wp.kernel
        def celu(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            if x[i] >= 0.0:
                out[i] = x[i]
            else:
                out[i] = 0.5 * (wp.exp(x[i] / 0.5) - 1.0)
    """, (10,), (kept("x", "float32", [0.0, 0.0, -1.0, 2.0, 0.0, -3.0, 1.0, 0.0, -0.25, 0.5]), written("out", "float32", 10)),
        formula=lambda a: {"out": each(lambda x: x if x >= 0 else (mp.exp(2 * x) - 1) / 2, a.x)}),
    "rectified rows of padding": Pattern("""
        @wp.kernel
        def relu(x: wp.array2d(dtype=float), w: wp.array(dtype=float), out: wp.array(dtype=float)):
            i, j = wp.tid()
            wp.atomic_add(out, i, wp.max(x[i, j], 0.0) * w[j])
    """, (6, 4), (kept("x", "float32", np.where(np.arange(24).reshape(6, 4) < 12, np.linspace(-1, 2, 24).reshape(6, 4), 0.0)), read("w", "float32", 4), both("out", "float32", 6))),
    **twins("swish with a gradient by hand that lacks a term", Pattern("""
        @wp.func
        def sigmoid(x: float):
            return 1.0 / (1.0 + wp.exp(0.0 - x))


        @wp.func
        def swish(x: float):
            return x * sigmoid(x)


        @wp.func_grad(swish)
        def adj_swish(x: float, adj_ret: float):
            s = sigmoid(x)
            wp.adjoint[x] += s * adj_ret


        @wp.kernel
        def activate(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = swish(x[i])
    """, (16,), (read("x", "float32", 16, low=-3, high=3), written("out", "float32", 16)), reason="written by hand (wp.func_grad)",
        formula=lambda a: {"out": each(lambda x: x / (1 + mp.exp(-x)), a.x)}),
        "swish with a gradient by hand", "s * adj_ret", "s * (1.0 + x * (1.0 - s)) * adj_ret"),
    "dropout": Pattern("""
        @wp.kernel
        def dropout(x: wp.array(dtype=float), seed: int, p: float, out: wp.array(dtype=float)):
            i = wp.tid()
            state = wp.rand_init(seed, i)
            if wp.randf(state) >= p:
                out[i] = x[i] / (1.0 - p)
            else:
                out[i] = 0.0
    """, (32,), (read("x", "float32", 32), number("seed", 9), number("p", 0.25), written("out", "float32", 32))),
    "running averages": Pattern("""
        @wp.kernel
        def track(x: wp.array(dtype=float), decay: float, mean: wp.array(dtype=float)):
            i = wp.tid()
            mean[i] = mean[i] * decay + x[i] * (1.0 - decay)
    """, (12,), (read("x", "float32", 12), number("decay", 0.875), both("mean", "float32", 12, low=-1, high=1)),
        formula=lambda a: {"mean": a.mean * 7 / 8 + a.x / 8}),
    **twins("entropy of probabilities that may be zero", Pattern("""
        @wp.kernel
        def entropy(p: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.where(p[i] > 0.1, 0.0 - p[i] * wp.log(p[i] * 10.0), 0.0 * p[i])
    """, (12,), (kept("p", "float32", np.where(np.arange(12) % 3 == 0, 0.0, np.linspace(0.25, 0.9, 12))), written("out", "float32", 12)), reason="nan",
        formula=lambda a: {"out": each(lambda p: -p * mp.log(10 * p) if p > 0.1 else p * 0, a.p)}),
        "entropy of probabilities by a branch", "out[i] = wp.where(p[i] > 0.1, 0.0 - p[i] * wp.log(p[i] * 10.0), 0.0 * p[i])",
        "if p[i] > 0.1:\n    out[i] = 0.0 - p[i] * wp.log(p[i] * 10.0)"),
    **twins("means of groups that may be empty", Pattern("""
        @wp.kernel
        def mean(total: wp.array(dtype=float), count: wp.array(dtype=int), out: wp.array(dtype=float)):
            i = wp.tid()
            n = float(count[i])
            out[i] = wp.where(n > 0.0, total[i] / n, 0.0)
    """, (10,), (read("total", "float32", 10), kept("count", "int32", [3, 0, 2, 5, 0, 1, 1, 0, 4, 2]), written("out", "float32", 10)), reason="nan",
        formula=lambda a: {"out": each(lambda t, n: t / int(n) if n > 0 else t * 0, a.total, a.count)}),
        "means of groups by a branch", "out[i] = wp.where(n > 0.0, total[i] / n, 0.0)", "if n > 0.0:\n    out[i] = total[i] / n"),
    "scores that are masked": Pattern("""
        @wp.kernel
        def attend(x: wp.array2d(dtype=float), mask: wp.array2d(dtype=int), v: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            weighted = float(0.0)
            for j in range(5):
                score = x[i, j] + wp.where(mask[i, j] == 0, -1.0e30, 0.0)
                p = wp.exp(score)
                total += p
                weighted += p * v[j]
            out[i] = weighted / total
    """, (6,), (LOGITS, kept("mask", "int32", (np.arange(30).reshape(6, 5) % 3 != 1).astype(int)), read("v", "float32", 5), written("out", "float32", 6)),
        formula=lambda a: {"out": threads(lambda i: sum(mp.exp(a.x[i, j]) * a.v[j] for j in range(5) if a.mask[i, j]) / sum(
            mp.exp(a.x[i, j]) for j in range(5) if a.mask[i, j]), 6)}),
    "softplus of large numbers": Pattern("""
        @wp.kernel
        def softplus(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.log(1.0 + wp.exp(x[i]))
    """, (10,), (kept("x", "float32", ACTIVATED), written("out", "float32", 10)), "fail", "in the kernel's own precision, the gradient is not finite",
        {"execute": "inconclusive"}),
    "standard scores": Pattern("""
        @wp.kernel
        def standardize(x: wp.array2d(dtype=float), mean: wp.array(dtype=float), variance: wp.array(dtype=float), out: wp.array2d(dtype=float)):
            i, j = wp.tid()
            out[i, j] = wp.clamp((x[i, j] - mean[j]) / (wp.sqrt(variance[j]) + 1.0e-8), -5.0, 5.0)
    """, (6, 5), (LOGITS, read("mean", "float32", 5), read("variance", "float32", 5, low=0.5, high=2), written("out", "float32", 6, 5)),
        formula=lambda a: {"out": threads(lambda i, j: (a.x[i, j] - a.mean[j]) / (mp.sqrt(a.variance[j]) + mp.mpf(np.float32(1e-8).item())), 6, 5)}),
}  # fmt: skip
