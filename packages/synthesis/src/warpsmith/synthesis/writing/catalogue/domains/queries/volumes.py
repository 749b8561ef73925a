"""Ideas of the domain `queries`: samples and lookups of signed distances, densities, velocities and labels in volumes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

VOLUMES = (
    Idea(
        "sample_density",
        "sample_volume probe_density lookup_density read_field",
        "sample a volume at each probe ⟨1:|with the nearest voxel⟩ ⟨2:|and compare it with a threshold|and scale it by the mass⟩",
        """
        hook probe
        $uvw = wp.volume_world_to_index({smoke}, {vp}[$a])
        $value = wp.volume_sample⟨_f({smoke}, $uvw, wp.Volume.⟨1:LINEAR|CLOSEST⟩)|({smoke}, $uvw, wp.Volume.⟨1:LINEAR|CLOSEST⟩, dtype=float)⟩
        ⟨2:{vval}[$a] = $value|{vval}[$a] = $value
        if $value > ⟨{level}|1.0⟩:
            {vcls}[$a] = {TOUCH}
            ⟨wp.atomic_add({vhits}, 0, 1)|⟩
        else:
            {vcls}[$a] = ⟨{MISS}|{NONE}⟩|{vval}[$a] = $value * {vm}[$a]
        ⟨if $value > {level}:
            {vcls}[$a] = 1|⟩⟩
        """,
        threads="a",
        kinds="volume",
    ),
    Idea(
        "sdf_contact",
        "collide_with_sdf push_out_of_sdf sdf_contacts resolve_penetration",
        "push each probe out of a ⟨1:volume of signed distances|volume of signed distances and stop it there⟩",
        """
        hook probe
        $uvw = wp.volume_world_to_index({sdf}, {vp}[$a])
        $grad = wp.vec3()
        $value = wp.volume_sample_grad⟨_f({sdf}, $uvw, wp.Volume.LINEAR, $grad)|({sdf}, $uvw, wp.Volume.LINEAR, $grad, dtype=float)⟩
        $gap = $value - ⟨{vr}[$a]|{margin}⟩
        if $gap < 0.0:
            $len = wp.length($grad) + 0.1
            $n = $grad / $len
            ⟨2:{vpos}[$a] = {vp}[$a] - $n * $gap|{vpos}[$a] = {vp}[$a] - $n * ($gap * ⟨0.5|{scale}⟩)
            {vcls}[$a] = {TOUCH}|{vforce}[$a] = $n * (-{ke} * $gap)
            ⟨wp.atomic_add({vhits}, 0, 1)|⟩⟩
            ⟨1:|{vvel}[$a] = {vv}[$a] - $n * ⟨wp.min(wp.dot({vv}[$a], $n), 0.0)|wp.dot({vv}[$a], $n)⟩⟩
        else:
            ⟨2:{vpos}[$a] = {vp}[$a]|{vpos}[$a] = {vp}[$a]
            {vcls}[$a] = {MISS}|{vforce}[$a] = wp.vec3(0.0, 0.0, 0.0)⟩
            ⟨1:|{vvel}[$a] = {vv}[$a]⟩
        """,
        threads="a",
        kinds="volume contact signed_distance",
    ),
    Idea(
        "volume_normals",
        "volume_normals sample_gradient sdf_normals field_gradient",
        "compute the gradient of a volume at each probe ⟨1:|by differences⟩",
        """
        hook probe
        $uvw = wp.volume_world_to_index({sdf}, {vp}[$a])
        ⟨1:$grad = wp.vec3()
        $value = wp.volume_sample_grad_f({sdf}, $uvw, wp.Volume.LINEAR, $grad)
        {vval}[$a] = $value
        {vgrad}[$a] = ⟨$grad|$grad * 4.0|$grad / (wp.length($grad) + 0.1)⟩|$dx = wp.volume_sample_f({sdf}, $uvw + wp.vec3(⟨3:0.5|1.0⟩, 0.0, 0.0), wp.Volume.LINEAR) - wp.volume_sample_f({sdf}, $uvw - wp.vec3(⟨3:0.5|1.0⟩, 0.0, 0.0), wp.Volume.LINEAR)
        $dy = wp.volume_sample_f({sdf}, $uvw + wp.vec3(0.0, ⟨3:0.5|1.0⟩, 0.0), wp.Volume.LINEAR) - wp.volume_sample_f({sdf}, $uvw - wp.vec3(0.0, ⟨3:0.5|1.0⟩, 0.0), wp.Volume.LINEAR)
        $dz = wp.volume_sample_f({sdf}, $uvw + wp.vec3(0.0, 0.0, ⟨3:0.5|1.0⟩), wp.Volume.LINEAR) - wp.volume_sample_f({sdf}, $uvw - wp.vec3(0.0, 0.0, ⟨3:0.5|1.0⟩), wp.Volume.LINEAR)
        ⟨{vgrad}[$a] = wp.vec3($dx, $dy, $dz)⟨3:| * 0.5⟩|# per metre, four voxels long
        {vgrad}[$a] = wp.vec3($dx, $dy, $dz) * ⟨3:4.0|2.0⟩⟩⟩
        """,
        threads="a",
        kinds="volume signed_distance",
    ),
    Idea(
        "advect",
        "advect_probes trace_velocity move_with_flow semi_lagrangian",
        "move each probe along a volume of velocities with ⟨1:one step|the midpoint rule|three steps⟩",
        """
        hook probe
        ⟨1:$uvw = wp.volume_world_to_index({flow}, {vp}[$a])
        $vel = wp.volume_sample⟨_v({flow}, $uvw, wp.Volume.LINEAR)|({flow}, $uvw, wp.Volume.LINEAR, dtype=wp.vec3)⟩
        {vpos}[$a] = {vp}[$a] + $vel * {dt}|$v1 = wp.volume_sample_v({flow}, wp.volume_world_to_index({flow}, {vp}[$a]), wp.Volume.LINEAR)
        $x0 = {vp}[$a] + $v1 * (0.5 * {dt})
        $vel = wp.volume_sample_v({flow}, wp.volume_world_to_index({flow}, $x0), wp.Volume.LINEAR)
        {vpos}[$a] = {vp}[$a] + $vel * {dt}|$x0 = {vp}[$a]
        $vel = wp.vec3()
        for $k in range(3):
            $vel = wp.volume_sample_v({flow}, wp.volume_world_to_index({flow}, $x0), wp.Volume.LINEAR)
            $x0 = $x0 + $vel * ⟨{dt}|({dt} / 3.0)⟩
        {vpos}[$a] = $x0⟩
        ⟨2:{vvel}[$a] = $vel|if wp.length($vel) > {level}:
            {vcls}[$a] = 1
            ⟨wp.atomic_add({vhits}, 0, 1)|⟩|⟩
        """,
        threads="a",
        kinds="volume fields particles",
    ),
    Idea(
        "wind_drag",
        "wind_drag apply_wind flow_forces relative_drag",
        "compute the force of the flow on each probe: ⟨1:linear drag|quadratic drag|drag where the flow is fast⟩",
        """
        hook probe
        $uvw = wp.volume_world_to_index({flow}, {vp}[$a])
        $vel = ⟨2:wp.volume_sample_v({flow}, $uvw, wp.Volume.LINEAR)|wp.volume_sample({flow}, $uvw, wp.Volume.CLOSEST, dtype=wp.vec3)|wp.volume_lookup_v({flow}, int($uvw[0]), int($uvw[1]), int($uvw[2]))|wp.volume_lookup({flow}, int($uvw[0]), int($uvw[1]), int($uvw[2]), dtype=wp.vec3)⟩
        $vrel = $vel - {vv}[$a]
        ⟨1:{vforce}[$a] = $vrel * {kd}|{vforce}[$a] = $vrel * ({kd} * wp.length($vrel))|if wp.length_sq($vel) > ⟨{level}|0.5⟩:
            {vforce}[$a] = $vrel * ({kd} * wp.length($vrel))
        else:
            {vforce}[$a] = $vrel * {nu}⟩
        ⟨{vvel}[$a] = {vv}[$a] + $vrel * ({kd} * {dt} / {vm}[$a])|⟩
        """,
        threads="a",
        kinds="volume particles",
    ),
    Idea(
        "read_labels",
        "lookup_labels material_at_probe read_segmentation classify_by_volume",
        "read the label of the voxel at each probe ⟨1:|and compare it with the wanted one|and count the labels⟩",
        """
        hook probe
        $uvw = wp.volume_world_to_index({labels}, {vp}[$a])
        ⟨2:$label = wp.volume_lookup_i({labels}, int($uvw[0]), int($uvw[1]), int($uvw[2]))|$label = wp.volume_sample_i({labels}, $uvw)|$vi0 = int(wp.floor($uvw[0]⟨| + 0.5⟩))
        $vj0 = int(wp.floor($uvw[1]⟨| + 0.5⟩))
        $vk0 = int(wp.floor($uvw[2]⟨| + 0.5⟩))
        $label = wp.volume_lookup({labels}, $vi0, $vj0, $vk0, dtype=int)⟩
        ⟨1:{vlab}[$a] = $label|if $label == {want}[$a]:
            {vlab}[$a] = $label
            {vcls}[$a] = {TOUCH}
            ⟨wp.atomic_add({vhits}, 0, 1)|⟩
        ⟨elif $label == 0:
            {vcls}[$a] = {MISS}
        |⟩else:
            {vcls}[$a] = {NEAR}|wp.atomic_add({hist_v}, $label, 1)
        {vlab}[$a] = $label⟩
        """,
        threads="a",
        kinds="volume histograms",
    ),
    Idea(
        "label_neighbors",
        "count_label_neighbors label_majority same_label_count boundary_voxels",
        "count the voxels around that of each probe ⟨1:with its label|with the wanted label|that are solid⟩",
        """
        $vi0 = {vidx}[$a, 0]
        $vj0 = {vidx}[$a, 1]
        $vk0 = {vidx}[$a, 2]
        ⟨1:$label = wp.volume_lookup_i({labels}, $vi0, $vj0, $vk0)|$label = {want}[$a]|# label of empty space
        $label = 0⟩
        $count = int(0)
        ⟨2:for $di in range(-1, 2):
            for $dj in range(-1, 2):
                ⟨for $dk in range(-1, 2):
                    if ⟨1:wp.volume_lookup_i({labels}, $vi0 + $di, $vj0 + $dj, $vk0 + $dk) == $label|wp.volume_lookup_i({labels}, $vi0 + $di, $vj0 + $dj, $vk0 + $dk) == $label|wp.volume_lookup_i({labels}, $vi0 + $di, $vj0 + $dj, $vk0 + $dk) > $label⟩:
                        $count += 1|if $di == 0 and $dj == 0:
                    continue
                if wp.volume_lookup_i({labels}, $vi0 + $di, $vj0 + $dj, $vk0) ⟨1:==|==|>⟩ $label:
                    $count += 1⟩|for $k in range(3):
            $di = wp.where($k == 0, 1, 0)
            $dj = wp.where($k == 1, 1, 0)
            $dk = wp.where($k == 2, 1, 0)
            if wp.volume_lookup_i({labels}, $vi0 + $di, $vj0 + $dj, $vk0 + $dk) ⟨1:==|==|>⟩ $label:
                $count += 1
            if wp.volume_lookup_i({labels}, $vi0 - $di, $vj0 - $dj, $vk0 - $dk) ⟨1:==|==|>⟩ $label:
                $count += 1⟩
        {vnum}[$a] = $count
        ⟨if $count > ⟨1|2⟩:
            {vcls}[$a] = {NEAR}|⟩
        """,
        threads="a",
        kinds="volume stencil",
        integer=True,
    ),
    Idea(
        "march_density",
        "march_density integrate_smoke ray_march_volume optical_depth",
        "⟨1:sum up the density|compute the transmittance⟩ along the ray of each probe",
        """
        hook probe
        $total = float(0.0)
        for $k in range(⟨4|6|8⟩):
            $world_pos = {vp}[$a] + {vd}[$a] * (⟨float($k) + 0.5|float($k)⟩) * {step}
            $uvw = wp.volume_world_to_index({smoke}, $world_pos)
            ⟨2:$total += wp.volume_sample_f({smoke}, $uvw, wp.Volume.LINEAR) * {step}|$d = wp.volume_sample_f({smoke}, $uvw, wp.Volume.LINEAR)
            if $d > {low_v}:
                $total += ($d - {low_v}) * {step}⟩
        ⟨1:{vval}[$a] = $total|{vval}[$a] = wp.exp(-$total⟨| * {scale}⟩)
        ⟨if $total > {low_v}:
            {vcls}[$a] = 1
            wp.atomic_add({vhits}, 0, 1)|⟩⟩
        """,
        threads="a",
        kinds="volume ray_tracing",
    ),
    Idea(
        "voxel_slots",
        "voxel_index_of compute_voxel_ids locate_voxels probe_voxels",
        "store the index of the voxel ⟨2:that contains|beside that of⟩ each probe, ⟨1:-1 outside|and whether it is in the first half⟩",
        """
        ⟨2:$uvw = wp.volume_world_to_index({sdf}, {vp}[$a])
        $lin = wp.volume_lookup_index({sdf}, int($uvw[0]), int($uvw[1]), int($uvw[2]))|$lin = wp.volume_lookup_index({sdf}, ⟨{vidx}[$a, 0] + 1, {vidx}[$a, 1], {vidx}[$a, 2]|{vidx}[$a, 0], {vidx}[$a, 1], {vidx}[$a, 2] + 1|{vidx}[$a, 0], {vidx}[$a, 1] - 1, {vidx}[$a, 2]⟩)⟩
        ⟨1:{vlin}[$a] = $lin
        ⟨if $lin >= 0⟨| and {vf}[$a] & {ACTIVE} != 0⟩:
            wp.atomic_add({vhits}, 0, 1)|⟩|$voxels = wp.volume_voxel_count({sdf})
        {vlin}[$a] = $lin
        if $lin >= 0 and $lin < $voxels // 2:
            {vcls}[$a] = {NEAR}
        ⟨else:
            {vcls}[$a] = {NONE}|⟩⟩
        """,
        threads="a",
        kinds="volume",
    ),
    Idea(
        "volume_frames",
        "to_volume_space world_to_voxel transform_points index_space",
        "convert ⟨1:the position of each probe|the direction of each probe|both⟩ between the world and the voxels",
        """
        hook probe
        ⟨1:{vcoord}[$a] = ⟨wp.volume_world_to_index({sdf}, {vp}[$a])|wp.volume_index_to_world({sdf}, wp.vec3(float({vidx}[$a, 0]), float({vidx}[$a, 1]), float({vidx}[$a, 2])))|wp.volume_world_to_index({sdf}, {vp}[$a]) - wp.vec3(0.5, 0.5, 0.5)⟩|{vdir}[$a] = ⟨wp.volume_world_to_index_dir({sdf}, {vd}[$a])|wp.volume_index_to_world_dir({sdf}, {vd}[$a])|wp.volume_world_to_index_dir({sdf}, {vv}[$a] * {dt})⟩|{vcoord}[$a] = wp.volume_world_to_index({sdf}, {vp}[$a])
        {vdir}[$a] = wp.volume_world_to_index_dir({sdf}, {vd}[$a])⟩
        """,
        threads="a",
        kinds="volume transform",
    ),
    Idea(
        "voxel_center",
        "snap_to_voxel voxel_centers cell_center_of quantize_positions",
        "compute the ⟨1:center of the voxel|offset from the center of the voxel⟩ of each probe and read the voxel",
        """
        hook probe
        $uvw = wp.volume_world_to_index({sdf}, {vp}[$a])
        $vi0 = int(wp.floor($uvw[0]))
        $vj0 = int(wp.floor($uvw[1]))
        $vk0 = int(wp.floor($uvw[2]))
        $world_pos = wp.volume_index_to_world({sdf}, wp.vec3(float($vi0) + 0.5, float($vj0) + 0.5, float($vk0) + 0.5))
        ⟨2:$value = wp.volume_lookup_f({sdf}, $vi0, $vj0, $vk0)|$value = wp.volume_lookup({sdf}, $vi0, $vj0, $vk0, dtype=float)⟩
        ⟨1:if $value < ⟨0.0|0.1⟩:
            {vpos}[$a] = $world_pos
            {vlin}[$a] = ($vi0 * 8 + $vj0) * 8 + $vk0
        else:
            {vpos}[$a] = {vp}[$a]
            {vlin}[$a] = {NONE}|{vval}[$a] = $value
        {vcoord}[$a] = {vp}[$a] - $world_pos⟩
        """,
        threads="a",
        kinds="volume",
    ),
)
