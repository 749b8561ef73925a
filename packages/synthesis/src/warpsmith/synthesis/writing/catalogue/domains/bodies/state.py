"""Ideas of the domain `bodies`: copying, resetting and reordering states, sleeping."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

STATE = (
    Idea(
        "copy_state",
        "copy_body_state save_state assign_body_state write_body_poses",
        "copy the ⟨1:poses|poses and velocities|positions and rotations⟩ of bodies",
        """
        hook body
        ⟨1:{q_out}[$b] = {body_q}[$b]
        |{q_out}[$b] = {body_q}[$b]
        {qd_out}[$b] = {body_qd}[$b]
        |⟨{xpos_out}[$b] = wp.transform_get_translation({body_q}[$b])
        {xquat_out}[$b] = wp.transform_get_rotation({body_q}[$b])
        |{xpos_out}[$b] = {xpos}[$b]
        {xquat_out}[$b] = {xquat}[$b]
        |{q_out}[$b] = wp.transform({xpos}[$b], {xquat}[$b])⟩⟩
        """,
        threads="b",
        kinds="transform gather_scatter",
    ),
    Idea(
        "gather_bodies",
        "reorder_bodies gather_body_state permute_bodies sort_body_arrays",
        "move the ⟨1:poses|velocities|poses and velocities⟩ of bodies to their new places",
        """
        $dst = {order}[$b]
        ⟨1:{q_out}[⟨4:$dst|$b⟩] = {body_q}[⟨4:$b|$dst⟩]
        ⟨{flags_out}[⟨4:$dst|$b⟩] = {flags}[⟨4:$b|$dst⟩]
        |⟩|{qd_out}[⟨4:$dst|$b⟩] = {body_qd}[⟨4:$b|$dst⟩]
        |{q_out}[⟨4:$dst|$b⟩] = {body_q}[⟨4:$b|$dst⟩]
        {qd_out}[⟨4:$dst|$b⟩] = {body_qd}[⟨4:$b|$dst⟩]
        ⟩⟨{id_out}[⟨4:$dst|$b⟩] = {ident}[⟨4:$b|$dst⟩]
        |⟨4:$par = {parent}[$b]
        if $par >= 0:
            # parents are renumbered, too
            {parent_out}[$dst] = {order}[$par]
        else:
            {parent_out}[$dst] = -1
        |{flags_out}[$b] = {flags}[$dst]
        ⟩|⟩
        """,
        threads="b",
        kinds="gather_scatter transform",
    ),
    Idea(
        "reset_envs",
        "reset_bodies reset_environments restore_initial_state reset_env_state",
        "set the bodies of environments that start again to their initial state⟨1:|, moved to the origin of the environment|⟩ and keep the others",
        """
        $env = {env}[$b]
        ⟨if $env < 0:
            return
        if not {reset}[$env]:
            {q_out}[$b] = $X
            {qd_out}[$b] = $qd
            return
        |if $env == -1 or not {reset}[$env]:
            {q_out}[$b] = $X
            {qd_out}[$b] = $qd
            return
        |⟨if not {mask}[$b]:
            return
        |⟩if $env >= 0:
            if not {reset}[$env]:
                # keep the state
                {q_out}[$b] = $X
                {qd_out}[$b] = $qd
                return
        ⟩⟨1:{q_out}[$b] = {default_q}[$b]
        |$X_rel = {default_q}[$b]
        $x1 = wp.transform_get_translation($X_rel) + {origin}[wp.max($env, 0)]
        {q_out}[$b] = wp.transform($x1, wp.transform_get_rotation($X_rel))
        |if {depth}[$b] == 0:
            # only roots are placed anew
            {q_out}[$b] = wp.transform({origin}[wp.max($env, 0)], wp.transform_get_rotation({default_q}[$b]))
        else:
            {q_out}[$b] = {default_q}[$b]
        ⟩⟨{qd_out}[$b] = {default_qd}[$b]|{qd_out}[$b] = wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), wp.spatial_bottom({default_qd}[$b]))⟩
        """,
        threads="b",
        kinds="control_flow multi_conditional transform spatial early_exit gather_scatter",
    ),
    Idea(
        "sleep_timers",
        "update_sleep_timers body_sleep_update track_idle_bodies update_body_sleep",
        "count the steps for which each body has been slow and put it to sleep after enough of them",
        """
        hook body
        ⟨if {body_type}[$b] == {STATIC}:
            return

        |if {body_type}[$b] != {DYNAMIC}:
            {asleep}[$b] = 0
            return
        |⟩$count = {timer}[$b]
        ⟨2:if ⟨wp.length($v) < {v_sleep} and wp.length($w) < {v_sleep}|wp.length($v) < {v_sleep}|wp.dot($v, $v) + wp.dot($w, $w) < 2.0 * {v_sleep} * {v_sleep}⟩:
            $count += 1
            ⟨if $count >= {patience}:
                {asleep}[$b] = 1
            |# several slow steps are needed
            if $count > {patience}:
                {asleep}[$b] = 1
                $count = {patience}⟩
        else:
            $count = 0
            {asleep}[$b] = 0
        |if ⟨wp.length_sq($v) > {v_sleep} * {v_sleep}|wp.length($v) > {v_sleep}⟩:
            $count = 0
        else:
            $count = ⟨$count + 1|wp.min($count + 1, {patience})⟩
        {asleep}[$b] = ⟨1 if $count >= {patience} else 0|wp.where($count >= {patience}, 1, 0)⟩
        ⟩{timer}[$b] = $count
        """,
        threads="b",
        kinds="control_flow multi_conditional spatial early_exit",
    ),
    Idea(
        "flags",
        "update_body_flags refresh_body_flags set_activity_flags propagate_body_flags",
        "update the state bits of each body⟨1: and count the changes||⟩",
        """
        $old = {flags}[$b]
        $raised = int(0)
        $dropped = int(0)
        ⟨if {asleep}[$b] == 1:
            $raised = {SLEEPING}
            ⟨$dropped = {ACTIVE}|⟩
        elif $old & {SLEEPING} != 0 and {awake}[$b] == 1:
            # woken by a contact
            $raised = {ACTIVE}
            $dropped = {SLEEPING}
        |if {body_type}[$b] == {STATIC}:
            $dropped = {ACTIVE} + {SLEEPING}
        elif {asleep}[$b] != 0:
            $raised = {SLEEPING}
        else:
            $raised = {ACTIVE}
        |if {timer}[$b] >= {patience}:
            $raised = {SLEEPING}
        else:
            $dropped = {SLEEPING}
            if {body_type}[$b] == {KINEMATIC}:
                $raised = {NO_GRAVITY}⟩
        $new = ($old & ~$dropped) | $raised
        ⟨if $par >= 0:
            # a child of an active body stays active
            if {flags}[$par] & {ACTIVE} != 0:
                $new = @set_flag($new, {ACTIVE})
        |if {root}[$b] != $b and {flags}[{root}[$b]] & {NO_GRAVITY} != 0:
            $new = @set_flag($new, {NO_GRAVITY})
        |⟩
        {flags_out}[$b] = $new
        ⟨1:if $new != $old:
            wp.atomic_add({moved}, 0, 1)
        ||⟩
        """,
        threads="b",
        kinds="control_flow multi_conditional integer_bits",
        integer=True,
    ),
    Idea(
        "clear_forces",
        "clear_forces zero_body_forces reset_wrenches clear_body_f",
        "set the ⟨1:external forces|disturbances|external forces and disturbances⟩ of bodies to zero⟨2:| for bodies of one environment| for awake bodies⟩",
        """
        ⟨2:|if {env}[$b] != {env_id}:
            return
        |if {awake}[$b] == 0:
            return
        ⟩⟨1:{body_f}[$b] = ⟨wp.spatial_vector(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)|wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), wp.vec3(0.0, 0.0, 0.0))|wp.spatial_vector()⟩
        |{push}[$b] = ⟨wp.spatial_vector(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)|wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), wp.vec3(0.0, 0.0, 0.0))|wp.spatial_vector()⟩
        |{body_f}[$b] = ⟨3:wp.spatial_vector(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)|wp.spatial_vector()⟩
        {push}[$b] = ⟨3:wp.spatial_vector(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)|wp.spatial_vector()⟩⟩
        """,
        threads="b",
        kinds="spatial early_exit",
    ),
)
