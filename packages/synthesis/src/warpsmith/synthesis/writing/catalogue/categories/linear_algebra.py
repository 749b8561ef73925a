"""Category `linear_algebra`: SVD, QR, eigenvalues, inverses and norms of small matrices."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 3.0), ("vector", 2.0), ("matrix", 3.0), ("curve", 0.5)))

A, X, S = template_input(VEC3, -0.3, 0.3), template_input(VEC3), template_input(FLOAT, 0.1, 0.9)
M = inner("m", "a_mat", "f", "grad_def", "jac")
N = inner("n", "sym_mat", "h", "cov", "stress_mat")
FULL = (
    "$m = wp.diag(wp.vec3(⟨3.0, 2.0, 1.0|1.0, 2.5, 4.0|2.0, 1.0, 3.5⟩)) + wp.outer({0}, ⟨{0} + wp.vec3(0.2, 0.0, -0.1)|{0}⟩)\n"
)
SYMMETRIC = "$n = wp.diag(wp.vec3(⟨3.0, 2.0, 1.0|1.0, 2.5, 4.0⟩)) + wp.outer({0}, {0})\n"
RESULT = template_output("v", VEC3, -60.0, 60.0, "solution", "mapped", "projected", "principal")
NUMBER = template_output("x", FLOAT, -60.0, 60.0, "invariant", "residual", "energy_density", "condition")

TEMPLATES = (
    Template("singular values", FULL + "$u, $s, $w = wp.svd3($m)\n$v = $s * ⟨0.5|1.0⟩ + {1}", (A, X),
          (M, inner("u", "u", "u_mat"), inner("s", "sigma", "stretches"), inner("w", "v_mat", "vt"), RESULT)),
    Template("a polar decomposition", FULL + "$u, $s, $w = wp.svd3($m)\n$r = $u * wp.transpose($w)\n$v = $r * {1}", (A, X),
          (M, inner("u", "u", "u_mat"), inner("s", "sigma", "sv"), inner("w", "v_mat", "vt"), inner("r", "r_polar", "rot"), RESULT)),
    Template("a QR decomposition", FULL + "$q, $r = wp.qr3($m)\n$v = wp.transpose($q) * {1} + wp.get_diag($r)", (A, X),
          (M, inner("q", "q_mat", "ortho"), inner("r", "r_mat", "upper"), RESULT)),
    Template("eigenvalues", SYMMETRIC + "$q, $e = wp.eig3($n)\n$v = $e + {1} * ⟨0.5|0.1⟩", (A, X),
          (N, inner("q", "q_mat", "axes"), inner("e", "eigs", "lambdas"), RESULT)),
    Template("a linear solve", FULL + "$v = ⟨wp.inverse($m)|wp.inverse_approx($m)|wp.inverse(wp.transpose($m) * $m)⟩ * {1}", (A, X), (M, RESULT)),
    Template("Cramer's rule",
          FULL + "$d = wp.determinant($m)\n$c = wp.matrix_from_cols({1}, wp.vec3($m[0, 1], $m[1, 1], $m[2, 1]), wp.vec3($m[0, 2], $m[1, 2], $m[2, 2]))\n"
          "$x = wp.determinant($c) / $d", (A, X), (M, inner("d", "det"), inner("c", "replaced", "m_x"), NUMBER)),
    Template("a matrix of rows", "$m = wp.matrix_from_rows({0}, {1}, wp.cross({0}, {1}))\n$v = $m * wp.vec3(⟨1.0, 0.5, 0.25|0.2, 0.3, 0.5⟩)", (A, X),
          (M, RESULT)),
    Template("norms of a vector", "$x = ⟨wp.norm_l1({1})|wp.norm_l2({1})|wp.norm_huber({1}, ⟨1.0|0.5⟩)|wp.norm_pseudo_huber({1}, ⟨1.0|2.0⟩)⟩ * {2}",
          (A, X, S), (NUMBER,)),
    Template("a quick ratio", "$x = wp.div_approx({2}, ⟨2.0|wp.length({1}) + 1.0⟩)", (A, X, S), (NUMBER,)),
    Template("a sum of components", "$x = float(0.0)\nfor $k in range(len({1})):\n    $x += {1}[$k]⟨| * {2}⟩", (A, X, S), (inner("k", "k", "axis_k"), NUMBER)),
    Template("a smoothed direction", "$v = wp.smooth_normalize({1}, ⟨0.1|1.0|0.5⟩) * {2}", (A, X, S), (RESULT,)),
    Template("a plane singular value decomposition",
          "$m = wp.mat22(⟨2.0|3.0⟩ + {0}[0], {0}[1], {0}[2], ⟨1.0|0.7⟩)\n$u, $s, $w = wp.svd2($m)\n$x = $s[0] ⟨*|+|-⟩ $s[1] * {1}", (A, S),
          (M, inner("u", "u2"), inner("s", "s2", "sv"), inner("w", "v2"), NUMBER)),
    Template("a projection", "$n = wp.identity(n=3, dtype=float) - wp.outer(wp.normalize({1}), wp.normalize({1}))\n$v = $n * ({0} + wp.vec3(1.0, ⟨0.0|0.5⟩, 0.0))",
          (A, template_input(VEC3, 0.2, 4.0)), (N, RESULT)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that computes solutions and invariants from vectors."""
    return compose_kernel(
        builder, TEMPLATES, (VEC3, VEC3, FLOAT), (VEC3, FLOAT), ("solve", "decompose", "analyze", "fit", "compute"), 2
    )


CATEGORY = Category("linear_algebra", draw, WEIGHTS, "by small linear algebra", "algebra", dry_run=False)
