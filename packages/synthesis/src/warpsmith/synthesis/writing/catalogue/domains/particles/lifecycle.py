"""Ideas of the domain `particles`: emitters, life spans, removal."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LIFECYCLE = (
    Idea(
        "advance_life",
        "update_lifetimes advance_stage step_life age_particles",
        "advance the ⟨1:age and stage|stage⟩ of each particle from birth to death",
        """
        $st = {status}[$i]
        if $st == {DEAD}:
            return
        $age = {age}[$i]⟨1: + 1|⟩
        ⟨3:if $st == {BORN}:
            # one frame without forces
            $st = {ALIVE}
        elif $st == {ALIVE}:
            if $age > ⟨{life}[$i] - 10|{life}[$i] - 5⟩:
                $st = {FADING}
        elif $st == {FADING} and $age ⟨>|>=⟩ {life}[$i]:
            $st = {DEAD}
            ⟨wp.atomic_add({dead}, 0, 1)|⟩|if $age >= {life}[$i]:
            $st = {DEAD}
            wp.atomic_add({dead}, 0, 1)
        elif $st == {BORN}:
            $st = {ALIVE}
        elif $age * 4 > {life}[$i] * 3 and $st != {FADING}:
            $st = {FADING}⟩

        {status}[$i] = $st
        ⟨1:{age}[$i] = ⟨$age|wp.min($age, {life}[$i])⟩|⟩
        ⟨4:if $st == {ALIVE}⟨| or $st == {FADING}⟩:
            {keep}[$i] = 1
        else:
            {keep}[$i] = 0|⟩
        """,
        kinds="multi_conditional control_flow early_exit",
        integer=True,
    ),
    Idea(
        "spawn",
        "spawn_particles emit_particles init_emitted emit",
        "place ⟨1:new|dead⟩ particles at their emitters with random velocities",
        """
        ⟨1:if {status}[$i] != {BORN}:
            return|if {status}[$i] != {DEAD}⟨| or {keep}[$i] != 0⟩:
            return⟩
        ⟨2:$e = {parent}[$i]
        if $e < 0:
            return|$e = {parent}[$i]
        if $e == {NONE}:
            # not bound to an emitter
            {x_out}[$i] = {x}[$i]
            return⟩

        $rng = wp.rand_init({seed}, ⟨$i|{serial}[$i]|{frame} * {n} + $i⟩)
        ⟨3:$dir = wp.normalize({ed}[$e] + wp.vec3(wp.randf($rng, -0.5, 0.5), wp.randf($rng, -0.5, 0.5), wp.randf($rng, -0.5, 0.5)) * {spread})|$dir = wp.normalize({ed}[$e] + @random_dir($rng) * {spread})|$dir = {ed}[$e] + wp.vec3(wp.randn($rng), wp.randn($rng), 0.0) * {spread}⟩
        {x_out}[$i] = {ex}[$e] + ⟨4:$dir * ({emit_speed} * wp.randf($rng) * {dt})|@random_dir($rng) * {spread}|wp.vec3(0.0, {rad}[$i], 0.0)⟩
        {v_out}[$i] = $dir * ⟨5:{emit_speed}|({emit_speed} * wp.randf($rng, 0.5, 1.0))⟩
        ⟨6:{age}[$i] = 0
        {life}[$i] = ⟨20 + wp.randi($rng, 0, 40)|wp.randi($rng, 20, 60)⟩|{serial_out}[$i] = {serial}[$i] + {n}|wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="vector monte_carlo random_noise particles early_exit",
    ),
    Idea(
        "plan_emission",
        "plan_emission emitter_budget compute_spawn_counts update_emitters",
        "decide how many particles each emitter spawns in this frame",
        """
        $count = {rate}[$e]
        ⟨1:if $count == 0:
            {spawn_out}[$e] = 0
            return
        |⟩⟨2:if ({frame} + $e) % ⟨2|3|4⟩ == 0:
            # a burst
            $count = $count * 2
        |⟩# what remains of the budget
        $left = {budget} - {quota}[$e]
        if $left <= 0:
            $count = 0
        elif $count > $left:
            $count = $left
        ⟨3:{quota}[$e] = {quota}[$e] + $count
        |{quota}[$e] += $count
        |if $count > 0:
            {quota}[$e] += $count
            wp.atomic_add({counter}, 0, $count)
        |⟩{spawn_out}[$e] = $count
        """,
        threads="e",
        kinds="control_flow multi_conditional scalar_param",
        integer=True,
    ),
    Idea(
        "pack",
        "compact_particles pack_alive remove_dead scatter_alive",
        "copy the particles that remain to their places without gaps",
        """
        if {keep}[$i] == 0⟨1:| or {status}[$i] == {DEAD}⟩:
            ⟨2:wp.atomic_add({dead}, 0, 1)
            |⟩return

        # place without gaps
        $dst = {rank}[$i]
        ⟨4:{mat_out}[$dst] = {mat}[$i]
        {group_out}[$dst] = {group}[$i]|{serial_out}[$dst] = {serial}[$i]
        |{mat_out}[$dst] = {mat}[$i]
        {serial_out}[$dst] = {serial}[$i]|{group_out}[$dst] = {group}[$i]
        {serial_out}[$dst] = {serial}[$i]⟩
        ⟨5:{key_out}[$dst] = {cell}[$i]|wp.atomic_add({census}, {owner}[$i], 1)|⟩
        """,
        kinds="control_flow gather_scatter early_exit",
        integer=True,
    ),
    Idea(
        "sort_step",
        "odd_even_step sort_pass compare_exchange sort_keys_step",
        "exchange adjacent keys that are out of order, with their particles",
        """
        $lo = ⟨1:2 * $i + {parity}|$i * 2 + {parity}⟩
        ⟨2:if $lo + 1 >= {n}:
            return
        |if $lo > {n} - 2:
            return
        |$hi = $lo + 1
        if $hi >= {n}:
            return
        ⟩⟨3:$left = {serial}[$lo]
        $right = {serial}[$lo + 1]
        if $left > $right:
            {serial}[$lo] = $right
            {serial}[$lo + 1] = $left
            ⟨wp.atomic_add({counter}, 0, 1)
            |⟩⟨4:$held = {group}[$lo]
            {group}[$lo] = {group}[$lo + 1]
            {group}[$lo + 1] = $held|$held = {mat}[$lo]
            {mat}[$lo] = {mat}[$lo + 1]
            {mat}[$lo + 1] = $held|⟩|if {status}[$lo] < {status}[$lo + 1]:
            # dead particles to the end
            $held = {status}[$lo]
            {status}[$lo] = {status}[$lo + 1]
            {status}[$lo + 1] = $held
            ⟨4:$own = {serial}[$lo]
            {serial}[$lo] = {serial}[$lo + 1]
            {serial}[$lo + 1] = $own|wp.atomic_add({counter}, 0, 1)|⟩⟩
        """,
        kinds="control_flow sorting early_exit",
        integer=True,
    ),
    Idea(
        "find_dead",
        "⟨1:find_dead|next_of_group|find_free_slot⟩ ⟨1:search_dead|find_group_mate|next_free⟩",
        "search the next ⟨1:dead particle|particle of the same group|free slot⟩ behind each particle, around the end",
        """
        ⟨2:if {flags}[$i] & {ACTIVE} == 0:
            {found}[$i] = {NONE}
            return
        |⟩# begin behind the particle itself
        ⟨$j = ($i + 1) % {n}|$j = $i + 1
        if $j == {n}:
            $j = 0⟩
        $count = int(0)
        while $count < ⟨4:{n}|⟨6:4|6|8⟩⟩:
            if ⟨1:{status}[$j] == {DEAD}|{group}[$j] == {group}[$i]|{keep}[$j] == 0 and {status}[$j] != {ALIVE}⟩:
                break
            ⟨3:$j = ($j + 1) % {n}|$j += 1
            if $j == {n}:
                $j = 0⟩
            $count += 1
        ⟨4:{found}[$i] = $j|if $count == ⟨6:4|6|8⟩:
            # nothing near
            {found}[$i] = {NONE}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {found}[$i] = $j⟩
        """,
        kinds="control_flow while_loop early_exit",
        integer=True,
    ),
    Idea(
        "draw_size",
        "point_sizes compute_render_size particle_sizes fade_particles",
        "compute the size at which each particle is drawn from its ⟨1:age|speed|age and density⟩",
        """
        hook begin
        ⟨1:$t = float({age}[$i]) / float({life}[$i])|$t = wp.length($v) / {vmax}|$t = {rho}[$i] * float({age}[$i]) / float({life}[$i])⟩
        ⟨2:$size = {smax} * wp.max(1.0 - $t, 0.0)|$size = {smax} * wp.exp(-⟨2.0|3.0⟩ * $t)|# the area shrinks linearly
        $size = {smax} * wp.sqrt(wp.max(1.0 - $t, 0.01))⟩
        ⟨3:if {status}[$i] == {FADING}:
            $size = $size * 0.5
        elif {status}[$i] == {BORN}:
            # new particles have the full size
            $size = {smax}
        |if {status}[$i] == {DEAD}:
            {size_out}[$i] = 0.0
            return
        |⟩{size_out}[$i] = ⟨4:$size|wp.min($size, {rad}[$i])|wp.max($size, 0.5 * {rad}[$i])⟩
        ⟨5:if {flags}[$i] & {ACTIVE} != 0:
            wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="math control_flow particles",
    ),
)
