"""Cellular automata: life, fire, sand, forests, waves of excitation."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.ideas.declare import code, data, integer, local, loop, number, size
from warpsmith.synthesis.writing.ideas.parts import Idea, Index

PARAMETERS = (
    size("ar", 9, 14, "height rows ny grid_h", "number of rows"),
    size("ac", 9, 14, "width cols nx grid_w", "number of columns"),
    size("al", 24, 64, "num_cells length n tape_len", "number of cells of the line"),
    data("ag", INT, 0, 1, "cells grid state alive", "1 for each living cell", "ar ac"),
    data("as3", INT, 0, 2, "states grid cell_state phase", "state of each cell", "ar ac"),
    data("ae", INT, 0, 4, "phases grid excitation cell_phase", "phase of each cell, 0 at rest", "ar ac"),
    data("aline", INT, 0, 1, "tape cells row_state bits", "state of each cell of the line", "al"),
    data("asand", INT, 0, 7, "grains sand heights pile", "grains on each cell", "ar ac"),
    data("afuel", FLOAT, 0.0, 1.0, "fuel moisture density vegetation", "fuel of each cell", "ar ac"),
    data("ag_out", INT, 0, 0, "cells_out next_grid new_state next_cells", "next state of each cell", "ar ac"),
    data("aline_out", INT, 0, 0, "tape_out next_cells next_row new_bits", "next state of each cell of the line", "al"),
    data("atotal", INT, 0, 0, "alive_count population num_changed active_cells", "number of cells that were counted", "1", start=0.0),
    data("aage", INT, 0, 9, "ages age steps_alive idle_steps", "number of steps for which each cell has lived", "ar ac"),
    data("aage_out", INT, 0, 0, "ages_out next_age new_age next_steps", "next age of each cell", "ar ac"),
    integer("wrule", 30, 200, "rule rule_number wolfram_rule", "number of the rule, one bit for each neighbourhood"),
    integer("aphases", 3, 4, "num_phases n_states cycle_len", "number of phases"),
    number("ignite", 0.3, 0.7, "threshold ignition dry_limit", "least fuel that burns"),
    code("EMPTY", 0, "EMPTY ASH BARE", "nothing grows"),
    code("TREE", 1, "TREE FOREST UNBURNT", "a tree grows"),
    code("FIRE", 2, "FIRE BURNING LIT", "the tree burns"),
)  # fmt: skip

INDICES = (
    Index("r", "ar", "i y row r", "row"),
    Index("c", "ac", "j x col c", "column"),
    Index("a", "al", "i tid x cell", "cell"),
)

NAMES = {
    "sum8": "neighbors n alive count",
    "up": "up north r_up i0",
    "down": "down south r_down i1",
    "left": "left west c_left j0",
    "right": "right east c_right j1",
    "st": "s state current cell",
}

LOCALS = (
    local("up", "($r + {ar} - 1) % {ar}", "wp.max($r - 1, 0)"),
    local("down", "($r + 1) % {ar}", "wp.min($r + 1, {ar} - 1)"),
    local("left", "($c + {ac} - 1) % {ac}", "wp.max($c - 1, 0)"),
    local("right", "($c + 1) % {ac}", "wp.min($c + 1, {ac} - 1)"),
    local(
        "sum8",
        "$sum8 = {ag}[$up, $left] + {ag}[$up, $c] + {ag}[$up, $right]\n$sum8 += {ag}[$r, $left] + {ag}[$r, $right]\n$sum8 += {ag}[$down, $left] + {ag}[$down, $c] + {ag}[$down, $right]",
        "$sum8 = int(0)\nfor $dr in range(-1, 2):\n    for $dc in range(-1, 2):\n        if $dr != 0 or $dc != 0:\n            $sum8 += {ag}[($r + $dr + {ar}) % {ar}, ($c + $dc + {ac}) % {ac}]",
        "$sum8 = int(0)\nfor $row_n in range(wp.max($r - 1, 0), wp.min($r + 2, {ar})):\n    for $col_n in range(wp.max($c - 1, 0), wp.min($c + 2, {ac})):\n        $sum8 += {ag}[$row_n, $col_n]\n$sum8 -= {ag}[$r, $c]",
    ),
)

LOOPS = (
    loop(
        "cross",
        "for $dr in range(-1, 2):\n    for $dc in range(-1, 2):\n        if wp.abs($dr) + wp.abs($dc) != 1:\n            continue\n        $row_n = ($r + $dr + {ar}) % {ar}\n        $col_n = ($c + $dc + {ac}) % {ac}\n        body",
        "for $dr in range(-1, 2):\n    for $dc in range(-1, 2):\n        $row_n = $r + $dr\n        $col_n = $c + $dc\n        if $row_n >= 0 and $row_n < {ar} and $col_n >= 0 and $col_n < {ac}:\n            body",
    ),
)

AUTOMATA = (
    Idea(
        "life",
        "life_step game_of_life life_rule update_cells",
        "advance each cell by the rule ⟨1:of life|of high life|of seeds|of day and night⟩ ⟨2:|and count the living cells|and count the changes⟩",
        """
        $st = {ag}[$r, $c]
        $next = int(0)
        ⟨1:if $st == 1 and ($sum8 == 2 or $sum8 == 3):
            $next = 1
        elif $st == 0 and $sum8 == 3:
            $next = 1|if $st == 1:
            if $sum8 == 2 or $sum8 == 3:
                $next = 1
        else:
            if $sum8 == 3 or $sum8 == 6:
                $next = 1|if $st == 0 and $sum8 == 2:
            $next = 1|if $sum8 > 5 or $sum8 == 3:
            $next = 1
        elif $st == 1 and $sum8 == 4:
            $next = 1⟩
        {ag_out}[$r, $c] = $next
        ⟨2:|wp.atomic_add({atotal}, 0, $next)|if $next != $st:
            wp.atomic_add({atotal}, 0, 1)⟩
        """,
        threads="r c",
        kinds="nested_loop cellular_automata multi_conditional stencil",
        integer=True,
    ),
    Idea(
        "elementary_rule",
        "elementary_rule wolfram_step rule_step advance_tape",
        "advance a line of cells by an elementary rule",
        """
        ⟨2:$left = {aline}[($a + {al} - 1) % {al}]
        $right = {aline}[($a + 1) % {al}]|$left = int(0)
        $right = int(0)
        if $a > 0:
            $left = {aline}[$a - 1]
        if $a + 1 < {al}:
            $right = {aline}[$a + 1]⟩
        ⟨3:$code = ($left << 2) | ({aline}[$a] << 1) | $right
        {aline_out}[$a] = ({wrule} >> $code) & 1|$code = 4 * $left + 2 * {aline}[$a] + $right
        {aline_out}[$a] = ({wrule} // (1 << $code)) % 2|{aline_out}[$a] = $left ^ ({aline}[$a] | $right)⟩
        """,
        threads="a",
        kinds="cellular_automata integer_bits",
        integer=True,
    ),
    Idea(
        "forest_fire",
        "forest_fire spread_fire burn_step wildfire_step",
        "spread fire to trees with a burning neighbour ⟨2:|if their fuel is dry enough|and count the burning trees⟩",
        """
        $st = {as3}[$r, $c]
        if $st == {FIRE}:
            {ag_out}[$r, $c] = {EMPTY}
            return
        if $st == {EMPTY}:
            {ag_out}[$r, $c] = ⟨{EMPTY}|{EMPTY}|{TREE}⟩
            return

        # a tree burns if a neighbour does
        $lit = int(0)
        each cross:
            if {as3}[$row_n, $col_n] == {FIRE}:
                $lit += 1
        ⟨2:if $lit > ⟨0|1⟩:|if $lit > 0 and {afuel}[$r, $c] > {ignite}:|if $lit > 0:
            wp.atomic_add({atotal}, 0, 1)⟩
            {ag_out}[$r, $c] = {FIRE}
        else:
            {ag_out}[$r, $c] = {TREE}
        """,
        threads="r c",
        kinds="cellular_automata multi_conditional nested_loop early_exit",
    ),
    Idea(
        "excitable",
        "greenberg_hastings excitable_step cyclic_step spiral_waves",
        "advance an excitable medium: cells at rest are excited by ⟨1:one neighbour|two neighbours⟩, others go to the next phase",
        """
        $st = {ae}[$r, $c]
        if $st > 0:
            ⟨2:{ag_out}[$r, $c] = ($st + 1) % {aphases}|$st += 1
            if $st >= {aphases}:
                $st = 0
            {ag_out}[$r, $c] = $st⟩
            return
        $count = int(0)
        each cross:
            if {ae}[$row_n, $col_n] == 1:
                $count += 1
        ⟨3:{ag_out}[$r, $c] = wp.where($count >= ⟨1:1|2⟩, 1, 0)|if $count ⟨1:> 0|> 1⟩:
            {ag_out}[$r, $c] = 1
            wp.atomic_add({atotal}, 0, 1)
        else:
            {ag_out}[$r, $c] = 0⟩
        """,
        threads="r c",
        kinds="cellular_automata control_flow nested_loop",
        integer=True,
    ),
    Idea(
        "sandpile",
        "topple_sand sandpile_step relax_grains collapse_piles",
        "topple piles of four grains or more and collect the grains of the neighbours",
        """
        $st = {asand}[$r, $c]
        $got = int(0)
        each cross:
            if {asand}[$row_n, $col_n] >= 4:
                $got += 1
        if $st >= 4:
            $st -= 4
            ⟨2:wp.atomic_add({atotal}, 0, 1)|⟩
        {ag_out}[$r, $c] = $st + $got
        """,
        threads="r c",
        kinds="cellular_automata nested_loop",
        integer=True,
    ),
    Idea(
        "majority",
        "majority_vote smooth_caves erode_cells dilate_cells",
        "⟨1:let each cell follow the majority around it|let cells die at the border of groups|let cells grow at the border of groups⟩",
        """
        ⟨1:if $sum8 > 4:
            {ag_out}[$r, $c] = 1
        elif $sum8 < ⟨4|3⟩:
            {ag_out}[$r, $c] = 0
        else:
            {ag_out}[$r, $c] = {ag}[$r, $c]|{ag_out}[$r, $c] = wp.where({ag}[$r, $c] == 1 and $sum8 > ⟨4|5⟩, 1, 0)|if {ag}[$r, $c] == 0 and $sum8 ⟨> 4|> 3⟩:
            {ag_out}[$r, $c] = 1
            ⟨wp.atomic_add({atotal}, 0, 1)
            |⟩return
        {ag_out}[$r, $c] = {ag}[$r, $c]⟩
        """,
        threads="r c",
        kinds="nested_loop cellular_automata stencil",
        integer=True,
    ),
    Idea(
        "aging",
        "age_cells update_ages track_lifetimes count_steps",
        "count for how many steps each cell has lived⟨2:|, up to a limit⟩",
        """
        if {ag}[$r, $c] == ⟨0|1⟩:
            {aage_out}[$r, $c] = 0
            return
        ⟨2:{aage_out}[$r, $c] = {aage}[$r, $c] + 1|$age = {aage}[$r, $c] + 1
        if $age > ⟨8|6⟩ ⟨and|or⟩ $sum8 > 3:
            $age = ⟨8|0⟩
        {aage_out}[$r, $c] = $age⟩
        """,
        threads="r c",
        kinds="cellular_automata",
        integer=True,
    ),
)
