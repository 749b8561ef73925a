"""Short ideas of the domain `grids`: tensors of cells, chains of helper functions."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_MATRICES = (
    Idea(
        "tensor_flux",
        "tensor_flux anisotropic_flux apply_tensor transform_velocity",
        "multiply the ⟨1:tensor|transposed tensor⟩ of each cell by its velocity",
        """
        $vc = ⟨{vel}[$i, $j]|0.5 * ({vel}[$i, $j] + {vel}[wp.min($i + 1, {nx} - 1), $j])⟩
        ⟨|if {flags}[$i, $j] == {SOLID}:
            $vc = wp.vec2()
        ⟩{fluxout}[$i, $j] = ⟨|{kappa} * |-{kappa} * ⟩(⟨1:{tens}[$i, $j]|wp.transpose({tens}[$i, $j])⟩ * $vc)
        """,
        threads="i j",
        kinds="matrix vector",
    ),
    Idea(
        "tensor_measure",
        "tensor_measure cell_determinant tensor_trace anisotropy",
        "compute the ⟨1:trace|determinant|shear|anisotropy⟩ of the tensor of each cell",
        """
        $ten = ⟨{tens}[$i, $j]|wp.transpose({tens}[$i, $j]) * {tens}[$i, $j]⟩
        {meas}[$i, $j] = ⟨1:⟨|0.5 * ⟩wp.trace($ten)|wp.determinant($ten)|0.5 * ($ten[0, 1] + $ten[1, 0])|$ten[0, 0] - $ten[1, 1]⟩
        ⟨|{note}[$i, $j] = wp.where($ten[0, 0] > $ten[1, 1], 1, 0)⟩
        """,
        threads="i j",
        kinds="matrix arithmetic",
    ),
    Idea(
        "tensor_update",
        "update_tensors scale_tensors symmetrize_tensors blend_tensors",
        "write the ⟨1:scaled|symmetric|squared|blended⟩ tensor of each cell",
        """
        ⟨|if not {mask}[$i, $j]:
            return
        ⟩{tensout}[$i, $j] = ⟨1:{tens}[$i, $j] * ⟨{amp}|{conduct}[$i, $j]⟩|0.5 * ({tens}[$i, $j] + wp.transpose({tens}[$i, $j]))|{tens}[$i, $j] * ⟨{tens}[$i, $j]|wp.transpose({tens}[$i, $j])⟩|{theta} * {tens}[$i, $j] + (1.0 - {theta}) * wp.identity(n=2, dtype=float)⟩
        """,
        threads="i j",
        kinds="matrix linear_algebra",
    ),
    Idea(
        "cell_chain",
        "assign_cells locate_particles particle_cells bin_particles",
        "compute the cell of each particle",
        """
        $x = {pos}[$pt]⟨| + {dt} * {pvel}[$pt]⟩
        # column and row, clamped to the grid
        $cx = @cap(@to_cell($x[0]), {nx})
        $cy = @cap(@to_cell($x[1]), {ny})
        {pcell}[$pt] = ⟨@lin2($cx, $cy, {ny})|@lin2($cy, $cx, {nx})⟩
        ⟨wp.atomic_add({nodecount}, $cx, $cy, 1)|wp.atomic_add({grid_m}, $cx, $cy, {pmass}[$pt])|⟩
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
        {u_out}[$i, $j] = @blend({u}[$i, $j], ⟨{amp}|{ambient}|{dye}[$i, $j]⟩, $val)
        ⟨|{note}[$i, $j] = wp.where($val > 0.5, 1, 0)⟩
        """,
        threads="i j",
        kinds="math helper_functions scalar_param",
    ),
)  # fmt: skip
