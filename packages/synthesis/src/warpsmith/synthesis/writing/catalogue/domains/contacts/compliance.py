"""Ideas of the domain `contacts`: soft contacts, friction curves and sums over the rows of a body."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

COMPLIANCE = (
    Idea(
        "impedance",
        "contact_impedance compute_contact_impedance eval_solimp contact_reference",
        "compute the impedance of each contact from its penetration⟨1: and the reference acceleration| and the reference acceleration|⟩",
        """
        hook contact
        $x = wp.abs({dist}[$c]) / {width}
        ⟨if {dist}[$c] > ⟨0.0|{slop}⟩:
            # apart: the least impedance
            {imped}[$c] = {d_min}
            ⟨1:{aref}[$c] = 0.0
            ||⟩return
        |⟩$y = float(1.0)
        if $x < 1.0:
            ⟨3:$y = ⟨$x * $x|$x * $x * (3.0 - 2.0 * $x)|wp.pow($x + 1.0e-3, 1.5)⟩
            |# two parabolas that meet in the middle
            if $x <= 0.5:
                $y = 2.0 * $x * $x
            else:
                $y = 1.0 - 2.0 * (1.0 - $x) * (1.0 - $x)
            |if $x <= 0.5:
                $y = 4.0 * $x * $x * $x
            else:
                $y = 1.0 - 4.0 * wp.pow(1.0 - $x, 3.0)⟩
        $imp = {d_min} + $y * ({d_top} - {d_min})
        {imped}[$c] = $imp
        ⟨1:# spring and damper of the reference
        $stiff = 1.0 / ({d_top} * {d_top} * {tc} * {tc} * {dr} * {dr})
        $damp = 2.0 / ({d_top} * {tc})
        {aref}[$c] = -$damp * {bias_in}[$c] - $stiff * $imp * {dist}[$c]
        |$omega = 1.0 / ({tc} * {dr})
        {aref}[$c] = -$imp * $omega * $omega * {dist}[$c]
        |⟩
        """,
        threads="c",
        kinds="math multi_conditional scalar_param contact early_exit",
        docs="Map the penetration to an impedance between the two limits by a smooth curve of the given width",
    ),
    Idea(
        "hertz",
        "hertz_contact_force elastic_contact_force nonlinear_contact_force hunt_crossley",
        "compute the elastic normal force of each contact⟨1: by Hertz's law|, with damping|⟩",
        """
        hook contact
        $depth = -{dist}[$c]
        ⟨if $depth <= 0.0:
            {f_hertz}[$c] = 0.0
            return
        |if $depth <= {slop}:
            {f_hertz}[$c] = 0.0
            return
        $depth = $depth - {slop}
        ⟩⟨# combined radius of both shapes
        $radius = float(0.1)
        if $sa >= 0 and $sb >= 0:
            $radius = {gsize}[$sa][0] * {gsize}[$sb][0] / ({gsize}[$sa][0] + {gsize}[$sb][0])
        |$radius = float(0.1)
        if $sa >= 0:
            $radius = {gsize}[$sa][0]
        |$radius = float(0.1)
        if $sb >= 0:
            $radius = {gsize}[$sb][0]
        ⟩⟨1:$f = 4.0 / 3.0 * {ke} * wp.sqrt($radius) * wp.pow($depth, 1.5)
        |$f = {ke} * wp.sqrt($radius * $depth) * $depth
        # Hunt-Crossley damping grows with the depth
        $f = $f * (1.0 - 0.5 * {kd} * {bias_in}[$c])
        |$f = {ke} * $radius * (wp.exp(4.0 * $depth) - 1.0)⟩
        ⟨if {state}[$c] == {SEPARATE}:
            # lost contacts do not push
            $f = 0.0
        |⟩{f_hertz}[$c] = ⟨$f|wp.max($f, 0.0)⟩
        """,
        threads="c",
        kinds="math control_flow contact scalar_param early_exit",
    ),
    Idea(
        "friction_curve",
        "stribeck_friction slip_friction_coefficient velocity_dependent_friction eval_friction_curve",
        "compute the friction coefficient of each contact at its slip speed",
        """
        hook contact
        ⟨$v = wp.length({slip_v}[$c])|$v = wp.sqrt(wp.dot({slip_v}[$c], {slip_v}[$c]) + 1.0e-4)⟩
        ⟨# static friction falls to sliding friction
        $coef = {mu}[$c] * (⟨0.7 + 0.3|0.8 + 0.2⟩ * wp.exp(-$v / {v_str}))
        |$ratio = $v / {v_str}
        $coef = {mu}[$c] * (⟨0.7 + 0.3|0.6 + 0.4⟩ * wp.exp(-$ratio * $ratio))
        |$coef = {mu}[$c] * wp.tanh($v / {v_str})
        |$coef = {mu}[$c] * 2.0 / 3.14159 * wp.atan2($v, {v_str})
        ⟩⟨if {state}[$c] == {STICK}:
            $coef = {mu}[$c]
        elif {state}[$c] == {SEPARATE}:
            $coef = 0.0
        |if {condim}[$c] == 1:
            # frictionless
            $coef = 0.0
        |if {age}[$c] < 3:
            # the grip of fresh contacts still builds up
            $coef = $coef * 0.5
        |⟩{mu_slip}[$c] = $coef
        """,
        threads="c",
        kinds="math contact scalar_param",
    ),
    Idea(
        "row_forces",
        "sum_row_forces constraint_forces_per_body apply_contact_rows body_constraint_force",
        "sum the impulses of all contact rows of each body, mapped by the Jacobian",
        """
        hook body
        $sum = wp.spatial_vector(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        each body_contact:
            ⟨for $row in range({edges}):
                $sum += {row_J}[$con, $row] * {row_f}[$con, $row]
            |for $row in range({edges}):
                if {row_f}[$con, $row] > 0.0:
                    # only rows that push
                    $sum += {row_J}[$con, $row] * {row_f}[$con, $row]
            |for $row in range(wp.min({condim}[$con], {edges})):
                $sum += {row_J}[$con, $row] * {row_f}[$con, $row]
            |for $row in range({edges}):
                $f = ⟨wp.max({row_f}[$con, $row], 0.0)|wp.clamp({row_f}[$con, $row], 0.0, {impulse}[$con])⟩
                $sum += {row_J}[$con, $row] * $f
            |if {state}[$con] == {SEPARATE}:
                continue
            for $row in range({edges}):
                if $row >= {condim}[$con]:
                    continue
                $sum += {row_J}[$con, $row] * {row_f}[$con, $row]⟩

        {row_sum}[$b] = $sum
        """,
        threads="b",
        kinds="nested_loop control_flow contact spatial sparse reduction",
    ),
    Idea(
        "duplicates",
        "count_duplicate_contacts find_redundant_contacts manifold_duplicates check_contact_spread",
        "count the pairs of contacts of each body that are ⟨1:close to each other|between shapes of the same group|in the same bin of keys⟩",
        """
        hook body
        $begin = {con_start}[$b]
        $end = {con_start}[$b + 1]
        $count = int(0)
        for $k in range($begin, $end):
            $ca = {con_list}[$k]
            ⟨if {invalid}[$ca]:
                continue
            |if {state}[$ca] == {SEPARATE}:
                continue
            |⟩for $l in range($k + 1, $end):
                $cb = {con_list}[$l]
                ⟨1:$off = {pos}[$ca] - {pos}[$cb]
                if wp.dot($off, $off) < {near} * {near}:
                    ⟨if wp.dot({normal}[$ca], {normal}[$cb]) > 0.0:
                        $count += 1
                    |$count += 1⟩
                |if {group}[wp.max({c_a}[$ca], 0)] == {group}[wp.max({c_a}[$cb], 0)]:
                    ⟨if {gtype}[wp.max({c_b}[$ca], 0)] == {gtype}[wp.max({c_b}[$cb], 0)]:
                        $count += 1
                    |$count += 1⟩
                |if ⟨({key}[$ca] ^ {key}[$cb]) & 3 == 0|{key}[$ca] >> 5 == {key}[$cb] >> 5|{key}[$ca] % 8 == {key}[$cb] % 8⟩:
                    $count += 1⟩
        ⟨if $count > 0:
            {doubles}[$b] = $count
        else:
            {doubles}[$b] = 0
        |{doubles}[$b] = $count⟩
        """,
        threads="b",
        kinds="nested_loop multi_conditional contact",
    ),
)
