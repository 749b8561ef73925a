"""Ideas of the domain `contacts`: keys, order, matching and reduction of contact lists."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LISTS = (
    Idea(
        "sort_keys",
        "contact_sort_keys build_sort_keys make_contact_keys encode_contacts",
        "compute a sort key for each contact⟨1: from its shapes| from its bodies| from its types⟩",
        """
        ⟨if $c >= {ncon}[0]:
            # unused entries sort last
            {key_out}[$c] = ⟨1000000|2147483647⟩
            return
        |if {invalid}[$c]:
            {key_out}[$c] = -1
            return
        |⟩⟨1:⟨if $sa < 0 or $sb < 0:
            {key_out}[$c] = wp.max($sa, $sb) + 1
            return
        |⟩$code = @pair_code(wp.max($sa, 0), wp.max($sb, 0), {ng})
        |⟨$code = ($ba + 1) * ({nb} + 1) + $bb + 1
        |$lo_b = wp.min($ba, $bb)
        $hi_b = wp.max($ba, $bb)
        $code = ($hi_b + 1) << 8
        if $lo_b >= 0:
            $code += $lo_b + 1⟩
        |$code = int(0)
        if $sa >= 0:
            $code += {gtype}[$sa] * 5
        if $sb >= 0:
            $code += {gtype}[$sb]
        ⟩⟨{key_out}[$c] = $code
        |{key_out}[$c] = @hash($code)
        |# several contacts of one pair differ in the lower bits
        {key_out}[$c] = ($code << 3) + ({key}[$c] & 7)
        |{key_out}[$c] = $code * 4 + {condim}[$c] - 1
        |if {state}[$c] == {SEPARATE}:
            $code += 65536
        {key_out}[$c] = $code⟩
        """,
        threads="c",
        kinds="control_flow arithmetic contact sorting integer_bits early_exit",
        integer=True,
    ),
    Idea(
        "match_contacts",
        "match_contacts find_previous_contacts match_persistent_contacts lookup_old_contacts",
        "find the contact of the step before that has the same key⟨1:, by binary search|, by linear search|⟩",
        """
        ⟨if $c >= {ncon}[0]:
            {match_out}[$c] = -1
            return
        |if {invalid}[$c]:
            {match_out}[$c] = -1
            return
        |⟩$code = {key}[$c]
        $found = int(-1)
        ⟨1:$lo = int(0)
        $hi = ⟨int({nc})|int({ncon}[0])⟩
        while $lo < $hi:
            $mid = ($lo + $hi) // 2
            if {old_key}[$mid] < $code:
                $lo = $mid + 1
            else:
                $hi = $mid
        # the first entry that is not less
        if $lo < {nc}:
            if {old_key}[$lo] == $code:
                $found = $lo
        |for $k in range({ncon}[0]):
            if {old_key}[$k] == $code:
                $found = $k
                break
            ⟨if {old_key}[$k] > $code:
                # the keys are sorted
                break
            |⟩
        |$k = int(0)
        while $k < {nc} and $found < 0:
            if {old_key}[$k] == $code:
                $found = $k
            $k += 1
        ⟩⟨if $found >= 0:
            # too old to be of use
            if {age}[$found] > {age_max}:
                $found = -1
        |if $found >= 0:
            if {state}[$found] == {SEPARATE}:
                $found = -1
        |⟩{match_out}[$c] = $found
        ⟨if $found >= 0:
            wp.atomic_add({valid_n}, 0, 1)
        |⟩
        """,
        threads="c",
        kinds="control_flow multi_conditional contact while_loop sorting early_exit",
        integer=True,
    ),
    Idea(
        "contact_events",
        "update_contact_events contact_state_machine classify_contacts track_contact_events",
        "classify contacts as new, persistent and ended⟨1: and count them||⟩",
        """
        $m = {match}[$c]
        $kind = int(0)
        $old_age = int(0)
        ⟨if {invalid}[$c]:
            {event}[$c] = 0
            return
        |⟩if $m < 0:
            $kind = {BEGIN}⟨| if {state}[$c] != {SEPARATE} else 0⟩
        elif {state}[$c] == {SEPARATE}:
            ⟨# separated since the last step
            $kind = {END}
            |if {state}[$m] != {SEPARATE}:
                $kind = {END}⟩
        else:
            $kind = {PERSIST}
            $old_age = {age}[$m]
        ⟨$new_age = $old_age + 1
        if $kind != {PERSIST}:
            $new_age = 0
        |$new_age = wp.min($old_age + 1, {age_max})
        |$new_age = $old_age + 1 if $kind == {PERSIST} else 0⟩
        {event}[$c] = $kind
        {age_out}[$c] = $new_age
        ⟨1:wp.atomic_add({event_n}, $kind, 1)
        |⟨if $kind == {PERSIST}:
            wp.atomic_add({event_n}, {PERSIST}, 1)
        |⟩|if $kind == {BEGIN}:
            wp.atomic_add({event_n}, {BEGIN}, 1)
        elif $kind == {END}:
            wp.atomic_add({event_n}, {END}, 1)⟩
        """,
        threads="c",
        kinds="multi_conditional control_flow contact histograms",
        integer=True,
    ),
    Idea(
        "count_contacts",
        "count_contacts_per_body contact_histogram count_body_contacts count_pair_types",
        "count contacts ⟨1:of each body|of each pair of types|of each body and the valid ones⟩",
        """
        hook contact
        ⟨1:if $ba >= 0:
            wp.atomic_add({per_body}, $ba, 1)
        if $bb >= 0⟨| and $bb != $ba⟩:
            wp.atomic_add({per_body}, $bb, 1)
        |if $sa < 0 or $sb < 0:
            ⟨# the ground counts as a plane
            wp.atomic_add({per_type}, {gtype}[wp.max(wp.max($sa, $sb), 0)], 1)
            |⟩return
        ⟨$ta = wp.min({gtype}[$sa], {gtype}[$sb])
        $tb = wp.max({gtype}[$sa], {gtype}[$sb])
        |$ta = {gtype}[$sa]
        $tb = {gtype}[$sb]⟩
        wp.atomic_add({per_type}, $ta * 5 + $tb, 1)
        |if {state}[$c] == {SEPARATE}⟨| or {condim}[$c] == 1| or {age}[$c] > {age_max}⟩:
            return
        if $ba >= 0:
            wp.atomic_add({per_body}, $ba, 1)
        if $bb >= 0⟨| and $bb != $ba⟩:
            wp.atomic_add({per_body}, $bb, 1)
        wp.atomic_add({valid_n}, 0, 1)⟩
        """,
        threads="c",
        kinds="atomic control_flow contact histograms atomics early_exit",
        integer=True,
    ),
    Idea(
        "reduce_contacts",
        "reduce_contacts bin_contacts contact_reduction_bins select_deepest_contacts",
        "assign contacts to bins by ⟨1:the direction of the normal|key|octant of the position⟩ and keep the largest depth of each bin",
        """
        hook contact
        ⟨1:$axis = int(0)
        $big = wp.abs($n[0])
        if wp.abs($n[1]) > $big:
            $axis = 1
            $big = wp.abs($n[1])
        if wp.abs($n[2]) > $big:
            $axis = 2
        $bin = $axis * 2
        if $n[$axis] < 0.0:
            $bin += 1
        |$bin = ⟨@hash({key}[$c]) % {ncell}|({key}[$c] >> 3) % {ncell}⟩
        |$bin = int(0)
        ⟨for $k in range(3):
            if {pos}[$c][$k] > 0.0:
                $bin += 1 << $k
        |if {pos}[$c][0] > 0.0:
            $bin += 1
        if {pos}[$c][1] > 0.0:
            $bin += 2
        if {pos}[$c][2] > 0.0:
            $bin += 4⟩
        ⟩{bin_out}[$c] = $bin
        ⟨wp.atomic_add({bin_n}, $bin, 1)
        |⟩if {dist}[$c] < 0.0:
            # depth in ⟨millimetres|steps of 0.1 mm⟩
            $depth_q = int(-{dist}[$c] * ⟨1000.0|10000.0⟩)
            wp.atomic_max({deepest}, $bin, $depth_q)
        """,
        threads="c",
        kinds="control_flow atomic contact atomics histograms",
    ),
    Idea(
        "gather_contacts",
        "gather_contacts reorder_contacts compact_contacts apply_sort_order",
        "copy contacts in the new order⟨1:, without separated ones||⟩",
        """
        $src = {order}[$c]
        ⟨1:if {state}[$src] == {SEPARATE}:
            # dropped contacts leave an empty entry
            {sorted_a}[$c] = -1
            {sorted_b}[$c] = -1
            return
        |⟨if $c >= {ncon}[0]:
            return
        |⟩|⟩{sorted_a}[$c] = {c_a}[$src]
        {sorted_b}[$c] = {c_b}[$src]
        ⟨{sorted_normal}[$c] = {normal}[$src]
        |{sorted_dist}[$c] = {dist}[$src]
        |{sorted_normal}[$c] = {normal}[$src]
        {sorted_dist}[$c] = {dist}[$src]
        |if {c_a}[$src] > {c_b}[$src]:
            # the normal points from the lower to the higher shape
            {sorted_normal}[$c] = -{normal}[$src]
        else:
            {sorted_normal}[$c] = {normal}[$src]⟩
        """,
        threads="c",
        kinds="gather_scatter contact sorting",
    ),
    Idea(
        "validate",
        "validate_contacts mark_valid_contacts prune_contacts filter_contacts",
        "mark the contacts to keep and count them",
        """
        ⟨if $c >= {ncon}[0]:
            {valid}[$c] = 0
            return
        |⟩$keep = int(1)
        if ⟨{invalid}[$c]|$sb < 0|$sa == $sb⟩:
            $keep = 0
        elif ⟨3:{age}[$c] > {age_max}|{state}[$c] == {SEPARATE}|{state}[$c] == {SEPARATE} and {age}[$c] > 2⟩:
            ⟨3:# kept for too long
            |⟩$keep = 0
        ⟨elif $sa >= 0⟨| and $sb >= 0⟩:
            ⟨if {gflags}[$sa] & {COLLIDE} == 0:
                $keep = 0
            |if {gflags}[$sa] & {SENSOR} != 0:
                $keep = 2⟩
        |elif {seen}[$c] == 0:
            # not found in this step
            $keep = 0
        |⟩
        {valid}[$c] = $keep
        if $keep ⟨> 0|== 1|!= 0⟩:
            wp.atomic_add({valid_n}, 0, 1)
        """,
        threads="c",
        kinds="control_flow multi_conditional contact",
        integer=True,
    ),
    Idea(
        "clear_contacts",
        "clear_contacts reset_contacts invalidate_contacts init_contact_list",
        "mark contacts as unused⟨1:|, from the current count on|, unless they persist⟩",
        """
        ⟨if {state}[$c] == {STICK} and {age}[$c] < 3:
            # fresh resting contacts are kept
            return
        |⟩⟨1:{cleared}[$c] = -1
        # unused entries sort last
        {key_out}[$c] = ⟨2147483647|1000000 + $c⟩
        |if $c < {ncon}[0]:
            return
        {cleared}[$c] = -1
        |⟨if {age}[$c] > {age_max}:
            {cleared}[$c] = -1
        else:
            {cleared}[$c] = {c_a}[$c]
        |{cleared}[$c] = {c_a}[$c] if {match}[$c] >= 0 else -1⟩⟩
        """,
        threads="c",
        kinds="control_flow contact",
        integer=True,
    ),
)
