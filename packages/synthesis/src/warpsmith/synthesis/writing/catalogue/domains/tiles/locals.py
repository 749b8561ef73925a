"""Locals, names and extras of the domain `tiles`: loads of tiles, and results that kernels store besides."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

_LOADS = {"xt": "x", "yt": "y", "zt": "z", "wt": "w", "kt": "k", "k2t": "k2", "ft": "flag", "pt": "kp"}

LOCALS = (
    local("start", "$i * {t}"),
    *(
        local(
            key,
            f'wp.tile_load({{{array}}}, ⟨shape={{t}}, offset=$i * {{t}}|shape=({{t}},), offset=($i * {{t}},)⟩⟨||, storage="shared"⟩)',
            f"wp.tile_load({{{array}}}, ⟨shape={{t}}, offset=$start|shape=({{t}},), offset=($start,)⟩)",
        )
        for key, array in _LOADS.items()
    ),
    *(
        local(
            key,
            f'wp.tile_load({{{array}}}, shape=({{tr}}, {{cols}}), offset=($i * {{tr}}, 0)⟨||, storage="shared"⟩)',
            f"wp.tile_load({{{array}}}, ({{tr}}, {{cols}}), offset=($row, 0))",
        )
        for key, array in {"mt": "m", "m2t": "m2"}.items()
    ),
    local("row", "$i * {tr}"),
    local("blk", "$p // {block}"),
    local(
        "spd",
        """
        $a = wp.tile_load({s}[$sy], shape=({dim}, {dim})⟨|, storage="shared"⟩)
        $reg = wp.tile_diag_add(wp.tile_zeros(shape=({dim}, {dim}), dtype=float), wp.tile_full(shape={dim}, value=⟨{ridge}|{ridge2}⟩, dtype=float))
        ⟨# symmetric and positive definite
        |⟩$spd = ⟨wp.tile_matmul($a, wp.tile_transpose($a)) + $reg|$a * 0.1 + wp.tile_transpose($a) * 0.1 + $reg⟩
        """,
    ),
    # queries
    local("n", "wp.tile_zeros(shape={block}, dtype=int)"),
    local("center", "{ctr3}[$q]"),
    local(
        "lower",
        "$center - wp.vec3(⟨{reach}, {reach}, {reach}|{reach}, {reach}, 0.5⟩)",
        "$center - {ext}[$q]",
        "wp.min($center, $center + {dirs}[$q] * 0.5) - wp.vec3(0.2, 0.2, 0.2)",
    ),
    local(
        "upper",
        "$center + wp.vec3(⟨{reach}, {reach}, {reach}|0.5, {reach}, {reach}⟩)",
        "$center + {ext}[$q]",
        "wp.max($center, $center + {dirs}[$q] * 0.5) + wp.vec3(0.2, 0.2, 0.2)",
    ),
)

_SEARCHES = (
    ("$query = wp.tile_bvh_query_aabb({tree}, $lower, $upper)", "wp.tile_bvh_query_next($query)"),
    ("$query = wp.bvh_query_aabb_tiled({tree}, $lower, $upper)", "wp.bvh_query_next_tiled($query)"),
    ("$query = wp.tile_bvh_query_ray({tree}, $center, {dirs}[$q])", "wp.tile_bvh_query_next($query)"),
    ("$query = wp.bvh_query_ray_tiled({tree}, $center, {dirs}[$q])", "wp.bvh_query_next_tiled($query)"),
    ("$query = wp.tile_mesh_query_aabb({mesh}, $lower, $upper)", "wp.tile_mesh_query_aabb_next($query)"),
    ("$query = wp.mesh_query_aabb_tiled({mesh}, $lower, $upper)", "wp.mesh_query_aabb_next_tiled($query)"),
)

LOOPS = (
    loop(
        "found",
        *(
            f"{search}\n$ids = {step}\nwhile ⟨wp.tile_query_valid($query)|wp.tile_extract(wp.tile_max($ids), 0) >= 0⟩:\n    body\n    $ids = {step}"
            for search, step in _SEARCHES
        ),
    ),
)

EXTRAS = (
    Extra("vector", "wp.tile_store({pb}, wp.tile_sum($r), offset=$i)"),
    Extra("vector", "wp.tile_atomic_add({total}, wp.tile_sum($r * $r), offset=0)"),
    Extra("vector", "wp.tile_store({pb2}, wp.tile_dot($r, $r), offset=$i)"),
)

NAMES = {
    "xt": "x_tile xs t tile", "yt": "y_tile ys other_tile u", "zt": "z_tile zs dir_tile", "wt": "w_tile ws weight_tile",
    "kt": "keys_t key_tile ids codes_t", "k2t": "vals_t value_tile costs_t", "ft": "flags_t keep_tile mask_t",
    "pt": "ranks_t code_tile keys_t ids", "mt": "rows tile x_tile block", "m2t": "other_rows skip_tile res_tile",
    "r": "r result out_tile res", "v": "v vals terms", "sum": "s total_t block_total acc_sum", "d": "d diff delta_t",
    "acc": "acc accum running_t", "part": "chunk part q", "c": "c step chunk_id", "mean": "mean mu avg",
    "var": "var variance sigma2", "inv": "inv inv_std rstd", "start": "start begin base_idx", "row": "row row_start first_row",
    "ex": "e exps exp_t", "den": "z denom row_total", "z2": "z_col denom_col total_col", "norm": "y normed y_tile",
    "half_t": "h half_tile packed", "gain": "s gain scale_t", "top": "top row_max m", "shift": "shifted centered d_max",
    # products
    "ks": "k step kk k_tile", "kern": "k_val kernel_t sim", "ctrs": "c centers_t means_t", "prod": "p prod product_t",
    "dist": "d dist dist_sq", "flatp": "p3 prod_3d stacked", "vec": "v vec x_vec", "gm": "g gram_t normal", "jac": "j jac jac_t",
    "a": "a a_tile A lhs_t", "b": "b b_tile B rhs_t", "bias": "bias bias_t b_row", "tile": "tile src_tile t", "flip": "flip t_tile a_t",
    "dot": "dots inner xy", "pp": "pp p_norms x_sq", "cc": "cc c_norms c_sq", "jt": "jac_t j_t jT", "old": "old prev_c c_tile",
    "wide": "wide v_rows tiled_v", "col": "col x_col v_col",
    # spectra
    "sig": "sig spectrum_t row_t signal_t", "ker": "ker other_t kernel_t", "resp": "h resp response_t", "wave": "k wave_t omega_t",
    "pw": "p psd power_t", "back": "back samples_t inverse",
    # systems
    "spd": "spd A_reg normal system", "l": "L chol factor", "reg": "reg diag_t ridge_t", "sol": "x sol dx", "fwd": "y fwd half_solve",
    "white": "z white w_res", "mat": "m H sym", "diag": "d diag shift_t", "rhs": "rhs b_t load_t", "ax": "Ax a_x product_t",
    # keys
    "scan": "scan prefix sums_t", "hashed": "h mixed hashed", "cnt": "n count_t cnt", "fl": "f kept marks", "mask": "mask m bits_t",
    "low_bits": "low_bits b_mask lsb", "val_t": "v vals cost_t", "order": "order perm source", "place": "place best arg",
    "at": "at where_idx best_id", "hi": "hi top highest", "lo": "lo low lowest", "slot": "slot dest place", "pivot": "pivot ref_t anchor",
    # rows by index
    "rows": "rows row_tile picked_t", "idx": "idx indices sel", "cols": "cols channel_t col_idx", "coef": "c coef taps_t",
    "entry": "e entry corner", "stage_in": "w tile rows_in", "stage": "stage shared_t buf", "rng": "rng state",
    # threads
    "blk": "block_id block blk", "s": "s partial thread_sum acc", "elem": "idx gid elem", "total": "total block_total row_total", "k": "k j col", "all": "all_t t values_t", "key": "key label k", "st": "stack pending queue", "item": "item top popped",
    "local_h": "h bins_t local_hist", "bin": "bin b bin_id", "comps": "w comps parts", "place_t": "z placed shared_t",
    "points": "p points_t x_rows", "factor": "factor f damp", "rand_t": "u noise rnd", "jit": "jitter rnd_i offsets_t", "keys": "keys_t all_keys labels_t", "lead": "lead leader first_key", "codes": "codes tags code_t",
    # queries
    "n": "counts n_found per_thread hits_t", "query": "query search q", "ids": "ids found result hit", "center": "center p point",
    "lower": "lower lo box_min", "upper": "upper hi box_max", "id": "hit_id found_id elem", "best": "best last_t running_max",
}  # fmt: skip
