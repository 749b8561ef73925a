"""Generic kernels with an overload, and generic and overloaded functions."""

from __future__ import annotations

import re

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, TYPES, VEC2, VEC3, VEC4
from warpsmith.synthesis.writing.ideas.declare import data, helper, number
from warpsmith.synthesis.writing.ideas.parts import Data, Idea, Number

ELEMENTS = {
    "f": FLOAT, "d": TYPES["float64"], "i": INT, "v": VEC3, "q": VEC2, "c": VEC4, "w": TYPES["vec3d"], "m": MAT22, "h": TYPES["float16"],
}  # fmt: skip
"""The types of elements by the letter that ends the keys of their arrays."""

_ROWS = (
    ("ga", "x src values a", "first operand of each element", "n"),
    ("gb", "y other increments b", "second operand of each element", "n"),
    ("gz", "out dst result z", "result of each element", "n"),
    ("gs", "total sum_out accumulated group_total", "sum over the elements of each group", "bins"),
    ("gt", "table src2d matrix_in grid_in", "table of elements", "n m"),
    ("gu", "table_out dst2d matrix_out grid_out", "resulting table of elements", "n m"),
)


def _parameters(letter: str) -> list[Data | Number]:
    """Return the arrays of one type and the factor of its scalar type."""
    dtype = ELEMENTS[letter]
    scalar = TYPES[dtype.scalar]
    whole = scalar is INT
    low, high = (1, 9) if whole else (-2.0, 2.0)
    rows = [
        data(key + letter, dtype, low, high, names, about, dims, start=0.0 if key == "gs" else None)
        for key, names, about, dims in _ROWS
    ]
    factor = number(
        "gk" + letter, 2 if whole else 0.25, 3 if whole else 1.5, "alpha scale factor weight", "factor", dtype=scalar
    )
    dots = data("gd" + letter, scalar, 0, 0, "dots projections inner_out d", "scalar product of each element")
    return [*rows, factor, dots]


PARAMETERS = tuple(row for letter in ELEMENTS for row in _parameters(letter))


def _of_types(text: str, letters: str) -> str:
    """Return ``text`` for each type as alternatives; ``<a>`` stands for the array ``a`` of the type."""
    return "⟨1:" + "|".join(re.sub(r"<(\w)>", rf"{{g\g<1>{letter}}}", text) for letter in letters) + "⟩"


def _keys(letters: str) -> str:
    return " ".join(f"g{stem}{letter}" for letter in letters for stem in "abzstukd")


def _idea(key: str, names: str, purpose: str, text: str, letters: str, threads: str = "i", kinds: str = "") -> Idea:
    text = "\n".join(line[8:] if line.startswith(" " * 8) else line for line in text.strip("\n").splitlines()).rstrip()
    return Idea(key, names, purpose, _of_types(text, letters), threads, f"generic {kinds}".strip(), generic=_keys(letters))


HELPERS = (
    helper("mix_any", """
@wp.func
def mix_any(a: Any, b: Any, t: float):
    ⟨return a * (1.0 - t) + b * t|delta = b - a
    return a + delta * t|return wp.lerp(a, b, t)⟩
"""),
    helper("limit_any", """
@wp.func
def limit_any(x: Any, low: Any, high: Any):
    ⟨# works for numbers and, per component, for vectors
    |⟩return wp.min(wp.max(x, low), high)
"""),
    helper("quad_form", """
@wp.func
def quad_form(a: Any, u: Any):
    return wp.dot(u, ⟨a * u|wp.transpose(a) * u⟩)
"""),
    helper("length_any", """
@wp.func
def magnitude(a: float) -> float:
    return wp.abs(a)


@wp.func
def magnitude(a: wp.vec3) -> float:
    return ⟨wp.length(a)|wp.max(wp.abs(a))⟩


@wp.func
def magnitude(a: int) -> float:
    return float(wp.abs(a))
"""),
    helper("shrink_any", """
@wp.func
def shrink_any(a: Any, norm: float, limit: float):
    # keeps the direction of vectors and the sign of numbers
    if norm > limit:
        return a * (limit / norm)
    return a
"""),
    helper("reduce_max_any", """
@wp.func
def sum_pair(values: wp.array(dtype=Any), a: int, b: int):
    ⟨return values[a] + values[b]|return values[b] - values[a]⟩
"""),
    helper("rk2_any", """
@wp.func
def midpoint_step(x: Any, k1: Any, k2: Any, h: float):
    half = ⟨(k1 + k2) * 0.5|k1 * 0.5 + k2 * 0.5⟩
    return x + half * h
"""),
)  # fmt: skip

GENERIC = (
    _idea(
        "generic_axpy",
        "axpy scaled_add add_scaled blend_arrays",
        "⟨2:add a multiple of one array to another|blend two arrays|subtract a multiple of one array⟩, for any type of element",
        """
        ⟨3:hook begin
        |⟩⟨2:<z>[$i] = <k> * <a>[$i] + <b>[$i]|$t = <a>[$i]
        <z>[$i] = $t + (<b>[$i] - $t) * <k>|<z>[$i] = <b>[$i] - <a>[$i] * <k>⟩
        hook end
        """,
        "fdivqcwm",
    ),
    _idea(
        "generic_gather",
        "gather_any gather_rows take_elements index_select",
        "gather elements of any type by index⟨2:| and leave those without a source at zero| and keep the own element where there is no source⟩",
        """
        hook begin
        $j = {idx}[$i]
        ⟨2:<z>[$i] = <a>[wp.max($j, 0)]|if $j < 0:
            <z>[$i] = <zero>
            return
        <z>[$i] = <a>[$j]⟨|
        wp.atomic_add({counter}, 0, 1)⟩|if $j >= 0⟨| and {lab}[$j] == {lab}[$i]⟩:
            <z>[$i] = <a>[$j]
        else:
            <z>[$i] = <a>[$i]⟩
        """.replace("<zero>", "<a>[$i] - <a>[$i]"),
        "fdivqcwh",
        kinds="gather_scatter",
    ),
    _idea(
        "generic_segment_sum",
        "segment_sum reduce_by_key group_sum accumulate_any",
        "add up the elements of each group⟨2:|, scaled by a factor|, only those that are not skipped⟩, for any type of element",
        """
        hook begin
        ⟨2:$lab = {lab}[$i]
        wp.atomic_add(<s>, $lab, <a>[$i]⟨| + <b>[$i]⟩)|wp.atomic_add(<s>, $lab, <a>[$i] * <k>)|if {keys}[$i] % ⟨2|3⟩ == 0:
            return
        wp.atomic_add(<s>, {lab}[$i], <a>[$i])⟩
        hook end
        """,
        "fdivqwm",
        kinds="atomics reduction",
    ),
    _idea(
        "generic_differences",
        "forward_difference finite_differences diff_any neighbor_delta",
        "compute ⟨2:forward differences|sums of neighbours|second differences⟩ of elements of any type",
        """
        ⟨3:# the last element wraps around
        |⟩⟨2:$j = ($i + 1) % {n}
        <z>[$i] = <a>[$j] - <a>[$i]|$j = ($i + ⟨1|2⟩) % {n}
        <z>[$i] = <a>[$i] + <a>[$j]|if $i == 0 or $i + 1 >= {n}:
            return
        $t = <a>[$i]
        <z>[$i] = <a>[$i + 1] - $t - $t + <a>[$i - 1]⟩
        hook end
        """,
        "fdivqcwm",
        kinds="stencil",
    ),
    _idea(
        "generic_window_sum",
        "window_sum box_filter_1d rolling_sum smooth_any",
        "sum a window of elements of any type",
        """
        ⟨2:$s = <a>[$i]
        for $q in range(1, ⟨3|4|5⟩):
            $s += <a>[($i + $q) % {n}]|$s = <a>[$i] + <a>[($i + 1) % {n}]
        if {flags}[$i] & {DIRTY} != 0:
            $s += <b>[$i]|$s = <b>[$i]
        for $q in range(⟨2|3|4⟩):
            $j = wp.min($i + $q, {n} - 1)
            if {lab}[$j] == {lab}[$i]:
                $s += <a>[$j]⟩
        <z>[$i] = $s⟨| * <k>⟩
        """,
        "fdivqw",
        kinds="stencil reduction",
    ),
    _idea(
        "generic_polynomial",
        "evaluate_polynomial poly_any horner_any quadratic_any",
        "evaluate a polynomial in the precision of the array",
        """
        $x = <a>[$i]
        ⟨2:<z>[$i] = ($x * <a>.dtype(⟨2|3⟩) + <a>.dtype(1)) * $x|<z>[$i] = ($x + <b>[$i]) * ($x - <b>[$i]) + <k>|$s = <k>
        for $q in range(⟨2|3⟩):
            $s = $s * $x + <a>.dtype(⟨1|2⟩)
        <z>[$i] = $s⟩
        hook end
        """,
        "fd",
    ),
    _idea(
        "generic_limits",
        "clamp_any limit_values saturate_any elementwise_max",
        "⟨2:clamp elements to the range of a factor|take the larger element|take the absolute difference|select by flag⟩, for any number type",
        """
        hook begin
        ⟨2:<z>[$i] = wp.clamp(<a>[$i], -<k>, <k>)|<z>[$i] = wp.⟨max|min⟩(<a>[$i], <b>[$i])|<z>[$i] = wp.abs(<a>[$i] - <b>[$i])|if {flags}[$i] & {PINNED} != 0:
            <z>[$i] = <a>[$i]
        else:
            <z>[$i] = <b>[$i]⟨| * <k>⟩⟩
        hook end
        """,
        "fdi",
    ),
    _idea(
        "generic_component",
        "cwise_product hadamard_any cw_divide dot_any",
        "⟨2:multiply vectors per component|take scalar products|scale vectors by their product⟩, in any length and precision",
        """
        hook begin
        $v = <a>[$i]
        ⟨2:<z>[$i] = wp.cw_mul($v, <b>[$i])⟨| * <k>⟩|<d>[$i] = wp.dot($v, <b>[$i])⟨| * <k>⟩|<z>[$i] = <b>[$i] * wp.dot($v, <b>[$i])⟨|
        <d>[$i] = wp.length_sq($v)⟩⟩
        """,
        "vqcw",
        kinds="generic",
    ),
    _idea(
        "generic_copy2d",
        "copy_2d flip_rows reverse_columns shift_rows",
        "⟨2:copy a table|reverse the columns|shift the rows by one|add neighbouring columns⟩ for any type of element",
        """
        ⟨2:<u>[$i, $j] = <t>[$i, $j]⟨| * <k>⟩|<u>[$i, {m} - 1 - $j] = <t>[$i, $j]|$r = ($i + 1) % {n}
        <u>[$i, $j] = <t>[$r, $j]|if $j == 0:
            <u>[$i, $j] = <t>[$i, $j]
            return
        <u>[$i, $j] = <t>[$i, $j] ⟨+|-⟩ <t>[$i, $j - 1]⟩
        """,
        "fdivqc",
        threads="i j",
        kinds="multi_dim",
    ),
    Idea(
        "mix_functions",
        "interpolate_state blend_states mix_state lerp_elements",
        "blend values and vectors with their partners by one generic function",
        """
        hook begin
        $j = {link}[$i]
        ⟨2:$t = {cut}|$t = wp.clamp({w}[$i], 0.0, 1.0)|$t = float($lab) / float({bins})⟩
        {x_out}[$i] = @mix_any({x}[$i], {x}[$j], $t)
        ⟨3:{v_out}[$i] = @mix_any({v}[$i], {v}[$j], ⟨$t|1.0 - $t⟩)|if $lab ⟨==|>=⟩ {which}:
            {v_out}[$i] = @mix_any({v}[$i], wp.vec3(0.0, 0.0, ⟨1.0|-1.0⟩), $t)
        else:
            {v_out}[$i] = {v}[$i]⟩
        hook end
        """,
        kinds="generic helper_functions combined",
    ),
    Idea(
        "limit_functions",
        "limit_state saturate_state clamp_elements bound_values",
        "limit values and vectors by one generic function",
        """
        ⟨2:$r = @limit_any({x}[$i], -{cut}, {cut})|$r = @limit_any({x}[$i] * {k}, {y}[$i], {y}[$i] + {w}[$i])⟩
        {x_out}[$i] = $r
        ⟨3:{i_out}[$i] = @limit_any({keys}[$i], ⟨50|100⟩, ⟨300|400⟩)|{v_out}[$i] = @limit_any({v}[$i], wp.vec3(-{cut}, -{cut}, ⟨0.0|-{cut}⟩), wp.vec3({cut}, {cut}, {cut}))|if {keys}[$i] > ⟨250|300⟩:
            {i_out}[$i] = @limit_any({flags}[$i], 1, ⟨4|5⟩)
            wp.atomic_add({counter}, 0, 1)⟩
        hook end
        """,
        kinds="generic helper_functions",
    ),
    Idea(
        "overloaded_magnitude",
        "limit_magnitudes shrink_large rescale_state bound_magnitude",
        "shrink what is larger than a limit, by a function with an overload for each type",
        """
        hook begin
        $n = @length_any({v}[$i])
        {v_out}[$i] = @shrink_any({v}[$i], $n, {cut})
        ⟨2:{x_out}[$i] = @shrink_any({x}[$i], @length_any({x}[$i]), ⟨1.0|{k}⟩)|{x_out}[$i] = @length_any({keys}[$i] - 250) * ⟨0.01|0.004⟩|{x_out}[$i] = $n + @length_any({x}[$i])⟩
        hook end
        """,
        kinds="generic helper_functions",
    ),
    Idea(
        "quadratic_forms",
        "evaluate_quadratic quadratic_energy metric_length curvature_terms",
        "evaluate a quadratic form of a plane and of a spatial vector",
        """
        $v = {v}[$i]
        ⟨2:$r = @quad_form(wp.mat22(⟨1.0, 0.5, 0.5, 2.0|2.0, 0.0, 1.0, 1.0⟩), wp.vec2($v[0], $v[1]))|$r = @quad_form(wp.outer($v, {p}[$i]), $v) * 0.1⟩
        $s = @quad_form(wp.diag(wp.vec3(1.0, ⟨2.0|{k}⟩, ⟨0.5|3.0⟩)), ⟨$v|{p}[$i]|$v - {p}[$i]⟩)
        {x_out}[$i] = ⟨0.5 * $s + $r|$r - $s|wp.max($r, $s)⟩
        hook end
        """,
        kinds="generic helper_functions",
    ),
    Idea(
        "generic_pairs",
        "pair_sums edge_differences link_values couple_elements",
        "combine each element with its partner by one function for arrays of any type",
        """
        hook begin
        $j = {link}[$i]
        {x_out}[$i] = @reduce_max_any({x}, $i, $j)
        ⟨2:{i_out}[$i] = @reduce_max_any({keys}, $i, $j)|{v_out}[$i] = @reduce_max_any({v}, $i, $j) * ⟨0.5|{k}⟩|if {flags}[$i] ⟨==|>⟩ {PINNED}:
            {v_out}[$i] = @reduce_max_any({v}, $j, $i)⟩
        """,
        kinds="generic helper_functions gather_scatter",
    ),
    Idea(
        "generic_midpoint",
        "midpoint_step integrate_any heun_update advance_state",
        "advance positions and values by a step of Heun's method",
        """
        hook begin
        $j = {link}[$i]
        $v = {v}[$i]
        ⟨3:# the second slope is that of the linked element
        |⟩{v_out}[$i] = @rk2_any({p}[$i], $v, ⟨{v}[$j]|-0.5 * $v|wp.vec3(0.0, 0.0, -1.0)⟩, {dt})
        ⟨2:{x_out}[$i] = @rk2_any({x}[$i], {y}[$i], ⟨{y}[$j]|-{x}[$i]⟩, {dt})|if {flags}[$i] & {PINNED} ⟨==|!=⟩ 0:
            {x_out}[$i] = @rk2_any({x}[$i], -{x}[$i], {y}[$i], ⟨{dt}|0.5 * {dt}⟩)⟩
        """,
        kinds="generic helper_functions",
    ),
)
