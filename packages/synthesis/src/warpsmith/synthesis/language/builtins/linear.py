"""Rows of the builtins on vectors and matrices."""

from __future__ import annotations

from warpsmith.synthesis.language import ranges
from warpsmith.synthesis.language.builtins.rows import Row

ANY = (-200.0, 200.0)
SMALL = (-20.0, 20.0)

ROWS = (
    Row("dot", "vector", ranges.dot, (ANY, ANY), ("alignment", "projection", "{0}_dot", "cos_angle"), 1.8, "a dot product"),
    Row("cross", "vector", ranges.cross, (SMALL, SMALL), ("normal", "torque", "axis", "swirl"), 1.4, "a cross product"),
    Row("length", "vector", ranges.length, (ANY,), ("dist", "magnitude", "{0}_norm", "speed"), 1.5, "a length"),
    Row("length_sq", "vector", ranges.length_squared, (ANY,), ("dist_sq", "{0}_sq", "energy"), 0.8, "a squared length"),
    Row("normalize", "vector", ranges.fixed(-1.0, 1.0), (ANY,), ("direction", "unit_{0}", "heading"), 0.9, "a normalization"),
    Row("cw_mul", "vector", ranges.componentwise, (SMALL, SMALL), ("tinted", "scaled_{0}", "masked"), 0.4),
    Row("cw_div", "vector", ranges.div, (ANY, (0.1, 100.0)), ("normalized", "per_{0}", "relative"), 0.2),
    Row("get_diag", "matrix", ranges.same, (ANY,), ("diagonal", "stretch", "principal"), 0.3, "a diagonal"),
    Row("transpose", "matrix", ranges.same, (ANY,), ("{0}_t", "transposed", "adjoint_{0}"), 1.5, "a transpose"),
    Row("determinant", "matrix", ranges.determinant, (SMALL,), ("det", "volume", "jacobian"), 1.0, "a determinant"),
    Row("trace", "matrix", ranges.trace, (ANY,), ("tr", "trace_{0}", "dilation"), 1.0, "a trace"),
    Row("outer", "matrix", ranges.product, (SMALL, SMALL), ("dyad", "outer_{0}", "covariance"), 0.9, "an outer product"),
    Row("ddot", "matrix", ranges.dot, (ANY, ANY), ("work", "contraction", "inner"), 0.5, "a double dot product"),
    Row("skew", "matrix", ranges.symmetric, (ANY,), ("skewed", "cross_matrix", "generator"), 0.4, "a skew matrix"),
    # Only motifs use it: they make the matrix diagonally dominant with a margin of one, which bounds its inverse by one.
    Row("inverse", "guarded", ranges.fixed(-1.0, 1.0), ((-1.0e4, 1.0e4),), ("inv_{0}", "inverse"), 1.0, "an inverse"),
    Row("diag", "matrix", ranges.with_zero, (ANY,), ("scaling", "diag_{0}", "stiffness"), 0.5, "a diagonal matrix"),
)
