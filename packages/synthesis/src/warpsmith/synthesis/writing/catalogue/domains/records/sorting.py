"""Ideas of the domain `records`: searches, merges, steps of sorting networks, digits of radix sorts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SORTING = (
    Idea(
        "bisect",
        "binary_search search_sorted_keys find_key lookup_sorted",
        "find the ⟨1:first|last⟩ position of each query in the sorted keys ⟨2:and store the position|and look up its value, or a default for unknown keys|and mark whether it exists⟩",
        """
        hook skip
        ⟨# half-open range [lo, hi) that contains the answer
        |⟩$lo = int(0)
        $hi = int({m})
        while $lo < $hi:
            $mid = ⟨($lo + $hi) // 2|$lo + ($hi - $lo) // 2|($lo + $hi) >> 1⟩
            if {table_keys}[$mid] ⟨1:<|<=⟩ $target:
                $lo = $mid + 1
            else:
                $hi = $mid

        ⟨2:{out_pos}[$i] = ⟨1:$lo|$lo - 1⟩
        ⟨|{out_flag}[$i] = 1 if $lo < {m} else 0⟩|$slot = ⟨1:wp.min($lo, {m} - 1)|wp.max($lo - 1, 0)⟩
        if {table_keys}[$slot] == $target:
            {out_val}[$i] = {table_vals}[$slot]
            hook lookup_hit
        else:
            {out_val}[$i] = {fillvalue}
            hook lookup_miss|$slot = ⟨1:wp.min($lo, {m} - 1)|wp.max($lo - 1, 0)⟩
        if {table_keys}[$slot] != $target:
            {out_pos}[$i] = {NONE}
            hook lookup_miss
            return
        {out_pos}[$i] = $slot
        hook lookup_hit⟩
        """,
        kinds="control_flow multi_conditional sorting while_loop early_exit",
        docs="Binary search in a table that is sorted in ascending order",
        integer=True,
    ),
    Idea(
        "equal_range",
        "count_equal equal_range key_multiplicity count_matches",
        "count how often each query occurs in the sorted table by two searches",
        """
        hook skip
        $a = @lower({table_keys}, {m}, $target)
        $b = @lower({table_keys}, {m}, $target + 1)
        ⟨if $b ⟨<=|==⟩ $a:
            # not in the table
            {out_pos}[$i] = {NONE}
            {out_count}[$i] = 0
            hook lookup_miss
        else:
            {out_pos}[$i] = ⟨$a|$b - 1⟩
            {out_count}[$i] = $b - $a
            hook lookup_hit|{out_count}[$i] = ⟨$b - $a|wp.max($b - $a, 0)⟩
        ⟨if $b > $a:
            {out_pos}[$i] = $b - 1
            hook lookup_hit|{out_pos}[$i] = $a⟩⟩
        """,
        kinds="control_flow sorting helper_functions while_loop",
        integer=True,
    ),
    Idea(
        "merge_rank",
        "merge_runs merge_sorted merge_by_rank scatter_merge",
        "merge two sorted runs of the same length: ⟨1:place the keys of the first run before equal keys of the second|place the keys of both runs⟩",
        """
        ⟨# keys of the first run come before equal keys of the second
        |⟩$a = {sorted_keys}[$i]
        $lo = int(0)
        $hi = int({n})
        while $lo < $hi:
            $mid = ⟨($lo + $hi) // 2|($lo + $hi) >> 1⟩
            ⟨if {other_keys}[$mid] < $a:
                $lo = $mid + 1
            else:
                $hi = $mid|if {other_keys}[$mid] >= $a:
                $hi = $mid
            else:
                $lo = $mid + 1⟩
        ⟨{merged}[$i + $lo] = $a|$rank = $i + $lo
        {merged}[$rank] = $a
        ⟨{out_pos}[$i] = $rank|if {other_keys}[wp.min($lo, {n} - 1)] == $a:
            wp.atomic_add({counter}, 0, 1)⟩⟩

        ⟨1:|$b = {other_keys}[$i]
        $count = int(0)
        ⟨for $k in range({n}):
            if {sorted_keys}[$k] <= $b:
                $count += 1|while $count < {n}:
            if {sorted_keys}[$count] > $b:
                break
            $count += 1⟩
        {merged}[$i + $count] = $b⟩
        """,
        kinds="control_flow sorting while_loop gather_scatter",
        integer=True,
    ),
    Idea(
        "bitonic",
        "bitonic_step bitonic_compare_exchange sort_step bitonic_pass",
        "compare and exchange the rows of one step of a bitonic sort⟨1:| together with their values⟩",
        """
        ⟨$other = $i ^ {stride}
        if $other <= $i or $other >= {n}:
            return|$other = $i ^ {stride}
        # the lower row of a pair does the work of both
        if $other <= $i:
            return
        if $other >= {n}:
            return⟩

        $a = {keys}[$i]
        $b = {keys}[$other]
        ⟨$ascending = ($i & {stage}) == 0
        if ($a > $b) == $ascending:|if (($i & {stage}) == 0 and $a > $b) or (($i & {stage}) != 0 and $a < $b):|$swap = $a > $b
        if ($i & {stage}) != 0:
            $swap = $a < $b
        if $swap:⟩
            {keys}[$i] = $b
            {keys}[$other] = $a
            ⟨1:|# the payload follows its key
            $val = {values}[$i]
            {values}[$i] = {values}[$other]
            {values}[$other] = $val⟩
            hook swapped
        """,
        kinds="control_flow sorting integer_bits early_exit",
        docs="One compare-exchange step of a bitonic sorting network; the partner of a row differs from it in one bit",
        integer=True,
        alone=True,
    ),
    Idea(
        "odd_even",
        "odd_even_pass odd_even_transposition brick_sort_step exchange_neighbors",
        "exchange neighbouring rows that are out of order in ⟨1:one pass of an odd-even sort|one pass that orders by key and id⟩",
        """
        $a_row = 2 * $i + {phase}
        $b_row = $a_row + 1
        if $b_row >= {n}:
            return
        ⟨1:⟨if {keys}[$a_row] > {keys}[$b_row]:|$a = {keys}[$a_row]
        $b = {keys}[$b_row]
        if $a ⟨>|<⟩ $b:⟩|if @before({keys}[$b_row], {values}[$b_row], {keys}[$a_row], {values}[$a_row]):⟩
            $moved_key = {keys}[$b_row]
            {keys}[$b_row] = {keys}[$a_row]
            {keys}[$a_row] = $moved_key
            ⟨2:⟨1:|# ids move with the keys
            $moved_id = {values}[$b_row]
            {values}[$b_row] = {values}[$a_row]
            {values}[$a_row] = $moved_id⟩|$moved_id = {values}[$b_row]
            {values}[$b_row] = {values}[$a_row]
            {values}[$a_row] = $moved_id⟩
            hook swapped
        ⟨|else:
            {out_flag}[$a_row] = 1⟩
        """,
        kinds="control_flow sorting early_exit",
        integer=True,
        alone=True,
    ),
    Idea(
        "digit_counts",
        "count_digits radix_histogram digit_histogram radix_count",
        "count the rows of each digit of the key ⟨1:over all rows|in each block of rows|in each block and over all rows⟩",
        """
        hook skip
        $digit = ⟨($key >> {shift}) & {MASK}|($key // {RADIX}) % {RADIX}|$key & {MASK}|wp.min($key >> {shift}, {RADIX} - 1)⟩
        ⟨|# the largest digit collects invalid keys
        if $key ⟨< {lo}|> {hi}⟩:
            $digit = {RADIX} - 1
        |# 0 marks a row without a key
        if $key == 0:
            wp.atomic_add({misses}, 0, 1)
            return
        ⟩⟨1:wp.atomic_add({hist}, $digit, 1)|$block = $i // {BLOCK}
        wp.atomic_add({block_hist}, $block, $digit, 1)|wp.atomic_add({hist}, $digit, 1)
        wp.atomic_add({block_hist}, $i // {BLOCK}, $digit, 1)⟩
        ⟨|{out_pos}[$i] = $digit|wp.atomic_max({stats}, 2, $digit)⟩
        """,
        kinds="atomic histograms sorting integer_bits atomics",
        integer=True,
    ),
    Idea(
        "stable_rank",
        "rank_within_digit stable_rank rank_rows local_rank",
        "compute the ⟨1:number of earlier rows with the same digit|number of rows that come before each row⟩",
        """
        hook skip
        ⟨1:$digit = ({keys}[$i] >> {shift}) & {MASK}
        $rank = int(0)
        for $k in range(⟨$i|($i // {BLOCK}) * {BLOCK}, $i⟩):
            ⟨if (({keys}[$k] >> {shift}) & {MASK}) == $digit:
                $rank += 1|$earlier = ({keys}[$k] >> {shift}) & {MASK}
            if $earlier != $digit:
                continue
            $rank += 1⟩|$key = {keys}[$i]
        $rank = int(0)
        for $k in range({n}):
            $other_key = {keys}[$k]
            ⟨if $other_key < $key or ($other_key == $key and $k < $i):
                $rank += 1|if @before($other_key, $k, $key, $i):
                $rank += 1|if $other_key < $key:
                $rank += 1
            elif $other_key == $key and $k < $i:
                $rank += 1⟩⟩
        {out_pos}[$i] = $rank
        ⟨|{out_flag}[$i] = 1 if $rank == 0 else 0|⟨1:wp.atomic_max({stats}, 0, $rank)|# how far the row moves
        {out_aux}[$i] = $rank - $i⟩⟩
        """,
        kinds="control_flow sorting",
        docs="Ranks are stable: rows with equal keys keep their order",
        integer=True,
    ),
    Idea(
        "sort_rows",
        "insertion_sort_rows sort_cells sort_each_row order_row",
        "sort the values of each row in place by ⟨1:insertion|selection|neighbour exchanges⟩ in ⟨2:ascending|descending⟩ order",
        """
        hook skip
        ⟨1:for $k in range(1, {width}):
            $item = {cells}[$i, $k]
            $slot = int($k)
            # shift the sorted part to the right
            while $slot > 0:
                $before = {cells}[$i, $slot - 1]
                if $before ⟨2:<=|>=⟩ $item:
                    break
                {cells}[$i, $slot] = $before
                $slot -= 1
            {cells}[$i, $slot] = $item|for $k in range({width}):
            $best = int($k)
            for $c2 in range($k + 1, {width}):
                if {cells}[$i, $c2] ⟨2:<|>⟩ {cells}[$i, $best]:
                    $best = $c2
            if $best != $k:
                $item = {cells}[$i, $k]
                {cells}[$i, $k] = {cells}[$i, $best]
                {cells}[$i, $best] = $item
                ⟨|wp.atomic_add({swaps}, 0, 1)⟩|$swapped = bool(True)
        while $swapped:
            $swapped = bool(False)
            for $k in range(1, {width}):
                $a = {cells}[$i, $k - 1]
                $b = {cells}[$i, $k]
                if $a ⟨2:>|<⟩ $b:
                    {cells}[$i, $k - 1] = $b
                    {cells}[$i, $k] = $a
                    $swapped = True⟩

        ⟨|{out_val}[$i] = {cells}[$i, ⟨0|{width} - 1|{width} // 2⟩]|# number of different values
        $count = int(1)
        for $k2 in range(1, {width}):
            if {cells}[$i, $k2] != {cells}[$i, $k2 - 1]:
                $count += 1
        {out_count}[$i] = $count⟩
        """,
        kinds="control_flow nested_loop sorting while_loop",
        integer=True,
    ),
    Idea(
        "merge_path",
        "merge_path_split find_diagonal partition_merge split_diagonals",
        "find where the diagonal of each ⟨1:row|block⟩ crosses the path that merges two sorted runs",
        """
        $diagonal = ⟨1:2 * $i|($i // {BLOCK}) * 2 * {BLOCK}⟩
        # number of keys that come from the first run
        $lo = wp.max($diagonal - {n}, 0)
        $hi = wp.min($diagonal, {n})
        while $lo < $hi:
            $mid = ($lo + $hi) ⟨// 2|>> 1⟩
            $a = {sorted_keys}[$mid]
            $b = {other_keys}[$diagonal - 1 - $mid]
            if $a ⟨<=|<⟩ $b:
                $lo = $mid + 1
            else:
                $hi = $mid
        {out_pos}[$i] = $lo
        ⟨{out_aux}[$i] = $diagonal - $lo|if $lo * 2 > $diagonal:
            {out_flag}[$i] = 1
        elif $lo * 2 < $diagonal:
            {out_flag}[$i] = -1|⟩
        """,
        kinds="control_flow sorting while_loop",
        integer=True,
    ),
)
