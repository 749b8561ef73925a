"""Ideas of the domain `voxels`: stores to volumes, voxel by voxel."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

STORES = (
    Idea(
        "bake_sdf",
        "bake_sphere_sdf voxelize_shape fill_sdf rasterize_sdf",
        "store the signed distance of ⟨1:a ball|a cube|a ball above a plane⟩ in each voxel",
        """
        $world_pos = wp.volume_index_to_world({dst_f}, wp.vec3(float($vi)⟨| + 0.5⟩, float($vj), float($vk)))
        ⟨2:$center = wp.vec3({MID}, {MID}, {MID})
        |$center = wp.vec3({cx}, ⟨0.8|{cx}⟩, 0.9)
        ⟩⟨1:$value = @ball_sdf($world_pos, $center, ⟨2:{BALL}|{cr}⟩)|$value = @box_sdf($world_pos - $center, ⟨2:{BALL}|{cr}⟩)|$value = wp.min(@ball_sdf($world_pos, $center, ⟨2:{BALL}|{cr}⟩), $world_pos[2] - 0.25)⟩
        ⟨2:|# join it with what is there
        $value = wp.min($value, {src}[$vi, $vj, $vk] + 0.5)
        ⟩        wp.volume_store⟨_f|⟩({dst_f}, $vi, $vj, $vk, $value)
        {blend}[$vi, $vj, $vk] = $value
        ⟨if $value < 0.0:
            {lapi}[$vi, $vj, $vk] = 1
            wp.atomic_add({vox_hits}, 0, 1)|⟩
        """,
        threads="vi vj vk",
        kinds="volume_store signed_distance multi_dim",
    ),
    Idea(
        "copy_to_volume",
        "copy_to_volume upload_field store_field dense_to_volume",
        "copy ⟨1:a dense field|the positive part of a field|a scaled field⟩ into a volume",
        """
        ⟨1:$value = {src}[$vi, $vj, $vk]|$value = wp.max({src}[$vi, $vj, $vk], 0.0)|$value = {src}[$vi, $vj, $vk] * {scale}⟩
        ⟨2:if {srci}[$vi, $vj, $vk] == ⟨0|5⟩:
            $value = ⟨0.0|{low_v}⟩
        |if {srci}[$vi, $vj, $vk] == {which}:
            # keep the voxels of this label
            return
        |⟩wp.volume_store⟨_f|⟩({dst_f}, $vi, $vj, $vk, $value)
        {blend}[$vi, $vj, $vk] = $value
        """,
        threads="vi vj vk",
        kinds="volume_store multi_dim",
    ),
    Idea(
        "store_velocity",
        "store_velocity write_flow_field project_velocity clamp_velocity",
        "store a ⟨1:velocity|velocity of limited speed|rotating flow⟩ in each voxel",
        """
        ⟨1:$vel = {srcv}[$vi, $vj, $vk]⟨ * {scale}|⟩|$vel = {srcv}[$vi, $vj, $vk]
        $speed = wp.length($vel)
        if $speed > {level}:
            $vel = $vel * ({level} / $speed)
            ⟨wp.atomic_add({vox_hits}, 0, 1)|⟩|$world_pos = wp.volume_index_to_world({dst_v}, wp.vec3(float($vi), float($vj), float($vk)))
        $vel = wp.cross(wp.vec3(0.0, 0.0, {OMEGA}), $world_pos - wp.vec3({MID}, {MID}, 0.0))⟩
        ⟨2:if {srci}[$vi, $vj, $vk] == ⟨0|{which}⟩:
            # solid
            $vel = wp.vec3(0.0, 0.0, 0.0)
        |⟩wp.volume_store⟨_v|⟩({dst_v}, $vi, $vj, $vk, $vel)
        {lapv}[$vi, $vj, $vk] = $vel
        """,
        threads="vi vj vk",
        kinds="volume_store multi_dim fields",
    ),
    Idea(
        "mark_voxels",
        "mark_solid_voxels store_labels occupancy_from_labels write_cell_types",
        "store ⟨1:whether each voxel is solid|a label in each voxel|the label of the border in the outer voxels⟩",
        """
        $label = {srci}[$vi, $vj, $vk]
        ⟨1:$mark = ⟨1 if $label > 2 else 0|wp.where($label > ⟨1|2⟩, 1, 0)⟩
        if $mark == 1:
            wp.atomic_add({vox_hits}, 0, 1)|$mark = int(0)
        if $label == 0:
            $mark = {NONE}
        elif $label < ⟨3|4⟩:
            $mark = $label⟨| + {which}⟩
        else:
            $mark = ⟨5|6⟩|$mark = $label
        if $vi == 0 or $vj == 0 or $vk == 0⟨| or $vi == {gx} - 1⟩:
            $mark = ⟨5|{NONE}⟩
            ⟨wp.atomic_add({vox_hits}, 0, 1)|⟩⟩
        wp.volume_store⟨_i|⟩({dst_i}, $vi, $vj, $vk, $mark)
        {lapi}[$vi, $vj, $vk] = $mark
        """,
        threads="vi vj vk",
        kinds="volume_store multi_dim",
        integer=True,
    ),
    Idea(
        "diffuse",
        "diffuse_volume smooth_volume heat_step_volume blur_density",
        "compute ⟨1:a step of diffusion|the mean of the neighbours|the Laplacian⟩ of a volume and store it in another one",
        """
        $here = wp.volume_lookup_f({smoke}, $vi, $vj, $vk)
        $around = wp.volume_lookup_f({smoke}, $vi + 1, $vj, $vk) + wp.volume_lookup_f({smoke}, $vi - 1, $vj, $vk)
        $around = $around + wp.volume_lookup_f({smoke}, $vi, $vj + 1, $vk) + wp.volume_lookup_f({smoke}, $vi, $vj - 1, $vk)
        ⟨2:$around = $around + wp.volume_lookup_f({smoke}, $vi, $vj, $vk + 1) + wp.volume_lookup_f({smoke}, $vi, $vj, $vk - 1)
        $value = ⟨1:$here + {RATE} * ($around - 6.0 * $here)|$around / 6.0|$around - 6.0 * $here⟩|$value = ⟨1:$here + {RATE} * ($around - 4.0 * $here)|0.25 * $around|$around - 4.0 * $here⟩⟩
        ⟨3:if {srci}[$vi, $vj, $vk] == ⟨0|{which}⟩:
            # insulated
            $value = $here
        |$value = $value + {dt} * {src}[$vi, $vj, $vk]
        |⟩wp.volume_store_f({dst_f}, $vi, $vj, $vk, $value)
        {lap}[$vi, $vj, $vk] = $value
        """,
        threads="vi vj vk",
        kinds="volume_store stencil multi_dim",
    ),
    Idea(
        "union_volumes",
        "combine_volumes sdf_union blend_sdf carve_volume",
        "⟨1:join|intersect|carve|blend⟩ a volume of signed distances with a dense field and store the result",
        """
        $value = wp.volume_lookup⟨_f({sdf}, $vi, $vj, $vk)|({sdf}, $vi, $vj, $vk, dtype=float)⟩
        $d = {src}[$vi, $vj, $vk]⟨| - {margin}⟩
        $mixed = ⟨1:wp.min($value, $d)|wp.max($value, $d)|wp.max($value, -$d)|wp.lerp($value, $d, {level})⟩
        wp.volume_store⟨_f|⟩({dst_f}, $vi, $vj, $vk, $mixed)
        ⟨2:{blend}[$vi, $vj, $vk] = $mixed|if $mixed < 0.0:
            wp.atomic_add({vox_hits}, 0, 1)
        {blend}[$vi, $vj, $vk] = $mixed|{blend}[$vi, $vj, $vk] = $mixed
        {lapi}[$vi, $vj, $vk] = ⟨1 if $mixed < 0.0 else 0|wp.where($mixed < $value, 1, {NONE})⟩⟩
        """,
        threads="vi vj vk",
        kinds="volume_store signed_distance multi_dim",
    ),
    Idea(
        "mark_probes",
        "mark_occupied touch_voxels mark_visited activate_voxels",
        "mark the voxel of each probe ⟨1:|that moves slowly⟩ and store its index",
        """
        hook probe
        $uvw = wp.volume_world_to_index({dst_i}, {vp}[$a])
        $vi0 = int($uvw[0])
        $vj0 = int($uvw[1])
        $vk0 = int($uvw[2])
        ⟨1:|if wp.length({vv}[$a]) > ⟨1.0|{scale}⟩:
            {vlin}[$a] = {NONE}
            return
        ⟩⟨# all probes of a voxel store the same value
        |⟩wp.volume_store⟨_i|⟩({dst_i}, $vi0, $vj0, $vk0, 1)
        {vlin}[$a] = ⟨($vi0 * 8 + $vj0) * 8 + $vk0|$vi0 + 8 * ($vj0 + 8 * $vk0)⟩
        ⟨wp.atomic_add({vhits}, 0, 1)|⟩
        """,
        threads="a",
        kinds="volume_store",
    ),
    Idea(
        "clear_volume",
        "clear_volume reset_field fill_volume init_voxels",
        "reset the voxels ⟨1:to a constant|of the wanted label|except those of a border⟩",
        """
        ⟨1:$value = ⟨0.0|{low_v}|{FAR}⟩
        if {srci}[$vi, $vj, $vk] != 0:
            $value = {src}[$vi, $vj, $vk]|$value = {src}[$vi, $vj, $vk]
        if {srci}[$vi, $vj, $vk] == {which}:
            $value = ⟨0.0|1.0⟩
            ⟨wp.atomic_add({vox_hits}, 0, 1)|⟩|$value = float(⟨0.0|1.0⟩)
        if $vi == 0 or $vj == 0⟨ or $vk == 0|⟩:
            $value = {src}[$vi, $vj, $vk]⟩
        wp.volume_store⟨_f|⟩({dst_f}, $vi, $vj, $vk, $value)
        {blend}[$vi, $vj, $vk] = $value
        """,
        threads="vi vj vk",
        kinds="volume_store multi_dim",
    ),
    Idea(
        "advect_field",
        "advect_density semi_lagrangian_step transport_smoke backtrace_field",
        "carry a volume of densities along a flow: trace each voxel backward and store the density there",
        """
        $world_pos = wp.volume_index_to_world({smoke}, wp.vec3(float($vi), float($vj), float($vk)))
        ⟨1:$vel = wp.volume_lookup_v({flow}, $vi, $vj, $vk)|$vel = {srcv}[$vi, $vj, $vk]⟩
        $back = wp.volume_world_to_index({smoke}, $world_pos - $vel * ⟨{dt}|{horizon}⟩)
        $value = wp.volume_sample_f({smoke}, $back, wp.Volume.LINEAR)
        ⟨2:# emit smoke at the sources
        $value += {src}[$vi, $vj, $vk] * ⟨0.1|{dt}⟩|$value = $value * 0.9 + {src}[$vi, $vj, $vk] * 0.1|if {srci}[$vi, $vj, $vk] == 0:
            $value = {src}[$vi, $vj, $vk]⟩
        wp.volume_store_f({dst_f}, $vi, $vj, $vk, $value)
        {lap}[$vi, $vj, $vk] = $value
        """,
        threads="vi vj vk",
        kinds="volume_store multi_dim fields",
    ),
    Idea(
        "volume_gradient",
        "store_gradient pressure_gradient_field field_to_velocity gradient_volume",
        "compute the gradient of a volume in each voxel and store it in a volume of vectors",
        """
        $dx = wp.volume_lookup_f({sdf}, $vi + 1, $vj, $vk) - wp.volume_lookup_f({sdf}, $vi - 1, $vj, $vk)
        $dy = wp.volume_lookup_f({sdf}, $vi, $vj + 1, $vk) - wp.volume_lookup_f({sdf}, $vi, $vj - 1, $vk)
        $dz = wp.volume_lookup_f({sdf}, $vi, $vj, $vk + 1) - wp.volume_lookup_f({sdf}, $vi, $vj, $vk - 1)
        ⟨1:$vel = wp.vec3($dx, $dy, $dz) * ⟨2.0|{src}[$vi, $vj, $vk]⟩|# subtract the gradient of the pressure
        $vel = {srcv}[$vi, $vj, $vk] - wp.vec3($dx, $dy, $dz) * 0.5⟩
        ⟨2:if {srci}[$vi, $vj, $vk] == ⟨0|{which}⟩:
            $vel = wp.vec3(0.0, 0.0, 0.0)
        |⟩wp.volume_store⟨_v|⟩({dst_v}, $vi, $vj, $vk, $vel)
        {lapv}[$vi, $vj, $vk] = $vel
        """,
        threads="vi vj vk",
        kinds="volume_store stencil multi_dim",
    ),
)
