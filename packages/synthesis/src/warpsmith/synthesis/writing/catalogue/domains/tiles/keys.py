"""Ideas of the domain `tiles`: scans, sorts, extremes and bits of whole numbers, and weights that follow from them."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64, 64, 128)

KEYS = (
    Idea(
        "prefix",
        "⟨1:prefix_sum|scan_with_totals|number_kept⟩ ⟨1:block_scan|scan_blocks|assign_slots⟩",
        "compute ⟨1:running sums of keys|running sums and totals|the slots of kept elements⟩ in each block",
        """
        ⟨1:$scan = wp.tile_scan_⟨inclusive|exclusive⟩(⟨$kt|$k2t|wp.tile_map(@recode, $kt)⟩)
        wp.tile_store({ko}, $scan⟨| + $kt⟩, offset=$i * {t})|$scan = wp.tile_scan_⟨inclusive|exclusive⟩($kt)
        wp.tile_store({ko}, $scan, offset=$i * {t})
        ⟨# added to the following blocks later
        |⟩wp.tile_store({kb}, wp.tile_sum($kt), offset=$i)|⟨$fl = $ft|$fl = wp.tile_map(@test, $kt)⟩
        # number of kept elements before each one
        $slot = wp.tile_scan_exclusive($fl)
        wp.tile_store({ko}, $slot⟨| * $fl|⟩, offset=$i * {t})
        ⟨wp.tile_store({kb}, wp.tile_sum($fl), offset=$i)|wp.tile_atomic_add({ktot}, wp.tile_sum($fl), offset=0)⟩⟩
        """,
        kinds="tile_scan",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "running",
        "running_extremes scan_extremes cumulative_extreme running_limits",
        "compute the running ⟨1:maximum|minimum|range⟩ of keys",
        """
        ⟨1:$r = wp.tile_scan_max_inclusive(⟨$kt|$k2t⟩)|$r = wp.tile_scan_min_inclusive(⟨$kt|$k2t⟩)|$r = wp.tile_scan_max_inclusive($kt) - wp.tile_scan_min_inclusive($kt)⟩
        ⟨2:$r = $r - ⟨$kt|$k2t⟩
        |$r = wp.tile_map(@recode, $r)
        |⟩wp.tile_store({ko}, $r, offset=⟨$i * {t}|($i * {t},)⟩)
        """,
        kinds="tile_scan",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "sort",
        "sort_blocks block_sort sort_tiles sort_pairs",
        "sort the keys of each block⟨1:, with their places|, with values⟩",
        """
        $pt = wp.tile_load({kp}, shape={t}, offset=$i * {t}⟨|, storage="shared"⟩)
        ⟨1:# places before the sort
        $val = wp.tile_arange(⟨{t}|0, {t}, 1⟩, dtype=int)⟨| + wp.tile_full(shape={t}, value=$i * {t}, dtype=int)⟩|$val = wp.tile_load({k2}, shape={t}, offset=$i * {t})⟩
        wp.tile_sort($pt, $val)
        ⟨2:wp.tile_store({ko}, $pt, offset=$i * {t})
        wp.tile_store({ko2}, $val, offset=$i * {t})|wp.tile_store({ko2}, $val, offset=$i * {t})|wp.tile_store({ko}, $pt⟨| + $val⟩, offset=$i * {t})⟩
        """,
        kinds="tile_scan",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "best",
        "find_best select_key arg_extreme best_key_of_block",
        "find the place of the ⟨1:smallest|largest⟩ key in each block",
        """
        ⟨2:$val_t = $pt|$val_t = $pt * 2 + $ft|$val_t = ⟨$pt * 3 - $ft|$pt - $ft * 1024⟩⟩
        $place = wp.tile_⟨1:argmin|argmax⟩($val_t)
        ⟨3:⟨# place in the whole array
        |⟩wp.tile_store({kb}, $place + wp.tile_full(shape=1, value=$i * {t}, dtype=int), offset=$i)|wp.tile_store({kb}, $place, offset=$i)
        wp.tile_store({kb2}, wp.tile_⟨1:min|max⟩($val_t), offset=$i)|$at = wp.tile_extract($place, 0)
        wp.tile_store({kb}, wp.tile_view($kt, offset=($at,), shape=(1,)), offset=$i)⟩
        """,
        kinds="tile_scan",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "extent",
        "summarize_keys reduce_keys block_summary key_statistics",
        "compute ⟨1:the range|the largest key|the sum|a checksum⟩ of the keys of each block",
        """
        ⟨1:$hi = wp.tile_max($kt)
        $lo = wp.tile_min(⟨$kt|$k2t⟩)
        wp.tile_store({kb}, $hi - $lo, offset=$i)⟨
        wp.tile_store({kb2}, $hi, offset=$i)|⟩|$hi = wp.tile_reduce(⟨wp.max|wp.min|@larger⟩, ⟨$kt|$kt + $k2t⟩)
        wp.tile_store({kb}, $hi, offset=$i)|$cnt = wp.tile_⟨reduce(wp.add, |sum(⟩wp.tile_map(@⟨recode|test⟩, $kt))
        wp.tile_⟨store({kb}, $cnt, offset=$i)|atomic_add({ktot}, $cnt, offset=0)⟩|⟨$low_bits = wp.tile_full(shape={t}, value=⟨7|15⟩, dtype=int)
        $hashed = $kt & $low_bits|$hashed = $kt ^ $k2t⟩
        wp.tile_store({kb}, wp.tile_sum($hashed), offset=$i)⟩
        """,
        kinds="tile_scan",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "bits",
        "⟨2:toggle_bits|mix_keys|mask_bits|clear_bits⟩ ⟨2:flip_bits|combine_keys|keep_bits|remove_bits⟩",
        "⟨2:toggle the bits of keys by|mix the bits of keys with|keep the bits of keys that are set in|clear the bits of keys that are set in⟩ ⟨1:a mask|other keys|their places in the tile⟩",
        """
        ⟨1:$mask = wp.tile_full(shape={t}, value=⟨7|31|$i⟩, dtype=int)|$mask = $k2t|$mask = wp.tile_arange(⟨{t}|0, {t}, 1⟩, dtype=int)⟩
        ⟨2:$hashed = $kt ^ $mask|$hashed = $kt
        $hashed ^= $mask|$hashed = $kt
        $hashed &= $mask|$hashed = ($kt | $mask) ^ $mask⟩
        ⟨wp.tile_store({ko}, $hashed, offset=$i * {t})|wp.tile_store({kb}, wp.tile_⟨sum|max⟩($hashed), offset=$i)⟩
        """,
        kinds="tile_scan",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "rows_i",
        "reduce_code_rows row_reduce count_rows row_summary",
        "reduce each row of whole numbers to its ⟨1:extreme|sum|count⟩",
        """
        $val_t = wp.tile_load({k2d}, shape=({tr}, {cols}), offset=($i * {tr}, 0))
        ⟨1:$r = wp.tile_reduce(⟨wp.max|wp.min|@larger⟩, $val_t, axis=1)|$r = wp.tile_⟨reduce(wp.add, |sum(⟩$val_t, axis=1)|$r = wp.tile_sum(wp.tile_map(@test, $val_t), axis=1)⟩
        wp.tile_store({krow}, $r, offset=⟨$i * {tr}|($i * {tr},)⟩)
        """,
        kinds="tile_scan",
        integer=True,
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "reorder",
        "reorder_by_key sort_values gather_sorted apply_order",
        "bring values into the order of their ⟨1:keys|own size⟩",
        """
        $order = wp.tile_arange({t}, dtype=int)
        ⟨1:$pt = wp.tile_load({kp}, shape={t}, offset=$i * {t})
        wp.tile_sort($pt, $order)|$by = wp.tile_load({y}, shape={t}, offset=$i * {t})
        wp.tile_sort($by, $order)⟩
        ⟨2:wp.tile_store({out}, $xt[$order], offset=$i * {t})|$r = $xt[$order] ⟨* 0.5|- $zt|* $wt⟩
        wp.tile_store({out}, $r, offset=$i * {t})⟩
        """,
        kinds="tile_scan",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "weights",
        "⟨1:weight_by_count|weight_by_share|discount_places⟩ ⟨1:weight_by_scan|scale_by_keys|discount_tiles⟩",
        "weight values by ⟨1:running counts|the share of the keys|discounts of their places⟩",
        """
        ⟨1:$cnt = wp.tile_scan_⟨inclusive|exclusive⟩(⟨$ft|$kt⟩)
        $r = $xt * wp.tile_astype($cnt, dtype=float) * ⟨0.01|0.001⟩|$all = wp.tile_reduce(⟨wp.add|wp.max⟩, $kt)
        $share = wp.tile_broadcast(wp.tile_astype($all, dtype=float), shape=({t},))
        $r = $xt * $share * 0.001|$steps = wp.tile_scan_⟨inclusive|exclusive⟩(wp.tile_ones(shape={t}, dtype=float))
        $r = $xt ⟨* $steps * 0.01|- $steps * 0.1⟩⟩
        hook vector
        wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile_scan",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "limit",
        "limit_blocks scale_if_large clip_by_extreme trust_region_blocks",
        "scale each block down if its ⟨1:largest value|largest key|smallest value⟩ is beyond a limit",
        """
        $factor = float(1.0)
        ⟨1:$top = wp.tile_extract(wp.tile_max($yt), 0)
        if $top > ⟨0.95|0.97⟩:|$top = wp.tile_extract(wp.tile_max($kt), 0)
        if $top > 96:|$low = wp.tile_extract(wp.tile_min($yt), 0)
        if $low < -0.96:⟩
            ⟨# too far from the reference
            |⟩$factor = ⟨0.5|0.25⟩
        $r = $xt * $factor⟨| + $zt⟩
        wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile_scan",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "nearest",
        "pick_extreme reference_element pivot_scale subtract_pivot",
        "⟨1:scale|shift⟩ each block by the element at the ⟨2:largest key|smallest key|largest key⟩",
        """
        $at = wp.tile_extract(wp.tile_⟨2:argmax($pt)|argmin($pt)|argmax($pt * 2 + $ft)⟩, 0)
        $pivot = wp.tile_broadcast(wp.tile_view($yt, offset=($at,), shape=(1,)), shape=({t},))
        $r = $xt ⟨1:* $pivot|- $pivot⟩
        wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile_scan",
        blocks=BLOCKS,
        tiled=True,
    ),
)
