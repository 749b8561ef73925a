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
        {pfix}[$i] = ⟨wp.vec3({sx} * $pos[0] + {ox}, {sy} * $pos[1] + {oy}, $pos[2])|$pos * {sx} + wp.vec3({ox}, {oy}, 0.0)|wp.cw_mul($pos, wp.vec3({sx}, {sy}, 1.0)) + {shift}[$i]⟩
        ⟨|{uvout}[$i] = wp.vec2({sx} * $pos[0] + {ox}, {sy} * $pos[1] + {oy})⟩
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
        ⟩{pio}[$i] += ⟨1:{shift}[$i]|{alpha} * {shift}[$i]|{alpha} * ({dst}[$i] - {src}[$i])|{shift}[$i] + {tra1}[0]⟩
        ⟨|{pvel}[$i] += ⟨1:{shift}[$i] / {dt}|{shift}[$i] * ({alpha} / {dt})|({dst}[$i] - {src}[$i]) * ({alpha} / {dt})|({shift}[$i] + {tra1}[0]) / {dt}⟩⟩
        ⟨|wp.atomic_add({count}, 0, 1)⟩
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
        {bhi}[$a] += $pad
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
        if ⟨{alive}[$i]|{pmask}[$i] & {ENABLED} != 0|{layer}[$i] & {bits} != 0⟩:
            $pos = ⟨1:wp.min(wp.max($pos, {lo}[0]), {hi}[0])|wp.vec3(wp.clamp($pos[0], -{rmax}, {rmax}), wp.clamp($pos[1], -{rmax}, {rmax}), wp.clamp($pos[2], -{rmax}, {rmax}))|wp.vec3($pos[0], $pos[1], wp.max($pos[2], {ground}))⟩
            ⟨|wp.atomic_add({count}, 0, 1)⟩
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
        $dist = ⟨1:wp.dot({nrm}[$i], {src}[$i] - {dst}[$i])|{p}[$i][2] - {ground}|wp.dot({nrm}[$i], {p}[$i]) - {iso}⟩
        {pdist}[$i] = ⟨$dist|$dist - {rad}[$i]|wp.abs($dist)⟩
        if $dist < ⟨2:0.0|{margin}|{rad}[$i]⟩:
            ⟨wp.atomic_add({count}, 0, 1)|{pstate}[$i] = 1|{pf}[$i] += ⟨2:-{stiff} * $dist|{stiff} * ({margin} - $dist)|{stiff} * ({rad}[$i] - $dist)⟩ * ⟨1:{nrm}[$i]|wp.vec3(0.0, 0.0, 1.0)|{nrm}[$i]⟩⟩
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
        if ⟨wp.length($rel) < {rnear}|wp.length_sq($rel) < {rnear} * {rnear}|wp.dot($rel, $rel) < {rnear} * {rnear}⟩:
            {pstate}[$i] = ⟨3:1|{pmask}[$i] | {VISIBLE}⟩
            ⟨wp.atomic_add({count}, 0, 1)|# back to the border
            {ppush}[$i] = $rel * ({rnear} / (wp.length($rel) + 0.01) - 1.0)|{ppush}[$i] = $rel * ({stiff} * ({rnear} / (wp.length($rel) + 0.01) - 1.0))⟩
        else:
            {pstate}[$i] = ⟨3:0|{pmask}[$i] & ~{VISIBLE}⟩
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
        ⟩wp.atomic_add({hvec}, 0, ⟨1:{src}[$i]⟨| + {tra1}[0]⟩|{conf}[$i] * {src}[$i]|{dst}[$i] - {src}[$i]⟩)
        ⟨1:⟨wp.atomic_add({count}, 0, 1)|⟩|⟨wp.atomic_add({resnum}, 0, {conf}[$i])|⟩|⟨wp.atomic_add({count}, 0, 1)|⟩⟩
        """,
        kinds="atomic vector atomics",
    ),
    Idea(
        "voxel_mass",
        "scatter_mass add_to_cells deposit_points splat_values",
        "add ⟨1:the weight of each point|the value of each point|one for each point⟩ to a cell of the table",
        """
        # bucket of the point
        $slot = ⟨{raw}[$i] % {BINS}|{raw}[$i] & 63|({raw}[$i] >> 5) % {BINS}⟩
        ⟨|if ⟨not {alive}[$i]|{match}[$i] < 0⟩:
            return
        ⟩⟨1:wp.atomic_add({binmass}, $slot, {conf}[$i])|wp.atomic_add({binmass}, $slot, {pval}[$i]⟨| * {conf}[$i]⟩)|wp.atomic_add({bins}, $slot, 1)⟩
        ⟨|{cellid}[$i] = $slot⟩
        """,
        kinds="atomic gather_scatter",
    ),
    Idea(
        "blend_values",
        "blend_values update_scores relax_field filter_samples",
        "⟨1:add a part of the value of each point to the accumulated one|blend the value of each point with that of its successor⟩",
        """
        ⟨|if {ttl}[$i] > {hold}:
            return
        ⟩$val = {pval}[$i]⟨1:⟨ - {lev}| * {conf}[$i]|⟩|⟩
        ⟨1:{pvalio}[$i] += {alpha} * ⟨$val|wp.clamp($val, -{amp}, {amp})⟩|{pvalout}[$i] = ⟨(1.0 - {alpha}) * $val + {alpha} * {pval}[($i + 1) % {n}]|$val + {alpha} * ({pval}[($i + 1) % {n}] - $val)|wp.lerp($val, {pval}[($i + 1) % {n}], {alpha})⟩⟩
        ⟨|{pout}[$i] = wp.where($val > 0.0, 1, 0)⟩
        """,
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "slab_integral",
        "slab_sums reduce_slices slice_sums column_sums",
        "⟨2:sum|average⟩ the ⟨1:distances|squared distances|distances above the surface⟩ of each slab",
        """
        $tot = float(0.0)
        # all cells with this x
        for $y in range({ny}):
            for $z in range({nz}):
                $tot += ⟨1:{dist}[$x, $y, $z]|{dist}[$x, $y, $z] * {dist}[$x, $y, $z]|wp.max({dist}[$x, $y, $z] - {iso}, 0.0)⟩
        {slabsum}[$x] = ⟨2:$tot|$tot / float({ny} * {nz})⟩
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
            {svol}[$s] = ⟨4.18879|4.0 / 3.0 * 3.14159⟩ * $size[0] * $size[0] * $size[0]
        elif $kind == {BOX}:
            {svol}[$s] = ⟨8.0 * $size[0] * $size[1] * $size[2]|2.0 * $size[0] * 2.0 * $size[1] * 2.0 * $size[2]⟩
        ⟨elif $kind == {PLANE}:
            {svol}[$s] = 0.0
        else:
            # cylinders, and capsules without their caps
            {svol}[$s] = 6.28319 * $size[0] * $size[0] * $size[1]|elif $kind == {CAPSULE}:
            # cylinder and two half spheres
            {svol}[$s] = (6.28319 * $size[1] + 4.18879 * $size[0]) * $size[0] * $size[0]
        elif $kind == {CYLINDER}:
            {svol}[$s] = 6.28319 * $size[0] * $size[0] * $size[1]
        else:
            {svol}[$s] = 0.0⟩
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
            {sclass}[$s] = 0
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        elif {stype}[$s] ⟨== {SPHERE}|<= {CAPSULE}⟩:
            {sclass}[$s] = 1
        ⟨elif {sbody}[$s] < 0:
            # static shape
            {sclass}[$s] = ⟨3|4⟩
        |⟩else:
            {sclass}[$s] = 2
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
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        elif {jtype}[$i] == {HINGE}:
            {w_out}[$i] = wp.vec3(0.0, 0.0, ⟨{w}[$i][2]|wp.clamp({w}[$i][2], -{wmax}, {wmax})⟩)
        else:
            {w_out}[$i] = {w}[$i]⟨| + wp.cw_div({tau}[$i], {inertia}[$i]) * {dt}| * (1.0 - {damp} * {dt})⟩
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
        {rvec}[$i] = ⟨1:$xw|$xw|$xw⟨| + {tra1}[0]⟩⟩
        """,
        kinds="vector quaternion",
    ),
    Idea(
        "matrix_vector",
        "transform_points apply_frames local_to_world multiply_frames",
        "multiply the matrix of ⟨1:each frame by a vector|the parent of each frame by a vector|each frame by its transpose⟩",
        """
        ⟨|if not {alive}[$i]:
            return
        ⟩⟨1:{rvec}[$i] = ⟨{R}[$i]|wp.transpose({R}[$i])⟩ * ⟨{w}[$i]|{p}[$i]⟨| + {tra1}[0]⟩⟩|{rvec}[$i] = {R}[wp.max({up}[$i], 0)] * ⟨{w}|{p}|{tau}⟩[$i]|{R_out}[$i] = ⟨{R}[$i] * wp.transpose({R}[$i])|wp.transpose({R}[$i]) * {R}[$i]⟩⟩
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "planar_map",
        "map_points_2d apply_jacobians warp_points plane_map",
        "map each point of the plane by its matrix",
        """
        ⟨|if not {alive}[$i]:
            # unused points stay
            {xyout}[$i] = {p2}[$i]
            return
        ⟩$xy = {p2}[$i]⟨2:| - wp.vec2({ox}, {oy})| * {sx}⟩
        # linear part of the map
        $xy = ⟨{jac}[$i]|wp.transpose({jac}[$i])⟩ * $xy
        ⟨|if wp.length_sq($xy) > 1.0:
            # stay in the unit disc
            $xy = wp.normalize($xy)
        ⟩{xyout}[$i] = $xy⟨2:⟨| + wp.vec2({ox}, {oy})⟩| + wp.vec2({ox}, {oy})|⟩
        """,
        kinds="matrix vector combined",
    ),
    Idea(
        "jacobian_scalar",
        "jacobian_measures map_invariants area_change stretch_of_map",
        "compute the ⟨1:trace|determinant|shear⟩ of the ⟨2:matrix|metric tensor⟩ at each point",
        """
        $jm = ⟨2:{jac}[$i]|wp.transpose({jac}[$i]) * {jac}[$i]⟩
        {det}[$i] = ⟨1:wp.trace($jm)⟨| - 2.0⟩|wp.determinant($jm)⟨| - 1.0⟩|⟨|0.5 * ⟩($jm[0, 1] + $jm[1, 0])⟩
        ⟨|{pout}[$i] = wp.where($jm[0, 0] > $jm[1, 1], 1, 0)⟩
        """,
        kinds="matrix arithmetic",
    ),
    Idea(
        "distance_chain",
        "field_weights shell_weight scene_response sphere_field",
        "compute the weight of each point by its distance to a shell",
        """
        # distance to the shell in m
        $d = @onion(@sphere_gap({p}[$i], ⟨1:{spos}[0]|{dst}[$i]⟩, ⟨1:{sscale}[0][0]|{rnear}⟩), ⟨{shell}|{margin}|{rad}[$i]⟩)
        {resw}[$i] = ⟨|{conf}[$i] * ⟩@kernel_w($d, {width})
        ⟨|{pout}[$i] = wp.where($d < 0.0, 1, 0)⟩
        """,
        kinds="math helper_functions",
    ),
    Idea(
        "hash_chain",
        "assign_buckets hash_points cell_lookup bucket_of_points",
        "assign each point to a bucket by its cell",
        """
        $pos = ⟨{p}[$i]|{p}[$i] + {shift}[$i]|{src}[$i]⟩
        # cell coordinates, key, bucket
        $slot = @to_bin(@cell_key2(@to_cell($pos[0], {cell}), @to_cell($pos[⟨1|2⟩], {cell})))
        ⟨{cellid}[$i] = $slot|wp.atomic_add({bins}, $slot, 1)⟩
        """,
        kinds="vector helper_functions",
    ),
)  # fmt: skip
