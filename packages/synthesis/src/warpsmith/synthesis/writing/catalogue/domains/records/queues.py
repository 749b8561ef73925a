"""Ideas of the domain `records`: ring buffers with a head and a count."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

QUEUES = (
    Idea(
        "push",
        "push_items enqueue append_to_queues ring_push",
        "append the arriving item to each queue, and ⟨1:drop it|drop the oldest item⟩ where the queue is full",
        """
        hook queue_skip
        $item = {arrivals}[$q]
        if $item ⟨< 0|== {NONE}⟩:
            return
        $head_pos = {head}[$q]
        $len = {fill}[$q]
        ⟨1:if ⟨$len >= {depth} - 1|$len + 1 >= {depth}⟩:
            # the queue is full
            wp.atomic_add({dropped}, 0, 1)
            return
        $slot = ($head_pos + $len) % {depth}
        {ring}[$q, $slot] = $item
        {fill}[$q] = $len + 1|if $len >= {depth} - 1:
            # overwrite the oldest item
            {ring}[$q, $head_pos] = $item
            {head}[$q] = ($head_pos + 1) % {depth}
            ⟨wp.atomic_add({dropped}, 0, 1)|⟩
        else:
            ⟨$slot = $head_pos + $len
            if $slot >= {depth}:
                $slot -= {depth}|$slot = ($head_pos + $len) % {depth}⟩
            {ring}[$q, $slot] = $item
            {fill}[$q] = $len + 1⟩
        ⟨|wp.atomic_add({counter}, 0, 1)|wp.atomic_max({stats}, 1, $len)⟩
        """,
        threads="q",
        kinds="control_flow multi_conditional early_exit",
        docs="A queue is a ring buffer with the position of its oldest item and the number of its items",
        integer=True,
        alone=True,
    ),
    Idea(
        "pop",
        "pop_items dequeue drain_queues ring_pop",
        "take up to the budgeted number of items from each queue and ⟨1:add them|store the largest one|count those above the pivot⟩",
        """
        $head_pos = {head}[$q]
        $len = {fill}[$q]
        ⟨2:$take = wp.min($len, {budget}[$q])
        ⟨if $take == 0:
            # nothing to take
            return
        |⟩$sum = int(⟨1:0|-1|0⟩)
        for $k in range($take):
            $item = {ring}[$q, ($head_pos + $k) % {depth}]
            ⟨1:$sum += $item|$sum = wp.max($sum, $item)|if $item > {pivot}:
                $sum += 1⟩
        {head}[$q] = ($head_pos + $take) % {depth}
        {fill}[$q] = $len - $take|$sum = int(⟨1:0|-1|0⟩)
        $take = int(0)
        while $len > 0 and $take < {budget}[$q]:
            $item = {ring}[$q, $head_pos]
            ⟨1:$sum += $item|if $item > $sum:
                $sum = $item|if $item > {pivot}:
                $sum += 1⟩
            $head_pos = ($head_pos + 1) % {depth}
            $len -= 1
            $take += 1
        {head}[$q] = $head_pos
        {fill}[$q] = $len⟩
        {queue_out}[$q] = $sum
        ⟨|{taken}[$q] = $take|wp.atomic_add({counter}, 0, $take)|if $take < {budget}[$q]:
            # the queue ran empty
            wp.atomic_add({stats}, 2, 1)⟩
        """,
        threads="q",
        kinds="control_flow while_loop",
        integer=True,
        alone=True,
    ),
    Idea(
        "find_in_queue",
        "search_queue find_item queue_contains locate_entry",
        "search each queue for ⟨1:the arriving item|an item close to the arriving one|an item above the pivot|the smallest item⟩ and store its distance from the head",
        """
        hook queue_skip
        $head_pos = {head}[$q]
        $len = {fill}[$q]
        $best = int({NONE})
        ⟨1:$k = int(0)
        while $k < $len and $best < 0:
            $slot = ($head_pos + $k) % {depth}
            if {ring}[$q, $slot] == {arrivals}[$q]:
                $best = $k
            $k += 1|$wanted = {arrivals}[$q]
        $k = int(0)
        while $k < $len:
            $item = {ring}[$q, ($head_pos + $k) % {depth}]
            if wp.abs($item - $wanted) ⟨<=|<⟩ {tolerance}:
                $best = $k
                break
            $k += 1|for $k in range($len):
            $slot = $head_pos + $k
            if $slot >= {depth}:
                $slot -= {depth}
            if {ring}[$q, $slot] > {pivot}:
                $best = $k
                break|$least = int(100)
        for $k in range($len):
            $item = {ring}[$q, ($head_pos + $k) % {depth}]
            if $item < $least:
                $least = $item
                $best = $k⟩
        {queue_out}[$q] = $best
        ⟨|if $best ⟨== {NONE}|< 0⟩:
            wp.atomic_add({misses}, 0, 1)
        else:
            wp.atomic_add({counter}, 0, 1)|wp.atomic_max({stats}, 0, $best + 1)⟩
        """,
        threads="q",
        kinds="control_flow while_loop early_exit",
        integer=True,
    ),
    Idea(
        "balance",
        "check_queues queue_status classify_queues watch_backlog",
        "classify each queue by its backlog and adapt its budget",
        """
        $len = {fill}[$q]
        $free = {depth} - 1 - $len
        ⟨if $len == 0:
            {queue_state}[$q] = {IDLE}
            return
        |if $len == 0 and {budget}[$q] == 0:
            {queue_state}[$q] = {IDLE}
            wp.atomic_add({stats}, {IDLE}, 1)
            return
        |⟩if $free ⟨<= 1|== 0|< 2⟩:
            {queue_state}[$q] = {BEST}
            # full queues may send more
            {budget}[$q] = wp.min({budget}[$q] + ⟨1|2⟩, {depth})
            ⟨wp.atomic_add({stats}, {BEST}, 1)|⟩
        elif $len > $free:
            {queue_state}[$q] = {NORMAL}
            ⟨{budget}[$q] = {budget}[$q] + 1|if {budget}[$q] == 0:
                {budget}[$q] = 1⟩
        else:
            {queue_state}[$q] = {LATE}
            ⟨if {budget}[$q] > 1:
                {budget}[$q] = {budget}[$q] - 1|{budget}[$q] = wp.max({budget}[$q] - 1, 0)⟩
        ⟨|wp.atomic_add({counter}, 0, $len)⟩
        """,
        threads="q",
        kinds="control_flow multi_conditional",
        integer=True,
        alone=True,
    ),
)
