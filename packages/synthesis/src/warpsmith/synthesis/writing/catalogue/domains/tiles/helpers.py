"""Helper functions of the domain `tiles`: functions of single elements, which tiles are mapped by."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "activate",
        """
        def relu(x: float):
            return wp.max(x, ⟨0.0|0.01 * x⟩)
        """,
        """
        def silu(x: float):
            ⟨# x times its logistic function
            |⟩return x / (1.0 + wp.exp(-⟨x|1.702 * x⟩))
        """,
        """
        def softplus(x: float):
            return wp.log(1.0 + wp.exp(x))
        """,
        """
        def gelu(x: float):
            # tanh approximation
            u = 0.7978845608 * (x + 0.044715 * x * x * x)
            return 0.5 * x * (1.0 + wp.tanh(u))
        """,
        """
        def elu(x: float):
            if x > 0.0:
                return x
            return wp.exp(x) - 1.0
        """,
        """
        def sigmoid(x: float):
            return 1.0 / (1.0 + wp.exp(-x))
        """,
    ),
    helper(
        "loss",
        """
        def squared_error(pred: float, target: float):
            d = pred - target
            return ⟨0.5 * d * d|d * d⟩
        """,
        """
        def huber(pred: float, target: float):
            d = wp.abs(pred - target)
            if d < {limit}:
                return 0.5 * d * d
            return {limit} * (d - 0.5 * {limit})
        """,
        """
        def pseudo_huber(pred: float, target: float):
            d = pred - target
            return wp.sqrt(1.0 + d * d) - 1.0
        """,
        """
        def log_cosh(pred: float, target: float):
            return wp.log(wp.cosh(pred - target))
        """,
    ),
    helper(
        "inv_sqrt",
        """
        def inv_sqrt(x: float):
            return 1.0 / wp.sqrt(x + {eps})
        """,
        """
        def rsqrt(variance: float):
            ⟨# a constant row has no variance
            |⟩return 1.0 / wp.sqrt(wp.max(variance, 0.0) + {eps})
        """,
    ),
    helper(
        "blend",
        """
        def lerp(old: float, new: float):
            return {mix} * old + (1.0 - {mix}) * new
        """,
        """
        def ema(old: float, new: float):
            return wp.lerp(new, old, {mix})
        """,
        """
        def heavy_ball(old: float, new: float):
            return {mix} * old + new
        """,
    ),
    helper(
        "shrink",
        """
        def soft_threshold(x: float):
            # proximal step of the l1 norm
            return wp.sign(x) * wp.max(wp.abs(x) - {limit}, 0.0)
        """,
        """
        def dead_zone(x: float):
            if x > {limit}:
                return x - {limit}
            if x < -{limit}:
                return x + {limit}
            return ⟨0.0|0.1 * x⟩
        """,
        """
        def clip(x: float):
            return wp.clamp(x, -{limit}, {limit})
        """,
    ),
    helper(
        "fma",
        """
        def multiply_add(a: float, b: float, c: float):
            return a * b ⟨+|-⟩ c
        """,
        """
        def gated(a: float, b: float, c: float):
            gate = 1.0 / (1.0 + wp.exp(-b))
            return gate * a + (1.0 - gate) * c
        """,
        """
        def damped_step(x: float, v: float, w: float):
            return x + 0.1 * (v - w * x)
        """,
    ),
    helper(
        "complex_mul",
        """
        def complex_mul(a: wp.vec2, b: wp.vec2):
            return wp.vec2(a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])
        """,
        """
        def cmul(a: wp.vec2, b: wp.vec2):
            re = a[0] * b[0] - a[1] * b[1]
            im = a[0] * b[1] + a[1] * b[0]
            return wp.vec2(re, im)
        """,
    ),
    helper(
        "conj_mul",
        """
        def conj_mul(a: wp.vec2, b: wp.vec2):
            # conjugate of a, times b
            return wp.vec2(a[0] * b[0] + a[1] * b[1], a[0] * b[1] - a[1] * b[0])
        """,
        """
        def cross_power(a: wp.vec2, b: wp.vec2):
            re = wp.dot(a, b)
            im = a[0] * b[1] - a[1] * b[0]
            return wp.vec2(re, im)
        """,
    ),
    helper(
        "gain",
        """
        def apply_gain(z: wp.vec2, h: float):
            return wp.vec2(z[0] * h, z[1] * h)
        """,
        """
        def scale_bin(z: wp.vec2, h: float):
            return h * z
        """,
        """
        def attenuate(z: wp.vec2, h: float):
            return z * (1.0 ⟨- 0.5 * h|/ (1.0 + h)⟩)
        """,
    ),
    helper(
        "derive",
        """
        def times_ik(z: wp.vec2, k: float):
            # derivative: i k times the coefficient
            return wp.vec2(-k * z[1], k * z[0])
        """,
        """
        def second_derivative(z: wp.vec2, k: float):
            return z * (-k * k)
        """,
        """
        def invert_laplacian(z: wp.vec2, k: float):
            # solves the Poisson equation, with a shift for k = 0
            return z * (-1.0 / (k * k + 1.0))
        """,
        """
        def turn_phase(z: wp.vec2, k: float):
            c = wp.cos(k)
            s = wp.sin(k)
            return wp.vec2(c * z[0] - s * z[1], s * z[0] + c * z[1])
        """,
    ),
    helper(
        "power",
        """
        def power_of(z: wp.vec2):
            return z[0] * z[0] + z[1] * z[1]
        """,
        """
        def log_power(z: wp.vec2):
            return wp.log(1.0 + wp.length_sq(z))
        """,
        """
        def power_density(z: wp.vec2):
            return ⟨0.5|0.25⟩ * wp.length_sq(z)
        """,
    ),
    helper(
        "conjugate",
        """
        def conjugate(z: wp.vec2):
            return wp.vec2(z[0], -z[1])
        """,
        """
        def times_i(z: wp.vec2):
            return wp.vec2(-z[1], z[0])
        """,
        """
        def reflect(z: wp.vec2):
            return wp.vec2(-z[0], z[1])
        """,
    ),
    helper(
        "recode",
        """
        def bucket_of(key: int):
            return key // ⟨4|8|10⟩
        """,
        """
        def digit(key: int):
            ⟨# one digit of a radix sort
            |⟩return (key >> ⟨1|2⟩) & ⟨7|15⟩
        """,
        """
        def mix_bits(key: int):
            h = key ^ (key >> 3)
            return (h * 73) & 255
        """,
        """
        def clamp_key(key: int):
            return wp.clamp(key, 10, ⟨60|80⟩)
        """,
    ),
    helper(
        "test",
        """
        def is_large(key: int):
            if key > {cut_k}:
                return 1
            return 0
        """,
        """
        def is_even(key: int):
            return 1 - key % 2
        """,
        """
        def has_bit(key: int):
            return (key >> ⟨2|3⟩) & 1
        """,
        """
        def in_range(key: int):
            return wp.where(key >= 20 and key < {cut_k}, 1, 0)
        """,
    ),
    helper(
        "valid",
        """
        def is_hit(found: int):
            ⟨# -1 marks threads without a result
            |⟩if found < 0:
                return 0
            return 1
        """,
        """
        def is_hit(found: int):
            return wp.where(found >= 0, 1, 0)
        """,
    ),
    helper(
        "id_code",
        """
        def id_code(found: int):
            if found < 0:
                return 0
            return found ⟨% 16 + 1|+ 1|% 7 * 3 + 1⟩
        """,
        """
        def id_code(found: int):
            ⟨# independent of the order of the results
            |⟩return wp.where(found >= 0, ⟨(found * ⟨7|13|31⟩) % 64|((found * ⟨7|13⟩) & 127)⟩ + 1, 0)
        """,
    ),
    helper(
        "larger",
        """
        def larger(a: int, b: int):
            return wp.max(a, b)
        """,
        """
        def smaller(a: int, b: int):
            return wp.where(a < b, a, b)
        """,
    ),
    helper(
        "keep",
        """
        def keep_or_drop(u: float):
            # inverted dropout
            if u < ⟨0.25|0.5⟩:
                return 0.0
            return ⟨2.0|1.25⟩
        """,
        """
        def bernoulli(u: float):
            return wp.where(u > ⟨0.3|0.5⟩, 1.0, 0.0)
        """,
    ),
)
