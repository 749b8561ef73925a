"""Assertions, reports, expectations, counters and masks of faults."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, QUAT
from warpsmith.synthesis.writing.ideas.declare import code, data, helper, integer, number
from warpsmith.synthesis.writing.ideas.parts import Idea

PARAMETERS = (
    data("q", QUAT, -1.0, 1.0, "orientations q rotations body_quat", "orientation of each body", "n", "unit"),
    data("row0", INT, 0, "n", "row_start offsets begin_of row_begin", "first entry of each row", "n"),
    data("tri", INT, -1, "n", "triangles tri_indices faces tri", "vertices of each triangle, -1 if it is deleted", "n 3", shared=True),
    data("limit", FLOAT, 0.5, 2.5, "joint_limits max_values upper limit_of", "largest allowed value of each element"),
    data("bad", INT, 0, 0, "num_bad error_count violations bad_count", "number of invalid elements", "1", start=0.0),
    data("clipped", INT, 0, 0, "num_clipped clip_count overflow_count saturated", "number of elements that were limited", "1", start=0.0),
    data("mask", INT, 0, 0, "fault_mask error_bits seen_faults fault_summary", "union of the faults of all elements", "1", start=0.0),
    data("common", INT, 0, 0, "common_faults shared_bits all_rows and_mask", "faults that all elements have", "1", start=7.0),
    data("parity", INT, 0, 0, "fault_parity checksum bit_parity xor_mask", "parity of each fault bit", "1", start=0.0),
    data("worst", INT, 0, 0, "worst_code max_fault severity highest_fault", "most severe fault", "1", start=0.0),
    data("fault", INT, 0, 0, "fault_codes faults error_code diag_out", "faults of each element"),
    data("residual", FLOAT, 0.0, 0.0, "residuals errors mismatch drift_out", "deviation of each element"),
    data("ok", INT, 0, 0, "valid is_ok passed valid_out", "1 for each valid element"),
    number("tol", 0.2, 0.8, "tolerance tol eps max_error", "largest allowed deviation", "TOLERANCE MAX_ERROR TOL", (0.25, 0.5)),
    integer("verbose", 0, 2, "verbose log_level debug_level verbosity", "how much is reported"),
    code("NAN_BIT", 1, "FAULT_NAN BAD_VALUE NOT_FINITE", "a value is not finite or too large"),
    code("RANGE_BIT", 2, "FAULT_RANGE OUT_OF_RANGE LIMIT_FAULT", "a value is out of its range"),
    code("LINK_BIT", 4, "FAULT_LINK BAD_LINK BAD_INDEX", "an index is missing"),
)  # fmt: skip

HELPERS = (
    helper("is_bad", """
def ⟨is_bad|is_invalid⟩(x: float⟨|, limit: float⟩) -> bool:
    return ⟨wp.isnan(x) or wp.isinf(x)|not wp.isfinite(x)⟩ or wp.abs(x) > LIMIT
""".replace("⟨|, limit: float⟩", ", limit: float").replace("LIMIT", "limit")),
    helper("checked", """
def checked_index(k: int, count: int) -> int:
    ⟨assert k < count, "index out of range"
    return wp.max(k, 0)|assert k >= -1 and k < count
    if k < 0:
        return 0
    return k|if k < 0 or k >= count:
        wp.printf("index %d is outside of %d\\n", k, count)
        return 0
    return k⟩
"""),
)  # fmt: skip

REPORT = r"""⟨wp.printf("⟨bad value|out of range|limit exceeded⟩ at %d: %f\n", $i, $x)|wp.printf("⟨element|thread|item⟩ %d failed\n", $i)|print($x)|wp.print($x)⟩"""

DIAGNOSTICS = (
    Idea(
        "check_values",
        "check_finite validate_values find_bad_values sanitize",
        "check that values are finite and not too large, ⟨2:and replace the others by zero|and count the others|and report the others⟩",
        """
        hook begin
        $x = ⟨{x}[$i]|{x}[$i] * {w}[$i]|{x}[$i] - {y}[$i]⟩
        if @is_bad($x, ⟨2.0|1.5|{cut}⟩):
            ⟨2:$x = 0.0|wp.atomic_add({bad}, 0, 1)⟨|
            {ok}[$i] = 0
            return⟩|REPORT⟩
        ⟨3:{x_out}[$i] = $x|{x_out}[$i] = $x
        {ok}[$i] = 1⟩
        """.replace("REPORT", REPORT.replace("\n", "")),
        kinds="diagnostics control_flow",
    ),
    Idea(
        "check_indices",
        "check_triangles validate_faces validate_indices count_degenerate",
        "check the vertices of triangles for ⟨2:deleted ones|repeated ones|an ascending order⟩",
        r"""
        $a = {tri}[$i, 0]
        $b = {tri}[$i, 1]
        $c = {tri}[$i, 2]
        ⟨2:if $a < 0 or $b < 0 or $c < 0:
            ⟨wp.printf("triangle %d has no vertex\n", $i)
            |⟩wp.atomic_add({bad}, 0, 1)
            {ok}[$i] = 0
            return
        assert $a < {n}⟨ and $b < {n} and $c < {n}|, "vertex out of range"|⟩
        {ok}[$i] = 1|if $a == $b or $b == $c or $c == $a:
            {ok}[$i] = 0
            wp.atomic_add({bad}, 0, ⟨1|2⟩)
        else:
            ⟨assert $a != $b
            |⟩{ok}[$i] = 1|{ok}[$i] = wp.where($a < $b and $b < $c, 1, 0)
        if $a > $b⟨| or $b > $c⟩:
            wp.atomic_or({mask}, 0, ⟨{RANGE_BIT}|{LINK_BIT}⟩)⟩
        """,
        kinds="diagnostics control_flow",
        integer=True,
    ),
    Idea(
        "fault_codes",
        "collect_faults diagnose_elements encode_faults health_check",
        "collect the faults of each element in a mask ⟨2:and their union|and the most severe one|and count the faulty elements⟩",
        """
        $faults = int(0)
        ⟨3:if @is_bad({x}[$i], {limit}[$i]):
            $faults |= {NAN_BIT}
        |⟩if {w}[$i] < ⟨{tol}|0.5|1.0⟩:
            $faults |= {RANGE_BIT}
        ⟨4:# a missing link is only a fault of active elements
        |⟩if {idx}[$i] < 0 ⟨and|or⟩ {flags}[$i] & {SKIP} == 0:
            $faults |= {LINK_BIT}

        {fault}[$i] = $faults
        ⟨2:if $faults != 0:
            wp.atomic_or({mask}, 0, $faults)|wp.atomic_max({worst}, 0, $faults)|if $faults ⟨!= 0|> {RANGE_BIT}⟩:
            wp.atomic_add({bad}, 0, 1)⟩
        """.replace("$faults |= ", "$faults = $faults | "),
        kinds="diagnostics integer_bits",
    ),
    Idea(
        "limit_and_count",
        "limit_values clip_and_count saturate_with_report enforce_limits",
        "limit each value and count what was limited",
        """
        hook begin
        $x = {x}[$i]
        $top = ⟨{limit}[$i]|{cut}|{limit}[$i] * {k}⟩
        if ⟨wp.abs($x) > $top|$x > $top or $x < -$top|not (wp.abs($x) <= $top)⟩:
            $x = wp.clamp($x, -$top, $top)
            wp.atomic_add({clipped}, 0, 1)
            ⟨2:{fault}[$i] = {RANGE_BIT}|if {verbose} > ⟨0|1⟩:
                REPORT|⟩
        ⟨3:assert wp.abs($x) <= $top
        |assert $x <= $top and $x >= -$top, "clamping failed"
        |⟩{x_out}[$i] = $x
        hook end
        """.replace("REPORT", REPORT),
        kinds="diagnostics control_flow",
    ),
    Idea(
        "expect_values",
        "test_roundtrip expect_identity verify_copy selftest",
        "compare ⟨2:keys with what they are decoded to|vectors with their rotation there and back|values with their square roots⟩ by expectations",
        """
        hook begin
        ⟨2:$r = {keys}[$i] // ⟨7|10⟩
        $s = {keys}[$i] % 16
        wp.expect_eq(({keys}[$i] // 16) * 16 + $s, {keys}[$i])
        ⟨wp.expect_neq($s, -1)
        |⟩{i_out}[$i] = $r + $s|$v = wp.quat_rotate({q}[$i], {v}[$i])
        wp.expect_near(wp.quat_rotate_inv({q}[$i], $v), {v}[$i], 1.0e-3)
        {v_out}[$i] = $v|$r = wp.sqrt({w}[$i])
        wp.expect_near($r * $r, {w}[$i], ⟨1.0e-4|1.0e-3⟩)
        {x_out}[$i] = $r * {x}[$i]⟩
        hook end
        """,
        kinds="diagnostics",
    ),
    Idea(
        "compare_results",
        "compare_arrays check_agreement diff_against_reference regression_check",
        "compare values with a reference, ⟨2:count the deviations|mark the deviations|report the deviations⟩",
        r"""
        hook begin
        $x = wp.abs({x}[$i] - {y}[$i])
        {residual}[$i] = $x
        ⟨2:if $x > {tol}:
            wp.atomic_add({bad}, 0, 1)
            if {lab}[$i] == {which}:
                wp.atomic_add({clipped}, 0, 1)|{ok}[$i] = wp.where($x <= {tol}⟨| or {flags}[$i] & {SKIP} != 0⟩, 1, 0)|if $x > {tol} ⟨+ {cut}|* 2.0⟩:
            REPORT
            {ok}[$i] = 0
            return
        {ok}[$i] = 1⟩
        """.replace("REPORT", REPORT),
        kinds="diagnostics losses",
    ),
    Idea(
        "assert_divisor",
        "normalize_checked divide_checked checked_ratio safe_mean",
        "divide values by weights that an assertion checks",
        """
        hook begin
        $d = {w}[$i]⟨| + {w}[{link}[$i]]| * 2.0⟩
        assert $d > 0.0⟨|, "the weight is not positive"|, "empty element"⟩
        ⟨2:{x_out}[$i] = {x}[$i] / $d|{x_out}[$i] = ({x}[$i] + {y}[$i]) / $d|{v_out}[$i] = {v}[$i] / $d|if {lab}[$i] == {which}:
            {x_out}[$i] = {x}[$i] / $d
        else:
            {x_out}[$i] = {y}[$i] * $d⟩
        hook end
        """,
        kinds="diagnostics",
    ),
    Idea(
        "checked_gather",
        "gather_checked lookup_checked guarded_gather safe_lookup",
        "gather ⟨2:values|codes|vectors⟩ by indices that a function checks",
        """
        $j = @checked({idx}[$i], {n})
        ⟨2:{x_out}[$i] = {x}[$j]⟨| * {w}[$i]| - {x}[$i]⟩|{i_out}[$i] = {keys}[$j]|{v_out}[$i] = {v}[$j]⟨| - {v}[$i]⟩⟩
        ⟨3:if {idx}[$i] < 0 or {flags}[$i] & {SKIP} != 0:
            wp.atomic_add({bad}, 0, 1)|{ok}[$i] = wp.where({idx}[$i] < 0 or {flags}[$i] & {SKIP} != 0, 0, 1)|⟩
        """,
        kinds="diagnostics gather_scatter helper_functions",
    ),
    Idea(
        "check_rotations",
        "check_orientations validate_quaternions unit_norm_check monitor_drift",
        "measure how far ⟨2:orientations|velocities⟩ are from what is allowed",
        r"""
        hook begin
        ⟨2:$x = wp.abs(wp.length_sq({q}[$i]) - 1.0) + ⟨{w}[$i] * 0.5|wp.abs({x}[$i])⟩
        |$x = wp.length({v}[$i])
        ⟩if $x > {cut}⟨| and {flags}[$i] & {SKIP} == 0⟩:
            ⟨wp.atomic_add({bad}, 0, 1)|wp.atomic_or({mask}, 0, 1 << ({lab}[$i] % 8))|REPORT⟩
            ⟨3:{fault}[$i] = {RANGE_BIT}
        else:
            {fault}[$i] = 0|{x_out}[$i] = {cut}
        else:
            {x_out}[$i] = $x|{ok}[$i] = 0
        else:
            {ok}[$i] = 1⟩
        """.replace("REPORT", REPORT).replace("⟩if $x", "⟩if $x"),
        kinds="diagnostics",
    ),
    Idea(
        "bounds_mask",
        "row_checks check_offsets validate_rows audit_offsets",
        "check the offsets of rows ⟨2:for order|against the labels⟩ and keep which checks failed",
        """
        $a = {row0}[$i]
        $b = {row0}[($i + 1) % {n}]
        $faults = int(0)
        if $b < $a:
            $faults = $faults | {RANGE_BIT}
        ⟨2:if $b - $a > ⟨{n} // 2|10⟩:
            $faults = $faults | {LINK_BIT}|if {lab}[$a] ⟨!=|==⟩ {lab}[$b]:
            $faults = $faults | {NAN_BIT}⟩
        ⟨3:wp.atomic_and({common}, 0, $faults)|wp.atomic_or({mask}, 0, $faults)|wp.atomic_xor({parity}, 0, $faults << ({lab}[$i] % 4))⟩
        {fault}[$i] = $faults
        """,
        kinds="diagnostics atomics integer_bits",
        integer=True,
    ),
)
