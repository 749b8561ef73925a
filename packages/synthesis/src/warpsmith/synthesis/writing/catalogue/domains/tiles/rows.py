"""Ideas of the domain `tiles`: vectors and rows of values, one part for each block."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64, 64, 128)

ROWS = (
    Idea(
        "axpby",
        "axpby_tiled scale_add_tiles combine_tiles tile_axpy",
        "⟨1:add multiples of two vectors|subtract a multiple of one vector from another|step along a direction⟩, one part for each block",
        """
        ⟨1:⟨2:$r = $xt * ⟨{alpha}|0.5⟩ + $yt|$r = $yt
        wp.tile_axpy(⟨0.5|2.0⟩, $xt, $r)|$r = $xt * 0.75 + $yt * 0.25⟩|$r = $yt - $xt * ⟨{alpha}|0.5|{mix}⟩|$r = $xt
        ⟨$r += $zt * 0.1|$r -= $zt * {alpha}|wp.tile_axpy(⟨0.1|0.01|0.5⟩, $zt, $r)⟩⟩
        hook vector
        wp.tile_⟨store|store|atomic_add⟩({out}, $r, offset=⟨$i * {t}|($i * {t},)⟩)
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "map",
        "activate_tiles map_tiles apply_activation threshold_tiles",
        "map a function over ⟨1:a vector|two vectors|three vectors⟩, one part for each block",
        """
        ⟨1:$r = wp.tile_map(⟨@activate|@shrink|wp.tanh⟩, $xt)|$r = wp.tile_map(⟨@loss|@blend|wp.min|wp.max⟩, $xt, $yt)|$r = wp.tile_map(@fma, $xt, $yt, $wt)⟩
        ⟨2:$r = $r * $wt
        |$r += ⟨$xt|$yt⟩
        |⟩hook vector
        wp.tile_store({out}, $r, offset=⟨$i * {t}|($i * {t},)⟩)
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "block_sum",
        "block_sum reduce_tiles sum_blocks tile_reduce_sum",
        "sum ⟨1:values|squares|weighted values|distances⟩ over each block",
        """
        ⟨1:$v = $xt|$v = $xt * $xt|$v = $xt * $wt|$v = wp.tile_map(wp.abs, $xt - $yt)⟩
        $sum = wp.tile_sum($v)
        ⟨2:wp.tile_store({pb}, $sum, offset=$i)|wp.tile_atomic_add({total}, $sum, offset=0)|wp.tile_store({pb}, $sum, offset=$i)
        ⟨# total over all blocks
        |⟩wp.tile_atomic_add({total}, $sum, offset=⟨0|(0,)⟩)⟩
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "block_dot",
        "block_dot dot_tiles tiled_dot partial_dots",
        "compute partial dot products ⟨1:of two vectors|and the squared norm|of a residual and a direction⟩",
        """
        ⟨1:$d = wp.tile_dot($xt, $yt)|$d = wp.tile_dot($xt, $yt)
        wp.tile_store({pb2}, wp.tile_dot($xt, $xt), offset=$i)|⟨# residual of the diagonal system
        |⟩$res = $yt - $wt * $xt
        $d = wp.tile_dot($res, ⟨$zt|$res⟩)
        ⟨wp.tile_store({out2}, $res, offset=$i * {t})
        |⟩⟩
        ⟨wp.tile_store({pb}, $d, offset=$i)|wp.tile_atomic_add({total}, $d, offset=0)⟩
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "chunked",
        "sum_chunks accumulate_chunks stream_reduce long_rows",
        "accumulate ⟨1:values|squares|absolute values⟩ of a long row, one chunk after the other",
        """
        $acc = wp.tile_zeros(shape=⟨{t}|({t},)⟩, dtype=float)
        for $c in range({steps}):
            ⟨# next chunk of this row
            |⟩$part = wp.tile_load({chunks}[$i], shape={t}, offset=$c * {t})
            ⟨1:⟨$acc += $part|$acc = $acc + $part⟩|$acc += $part * $part|$acc += wp.tile_map(⟨wp.abs|@activate⟩, $part)⟩

        ⟨wp.tile_store({pb}, wp.tile_sum($acc), offset=$i)|wp.tile_store({out}, $acc⟨| * (1.0 / float({steps}))⟩, offset=$i * {t})⟩
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "fill",
        "fill_tiles init_tiles set_tiles ramp_tiles",
        "set each part of a vector to ⟨1:a constant, changed by values|a ramp|the number of its block⟩",
        """
        ⟨1:$v = ⟨wp.tile_ones(shape={t}, dtype=float) - $xt|wp.tile_ones(shape=({t},), dtype=float) + $xt * $xt|wp.tile_full(shape={t}, value=0.5, dtype=float) * $xt⟩|$v = wp.tile_astype(wp.tile_arange(⟨0, {t}, 1|{t}⟩, dtype=int), dtype=float)|$v = wp.tile_full(shape=({t},), value=float($i), dtype=float)⟩
        ⟨2:$v = $v * $xt
        |$v += $yt
        |⟩wp.tile_⟨store|atomic_add⟩({acc}, $v, offset=$i * {t})
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "center",
        "center_tiles remove_mean center_blocks subtract_mean",
        "subtract the mean of each block ⟨1:|and measure what remains|and scale what remains⟩",
        """
        # mean over the block
        $mean = wp.tile_sum($xt) * (1.0 / float({t}))
        $r = $xt - wp.tile_broadcast($mean, shape=({t},))
        ⟨1:|$var = wp.tile_dot($r, $r) * (1.0 / float({t}))
        wp.tile_store({pb2}, $var, offset=$i)
        |$var = wp.tile_sum($r * $r) * (1.0 / float({t}))
        $inv = wp.tile_map(@inv_sqrt, $var)
        $r = $r * wp.tile_broadcast($inv, shape=({t},))
        ⟩⟨wp.tile_store({pb}, $mean, offset=$i)
        |⟩wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile",
        docs="Each block has zero mean afterwards",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "convert",
        "convert_tiles widen_tiles cast_tiles accumulate_double",
        "⟨1:accumulate in double precision|unpack half precision|square in double precision⟩, one part for each block",
        """
        ⟨1:$d = wp.tile_astype($xt, dtype=wp.float64)
        ⟨$d = $d * $d
        |$d += wp.tile_astype($yt, dtype=wp.float64)
        |⟩wp.tile_store({wide}, $d, offset=$i * {t})|$half_t = wp.tile_load({narrow}, shape={t}, offset=$i * {t})
        $r = wp.tile_astype($half_t, dtype=float)
        wp.tile_store({out}, $r, offset=$i * {t})|$d = wp.tile_astype($xt, dtype=wp.float64)
        $r = wp.tile_astype($d * $d, dtype=⟨float|wp.float32⟩)
        wp.tile_store({out}, ⟨$r|$r * $wt⟩, offset=$i * {t})⟩
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "pool",
        "pool_pairs pair_step downsample_tiles combine_pairs",
        "⟨1:sum pairs of values|halve the differences of pairs of values|subtract the mean of each pair of values⟩",
        """
        $pair = wp.tile_load({pairs}, shape=({half}, 2), offset=($i * {half}, 0)⟨|, storage="shared"⟩)
        ⟨1:$sum = wp.tile_sum($pair, axis=1)
        wp.tile_store({halves}, $sum, offset=$i * {half})|$low = wp.tile_squeeze($pair[:, 0:1], axis=(1,))
        $high = wp.tile_squeeze($pair[:, 1:2], axis=(1,))
        wp.tile_store({halves}, ($low - $high) * 0.5, offset=$i * {half})|$sum = wp.tile_reshape(wp.tile_sum($pair, axis=1), shape=({half}, 1))
        $rest = $pair - wp.tile_broadcast($sum, shape=({half}, 2)) * 0.5
        wp.tile_store({pairs_out}, $rest, offset=($i * {half}, 0))⟩
        """,
        kinds="tile tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "scale_block",
        "scale_blocks apply_block_gain modulate_tiles gate_blocks",
        "scale each part by ⟨1:a factor of its block|a factor that depends on its place|its first element⟩",
        """
        ⟨1:$gain = wp.tile_load({scale}, shape=1, offset=$i)
        $r = $xt * wp.tile_broadcast($gain, shape=({t},))|$r = $xt * wp.where($i ⟨> 0|% 2 == {even}⟩, ⟨0.5|2.0⟩, 1.5)|$ex = ⟨wp.tile_extract($xt, 0)|$xt[0]|$xt[1]⟩
        $r = $yt * $ex⟩
        ⟨2:$r = $r + $zt
        |⟩hook vector
        wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "adapt",
        "momentum_step update_tiles optimizer_step_tiled ema_tiles",
        "update ⟨1:parameters by gradients with momentum|running averages|parameters with weight decay⟩",
        """
        ⟨1:$vel = wp.tile_map(@blend, $zt, $yt)
        $r = $xt - $vel * ⟨0.01|0.1⟩
        wp.tile_store({out2}, $vel, offset=$i * {t})|$r = wp.tile_map(@blend, $xt, $yt)⟨|
        $r = $r * $wt⟩|# decoupled decay
        $r = $xt * ⟨0.99|0.95⟩ - $yt * ⟨0.1|{alpha}⟩⟩
        hook vector
        wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "softmax",
        "softmax_tiled softmax_forward normalize_scores row_softmax",
        "compute ⟨1:the softmax|the softmax|the logarithm of the sum of exponentials⟩ of each row",
        """
        ⟨# the maximum keeps exponentials from overflow
        |⟩$top = wp.tile_reduce(wp.max, $mt, axis=1)
        $shift = $mt - wp.tile_broadcast(wp.tile_reshape($top, shape=({tr}, 1)), shape=({tr}, {cols}))
        $ex = wp.tile_map(wp.exp, $shift⟨2:| * 0.5⟩)
        $den = wp.tile_sum($ex, axis=1)

        ⟨1:$z2 = wp.tile_reshape($den, shape=({tr}, 1))
        wp.tile_store({m_out}, $ex / wp.tile_broadcast($z2, shape=({tr}, {cols})), offset=($i * {tr}, 0))|$z2 = wp.tile_reshape($den, shape=({tr}, 1))
        $p = $ex / wp.tile_broadcast($z2, shape=({tr}, {cols}))
        ⟨wp.tile_store({m_out}, $p * $m2t, offset=($i * {tr}, 0))|wp.tile_store({rs}, wp.tile_sum($p * $m2t, axis=1), offset=$i * {tr})⟩|wp.tile_store({rs}, wp.tile_map(wp.log, $den) + $top⟨2:| * 0.5⟩, offset=$i * {tr})⟩
        """,
        kinds="tile",
        docs="The shift by the maximum of a row keeps its exponentials from overflow",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "layer_norm",
        "normalize_rows norm_forward row_norm_tiled normalize_features",
        "normalize each row by ⟨1:its mean and variance|its root mean square|its length⟩⟨2:| with a gain and an offset for each column⟩",
        """
        ⟨1:$mean = wp.tile_reshape(wp.tile_sum($mt, axis=1) * (1.0 / float({cols})), shape=({tr}, 1))
        $d = $mt - wp.tile_broadcast($mean, shape=({tr}, {cols}))
        $var = wp.tile_sum($d * $d, axis=1) * (1.0 / float({cols}))|$d = $mt
        $var = wp.tile_sum($mt * $mt, axis=1) * (1.0 / float({cols}))|$d = $mt⟨ + $m2t|⟩
        $var = wp.tile_sum($d * $d, axis=1)⟩
        $inv = wp.tile_map(@inv_sqrt, $var)
        $norm = $d * wp.tile_broadcast(wp.tile_reshape($inv, shape=({tr}, 1)), shape=({tr}, {cols}))
        ⟨2:|$gain = wp.tile_load({gain}, shape={cols})
        ⟨$bias = wp.tile_load({bias}, shape={cols})
        $norm = $norm * wp.tile_broadcast($gain, shape=({tr}, {cols})) + wp.tile_broadcast($bias, shape=({tr}, {cols}))|$norm = $norm * wp.tile_broadcast($gain, shape=({tr}, {cols}))⟩
        ⟩⟨wp.tile_store({rs2}, $inv, offset=$i * {tr})
        |⟩wp.tile_store({m_out}, $norm, offset=($i * {tr}, 0))
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "row_stats",
        "row_statistics summarize_rows reduce_rows row_stats",
        "compute ⟨1:the mean and the variance of each row|the sum of each row|the sums of the columns⟩",
        """
        ⟨1:$sum = wp.tile_sum($mt, axis=1)
        $sq = wp.tile_sum($mt * $mt, axis=1)
        $mean = $sum * (1.0 / float({cols}))
        wp.tile_store({rs}, $mean, offset=$i * {tr})
        wp.tile_store({rs2}, $sq * (1.0 / float({cols})) - $mean * $mean, offset=$i * {tr})|$v = ⟨$mt|$mt * $m2t|$mt - $m2t⟩
        wp.tile_store({rs}, wp.tile_sum($v⟨| * $v⟩, axis=1), offset=$i * {tr})|⟨$sum = wp.tile_sum($mt⟨| * $m2t⟩, axis=0)
        |$ex = wp.tile_map(⟨wp.abs|@activate⟩, $mt)
        $sum = wp.tile_sum($ex, axis=0)
        ⟩wp.tile_atomic_add({cs}, $sum, offset=0)⟩
        """,
        kinds="tile",
        blocks=BLOCKS,
        tiled=True,
    ),
)
