"""Short ideas of the domain `geometry`: points, boxes, frames and fields by short formulas."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORMULAS = (
    Idea(
        "scale_points",
        "scale_points normalize_coords map_to_grid affine_points",
        "scale and shift ⟨1:each point|each point in use|the points in sorted order⟩",
        """
        ⟨1:|if not {alive}[$i]:
            return
        |⟩$pos = ⟨1:{p}[$i]|{p}[$i]|{p}[{order}[$i]]⟩
        {pfix}[$i] = ⟨wp.vec3({sx} * $pos[0] + {ox}, {sy} * $pos[1] + {oy}, $pos[2])|$pos * {sx} + wp.vec3({ox}, {oy}, 0.0)|wp.cw_mul($pos, wp.vec3({sx}, {sy}, {sx}))⟩⟨| + {shift}[$i]⟩
        ⟨|{pd}[$i] = {sx} * {rad}[$i]⟩
        """,
        kinds="vector scalar_param arithmetic",
    ),
    Idea(
        "move_points",
        "move_points add_displacement advance_points apply_shift",
        "add a displacement to each point in place",
        """
        ⟨|if {layer}[$i] & {bits} == 0:
            return
        |if not {alive}[$i]:
            return
        ⟩{pio}[$i] += ⟨{shift}[$i]|{dt} * {w}[$i]|{alpha} * ({dst}[$i] - {src}[$i])|{amp} * {shift}[$i] + {tra1}[0]⟩
        ⟨|{pvel}[$i] += ⟨{shift}[$i] / {dt}|-{damp} * {w}[$i]|{tau}[$i] * {dt}⟩⟩
        ⟨|{pout}[$i] = {layer}[$i]⟩
        """,
        kinds="vector",
    ),
    Idea(
        "grow_boxes",
        "grow_boxes inflate_aabbs fatten_bounds pad_boxes",
        "widen each box in place by ⟨1:a margin|its motion|a part of its size⟩",
        """
        ⟨|if {group}[$a] < 0:
            return
        |if {boxtag}[$a] == ⟨0|2⟩:
            return
        ⟩$pad = ⟨1:wp.vec3({margin}, {margin}, ⟨{margin}|0.0⟩)|{speed}[$a] * {dt}|({hi}[$a] - {lo}[$a]) * {alpha}⟩
        {blo}[$a] -= $pad
        {bhi}[$a] += $pad⟨| * 0.5⟩
        """,
        threads="a",
        kinds="vector arithmetic",
    ),
    Idea(
        "clamp_to_box",
        "clamp_points project_to_box keep_inside confine_points",
        "move each point ⟨1:into the box|into the cube|above the ground⟩",
        """
        $pos = {p}[$i]⟨| + {shift}[$i]⟩
        if ⟨{alive}[$i]|{pmask}[$i] > 0|{layer}[$i] & {bits} != 0⟩:
            $pos = ⟨1:wp.min(wp.max($pos, {lo}[0]), {hi}[0])|wp.vec3(wp.clamp($pos[0], -{rnear}, {rnear}), wp.clamp($pos[1], -{rnear}, {rnear}), $pos[2])|wp.vec3($pos[0], $pos[1], wp.max($pos[2], {lev}))⟩
        ⟨|else:
            $pos = {src}[$i]⟩
        {pfix}[$i] = $pos
        """,
        kinds="combined vector control_flow",
    ),
    Idea(
        "plane_distance",
        "plane_distances point_to_plane signed_distances plane_errors",
        "compute the distance of each point to ⟨1:its tangent plane|a horizontal plane|the plane of its normal⟩",
        """
        # signed distance in m
        $dist = ⟨1:wp.dot({nrm}[$i], {src}[$i] - {dst}[$i])|{p}[$i][2] - {lev}|wp.dot({nrm}[$i], {p}[$i]) - {lev}⟩
        {pdist}[$i] = ⟨$dist|$dist - {rad}[$i]|{conf}[$i] * $dist * $dist⟩
        if $dist < ⟨{lev}|0.0|{rad}[$i]⟩:
            ⟨wp.atomic_add({count}, 0, 1)|{pstate}[$i] = ⟨1|{pmask}[$i]⟩|{pf}[$i] += -{stiff} * $dist * {nrm}[$i]⟩
        """,
        kinds="vector combined control_flow",
    ),
    Idea(
        "near_flags",
        "flag_near_points mark_neighbors count_near inside_radius",
        "mark the points within a distance of ⟨1:the first shape|their match|the centre of the cloud⟩",
        """
        # offset from the centre
        $rel = {p}[$i] - ⟨1:{spos}[0]|{dst}[$i]|{tra1}[0]⟩
        if ⟨wp.length($rel) < {rnear}|wp.length_sq($rel) < {rnear} * {rnear}|wp.abs($rel[0]) + wp.abs($rel[1]) < {rnear}⟩:
            {pstate}[$i] = ⟨1|{pmask}[$i]|{layer}[$i] | 1⟩
            ⟨wp.atomic_add({count}, 0, 1)|{ppush}[$i] = ⟨$rel|$rel * {stiff}⟩⟩
        else:
            {pstate}[$i] = ⟨0|{NONE}⟩
        """,
        kinds="combined vector control_flow",
    ),
    Idea(
        "sum_points",
        "sum_points accumulate_moments weighted_center cloud_sum",
        "add ⟨1:the points|the weighted points|the differences of the pairs⟩ to their sum",
        """
        ⟨|if ⟨not {alive}[$i]|{match}[$i] < 0⟩:
            return
        ⟩wp.atomic_add({hvec}, 0, ⟨1:{src}[$i]⟨| - {tra1}[0]⟩|{conf}[$i] * {src}[$i]|⟨{conf}[$i] * |⟩({dst}[$i] - {src}[$i])⟩)
        ⟨wp.atomic_add({resnum}, 0, ⟨{conf}[$i]|{amp}⟩)|wp.atomic_add({count}, 0, ⟨1|{pmask}[$i]⟩)|⟩
        """,
        kinds="atomic vector atomics",
    ),
    Idea(
        "voxel_mass",
        "scatter_mass add_to_cells deposit_points splat_values",
        "add ⟨1:the mass|the value|one count⟩ of each point to a cell of the table",
        """
        # bucket of the point
        $slot = ⟨{raw}[$i] % {BINS}|{raw}[$i] & 63|({raw}[$i] >> 5) % {BINS}⟩
        ⟨|if {alive}[$i]:
            $slot = ⟨$slot // 2|63 - $slot⟩
        ⟩⟨1:wp.atomic_add({binmass}, $slot, {amp} * {conf}[$i])|wp.⟨atomic_add|atomic_sub⟩({binmass}, $slot, {pval}[$i]⟨| * {conf}[$i]⟩)|wp.atomic_add({bins}, $slot, 1)⟩
        ⟨|{cellid}[$i] = $slot⟩
        """,
        kinds="atomic gather_scatter",
    ),
    Idea(
        "kernel_weight",
        "kernel_weights falloff_weights radial_weight distance_response",
        "compute the ⟨1:Gaussian|inverse square|logarithmic|cosine⟩ weight of each point",
        """
        # distance in m
        $d = ⟨wp.length({p}[$i])|wp.length({src}[$i] - {dst}[$i])|{rad}[$i] + {rnear}⟩
        {resw}[$i] = ⟨|{conf}[$i] * ⟩⟨1:wp.exp(-$d * $d / ({width} * {width}))|{amp} / wp.sqrt({width} + $d * $d)|{amp} * wp.log(1.0 + $d / {width})|{amp} * wp.cos({rate} * $d)⟩
        ⟨|{pout}[$i] = ⟨wp.where($d < {rnear}, 1, 0)|{pmask}[$i]⟩⟩
        """,
        kinds="math scalar_param arithmetic",
    ),
    Idea(
        "planar_angle",
        "polar_angles heading_of_points bearing twist_angle",
        "compute the angle of each point ⟨1:in the plane|above the plane|after the twist⟩",
        """
        $ang = ⟨1:wp.atan2({p}[$i][1], {p}[$i][0] + {farr})|wp.atan2({p}[$i][2], {farr} + {p}[$i][0])|{rate} * {p}[$i][2] + wp.sin({p}[$i][0])⟩
        {fang}[$i] = ⟨$ang|{amp} * $ang|$ang - {lev}⟩
        ⟨{fyaw}[$i] = ⟨wp.cos($ang)|wp.sin({amp} * $ang)⟩|{pout}[$i] = {layer}[$i]|⟩
        """,
        kinds="math scalar_param",
    ),
    Idea(
        "blend_values",
        "blend_values update_scores relax_field filter_samples",
        "⟨1:add a part of the difference to the value of each point in place|blend the value of each point with its target⟩",
        """
        ⟨|if {ttl}[$i] > {hold}:
            return
        ⟩$val = {pval}[$i]⟨ - {lev}| * {conf}[$i]|⟩
        ⟨1:{pvalio}[$i] += {alpha} * ({amp} * $val⟨ - {conf}[$i]| + {ox}⟩)|{pvalout}[$i] = {sx} * $val + {sy} * ⟨{conf}[$i]|{rad}[$i]|(1.0 - $val * $val)⟩⟩
        ⟨|{pout}[$i] = {pmask}[$i]⟩
        """,
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "slab_integral",
        "slab_integral integrate_slices slice_sums column_mass",
        "sum the ⟨1:distances|squared distances|distances above the surface⟩ of each slab",
        """
        $tot = float(0.0)
        # all cells with this x
        for $y in range({ny}):
            for $z in range({nz}):
                ⟨1:$tot += {cell} * {dist}[$x, $y, $z]|$tot += {dist}[$x, $y, $z] * {dist}[$x, $y, $z]|$tot += wp.max({dist}[$x, $y, $z] - {iso}, 0.0)⟩
        {slabsum}[$x] = $tot⟨| * 0.5| + {iso}⟩
        """,
        threads="x",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "shape_volume",
        "shape_volumes geom_volume compute_volumes shape_size",
        "compute the volume of each shape by its type",
        """
        $size = {sscale}[$s]
        $kind = {stype}[$s]
        # volume in m^3
        if $kind == {SPHERE}:
            {svol}[$s] = 4.18879 * $size[0] * $size[0] * $size[0]
        elif $kind == {BOX}:
            {svol}[$s] = 8.0 * $size[0] * $size[1] * $size[2]
        else:
            {svol}[$s] = ⟨3.14159 * $size[0] * $size[0] * $size[1]|0.0|{amp} * $size[1]⟩
        """,
        threads="s",
        kinds="multi_conditional arithmetic",
    ),
    Idea(
        "shape_classes",
        "classify_shapes shape_cost assign_narrowphase shape_priority",
        "assign a class to each shape by its type and its body",
        """
        if {stype}[$s] == {PLANE}:
            {sclass}[$s] = ⟨0|{NONE}|{lane}⟩
        elif {stype}[$s] ⟨== {SPHERE}|<= {CAPSULE}⟩:
            {sclass}[$s] = ⟨1|{sflag}[$s]|{first}⟩
        ⟨elif {sbody}[$s] < 0:
            # static shape
            {sclass}[$s] = ⟨4|-{first}⟩
        |⟩else:
            {sclass}[$s] = ⟨2|{sbody}[$s] + {first}|{stype}[$s] + 2⟩
        """,
        threads="s",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "frame_ladder",
        "limit_rates project_rates constrain_frames apply_frame_type",
        "restrict the angular velocity of each frame by its type",
        """
        # rates in rad/s
        if {jtype}[$i] == {LOCKED}:
            {w_out}[$i] = wp.vec3()
        elif {jtype}[$i] == {HINGE}:
            {w_out}[$i] = ⟨wp.vec3(0.0, 0.0, {w}[$i][2])|wp.vec3(0.0, 0.0, {wmax})⟩
        else:
            {w_out}[$i] = {w}[$i]⟨| * {alpha}| + {tau}[$i] * {dt}| * (1.0 - {damp})⟩
        ⟨|{pout}[$i] = {jtype}[$i]⟩
        """,
        kinds="multi_conditional combined vector",
    ),
    Idea(
        "rotate_vectors",
        "rotate_vectors to_world body_to_world rotate_rates",
        "rotate ⟨1:the angular velocity|the torque|the point⟩ of each frame ⟨2:to the world|to the frame⟩",
        """
        ⟨|if {up}[$i] < 0:
            return
        ⟩$xw = ⟨2:wp.quat_rotate|wp.quat_rotate_inv⟩({q}[$i], ⟨1:{w}|{tau}|{p}⟩[$i])
        # in the other frame
        {rvec}[$i] = ⟨$xw|{alpha} * $xw|$xw + {tra1}[0]|wp.cross({w}[$i], $xw)⟩
        """,
        kinds="vector quaternion",
    ),
    Idea(
        "matrix_vector",
        "transform_points apply_frames local_to_world multiply_frames",
        "multiply the matrix of each frame by ⟨1:a vector|the vector of its parent|its transpose⟩",
        """
        ⟨|if not {alive}[$i]:
            return
        ⟩⟨1:{rvec}[$i] = ⟨{R}[$i]|wp.transpose({R}[$i])⟩ * ⟨{w}|{p}⟩[$i]⟨| + {tra1}[0]⟩|{rvec}[$i] = {R}[wp.max({up}[$i], 0)] * ⟨{w}|{p}|{tau}⟩[$i]|{R_out}[$i] = ⟨{R}[$i] * wp.transpose({R}[$i])|wp.transpose({R}[$i]) * {alpha}⟩⟩
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "planar_map",
        "map_points_2d apply_jacobians warp_points plane_map",
        "map each point of the plane by its matrix",
        """
        $xy = {p2}[$i]⟨| - wp.vec2({ox}, {oy})| * {sx}⟩
        # linear part of the map
        $xy = ⟨{jac}[$i]|wp.transpose({jac}[$i])⟩ * $xy
        ⟨|if {alive}[$i]:
            $xy = ⟨{p2}[$i]|-$xy⟩
        ⟩{xyout}[$i] = $xy⟨| + wp.vec2({ox}, {oy})⟩
        """,
        kinds="matrix vector combined",
    ),
    Idea(
        "jacobian_scalar",
        "jacobian_measures map_invariants area_change stretch_of_map",
        "compute the ⟨1:trace|determinant|shear⟩ of the matrix at each point",
        """
        $jm = {jac}[$i]⟨| * {alpha}| + wp.transpose({jac}[$i])⟩
        {det}[$i] = ⟨1:wp.trace($jm)⟨| - 2.0⟩|wp.determinant($jm)⟨| - 1.0⟩|⟨$jm[0, 1] + $jm[1, 0]|$jm[0, 1] - $jm[1, 0]⟩⟩⟨| * {conf}[$i]⟩
        ⟨|{pout}[$i] = ⟨{pmask}[$i]|{layer}[$i]⟩⟩
        """,
        kinds="matrix arithmetic",
    ),
    Idea(
        "distance_chain",
        "field_weights shell_weight scene_response sphere_field",
        "compute the weight of each point by its distance to a shell",
        """
        # distance to the shell in m
        $d = @onion(@sphere_gap({p}[$i], ⟨{spos}[0]|{tra1}[0]|{dst}[$i]⟩, {rnear}), ⟨{shell}|{margin}|{rad}[$i]⟩)
        {resw}[$i] = ⟨|{conf}[$i] * ⟩@kernel_w($d, {width})
        ⟨|{pout}[$i] = {layer}[$i]⟩
        """,
        kinds="math helper_functions",
    ),
    Idea(
        "hash_chain",
        "assign_buckets hash_points cell_lookup bucket_of_points",
        "assign each point to a bucket by its cell",
        """
        $pos = ⟨{p}[$i]|{p}[{order}[$i]]|{src}[$i]⟩
        # cell coordinates, key, bucket
        $slot = @to_bin(@cell_key2(@to_cell($pos[0], {cell}), @to_cell($pos[⟨1|2⟩], {cell})))
        ⟨{cellid}[$i] = $slot|wp.atomic_add({bins}, $slot, ⟨1|{pmask}[$i]⟩)⟩
        """,
        kinds="vector helper_functions",
    ),
)  # fmt: skip
