"""Helper functions of the domain `records`: hashes, bits, searches, dates."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "set_bits",
        """
        def ⟨set_bits|add_flags|with_flag⟩(bits: int, mask: int):
            return bits | mask
        """,
        """
        def raise_flag(bits: int, mask: int) -> int:
            # adds only the bits that are not set yet
            return bits + (mask & ~bits)
        """,
    ),
    helper(
        "hash",
        """
        def ⟨hash_int|mix_bits|hash32⟩(key: int)⟨| -> int⟩:
            ⟨7:# finalizer of Murmur3|# two rounds of shift and multiplication|# one round mixes small keys well enough⟩
            h = wp.uint32(key)
            h = h ^ (h >> wp.uint32(16))
            h = h * wp.uint32(⟨7:2246822507|2146121005|73244475⟩)
            h = h ^ (h >> wp.uint32(⟨7:13|15|16⟩))
            ⟨7:h = h * wp.uint32(3266489909)
            h = h ^ (h >> wp.uint32(16))
            |h = h * wp.uint32(2221713035)
            h = h ^ (h >> wp.uint32(16))
            |⟩return int(h & wp.uint32(2147483647))
        """,
        """
        def ⟨hash_key|scramble|mix_key⟩(key: int)⟨| -> int⟩:
            # golden-ratio multiplication, upper bits
            h = wp.uint32(key) * wp.uint32(2654435769)
            return int(h >> wp.uint32(⟨8|12|16⟩))
        """,
        """
        def ⟨hash_fnv|fnv1a|byte_hash⟩(key: int)⟨| -> int⟩:
            h = wp.uint32(2166136261)
            for k in range(⟨2|4⟩):
                h = (h ^ ((wp.uint32(key) >> wp.uint32(8 * k)) & wp.uint32(255))) * wp.uint32(16777619)
            return int(h >> wp.uint32(1))
        """,
    ),
    helper(
        "next_slot",
        """
        def ⟨next_slot|probe_next⟩(slot: int, step: int, capacity: int)⟨| -> int⟩:
            ⟨# linear probing
            return (slot + 1) % capacity|# quadratic probing
            return (slot + step) % capacity|following = slot + 1
            if following >= capacity:
                following = 0
            return following⟩
        """,
    ),
    helper(
        "popcount",
        """
        def ⟨popcount|count_bits|num_set_bits⟩(bits: int)⟨| -> int⟩:
            count = int(0)
            rest = bits
            while rest != 0:
                # clear the lowest set bit
                rest = rest & (rest - 1)
                count += 1
            return count
        """,
        """
        def ⟨popcount|bit_count|count_ones⟩(bits: int)⟨| -> int⟩:
            # sums of 2, 4 and 8 bits, then the sum of the bytes
            v = bits - ((bits >> 1) & 0x55555555)
            v = (v & 0x33333333) + ((v >> 2) & 0x33333333)
            v = (v + (v >> 4)) & 0x0F0F0F0F
            ⟨v = v + (v >> 8)
            v = v + (v >> 16)
            return v & 63|return (v & 255) + ((v >> 8) & 255) + ((v >> 16) & 255) + ((v >> 24) & 255)⟩
        """,
        """
        def ⟨count_bits|popcount_loop⟩(bits: int)⟨| -> int⟩:
            count = int(0)
            for k in range(31):
                ⟨count += (bits >> k) & 1|if (bits >> k) & 1 == 1:
                    count += 1⟩
            return count
        """,
    ),
    helper(
        "spread",
        """
        def ⟨part_1by1|spread_bits|expand_bits⟩(x: int)⟨| -> int⟩:
            # insert a zero between the bits of a 15-bit number
            v = x & 0x7FFF
            v = (v ^ (v << 8)) & 0x00FF00FF
            v = (v ^ (v << 4)) & 0x0F0F0F0F
            v = (v ^ (v << 2)) & 0x33333333
            return (v ^ (v << 1)) & 0x55555555
        """,
        """
        def ⟨dilate|interleave_zeros⟩(x: int)⟨| -> int⟩:
            out = int(0)
            for k in range(⟨8|10|12⟩):
                out += ((x >> k) & 1) << (2 * k)
            return out
        """,
    ),
    helper(
        "field",
        """
        def ⟨get_field|extract_bits|read_field⟩(word: int, first: int, width: int)⟨| -> int⟩:
            return (word >> first) & ((1 << width) - 1)
        """,
        """
        def ⟨unpack_field|bit_field⟩(word: int, first: int, width: int)⟨| -> int⟩:
            mask = (1 << width) - 1
            return (word >> first) & mask
        """,
    ),
    helper(
        "sign_extend",
        """
        def ⟨sign_extend|to_signed⟩(value: int, width: int)⟨| -> int⟩:
            # two's complement of a field of ``width`` bits
            half = 1 << (width - 1)
            ⟨if value >= half:
                return value - 2 * half
            return value|return (value ^ half) - half⟩
        """,
    ),
    helper(
        "lower",
        """
        def ⟨lower_bound|search_sorted|find_first⟩(table: wp.array(dtype=int), count: int, key: int)⟨| -> int⟩:
            ⟨\"\"\"Return the first position whose key is not less.\"\"\"
            |⟩lo = int(0)
            hi = int(count)
            while lo < hi:
                mid = ⟨(lo + hi) // 2|lo + (hi - lo) // 2|(lo + hi) >> 1⟩
                if table[mid] < key:
                    lo = mid + 1
                else:
                    hi = mid
            return lo
        """,
        """
        def ⟨lower_bound_pow2|branchless_search|bisect_steps⟩(table: wp.array(dtype=int), count: int, key: int)⟨| -> int⟩:
            pos = int(0)
            step = int(⟨32|64⟩)
            while step > 0:
                # extend the prefix of keys that are less
                if pos + step <= count:
                    if table[pos + step - 1] < key:
                        pos += step
                step = step // 2
            return pos
        """,
    ),
    helper(
        "leap",
        """
        def ⟨is_leap|is_leap_year⟩(year: int)⟨| -> bool⟩:
            return (year % 4 == 0 and year % 100 != 0) or year % 400 == 0
        """,
        """
        def ⟨leap_year|has_leap_day⟩(year: int)⟨| -> bool⟩:
            # only every fourth century begins with a leap year
            if year % 100 == 0:
                return year % 400 == 0
            return year % 4 == 0
        """,
    ),
    helper(
        "month_days",
        """
        def ⟨days_in_month|month_length⟩(year: int, month: int)⟨| -> int⟩:
            if month == 2:
                if @leap(year):
                    return 29
                return 28
            if month == 4 or month == 6 or month == 9 or month == 11:
                return 30
            return 31
        """,
        """
        def ⟨days_of_month|get_month_days⟩(year: int, month: int)⟨| -> int⟩:
            if month == 2:
                return 29 if @leap(year) else 28
            # 31 and 30 alternate, with a break after July
            return 30 + (month + month // 8) % 2
        """,
    ),
    helper(
        "compare",
        """
        def ⟨compare|evaluate_op|test_op⟩(op: int, a: int, b: int)⟨| -> bool⟩:
            if op == {OP_EQ}:
                return a == b
            ⟨el|⟩if op == {OP_NE}:
                return a != b
            ⟨el|⟩if op == {OP_LT}:
                return a < b
            ⟨if op == {OP_GE}:
                return a >= b
            return False|return a >= b⟩
        """,
    ),
    helper(
        "before",
        """
        def ⟨7:comes_before|less_pair|key_less|descending_before⟩(key_a: int, id_a: int, key_b: int, id_b: int)⟨| -> bool⟩:
            # equal keys are ordered by their ids, so that the order is total
            if key_a != key_b:
                return key_a ⟨7:<|<|<|>⟩ key_b
            return id_a < id_b
        """,
        """
        def ⟨precedes|is_less⟩(key_a: int, id_a: int, key_b: int, id_b: int)⟨| -> bool⟩:
            return key_a < key_b or (key_a == key_b and id_a < id_b)
        """,
    ),
    helper(
        "zigzag",
        """
        def ⟨zigzag|zigzag_encode⟩(delta: int)⟨| -> int⟩:
            # small magnitudes of either sign become small codes
            if delta ⟨1:>=|<⟩ 0:
                return ⟨1:2 * delta|-2 * delta - 1⟩
            return ⟨1:-2 * delta - 1|2 * delta⟩
        """,
    ),
    helper(
        "priority",
        """
        def ⟨priority_level|classify|urgency⟩(age: int, cost: int)⟨| -> int⟩:
            if age > ⟨15|16|14⟩:
                return {BEST}
            if cost > ⟨20|24⟩:
                return {LATE}
            ⟨# cheap rows that are new can wait
            if age < 4 and cost < 10:
                return {IDLE}
            |⟩return {NORMAL}
        """,
    ),
    helper(
        "low_byte",
        """
        def ⟨low_byte|lowest_byte|byte_of⟩(bits: int)⟨| -> int⟩:
            return bits & 255
        """,
    ),
    helper(
        "wrap_slot",
        """
        def ⟨wrap_slot|bucket_of|ring_index⟩(value: int, count: int)⟨| -> int⟩:
            return value % count
        """,
    ),
    helper(
        "pick_larger",
        """
        def ⟨pick_larger|larger_of|upper_of⟩(a: int, b: int)⟨| -> int⟩:
            ⟨return wp.max(a, b)|return a if a > b else b⟩
        """,
    ),
    helper(
        "logistic",
        """
        def ⟨logistic|sigmoid|squash⟩(x: float)⟨| -> float⟩:
            return 1.0 / (1.0 + wp.exp(-x))
        """,
    ),
    helper(
        "square",
        """
        def ⟨square|sqr|squared⟩(x: float)⟨| -> float⟩:
            return x * x
        """,
    ),
    helper(
        "bump",
        """
        def ⟨gauss|bell|rbf⟩(x: float, width: float)⟨| -> float⟩:
            return wp.exp(-x * x / (2.0 * width * width))
        """,
    ),
)
