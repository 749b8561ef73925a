"""Ideas of the domain `graphs`: hash tables, samples, orders and permutations."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TABLES = (
    Idea(
        "hash_lookup",
        "hash_lookup find_key table_lookup probe_table",
        "look up the key of each query in a hash table with linear probing",
        """
        $k = {key}[$q]
        $slot = int(⟨@hash($k, {salt}) % {cap}|($k * 31 + 7) % {cap}|$k % {cap}⟩)
        $count = int(0)
        $value = int({NONE})
        ⟨1:while $count < {cap}:
            $seen = {table}[$slot]
            if $seen == $k:
                $value = {tval}[$slot]
                break
            if $seen ⟨< 0|== {NONE}⟩:
                # an empty slot ends the chain
                break
            $slot = ($slot + 1) % {cap}
            $count += 1|for $t in range(⟨8|16|12⟩):
            $seen = {table}[($slot + $t) % {cap}]
            $count += 1
            if $seen == $k:
                $value = {tval}[($slot + $t) % {cap}]
                break|while {table}[$slot] != $k and {table}[$slot] >= 0 and $count < ⟨{cap}|20⟩:
            $slot = ($slot + 1) % {cap}
            $count += 1
        if {table}[$slot] == $k:
            $value = {tval}[$slot]⟩

        {found}[$q] = $value
        ⟨{probes}[$q] = $count|if $value ⟨== {NONE}|< 0⟩:
            wp.atomic_add({stat}, 0, 1)|if $count > 3:
            wp.atomic_add({stat}, 1, 1)|⟩
        hook qtally
        """,
        threads="q",
        kinds="while_loop control_flow early_exit",
        integer=True,
    ),
    Idea(
        "hash_count",
        "count_buckets hash_histogram bucket_sizes hash_keys",
        "count the keys in each bucket",
        """
        $k = {key}[$q]
        ⟨if $k < ⟨3|8⟩:
            # reserved keys
            return|if $k > ⟨60|80⟩:
            {home}[$q] = {NONE}
            return|⟩
        $b = ⟨@hash($k, {salt}) % {cap}|(($k ^ ($k >> 3)) * {HASH_A}) % {cap}|$k % {cap}|@hash($k + {salt}, 17) % {cap}⟩
        wp.atomic_add({bcount}, $b, 1)

        {home}[$q] = $b
        hook qtally
        """,
        threads="q",
        kinds="atomic atomics histograms integer_bits",
        integer=True,
    ),
    Idea(
        "sample_neighbors",
        "sample_neighbors neighbor_sampler draw_neighbors sample_fanout",
        "draw random neighbours of each seed node",
        """
        $i = {seed}[$q]
        $begin = {row}[$i]
        $d = {row}[$i + 1] - $begin
        if $d == 0:
            {samples}[$q, $s] = ⟨{NONE}|$i⟩
            return
        ⟨if $d <= $s:
            # fewer neighbours than samples
            {samples}[$q, $s] = {NONE}
            return|⟩
        ⟨1:$rng = wp.rand_init({salt}, $q * {width} + $s)
        $pick = wp.randi($rng, 0, $d)|$pick = @hash($q * {width} + $s, {salt}) % $d|# all neighbours if there are few, else every k-th
        $pick = int($s % $d)
        if $d > {width}:
            $pick = @hash($q, {salt} + $s) % $d⟩
        $j = {col}[$begin + $pick]

        ⟨{samples}[$q, $s] = $j|if {mask}[$j] & {FROZEN} != 0:
            {samples}[$q, $s] = $i
        else:
            {samples}[$q, $s] = $j⟩
        ⟨wp.atomic_add({visits}, $j, 1)|if $j != $i:
            wp.atomic_add({visits}, $j, 1)|wp.atomic_max({next}, $j, 1)|⟩
        """,
        threads="q s",
        kinds="control_flow multi_dim random_noise early_exit",
        integer=True,
    ),
    Idea(
        "random_walk",
        "random_walk walk_steps node2vec_walk simulate_walks",
        "walk from each seed node along random edges",
        """
        ⟨$rng = wp.rand_init({salt}, $q)|$rng = wp.rand_init({salt} + {iter}[0], $q)⟩
        $i = int({seed}[$q])
        $count = int(0)
        for $t in range(⟨4|6|8|{width}⟩):
            $begin = {row}[$i]
            $d = {row}[$i + 1] - $begin
            if $d == 0:
                ⟨break|# restart from the seed
                $i = {seed}[$q]
                continue⟩
            $j = {col}[$begin + wp.randi($rng, 0, $d)]
            ⟨if {mask}[$j] & {FROZEN} != 0:
                continue
            $i = $j|$i = $j|if $j == $i:
                break
            $i = $j⟩
            $count += 1
            ⟨wp.atomic_add({visits}, $i, 1)|⟩

        {walk}[$q] = $i
        ⟨{probes}[$q] = $count|if $count < 3:
            wp.atomic_add({stat}, 0, 1)|if $i == {seed}[$q]:
            # returned to its start
            wp.atomic_add({stat}, 1, 1)|⟩
        hook qtally
        """,
        threads="q",
        kinds="random_noise control_flow monte_carlo",
        integer=True,
    ),
    Idea(
        "invert_permutation",
        "invert_permutation inverse_perm build_inverse_order old_to_new_map",
        "invert the permutation of the nodes",
        """
        ⟨{inv}[{perm}[$i]] = $i|$r = {perm}[$i]
        {inv}[$r] = $i
        ⟨|# nodes that stay in place
        if $r == $i:
            wp.atomic_add({stat}, 2, 1)|if $r != $i:
            wp.atomic_add({changed}, 0, 1)|# nodes that move to the front
        if $r ⟨<|>⟩ $i:
            wp.atomic_add({stat}, 0, 1)|# the labels move along
        {label_out}[$r] = {label}[$i]⟩⟩
        """,
        kinds="gather_scatter",
        integer=True,
    ),
    Idea(
        "gather_permuted",
        "permute_nodes gather_nodes reorder_node_data apply_order",
        "gather the data of the nodes in their new order",
        """
        $r = {perm}[$i]
        ⟨1:{label_out}[$i] = {label}[$r]|{h_out}[$i] = {h}[$r]|{label_out}[$i] = {label}[$r]
        {color_out}[$i] = {color}[$r]|{h_out}[$i] = {h}[$r]
        {x_out}[$i] = {x}[$r]|{state_out}[$i] = {state}[$r]
        {label_out}[$i] = {label}[$r]
        {score_out}[$i] = {score}[$r]⟩
        ⟨|{deg_out}[$i] = {row}[$r + 1] - {row}[$r]|{tag_out}[$i] = {kind}[$r]|# nodes of other parts
        if {part}[$r] != {mypart}:
            wp.atomic_add({stat}, 2, 1)|if {active}[$r] == 0:
            wp.atomic_add({stat}, 3, 1)⟩
        """,
        kinds="gather_scatter",
    ),
    Idea(
        "renumber_edges",
        "renumber_edges relabel_endpoints remap_edges map_to_coarse",
        "renumber the nodes of each edge",
        """
        $a = ⟨{perm}[$u]|{label}[$u]|{parent}[$u]⟩
        $b = ⟨{perm}[$v]|{label}[$v]|{parent}[$v]⟩
        ⟨1:{src_out}[$e] = $a
        {dst_out}[$e] = $b|# smaller id first
        {src_out}[$e] = wp.min($a, $b)
        {dst_out}[$e] = wp.max($a, $b)|if $a == $b:
            # both ends were merged
            {src_out}[$e] = {NONE}
            {dst_out}[$e] = {NONE}
            ⟨wp.atomic_add({stat}, 0, 1)|⟩
        else:
            {src_out}[$e] = $a
            {dst_out}[$e] = $b⟩
        ⟨|{ekey}[$e] = $a * ⟨{n}|64⟩ + $b|{flag}[$e] = wp.where($a < $b, 1, 0)|{ekey}[$e] = ($a << 8) | $b⟩
        """,
        threads="e",
        kinds="gather_scatter integer_bits sorting",
        integer=True,
    ),
    Idea(
        "sort_rank",
        "rank_by_counting counting_rank sort_positions key_ranks",
        "find the position of each node in the order of the keys",
        """
        $mine = {sorted}[$i]
        $count = int(0)
        for $j in range({n}):
            $theirs = {sorted}[$j]
            ⟨1:if $theirs < $mine or ($theirs == $mine and $j < $i):
                $count += 1|if $theirs < $mine:
                $count += 1
            elif $theirs == $mine:
                # equal keys keep their order
                if $j < $i:
                    $count += 1|if $theirs > $mine:
                $count += 1
            elif $theirs == $mine and $j < $i:
                $count += 1⟩
        {rank_out}[$i] = $count

        ⟨wp.atomic_add({hist}, wp.min($mine // ⟨5|6⟩, 7), 1)|# no two nodes have the same position
        {inv}[$count] = $i|⟩
        """,
        kinds="sorting control_flow",
        integer=True,
    ),
    Idea(
        "compare_exchange",
        "compare_exchange sort_stage exchange_pass sort_network_step",
        "exchange ⟨1:neighbouring keys|the keys of partners⟩ that are in the wrong order",
        """
        ⟨1:$j = $i + 1
        if $i % 2 != ⟨{iter}[0] % 2|{now} % 2⟩ or $j >= {n}:
            return|$j = $i ^ ⟨(1 << {iter}[0])|(1 << {now})⟩
        if $j ⟨<=|<⟩ $i or $j >= {n}:
            return⟩
        $a = {sorted}[$i]
        $b = {sorted}[$j]

        ⟨if $a ⟨>|<⟩ $b:|# direction of this block
        $up = ($i & ⟨8|16⟩) == 0
        if $up == ($a > $b):⟩
            {sorted}[$i] = $b
            {sorted}[$j] = $a
            ⟨wp.atomic_add({changed}, 0, 1)|⟨$old = {label}[$i]
            {label}[$i] = {label}[$j]
            {label}[$j] = $old|⟩⟩
        """,
        kinds="sorting integer_bits control_flow",
        integer=True,
        alone=True,
    ),
    Idea(
        "reset_step",
        "reset_counters clear_step init_search reset_nodes",
        "prepare the arrays of the nodes for the next search",
        """
        ⟨1:if $i == {seed}[0]:
            {level_out}[$i] = 0
            {pred}[$i] = $i
        else:
            {level_out}[$i] = {NONE}
            {pred}[$i] = {NONE}|{label_out}[$i] = $i
        ⟨|{bucket}[$i] = wp.where({active}[$i] != 0, 0, {NONE})|{color_out}[$i] = {NONE}⟩|{root_out}[$i] = $i
        ⟨{csize}[$i] = 1|{mate_out}[$i] = {NONE}⟩|if $i == {seed}[0]:
            {dist_new}[$i] = 0
        else:
            {dist_new}[$i] = {INF}
        ⟨{pred}[$i] = {NONE}|{bucket}[$i] = wp.where({active}[$i] != 0, 0, {NONE})⟩⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
)
