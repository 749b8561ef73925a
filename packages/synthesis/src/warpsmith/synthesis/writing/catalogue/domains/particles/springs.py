"""Ideas of the domain `particles`: springs and constraints between pairs of particles."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SPRINGS = (
    Idea(
        "spring_forces",
        "eval_springs spring_forces apply_spring_forces compute_springs",
        "add the forces of ⟨1:damped springs|springs⟩ to both particles of each spring",
        """
        hook spring
        $d = $xb - $xa
        ⟨2:$l = wp.length($d) + 1.0e-4|$l = wp.sqrt(wp.dot($d, $d) + 1.0e-6)⟩
        $n = $d / $l

        ⟨4:⟨# Hooke's law
        |⟩$mag = {ks}[$s] * ($l - {rest}[$s])|⟨# Hooke's law
        |⟩$strain = $l / {rest}[$s] - 1.0
        $mag = {ks}[$s] * {rest}[$s] * $strain|# the spring hardens with its strain
        $strain = $l / {rest}[$s] - 1.0
        $mag = {ks}[$s] * {rest}[$s] * $strain * (1.0 + $strain * $strain)⟩
        ⟨1:$mag = $mag + {kd}[$s] * wp.dot($vb - $va, $n)
        |⟩⟨5:if $mag < 0.0:
            # a cord takes no compression
            $mag = 0.0
        |if {broken}[$s] != 0:
            # a torn spring carries no force
            $mag = 0.0
        |⟩$f = $n * $mag
        ⟨6:wp.atomic_add({pull}, $a, $f)
        wp.atomic_sub({pull}, $b, $f)|wp.atomic_add({pull}, $a, $f)
        wp.atomic_add({pull}, $b, -$f)|if {flags}[$a] & {PINNED} == 0:
            wp.atomic_add({pull}, $a, $f)
        if {flags}[$b] & {PINNED} == 0:
            wp.atomic_sub({pull}, $b, $f)⟩
        ⟨7:{strain_out}[$s] = $l / {rest}[$s] - 1.0|wp.atomic_add({energy}, 0, 0.5 * {ks}[$s] * ($l - {rest}[$s]) * ($l - {rest}[$s]))|⟩
        """,
        threads="s",
        kinds="atomic vector combined gather_scatter cloth atomics",
    ),
    Idea(
        "distance_constraint",
        "solve_distance solve_springs_pbd project_distance solve_stretch",
        "project the distance constraints and sum up the corrections of both particles",
        """
        hook spring
        $d = $xa - $xb
        $l = wp.length($d) + 1.0e-4
        ⟨1:$wsum = $wa + $wb|$wsum = $wa + $wb + {alpha} / ({dt} * {dt})⟩
        # violation of the constraint in m
        $c = $l - {rest}[$s]
        ⟨2:if $c < 0.0:
            # slack
            return
        |if wp.abs($c) < 0.05 * {rest}[$s]:
            return
        |⟩
        ⟨3:$n = $d / $l
        $lam = $c / $wsum * {relax}
        wp.atomic_add({delta}, $a, $n * (-$wa * $lam))
        wp.atomic_add({delta}, $b, $n * ($wb * $lam))|$corr = $d * ({relax} * $c / ($l * $wsum))
        wp.atomic_sub({delta}, $a, $corr * $wa)
        wp.atomic_add({delta}, $b, $corr * $wb)|$corr = $d * ($c / ($l * $wsum))
        if {flags}[$a] & {PINNED} == 0:
            wp.atomic_sub({delta}, $a, $corr * $wa)
        if {flags}[$b] & {PINNED} == 0:
            wp.atomic_add({delta}, $b, $corr * $wb)⟩
        ⟨4:wp.atomic_add({dcount}, $a, 1)
        wp.atomic_add({dcount}, $b, 1)|{strain_out}[$s] = ⟨$l / {rest}[$s] - 1.0|$c / {rest}[$s]⟩|⟩
        """,
        threads="s",
        kinds="atomic combined vector cloth gather_scatter atomics early_exit",
    ),
    Idea(
        "apply_deltas",
        "apply_deltas apply_corrections add_position_deltas average_deltas",
        "⟨1:add the mean correction to each position|apply the sum of corrections to each particle⟩",
        """
        hook begin
        ⟨2:if {ncon}[$i] == 0:
            {x_out}[$i] = {x}[$i]
            return
        |⟩
        ⟨1:$d = {shift}[$i] * ({relax} / float(wp.max({ncon}[$i], 1)))|$d = {shift}[$i] * {relax}⟩
        ⟨3:$l = wp.length($d)
        if $l > {rad}[$i]:
            # no correction is longer than the radius
            $d = $d * ({rad}[$i] / $l)
        |if {flags}[$i] & {PINNED} != 0:
            # held particles take no correction
            $d = wp.vec3(⟨0.0, 0.0, 0.0|⟩)
        |⟩$x = $x + $d
        hook position
        {x_out}[$i] = $x
        ⟨4:{v_out}[$i] = ($x - {xp}[$i]) / {dt}|{v_out}[$i] = {v}[$i] + $d / {dt}|⟩
        """,
        kinds="vector combined cloth particles early_exit",
    ),
    Idea(
        "spring_states",
        "classify_springs update_spring_state check_tearing tear_springs",
        "classify each spring as slack, taut or torn",
        """
        ⟨1:if {broken}[$s] != 0:
            {tension_out}[$s] = 3
            return

        |⟩$l = wp.length($xa - $xb)
        ⟨$strain = ($l - {rest}[$s]) / {rest}[$s]|$strain = $l / {rest}[$s] - 1.0⟩
        if $strain > {tear}:
            {tension_out}[$s] = 3
            ⟨wp.atomic_add({counter}, 0, 1)|wp.atomic_sub({degree}, $a, 1)
            wp.atomic_sub({degree}, $b, 1)⟩
        elif $strain > ⟨0.05|0.1⟩:
            {tension_out}[$s] = 2
        ⟨elif $strain < ⟨-0.2|-0.1⟩:
            {tension_out}[$s] = 0
        |⟩else:
            {tension_out}[$s] = 1
        ⟨2:{strain_out}[$s] = $strain|{strain_out}[$s] = wp.clamp($strain, -0.5, 1.0)|⟩
        """,
        threads="s",
        kinds="multi_conditional control_flow cloth early_exit",
    ),
    Idea(
        "spring_degree",
        "count_springs count_valence spring_degrees count_constraints",
        "count the ⟨1:springs at|unbroken springs at⟩ each particle",
        """
        ⟨1:⟨2:if {color}[$s] != {batch}:
            return
        |⟩|if {broken}[$s] != 0:
            return
        ⟩
        ⟨3:if $a == $b:
            return
        |⟩⟨4:wp.atomic_add({degree}, $a, 1)
        wp.atomic_add({degree}, $b, 1)|for $k in range(2):
            $j = {ends}[$s, $k]
            if {flags}[$j] & {PINNED} == 0:
                wp.atomic_add({degree}, $j, 1)|if {flags}[$a] & {PINNED} == 0:
            wp.atomic_add({degree}, $a, 1)
        if {flags}[$b] & {PINNED} == 0:
            wp.atomic_add({degree}, $b, 1)⟩
        ⟨5:if {group}[$a] != {group}[$b]:
            # a link between two groups
            wp.atomic_add({counter}, 0, 1)|⟩
        """,
        threads="s",
        kinds="atomic control_flow gather_scatter atomics",
        integer=True,
    ),
    Idea(
        "check_colors",
        "check_coloring verify_batches find_conflicts count_conflicts",
        "count the springs that share a particle with ⟨1:an earlier|another⟩ spring of their color",
        """
        ⟨2:if {broken}[$s] != 0:
            return
        |⟩$count = int(0)
        for $k in range(⟨1:$s|{s}⟩):
            if {color}[$k] != {color}[$s]⟨1:| or $k == $s⟩:
                continue
            $first = {ends}[$k, 0]
            $second = {ends}[$k, 1]
            if $first == {ends}[$s, 0] or $first == {ends}[$s, 1]:
                $count += 1
            elif $second == {ends}[$s, 0] or $second == {ends}[$s, 1]:
                $count += 1

        {clash}[$s] = ⟨3:$count|wp.min($count, ⟨3|4⟩)⟩
        if $count > 0:
            wp.atomic_add({conflict}, 0, 1)
            ⟨5:wp.atomic_add({counter}, 0, $count)|⟩
        """,
        threads="s",
        kinds="nested_loop multi_conditional atomic early_exit atomics",
        integer=True,
    ),
)
