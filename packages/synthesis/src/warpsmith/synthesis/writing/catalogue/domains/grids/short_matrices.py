"""Short ideas of the domain `grids`: tensors of cells, chains of helper functions."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_MATRICES = (
    Idea(
        "tensor_flux",
        "tensor_flux anisotropic_flux apply_tensor rotate_velocity",
        "multiply the ⟨1:tensor|transposed tensor⟩ of each cell by its velocity",
        """
        $vc = {vel}[$i, $j]⟨| - {macro_vel}[$i, $j]| * {conduct}[$i, $j]⟩
        ⟨|if {flags}[$i, $j] == {SOLID}:
            $vc = ⟨wp.vec2()|-$vc⟩
        ⟩{fluxout}[$i, $j] = ⟨1:{tens}[$i, $j]|wp.transpose({tens}[$i, $j])⟩ * $vc⟨| * {kappa}| + wp.vec2({gx}, {gy})⟩
        """,
        threads="i j",
        kinds="matrix vector",
    ),
    Idea(
        "tensor_measure",
        "tensor_measure cell_determinant tensor_trace anisotropy",
        "compute the ⟨1:trace|determinant|shear⟩ of the tensor of each cell",
        """
        $ten = {tens}[$i, $j]⟨| * {conduct}[$i, $j]| + wp.transpose({tens}[$i, $j])⟩
        {meas}[$i, $j] = ⟨1:wp.trace($ten)|wp.determinant($ten)|⟨$ten[0, 1] + $ten[1, 0]|$ten[0, 0] - $ten[1, 1]⟩⟩⟨| - {off}| * {amp}⟩
        ⟨|{note}[$i, $j] = {flags}[$i, $j]⟩
        """,
        threads="i j",
        kinds="matrix arithmetic",
    ),
    Idea(
        "tensor_update",
        "update_tensors scale_tensors symmetrize_tensors blend_tensors",
        "write the ⟨1:scaled|symmetric|squared⟩ tensor of each cell",
        """
        ⟨|if not {mask}[$i, $j]:
            return
        ⟩{tensout}[$i, $j] = ⟨1:{tens}[$i, $j] * ⟨{amp}|{conduct}[$i, $j]⟩|0.5 * ({tens}[$i, $j] + wp.transpose({tens}[$i, $j]))|{tens}[$i, $j] * ⟨{tens}[$i, $j]|wp.transpose({tens}[$i, $j])⟩⟩⟨| - wp.identity(n=2, dtype=float)⟩
        ⟨|{note}[$i, $j] = {level}[$i, $j]⟩
        """,
        threads="i j",
        kinds="matrix linear_algebra",
    ),
    Idea(
        "cell_chain",
        "assign_cells locate_particles particle_cells bin_particles",
        "compute the cell of each particle",
        """
        # column and row, clamped to the grid
        $cx = @cap(@to_cell({pos}[$pt][0]⟨| + {off}⟩), {nx})
        $cy = @cap(@to_cell({pos}[$pt][1]), {ny})
        {pcell}[$pt] = @lin2($cx, $cy, {ny})
        ⟨wp.atomic_add({nodecount}, $cx, $cy, ⟨1|{pkind}[$pt]⟩)|⟩
        """,
        threads="pt",
        kinds="vector helper_functions",
    ),
    Idea(
        "profile_chain",
        "shade_field remap_cells response_profile activate_cells",
        "blend the field of each cell by a smooth profile",
        """
        # weight between 0 and 1
        $val = @bump(@norm01(⟨{u}|{eta}|{dye}⟩[$i, $j], {off}, {wide}))
        {u_out}[$i, $j] = @blend(⟨{u}[$i, $j]|{off}|{source}[$i, $j]⟩, ⟨{amp}|{conduct}[$i, $j]⟩, $val)
        ⟨|{note}[$i, $j] = {flags}[$i, $j]⟩
        """,
        threads="i j",
        kinds="math helper_functions scalar_param",
    ),
)  # fmt: skip
