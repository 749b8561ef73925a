"""Ideas of the domain `grids`: cellular automata, wave fronts, flags; all of integers."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

AUTOMATA = (
    Idea(
        "life",
        "life_step game_of_life next_generation update_cells",
        "compute the next generation of ⟨1:Conway's game of life|the automaton HighLife|a game of life with ages|a majority rule|an automaton in which cells die of old age⟩",
        """
        ⟨|hook mask2⟩
        # neighbours that count
        $n = int(0)
        each around:
            $n += {life}[$ii, $jj]

        # birth and survival
        $was = {life}[$i, $j]
        ⟨1:⟨$now = int(0)
        if $was == 1:
            # survives with two or three neighbours
            if $n == 2 or $n == 3:
                $now = 1
        elif $n == 3:
            $now = 1|$now = 1 if $n == 3 or ($n == 2 and $was == 1) else 0|$now = 0
        if $n == 3:
            $now = 1
        elif $n == 2:
            $now = $was⟩
        |$now = int(0)
        if $was == 0 and ($n == 3 or $n == 6):
            $now = 1
        elif $was == 1 and ($n == 2 or $n == 3):
            $now = 1
        |$now = $was
        if $was == 1:
            if $n < 2 or $n > 3:
                $now = 0
                {age_out}[$i, $j] = 0
            else:
                {age_out}[$i, $j] = ⟨{age}[$i, $j] + 1|wp.min({age}[$i, $j] + 1, {max_age})⟩
        elif $n == 3:
            $now = 1
            {age_out}[$i, $j] = 1
        |$now = 1 if $n > 4 or ($n == 4 and $was == 1) else 0
        |$now = $was
        if $was == 1 and ({age}[$i, $j] >= {max_age} or $n < 2):
            $now = 0
            {age_out}[$i, $j] = 0
        elif $was == 0 and $n == 3:
            $now = 1
            {age_out}[$i, $j] = 0
        else:
            # dead cells have no age
            {age_out}[$i, $j] = ({age}[$i, $j] + 1) * $was
        ⟩
        {life_out}[$i, $j] = $now
        ⟨|# statistics of the generation
        if $now > $was:
            wp.atomic_add({births}, 0, 1)
        elif $now < $was:
            wp.atomic_add({deaths}, 0, 1)|if $now != $was:
            wp.atomic_add({changed}, 0, 1)|⟩
        hook end2
        """,
        threads="i j",
        kinds="nested_loop control_flow multi_conditional cellular_automata multi_dim stencil",
        integer=True,
    ),
    Idea(
        "fire",
        "forest_fire_step spread_fire burn_step fire_step",
        "advance a ⟨forest fire|fire front⟩ by one step ⟨1:|with a burning time|with a chance that depends on the number of burning neighbours⟩",
        """
        # state before the step
        $s = {state}[$i, $j]
        ⟨if $s == {EMPTY}:
            {state_out}[$i, $j] = {EMPTY}
            return
        |⟩
        # burning neighbours
        $burning = int(0)
        each ⟨side|around⟩:
            if {state}[$ii, $jj] == {FIRE}:
                $burning += 1

        if $s == {TREE}:
            ⟨1:if $burning > 0 and {chance}[$i, $j] < $odds|if $burning > 1|if {chance}[$i, $j] < $odds * $burning⟩:
                {state_out}[$i, $j] = {FIRE}
                ⟨1:⟨wp.atomic_add({changed}, 0, 1)|⟩|{timer_out}[$i, $j] = {max_age}|⟨wp.atomic_add({changed}, 0, 1)|⟩⟩
            else:
                {state_out}[$i, $j] = {TREE}
        elif $s == {FIRE}:
            ⟨1:{state_out}[$i, $j] = {ASH}|$left = {timer}[$i, $j] - 1
            if $left > 0:
                {state_out}[$i, $j] = {FIRE}
                {timer_out}[$i, $j] = $left
            else:
                {state_out}[$i, $j] = {ASH}⟨|
                wp.atomic_add({deaths}, 0, 1)⟩|{state_out}[$i, $j] = {ASH}⟩
        else:
            ⟨# ash becomes fertile after a while
            {state_out}[$i, $j] = $s if {timer}[$i, $j] > ⟨0|2⟩ else {TREE}|# new growth
            if {chance}[$i, $j] >= 100 - $odds:
                {state_out}[$i, $j] = {TREE}
            else:
                {state_out}[$i, $j] = $s|{state_out}[$i, $j] = $s⟩
        hook end2
        """,
        threads="i j",
        kinds="nested_loop control_flow multi_conditional cellular_automata multi_dim",
        integer=True,
    ),
    Idea(
        "front",
        "expand_front wavefront_step bfs_step propagate_distance",
        "⟨1:expand a wave front by one cell|lower the distance of each cell to that of its neighbours plus one⟩",
        """
        ⟨if {solid2}[$i, $j]:
            {dist_out}[$i, $j] = {UNKNOWN}
            return
        |hook mask2
        |⟩
        # steps to the nearest source
        $d0 = {dist}[$i, $j]
        ⟨1:if $d0 != {UNKNOWN}:
            # reached in an earlier sweep
            {dist_out}[$i, $j] = $d0
            return

        $reached = int(0)
        each ⟨side|around⟩:
            if {dist}[$ii, $jj] == {step}⟨| and not {solid2}[$ii, $jj]⟩:
                $reached ⟨= 1|+= 1⟩

        ⟨if $reached > 0:
            {dist_out}[$i, $j] = {step} + 1
            wp.atomic_add({changed}, 0, 1)
        else:
            {dist_out}[$i, $j] = {UNKNOWN}|{dist_out}[$i, $j] = {step} + 1 if $reached != 0 else {UNKNOWN}⟩
        |$near = $d0
        each ⟨side|around⟩:
            $dn = {dist}[$ii, $jj]
            if $dn == {UNKNOWN}:
                continue
            if $near == {UNKNOWN} or $dn + 1 < $near:
                $near = $dn + 1
        {dist_out}[$i, $j] = $near
        if $near != $d0:
            wp.atomic_add({changed}, 0, 1)
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="nested_loop control_flow cellular_automata gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "elementary",
        "elementary_automaton rule_step step_1d wolfram_step",
        "advance a one-dimensional automaton by one step of a numbered rule",
        """
        hook cell
        ⟨1:$left = {line}[($c + {cells} - 1) % {cells}]
        $right = {line}[($c + 1) % {cells}]
        |$left = {line}[$c - 1] if $c > 0 else 0
        $right = {line}[$c + 1] if $c < {cells} - 1 else 0
        |$left = int(0)
        $right = int(0)
        if $c > 0:
            $left = {line}[$c - 1]
        if $c + 1 < {cells}:
            $right = {line}[$c + 1]
        |# fixed ends
        if $c == 0 or $c >= {cells} - 1:
            {line_out}[$c] = {line}[$c]
            return
        $left = {line}[$c - 1]
        $right = {line}[$c + 1]
        ⟩
        ⟨# three bits select one bit of the rule
        |⟩$pattern = ⟨4 * $left + 2 * {line}[$c] + $right|($left << 2) + ({line}[$c] << 1) + $right|(($left * 2) + {line}[$c]) * 2 + $right⟩
        ⟨$bit = ({rule} >> $pattern) & 1
        {line_out}[$c] = $bit|$bit = int(0)
        if ({rule} & (1 << $pattern)) != 0:
            $bit = 1
        {line_out}[$c] = $bit|$bit = ({rule} // (1 << $pattern)) % 2
        {line_out}[$c] = $bit⟩
        ⟨|if $bit != {line}[$c]:
            wp.atomic_add({changed}, 0, 1)|wp.atomic_add({tally}, $pattern, 1)|if $bit == 1 and {line}[$c] == 0:
            wp.atomic_add({births}, 0, 1)
        elif $bit == 0 and {line}[$c] == 1:
            wp.atomic_add({deaths}, 0, 1)⟩
        """,
        threads="c",
        kinds="arithmetic integer_bits cellular_automata",
        integer=True,
    ),
    Idea(
        "cyclic",
        "update_states automaton_step excitable_step",
        "advance ⟨1:a cyclic automaton|Brian's brain|an excitable medium⟩ by one step",
        """
        # state before the step
        $s = {state}[$i, $j]
        ⟨hook mask2|⟩
        ⟨1:# a cell takes the next colour if enough neighbours have it
        $succ = ⟨($s + 1) % 4|($s + 1) & 3⟩
        # neighbours that count
        $n = int(0)
        each ⟨around|side⟩:
            if {state}[$ii, $jj] == $succ:
                $n += 1

        if $n >= ⟨1|2⟩:
            {state_out}[$i, $j] = $succ
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        else:
            {state_out}[$i, $j] = $s
        |$n = int(0)
        each around:
            if {state}[$ii, $jj] == {FIRE}:
                $n += 1

        # ready, firing, refractory
        if $s == {FIRE}:
            {state_out}[$i, $j] = {ASH}
        elif $s == {ASH}:
            {state_out}[$i, $j] = {EMPTY}
        elif $n == 2:
            {state_out}[$i, $j] = {FIRE}
            ⟨wp.atomic_add({births}, 0, 1)|⟩
        else:
            {state_out}[$i, $j] = {EMPTY}
        |$left = {timer}[$i, $j]
        if $left > 0:
            # still refractory
            {timer_out}[$i, $j] = $left - 1
            {state_out}[$i, $j] = {ASH}
            return
        $n = int(0)
        each ⟨around|side⟩:
            if {state}[$ii, $jj] == {FIRE}:
                $n += 1
        if $n > 0 and $s != {FIRE}:
            {state_out}[$i, $j] = {FIRE}
            {timer_out}[$i, $j] = {max_age}
        else:
            {state_out}[$i, $j] = {EMPTY}
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="nested_loop control_flow multi_conditional cellular_automata multi_dim",
        integer=True,
    ),
    Idea(
        "sandpile",
        "topple_step sandpile_step relax_sandpile redistribute_grains",
        "topple ⟨1:all cells with four grains or more|all cells with four grains or more, with losses at walls|all cells with more than four grains⟩ once",
        """
        ⟨if {solid2}[$i, $j]:
            return
        |hook mask2
        |⟩
        # gather form: grains that leave and grains that arrive
        $own = {grains}[$i, $j]
        $grains = int($own)
        ⟨1:if $own >= 4|if $own > 3|if $own > 4⟩:
            $grains -= 4
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        each side:
            ⟨1:if {grains}[$ii, $jj] >= 4|if {grains}[$ii, $jj] >= 4 and not {solid2}[$ii, $jj]|if {grains}[$ii, $jj] > 4⟩:
                $grains += 1

        {grains_out}[$i, $j] = $grains
        ⟨|# needs another step
        if $grains > ⟨1:3|3|4⟩:
            {note}[$i, $j] = 1
        else:
            {note}[$i, $j] = 0⟩
        hook end2
        """,
        threads="i j",
        kinds="nested_loop control_flow cellular_automata multi_dim",
        integer=True,
    ),
)
