"""Short ideas of the domain `particles`: copies, fills, resets, flags, counters, keys."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_COPIES = (
    Idea(
        "copy_state",
        "save_state copy_particles backup_state store_previous",
        "copy the ⟨1:state|state in sorted order⟩ of each particle",
        """
        ⟨if {flags}[$i] & {PINNED} != 0:
            return
        |if not {mask}[$i]:
            return
        |if {group}[$i] < 0:
            return
        |if $i % {stride} != 0:
            return
        |⟩⟨1:|# particle at this place of the order
        $j = {order}[$i]
        ⟩{x_out}[$i] = {x}[⟨1:$i|$j⟩]
        {v_out}[$i] = {v}[⟨1:$i|$j⟩]
        ⟨{rho_out}[$i] = {rho}[⟨1:$i|$j⟩]|{p_out}[$i] = {p}[⟨1:$i|$j⟩]|{mat_out}[$i] = {mat}[⟨1:$i|$j⟩]|{group_out}[$i] = {group}[⟨1:$i|$j⟩]|{xm_out}[$i] = wp.vec4({x}[⟨1:$i|$j⟩][0], {x}[⟨1:$i|$j⟩][1], {x}[⟨1:$i|$j⟩][2], {m}[⟨1:$i|$j⟩])|⟩
        """,
        kinds="vector gather_scatter particles",
    ),
    Idea(
        "fill_forces",
        "clear_forces reset_accumulators init_forces zero_particles",
        "reset the ⟨1:forces|accelerations|deltas⟩ and the density of the particles before a step",
        """
        ⟨if {flags}[$i] & {ACTIVE} == 0:
            return
        |if not {mask}[$i]:
            return
        |if {keep}[$i] == 0:
            return
        |if {mat}[$i] != {WATER}:
            return
        ⟩⟨1:{pull}[$i] = wp.vec3(0.0, {gz} * {m}[$i], 0.0)|{a_out}[$i] = wp.vec3(0.0, {gz}, 0.0)|{delta}[$i] = wp.vec3(0.0, {gz} * ({sub_dt} * {sub_dt}), 0.0)⟩
        {rho_out}[$i] = ⟨{rho0}|0.0⟩
        ⟨{touch}[$i] = {NONE}|{timer}[$i] = 0|{awake_out}[$i] = 1|⟩
        """,
        kinds="scalar_param vector particles",
    ),
    Idea(
        "gather_ids",
        "gather_attributes reorder_ids permute_particles apply_order",
        "gather the ⟨1:types|groups|serial numbers⟩ of the particles in a new order",
        """
        ⟨$j = {order}[$i]|$j = {order}[({n} - 1 - $i)]|$j = {rank}[$i]|$j = ($i + {offset}) % {n}|$j = ($i * {stride}) % {n}⟩
        ⟨1:{mat_out}[$i] = {mat}[$j]|{group_out}[$i] = {group}[$j]|{serial_out}[$i] = {serial}[$j]⟩
        {key_out}[$i] = ⟨{cell}[$j] * {n} + $j|{group}[$j] * 64 + {mat}[$j]|({cell}[$j] << 8) + {mat}[$j]|{serial}[$j] * 4 + {mat}[$j]⟩
        ⟨if {keep}[$j] != 0:
            wp.atomic_add({counter}, 0, 1)|if {status}[$j] == {DEAD}:
            wp.atomic_add({dead}, 0, 1)|⟩
        """,
        kinds="arithmetic gather_scatter sorting",
        integer=True,
    ),
    Idea(
        "scatter_ids",
        "scatter_groups write_back_ids scatter_attributes unsort_particles",
        "write the attributes of the particles to their places in the unsorted order",
        """
        $dst = ⟨{order}[$i]|{rank}[$i]⟩
        ⟨if {keep}[$i] == 0:
            ⟨|{label_out}[$dst] = {NONE}
            ⟩return
        |if {status}[$i] == {DEAD}:
            {label_out}[$dst] = {NONE}
            return
        |if {flags}[$i] & {ACTIVE} == 0:
            return
        |⟩{mat_out}[$dst] = {mat}[$i]
        ⟨{group_out}[$dst] = {group}[$i]|{serial_out}[$dst] = {serial}[$i] + {offset}|{group_out}[$dst] = {group}[$i]
        {serial_out}[$dst] = {serial}[$i] + {offset}⟩
        ⟨{key_out}[$dst] = {cell}[$i]|{key_out}[$dst] = {cell}[$i] * 4 + {mat}[$i]|wp.atomic_add({census}, {owner}[$i], 1)|⟩
        """,
        kinds="control_flow scalar_param gather_scatter",
        integer=True,
    ),
    Idea(
        "mark_near",
        "mark_near flag_in_range select_particles cull_particles",
        "mark the particles ⟨1:within|beyond⟩ a range around ⟨2:their goal|their last position|the origin⟩",
        """
        ⟨2:$d = {goal}[$i] - {x}[$i]|$d = {x}[$i] - {xp}[$i]|$d = {x}[$i] + {v}[$i] * {sub_dt}⟩
        $hit = ⟨wp.dot($d, $d)|wp.length_sq($d)⟩ ⟨1:<|>⟩ {reach} * {reach}
        {near_out}[$i] = $hit
        if $hit⟨| and {group}[$i] >= 0| and {flags}[$i] & {ACTIVE} != 0⟩:
            ⟨{group_out}[$i] = {group}[$i]|{size_out}[$i] = {rad}[$i] * 2.0|{x_out}[$i] = {x}[$i]⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="combined control_flow vector particles scalar_param",
    ),
    Idea(
        "tick_states",
        "tick_lifetimes advance_state update_stages count_down",
        "advance the age of each particle by ⟨1:one frame|several frames⟩, and its state",
        """
        ⟨1:{age}[$i] = {age}[$i] + 1|{age}[$i] += ⟨2|{stride}⟩⟩
        if {age}[$i] >= {life}[$i]:
            {status}[$i] = {DEAD}
            ⟨{keep}[$i] = 0|wp.atomic_add({dead}, 0, 1)|{age}[$i] = 0⟩
        elif {status}[$i] == {BORN}:
            {status}[$i] = {ALIVE}
        ⟨elif {status}[$i] == {ALIVE} and {age}[$i] > {life}[$i] - ⟨5|10⟩:
            {status}[$i] = {FADING}|elif {age}[$i] * 4 > {life}[$i] * 3:
            {status}[$i] = {FADING}|⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "rest_timers",
        "update_timers tick_timers step_counters count_rest",
        "advance the timer of each particle and ⟨1:reset it|wrap it around⟩ at its end",
        """
        ⟨if {flags}[$i] & {PINNED} != 0:
            return

        |if {status}[$i] == {DEAD}:
            {timer}[$i] = 0
            return

        |⟩⟨1:$count = {timer}[$i] + 1
        if $count ⟨>|>=⟩ {patience}:
            $count = 0
            ⟨{flags}[$i] = {flags}[$i] & ~{ACTIVE}|{awake_out}[$i] = 0|wp.atomic_add({counter}, 0, 1)⟩
        {timer}[$i] = $count|{timer}[$i] = ({timer}[$i] + 1) % ⟨{patience}|({patience} + 1)⟩
        if {timer}[$i] == 0:
            ⟨{awake_out}[$i] = 1|wp.atomic_add({counter}, 0, 1)|{flags}[$i] |= {ACTIVE}⟩⟩
        """,
        kinds="control_flow arithmetic",
        integer=True,
    ),
    Idea(
        "flag_chain",
        "update_flags set_particle_flags refresh_flags sync_flags",
        "update the state bits of each particle",
        """
        $flag = {flags}[$i]
        if @has_bit($flag, {PINNED})⟨| or {timer}[$i] > {patience}| or {status}[$i] == {DEAD}⟩:
            $flag = @clear_bit($flag, {ACTIVE})
        ⟨else|elif {age}[$i] < {life}[$i]|elif {keep}[$i] != 0⟩:
            $flag = @set_bit($flag, {ACTIVE})
        ⟨{flags}[$i] = $flag|{flags}[$i] = $flag
        {awake_out}[$i] = $flag & {ACTIVE}|{flags}[$i] = $flag
        if @has_bit($flag, {ACTIVE}):
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="control_flow helper_functions integer_bits",
        integer=True,
    ),
    Idea(
        "count_types",
        "count_types type_histogram count_active tally_particles",
        "count the particles of each ⟨1:type|cell⟩",
        """
        ⟨if {status}[$i] == {DEAD}:
            return
        |if {flags}[$i] & {ACTIVE} == 0⟨| or {age}[$i] > 30⟩:
            return
        |if {keep}[$i] == 0:
            wp.atomic_add({dead}, 0, 1)
            return
        |if {group}[$i] != {which}:
            return
        |⟩⟨1:wp.atomic_add({census}, {owner}[$i], 1)|⟨wp.atomic_add({ccount}, {cell}[$i], 1)|$bin = {cell}[$i]
        wp.atomic_add({ccount}, $bin, 1)⟩⟩
        ⟨wp.atomic_add({counter}, 0, 1)|if {age}[$i] > {life}[$i]:
            # overdue
            wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "count_links",
        "count_mutual count_second_ring check_symmetry two_ring_size",
        "count the ⟨1:neighbours that list the particle, too|neighbours of neighbours in its group|paths of two links that lead to younger particles⟩",
        """
        $count = int(0)
        for $k in range({start}[$i], {start}[$i + 1]):
            $j = {list}[$k]
            ⟨|if $j == $i:
                continue
            ⟩for $q in range({start}[$j], {start}[$j + 1]):
                if ⟨1:{list}[$q] == $i|{group}[{list}[$q]] == {group}[$i]|{age}[{list}[$q]] < {age}[$i]⟩:
                    $count += 1
        {match}[$i] = ⟨$count|wp.min($count, ⟨8|12⟩)⟩
        ⟨|if $count == 0:
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="nested_loop control_flow gather_scatter",
        integer=True,
    ),
    Idea(
        "regroup",
        "regroup_particles update_groups assign_groups relabel_particles",
        "assign each particle to another group ⟨1:by its type|by its age⟩",
        """
        $grp = {group}[$i]
        if $grp < 0⟨| and {keep}[$i] != 0⟩:
            {group}[$i] = ⟨{mat}[$i]|{owner}[$i]⟩
        elif ⟨1:{mat}[$i] == {SAND}|{age}[$i] > {life}[$i]⟩:
            {group}[$i] = {NONE}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        elif $grp == {which}⟨ and {flags}[$i] & {PINNED} == 0|⟩:
            # it joins the next group
            {group}[$i] = ⟨$grp + 1|{which} + 1|($grp + 1) % 4⟩
        """,
        kinds="multi_conditional control_flow scalar_param",
        integer=True,
    ),
)
