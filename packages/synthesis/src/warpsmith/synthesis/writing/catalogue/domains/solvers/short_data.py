"""Rows that only the short ideas of the domain `solvers` use: a few more arrays, scalars and one-line helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MAT22, MAT33, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, integer, number

SHORT_PARAMETERS = (
    data("retry", INT, 0, 4, "retries num_retries retry_count attempts", "number of failed attempts of each system", "sys"),
    data("hold", INT, 0, 3, "hold_steps hold cooldown wait_steps", "number of steps for which each unknown keeps its state"),
    data("sign", INT, -1, 1, "grad_sign sign_g multiplier_sign dual_sign", "sign of the multiplier of each unknown"),
    data("dup", INT, 0, "n", "row_map dof_map new_row renumber", "new number of each unknown", "n", "permutation", shared=True),
    data("emask", INT, 0, 2, "entry_mask entry_state nz_flags keep_mask", "state of each entry, 0 for dropped ones", "nnz"),
    data("used", INT, 0, 4, "row_lengths ell_len num_used row_len", "number of entries of each row of the table"),
    data("nv", INT, 3, 6, "dof_counts nv num_dofs_sys sys_dim", "number of unknowns of each system", "sys"),
    data("ap", FLOAT, -1.0, 1.0, "Ap A_dir q_vec", "matrix times direction"),
    data("bf3", VEC3, -1.0, 1.0, "loads3 f3 force3 residual3", "residual in blocks", "blocks"),
    data("bwt", FLOAT, 0.2, 1.0, "block_weights w3 block_scale node_weight", "weight of each block", "blocks"),
    data("wA", FLOAT, 0.1, 1.0, "row_weights weights w w_sys", "weight of each unknown", "sys dof"),
    data("hess", MAT22, -0.3, 1.3, "hessians H curvature_mats hess", "matrix of second derivatives", "sys", "near_identity"),
    data("dir2", VEC2, -1.0, 1.0, "updates2 s_vec secant step2", "last step of each system", "sys"),
    data("r_copy", FLOAT, 0, 0, "r_prev residual_copy r_saved old_residual", "copy of the residual"),
    data("p_init", FLOAT, 0, 0, "p0 direction_init d_init first_dir", "first search direction"),
    data("s_copy", FLOAT, 0, 0, "x_best x_saved x_backup best_solution", "saved solution of each system", "sys dof"),
    data("mask_out", BOOL, 0, 0, "done_mask finished is_done done", "whether each system is finished", "sys"),
    data("col_out", INT, 0, 0, "cols_out col_table_out ell_out new_cols", "columns of each row, -1 for unused entries", "n width"),
    data("row_out", INT, 0, 0, "rows_out coo_rows_out new_rows ai", "row of each entry", "nnz"),
    data("ccol_out", INT, 0, 0, "cols_coo coo_cols_out new_cols_coo aj", "column of each entry", "nnz"),
    data("v_out", FLOAT, 0, 0, "values_out vals_out new_values av", "value of each entry", "nnz"),
    data("meet", INT, 0, 0, "overlap num_common shared_cols meet", "number of common columns"),
    data("nlink", INT, 0, 0, "num_links reach coupling_count links", "number of paths of two entries"),
    data("quad", FLOAT, 0, 0, "quad_form energy xAx quadratic", "quadratic form of each system", "sys"),
    data("soft", FLOAT, 0, 0, "shrunk prox_out soft_out thresholded", "value after the threshold", "n"),
    data("scaled", FLOAT, 0, 0, "scaled_out damped saturated scaled", "scaled value of each unknown", "n"),
    data("bmat_out", MAT33, 0, 0, "blocks_out D_out new_blocks shifted", "new diagonal blocks", "blocks"),
    data("hess_out", MAT22, 0, 0, "hessians_out H_new approx_out B_new", "new matrix of each system", "sys"),
    data("bstep", VEC3, 0, 0, "steps3 dx3_out step_out delta_v", "step of each block", "blocks"),
    data("bacc3", VEC3, 0, 0, "rhs_acc3 f_acc3 load_acc b3_acc", "right-hand side in blocks", "blocks", start=0),
    integer("budget", 2, 4, "max_retries retry_limit budget tries", "largest number of attempts"),
    number("aa", 0.2, 1.5, "alpha a step_a scale", "step length"),
    number("bb", 0.1, 0.9, "beta b_mix mix gamma", "share of the second vector"),
    number("cut", 0.2, 0.6, "threshold cut kappa level_cut", "value below which entries are dropped"),
    number("cap", 0.7, 1.3, "cap max_value clip limit", "largest magnitude"),
    number("soften", 0.05, 0.4, "epsilon eps softening delta", "smallest scale"),
    number("power", 0.5, 2.0, "exponent power gamma_exp order", "exponent"),
)  # fmt: skip

SHORT_HELPERS = (
    helper("rms", "def ⟨root_mean|rms_scale⟩(v: float, eps: float)⟨| -> float⟩:\n    return wp.sqrt(v) + eps"),
    helper("blend", "def ⟨blend|ema|mix_values⟩(old: float, new: float, share: float)⟨| -> float⟩:\n    return share * old + (1.0 - share) * new"),
    helper("clip", "def ⟨clip_step|limit_value⟩(s: float, limit: float)⟨| -> float⟩:\n    return wp.clamp(s, -limit, limit)"),
    helper("axpy3", "def ⟨axpy3|add_scaled⟩(a: float, x: wp.vec3, y: wp.vec3)⟨| -> wp.vec3⟩:\n    return a * x + y"),
    helper("apply3", "def ⟨apply_block|block_mul⟩(m: wp.mat33, x: wp.vec3)⟨| -> wp.vec3⟩:\n    return m * x"),
    helper("defect3", "def ⟨defect|block_residual⟩(b: wp.vec3, ax: wp.vec3)⟨| -> wp.vec3⟩:\n    return b - ax"),
    helper("linear", "def ⟨linear_index|entry_key⟩(r: int, c: int, n: int)⟨| -> int⟩:\n    return r * n + c"),
    helper("upper_of", "def ⟨larger|upper_index⟩(r: int, c: int)⟨| -> int⟩:\n    return wp.max(r, c)"),
    helper("gap_of", "def ⟨index_gap|band_distance⟩(r: int, c: int)⟨| -> int⟩:\n    return wp.abs(r - c)"),
)  # fmt: skip
