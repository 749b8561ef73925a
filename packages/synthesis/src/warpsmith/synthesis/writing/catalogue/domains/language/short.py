"""Short programs around single builtins: norms, frames, tables local to a thread, rounding."""

from __future__ import annotations

from warpsmith.synthesis.language.types import INT
from warpsmith.synthesis.writing.ideas.declare import data
from warpsmith.synthesis.writing.ideas.parts import Idea

PARAMETERS = (
    data("lchild", INT, -1, "n", "left_child left child0 lower", "first child of each node, -1 for none", shared=True),
    data("rchild", INT, -1, "n", "right_child right child1 upper", "second child of each node, -1 for none", shared=True),
    data("angle_deg", INT, 0, 180, "angles_deg headings_deg yaw_deg bearing", "heading of each element in degrees"),
)

SHORT = (
    Idea(
        "residual_norm",
        "residual_norm vector_norms error_norms norm_of_residual",
        "compute the ⟨1:sum of absolute values|Euclidean norm|largest component⟩ of each residual",
        """
        $d = ⟨{eb}[$e] - {eu}[$e]|{eb}[$e]|{eu}[$e] * {ew}[$e] - {eb}[$e]⟩
        {es_out}[$e] = ⟨1:wp.norm_l1($d)|wp.norm_l2($d)|wp.max(wp.abs($d))⟩
        """,
        threads="e",
        kinds="linear_algebra vector losses",
    ),
    Idea(
        "huber_norm",
        "huber_norms robust_norm penalty_norms huber_residual",
        "compute the ⟨1:Huber|pseudo-Huber⟩ norm of each residual",
        """
        $d = ⟨{eb}[$e] - {eu}[$e]|{eb}[$e]|{K}[$e] * {eu}[$e] - {eb}[$e]⟩
        ⟨2:{es_out}[$e] = WAY|wp.atomic_add({etotal}, 0, WAY⟨| * {ew}[$e]⟩)⟩
        """.replace("WAY", "⟨1:wp.norm_huber|wp.norm_pseudo_huber⟩($d, ⟨1.0|0.5|{ew}[$e]⟩)"),
        threads="e",
        kinds="linear_algebra vector losses",
    ),
    Idea(
        "smooth_directions",
        "smooth_directions normalize_smooth soft_normalize regularized_normals",
        "normalize vectors smoothly, so that short ones stay short",
        """
        ⟨3:# differentiable at zero
        |⟩{ev_out}[$e] = wp.smooth_normalize(⟨{eb}[$e]|{eb}[$e] - {eu}[$e]⟩, ⟨0.1|0.5|1.0⟩)
        """,
        threads="e",
        kinds="linear_algebra vector",
    ),
    Idea(
        "approximate_inverse",
        "apply_preconditioner approximate_solve block_precondition scale_residual",
        "⟨1:multiply by an approximate inverse|divide by an approximate reciprocal⟩",
        """
        ⟨1:{ev_out}[$e] = wp.inverse_approx({K}[$e]⟨| + wp.diag({eu}[$e])⟩) * {eb}[$e]|{ev_out}[$e] = wp.div_approx({eb}[$e], {ew}[$e])⟩
        """,
        threads="e",
        kinds="linear_algebra",
    ),
    Idea(
        "stretch_values",
        "sigma_values stretches_of eigen_of principal_values",
        "compute the ⟨1:singular values|eigenvalues|diagonal of the triangle|singular values in the plane⟩ of each element",
        """
        ⟨1:$U, $S, $V = wp.svd3({F}[$e])
        {ev_out}[$e] = $S|$Q, $lam = wp.eig3({F}[$e] * wp.transpose({F}[$e]))
        {ev_out}[$e] = $lam|$Q, $R = wp.qr3({F}[$e])
        {ev_out}[$e] = wp.get_diag($R)|$U, $S, $V = wp.svd2({F2}[$e])
        {e2_out}[$e] = $S⟩
        """,
        threads="e",
        kinds="linear_algebra matrix",
    ),
    Idea(
        "frame_rows",
        "frame_matrices basis_from_vectors build_frames triad_matrices",
        "build a matrix of ⟨1:rows|columns⟩ from two vectors of each element",
        """
        $m = ⟨1:wp.matrix_from_rows|wp.matrix_from_cols⟩({eu}[$e], {eb}[$e], wp.cross({eu}[$e], {eb}[$e]))
        ⟨2:{R_out}[$e] = $m|{ev_out}[$e] = $m * {eu}[$e]|{es_out}[$e] = wp.determinant($m)⟩
        """,
        threads="e",
        kinds="linear_algebra matrix",
    ),
    Idea(
        "compose_frame",
        "compose_frames build_matrices model_matrix trs_matrices",
        "build the matrix of ⟨1:translation, rotation and scale|a pose⟩",
        """
        {m4_out}[$b] = ⟨1:wp.transform_compose({bp}[$b], {bq}[$b], {bs}[$b])|wp.transform_to_matrix({bx}[$b])⟩
        """,
        threads="b",
        kinds="transform matrix",
    ),
    Idea(
        "decompose_frame",
        "decompose_frames split_trs extract_scale matrix_to_trs",
        "split matrices into translation, rotation and scale",
        """
        $m4 = wp.transform_compose({bp}[$b], wp.quat_from_axis_angle({axis}[$b], {th}[$b]), {bs}[$b])
        $pos, $rot, $scale = wp.transform_decompose($m4)
        {bp_out}[$b] = $pos
        ⟨2:{bq_out}[$b] = $rot|{ang_out}[$b] = wp.quat_rotate($rot, $scale)|⟩
        """,
        threads="b",
        kinds="transform",
        forward_only=True,
    ),
    Idea(
        "matrix_frame",
        "matrices_to_poses rigid_from_matrix frames_from_matrices to_rigid",
        "convert matrices to poses",
        """
        $X = wp.transform_from_matrix(wp.transform_compose({bp}[$b], wp.quat_from_axis_angle({axis}[$b], {th}[$b]), wp.vec3(1.0, 1.0, 1.0)))
        ⟨1:{bx_out}[$b] = $X|{bp_out}[$b] = wp.transform_point($X, {ang}[$b])|{bx_out}[$b] = wp.transform_inverse($X)⟩
        """,
        threads="b",
        kinds="transform",
        forward_only=True,
    ),
    Idea(
        "replace_parts",
        "set_rotations set_positions teleport_bodies replace_rotation",
        "replace the ⟨1:rotation|position⟩ of each pose",
        """
        $X = {bx}[$b]
        ⟨1:wp.transform_set_rotation($X, {bq}[$b])|wp.transform_set_translation($X, {bp}[$b])⟩
        {bx_out}[$b] = $X
        ⟨2:if {kind}[$b] == ⟨0|1⟩:
            wp.atomic_add({many}, 0, 1)|⟩
        """,
        threads="b",
        kinds="transform",
        forward_only=True,
    ),
    Idea(
        "twist_parts",
        "twist_about_axis axis_twist joint_angle_of roll_angles",
        "measure the rotation about the axis of each joint",
        """
        $rot = wp.quat_rpy({ang}[$b][0] * 0.3, {th}[$b], ⟨0.1|0.2⟩)
        ⟨1:{th_out}[$b] = wp.quat_twist_angle_signed(wp.vec3(0.0, 1.0, 0.0), $rot)|{th_out}[$b] = wp.quat_twist_angle(wp.vec3(0.0, 1.0, 0.0), $rot)|{bq_out}[$b] = wp.quat_twist({axis}[$b], $rot)⟩
        """,
        threads="b",
        kinds="quaternion",
    ),
    Idea(
        "euler_rotate",
        "apply_euler rotate_by_rpy euler_rotation turn_vectors",
        "rotate a vector by Euler angles",
        """
        $rot = ⟨1:wp.quat_from_euler({ang}[$b], ⟨0, 1, 2|2, 1, 0⟩)|wp.quat_rpy({ang}[$b][0], {ang}[$b][1], {ang}[$b][2])⟩
        {bp_out}[$b] = wp.⟨quat_rotate|quat_rotate_inv⟩($rot, {bp}[$b])
        """,
        threads="b",
        kinds="quaternion",
    ),
    Idea(
        "spatial_bias",
        "bias_forces velocity_product motion_cross force_cross",
        "compute the ⟨1:velocity product|bias force|wrench in the world|velocity of the origin⟩ of each body",
        """
        ⟨1:{bv_out}[$b] = wp.spatial_cross({bv}[$b], {bf}[$b])|{bv_out}[$b] = wp.spatial_cross_dual({bv}[$b], {bf}[$b] * {bm}[$b])|{bv_out}[$b] = wp.transform_wrench({bx}[$b], {bf}[$b])|{bp_out}[$b] = wp.velocity_at_point({bv}[$b], {bp}[$b])⟩
        """,
        threads="b",
        kinds="spatial",
    ),
    Idea(
        "tree_stack",
        "walk_tree count_descendants depth_first_count visit_nodes",
        "count the nodes below each node⟨2:| that belong to the selected group| up to a limit⟩ with a stack local to the thread",
        """
        $stack = wp.zeros(shape=(⟨16|24⟩,), dtype=int)
        $stack[0] = $i
        $top = int(1)
        $found = int(0)
        $steps = int(0)
        while $top > 0 and $steps < ⟨12|14⟩:
            $top -= 1
            $node = $stack[$top]
            $steps += 1
            ⟨2:$found += 1|if {lab}[$node] == {which}:
                $found += 1|if {flags}[$node] & {SKIP} != 0:
                continue
            $found += 1⟩
            if {lchild}[$node] >= 0:
                $stack[$top] = {lchild}[$node]
                $top += 1
            if {rchild}[$node] >= 0:
                $stack[$top] = {rchild}[$node]
                $top += 1
        {i_out}[$i] = $found
        hook end
        """,
        kinds="while_loop control_flow",
        integer=True,
    ),
    Idea(
        "local_counts",
        "local_histogram window_counts vote_labels mode_of_window",
        "count the labels of a window in an array local to the thread ⟨2:and take the most frequent one|and store how many are different⟩",
        """
        $own = wp.zeros(shape=(⟨12|16⟩,), dtype=int)
        for $q in range(⟨6|8|10⟩):
            $own[{lab}[($i + $q) % {n}]] += 1
        ⟨2:$best = int(0)
        for $q in range(1, {bins}):
            if $own[$q] > $own[$best]:
                $best = $q
        {i_out}[$i] = $best|$kinds = int(0)
        for $q in range({bins}):
            if $own[$q] ⟨> 0|> 1⟩:
                $kinds += 1
        {i_out}[$i] = $kinds⟩
        hook end
        """,
        kinds="histograms control_flow",
        integer=True,
    ),
    Idea(
        "heading_vectors",
        "heading_vectors polar_to_cartesian degrees_to_direction bearing_dirs",
        "convert headings in degrees to directions",
        """
        $a = wp.radians(float({angle_deg}[$i]))
        ⟨2:{v_out}[$i] = wp.vec3(wp.cos($a), ⟨0.0|{x}[$i]⟩, wp.sin($a)) * {w}[$i]|{x_out}[$i] = {x}[$i] + {w}[$i] * wp.⟨sin|cos⟩($a)|{v_out}[$i] = wp.vec3(wp.⟨sin($a), 0.0, wp.cos($a)|cos($a), wp.sin($a), 0.0⟩)⟩
        hook end
        """,
        kinds="math vector",
    ),
    Idea(
        "bits_of_floats",
        "reinterpret_floats float_to_key radix_keys bits_of_values",
        "reinterpret ⟨1:floats as unsigned keys|the bits of keys as floats⟩",
        """
        ⟨1:$b = wp.cast({w}[$i], wp.uint32)
        {u32_out}[$i] = ⟨$b|$b >> wp.uint32(23)|$b ^ wp.uint32(255)⟩|$b = wp.cast((127 << 23) + {keys}[$i] * 4096, wp.float32)
        {mono}[$i] = $b⟨| - 1.0⟩⟩
        """.replace("⟨$b|$b >> wp.uint32(23)|$b ^ wp.uint32(255)⟩", "⟨$b >> wp.uint32(⟨8|12⟩)|$b ^ wp.uint32(255)⟩"),
        kinds="mixed_precision integer_bits",
        forward_only=True,
    ),
    Idea(
        "interval_search",
        "find_bins digitize_values locate_values bisect_table",
        "find the first knot that is not smaller than each ⟨1:value|key⟩",
        """
        {cell_of}[$i] = ⟨1:wp.lower_bound({sorted}, {x}[$i])|wp.lower_bound({isorted}, {keys}[$i])⟩
        hook end
        """,
        kinds="sorting gather_scatter",
    ),
    Idea(
        "swap_values",
        "swap_slots try_swap replace_if_free exchange_if",
        "⟨1:exchange the value of each slot|replace the value of free slots⟩",
        """
        {before}[$i] = ⟨1:wp.atomic_exch({slot}, $i, {keys}[$i] + ⟨1|4|100⟩)|wp.atomic_cas({slot}, $i, ⟨0|1|2|3⟩, {keys}[$i] + ⟨1|4|100⟩)⟩
        hook end
        """,
        kinds="atomics atomic",
        integer=True,
    ),
)
