"""Decompositions, inverses and norms of small matrices and vectors."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, MAT33, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, size
from warpsmith.synthesis.writing.ideas.parts import Idea, Index

PARAMETERS = (
    size("ne", 16, 48, "num_elements elem_count ne n_cells", "number of elements"),
    data("F", MAT33, -0.3, 1.3, "deformations F def_grad elem_F", "deformation gradient of each element", "ne", "near_identity"),
    data("K", MAT33, -0.2, 1.2, "matrices A blocks jacobians", "matrix of each element", "ne", "near_identity"),
    data("F2", MAT22, -0.3, 1.3, "plane_deformations F2 grad2 jac2", "deformation gradient in the plane of each element", "ne", "near_identity"),
    data("eb", VEC3, -2.0, 2.0, "rhs b right_sides loads", "right side of each element", "ne"),
    data("eu", VEC3, 0.3, 1.5, "offsets u branch_vectors spread", "vector of each element", "ne"),
    data("ew", FLOAT, 0.2, 1.0, "elem_weights w elem_volume volumes", "weight of each element", "ne"),
    data("et", INT, 0, 3, "elem_types material elem_kind mat_id", "type of each element", "ne"),
    data("R_out", MAT33, 0.0, 0.0, "rotations_out R polar_out frames_out", "resulting matrix of each element", "ne"),
    data("ev_out", VEC3, 0.0, 0.0, "solutions x_sol stretches result_vec", "resulting vector of each element", "ne"),
    data("e2_out", VEC2, 0.0, 0.0, "stretches2 s2_out plane_out sv2", "stretches in the plane of each element", "ne"),
    data("es_out", FLOAT, 0.0, 0.0, "energies psi invariants elem_out", "number of each element", "ne"),
    data("ecode", INT, 0, 0, "elem_state flags_e quality_class degenerate", "class of each element", "ne"),
    data("eflag", INT, 0, 0, "inverted_count num_inverted bad_elements flips", "number of inverted elements", "1", start=0.0),
    data("etotal", FLOAT, 0.0, 0.0, "total_energy energy psi_total objective", "sum over the elements", "1", start=0.0),
)  # fmt: skip

INDICES = (Index("e", "ne", "tid e elem elem_id", "element"),)

NAMES = {
    "U": "U u_mat left_vecs u",
    "S": "sigma sv stretches s",
    "V": "V v_mat right_vecs vt",
    "Q": "Q q_mat basis ortho",
    "R": "R r_mat upper rot",
    "lam": "eigs lam eigenvalues d",
    "m": "A m mat block",
    "det": "J det vol_ratio det_f",
}

DECOMPOSITIONS = (
    Idea(
        "singular_values",
        "principal_stretches singular_values svd_elements stretch_energy",
        "compute the principal stretches of each element ⟨2:|and their energy|and limit them⟩",
        """
        $U, $S, $V = wp.svd3({F}[$e])
        ⟨2:{ev_out}[$e] = $S|$d = $S - wp.vec3(1.0, 1.0, 1.0)
        {es_out}[$e] = ⟨{ew}[$e] * wp.dot($d, $d)|wp.length_sq($d) + 0.5 * {ew}[$e] * ($d[0] + $d[1] + $d[2])⟩|$lim = wp.vec3(wp.clamp($S[0], 0.8, 1.2), wp.clamp($S[1], 0.8, 1.2), wp.clamp($S[2], 0.8, 1.2))
        {R_out}[$e] = $U * wp.diag($lim) * wp.transpose($V)⟩
        ⟨3:if {et}[$e] == ⟨0|1⟩:
            wp.atomic_add({etotal}, 0, $S[0])|⟩
        """,
        threads="e",
        kinds="linear_algebra matrix",
    ),
    Idea(
        "polar_rotation",
        "polar_decomposition extract_rotations corotated_frames best_rotation",
        "extract the rotation of each deformation ⟨2:|and rotate a vector by it|and measure the stretch⟩",
        """
        ⟨3:$U, $S, $V = wp.svd3({F}[$e])
        $R = $U * wp.transpose($V)
        if wp.determinant($R) < 0.0:
            # avoid a reflection
            wp.atomic_add({eflag}, 0, 1)|$U, $S, $V = wp.svd3({F}[$e])
        $R = $U * wp.transpose($V)|$R, $S = wp.qr3({F}[$e])⟩
        ⟨2:{R_out}[$e] = $R|{ev_out}[$e] = ⟨$R|wp.transpose($R)⟩ * {eb}[$e]|{es_out}[$e] = wp.trace(wp.transpose($R) * {F}[$e])⟩
        """.replace(
            """
        if wp.determinant($R) < 0.0:
            # avoid a reflection
            wp.atomic_add({eflag}, 0, 1)""",
            "",
        ),
        threads="e",
        kinds="linear_algebra matrix",
    ),
    Idea(
        "qr_solve",
        "qr_solve solve_qr least_squares orthogonal_solve",
        "solve ⟨2:a system|for the upper triangle of a system⟩ of each element by a QR decomposition",
        """
        $Q, $R = wp.qr3({K}[$e])
        $y = wp.transpose($Q) * {eb}[$e]
        ⟨2:# back substitution
        $z2 = $y[2] / $R[2, 2]
        $z1 = ($y[1] - $R[1, 2] * $z2) / $R[1, 1]
        $z0 = ($y[0] - $R[0, 1] * $z1 - $R[0, 2] * $z2) / $R[0, 0]
        {ev_out}[$e] = wp.vec3($z0, $z1, $z2)|{ev_out}[$e] = ⟨$R * $y|wp.cw_mul($y, wp.get_diag($R))⟩⟩
        """,
        threads="e",
        kinds="linear_algebra",
    ),
    Idea(
        "eigenvalues",
        "principal_axes eigenvalues_sym principal_stresses inertia_axes",
        "compute the eigenvalues of a symmetric matrix of each element ⟨2:|and classify them|and project a vector on an axis⟩",
        """
        ⟨3:$m = wp.diag({eu}[$e]) + wp.outer({eu}[$e], {eu}[$e]) * ⟨0.3|0.5⟩|$m = {F}[$e] * wp.transpose({F}[$e])⟩
        $Q, $lam = wp.eig3($m)
        ⟨2:{ev_out}[$e] = $lam⟨| * {ew}[$e]⟩|if wp.max($lam) > ⟨2.5|3.0⟩ * wp.min($lam):
            {ecode}[$e] = ⟨1|2⟩
            wp.atomic_add({eflag}, 0, 1)
        else:
            {ecode}[$e] = 0
        {es_out}[$e] = $lam[0] + $lam[1] + $lam[2]|{es_out}[$e] = wp.dot($lam, wp.vec3(⟨1.0, 1.0, 1.0|1.0, 0.5, 0.25⟩))⟩
        """.replace("wp.dot($lam, wp.vec3(⟨1.0, 1.0, 1.0|1.0, 0.5, 0.25⟩))", "wp.max($lam) - wp.min($lam)").replace(
            "project a vector on an axis", "measure their spread"
        ),
        threads="e",
        kinds="linear_algebra",
    ),
    Idea(
        "plane_stretches",
        "svd_plane stretches_2d membrane_strain singular_values_2d",
        "compute the stretches in the plane of each element ⟨2:|and the anisotropy|and the energy⟩",
        """
        $U, $S, $V = wp.svd2({F2}[$e])
        ⟨2:{e2_out}[$e] = $S|{es_out}[$e] = $S[0] / (wp.abs($S[1]) + 0.1)|{es_out}[$e] = {ew}[$e] * (wp.pow($S[0] - 1.0, 2.0) + ($S[1] - 1.0) * ($S[1] - 1.0))⟩
        """.replace("wp.pow($S[0] - 1.0, 2.0)", "($S[0] - 1.0) * ($S[0] - 1.0)"),
        threads="e",
        kinds="linear_algebra",
    ),
    Idea(
        "solve_blocks",
        "solve_blocks apply_inverse block_jacobi newton_direction",
        "solve a system of three equations of each element by ⟨1:an inverse|an approximate inverse|Cramer's rule⟩",
        """
        $m = ⟨{K}[$e]|{K}[$e] + wp.diag({eu}[$e])|wp.transpose({K}[$e]) * {K}[$e] + wp.identity(n=3, dtype=float) * 0.5⟩
        ⟨1:$y = wp.inverse($m) * {eb}[$e]|$y = wp.inverse_approx($m) * {eb}[$e]|$det = wp.determinant($m)
        $c1 = wp.matrix_from_cols({eb}[$e], wp.vec3($m[0, 1], $m[1, 1], $m[2, 1]), wp.vec3($m[0, 2], $m[1, 2], $m[2, 2]))
        $y = {eb}[$e] * (wp.determinant($c1) / $det)⟩
        ⟨2:{ev_out}[$e] = $y|{ev_out}[$e] = $y * {ew}[$e]
        wp.atomic_add({etotal}, 0, wp.dot($y, {eb}[$e]))|if {et}[$e] == ⟨0|2⟩:
            {ev_out}[$e] = {eb}[$e]
        else:
            {ev_out}[$e] = $y⟩
        """,
        threads="e",
        kinds="linear_algebra matrix",
    ),
    Idea(
        "robust_norms",
        "robust_norms residual_norms vector_norms penalty_terms",
        "compute ⟨1:the sum of absolute values|the Euclidean norm|the Huber norm|the pseudo-Huber norm|smooth directions⟩ of residuals",
        """
        $d = ⟨{eb}[$e]|{eb}[$e] - {eu}[$e]|{K}[$e] * {eu}[$e] - {eb}[$e]⟩
        ⟨1:$r = wp.norm_l1($d)|$r = wp.norm_l2($d)|$r = wp.norm_huber($d, ⟨1.0|0.5⟩)|$r = wp.norm_pseudo_huber($d, ⟨1.0|2.0⟩)|$s = wp.smooth_normalize($d, ⟨0.1|0.5|1.0⟩)
        $r = wp.dot($s, {eu}[$e])⟩
        ⟨2:{es_out}[$e] = $r|{es_out}[$e] = $r * {ew}[$e]|wp.atomic_add({etotal}, 0, $r * {ew}[$e])⟩
        ⟨3:{ev_out}[$e] = wp.div_approx($d, ⟨2.0|{ew}[$e]⟩)|{ecode}[$e] = int(wp.argmax($d))|⟩
        """,
        threads="e",
        kinds="linear_algebra losses",
    ),
    Idea(
        "count_components",
        "sum_components component_totals mean_stretch average_components",
        "⟨2:average|sum the squares of⟩ the components of the vector of each element",
        """
        $s = float(0.0)
        for $q in range(len({eb}[$e])):
            ⟨2:$s += {eb}[$e][$q]|$s += {eb}[$e][$q] * {eu}[$e][$q]⟩
        ⟨3:{es_out}[$e] = $s / float(len({eb}[$e]))|{es_out}[$e] = wp.div_approx($s, ⟨3.0|{ew}[$e]⟩)⟩
        """,
        threads="e",
        kinds="linear_algebra reduction",
    ),
    Idea(
        "inverted_elements",
        "classify_elements find_inverted element_quality check_jacobians",
        "classify elements by the determinant of ⟨2:the deformation|the matrix⟩",
        """
        $det = wp.determinant(⟨2:{F}[$e]|{K}[$e]⟩) ⟨* {ew}[$e]|- 0.3 * {eb}[$e][0]⟩
        if $det < ⟨0.3|0.25⟩:
            {ecode}[$e] = 2
            wp.atomic_add({eflag}, 0, 1)
        elif $det < ⟨0.6|0.7⟩:
            {ecode}[$e] = 1
        else:
            {ecode}[$e] = 0
            ⟨wp.atomic_add({etotal}, 0, $det)|{es_out}[$e] = $det - 1.0|{es_out}[$e] = wp.cbrt($det)⟩
        """,
        threads="e",
        kinds="linear_algebra multi_conditional",
    ),
)
