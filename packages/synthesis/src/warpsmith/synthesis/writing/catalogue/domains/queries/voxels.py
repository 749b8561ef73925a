"""Ideas of the domain `queries`: data beside the voxels of a volume."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

VOXELS = (
    Idea(
        "sample_payload",
        "sample_voxel_data interpolate_payload indexed_sample probe_voxel_array",
        "interpolate the array beside the voxels of a volume at each probe ⟨1:|and its gradient⟩",
        """
        hook probe
        $uvw = wp.volume_world_to_index({sdf}, {vp}[$a])
        ⟨1:$value = wp.volume_sample_index({sdf}, $uvw, wp.Volume.⟨LINEAR|CLOSEST⟩, {payload}, ⟨0.0|1.0⟩)|$grad = wp.vec3()
        $value = wp.volume_sample_grad_index({sdf}, $uvw, wp.Volume.LINEAR, {payload}, 0.0, $grad)
        ⟨{vgrad}[$a] = $grad|{vpos}[$a] = {vp}[$a] - $grad * {dt}|{vforce}[$a] = $grad * -{scale}⟩⟩
        ⟨{vval}[$a] = $value|{vval}[$a] = $value
        if $value > 0.0:
            {vcls}[$a] = {NEAR}|if $value < 0.0:
            {vval}[$a] = 0.0
            {vcls}[$a] = {NONE}
        else:
            {vval}[$a] = $value
            {vcls}[$a] = {NEAR}⟩
        """,
        threads="a",
        kinds="volume_store",
    ),
    Idea(
        "read_payload",
        "gather_voxel_data read_by_voxel_index lookup_payload fetch_voxel_values",
        "read ⟨1:the value|the label|the value of voxels with a label⟩ ⟨2:beside the voxel of each probe|beside the neighbour of the voxel of each probe⟩, if there is one",
        """
        ⟨2:$uvw = wp.volume_world_to_index({sdf}, {vp}[$a])
        $lin = wp.volume_lookup_index({sdf}, int($uvw[0]), int($uvw[1]), int($uvw[2]))|# the next voxel in x
        $lin = wp.volume_lookup_index({sdf}, {vidx}[$a, 0] + 1, {vidx}[$a, 1], {vidx}[$a, 2])⟩
        ⟨3:if $lin < 0:
            ⟨1:{vval}[$a] = 0.0|{vlab}[$a] = {NONE}|{vval}[$a] = ⟨-1.0|0.0⟩⟩
            return

        |if $lin >= 0:
            wp.atomic_add({vhits}, 0, 1)
        $lin = wp.max($lin, 0)
        ⟩⟨1:{vval}[$a] = {payload}[$lin]|{vlab}[$a] = {paymark}[$lin]
        ⟨if {paymark}[$lin] == {want}[$a]:
            {vcls}[$a] = 1|⟩|if {paymark}[$lin] ⟨>= 0|== {which}⟩:
            {vval}[$a] = {payload}[$lin]
        else:
            {vval}[$a] = 0.0⟩
        """,
        threads="a",
        kinds="volume_store gather_scatter",
    ),
)
