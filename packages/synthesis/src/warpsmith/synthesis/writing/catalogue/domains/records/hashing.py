"""Ideas of the domain `records`: hash functions, open addressing, checksums, membership filters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

HASHING = (
    Idea(
        "probe",
        "hash_lookup table_lookup probe_table find_entry",
        "look up ⟨1:the value of each id|the slot of each id⟩ in a hash table with open addressing",
        """
        hook skip
        ⟨3:$slot = @hash($id) % {cap}
        $probe = int(0)
        $found = int({NONE})
        while $probe < {PROBES}:
            $entry = {slot_keys}[$slot]
            if $entry == {EMPTY}:
                # the chain ends here
                break
            if $entry == $id:
                $found = $slot
                break
            ⟨# removed entries and other ids do not end the chain
            |⟩$probe += 1
            $slot = @next_slot($slot, $probe, {cap})|$slot = @hash($id) % {cap}
        $found = int({NONE})
        $probe = int(0)
        for $k in range({PROBES}):
            if $found == {NONE} and {slot_keys}[$slot] != {EMPTY}:
                if {slot_keys}[$slot] == $id:
                    $found = $slot
                else:
                    $probe += 1
                    $slot = @next_slot($slot, $k + 1, {cap})|$home = @hash($id) % {cap}
        $found = int({NONE})
        $probe = int(0)
        $entry = {slot_keys}[$home]
        while $entry != {EMPTY} and $found < 0 and $probe < {cap}:
            $slot = ($home + $probe) % {cap}
            $entry = {slot_keys}[$slot]
            if $entry == $id:
                $found = $slot
            ⟨elif $entry == {DELETED}:
                wp.atomic_add({stats}, 7, 1)
            |⟩$probe += 1⟩

        hook probe_done
        if $found ⟨< 0|== {NONE}⟩:
            ⟨1:{out_val}[$i] = {fillvalue}|{out_pos}[$i] = {NONE}⟩
            ⟨wp.atomic_add({misses}, 0, 1)
            |⟩return
        ⟨1:{out_val}[$i] = {slot_vals}[$found]|{out_pos}[$i] = $found⟩
        """,
        kinds="control_flow multi_conditional while_loop early_exit helper_functions",
        docs="An empty slot ends a chain, a tombstone does not",
        integer=True,
    ),
    Idea(
        "bucket_counts",
        "count_buckets bucket_histogram hash_partition assign_buckets",
        "assign each row to a bucket by the hash of its key and ⟨1:count the rows|add up the work⟩ of each bucket",
        """
        hook skip
        $h = @hash($key)
        ⟨$pos = $h % {RADIX}|$pos = $h & {MASK}|$pos = ($h >> 4) & {MASK}⟩
        {out_pos}[$i] = $pos
        wp.atomic_add({hist}, $pos, ⟨1:1|{cost}[$i]⟩)
        ⟨|# the buckets are dealt out to three partitions
        if $pos % 3 == {which}:
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)
        else:
            {out_flag}[$i] = 0|# other bits tell keys of one bucket apart
        {out_aux}[$i] = $h >> 8|wp.atomic_add({block_hist}, $i // {BLOCK}, $pos, ⟨1:1|{cost}[$i]⟩)⟩
        """,
        kinds="atomic histograms helper_functions integer_bits atomics",
        integer=True,
    ),
    Idea(
        "combine_hash",
        "combine_hashes hash_rows row_hash hash_columns",
        "combine the ⟨2:columns|columns|columns|items|items⟩ of each row into one hash",
        """
        hook skip
        $h = wp.uint32(⟨2:2166136261|⟨17|7⟩|0|5381|2166136261⟩)
        for $k in range(⟨2:{width}|{width}|{width}|{row_start}[$i], {row_start}[$i + 1]|{row_start}[$i], {row_start}[$i + 1]⟩):
            ⟨2:$h = ($h ^ wp.uint32({cells}[$i, $k])) * wp.uint32(16777619)|$h = $h * wp.uint32(31) + wp.uint32({cells}[$i, $k])|# mixes the bits of the new value with the old hash
            $h = $h ^ (wp.uint32({cells}[$i, $k]) + wp.uint32(2654435769) + ($h << wp.uint32(6)) + ($h >> wp.uint32(2)))|$h = ($h << wp.uint32(5)) + $h + wp.uint32({items}[$k])|$h = ($h ^ wp.uint32({items}[$k])) * wp.uint32(16777619)⟩
        $h = $h ^ ($h >> wp.uint32(⟨15|13|16⟩))
        ⟨{out_val}[$i] = int($h & wp.uint32(2147483647))|{out_val}[$i] = int($h % wp.uint32({cap}))|{out_val}[$i] = int($h >> wp.uint32(⟨8|16|24⟩))⟩
        ⟨|# the lowest bits of the old hash are the tag of the row
        if ($h & wp.uint32(15)) != ({hashes}[$i] & wp.uint32(15)):
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)
        else:
            {out_flag}[$i] = 0|# equal tags mean that the row is probably unchanged
        {out_bool}[$i] = ($h & wp.uint32(15)) == ({hashes}[$i] & wp.uint32(15))⟩
        """,
        kinds="arithmetic integer_bits",
        integer=True,
    ),
    Idea(
        "checksum",
        "row_checksum compute_checksums adler_rows crc_rows",
        "compute ⟨1:a Fletcher checksum|a cyclic redundancy check|an Adler checksum|a parity byte⟩ of the ⟨1:items|items|columns|columns⟩ of each row",
        """
        hook skip
        ⟨1:$sum_a = int(0)
        $sum_b = int(0)
        for $k in range({row_start}[$i], {row_start}[$i + 1]):
            $sum_a = ($sum_a + {items}[$k]) % 255
            $sum_b = ($sum_b + $sum_a) % 255
        $crc = $sum_b * 256 + $sum_a|$crc = int(255)
        for $k in range({row_start}[$i], {row_start}[$i + 1]):
            $crc = $crc ^ {items}[$k]
            ⟨# one bit at a time
            |⟩for $bit in range(8):
                ⟨if ($crc & 128) != 0:
                    $crc = (($crc << 1) ^ ⟨7|49⟩) & 255
                else:
                    $crc = ($crc << 1) & 255|if ($crc & 1) == 1:
                    $crc = ($crc >> 1) ^ 140
                else:
                    $crc = $crc >> 1⟩|$sum_a = int(1)
        $sum_b = int(0)
        for $k in range({width}):
            $sum_a = ($sum_a + {cells}[$i, $k]) % 65521
            $sum_b = ($sum_b + $sum_a) % 65521
        $crc = ⟨($sum_b << 16) | $sum_a|$sum_b * 65536 + $sum_a⟩|$crc = int(0)
        for $k in range({width}):
            $crc = $crc ^ ⟨{cells}[$i, $k]|@low_byte({cells}[$i, $k])⟩⟩

        {out_val}[$i] = $crc
        ⟨|# the last digit of the sum came with the row
        if ($crc & {MASK}) != ({words_a}[$i] & {MASK}):
            {out_flag}[$i] = 1
            ⟨wp.atomic_add({misses}, 0, 1)|⟩|# the last digit of the sum came with the row
        {out_bool}[$i] = ($crc & {MASK}) == ({words_a}[$i] & {MASK})⟩
        """,
        kinds="nested_loop integer_bits",
        integer=True,
    ),
    Idea(
        "bloom",
        "bloom_query test_membership filter_maybe_contains bloom_contains",
        "test whether a Bloom filter may contain each key with ⟨1:two|three⟩ hash functions",
        """
        hook skip
        $h = @hash($key)
        $bits = int({words_a}[$i])
        ⟨$found = int(1)
        for $k in range(⟨1:2|3⟩):
            # the bit that the k-th hash function selects
            $bit = ($h >> (5 * $k)) % 31
            if (($bits >> $bit) & 1) == 0:
                $found = 0
        {out_flag}[$i] = $found
        if $found == 1:
            wp.atomic_add({stats}, 3, 1)
            hook lookup_hit|for $k in range(⟨1:2|3⟩):
            $bit = (($h >> 3) + $k * (1 + $h % 7)) % 31
            if (($bits >> $bit) & 1) == 0:
                # certainly not a member
                {out_flag}[$i] = 0
                hook lookup_miss
                return
        {out_flag}[$i] = 1|$mask = (1 << ($h % 31)) | (1 << (($h >> 5) % 31))⟨1:| | (1 << (($h >> 10) % 31))⟩
        if ($bits & $mask) ⟨== $mask:
            {out_flag}[$i] = 1
            hook lookup_hit
        else:|!= $mask:
            # a bit is missing
            hook lookup_miss
            {out_flag}[$i] = 0
        else:
            {out_flag}[$i] = 1
            hook lookup_hit⟩
            hook lookup_miss
            {out_flag}[$i] = 0⟩
        """,
        kinds="control_flow integer_bits early_exit helper_functions",
        integer=True,
    ),
)
