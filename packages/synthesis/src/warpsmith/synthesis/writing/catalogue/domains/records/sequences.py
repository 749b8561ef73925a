"""Ideas of the domain `records`: matching of token sequences, state machines, dates and times of day."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SEQUENCES = (
    Idea(
        "match",
        "match_pattern find_pattern search_tokens count_pattern",
        "search the tokens of each row for a pattern and ⟨1:store its first position|count its occurrences⟩",
        """
        hook skip
        ⟨1:$pos = int({NONE})
        $first_col = int(0)
        while $first_col + 3 <= {width} and $pos < 0:
            $same = int(1)
            for $k in range(3):
                # symbols 3 to 5 are the capitals of 0 to 2
                if {tokens}[$i, $first_col + $k] % 3 != {pattern}[$k]:
                    $same = 0
            if $same == 1:
                $pos = $first_col
            $first_col += 1
        {out_pos}[$i] = $pos
        ⟨|if $pos < 0:
            wp.atomic_add({misses}, 0, 1)|{out_bool}[$i] = $pos >= 0⟩|$count = int(0)
        for $first_col in range({width} - 2):
            ⟨$k = int(0)
            while $k < 3:
                ⟨# symbols 3 to 5 are the capitals of 0 to 2
                |⟩if {tokens}[$i, $first_col + $k] % 3 != {pattern}[$k]:
                    break
                $k += 1
            if $k == 3:
                $count += 1|if {tokens}[$i, $first_col] % 3 != {pattern}[0] or {tokens}[$i, $first_col + 2] % 3 != {pattern}[2]:
                continue
            ⟨# tokens above 2 match any symbol
            |⟩if {tokens}[$i, $first_col + 1] == {pattern}[1] or {tokens}[$i, $first_col + 1] > 2:
                $count += 1⟩
        {out_count}[$i] = $count
        ⟨|wp.atomic_add({counter}, 0, $count)|{out_flag}[$i] = 1 if $count > 0 else 0⟩⟩
        """,
        kinds="nested_loop control_flow while_loop early_exit",
        integer=True,
    ),
    Idea(
        "common_prefix",
        "common_prefix_length compare_rows lexicographic_compare row_order",
        "compare the tokens of each row with ⟨1:those of the row it refers to|the next row⟩ and store ⟨2:the length of the common prefix|which one comes first⟩",
        """
        hook skip
        ⟨1:$row = {rows}[$i]
        if $row ⟨< 0|== {NONE}⟩:
            ⟨2:{out_count}[$i] = {NONE}|{out_flag}[$i] = 0⟩
            return|$row = ($i + 1) % {n}⟩
        $len = int(0)
        ⟨while $len < {width}:
            if {tokens}[$i, $len] != {tokens}[$row, $len]:
                break
            $len += 1|$open = int(1)
        for $k in range({width}):
            if $open == 1:
                if {tokens}[$i, $k] == {tokens}[$row, $k]:
                    $len += 1
                else:
                    $open = 0|for $k in range({width}):
            if {tokens}[$i, $k] != {tokens}[$row, $k]:
                break
            $len += 1⟩
        ⟨2:{out_count}[$i] = $len|$last_col = wp.min($len, {width} - 1)
        ⟨1:if {tokens}[$i, $last_col] < {tokens}[$row, $last_col]:
            {out_flag}[$i] = -1
        elif {tokens}[$i, $last_col] > {tokens}[$row, $last_col]:
            {out_flag}[$i] = 1
        else:
            # the same tokens
            {out_flag}[$i] = 0|⟨{out_flag}[$i] = 1 if {tokens}[$i, $last_col] < {tokens}[$row, $last_col] else 0|if {tokens}[$i, $last_col] < {tokens}[$row, $last_col]:
            {out_flag}[$i] = -1
        else:
            {out_flag}[$i] = 1⟩⟩⟩
        """,
        kinds="control_flow while_loop early_exit",
        integer=True,
    ),
    Idea(
        "tokenizer",
        "scan_tokens run_state_machine lex_rows tokenize_rows",
        "run a state machine over the tokens of each row and count its words⟨6:| and numbers⟩",
        """
        hook skip
        $mode = int({S_START})
        $count = int(0)
        each item:
            if $mode == {S_START}:
                if $item ⟨5:<|<=⟩ 2:
                    $mode = {S_WORD}
                    $count += 1
                elif $item == ⟨4:3|4⟩:
                    $mode = {S_NUMBER}
            elif $mode == {S_WORD}:
                if $item == 5:
                    # separator
                    $mode = {S_START}
                ⟨elif $item == ⟨4:3|4⟩:
                    $mode = {S_NUMBER}|elif $item > 5:
                    $mode = {S_ERROR}|⟩
            elif $mode == {S_NUMBER}:
                if $item ⟨5:<|<=⟩ 2:
                    # a letter in a number
                    $mode = {S_ERROR}
                elif $item == 5:
                    $mode = {S_START}
                    ⟨6:|$count += 1⟩
            ⟨else:
                # resynchronize at the next separator
                if $item == 5:
                    $mode = {S_START}|⟩

        {out_val}[$i] = $mode
        {out_count}[$i] = $count
        ⟨|{out_flag}[$i] = 1 if $mode == {S_ERROR} else 0|wp.atomic_add({stats}, $mode, 1)⟩
        """,
        kinds="control_flow multi_conditional",
        docs="The state after the last token tells whether the row ended within a word, a number or an error",
        integer=True,
    ),
    Idea(
        "calendar",
        "civil_from_days split_dates days_to_date calendar_dates",
        "convert day numbers to ⟨1:year, month and day|year and day of the year|month and day of the week⟩",
        """
        hook skip
        ⟨5:# keys count weeks
        |# keys count periods of four weeks
        |⟩⟨1:$days = {keys}[$i] * ⟨5:7|28|30⟩ + {start_at}|$days = {keys}[$i] * ⟨5:7|28|30⟩ + {start_at}|$elapsed = {keys}[$i] * ⟨5:7|28|30⟩ + {start_at}
        $days = int($elapsed)⟩
        $year = int(⟨3:2000|1999|1998⟩)
        $length = 366 if @leap($year) else 365
        while $days >= $length:
            $days -= $length
            $year += 1
            $length = 366 if @leap($year) else 365

        ⟨1:$month = int(1)
        $month_len = @month_days($year, $month)
        while $days >= $month_len:
            $days -= $month_len
            $month += 1
            $month_len = @month_days($year, $month)
        ⟨{out_val}[$i] = $year
        {out_aux}[$i] = $month
        {out_count}[$i] = $days + 1|# yyyymmdd
        {out_val}[$i] = $year * 10000 + $month * 100 + $days + 1⟩|{out_val}[$i] = $year
        {out_count}[$i] = $days + 1
        ⟨|# rows of January
        if $days < 31:
            wp.atomic_add({counter}, 0, 1)⟩|$month = int(1)
        $rest = int($days)
        for $k in range(1, 12):
            if $rest >= @month_days($year, $k) and $month == $k:
                $rest -= @month_days($year, $k)
                $month += 1
        {out_val}[$i] = $month
        ⟨# 0 for Monday
        {out_aux}[$i] = ($elapsed + ⟨3:5|4|3⟩) % 7|$weekday = ($elapsed + ⟨3:5|4|3⟩) % 7
        {out_aux}[$i] = $weekday
        # Saturday or Sunday
        {out_flag}[$i] = 1 if $weekday >= 5 else 0⟩⟩
        """,
        kinds="control_flow while_loop helper_functions",
        docs="Proleptic Gregorian calendar; day 0 is the first of January of the first year",
        integer=True,
    ),
    Idea(
        "time_of_day",
        "split_timestamps decode_time bucket_times time_fields",
        "split time stamps into ⟨1:day and time of day|hours, minutes and seconds|buckets of equal width⟩",
        """
        hook skip
        ⟨# the upper bits of each word are its time stamp
        |⟩$secs = {words_a}[$i] >> ⟨12|13⟩
        ⟨1:{out_val}[$i] = $secs // {DAY}
        {out_aux}[$i] = $secs % {DAY}
        ⟨|if $secs % {DAY} ⟨< 6|< 8|>= 20⟩ * {HOUR}:
            # outside of the opening hours
            {out_flag}[$i] = 1|wp.atomic_max({stats}, 0, $secs // {DAY})⟩|$time_of_day = $secs % {DAY}
        $hour = $time_of_day // {HOUR}
        $minute = ($time_of_day % {HOUR}) // 60
        ⟨{out_val}[$i] = $hour
        {out_aux}[$i] = $minute
        {out_count}[$i] = $time_of_day % 60|# hhmmss
        {out_val}[$i] = $hour * 10000 + $minute * 100 + $time_of_day % 60|if $minute >= 30:
            $hour = ($hour + 1) % 24
        {out_val}[$i] = $hour
        # bins of two hours
        wp.atomic_add({hist}, $hour // 2, 1)⟩|$bucket_len = {HOUR} * ⟨4|3|2⟩
        $slot = $secs // $bucket_len
        ⟨if $slot >= {RADIX}:
            # after the last bucket
            wp.atomic_add({dropped}, 0, 1)
            return
        wp.atomic_add({hist}, $slot, 1)
        {out_pos}[$i] = $slot|wp.atomic_add({hist}, wp.min($slot, {RADIX} - 1), 1)
        {out_aux}[$i] = $secs - $slot * $bucket_len|{out_pos}[$i] = $slot
        {out_flag}[$i] = 1 if $secs - $slot * $bucket_len > $bucket_len // 2 else 0
        if $slot < {RADIX}:
            wp.atomic_add({hist}, $slot, 1)⟩⟩
        """,
        kinds="arithmetic histograms",
        integer=True,
    ),
    Idea(
        "sum_items",
        "count_items item_statistics summarize_lists reduce_items",
        "⟨1:add the items of each row|find the largest item of each row|count the items that equal the first symbol of the pattern|find the longest run of equal items of each row⟩",
        """
        hook skip
        ⟨1:$total = int(0)|$total = int({NONE})|$total = int(0)|$total = int(0)
        $run = int(0)
        $before_item = int({NONE})⟩
        each item:
            ⟨1:⟨if $item == 9:
                # 9 stands for a missing item
                continue
            |⟩$total += $item|⟨if $item > $total:
                $total = $item|$total = wp.max($total, $item)⟩|if $item == {pattern}[0]:
                $total += 1|if $item == $before_item:
                $run += 1
            else:
                $run = 1
                $before_item = $item
            $total = wp.max($total, $run)⟩
        {out_val}[$i] = $total
        ⟨|{out_count}[$i] = {row_start}[$i + 1] - {row_start}[$i]|{out_flag}[$i] = 1 if $total ⟨1:== 0|< 0|== 0|> 1⟩ else 0|if $total > ⟨1:{tolerance}|5|0|1⟩:
            wp.atomic_add({counter}, 0, 1)|wp.atomic_max({stats}, 0, $total)⟩
        """,
        kinds="control_flow reduction",
        integer=True,
    ),
)
