"""Ideas of the domain `environments`: cellular automata on boards, without floats."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

AUTOMATA = (
    Idea(
        "life",
        "life_step game_of_life step_life update_cells life_generation",
        "compute the next generation of ⟨1:the game of life|a game of life with three states|a majority rule⟩",
        """
        $n = int(0)
        for $dy in range(⟨2:-1, 2|3⟩):
            for $dx in range(⟨2:-1, 2|3⟩):
                ⟨3:$yy = @wrap($y + $dy⟨2:| - 1⟩, {rows})
                $nx = @wrap($xx + $dx⟨2:| - 1⟩, {cols})
                if {state}[$e, $yy, $nx] == {TREE}:
                    $n += 1|$yy = $y + $dy⟨2:| - 1⟩
                $nx = $xx + $dx⟨2:| - 1⟩
                if $yy < 0 or $yy >= {rows} or $nx < 0 or $nx >= {cols}:
                    continue
                if {state}[$e, $yy, $nx] == {TREE}:
                    $n += 1⟩
        $mine = {state}[$e, $y, $xx]
        ⟨1:if $mine == {TREE}:
            # the cell counts itself
            $n -= 1
            {state_out}[$e, $y, $xx] = 1 if $n == 2 or $n == 3 else 0
        elif $n == 3:
            {state_out}[$e, $y, $xx] = 1
            ⟨wp.atomic_add({births}, $e, 1)|⟩|if $mine == {EMPTY} and $n == ⟨2|3⟩:
            {state_out}[$e, $y, $xx] = 1
            ⟨wp.atomic_add({births}, $e, 1)|⟩
        elif $mine == 1:
            {state_out}[$e, $y, $xx] = 2
        ⟨|elif $mine == 2:
            # the last of the three states
            {state_out}[$e, $y, $xx] = {EMPTY}⟩|if $n > 4:
            {state_out}[$e, $y, $xx] = 1
        elif $n < ⟨4|3⟩:
            {state_out}[$e, $y, $xx] = 0
            ⟨wp.atomic_add({births}, $e, 1)|⟩
        else:
            {state_out}[$e, $y, $xx] = $mine⟩
        """,
        threads="e y xx",
        kinds="nested_loop control_flow multi_conditional cellular_automata stencil multi_dim",
        integer=True,
    ),
    Idea(
        "forest_fire",
        "forest_fire_step spread_fire fire_step burn_forest update_forest",
        "spread the fire in each forest",
        """
        $mine = {state}[$e, $y, $xx]
        ⟨if $mine == {EMPTY}:
            ⟨# a tree grows after a while
            if {age}[$e, $y, $xx] > {burn}:
                {state_out}[$e, $y, $xx] = {TREE}
            |⟩return
        |⟩if $mine == {FIRE}:
            if {age}[$e, $y, $xx] >= {burn}:
                {state_out}[$e, $y, $xx] = {ASH}
                ⟨{age}[$e, $y, $xx] = 0|wp.atomic_add({births}, $e, 1)⟩
            else:
                {state_out}[$e, $y, $xx] = {FIRE}
                {age}[$e, $y, $xx] += 1
        elif $mine == {TREE}:
            $n = int(0)
            ⟨if $xx > 0 and {state}[$e, $y, wp.max($xx - 1, 0)] == {FIRE}:
                $n += 1
            if $xx + 1 < {cols} and {state}[$e, $y, wp.min($xx + 1, {cols} - 1)] == {FIRE}:
                $n += 1
            if $y > 0 and {state}[$e, wp.max($y - 1, 0), $xx] == {FIRE}:
                $n += 1|for $k in range(4):
                $nx = wp.clamp($xx + @step_x($k), 0, {cols} - 1)
                $ny = wp.clamp($y + @step_y($k), 0, {rows} - 1)
                if {state}[$e, $ny, $nx] == {FIRE}:
                    $n += 1⟩
            if $n > ⟨0|1⟩:
                {state_out}[$e, $y, $xx] = {FIRE}
                ⟨wp.atomic_add({births}, $e, 1)|⟩
            else:
                {state_out}[$e, $y, $xx] = {TREE}
        ⟨else:
            {state_out}[$e, $y, $xx] = $mine|⟩
        """,
        threads="e y xx",
        kinds="control_flow multi_conditional cellular_automata multi_dim",
        integer=True,
    ),
)
