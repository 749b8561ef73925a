"""Ideas of the domain `environments`: traffic, stores, machines and crowds, without floats."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

OPERATIONS = (
    Idea(
        "traffic_light",
        "traffic_light_step update_signals signal_control step_junctions switch_lights",
        "advance the light of each junction and its queues",
        """
        hook junction_begin
        $ph = {phase}[$e, $n]
        $tm = {timer}[$e, $n] + 1
        $served = int(0)
        if $ph == {GREEN_NS}:
            $served = wp.min({queue_ns}[$e, $n], {discharge})
            {queue_ns}[$e, $n] -= $served
            ⟨if $tm >= {max_green} or ({switch}[$e, $n] == 1 and $tm > {min_green}):
                $ph = {YELLOW_NS}
                $tm = 0|if {switch}[$e, $n] == 1:
                # a request counts after the shortest green only
                if $tm > {min_green}:
                    $ph = {YELLOW_NS}
                    $tm = 0
                    ⟨wp.atomic_add({switches}, $e, 1)|⟩⟩
        elif $ph == {GREEN_EW}:
            $served = wp.min({queue_ew}[$e, $n], {discharge})
            {queue_ew}[$e, $n] -= $served
            if $tm >= ⟨{max_green}|{min_green} + {queue_ew}[$e, $n]⟩:
                $ph = 3
                $tm = 0
                ⟨wp.atomic_add({switches}, $e, 1)|⟩
        else:
            # yellow lasts two steps
            if $tm > 2:
                $ph = ($ph + 1) % 4
                $tm = 0
        ⟨# cars arrive at fixed intervals
        if ({clock}[$e] + $n) % {arrive} == 0:
            {queue_ns}[$e, $n] += 1
        |if ({clock}[$e] + $n) % {arrive} == 0:
            {queue_ew}[$e, $n] += 1
            {queue_ns}[$e, $n] += 1
        |⟩{phase}[$e, $n] = $ph
        {timer}[$e, $n] = $tm
        wp.atomic_add({waiting}, $e, {queue_ns}[$e, $n] + {queue_ew}[$e, $n])
        ⟨|wp.atomic_add({flow}, $e, $served)⟩
        """,
        threads="e n",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "lane_step",
        "traffic_cellular_step nasch_step update_lane car_following move_cars",
        "choose the next speed of the car in each cell of a ring road",
        """
        $speed = {car}[$e, $c]
        if $speed < 0:
            {car_out}[$e, $c] = -1
            return
        ⟨1:$gap = int(0)
        while $gap < {vmax}:
            if {car}[$e, ($c + $gap + 1) % {lane}] >= 0:
                break
            $gap += 1|$gap = int({vmax})
        for $k in range(1, {vmax} + 1):
            if {car}[$e, ($c + $k) % {lane}] >= 0:
                # the first car ahead counts
                $gap = wp.min($gap, $k - 1)⟩
        ⟨$speed = wp.min($speed + 1, wp.min($gap, {vmax}))|if $speed < {vmax}:
            $speed = $speed + 1
        if $speed > $gap:
            $speed = $gap|$speed = wp.min($speed + 1, {vmax})
        $speed = wp.min($speed, $gap)⟩
        ⟨|# some drivers brake without a reason
        $rng = wp.rand_init({seed}, $e * {lane} + $c)
        if wp.randi($rng, 0, 4) == 0:
            $speed = wp.max($speed - 1, 0)⟩
        {car_out}[$e, $c] = $speed
        ⟨wp.atomic_add({flow}, $e, $speed)|⟩
        ⟨|if $speed == 0:
            wp.atomic_add({waiting}, $e, 1)⟩
        """,
        threads="e c",
        kinds="control_flow cellular_automata",
        integer=True,
        docs="rule of Nagel and Schreckenberg: accelerate, keep the distance, sometimes brake",
    ),
    Idea(
        "inventory",
        "inventory_step update_stock store_step supply_chain_step warehouse_step",
        "serve the demand for each product and receive deliveries",
        """
        $slot = {day}[$e] % {RING}
        ⟨$come = {pipeline}[$e, $slot, $i]
        {pipeline}[$e, $slot, $i] = 0|$come = {pipeline}[$e, $slot, $i]⟩
        $have = ⟨{stock}[$e, $i] + $come|wp.min({stock}[$e, $i] + $come, {capacity})⟩
        $sold = wp.min($have, {demand}[$e, $i])
        $have = $have - $sold
        ⟨if {demand}[$e, $i] > $sold:
            # unmet demand costs goodwill
            {lost}[$e, $i] = {demand}[$e, $i] - $sold
            ⟨wp.atomic_sub({profit}, $e, {lost}[$e, $i])|⟩
        |⟩wp.atomic_add({profit}, $e, $sold * {price}[$i] - $have * {hold_cost})
        {stock_out}[$e, $i] = $have
        ⟨|# order for a later day
        if {order}[$e, $i] > 0:
            {pipeline}[$e, ({day}[$e] + {lead}[$i]) % {RING}, $i] = {order}[$e, $i]|if $have < {reorder}:
            {pipeline}[$e, ({day}[$e] + {lead}[$i]) % {RING}, $i] = {capacity} - $have⟩
        """,
        threads="e i",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "machines",
        "machine_step update_machines job_shop_step schedule_step dispatch_jobs",
        "advance the job of each machine and start the next one",
        """
        $job = {job}[$e, $m]
        if $job != {IDLE}:
            $rest = {left_time}[$e, $m] - 1
            {left_time}[$e, $m] = wp.max($rest, 0)
            if $rest > 0:
                return
            # the job is finished
            wp.atomic_add({finished}, $e, 1)
            ⟨if {clock}[$e] > {job_due}[$job]:
                wp.atomic_add({late}, $e, 1)
                ⟨|wp.atomic_add({waiting}, $e, {clock}[$e] - {job_due}[$job])⟩|⟩
            {job}[$e, $m] = {IDLE}
        ⟨$next = {pick}[$e, $m]
        if $next == {IDLE}:
            return
        {job}[$e, $m] = $next
        {left_time}[$e, $m] = {job_time}[$next]|if {pick}[$e, $m] >= 0:
            {job}[$e, $m] = {pick}[$e, $m]
            {left_time}[$e, $m] = {job_time}[{pick}[$e, $m]]
        ⟨else:
            wp.atomic_add({waiting}, $e, 1)|⟩⟩
        """,
        threads="e m",
        kinds="control_flow multi_conditional gather_scatter early_exit",
        integer=True,
    ),
    Idea(
        "claim_cells",
        "claim_cells count_claims propose_moves plan_agent_moves collect_moves",
        "compute the cell that each agent wants and count the claims",
        """
        ⟨if not {alive}[$e, $a]:
            {want}[$e, $a] = -1
            return
        |⟩$cellid = {cell}[$e, $a]
        $y = $cellid // {cols}
        $x = $cellid % {cols}
        ⟨1:$nx = wp.clamp($x + @step_x({heading}[$e, $a]), 0, {cols} - 1)
        $ny = wp.clamp($y + @step_y({heading}[$e, $a]), 0, {rows} - 1)|$nx = int($x)
        $ny = int($y)
        if {heading}[$e, $a] == {LEFT} and $x > 0:
            $nx = $x - 1
        elif {heading}[$e, $a] == {RIGHT} and $x + 1 < {cols}:
            $nx = $x + 1
        elif {heading}[$e, $a] == {UP}:
            $ny = wp.max($y - 1, 0)
        elif {heading}[$e, $a] == {DOWN}:
            $ny = wp.min($y + 1, {rows} - 1)⟩
        ⟨if {walls}[$e, $ny, $nx] == {WALL}:
            # stay in front of walls
            $nx = $x
            $ny = $y
        |⟩$dest = ⟨$ny * {cols} + $nx|@cell_of($nx, $ny)⟩
        {want}[$e, $a] = $dest
        wp.atomic_add({claims}, $e, $dest, 1)
        ⟨|if $dest == $cellid:
            wp.atomic_add({waiting}, $e, 1)|if {walls}[$e, $ny, $nx] == {EXIT}:
            {agent_points}[$e, $a] += 1⟩
        """,
        threads="e a",
        kinds="control_flow atomic atomics multi_conditional",
        integer=True,
    ),
    Idea(
        "advance_clock",
        "advance_clock increment_steps tick_envs step_counters update_timers",
        "advance the counters of each environment",
        """
        ⟨hook env_begin
        |⟩⟨{clock}[$e] += 1|{clock}[$e] = {clock}[$e] + 1|{clock}[$e] = ({clock}[$e] + 1) % 50|{clock}[$e] = wp.min({clock}[$e] + 1, {max_steps})⟩
        ⟨|{day}[$e] += 1|if {clock}[$e] % {every} == 0:
            {day}[$e] += 1|if {clock}[$e] >= {max_steps}:
            # the next day starts
            {clock}[$e] = 0
            {day}[$e] += 1|if {clock}[$e] ⟨>|>=⟩ {max_steps}:
            {over}[$e] = 1⟩
        ⟨|{cmd_time}[$e] += 1|if {cmd_time}[$e] >= {resample}:
            {cmd_time}[$e] = 0
        else:
            {cmd_time}[$e] += 1|{snapshot}[$e] = {steps}[$e]⟩
        """,
        threads="e",
        kinds="arithmetic",
        integer=True,
    ),
)
