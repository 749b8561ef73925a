"""Ideas of the domain `records`: fields and flags in words, bit counts, interleaved bits, digits of a base."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BITS = (
    Idea(
        "hamming",
        "nearest_code hamming_search match_codes find_nearest_code",
        "find the code word with the fewest differing bits for each word",
        """
        hook skip
        $best = int({NONE})
        $best_dist = int(⟨32|{max_bits} + 1⟩)
        for $k in range({m}):
            $dist = @popcount($word ^ {codes}[$k])
            ⟨if $dist == 0:
                # exact match
                $best = $k
                $best_dist = 0
                break
            |⟩if $dist < $best_dist:
                $best_dist = $dist
                $best = $k
        {out_pos}[$i] = $best
        ⟨{out_count}[$i] = $best_dist|if $best_dist > {max_bits}:
            {out_flag}[$i] = 0
            hook lookup_miss
        else:
            {out_flag}[$i] = 1
            hook lookup_hit|if $best >= 0:
            {out_val}[$i] = {table_vals}[$best]
            hook lookup_hit⟩
        """,
        kinds="control_flow nested_loop integer_bits helper_functions",
        integer=True,
    ),
    Idea(
        "count_bits",
        "count_set_bits popcount_words common_bits bit_statistics",
        "count the ⟨1:set bits|common bits|differing bits⟩ of words⟨2:| and compare the count with a limit⟩",
        """
        hook skip
        ⟨1:$count = @popcount($word)|$count = @popcount($word & {words_b}[$i])|$count = @popcount($word ^ {words_b}[$i])⟩
        {out_count}[$i] = $count
        ⟨2:⟨|wp.atomic_add({hist}, $count // 2, 1)|wp.atomic_max({stats}, 0, $count)|{out_flag}[$i] = $count & 1⟩|if $count ⟨>|<=⟩ {max_bits}:
            {out_flag}[$i] = 1
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {out_flag}[$i] = 0⟩
        """,
        kinds="arithmetic integer_bits helper_functions",
        integer=True,
    ),
    Idea(
        "unpack",
        "unpack_fields decode_words unpack_bits split_fields",
        "unpack ⟨1:one field|the fields⟩ of each word⟨2:| as signed numbers⟩ into ⟨1:an array|the columns of a table⟩",
        """
        hook skip
        ⟨1:$val = @field($word, {skip_bits}, ⟨3:6|8|5⟩)
        ⟨2:|$val = @sign_extend($val, ⟨3:6|8|5⟩)
        ⟩{out_val}[$i] = $val
        ⟨if (($word >> ({skip_bits} + ⟨3:6|8|5⟩)) & 1) == 1:
            # the bit above the field marks a default
            {out_flag}[$i] = 1
            {out_val}[$i] = {fillvalue}|{out_aux}[$i] = $word >> ({skip_bits} + ⟨3:6|8|5⟩)|⟩|for $k in range({width}):
            $val = @field($word, ⟨3 * $k|{skip_bits} + 3 * $k⟩, 3)
            ⟨2:|$val = @sign_extend($val, 3)
            ⟩{cells_out}[$i, $k] = $val
        ⟨|{out_aux}[$i] = $word >> 24|if (($word >> 30) & 1) == 1:
            # the top bit marks rows that changed
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)⟩⟩
        """,
        kinds="arithmetic integer_bits helper_functions",
        integer=True,
    ),
    Idea(
        "pack",
        "pack_fields encode_words pack_bits build_words",
        "pack ⟨1:key, state and partition|the columns|flags that compare the columns with a limit⟩ of each row into one word",
        """
        hook skip
        ⟨1:$packed = {keys}[$i] + ({state}[$i] << 6) + ({part}[$i] << 9)
        ⟨|if {valid}[$i]:
            $packed = $packed + (1 << 11)|# parity of the fields
        $packed = $packed + ((@popcount($packed) & 1) << ⟨11|12⟩)⟩|$packed = int(0)
        for $k in range({width}):
            ⟨$packed = ($packed << 3) + ({cells}[$i, $k] & 7)|$packed += wp.min({cells}[$i, $k] // 13, 7) << (3 * $k)|# saturate at the largest value of the field
            $part_value = wp.min({cells}[$i, $k], 7)
            $packed = $packed + ($part_value << (3 * $k))⟩|$packed = int(0)
        for $k in range({width}):
            if {cells}[$i, $k] ⟨>|<⟩ {pivot}:
                $packed += 1 << $k⟩
        {out_val}[$i] = $packed
        ⟨|{out_count}[$i] = @popcount($packed)|⟨1:|# parity of the word
        {out_flag}[$i] = @popcount($packed) & 1⟩⟩
        """,
        kinds="arithmetic integer_bits",
        integer=True,
    ),
    Idea(
        "morton",
        "morton_encode encode_morton z_order compute_morton_codes",
        "interleave the bits of ⟨1:two columns|key and value⟩ to a Morton code",
        """
        hook skip
        ⟨1:$x_cell = {cells}[$i, 0]
        $y_cell = {cells}[$i, 1]|$x_cell = {keys}[$i]
        $y_cell = {values}[$i] + 40⟩
        ⟨if {part}[$i] == {which}:
            # the other orientation of the curve
            $swapped_cell = int($x_cell)
            $x_cell = $y_cell
            $y_cell = $swapped_cell
        |if $x_cell > {hi} and $y_cell > {hi}:
            {out_val}[$i] = {NONE}
            wp.atomic_add({misses}, 0, 1)
            return
        |$x_cell = wp.clamp($x_cell - {lo}, 0, 127)
        |⟩$code = @spread($x_cell) + ⟨2 * @spread($y_cell)|(@spread($y_cell) << 1)⟩
        {out_val}[$i] = $code
        ⟨{out_pos}[$i] = $code ⟨>>|//⟩ ⟨4|6⟩|# the largest code limits the bits to sort
        wp.atomic_max({stats}, 0, $code)|⟩
        """,
        kinds="arithmetic integer_bits helper_functions spatial",
        docs="Rows that are close in both coordinates receive similar codes",
        integer=True,
    ),
    Idea(
        "digits",
        "base_digits split_digits convert_base to_digits",
        "write each ⟨1:key|word⟩ in ⟨2:base 3|base 10|base 16|the base of the radix sort⟩, the least digit first",
        """
        hook skip
        $rest = int(⟨1:{keys}[$i]|{words_a}[$i] & 65535⟩)
        $count = int(0)
        ⟨while $rest > 0 and $count < {width}:
            {cells_out}[$i, $count] = $rest % ⟨2:3|10|16|{RADIX}⟩
            $rest = $rest // ⟨2:3|10|16|{RADIX}⟩
            $count += 1|for $k in range({width}):
            if $rest ⟨> 0|!= 0⟩:
                $quotient = $rest // ⟨2:3|10|16|{RADIX}⟩
                {cells_out}[$i, $k] = $rest - $quotient * ⟨2:3|10|16|{RADIX}⟩
                $rest = $quotient
                $count += 1
            else:
                {cells_out}[$i, $k] = {NONE}⟩
        {out_count}[$i] = $count
        ⟨|wp.atomic_add({hist}, $count, 1)|⟨1:# a single digit
        {out_flag}[$i] = 1 if $count == 1 else 0|wp.atomic_max({stats}, 0, $count)⟩⟩
        """,
        kinds="control_flow while_loop arithmetic",
        integer=True,
    ),
    Idea(
        "gray",
        "⟨1:gray_code to_gray_code encode_gray gray_rank|from_gray_code decode_gray gray_to_binary gray_index|reverse_bits bit_reversal mirror_key_bits reversed_keys⟩",
        "⟨1:convert keys to Gray code|convert Gray codes back to numbers|reverse the bits of keys⟩",
        """
        hook skip
        ⟨1:$code = $key ^ ($key >> 1)|⟨$code = int($key)
        $rest = $key >> 1
        while $rest != 0:
            $code = $code ^ $rest
            $rest = $rest >> 1|$code = $key ^ ($key >> 1)
        $code = $code ^ ($code >> 2)
        $code = $code ^ ($code >> 4)⟩|$code = int(0)
        ⟨for $k in range(⟨6|8⟩):
            $code = ($code << 1) + (($key >> $k) & 1)|$rest = int($key)
        for $k in range(⟨6|8⟩):
            $code = $code * 2 + $rest % 2
            $rest = $rest // 2⟩⟩
        {out_val}[$i] = $code
        ⟨|{out_count}[$i] = @popcount($code)|⟨1:# parity of the code
        {out_flag}[$i] = @popcount($code) & 1|wp.atomic_max({stats}, 0, $code)|# the lower key of a pair does the exchange
        if $code > $key:
            {out_pos}[$i] = $code
        else:
            {out_pos}[$i] = {NONE}⟩⟩
        """,
        kinds="arithmetic integer_bits",
        integer=True,
    ),
    Idea(
        "state_update",
        "update_row_flags transition_state_bits refresh_status set_row_bits",
        "update the state bits of each row ⟨1:after a write|after a commit|by the age of the row⟩",
        """
        $bits = {state}[$i]
        ⟨1:if ($bits & {LOCKED}) != 0:
            # a locked row only reports that a write was refused
            wp.atomic_add({misses}, 0, 1)
        elif ($bits & {LIVE}) != 0:
            if {cells}[$i, 0] != {cells_b}[$i, 0]:
                $bits = @set_bits($bits, {DIRTY})
                wp.atomic_add({counter}, 0, 1)
        else:
            $bits = {LIVE} + {DIRTY}|if ($bits & {DIRTY}) != 0 and ($bits & {LOCKED}) == 0:
            $bits = $bits ^ {DIRTY}
            {out_val}[$i] = {values}[$i]
            ⟨wp.atomic_add({counter}, 0, 1)|{out_flag}[$i] = 1⟩
        elif ($bits & {LOCKED}) != 0:
            $bits = $bits - {LOCKED}|if ({ages}[$i] > {MAX_AGE}) and (($bits & {LIVE}) != 0):
            # expired
            $bits = $bits ^ {LIVE}
            ⟨if ($bits & {DIRTY}) != 0:
                wp.atomic_add({dropped}, 0, 1)
            else:
                wp.atomic_add({counter}, 0, 1)|wp.atomic_add({dropped}, 0, 1)⟩
        elif {ages}[$i] < {MIN_AGE}:
            $bits = @set_bits($bits, {LOCKED})⟩
        {state}[$i] = $bits
        """,
        kinds="control_flow multi_conditional integer_bits",
        integer=True,
    ),
)
