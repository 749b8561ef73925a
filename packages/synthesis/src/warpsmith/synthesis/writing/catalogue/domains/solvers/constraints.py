"""Ideas of the domain `solvers`: constraints between unknowns."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CONSTRAINTS = (
    Idea(
        "constraint_solve",
        "solve_constraints project_constraints pgs_sweep constraint_iteration",
        "project each constraint between two unknowns",
        """
        ⟨1:$wa = float(0.0)
        $xa = float(0.0)
        if $u >= 0:
            $wa = {winv}[$u]
            $xa = {x}[$u]|if $u < 0:
            return
        $wa = {winv}[$u]
        $xa = {x}[$u]⟩
        $wb = {winv}[$v]
        $gap = {x}[$v] - $xa - {rest}[$c]
        $denom = $wa + $wb + {comp}[$c]
        $dl = ⟨-{omega} * |-⟩⟨$gap|($gap + {comp}[$c] * {lam}[$c])⟩ / $denom
        $lam_new = {lam}[$c] + $dl
        ⟨if {ctype}[$c] == {LIMIT}:
            # only pushes
            $lam_new = wp.max($lam_new, 0.0)
        elif {ctype}[$c] == {FRICTION}:
            $lam_new = wp.clamp($lam_new, -{flimit}, {flimit})|if {ctype}[$c] == {LIMIT} and $lam_new < 0.0:
            $lam_new = 0.0
        elif {ctype}[$c] == {FRICTION} and wp.abs($lam_new) > {flimit}:
            $lam_new = {flimit} * wp.sign($lam_new)|if {ctype}[$c] != {EQ}:
            $lam_new = wp.clamp($lam_new, 0.0, {flimit})⟩
        {lam_out}[$c] = $lam_new

        # both ends move in opposite directions
        $imp = $lam_new - {lam}[$c]
        ⟨1:if $u >= 0:
            wp.atomic_sub({dx}, $u, $wa * $imp)
            ⟨wp.atomic_add({touch}, $u, 1)|⟩|wp.atomic_add({dx}, $u, -$wa * $imp)⟩
        wp.atomic_add({dx}, $v, $wb * $imp)
        ⟨wp.atomic_add({touch}, $v, 1)|⟩
        """,
        threads="c",
        kinds="atomic control_flow contact",
        docs="Jacobi version of projected Gauss-Seidel: corrections are averaged afterwards",
    ),
    Idea(
        "constraint_count",
        "count_constraints constraint_degrees mark_constrained gather_constraint_ids",
        "count the constraints of each unknown and of each type",
        """
        hook con
        ⟨wp.atomic_add({touch}, $v, 1)
        if $u >= 0⟨| and $u != $v⟩:
            wp.atomic_add({touch}, $u, 1)|if $u < 0:
            # of a single unknown
            wp.atomic_add({count}, 3, 1)
            wp.atomic_add({touch}, $v, 1)
        elif $u != $v:
            wp.atomic_add({touch}, $u, 1)
            wp.atomic_add({touch}, $v, 1)⟩

        ⟨if {ctype}[$c] == {EQ}:
            wp.atomic_add({count}, 0, 1)
        elif {ctype}[$c] == {LIMIT}:
            wp.atomic_add({count}, 1, 1)
        ⟨elif {ctype}[$c] == {FRICTION}|else⟩:
            wp.atomic_add({count}, 2, 1)|if {ctype}[$c] != {OFF}:
            wp.atomic_add({count}, {ctype}[$c], 1)|if {ctype}[$c] == {LIMIT} or {ctype}[$c] == {FRICTION}:
            # bounded multipliers
            wp.atomic_add({count}, 1, 1)
        else:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="c",
        kinds="atomic atomics gather_scatter",
        integer=True,
    ),
    Idea(
        "constraint_matrix",
        "assemble_delassus constraint_coupling build_efc_matrix coupling_rows",
        "add up the couplings of each constraint with the others",
        """
        hook con
        $wa = float(0.0)
        if $u >= 0:
            $wa = {winv}[$u]
        $own = $wa + {winv}[$v]
        {cdiag}[$c] = ⟨$own|$own + {comp}[$c]|$own * (1.0 + {shift})⟩
        $sum = float(0.0)
        for $o in range({cons}):
            ⟨if $o != $c and {ctype}[$o] != {OFF}:|if $o != $c:⟩
                $ou = {ca}[$o]
                $ov = {cb}[$o]
                # shared ends of the same side add, others cancel
                if $ov == $v:
                    $sum += {winv}[$v]⟨1: * {lam}[$o]|⟩
                ⟨if|elif⟩ $ou == $v:
                    $sum -= {winv}[$v]⟨1: * {lam}[$o]|⟩
                if $u >= 0:
                    if $ou == $u:
                        $sum += {winv}[$u]⟨1: * {lam}[$o]|⟩
                    elif $ov == $u:
                        $sum -= {winv}[$u]⟨1: * {lam}[$o]|⟩

        {delassus}[$c] = ⟨1:⟨$sum|$sum + $own * {lam}[$c]|$sum + ($own + {comp}[$c]) * {lam}[$c]⟩|⟨$sum|$sum + $own⟩⟩
        """,
        threads="c",
        kinds="control_flow linear_algebra contact",
        docs="⟨1:product of J W J^T and the multipliers|row sums of J W J^T⟩ without forming the matrix",
    ),
    Idea(
        "color_constraints",
        "color_constraints batch_constraints constraint_graph_color group_constraints",
        "give each constraint the first colour that no earlier one with a shared unknown has",
        """
        hook con
        $bits = int(0)
        $num = int(0)
        for $o in range($c):
            ⟨if {ctype}[$o] != {ctype}[$c]:
                continue
            |if {ctype}[$o] == {OFF}:
                continue
            |⟩$ou = {ca}[$o]
            $ov = {cb}[$o]
            ⟨1:if $ov == $v or ($ou >= 0 and $ou == $u):
                $num += 1
                if {cold}[$o] > 0:
                    $bits = $bits | (1 << {cold}[$o])|$share = $ov == $v or $ov == $u or $ou == $v
            if $ou >= 0:
                $share = $share or $ou == $u
            if $share⟨| and {cold}[$o] > 0⟩:
                $num += 1
                $bits = $bits | (1 << {cold}[$o])⟩

        # lowest colour that is free
        $color = int(1)
        ⟨while ($bits >> $color) & 1 != 0:
            $color += 1|for $t in range(6):
            if ($bits >> $color) & 1 == 0:
                break
            $color += 1⟩
        {ccolor}[$c] = $color
        {cshared}[$c] = $num
        ⟨wp.atomic_max({count}, 2, $color)|if $color > 1:
            wp.atomic_add({count}, 2, 1)|⟩
        """,
        threads="c",
        kinds="control_flow integer_bits while_loop",
        docs="constraints of one colour can be solved at the same time",
        integer=True,
    ),
    Idea(
        "constraint_setup",
        "setup_constraints constraint_rows make_efc prepare_constraints",
        "compute the violation, impedance and reference acceleration of each constraint",
        """
        $xa = float(0.0)
        $va = float(0.0)
        $wa = float(0.0)
        if $u >= 0:
            $xa = {x}[$u]
            $va = {vx}[$u]
            $wa = {winv}[$u]
        $pos = {x}[$v] - $xa - {rest}[$c]
        $vel = {vx}[$v] - $va

        ⟨if {ctype}[$c] == {LIMIT}:
            # one-sided: active below the margin
            if $pos > {margin}[$c]:
                {cstate}[$c] = 0
                {cpos}[$c] = $pos
                return
            {cstate}[$c] = 1|if {ctype}[$c] == {LIMIT} and $pos > {margin}[$c]:
            {cstate}[$c] = 0
            {cpos}[$c] = $pos
            ⟨wp.atomic_add({count}, 1, 1)|⟩
            return
        {cstate}[$c] = 1|{cstate}[$c] = wp.where($pos < {margin}[$c], 1, 0)⟩

        # impedance grows with the violation
        $depth_c = wp.abs($pos) / ({margin}[$c] + 0.5)
        $ramp = ⟨wp.min($depth_c, 1.0)|$depth_c / (1.0 + $depth_c)|wp.min($depth_c * $depth_c, 1.0)⟩
        $imp = {impmin}[$c] + $ramp * ({impmax}[$c] - {impmin}[$c])
        $tc = ⟨wp.max({tconst}[$c], 2.0 * {dt})|{tconst}[$c] + {dt}⟩
        $kd = ⟨2.0 / $tc|2.0 / ({impmax}[$c] * $tc)⟩
        $kp = ⟨1.0 / ($tc * $tc)|0.25 * $kd * $kd⟩

        {cpos}[$c] = $pos
        {aref}[$c] = -$kd * $vel - $kp * $imp * $pos
        ⟨{cD}[$c] = $imp / ((1.0 - $imp) * ($wa + {winv}[$v]))|$reg = (1.0 - $imp) / $imp * ($wa + {winv}[$v])
        {cD}[$c] = 1.0 / ($reg + 0.01)⟩
        wp.atomic_add({touch}, $v, 1)
        ⟨if $u >= 0:
            wp.atomic_add({touch}, $u, 1)|⟩
        """,
        threads="c",
        kinds="control_flow contact",
        docs="soft constraints: the impedance mixes the constraint with the free motion",
    ),
)
