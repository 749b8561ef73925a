"""Rows of the builtins on numbers: operators, selection, and the functions of the C library."""

from __future__ import annotations

import math

from warpsmith.synthesis.language import ranges
from warpsmith.synthesis.language.builtins.rows import ANY, POSITIVE, UNIT, Row

WIDE = (-1.0e3, 1.0e3)
ANGLE = (-20.0, 20.0)

ROWS = (
    # ------------------------------------------------------------------------------------------------------- operators
    Row("add", "arithmetic", ranges.add, (ANY, ANY), ("total", "sum_{0}", "shifted_{0}", "combined", "base"), 6.6),
    Row("sub", "arithmetic", ranges.sub, (ANY, ANY), ("delta", "diff", "offset_{0}", "rel_{0}", "residual"), 4.9),
    Row("mul", "arithmetic", ranges.mul, (WIDE, WIDE), ("scaled", "scaled_{0}", "weighted_{0}", "product", "gain"), 6.1),
    Row("div", "arithmetic", ranges.div, (ANY, POSITIVE), ("ratio", "{0}_ratio", "normalized", "fraction"), 3.2, "a ratio"),
    Row("neg", "arithmetic", ranges.neg, (ANY,), ("negated", "neg_{0}", "opposite"), 0.8),
    # ------------------------------------------------------------------------------------------------------- selection
    Row("min", "selection", ranges.minimum, (ANY, ANY), ("lowest", "capped", "capped_{0}", "smaller"), 1.5, "a minimum"),
    Row("max", "selection", ranges.maximum, (ANY, ANY), ("peak", "highest", "larger", "floored_{0}"), 1.9, "a maximum"),
    Row("clamp", "selection", ranges.clamp, (ANY, WIDE, WIDE), ("clamped", "clamped_{0}", "bounded"), 1.0, "a clamp", (1, 2)),
    Row("abs", "selection", ranges.absolute, (ANY,), ("abs_{0}", "size", "extent", "deviation"), 1.4, "an absolute value"),
    Row(
        "where", "selection", ranges.either, ((0, 1), ANY, ANY), ("chosen", "selected", "picked", "active"), 2.0, "a selection"
    ),
    Row("lerp", "selection", ranges.blend, (ANY, ANY, UNIT), ("blend", "mixed", "interpolated"), 0.8, "an interpolation"),
    Row("step", "selection", ranges.fixed(0.0, 1.0), (ANY,), ("gate", "mask", "is_negative"), 0.2, "a step"),
    Row("sign", "selection", ranges.fixed(-1.0, 1.0), (ANY,), ("side", "direction", "sign_{0}"), 0.4, "a sign"),
    Row("copysign", "selection", ranges.symmetric, (ANY, ANY), ("signed", "oriented"), 0.1),
    # -------------------------------------------------------------------------------------------------- transcendental
    Row("sin", "transcendental", ranges.fixed(-1.0, 1.0), (ANGLE,), ("wave", "sin_{0}", "oscillation"), 1.5, "a sine"),
    Row("cos", "transcendental", ranges.fixed(-1.0, 1.0), (ANGLE,), ("cos_{0}", "swing", "modulation"), 1.5, "a cosine"),
    Row("tan", "transcendental", ranges.rising(math.tan), ((-1.2, 1.2),), ("slope", "tan_{0}"), 0.3, "a tangent"),
    Row("asin", "transcendental", ranges.rising(math.asin), ((-0.95, 0.95),), ("angle", "tilt"), 0.3, "an arcsine"),
    Row("acos", "transcendental", ranges.falling(math.acos), ((-0.95, 0.95),), ("angle", "theta"), 0.4, "an arccosine"),
    Row("atan", "transcendental", ranges.rising(math.atan), (ANY,), ("angle", "phase", "bend"), 0.5, "an arctangent"),
    Row(
        "atan2",
        "transcendental",
        ranges.fixed(-1.5708, 1.5708),
        (ANY, POSITIVE),
        ("heading", "azimuth", "angle"),
        0.6,
        "an angle",
    ),
    Row("sinh", "transcendental", ranges.rising(math.sinh), ((-3.0, 3.0),), ("growth", "sinh_{0}"), 0.2, "a hyperbolic sine"),
    Row("cosh", "transcendental", ranges.even(math.cosh), ((-3.0, 3.0),), ("envelope", "cosh_{0}"), 0.2, "a hyperbolic cosine"),
    Row("tanh", "transcendental", ranges.rising(math.tanh), (ANGLE,), ("squashed", "activation", "soft_{0}"), 0.8, "a tanh"),
    Row(
        "exp", "transcendental", ranges.rising(math.exp), ((-8.0, 3.0),), ("growth", "factor", "exp_{0}"), 1.2, "an exponential"
    ),
    Row("log", "transcendental", ranges.rising(math.log), (POSITIVE,), ("log_{0}", "entropy", "level"), 0.9, "a logarithm"),
    Row(
        "log2",
        "transcendental",
        ranges.rising(math.log2),
        (POSITIVE,),
        ("octave", "bits", "log_{0}"),
        0.3,
        "a binary logarithm",
    ),
    Row(
        "log10",
        "transcendental",
        ranges.rising(math.log10),
        (POSITIVE,),
        ("decibels", "order", "log_{0}"),
        0.3,
        "a decimal logarithm",
    ),
    Row("sqrt", "transcendental", ranges.rising(math.sqrt), (POSITIVE,), ("root", "radius", "root_{0}"), 2.0, "a square root"),
    Row(
        "cbrt",
        "transcendental",
        ranges.rising(lambda x: x ** (1.0 / 3.0)),
        (POSITIVE,),
        ("edge", "cube_root", "side"),
        0.2,
        "a cube root",
    ),
    Row(
        "pow", "transcendental", ranges.power, ((0.1, 10.0), (-2.0, 3.0)), ("powered", "curve", "falloff"), 0.8, "a power", (1,)
    ),
    Row("erf", "transcendental", ranges.rising(math.erf), (ANGLE,), ("coverage", "cdf", "erf_{0}"), 0.2, "an error function"),
    Row("degrees", "transcendental", ranges.rising(math.degrees), (ANGLE,), ("degrees_{0}", "bearing"), 0.1),
    Row("radians", "transcendental", ranges.rising(math.radians), (WIDE,), ("radians_{0}", "turn"), 0.1),
    Row(
        "smoothstep",
        "transcendental",
        ranges.fixed(0.0, 1.0),
        (WIDE, WIDE, ANY),
        ("ramp", "fade", "smooth"),
        0.4,
        "a smooth step",
        (0, 1),
    ),
    # -------------------------------------------------------------------------------------------------------- rounding
    Row("floor", "rounding", ranges.rising(math.floor), (ANY,), ("cell", "whole", "floor_{0}"), 1.0, "a floor"),
    Row("ceil", "rounding", ranges.rising(math.ceil), (ANY,), ("upper", "ceil_{0}"), 0.5, "a ceiling"),
    Row("round", "rounding", ranges.outward, (ANY,), ("nearest", "snapped"), 0.5, "rounding"),
    Row("trunc", "rounding", ranges.rising(math.trunc), (ANY,), ("whole", "integral"), 0.2),
    # Its adjoint in Warp is empty, see notes/warp_findings.md: only the profile "stress" calls it.
    Row("frac", "guarded", ranges.fixed(-1.0, 1.0), (ANY,), ("remainder", "frac_{0}"), 1.0, "a fractional part"),
    # --------------------------------------------------------------------------------------------------------- integer
    Row("mod", "integer", ranges.mod, (WIDE, (1, 1000)), ("slot", "phase", "bucket", "wrapped"), 1.2, "a remainder", (1,)),
    Row("floordiv", "integer", ranges.floordiv, (WIDE, (1, 1000)), ("group", "block", "row"), 0.5, "", (1,)),
    # ------------------------------------------------------------------------------------------------------------ cast
    Row("float", "cast", ranges.same, (ANY,), ("{0}_value", "level", "amount"), 1.9),
    Row("int", "cast", ranges.rising(math.trunc), (ANY,), ("index", "bin", "cell"), 1.6),
)
