"""Locals, loops, extras and helper functions of the domain `solvers`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper, local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

NAMES = {
    "j": "j col_j other cj",
    "k": "k p ptr pos",
    "t": "t slot s kk",
    "a": "a a_ij aij coeff",
    "sum": "acc sum_ax total s",
    "xi": "xi x_old cur x_i",
    "ri": "res_i ri rr defect",
    "xn": "x_next xn candidate updated",
    "scale": "scale relax_i factor weight",
    "begin": "begin row_start lo start",
    "end": "end row_end hi stop",
    "st": "st code flag_b cur_status",
    "ratio": "ratio rho_k quotient gain_ratio",
    "det": "det determinant d det_a",
    "A": "A mat_a a_mat H",
    "g": "g rhs_b bvec gvec",
    "L": "l_mat L lower_f chol",
    "step": "step dx_b delta upd",
    "f": "fx value_f residual_f phi",
    "df": "dfx slope_f derivative jac_f",
    "lam_new": "lam_new lambda_n clamped new_lam",
    "dl": "d_lam delta_l dlam increment",
    "u": "u idx_a ia first",
    "v": "v idx_b ib second",
    "len": "length step_len dx_len",
    "lo_i": "lo left seg_lo",
    "hi_i": "hi right seg_hi",
}

LOCALS = (
    local("xi", "{x}[$i]"),
    local("st", "{status}[$b]"),
    local("r", "{erow}[$e]"),
    local("cc", "{col}[$e]"),
    local("u", "{ca}[$c]"),
    local("v", "{cb}[$c]"),
    local("A2", "{m2}[$b]"),
    local("A3", "{m3}[$b]"),
)

LOOPS = (
    loop(
        "nz",
        """
        for $k in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$k]
            $a = {val}[$k]
            body
        """,
        """
        $begin = {row}[$i]
        $end = {row}[$i + 1]
        for $k in range($begin, $end):
            $j = {col}[$k]
            # fixed unknowns are on the right-hand side
            if {fixed}[$j]:
                continue
            $a = {val}[$k]
            body
        """,
        """
        for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j < 0:
                continue
            $a = {ellv}[$i, $t]
            body
        """,
        """
        for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j >= 0:
                $a = {ellv}[$i, $t]
                body
        """,
        """
        for $t in range({bands}):
            $j = $i + {doff}[$t]
            # the band is cut off at both ends
            if $j >= 0 and $j < {n}:
                $a = {dia}[$t, $i]
                body
        """,
        """
        for $t in range({bands}):
            $j = $i + {doff}[$t]
            if $j < 0 or $j >= {n}:
                continue
            $a = {dia}[$t, $i]
            body
        """,
    ),
    loop(
        "pat",
        """
        for $k in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$k]
            body
        """,
        """
        $begin = {row}[$i]
        $end = {row}[$i + 1]
        for $k in range($begin, $end):
            $j = {col}[$k]
            if {fixed}[$j]:
                continue
            body
        """,
        """
        for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j >= 0:
                body
        """,
        """
        for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j < 0:
                ⟨continue|break⟩
            body
        """,
    ),
)

EXTRAS = (
    Extra("row", "# owned by another process\nif {ghost}[$i]:\n    return\n"),
    Extra("row", "# no update on this level\nif {level}[$i] < {depth}:\n    return\n"),
    Extra("row", "if {color}[$i] != {which}:\n    return\n"),
    Extra("row", "# no equation\nif {rtype}[$i] == {DROPPED}:\n    return\n"),
    Extra("tally", "wp.atomic_add({count}, 0, 1)"),
    Extra("tally", "if {rtype}[$i] == {SCALED}:\n    wp.atomic_add({count}, 1, 1)"),
    Extra("tally", "if {level}[$i] == {depth}:\n    wp.atomic_add({count}, 2, 1)"),
    Extra("entry", "if $r == $cc:\n    # the diagonal is stored separately\n    return\n"),
    Extra("entry", "if {fixed}[$r] or {fixed}[$cc]:\n    return\n"),
    Extra("entry", "if {rtype}[$r] == {DROPPED}:\n    return\n"),
    Extra("entry", "if {color}[$cc] != {which}:\n    return\n"),
    Extra("etally", "wp.atomic_add({count}, 0, 1)"),
    Extra("etally", "if $cc < $r:\n    wp.atomic_add({count}, 1, 1)"),
    Extra("system", "# finished systems stay as they are\nif {status}[$b] == {CONVERGED}:\n    return\n"),
    Extra("system", "if not {on}[$b]:\n    return\n"),
    Extra("system", "if {status}[$b] == {FAILED}:\n    return\n"),
    Extra("system", "# nothing left to do\nif {norm}[$b] < {tol}:\n    return\n"),
    Extra("stally", "wp.atomic_add({count}, 0, 1)"),
    Extra("stally", "if {status}[$b] == {RUNNING}:\n    wp.atomic_add({running}, 0, 1)"),
    Extra("stally", "{iters_out}[$b] = {iters}[$b] + 1"),
    Extra("stally", "if {norm}[$b] > {tol} * {norm0}[$b]:\n    wp.atomic_add({running}, 0, 1)"),
    Extra("con", "if {ctype}[$c] == {OFF}:\n    return\n"),
    Extra("con", "# constraint of a single unknown\nif $u < 0:\n    return\n"),
    Extra("con", "if $u == $v:\n    return\n"),
    Extra("pin", "if {bfixed}[$ib] == 3:\n    # pinned\n    return\n"),
)

HELPERS = (
    helper(
        "safe_div",
        """
        def ⟨safe_div|guarded_ratio⟩(num: float, den: float)⟨| -> float⟩:
            # a vanishing divisor means breakdown
            if wp.abs(den) < {TINY}:
                return 0.0
            return num / den
        """,
        """
        def ⟨divide_or_zero|ratio_or_zero⟩(a: float, b: float):
            if b > {TINY} or b < -{TINY}:
                return a / b
            return 0.0
        """,
    ),
    helper(
        "sym2",
        """
        def ⟨symmetrize2|make_symmetric⟩(m: wp.mat22)⟨| -> wp.mat22⟩:
            return 0.5 * (m + wp.transpose(m))
        """,
        """
        def sym_part2(m: wp.mat22):
            off = 0.5 * (m[0, 1] + m[1, 0])
            return wp.mat22(m[0, 0], off, off, m[1, 1])
        """,
    ),
    helper(
        "sym3",
        """
        def ⟨symmetrize3|sym_part⟩(m: wp.mat33)⟨| -> wp.mat33⟩:
            return 0.5 * (m + wp.transpose(m))
        """,
    ),
    helper(
        "cholesky3",
        """
        def ⟨cholesky3|chol_factor3⟩(m: wp.mat33)⟨| -> wp.mat33⟩:
            # pivots are kept away from zero
            l00 = wp.sqrt(wp.max(m[0, 0], 0.05))
            l10 = m[1, 0] / l00
            l20 = m[2, 0] / l00
            l11 = wp.sqrt(wp.max(m[1, 1] - l10 * l10, 0.05))
            l21 = (m[2, 1] - l20 * l10) / l11
            l22 = wp.sqrt(wp.max(m[2, 2] - l20 * l20 - l21 * l21, 0.05))
            return wp.mat33(l00, 0.0, 0.0, l10, l11, 0.0, l20, l21, l22)
        """,
    ),
    helper(
        "forward3",
        """
        def ⟨forward_subst3|lower_solve3⟩(l: wp.mat33, b: wp.vec3)⟨| -> wp.vec3⟩:
            y0 = b[0] / l[0, 0]
            y1 = (b[1] - l[1, 0] * y0) / l[1, 1]
            y2 = (b[2] - l[2, 0] * y0 - l[2, 1] * y1) / l[2, 2]
            return wp.vec3(y0, y1, y2)
        """,
    ),
    helper(
        "backward3",
        """
        def ⟨backward_subst3|upper_solve3⟩(l: wp.mat33, y: wp.vec3)⟨| -> wp.vec3⟩:
            # solves with the transpose of the lower factor
            x2 = y[2] / l[2, 2]
            x1 = (y[1] - l[2, 1] * x2) / l[1, 1]
            x0 = (y[0] - l[1, 0] * x1 - l[2, 0] * x2) / l[0, 0]
            return wp.vec3(x0, x1, x2)
        """,
    ),
    helper(
        "robust",
        """
        def ⟨huber_weight|irls_weight⟩(r: float, delta: float)⟨| -> float⟩:
            a = wp.abs(r)
            if a <= delta:
                return 1.0
            return delta / a
        """,
        """
        def ⟨cauchy_weight|robust_weight⟩(r: float, scale: float)⟨| -> float⟩:
            q = r / scale
            return 1.0 / (1.0 + q * q)
        """,
    ),
    helper(
        "oscillator",
        """
        def ⟨oscillator_rhs|eval_rhs⟩(y: wp.vec2, t: float, w: float)⟨| -> wp.vec2⟩:
            # y = (position, velocity)
            acc = ⟨-w * w * y[0]|-w * w * y[0] - 0.2 * y[1]|-w * w * y[0] + wp.sin(t)|-w * w * wp.sin(y[0])⟩
            return wp.vec2(y[1], acc)
        """,
    ),
    helper(
        "segment",
        """
        def ⟨find_segment|locate⟩(xs: wp.array(dtype=float), count: int, x: float)⟨| -> int⟩:
            lo = int(0)
            hi = int(count - 1)
            while hi - lo > 1:
                mid = (lo + hi) // 2
                if xs[mid] <= x:
                    lo = mid
                else:
                    hi = mid
            return lo
        """,
        """
        def ⟨last_knot_below|scan_segment⟩(knots: wp.array(dtype=float), count: int, x: float)⟨| -> int⟩:
            # the table is short
            seg = int(0)
            for k in range(1, count - 1):
                if knots[k] <= x:
                    seg = k
            return seg
        """,
    ),
)
