"""Ideas of the domain `tiles`: factors and solutions of small systems, one for each block."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64)

SYSTEMS = (
    Idea(
        "factor",
        "cholesky_factor factorize_blocks cholesky_tiled factor_systems",
        "factorize the symmetric matrix of each system⟨1:| into an upper triangle| and scale its factor⟩",
        """
        $l = wp.tile_cholesky($spd⟨1:|, fill_mode="upper"|⟩)
        ⟨1:||$l = $l * ⟨0.5|2.0⟩
        ⟩wp.tile_store({l_out}, wp.tile_reshape($l, shape=(1, {dim}, {dim})), offset=($sy, 0, 0))
        """,
        threads="sy",
        kinds="tile_solve",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "whiten",
        "whiten_residuals whiten forward_substitution solve_lower",
        "⟨1:solve the lower triangle of each system|compute the squared Mahalanobis distance of each residual⟩",
        """
        $rhs = wp.tile_load({r}[$sy], shape={dim})
        ⟨$diff = $rhs - wp.tile_load({r2}[$sy], shape={dim})|$diff = $rhs⟩
        $l = ⟨wp.tile_cholesky($spd)|$spd⟩
        $white = wp.tile_lower_solve($l, $diff)
        ⟨1:wp.tile_store({x_out}, wp.tile_reshape($white, shape=(1, {dim})), offset=($sy, 0))|wp.tile_store({e_out}, wp.tile_dot($white, $white), offset=$sy)⟩
        """,
        threads="sy",
        kinds="tile_solve",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "solve",
        "solve_systems cholesky_solve newton_step solve_normal_equations",
        "solve the system of each block⟨1:||, and step along the solution⟩",
        """
        $rhs = wp.tile_load({r}[$sy], shape={dim})
        ⟨2:$l = wp.tile_cholesky($spd)
        $sol = wp.tile_cholesky_solve($l, $rhs)|$l = wp.tile_cholesky($spd)
        $fwd = wp.tile_lower_solve($l, $rhs)
        $sol = wp.tile_upper_solve(wp.tile_transpose($l), $fwd)|$l = $spd
        wp.tile_cholesky_inplace($l)
        $sol = $rhs
        wp.tile_cholesky_solve_inplace($l, $sol)|$l = wp.tile_cholesky($spd)
        $sol = $rhs
        wp.tile_lower_solve_inplace($l, $sol)
        ⟨# back substitution
        |⟩wp.tile_upper_solve_inplace(wp.tile_transpose($l), $sol)⟩
        ⟨1:||$sol = wp.tile_load({r2}[$sy], shape={dim}) - $sol
        ⟩wp.tile_store({x_out}, wp.tile_reshape($sol, shape=(1, {dim})), offset=($sy, 0))
        """,
        threads="sy",
        kinds="tile_solve",
        forward_only=True,
        docs="A factor by Cholesky, then two triangular systems",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "constant",
        "apply_inverse_mass precondition_rhs smooth_rhs constant_solve",
        "weight the right side of each system by the solution of a constant one",
        """
        $reg = wp.tile_diag_add(wp.tile_⟨zeros|ones⟩(shape=({dim}, {dim}), dtype=float), wp.tile_full(shape={dim}, value=⟨{ridge}|{ridge2}⟩, dtype=float))
        $fwd = wp.tile_⟨ones(shape={dim}, dtype=float)|astype(wp.tile_arange({dim}, dtype=int), dtype=float)⟩
        ⟨1:$l = wp.tile_cholesky($reg)
        $fwd = wp.tile_cholesky_solve($l, $fwd)|$l = wp.tile_cholesky($reg)
        $fwd = wp.tile_upper_solve(wp.tile_transpose($l), wp.tile_lower_solve($l, $fwd))|wp.tile_cholesky_inplace($reg)
        wp.tile_cholesky_solve_inplace($reg, $fwd)|wp.tile_cholesky_inplace($reg)
        wp.tile_lower_solve_inplace($reg, $fwd)⟨
        wp.tile_upper_solve_inplace(wp.tile_transpose($reg), $fwd)|⟩⟩
        ⟨# the same weights for all systems
        |⟩$rhs = wp.tile_load({r}[$sy], shape={dim})
        ⟨2:wp.tile_store({x_out}, wp.tile_reshape($rhs ⟨*|-⟩ $fwd, shape=(1, {dim})), offset=($sy, 0))|wp.tile_store({e_out}, wp.tile_dot($rhs, $fwd), offset=$sy)⟩
        """,
        threads="sy",
        kinds="tile_solve",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "columns",
        "solve_columns lower_solve_matrix whiten_matrix solve_many",
        "solve a triangular system for all columns of a matrix",
        """
        $l = wp.tile_cholesky($spd)
        $cols = wp.tile_load({s}[⟨$sy|$sy⟩], shape=({dim}, {dim}))
        $sol = wp.tile_lower_solve($l, $cols)
        ⟨1:wp.tile_store({l_out}, wp.tile_reshape($sol, shape=(1, {dim}, {dim})), offset=($sy, 0, 0))|$norms = wp.tile_sum($sol * $sol, axis=⟨0|1⟩)
        wp.tile_store({x_out}, wp.tile_reshape($norms, shape=(1, {dim})), offset=($sy, 0))⟩
        """,
        threads="sy",
        kinds="tile_solve",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "quadratic",
        "evaluate_systems apply_systems quadratic_step system_products",
        "compute ⟨1:the energy|the residual|a gradient step⟩ of each system",
        """
        $xs = wp.tile_load({r}[$sy], shape={dim})
        # matrix times vector
        $ax = wp.tile_reshape(wp.tile_matmul($spd, wp.tile_reshape($xs, shape=({dim}, 1))), shape=({dim},))
        ⟨1:wp.tile_store({e_out}, wp.tile_dot($xs, $ax) * 0.5, offset=$sy)|$res = wp.tile_load({r2}[$sy], shape={dim}) - $ax
        ⟨wp.tile_store({e_out}, wp.tile_dot($res, $res), offset=$sy)|wp.tile_store({x_out}, wp.tile_reshape($res, shape=(1, {dim})), offset=($sy, 0))⟩|$new = $xs - ($ax - wp.tile_load({r2}[$sy], shape={dim})) * ⟨0.1|0.05⟩
        wp.tile_store({x_out}, wp.tile_reshape($new, shape=(1, {dim})), offset=($sy, 0))⟩
        """,
        threads="sy",
        kinds="tile_solve tile_matrix",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "regularize",
        "regularize_systems add_damping shift_diagonal symmetrize_blocks",
        "add a constant to the diagonal of ⟨1:each matrix|the symmetric part of each matrix⟩",
        """
        $a = wp.tile_load({s}[$sy], shape=({dim}, {dim}))
        ⟨1:|$flip = wp.tile_transpose($a)
        $a = $a * 0.5 + $flip * 0.5
        ⟩$diag = wp.tile_⟨full(shape={dim}, value={ridge}, dtype=float)|astype(wp.tile_arange({dim}, dtype=int), dtype=float)⟩
        $reg = wp.tile_diag_add(wp.tile_zeros(shape=({dim}, {dim}), dtype=float), $diag)
        $a = $a + $reg
        wp.tile_store({l_out}, wp.tile_reshape($a, shape=(1, {dim}, {dim})), offset=($sy, 0, 0))
        """,
        threads="sy",
        kinds="tile_solve",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "precise",
        "cholesky_double factor_double precise_factor factor_f64",
        "factorize each matrix in double precision",
        """
        $a = wp.tile_load({sd}[$sy], shape=({dim}, {dim}))
        $zero = wp.tile_zeros(shape=({dim}, {dim}), dtype=wp.float64)
        $reg = wp.tile_diag_add($zero, wp.tile_full(shape={dim}, value=wp.float64(⟨4.0|3.0⟩), dtype=wp.float64))
        $mat = ⟨wp.tile_matmul($a, wp.tile_transpose($a)) + $reg|$a * wp.float64(0.1) + wp.tile_transpose($a) * wp.float64(0.1) + $reg⟩
        $l = wp.tile_cholesky($mat⟨|, fill_mode="upper"⟩)
        wp.tile_store({ld_out}, wp.tile_reshape($l, shape=(1, {dim}, {dim})), offset=($sy, 0, 0))
        """,
        threads="sy",
        kinds="tile_solve",
        blocks=BLOCKS,
        tiled=True,
    ),
)
