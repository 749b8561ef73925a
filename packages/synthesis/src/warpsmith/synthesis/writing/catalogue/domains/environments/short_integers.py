"""Short ideas of the domain `environments` without floats: counters, resets, boards, queues."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_INTEGERS = (
    Idea(
        "reset_by_id",
        "reset_by_id clear_envs reset_counters reset_selected",
        "reset the counters of the listed environments",
        """
        $id = {reset_ids}[$e]
        ⟨if {reset_flag}[$id] == 0:
            return
        |if $id < {first_env}:
            return
        |if not {done}[$id]:
            return
        |⟩{steps}[$id] = 0
        ⟨{episode}[$id] += 1|{episode}[$id] = {episode}[$id] + 1|{cmd_time}[$id] = 0
        {episode}[$id] += 1⟩
        ⟨{near_steps}[$id] = 0|{level_out}[$id] = wp.min({level}[$id] + 1, {levels} - 1)|{reason}[$id] = {RUNNING}|{streak}[$id] = 0|{reset_flag}[$id] = 0|⟩
        """,
        threads="e",
        kinds="gather_scatter control_flow",
        integer=True,
    ),
    Idea(
        "copy_steps",
        "save_steps copy_counters snapshot_steps store_progress",
        "copy the counters of ⟨1:each environment|the listed environments⟩",
        """
        ⟨1:$id = $e|$id = {reset_ids}[$e]⟩
        ⟨if not {done}[$id]:
            return
        |if {status}[$id] == {INACTIVE}:
            return
        |⟩{snapshot}[$e] = ⟨{steps}[$id]|wp.min({steps}[$id], {max_steps})⟩
        ⟨{level_out}[$e] = {level}[$id]|{level_out}[$e] = wp.min({level}[$id] + 1, {levels} - 1)|if {steps}[$id] > {max_steps}:
            {over}[$e] = 1|{reason}[$e] = {TIMEOUT} if {steps}[$id] >= {max_steps} else {RUNNING}⟩
        ⟨{success}[$e] = 1 if {near_steps}[$id] >= {hold} else 0|⟩
        """,
        threads="e",
        kinds="arithmetic gather_scatter scalar_param",
        integer=True,
    ),
    Idea(
        "phase_ladder",
        "advance_phases step_lights next_phase switch_phases",
        "advance the phase of each light in place",
        """
        $tm = {timer}[$e, $n] + 1
        if {phase}[$e, $n] == {GREEN_NS} and $tm > {min_green}:
            {phase}[$e, $n] = {YELLOW_NS}
            $tm = 0
        elif {phase}[$e, $n] == ⟨1:{YELLOW_NS}|3⟩:
            {phase}[$e, $n] = ⟨1:{GREEN_EW}|{GREEN_NS}⟩
            $tm = 0
            ⟨wp.atomic_add({switches}, $e, 1)|⟩
        ⟨|elif {phase}[$e, $n] == {GREEN_EW} and {switch}[$e, $n] == 1:
            # a request ends the green of the others
            {phase}[$e, $n] = 3
            $tm = 0|elif $tm > {max_green}:
            {phase}[$e, $n] = ({phase}[$e, $n] + 1) % 4
            $tm = 0⟩
        {timer}[$e, $n] = $tm
        """,
        threads="e n",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "queue_arrivals",
        "add_arrivals update_queues discharge_queues queue_step",
        "add the arrivals of a step to the queues of each junction and let cars leave",
        """
        ⟨if ({clock}[$e] + $n) % {arrive} == 0:
            # cars arrive at fixed intervals
            {queue_ns}[$e, $n] += 1|$rng = wp.rand_init({seed}, $e * {junctions} + $n)
        {queue_ns}[$e, $n] += wp.randi($rng, 0, ⟨2|3⟩)⟩
        if {phase}[$e, $n] == {GREEN_EW}:
            ⟨{queue_ew}[$e, $n] = wp.max({queue_ew}[$e, $n] - {discharge}, 0)|{queue_ew}[$e, $n] -= wp.min({queue_ew}[$e, $n], {discharge})⟩
        ⟨elif {phase}[$e, $n] == {GREEN_NS}:
            {queue_ns}[$e, $n] = wp.max({queue_ns}[$e, $n] - {discharge}, 0)
        |⟩⟨wp.atomic_add({waiting}, $e, {queue_ns}[$e, $n])|wp.atomic_add({waiting}, $e, {queue_ns}[$e, $n] + {queue_ew}[$e, $n])|⟩
        """,
        threads="e n",
        kinds="arithmetic control_flow",
        integer=True,
    ),
    Idea(
        "age_cells",
        "age_cells burn_down cell_timers decay_cells",
        "advance the age and the state of each cell in place",
        """
        ⟨if {walls}[$e, $y, $xx] == {WALL}:
            return
        |if {state}[$e, $y, $xx] == {EMPTY}:
            return
        |⟩{age}[$e, $y, $xx] = {age}[$e, $y, $xx] + ⟨1|{every}⟩
        if {age}[$e, $y, $xx] > {burn}:
            {age}[$e, $y, $xx] = 0
            {state}[$e, $y, $xx] = ⟨({state}[$e, $y, $xx] + 1) % 4|{ASH}|{EMPTY}|wp.min({state}[$e, $y, $xx] + 1, 3)⟩
            ⟨wp.atomic_add({births}, $e, 1)|⟩
        """,
        threads="e y xx",
        kinds="control_flow cellular_automata multi_dim",
        integer=True,
    ),
    Idea(
        "shift_rule",
        "shift_cells cyclic_rule row_rule diffuse_cells",
        "compute the next state of each cell from ⟨1:its left cell|both cells beside it|the cell above⟩",
        """
        $a = ⟨1:{state}[$e, $y, ($xx + {cols} - 1) % {cols}]|{state}[$e, $y, ($xx + 1) % {cols}] + {state}[$e, $y, ($xx + {cols} - 1) % {cols}]|{state}[$e, ($y + {rows} - 1) % {rows}, $xx]⟩
        $mine = {state}[$e, $y, $xx]
        ⟨if $a == ($mine + 1) % 4:
            $mine = $a|if $a > $mine⟨| and {age}[$e, $y, $xx] > {burn}⟩:
            $mine = wp.min($mine + 1, 3)|if $mine == {EMPTY}:
            $mine = $a ⟨% 4|& 3⟩|$mine = ($mine + $a) % 4|$mine = ($mine ^ $a) & 3⟩
        {state_out}[$e, $y, $xx] = $mine
        """,
        threads="e y xx",
        kinds="arithmetic cellular_automata stencil multi_dim",
        integer=True,
    ),
    Idea(
        "count_tiles",
        "count_tiles board_census tiles_left scan_board",
        "count the ⟨1:walls|burning cells|discs|doors⟩ of each board",
        """
        $n = int(0)
        for $y in range({used_rows}):
            for $x in range({used_cols}):
                if ⟨1:{walls}[$e, $y, $x] == {WALL}|{state}[$e, $y, $x] == {FIRE}⟨| and {age}[$e, $y, $x] < {burn}⟩|{disc}[$e, $y, $x] != ⟨0|{EMPTY}⟩|{walls}[$e, $y, $x] == {DOOR}⟩:
                    $n += 1
        {tiles_out}[$e] = $n⟨|
        if $n ⟨>=|>⟩ {tiles_goal}:
            {over}[$e] = 1⟩
        """,
        threads="e",
        kinds="nested_loop control_flow reduction",
        integer=True,
    ),
    Idea(
        "move_chain",
        "move_agents step_agents propose_cells shift_agents",
        "move each agent by its action on a torus",
        """
        $nx = ⟨1:@wrap({ax}[$e] + @step_x({move}[$e]), {cols})|({ax}[$e] + @step_x({move}[$e]) + {cols}) % {cols}⟩
        $ny = ⟨1:@wrap({ay}[$e] + @step_y({move}[$e]), {rows})|({ay}[$e] + @step_y({move}[$e]) + {rows}) % {rows}⟩
        ⟨if {walls}[$e, $ny, $nx] == {WALL}:
            # stay in front of walls
            $nx = {ax}[$e]
            $ny = {ay}[$e]
            ⟨wp.atomic_add({bumps}, 0, 1)|⟩
        |⟩{ax_out}[$e] = $nx
        {ay_out}[$e] = $ny
        ⟨{points}[$e] = {reward_id} if {walls}[$e, $ny, $nx] == {EXIT} else 0|if {walls}[$e, $ny, $nx] == {EXIT}:
            {over}[$e] = 1|⟩
        """,
        threads="e",
        kinds="arithmetic helper_functions",
        integer=True,
    ),
    Idea(
        "timer_chain",
        "tick_timers advance_counters step_timers update_clocks",
        "advance the timers of each environment in place",
        """
        {clock}[$e] = @tick({clock}[$e], {max_steps})
        {cmd_time}[$e] = @tick({cmd_time}[$e], {resample})
        ⟨{day}[$e] = @tick({day}[$e], 30)|if {clock}[$e] % {every} == 0:
            {day}[$e] = @tick({day}[$e], 30)|{snapshot}[$e] = {steps}[$e]⟩
        ⟨{near_steps}[$e] = @tick({near_steps}[$e], {hold})|if {done}[$e]:
            {episode}[$e] += 1|⟩
        """,
        threads="e",
        kinds="helper_functions scalar_param",
        integer=True,
    ),
    Idea(
        "count_reasons",
        "count_reasons log_terminations tally_resets histogram_levels",
        "count the episodes that have ended by ⟨1:status|level⟩",
        """
        if ⟨not {done}[$e]|{reset_flag}[$e] == 0⟩:
            return
        ⟨1:wp.atomic_add({reason_count}, {status}[$e], 1)|wp.atomic_add({log_count}, {level}[$e], 1)⟩
        ⟨wp.atomic_add({log_length}, {level}[$e], {steps}[$e])|if {streak}[$e] > ⟨0|1|2⟩:
            wp.atomic_add({promoted}, {level}[$e], 1)|if {near_steps}[$e] >= {hold}:
            wp.atomic_add({wins}, 0, 1)|⟩
        ⟨{episode}[$e] += 1|⟩
        """,
        threads="e",
        kinds="atomic control_flow atomics histograms",
        integer=True,
    ),
    Idea(
        "adjust_levels",
        "adjust_levels change_difficulty level_up move_levels",
        "raise or lower the level of each environment in place",
        """
        ⟨$lvl = {level}[$e]|$lvl = int({level}[$e])⟩
        if {progress}[$e] > {up_far}⟨| and {done}[$e]⟩:
            $lvl = $lvl + 1
            {streak}[$e] = ⟨wp.max({streak}[$e], 0) + 1|{streak}[$e] + 1⟩
        elif {progress}[$e] < ⟨{down_near}|{up_far} // 3⟩:
            $lvl = $lvl - 1
            {streak}[$e] = ⟨0|wp.min({streak}[$e], 0) - 1⟩
        {level}[$e] = ⟨wp.clamp($lvl, 0, {levels} - 1)|($lvl + {levels}) % {levels}⟩
        """,
        threads="e",
        kinds="multi_conditional control_flow scalar_param",
        integer=True,
    ),
    Idea(
        "collect_tiles",
        "collect_tiles pick_up_items update_score pay_out",
        "collect the tile that each agent stands on",
        """
        $tile = {walls}[$e, {ay}[$e], {ax}[$e]]
        if $tile == ⟨1:{DOOR} and {bag}[$e] > 0|{EXIT}⟨| and {bag}[$e] == 0⟩⟩:
            {pot}[$e] = {pot}[$e] + {reward_id}
            ⟨1:{bag}[$e] = {bag}[$e] - 1|{over}[$e] = 1⟩
        elif $tile == {WALL}:
            {pot}[$e] = {pot}[$e] - ⟨1|2⟩
            ⟨wp.atomic_add({bumps}, 0, 1)|⟩
        ⟨elif {pot}[$e] < 0:
            # no debts on free cells
            {pot}[$e] = 0|⟩
        """,
        threads="e",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
)
