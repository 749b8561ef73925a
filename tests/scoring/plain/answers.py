"""Plain CUDA for samples, written by hand: right answers, and for each of many mistakes an answer that makes it.

The signature comes first in an answer; here are the texts before it and the body.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.core import Pair
from warpsmith.scoring.plain.plain_signature import plain_signature


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer.

    Attributes:
        index: the index of the sample.
        body: the statements of the kernel.
        before: what stands before the kernel.
        qualifier: what stands before ``__global__``.
    """

    index: int
    body: str
    before: str = ""
    qualifier: str = ""

    def text(self, pair: Pair) -> str:
        """Return the whole text."""
        signature = plain_signature(pair, pair.metadata.kernel_name)
        assert signature is not None
        return f"{self.before}\n{self.qualifier}{signature.text}\n{{\n{self.body}\n}}\n"


ROW = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
CELL = "int j = blockIdx.x * blockDim.x + threadIdx.x; int i = blockIdx.y * blockDim.y + threadIdx.y;\n"

ARITHMETIC = (
    ROW
    + """
    if (i >= dim0 || i >= n) return;
    float m = fminf(fmaxf(variances[i] * targets[i], 0.1f), 20.0f);
    new_weights[i] = 2.0f * m * dropout_scale / (m + dropout_scale) - logits[i];
    """
)

ATOMIC = (
    ROW
    + """
    if (i >= dim0 || i >= num_nodes) return;
    float source = heat_sources[i];
    float poly = 2.0f * source * source - 0.1f;
    atomicAdd(&sum_out[0], -(poly + 0.5f * (source - poly)));
    """
)

REDUCTION = (
    ROW
    + """
    __shared__ float partial[256], unused;
    int t = threadIdx.x;
    float value = 0.0f;
    if (i < dim0 && i < num_nodes) {
        float poly = 2.0f * heat_sources[i] * heat_sources[i] - 0.1f;
        value = poly + 0.5f * (heat_sources[i] - poly);
    }
    partial[t] = value;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (t < step) partial[t] += partial[t + step];
        __syncthreads();
    }
    if (t == 0) { unused = partial[0]; atomicAdd(sum_out, -unused); }
    """
)

MAXIMUM = (
    ROW
    + """
    if (i >= dim0 || i >= num_joints) return;
    float balance = link_lengths[i] - kp * torques[i];
    float value = balance * link_lengths[i] + 0.05f * torques[i];
    unsigned int* bits = reinterpret_cast<unsigned int*>(upper_bound);
    unsigned int old = *bits, assumed;
    do {
        assumed = old;
        if (__uint_as_float(assumed) >= value) break;
        old = atomicCAS(bits, assumed, __float_as_uint(value));
    } while (assumed != old);
    """
)

VECTOR = (
    ROW
    + """
    if (i >= dim0 || i >= num_options) return;
    const float* p = curve_points + 4 * i;
    float4 a = make_float4(p[0], p[1], p[2], p[3]);
    const float4 b = { 0.1f, 0.5f, 2.0f, 0.2f };
    float length_a = sqrtf(dot(a, a)), length_b = sqrtf(dot(b, b));
    float agreement = length_a > 0.0f ? dot(a, b) / (length_a * length_b) : 0.0f;
    float norm = sqrtf(agreement * agreement + 0.25f * agreement * agreement + 0.1f);
    for (int c = 0; c < 4; ++c) discounted[4 * i + c] = norm * p[c];
    """
)
DOT = """
static inline __device__ float dot(const float4& a, const float4& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
"""

MATRIX = (
    ROW
    + """
    if (i >= dim0 || i >= n) return;
    const float* a = &anisotropy[9 * i];
    float metric[3][3], trace = 0.0f;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            metric[r][c] = 0.0f;
            for (int k = 0; k < 3; k++) metric[r][c] += a[3 * r + k] * a[3 * c + k];
        }
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) trace += metric[r][k] * a[3 * k + r];
    water[i] = trace;
    """
)

TABLE = (
    CELL
    + """
    if (i >= dim0 || j >= dim1 || i >= n || j >= width) return;
    float x = samples[i * samples_shape1 + j];
    int bin = (int)x;
    bins[i * bins_shape1 + j] = bin + (x <= 0.1f ? 7 : bin != 1 ? 4 : 16);
    """
)

RIGHT = {
    "arithmetic": Answer(0, ARITHMETIC),
    "arithmetic with C linkage and bounds": Answer(0, ARITHMETIC, "", 'extern "C" __launch_bounds__(256) '),
    "a constant": Answer(
        0,
        ARITHMETIC.replace("0.1f", "bounds[0]").replace("20.0f", "HIGH"),
        "__constant__ float bounds[2] = { 0.1f, 20.0f };\nconstexpr float HIGH = 20.0f;\n",
    ),
    "a stride over the grid": Answer(
        0,
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < min(dim0, n); i += gridDim.x * blockDim.x) {\n"
        "float m = fminf(fmaxf(variances[i] * targets[i], 0.1f), 20.0f);\n"
        "new_weights[i] = 2.0f * m * dropout_scale / (m + dropout_scale) - logits[i]; }\n",
    ),
    "a while loop in double precision": Answer(
        23,
        ROW
        + """
    if (i >= dim0 || i >= noise_map_shape0) return;
    double sum = 0.0;
    int k = 0;
    while (k < num_taps) {
        if (alpha_map[k] > 0.6f) sum += noise_map[i] + 2.0;
        ++k;
    }
    saliency[i] = (float)(sum / 8.0 - (contrast + 0.5 * (noise_map[i] - contrast)));
    """,
    ),
    "two dimensions of components": Answer(
        27,
        ROW
        + """
    if (i >= dim0 || i >= count) return;
    float acc = 0.0f;
    for (int k = 0; k < 2; ++k)
        for (int d = 0; d < 2; ++d) {
            const float* v = uv + 2 * ((i * uv_shape1 + k) * uv_shape2 + d);
            acc += hypotf(v[0], v[1]);
        }
    spring_energy[i] = acc;
    """,
    ),
    "a scalar and a vector": Answer(
        38,
        ROW
        + """
    if (i >= dim0 || i >= n) return;
    const float offset[3] = { 0.75f, 0.2f, 0.25f };
    for (int c = 0; c < 3; ++c) new_normals[3 * i + c] = (surface_normals[3 * i + c] + offset[c]) * 0.2f * sea_level;
    """,
    ),
    "a grid of vectors": Answer(
        39,
        CELL
        + """
    if (i >= dim0 || j >= dim1 || i >= rows || j >= m) return;
    const float* e = elements + 4 * (i * elements_shape1 + j);
    float square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    potentials[i * potentials_shape1 + j] = fminf(square, 10.0f);
    """,
    ),
    "control flow": Answer(
        43,
        ROW
        + """
    if (i >= dim0 || i >= num_nodes) return;
    float t = temperature[i], r;
    if (t < 3.0f) { heat_flux[i] = 0.9f * t / (fabsf(t) + fabsf(0.1f * t) + 0.01f); return; }
    r = t / min(max(t, -0.5f), 2.5f);
    heat_flux[i] = r * r;
    """,
    ),
    "a trace": Answer(
        45,
        ROW
        + """
    if (i >= dim0 || i >= size) return;
    const float* f = factor_cov + 9 * i;
    deltas[i] = spots[i] - 0.25f * (0.925f * risk_aversion * (f[0] + f[4] + f[8]));
    """,
    ),
    "an atomic sum": Answer(31, ATOMIC),
    "a sum of blocks": Answer(31, REDUCTION),
    "products of matrices": Answer(55, MATRIX),
    "a maximum of floats": Answer(61, MAXIMUM),
    "integers": Answer(
        66,
        ROW
        + """
    if (i >= dim0 || i >= num_options) return;
    int bucket = static_cast<int>(maturities[i]), rating = ratings[i];
    switch (rating) {
        case 1: bucket += rating; break;
        default:
            if (maturities[i] < 1.5f) bucket = -rating;
            else bucket = rating % 3 ? bucket : 4;
    }
    buckets_out[i] = bucket + 5;
    """,
    ),
    "a grid of cross products": Answer(
        79,
        CELL
        + """
    if (i >= dim0 || j >= dim1 || i >= n || j >= width) return;
    vec a = load(face_normals, i * face_normals_shape1 + j), b = load(corner_c, i * corner_c_shape1 + j);
    float curvature = curvatures[i * curvatures_shape1 + j];
    vec axis = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    float* out = centroids + 3 * (i * centroids_shape1 + j);
    out[0] = (b.x - axis.x - 0.05f) * curvature;
    out[1] = (b.y - axis.y - 0.05f) * curvature;
    out[2] = (b.z - axis.z - 0.3f) * curvature;
    """,
        """
    struct vec { float x, y, z; };
    __device__ vec load(const float* from, int at);
    __device__ vec load(const float* from, int at) { vec v = { from[3 * at], from[3 * at + 1], from[3 * at + 2] }; return v; }
    """,
    ),
    "a root": Answer(
        84,
        ROW
        + """
    if (i >= dim0 || i >= size) return;
    float root = 1.0f / rsqrtf(densities[i]);
    pressures[i] = densities[i] > 0.0f ? (root + 0.1f * root * max_age) / (1.0f + 0.1f * root) : 0.0f;
    """,
    ),
    "a grid of integers": Answer(96, TABLE),
    "vectors": Answer(99, VECTOR, DOT),
}
"""Right answers by name."""


def _changed(name: str, *changes: tuple[str, str]) -> Answer:
    answer = RIGHT[name]
    body = answer.body
    for old, new in changes:
        assert old in body, old
        body = body.replace(old, new)
    return Answer(answer.index, body, answer.before, answer.qualifier)


_STORE = ("new_weights[i] =", "new_weights[i] = 0.0f *")

WRONG = {
    "one element too few": _changed("arithmetic", ("i >= n", "i >= n - 1")),
    "one element too many": _changed("arithmetic", ("i >= n", "i > n")),
    "no check of bounds": _changed("arithmetic", ("if (i >= dim0 || i >= n) return;", "")),
    "the other dimension is not checked": _changed("a grid of integers", ("j >= dim1 || ", ""), (" || j >= width", "")),
    "first block only": _changed("arithmetic", ("i >= n", "i >= n || blockIdx.x > 0")),
    "first block of rows only": _changed("a grid of integers", ("i >= n", "i >= n || blockIdx.y > 0")),
    "whole blocks only": _changed("arithmetic", ("i >= n", "i >= n / blockDim.x * blockDim.x")),
    "for one size of block": _changed("arithmetic", ("blockDim.x", "256")),
    "for one size of launch": _changed("arithmetic", ("i >= n", "n != 76 || i >= n")),
    "coordinates exchanged": _changed("a grid of integers", ("blockIdx.x * blockDim.x + threadIdx.x", "EXCHANGED"),
        ("blockIdx.y * blockDim.y + threadIdx.y", "blockIdx.x * blockDim.x + threadIdx.x"),
        ("EXCHANGED", "blockIdx.y * blockDim.y + threadIdx.y")),
    "zeros": _changed("arithmetic", _STORE),
    "a constant": _changed("arithmetic", ("logits[i];", "logits[i] + 0.01f;")),
    "not a number": _changed("arithmetic", ("new_weights[i] = 2.0f", "new_weights[i] = NAN * 2.0f")),
    "a write into an input": _changed("arithmetic", ("new_weights[i] =", "((float*)logits)[i] = 0.0f; new_weights[i] =")),
    "a write beside the output": _changed("arithmetic", ("new_weights[i] =", "new_weights[n] = 0.0f; new_weights[i] =")),
    "a write before the output": _changed("arithmetic", ("new_weights[i] =", "new_weights[-1] = 0.0f; new_weights[i] =")),
    "a read beside the input": _changed("arithmetic", ("new_weights[i] =", "new_weights[i] = 0.0f * logits[i - 1] +")),
    "a sum that is not atomic": _changed("an atomic sum", ("atomicAdd(&sum_out[0], -(", "sum_out[0] = sum_out[0] - ((")),
    "a sum of blocks that is not atomic": _changed(
        "a sum of blocks", ("atomicAdd(sum_out, -unused);", "sum_out[0] -= unused;")),
    "a sum that overwrites": _changed("an atomic sum", ("atomicAdd(&sum_out[0], -(", "atomicExch(&sum_out[0], -(")),
    "no wait before the sum of blocks": _changed(
        "a sum of blocks", ("partial[t] = value;\n    __syncthreads();", "partial[t] = value;")),
    "no wait within the sum of blocks": _changed(
        "a sum of blocks", ("partial[t + step];\n        __syncthreads();", "partial[t + step];")),
    "shared memory without a value": _changed(
        "a sum of blocks", ("partial[t] = value;", "if (value != 0.0f) partial[t] = value;")),
    "a maximum that is not atomic": _changed(
        "a maximum of floats",
        ("unsigned int old = *bits, assumed;",
         "if (upper_bound[0] < value) upper_bound[0] = value; unsigned int old = 0, assumed = 0;"),
        ("        assumed = old;", "        break;"),
    ),
    "a variable without a value": _changed("products of matrices", ("metric[r][c] = 0.0f;", "")),
    "columns for rows": _changed("products of matrices", ("a[3 * c + k]", "a[3 * k + c]")),
    "single precision where integers divide": _changed("integers", ("rating % 3 ?", "rating / 3 ?")),
    "a counter in a constant": Answer(
        0,
        ARITHMETIC.replace("float m", "if (++((int*)count)[0] > 1000) return; float m"),
        "__constant__ int count[1] = { 0 };",
    ),
    "a counter in shared memory": Answer(
        0, ARITHMETIC.replace("float m", "__shared__ int count; if (count++ < 0) return; float m")),
    "a value that an earlier thread has left": _changed(
        "arithmetic", ("float m", "float left[4]; if (i) left[3] = 1.0f; float m"), ("logits[i]", "left[3] * logits[i]")),
    "a write to an address": _changed("arithmetic", ("float m", "((float*)(size_t)64)[0] = 1.0f; float m")),
    "an endless loop": _changed("control flow", ("r = t /", "for (;;) {} r = t /")),
    "a division by zero": _changed("integers", ("rating % 3", "rating % (rating - rating)")),
}  # fmt: skip
"""Answers that are compiled and do not pass, by name."""
