"""Short ideas of the domain `bodies` on integers and copies: flags, timers, states of joints, tables, keys, saved poses."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_STATE = (
    Idea(
        "save_poses",
        "save_poses store_previous_state copy_poses backup_body_state",
        "save the ⟨1:pose|pose and velocity|position and rotation|velocity⟩ of each body before the step",
        """
        hook body
        ⟨$i = $b|$i = {order}[$b]⟩
        ⟨1:{q_save}[$i] = {body_q}[$b]|{q_save}[$i] = {body_q}[$b]
        {qd_out}[$i] = {body_qd}[$b]|{xpos_out}[$i] = {xpos}[$b]
        {xquat_out}[$i] = {xquat}[$b]|{qd_out}[$i] = {body_qd}[$b]⟩
        ⟨{id_out}[$i] = {ident}[$b]|{flags_out}[$i] = {flags}[$b]|⟩
        ⟨|{class_out}[$i] = {body_type}[$b]⟩
        """,
        threads="b",
        kinds="transform gather_scatter",
    ),
    Idea(
        "fill_targets",
        "fill_targets init_targets hold_position reset_dofs",
        "set the ⟨1:targets|positions|velocities⟩ of the degrees of freedom to ⟨2:their present values|⟨1:the middle of their range|the middle of their range|half of their present values⟩|their present values, or the targets of their drives⟩",
        """
        ⟨2:$value = ⟨1:$dqi|$dqi|$dqdi⟩|$value = 0.5 * ⟨1:({lower}[$d] + {upper}[$d])|({lower}[$d] + {upper}[$d])|$dqdi⟩|$value = ⟨1:{dq}[$d]|{dq}[$d]|{dqd}[$d]⟩
        if {mode}[$d] == ⟨1:{POSITION}|{POSITION}|{VELOCITY}⟩:
            $value = {target}[$d]⟩
        ⟨if {limited}[$d] == 1:
            $value = wp.clamp($value, ⟨1:{lower}[$d], {upper}[$d]|{lower}[$d], {upper}[$d]|-{v_lim}, {v_lim}⟩)|if {mode}[$d] == {EFFORT}:
            $value = 0.0|⟩
        ⟨1:{target_out}|{dq_out}|{dqd_out}⟩[$d] = $value
        ⟨|{dof_class}[$d] = {mode}[$d]⟩
        """,
        threads="d",
        kinds="gather_scatter",
    ),
    Idea(
        "copy_children",
        "copy_children rewrite_child_table update_child_table renumber_children",
        "⟨1:copy the table of children in the new numbering|keep only the first ⟨3:child|two children⟩ of each body|copy the table of children in reverse order⟩",
        """
        ⟨1:$child = {children}[$b, $c]
        if $child >= 0:
            {table_out}[$b, $c] = ⟨{order}[$child]|$child + {base}⟩
        else:
            {table_out}[$b, $c] = -1|if $c ⟨3:== 0|< 2⟩:
            {table_out}[$b, $c] = {children}[$b, $c]
        else:
            {table_out}[$b, $c] = -1|$k = {nc} - 1 - $c
        {table_out}[$b, $c] = {children}[$b, $k]⟩
        ⟨|if $c == ⟨0|{nc} - 1⟩:
            {class_out}[$b] = {body_type}[$b]|if {children}[$b, $c] ⟨>= 0|!= -1⟩:
            wp.atomic_add({n_child}, $b, 1)⟩
        """,
        threads="b c",
        kinds="multi_dim gather_scatter",
        integer=True,
    ),
    Idea(
        "reset_phases",
        "advance_reset_phase step_reset_state update_body_phase body_state_machine",
        "let each body go to its next phase of the reset",
        """
        hook body
        ⟨$st = {phase}[$b]|# idle, requested, placed, settling
        $st = {phase}[$b]⟩
        if $st == 0:
            ⟨if {flags}[$b] & {SLEEPING} != 0:
                {phase}[$b] = 1|{phase}[$b] = 1 if {timer}[$b] > {patience} else 0|if {touched}[$b] > 1:
                {phase}[$b] = 1⟩
        elif $st == ⟨2:1|3⟩:
            {phase}[$b] = ⟨2:2|0⟩
        ⟨elif {touched}[$b] ⟨> 0|!= 0⟩:
            # it has landed
            {phase}[$b] = 3|else:
            {phase}[$b] = ⟨2:0|3⟩⟩
            ⟨wp.atomic_add({moved}, 0, 1)|⟩
        """,
        threads="b",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "idle_timers",
        "idle_timers tick_sleep_timers count_idle_steps update_timers",
        "count the steps for which each body has had ⟨1:no contact|few contacts⟩",
        """
        if {touched}[$b] ⟨1:== 0|< 2⟩:
            {timer}[$b] = ⟨{timer}[$b] + 1|wp.min({timer}[$b] + 1, {patience})⟩
            ⟨wp.atomic_add({moved}, 0, 1)|wp.atomic_add({level_count}, {depth}[$b], 1)⟩
        ⟨elif {body_type}[$b] != {STATIC}|else⟩:
            {timer}[$b] = ⟨0|{timer}[$b] // 2⟩
        ⟨|{class_out}[$b] = ⟨{touched}[$b]|1 if {touched}[$b] > 0 else 0⟩⟩
        """,
        threads="b",
        kinds="atomic control_flow atomics",
        integer=True,
    ),
    Idea(
        "flag_bits",
        "flag_bits refresh_flags update_flag_bits clear_body_flags",
        "set and clear the bits of each body",
        """
        ⟨$bits = {flags}[$b]|$bits = {flags}[$b] & 7⟩
        ⟨if {touched}[$b] > 0:
            $bits = $bits | {ACTIVE}
        ⟨else|elif {awake}[$b] == 0⟩:
            $bits = $bits & ~{ACTIVE}|if {timer}[$b] >= {patience}:
            $bits = $bits | {SLEEPING}
        ⟨else|elif {awake}[$b] == 1⟩:
            $bits = $bits & ~{SLEEPING}|if {body_type}[$b] == {STATIC}:
            $bits = $bits | {NO_GRAVITY}
        ⟨else|elif {depth}[$b] == 0⟩:
            $bits = $bits & ~{NO_GRAVITY}⟩
        {flags}[$b] = $bits
        ⟨|{class_out}[$b] = $bits & {ACTIVE}|if $bits & {SLEEPING} != 0:
            wp.atomic_add({moved}, 0, 1)⟩
        """,
        threads="b",
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "break_joints",
        "break_joints update_joint_state joint_overload_state lock_joints",
        "update the state of each joint after its overload",
        """
        hook joint
        $st = {joint_state}[$j]
        if $st == {J_BROKEN}:
            ⟨{overload}[$j] = 0|return|wp.atomic_add({type_count}, {jtype}[$j], 1)⟩
        elif {overload}[$j] ⟨>|>=⟩ {wait}:
            {joint_state}[$j] = ⟨{J_BROKEN}|$st + 1|{J_BROKEN} if $st == {J_LOCKED} else {J_LOCKED}⟩
            ⟨{overload}[$j] = 0|⟩
        ⟨elif $st == {J_LOCKED}:
            {joint_state}[$j] = {J_FREE}|else:
            {overload}[$j] = wp.max({overload}[$j] - 1, 0)|⟩
        """,
        threads="j",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "stall_counters",
        "stall_counters count_stalled track_saturation watch_actuators",
        "count the steps for which each actuator ⟨1:has been saturated|has been hot⟩",
        """
        $dof = {u_dof}[$u]
        if $dof >= 0 and ⟨1:wp.abs({ctrl}[$u]) > 1.0|{temp}[$u] > 40.0⟩:
            {stuck}[$u] = {stuck}[$u] + 1
            ⟨wp.atomic_add({moved}, 0, 1)|if {stuck}[$u] > {wait}:
                wp.atomic_add({moved}, 0, 1)|⟩
        ⟨elif {stuck}[$u] > 0:
            {stuck}[$u] = {stuck}[$u] - 1|else:
            {stuck}[$u] = 0|elif $dof < 0:
            {stuck}[$u] = -1⟩
        ⟨|{u_force}[$u] = {gear}[$u] * wp.clamp({ctrl}[$u], -1.0, 1.0)⟩
        """,
        threads="u",
        kinds="control_flow multi_conditional",
    ),
    Idea(
        "joint_keys",
        "joint_keys sort_joint_keys pack_joint_ids encode_joints",
        "compute a sort key for each joint from ⟨1:its tree|its bodies|its type and body⟩",
        """
        hook joint
        ⟨1:$k = {root}[$child] * {nj} + $j|$k = ($par_j + 1) * {nb} + $child|$k = $typ * {nb} + $child⟩
        ⟨if {joint_state}[$j] == {J_BROKEN}:
            # broken joints come last
            $k = ⟨$k + 16384|$k | 16384⟩|if $par_j ⟨< 0|== -1⟩:
            # joints to the world come first
            $k = $child⟩
        {jkey}[$j] = $k
        ⟨|{width_out}[$j] = @dof_width($typ)⟩
        """,
        threads="j",
        kinds="arithmetic scalar_param gather_scatter",
        integer=True,
    ),
    Idea(
        "wake_chain",
        "wake_flags wake_state_bits refresh_activity flag_chain",
        "clear the sleeping bit of the bodies that are touched",
        """
        hook body
        ⟨if @has_flag({flags}[$b], {SLEEPING}) and {touched}[$b] > ⟨0|1⟩:|if {touched}[$b] ⟨> 0|!= 0⟩ and @has_flag({flags}[$b], {SLEEPING}):⟩
            {flags_out}[$b] = ⟨@set_flag(@without({flags}[$b], {SLEEPING}), {ACTIVE})|@without(@set_flag({flags}[$b], {ACTIVE}), {SLEEPING})⟩
            ⟨wp.atomic_add({moved}, 0, 1)|⟩
        else:
            {flags_out}[$b] = {flags}[$b]
        """,
        threads="b",
        kinds="control_flow helper_functions integer_bits",
        integer=True,
    ),
    Idea(
        "grandchildren",
        "count_grandchildren two_level_children count_below descendant_counts",
        "count the ⟨1:grandchildren|active grandchildren|grandchildren of the same type⟩ of each body",
        """
        $count = int(0)
        for $k in range({child_num}[$b]):
            $child = {children}[$b, $k]
            ⟨if $child < 0:
                continue
            |if $child == -1⟨| or {body_type}[$b] == {STATIC}⟩:
                continue
            ⟩for $c in range({child_num}[$child]):
                $cur = {children}[$child, $c]
                if $cur ⟨>= 0|!= -1⟩:
                    ⟨1:$count += 1|$count += {awake}[$cur]|if {body_type}[$cur] == {body_type}[$b]:
                        $count += 1⟩
        {grand}[$b] = $count
        ⟨|if $count > 0:
            wp.atomic_add({moved}, 0, 1)⟩
        """,
        threads="b",
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "related_dofs",
        "related_dofs count_coupled_dofs dof_pairs mass_matrix_pattern",
        "count the degrees of freedom that are related to ⟨1:those of each body|those of each body and have the same mode⟩",
        """
        $count = int(0)
        each body_dof:
            ⟨if {limited}[$dof] ⟨== 0|== 1⟩:
                continue
            |⟩for $j in range({nd}):
                ⟨1:⟨if {ancestor}[$dof, $j] != 0:
                    $count += 1|$count += {ancestor}[$dof, $j]⟩|if {ancestor}[$dof, $j] == 1 and {mode}[$j] == {mode}[$dof]:
                    $count += 1⟩
        {pairs}[$b] = $count
        ⟨|if $count == 0:
            # nothing moves with it
            wp.atomic_add({moved}, 0, 1)⟩
        """,
        threads="b",
        kinds="nested_loop control_flow",
        integer=True,
    ),
)
