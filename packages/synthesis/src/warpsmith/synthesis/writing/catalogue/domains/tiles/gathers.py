"""Ideas of the domain `tiles`: rows by index, parts of tiles in shared memory, windows and random masks."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64, 64, 128)

GATHERS = (
    Idea(
        "gather",
        "gather_rows embedding_lookup load_rows lookup_table",
        "gather rows of a table by index⟨1:|, and map them|, and scale them by updates⟩",
        """
        $idx = wp.tile_load({ids}, shape={pick}, offset=$gi * {pick}⟨|, storage="shared"⟩)
        ⟨# one row for each index
        |⟩$rows = wp.tile_load_indexed({table}, indices=$idx, shape=({pick}, {dep}), offset=(0, 0), axis=0)
        ⟨1:|$rows = wp.tile_map(⟨@activate|@shrink|wp.tanh⟩, $rows)
        |$rows = $rows ⟨*|+⟩ wp.tile_load({src}, shape=({pick}, {dep}), offset=($gi * {pick}, 0))
        ⟩wp.tile_store({picked}, $rows, offset=($gi * {pick}, 0))
        """,
        threads="gi",
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "scatter",
        "scatter_rows embedding_backward accumulate_rows scatter_add_tiles",
        "add ⟨1:rows|scaled rows|mapped rows⟩ to a table by index",
        """
        $idx = wp.tile_load({ids}, shape={pick}, offset=$gi * {pick})
        $rows = wp.tile_load({src}, shape=({pick}, {dep}), offset=($gi * {pick}, 0)⟨|, storage="shared"⟩)
        ⟨1:|$rows = $rows * ⟨0.5|0.25|{mix}⟩
        |$rows = wp.tile_map(⟨@activate|@shrink⟩, $rows)
        ⟩⟨# several blocks may have the same index
        |⟩wp.tile_atomic_add_indexed({table_out}, indices=$idx, t=$rows, offset=(0, 0), axis=0)
        """,
        threads="gi",
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "permute",
        "permute_columns reorder_channels shuffle_features select_columns",
        "bring the columns of rows into another order⟨1:| and square them| and map them⟩",
        """
        $rows = wp.tile_load({src}, shape=({pick}, {dep}), offset=($gi * {pick}, 0)⟨|, storage="shared"⟩)
        $cols = wp.tile_load({permute}, shape={dep}⟨|, offset=0⟩)
        ⟨1:$r = $rows[:, $cols]|$moved = $rows[:, $cols]
        $r = $moved * $moved|$moved = $rows[:, $cols]
        $r = wp.tile_map(⟨@activate|wp.tanh⟩, $moved)⟩
        wp.tile_store({picked}, $r, offset=($gi * {pick}, 0))
        """,
        threads="gi",
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "shuffle",
        "shuffle_rows reorder_rows pick_rows store_rows_indexed",
        "bring the rows of each block into another order by ⟨1:a gather|stores to places⟩",
        """
        $stage_in = wp.tile_load({pairs_in}, shape=({two}, {dep}), offset=($gi * {two}, 0)⟨|, storage="shared"⟩)
        ⟨1:$idx = wp.tile_load({order}, shape={two})
        $r = $stage_in[$idx]
        wp.tile_store({staged}, $r, offset=($gi * {two}, 0))|$at = wp.tile_load({order}, shape={two})
        ⟨$stage_in = wp.tile_map(⟨@activate|@shrink⟩, $stage_in)
        |⟩wp.tile_store_indexed({staged}, indices=$at, t=$stage_in, offset=($gi * {two}, 0), axis=0)⟩
        """,
        threads="gi",
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "crop",
        "pool_rows reduce_row_group crop_tile summarize_group",
        "reduce the rows of each block to ⟨1:the sum of every second one|one of them|the sum of all but the first⟩",
        """
        $stage_in = wp.tile_load({pairs_in}, shape=({two}, {dep}), offset=($gi * {two}, 0)⟨|, storage="shared"⟩)
        ⟨1:⟨$part = $stage_in[0:{two}:2]|$part = $stage_in[⟨0|1⟩:{two}:2, :]|$even = wp.tile_arange(0, {two}, 2, dtype=int)
        $part = $stage_in[$even]⟩
        $sum = wp.tile_sum($part, axis=0)|⟨$sum = $stage_in[⟨0|2|3⟩]|$sum = wp.tile_squeeze(wp.tile_view($stage_in, offset=(⟨1|4⟩, 0), shape=(1, {dep})))|$sum = wp.tile_squeeze($stage_in[3:4], axis=(0,))⟩|$part = $stage_in[⟨1|2⟩:{two}]
        $sum = wp.tile_sum($part, axis=0)⟩
        wp.tile_store({sel}, wp.tile_reshape($sum, shape=(1, {dep})), offset=($gi, 0))
        """,
        threads="gi",
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "stage",
        "⟨1:add_first_row|gate_rows⟩ stage_tiles",
        "place rows in a tile and ⟨1:add the first row of their group|gate them by an activation⟩",
        """
        $stage = wp.tile_⟨zeros|empty⟩(shape=({pick}, {dep}), dtype=float⟨, storage="shared"|⟩)
        $rows = wp.tile_load({src}, shape=({pick}, {dep}), offset=($gi * {pick}, 0))
        wp.tile_assign($stage, $rows, offset=(0, 0))
        ⟨1:$first = wp.tile_load({pairs_in}, shape=(1, {dep}), offset=($gi * {two}, 0))
        $r = $stage + wp.tile_broadcast($first, shape=({pick}, {dep}))|$r = $stage * wp.tile_map(⟨@activate|wp.tanh⟩, $rows)⟩
        wp.tile_store({picked}, $r, offset=($gi * {pick}, 0))
        """,
        threads="gi",
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "window",
        "three_point_filter banded_filter fir_tiles stencil_tiles",
        "filter a signal with a window of three samples: ⟨1:weighted sums|second differences|products with their neighbours⟩",
        """
        $lo = wp.tile_load({padded}, ⟨shape={t}, offset=$i * {t}|shape=({t},), offset=($i * {t},)⟩)
        $mid = wp.tile_load({padded}, shape={t}, offset=$i * {t} + 1)
        $hi = wp.tile_load({padded}, shape={t}, offset=$i * {t} + 2)
        ⟨1:$coef = wp.tile_load({taps}, shape=4, storage="shared")
        $r = wp.tile_broadcast($coef[0:1], shape=({t},)) * $lo + wp.tile_broadcast($coef[1:2], shape=({t},)) * $mid
        $r += wp.tile_broadcast($coef[2:3], shape=({t},)) * $hi|⟨# discrete Laplacian
        |⟩$r = $lo - ⟨2.0 * $mid|$mid * 2.0⟩ + $hi|$r = $mid * ($lo ⟨+|-⟩ $hi)⟩
        hook vector
        wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile_shared tile",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "dropout",
        "randomize_tiles perturb_tiles random_tiles noise_layer",
        "⟨1:drop random elements|scale elements by random factors|add random numbers⟩ of each block",
        """
        $rng = wp.rand_init({seed}⟨ + $i|, $i⟩)
        ⟨1:$u = wp.tile_randf(shape={t}, rng=$rng)
        $mask = wp.tile_map(@keep, $u)
        $r = $xt * $mask|$u = wp.tile_randf(shape={t}, rng=$rng, min=0.5, max=1.5)
        $r = $xt * $u|$u = wp.tile_randf(shape={t}, rng=$rng)
        $r = $xt + $u * ⟨0.1|0.01⟩⟩
        wp.tile_store({out}, $r, offset=$i * {t})
        """,
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "subset",
        "sample_rows random_rows bootstrap_rows draw_minibatch",
        "draw random rows of a table⟨1:| and map them⟩",
        """
        # a different seed for each block
        $rng = wp.rand_init(⟨{seed}, $gi|{seed} + $gi⟩)
        $idx = wp.tile_randi(shape={pick}, rng=$rng, min=0, max=⟨16|18⟩)
        $rows = wp.tile_load_indexed({table}, indices=$idx, shape=({pick}, {dep}), offset=(0, 0), axis=0)
        ⟨1:|$rows = wp.tile_map(⟨@activate|@shrink⟩, $rows)
        ⟩wp.tile_store({picked}, $rows, offset=($gi * {pick}, 0))
        """,
        threads="gi",
        kinds="tile_shared",
        blocks=BLOCKS,
        tiled=True,
    ),
)
