"""Ideas of the domain `solvers`: factorizations and eigenvalues of small dense matrices."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

DENSE = (
    Idea(
        "solve2",
        "solve_2x2 cramer_solve batched_solve2 newton_2d",
        "solve a system of two equations",
        """
        hook system
        $A = ⟨{m2}[$b]|@sym2({m2}[$b])|{m2}[$b] + {shift} * wp.identity(n=2, dtype=float)⟩
        $g = ⟨{g2}[$b]|-{g2}[$b]⟩
        $det = ⟨$A[0, 0] * $A[1, 1] - $A[0, 1] * $A[1, 0]|wp.determinant($A)⟩

        if ⟨wp.abs($det) < 0.9|$det < 0.9⟩:
            # small determinant: use the diagonal
            {x2}[$b] = wp.vec2($g[0] / $A[0, 0], $g[1] / $A[1, 1])
            {code_out}[$b] = ⟨1:1|{STALLED}⟩
            ⟨return
        |wp.atomic_add({count}, 0, 1)
        ⟩else:
            $inv_det = 1.0 / $det
            $p0 = ($A[1, 1] * $g[0] - $A[0, 1] * $g[1]) * $inv_det
            $p1 = ($A[0, 0] * $g[1] - $A[1, 0] * $g[0]) * $inv_det
            {x2}[$b] = wp.vec2($p0, $p1)⟨ * {omega}|⟩
            {code_out}[$b] = ⟨1:0|{CONVERGED}⟩⟨
            {det}[$b] = $det|⟩
        """,
        threads="b",
        kinds="matrix control_flow linear_algebra",
    ),
    Idea(
        "cholesky_solve",
        "cholesky_solve solve_spd3 factor_solve3 batched_cholesky",
        "factorize the matrix of each system by Cholesky and solve",
        """
        hook system
        # only the symmetric part counts
        $A = @sym3({m3}[$b])⟨| + {damp}[$b] * wp.identity(n=3, dtype=float)| + wp.diag(wp.vec3({shift}, {shift}, {shift}))⟩
        $g = {g3}[$b]
        ⟨1:$L = @cholesky3($A)
        {x3}[$b] = @backward3($L, @forward3($L, $g))
        ⟨{fac3}[$b] = $L|$root = $L[0, 0] * $L[1, 1] * $L[2, 2]
        {det}[$b] = $root * $root|⟩|# A = L D L^T, the pivots are bounded below
        $d0 = wp.max($A[0, 0], 0.1)
        $l10 = $A[1, 0] / $d0
        $l20 = $A[2, 0] / $d0
        $d1 = wp.max($A[1, 1] - $l10 * $l10 * $d0, 0.1)
        $l21 = ($A[2, 1] - $l20 * $l10 * $d0) / $d1
        $d2 = wp.max($A[2, 2] - $l20 * $l20 * $d0 - $l21 * $l21 * $d1, 0.1)

        $y0 = $g[0]
        $y1 = $g[1] - $l10 * $y0
        $y2 = $g[2] - $l20 * $y0 - $l21 * $y1
        $z2 = $y2 / $d2
        $z1 = $y1 / $d1 - $l21 * $z2
        $z0 = $y0 / $d0 - $l10 * $z1 - $l20 * $z2
        {x3}[$b] = wp.vec3($z0, $z1, $z2)
        ⟨{det}[$b] = $d0 * $d1 * $d2|⟩|$L = @cholesky3($A)
        $white = @forward3($L, $g)
        {x3}[$b] = @backward3($L, $white)
        # b^T A^-1 b
        {quad}[$b] = wp.dot($white, $white)⟩
        ⟨if $A[0, 0] < 1.0:
            # weak pivot
            {code_out}[$b] = 1
        elif $A[2, 2] < 1.0:
            {code_out}[$b] = 3
        else:
            {code_out}[$b] = 0|⟩
        """,
        threads="b",
        kinds="matrix linear_algebra helper_functions",
    ),
    Idea(
        "lu_solve",
        "lu_solve3 gauss_eliminate solve_general3 batched_lu",
        "solve the system of three equations by elimination",
        """
        $A = {m3}[$b]
        $g = ⟨{g3}[$b]|{g3}[$b] * {omega}|-{g3}[$b]⟩
        $r0 = wp.vec3($A[0, 0], $A[0, 1], $A[0, 2])
        $r1 = wp.vec3($A[1, 0], $A[1, 1], $A[1, 2])
        $r2 = wp.vec3($A[2, 0], $A[2, 1], $A[2, 2])
        $b0 = $g[0]
        $b1 = $g[1]
        $b2 = $g[2]

        # eliminate the first column
        $f1 = $r1[0] / $r0[0]
        $f2 = $r2[0] / $r0[0]
        $r1 = $r1 - $f1 * $r0
        $r2 = $r2 - $f2 * $r0
        $b1 = $b1 - $f1 * $b0
        $b2 = $b2 - $f2 * $b0
        ⟨if wp.abs($f1) > 0.2 or wp.abs($f2) > 0.2:
            # rows should be exchanged
            {code_out}[$b] = 2
            ⟨return|wp.atomic_add({count}, 2, 1)⟩|$growth = wp.max(wp.abs($f1), wp.abs($f2))
        {code_out}[$b] = wp.where($growth > 0.15, 2, 1)|⟩
        $f3 = $r2[1] / ⟨$r1[1]|wp.max($r1[1], 0.2)⟩
        $u22 = $r2[2] - $f3 * $r1[2]
        $z2 = ($b2 - $f3 * $b1) / ⟨wp.max($u22, 0.2)|($u22 + wp.sign($u22) * 0.1)⟩
        $z1 = ($b1 - $r1[2] * $z2) / $r1[1]
        $z0 = ($b0 - $r0[1] * $z1 - $r0[2] * $z2) / $r0[0]

        {x3}[$b] = wp.vec3($z0, $z1, $z2)
        ⟨{det}[$b] = $r0[0] * $r1[1] * $u22|⟩
        """,
        threads="b",
        kinds="vector matrix linear_algebra",
    ),
    Idea(
        "eigen2",
        "eigen_sym2 principal_axes eigenvalues_2x2 diagonalize2",
        "compute the eigenvalues⟨1:| and the projector on the first eigenvector|⟩ of the symmetric part of each matrix",
        """
        hook system
        $A = {m2}[$b]
        $off = 0.5 * ($A[0, 1] + $A[1, 0])
        $mean = 0.5 * ($A[0, 0] + $A[1, 1])
        $half = 0.5 * ($A[0, 0] - $A[1, 1])
        $disc = wp.sqrt($half * $half + $off * $off + ⟨1.0e-4|1.0e-3⟩)
        $l1 = $mean + $disc
        $l2 = $mean - $disc

        ⟨1:{ev2}[$b] = wp.vec2($l1, $l2)
        ⟨{det}[$b] = $l1 * $l2|# flat directions
        {code_out}[$b] = wp.where($l2 < {omega}, 1, 2)|⟩|# (A - l2 I) / (l1 - l2) projects on the first eigenvector
        $cos2 = $half / $disc
        $sin2 = $off / $disc
        {fac2}[$b] = 0.5 * wp.mat22(1.0 + $cos2, $sin2, $sin2, 1.0 - $cos2)
        {ev2}[$b] = wp.vec2($l1, $l2)|$ratio = $l2 / $l1
        if $ratio < {omega}:
            # badly conditioned
            {code_out}[$b] = 1
            {ev2}[$b] = wp.vec2($l1, ⟨wp.max($l2, {shift})|$l2 + {shift}⟩)
        else:
            {code_out}[$b] = 2
            {ev2}[$b] = wp.vec2($l1, $l2)⟩
        """,
        threads="b",
        kinds="matrix math linear_algebra",
    ),
    Idea(
        "orthogonalize",
        "gram_schmidt qr_columns orthonormalize build_basis",
        "orthogonalize the columns of each matrix⟨2: and solve with the factors||⟩",
        """
        $A = {m3}[$b]
        $c0 = wp.vec3($A[0, 0], $A[1, 0], $A[2, 0])
        $c1 = wp.vec3($A[0, 1], $A[1, 1], $A[2, 1])
        $c2 = wp.vec3($A[0, 2], $A[1, 2], $A[2, 2])

        $q0 = wp.normalize($c0)
        $r01 = wp.dot($q0, $c1)
        $w1 = $c1 - $r01 * $q0
        ⟨$q1 = wp.normalize($w1)|$q1 = $w1 / wp.length($w1)⟩
        ⟨1:# right-handed basis
        $q2 = wp.cross($q0, $q1)|$w2 = $c2 - wp.dot($q0, $c2) * $q0 - wp.dot($q1, $c2) * $q1
        $q2 = wp.normalize($w2)⟩
        {fac3}[$b] = ⟨wp.matrix_from_cols($q0, $q1, $q2)|wp.matrix_from_rows($q0, $q1, $q2)⟩
        ⟨2:# R x = Q^T b from the last row upwards
        $g = {g3}[$b]
        $z2 = wp.dot($q2, $g) / wp.max(wp.dot($q2, $c2), 0.2)
        $z1 = (wp.dot($q1, $g) - wp.dot($q1, $c2) * $z2) / wp.max(wp.dot($q1, $c1), 0.2)
        $z0 = (wp.dot($q0, $g) - $r01 * $z1 - wp.dot($q0, $c2) * $z2) / wp.length($c0)
        {x3}[$b] = wp.vec3($z0, $z1, $z2)|{det}[$b] = wp.dot($c2, wp.cross($c0, $c1))|⟩
        ⟨if wp.dot($c2, $q2) < 1.0:
            # weak pivot
            {code_out}[$b] = ⟨1|3⟩
        else:
            {code_out}[$b] = 0|if wp.abs($r01) > 0.2:
            # far from orthogonal
            {code_out}[$b] = 1|⟩
        """,
        threads="b",
        kinds="vector matrix linear_algebra",
    ),
    Idea(
        "power_iteration",
        "power_iteration dominant_eigenvector largest_eigenvalue spectral_radius",
        "estimate the largest eigenvalue of each matrix by power iteration",
        """
        hook system
        $A = ⟨@sym3({m3}[$b])|{m3}[$b]⟩
        $vec = ⟨wp.normalize({g3}[$b] + wp.vec3(3.0, 2.0, 2.0))|wp.normalize(wp.vec3(1.0, 0.5, 0.25))⟩
        # a fixed number of steps is enough for a bound
        for $t in range(⟨3|4|6|8⟩):
            $w = $A @ $vec⟨| + {shift} * $vec⟩
            $vec = ⟨wp.normalize($w)|$w / wp.length($w)⟩
        $w = $A @ $vec
        $lmax = wp.dot($vec, $w)

        {vec_out}[$b] = $vec
        {lmax_out}[$b] = $lmax
        ⟨|# step length of Richardson's iteration
        {alpha_out}[$b] = ⟨1.0|{omega}⟩ / wp.max($lmax, {TINY})|if wp.length($w - $lmax * $vec) > {tol}:
            # the direction still changes
            {code_out}[$b] = {STALLED}
        else:
            {code_out}[$b] = {CONVERGED}|if $lmax > 1.2:
            {alpha_out}[$b] = 1.0 / $lmax
        else:
            {alpha_out}[$b] = 1.0⟩
        """,
        threads="b",
        kinds="matrix linear_algebra combined",
    ),
)
