"""Ideas of the domain `tiles`: values of single threads in tiles: sums, slots, bins, stacks, leaders."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64)

THREADS = (
    Idea(
        "block_mean",
        "⟨2:reduce_block|block_energy|sum_threads⟩ reduce_threads",
        "sum ⟨2:a value of each thread over its block|the squares of the values of a block|a value of each thread over all blocks⟩",
        """
        ⟨1:$v = {px}[$p]|$v = {px}[$p] * {pw}[$p]|$d = {px}[$p] - ⟨0.25|0.5⟩
        $v = $d * $d|$v = ⟨@activate|wp.sin|wp.exp⟩({px}[$p])⟩
        $all = wp.tile($v)
        ⟨2:wp.tile_store({bf}, wp.tile_sum($all), offset=$blk)|wp.tile_store({bf}, wp.tile_⟨dot($all, $all)|sum($all * $all)⟩, offset=$blk)|wp.tile_atomic_add({total}, wp.tile_sum($all), offset=0)⟩
        """,
        threads="p",
        kinds="tile_thread",
        blocks=BLOCKS,
    ),
    Idea(
        "untile",
        "⟨1:center_block|map_threads|normalize_block⟩ ⟨1:subtract_block_mean|apply_in_tile|divide_by_energy⟩",
        "⟨1:subtract the mean of the block from|map|divide by the energy of the block⟩ the value of each thread",
        """
        $v = {px}[$p]⟨| * {pw}[$p]⟩
        $all = wp.tile($v)
        ⟨1:$mean = wp.tile_broadcast(wp.tile_sum($all), shape=({block},)) * (1.0 / {block}.0)
        $r = wp.untile($all - $mean)|$r = wp.untile(wp.tile_map(⟨@activate|@shrink|wp.tanh⟩, $all))|$sum = wp.tile_broadcast(wp.tile_sum($all * $all), shape=({block},))
        $r = wp.untile($all / $sum)⟩
        {po}[$p] = $r
        """,
        threads="p",
        kinds="tile_thread",
        blocks=BLOCKS,
    ),
    Idea(
        "vectors",
        "⟨1:sum_vectors|weigh_vectors|square_vectors⟩ ⟨1:reduce_vectors|weighted_vectors|vector_lengths⟩",
        "⟨1:sum the vectors of each block|sum weighted vectors of each block|sum the squares of the components of each vector⟩",
        """
        ⟨1:$v = {pv}[$p]
        $all = wp.tile($v⟨, preserve_type=True⟩)
        wp.tile_store({bv}, wp.tile_sum($all)⟨| * (1.0 / {block}.0)⟩, offset=$blk)|$v = {pv}[$p] * {pw}[$p]
        $all = wp.tile($v, preserve_type=True)
        wp.tile_store({bv}, wp.tile_sum($all), offset=$blk)|$v = {pv}[$p]
        # a tile with three rows
        $comp = wp.tile($v)
        $comp = $comp * $comp
        $comps = wp.untile($comp)
        {po}[$p] = $comps[0] + $comps[1] + $comps[2]⟩
        """,
        threads="p",
        kinds="tile_thread",
        blocks=BLOCKS,
    ),
    Idea(
        "slots",
        "⟨1:count_kept|assign_slots⟩ ⟨1:count_selected|stream_compaction⟩",
        "⟨1:count the kept keys of each block|give each kept key a slot in its block⟩",
        """
        $key = {pk}[$p]
        $keep = ⟨wp.where($key ⟨>|<⟩ {cut_k}, 1, 0)|@test($key)|$key % 2⟩
        $flags = wp.tile($keep)
        ⟨1:⟨wp.tile_store({bn}, wp.tile_sum($flags), offset=$blk)|wp.tile_atomic_add({ktot}, wp.tile_sum($flags), offset=0)⟩|⟨# kept keys before this one
        |⟩$slot = wp.untile(wp.tile_scan_⟨exclusive|inclusive⟩($flags))
        if $keep == 1:
            {pko}[$p] = $slot⟨| + $blk * {block}⟩
        else:
            {pko}[$p] = -1⟩
        """,
        threads="p",
        kinds="tile_thread tile_scan",
        integer=True,
        blocks=BLOCKS,
    ),
    Idea(
        "histogram",
        "⟨1:block_histogram|count_classes|weighted_histogram⟩ bin_threads histogram_keys",
        "count the keys of each block in bins ⟨1:of the block|of the whole launch|and sum their weights⟩",
        """
        $bin = {pk}[$p] % {bins}
        ⟨1:$local_h = wp.tile_zeros(shape={bins}, dtype=int, storage="shared")
        wp.tile_scatter_add($local_h, $bin, 1, ⟨True|{pk}[$p] > {cut_k}⟩)
        wp.tile_store({bh}, wp.tile_reshape($local_h, shape=(1, {bins})), offset=($blk, 0))|$local_h = wp.tile_zeros(shape={bins}, dtype=int, storage="shared")
        wp.tile_scatter_add($local_h, $bin, 1, ⟨True|{pk}[$p] > ⟨9|{cut_k}⟩⟩)
        ⟨# one addition for each bin and block
        |⟩wp.tile_atomic_add({hist}, $local_h, offset=0)|$local_h = wp.tile_zeros(shape={bins}, dtype=float, storage="shared")
        wp.tile_scatter_add($local_h, $bin, {pw}[$p]⟨| * {px}[$p]⟩, ⟨True|{pk}[$p] % 3 != 0⟩)
        wp.tile_atomic_add({fh}, $local_h, offset=0)⟩
        """,
        threads="p",
        kinds="tile_thread",
        blocks=BLOCKS,
    ),
    Idea(
        "reverse",
        "⟨1:reverse_block|place_values⟩ ⟨1:mirror_threads|scatter_kept⟩",
        "store the value of each thread ⟨1:at the mirrored place|whose key is above a threshold at its place⟩ of the block",
        """
        $place_t = wp.tile_zeros(shape={block}, dtype=float, storage="shared")
        wp.tile_scatter_masked($place_t, ⟨1:{block} - 1 - $p % {block}|$p % {block}⟩, {px}[$p]⟨| * {pw}[$p]⟩, ⟨1:True|{pk}[$p] > {cut_k}⟩)
        wp.tile_store({po}, $place_t, offset=$blk * {block})
        """,
        threads="p",
        kinds="tile_thread",
        blocks=BLOCKS,
    ),
    Idea(
        "stack",
        "collect_candidates push_active stack_threads gather_marked",
        "collect the marked keys of each block on a stack, and ⟨1:count them|sum them|start again with other ones⟩",
        """
        $key = {pk}[$p]
        $st = wp.tile_stack(capacity={block}, dtype=int)
        wp.tile_stack_push($st, $key, $key ⟨> {cut_k}|% 2 == 0|% 3 != 1⟩)
        $n = wp.tile_stack_count($st)
        ⟨1:if $p % {block} == 0:
            wp.atomic_add({bn}, $blk, $n)|# each thread takes at most one
        $item, $slot = wp.tile_stack_pop($st)
        if $slot >= 0:
            wp.atomic_add({bn}, $blk, $item)|wp.tile_stack_clear($st)
        wp.tile_stack_push($st, $key, $key % ⟨4|5⟩ == 0)
        $item, $slot = wp.tile_stack_pop($st)
        if $slot >= 0:
            wp.atomic_add({bn}, $blk, $item)⟩
        """,
        threads="p",
        kinds="tile_thread",
        integer=True,
        blocks=BLOCKS,
    ),
    Idea(
        "leader",
        "broadcast_leader leader_code share_first thread_to_block",
        "share the key of ⟨1:the first|the last⟩ thread of each block",
        """
        $key = ⟨{pk}[$p]|@recode({pk}[$p])⟩
        $lead = wp.tile_from_thread(shape={bins}, value=$key, thread_idx=⟨1:0|{block} - 1⟩)
        ⟨$lead = wp.tile_map(@recode, $lead)
        |⟩$codes = $lead ⟨+|^⟩ wp.tile_arange({bins}, dtype=int)
        wp.tile_store({lead}, wp.tile_reshape($codes, shape=(1, {bins})), offset=($blk, 0))
        """,
        threads="p",
        kinds="tile_thread",
        integer=True,
        blocks=BLOCKS,
    ),
    Idea(
        "noise",
        "⟨1:scale_randomly|add_noise|jitter_keys⟩ ⟨1:random_gains|noisy_values|perturb_keys⟩",
        "⟨1:scale the values of a block by random factors|add noise to the values of a block|change the keys of a block by random numbers⟩",
        """
        ⟨1:$v = {px}[$p]
        $all = wp.tile($v)
        $rand_t = wp.tile_randf(shape={block}, rng=wp.rand_init({seed}, $blk), min=0.5, max=1.5)
        wp.tile_store({po}, $all * $rand_t, offset=$blk * {block})|$v = {px}[$p]⟨| * {pw}[$p]⟩
        $all = wp.tile($v)
        $rand_t = wp.tile_randf(shape={block}, rng=wp.rand_init({seed}, $blk))
        wp.tile_store({po}, $all + $rand_t, offset=$blk * {block})|$key = {pk}[$p]
        $jit = wp.tile_randi(shape={block}, rng=wp.rand_init({seed}, $blk)⟨|, min=0, max=100⟩)
        $keys = wp.tile($key)
        wp.tile_store({pko}, $keys ⟨+|^⟩ $jit, offset=$blk * {block})⟩
        """,
        threads="p",
        kinds="tile_thread",
        blocks=BLOCKS,
    ),
    Idea(
        "strided",
        "strided_row_sum reduce_row_strided sum_part_by_lanes sum_row_by_threads",
        "sum ⟨1:the values|the squares|the weighted values⟩ of each part, with the threads in turn",
        """
        ⟨# each thread adds every {block}th element
        |⟩$s = float(0.0)
        for $k in range($lane, {t}, {block}):
            ⟨1:$s += {x}[$i * {t} + $k]|$v = {x}[$i * {t} + $k]
            $s += $v * $v|$s += {x}[$i * {t} + $k] * {w}[$i * {t} + $k]⟩

        $all = wp.tile($s)
        ⟨2:wp.tile_store({pb}, wp.tile_sum($all), offset=$i)|wp.tile_atomic_add({total}, wp.tile_sum($all), offset=0)|$total = wp.tile_extract(wp.tile_sum($all), 0)
        if $lane == 0:
            {pb}[$i] = $total⟩
        """,
        threads="i lane",
        kinds="tile_thread",
        docs="Each thread of the block adds every element whose index it owns",
        blocks=BLOCKS,
    ),
    Idea(
        "first_stores",
        "first_thread_stores store_once block_result leader_store",
        "compute ⟨1:the dot product|the squared distance|the weighted sum⟩ of each part, and let one thread store it",
        """
        ⟨1:$sum = wp.tile_dot($xt, $yt)|$diff = $xt - $yt
        $sum = wp.tile_sum($diff * $diff)|$sum = wp.tile_sum($xt * $wt)⟩
        $total = wp.tile_extract($sum, 0)
        ⟨# the others have the same number
        |⟩if $lane == 0:
            {pb}[$i] = $total
            ⟨wp.atomic_add({total}, 0, $total)|⟩
        """,
        threads="i lane",
        kinds="tile_thread tile",
        blocks=BLOCKS,
    ),
    Idea(
        "lane_values",
        "⟨1:add_block_total|scale_by_total⟩ apply_block_total",
        "⟨1:add the sum of its part to the value of each thread|scale the value of each thread by the sum of its part⟩",
        """
        $s = wp.tile_sum($xt⟨| * $xt⟩)
        $total = wp.tile_extract($s, 0)
        $elem = $i * {block} + $lane
        ⟨1:{po}[$elem] = {px}[$elem] + $total|{po}[$elem] = {px}[$elem] * $total⟩
        """,
        threads="i lane",
        kinds="tile_thread",
        blocks=BLOCKS,
    ),
)
