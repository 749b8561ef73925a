"""Ideas of the domain `grids`: advection, projection, staggered velocities, boundary conditions."""

from __future__ import annotations

from warpsmith.synthesis.writing.catalogue.domains.grids.locals import stencil
from warpsmith.synthesis.writing.ideas.parts import Idea

FLOW = (
    Idea(
        "divergence",
        "compute_divergence divergence_mac build_rhs mac_divergence",
        "compute the divergence of a staggered velocity field",
        """
        hook mask2
        ⟨if {flags}[$i, $j] != {FLUID}:
            {div}[$i, $j] = 0.0
            return
        |if {flags}[$i, $j] == {SOLID}:
            return
        |⟩
        # velocities on the four faces
        $left = {su}[$i, $j]
        $right = {su}[$i + 1, $j]
        $bottom = {sv}[$i, $j]
        $top = {sv}[$i, $j + 1]
        ⟨|# no flow through the walls
        if {solid2}[wp.max($i - 1, 0), $j]:
            $left = 0.0
        if {solid2}[wp.min($i + 1, {nx} - 1), $j]:
            $right = 0.0
        if {solid2}[$i, wp.max($j - 1, 0)]:
            $bottom = 0.0
        if {solid2}[$i, wp.min($j + 1, {ny} - 1)]:
            $top = 0.0
        |if $i == 0:
            $left = {inflow}
        elif $i == {nx} - 1:
            # free outflow
            $right = $left
        ⟨if $j == 0 or $j == {ny} - 1:
            $bottom = 0.0
            $top = 0.0|⟩
        ⟩

        ⟨{div}[$i, $j] = ($right - $left + $top - $bottom)⟨| * {inv_h}| / {h}⟩
        |$d = ($right - $left) ⟨* {inv_h}|/ {h}⟩ + ($top - $bottom) ⟨* {inv_h}|/ {h}⟩
        {div}[$i, $j] = $d
        wp.atomic_add({total}, 0, ⟨$d|$d * $d⟩)
        |$d = $right - $left + $top - $bottom
        {div}[$i, $j] = $d
        if wp.abs($d) > {theta}:
            wp.atomic_add({changed}, 0, 1)
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="control_flow stencil fields multi_dim",
    ),
    Idea(
        "project",
        "subtract_gradient project_velocity apply_pressure pressure_correction",
        "subtract the pressure gradient from the staggered velocities⟨1:| of fluid cells|, except at solid walls⟩",
        """
        ⟨5:$scale = {dt} * {inv_h}
        |$scale = {dt} / {h}
        |⟩
        ⟨1:if $i > 0:
            {su_out}[$i, $j] = {su}[$i, $j] - ⟨5:$scale * |$scale * |⟩({p}[$i, $j] - {p}[$i - 1, $j])
        else:
            {su_out}[$i, $j] = 0.0
        |# faces between two fluid cells
        if $i > 0 and {flags}[$i, $j] == {FLUID} and {flags}[wp.max($i - 1, 0), $j] == {FLUID}:
            {su_out}[$i, $j] = {su}[$i, $j] - ⟨5:$scale * |$scale * |⟩({p}[$i, $j] - {p}[$i - 1, $j])
        |if $i > 0:
            if {solid2}[$i, $j] or {solid2}[$i - 1, $j]:
                # the wall is at rest
                {su_out}[$i, $j] = 0.0
            else:
                $grad = {p}[$i, $j] - {p}[$i - 1, $j]
                {su_out}[$i, $j] = {su}[$i, $j] - ⟨5:$scale * |$scale * |⟩$grad⟨|
                wp.atomic_add({changed}, 0, 1)⟩
        ⟩
        ⟨1:if $j > 0:
            {sv_out}[$i, $j] = {sv}[$i, $j] - ⟨5:$scale * |$scale * |⟩({p}[$i, $j] - {p}[$i, $j - 1])
        else:
            {sv_out}[$i, $j] = 0.0
        |if $j > 0 and {flags}[$i, $j] == {FLUID} and {flags}[$i, wp.max($j - 1, 0)] == {FLUID}:
            {sv_out}[$i, $j] = {sv}[$i, $j] - ⟨5:$scale * |$scale * |⟩({p}[$i, $j] - {p}[$i, $j - 1])
        |if $j > 0:
            if {solid2}[$i, $j] or {solid2}[$i, $j - 1]:
                {sv_out}[$i, $j] = 0.0
            else:
                $grad_y = {p}[$i, $j] - {p}[$i, $j - 1]
                {sv_out}[$i, $j] = {sv}[$i, $j] - ⟨5:$scale * |$scale * |⟩$grad_y
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="control_flow stencil fields multi_dim",
    ),
    Idea(
        "relax",
        "relax_pressure pressure_sweep smooth_pressure poisson_sweep",
        "relax the pressure equation with ⟨1:one Jacobi sweep|one damped Jacobi sweep|one sweep over the cells of a colour|one sweep over the fluid cells of a colour⟩",
        """
        hook mask2
        ⟨1:|⟨if {flags}[$i, $j] == {SOLID}:
            {p_out}[$i, $j] = 0.0
            return
        |⟩|# cells of the other colour keep their value
        if ($i + $j) % 2 != {parity}:
            {p_out}[$i, $j] = {p}[$i, $j]
            return
        |if (($i + $j) & 1) != {parity} or {flags}[$i, $j] != {FLUID}:
            {p_out}[$i, $j] = {p}[$i, $j]
            return
        ⟩
        ⟨1:$sum = {p}[$im, $j] + {p}[$ip, $j] + {p}[$i, $jm] + {p}[$i, $jp]
        ⟨|if $i == {nx} - 1:
            # open boundary
            $sum -= {p}[$ip, $j]⟩
        {p_out}[$i, $j] = 0.25 * ($sum - {rhs}[$i, $j]⟨| * {h} * {h}⟩)
        |$sum = {p}[$im, $j] + {p}[$ip, $j] + {p}[$i, $jm] + {p}[$i, $jp]
        $jacobi = ⟨0.25 * ($sum - {rhs}[$i, $j])|($sum - {h} * {h} * {rhs}[$i, $j]) / 4.0⟩
        {p_out}[$i, $j] = ⟨wp.lerp({p}[$i, $j], $jacobi, 2.0 / 3.0)|{p}[$i, $j] + 0.8 * ($jacobi - {p}[$i, $j])⟩
        |$west = {p}[wp.max($i - 1, 0), $j]
        $east = {p}[wp.min($i + 1, {nx} - 1), $j]
        $south = {p}[$i, wp.max($j - 1, 0)]
        $north = {p}[$i, wp.min($j + 1, {ny} - 1)]
        $r = 0.25 * ($west + $east + $south + $north - {rhs}[$i, $j]⟨| * {h} * {h}⟩) - {p}[$i, $j]
        {p_out}[$i, $j] = {p}[$i, $j] + {omega} * $r
        ⟨|if wp.abs($r) > {theta}:
            wp.atomic_add({changed}, 0, 1)|wp.atomic_add({total}, 0, $r * $r)⟩
        |$sum = float(0.0)
        $weight = float(0.0)
        if $i > 0:
            $sum += {p}[$i - 1, $j]
            $weight += 1.0
        if $i < {nx} - 1:
            $sum += {p}[$i + 1, $j]
            $weight += 1.0
        if $j > 0:
            $sum += {p}[$i, $j - 1]
            $weight += 1.0
        if $j < {ny} - 1:
            $sum += {p}[$i, $j + 1]
            $weight += 1.0
        {p_out}[$i, $j] = {p}[$i, $j] + {omega} * (($sum - {rhs}[$i, $j]) / wp.max($weight, 1.0) - {p}[$i, $j])
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="stencil linear_algebra multi_dim",
    ),
    Idea(
        "advect",
        "advect_density semi_lagrangian advect_scalar backtrace_advect",
        "advect the smoke density with ⟨1:a semi-Lagrangian step|a semi-Lagrangian step|a second-order semi-Lagrangian step|an upwind step⟩",
        """
        hook begin2
        # velocity at the cell centre
        $v = {vel}[$i, $j]
        ⟨1:# trace the cell centre back in time
        $px = float($i) - $v[0] * {dt}⟨4:| * {inv_h}⟩
        $py = float($j) - $v[1] * {dt}⟨4:| * {inv_h}⟩
        # value at the departure point
        $value = @sample({dye}, $px, $py, {nx}, {ny})
        |$px = wp.clamp(float($i) - {dt} * $v[0], 0.0, float({nx} - 1))
        $py = wp.clamp(float($j) - {dt} * $v[1], 0.0, float({ny} - 1))
        $i0 = wp.min(int($px), {nx} - 2)
        $j0 = wp.min(int($py), {ny} - 2)
        $fx = $px - float($i0)
        $fy = $py - float($j0)

        # bilinear interpolation
        $low = {dye}[$i0, $j0] * (1.0 - $fx) + {dye}[$i0 + 1, $j0] * $fx
        $high = {dye}[$i0, $j0 + 1] * (1.0 - $fx) + {dye}[$i0 + 1, $j0 + 1] * $fx
        $value = $low * (1.0 - $fy) + $high * $fy
        |# velocity at the midpoint
        $mid_x = wp.clamp($i - int(wp.sign($v[0])), 0, {nx} - 1)
        $mid_y = wp.clamp($j - int(wp.sign($v[1])), 0, {ny} - 1)
        $vm = 0.5 * ($v + {vel}[$mid_x, $mid_y])
        $px = float($i) - {dt} * $vm[0]
        $py = float($j) - {dt} * $vm[1]
        $value = @sample({dye}, $px, $py, {nx}, {ny})
        |$c = {dye}[$i, $j]
        $flux_x = @upwind($v[0], {dye}[$im, $j], $c, {dye}[$ip, $j])
        $flux_y = @upwind($v[1], {dye}[$i, $jm], $c, {dye}[$i, $jp])
        $value = $c - {dt} * ($flux_x + $flux_y)⟨| * {inv_h}⟩
        ⟩
        ⟨|$value *= 1.0 - {decay} * {dt}|if {flags}[$i, $j] == {INFLOW}:
            # source of smoke
            $value = 1.0
        elif {flags}[$i, $j] == {OUTFLOW}:
            # smoke leaves the domain
            $value = 0.5 * $value|$value += {dt} * {source}[$i, $j]⟩
        {dye_out}[$i, $j] = $value
        ⟨|{vel_out}[$i, $j] = $v + wp.vec2(0.0, {lift} * $value * {dt})|if $value > {theta}:
            {note}[$i, $j] = 1⟨
            wp.atomic_add({changed}, 0, 1)|⟩
        else:
            {note}[$i, $j] = 0⟩
        hook end2
        """,
        threads="i j",
        kinds="vector fields multi_dim helper_functions",
    ),
    Idea(
        "boundary",
        "apply_boundary set_boundary enforce_bc boundary_conditions",
        "apply the boundary condition of each cell to ⟨1:velocity and density|the velocity|the velocity and the pressure⟩",
        """
        $code = {flags}[$i, $j]
        # velocity at the cell centre
        $v = {vel}[$i, $j]
        ⟨hook mask2|⟩
        if $code == {SOLID}:
            # no slip
            {vel_out}[$i, $j] = wp.vec2(0.0, 0.0)
            ⟨1:{dye_out}[$i, $j] = 0.0|{kind_out}[$i, $j] = 1|{p_out}[$i, $j] = {p}[$i, $j]⟩
        elif $code == {INFLOW}:
            ⟨{vel_out}[$i, $j] = wp.vec2({inflow}, 0.0)|# parabolic profile
            $s = (float($j) + 0.5) / float({ny})
            {vel_out}[$i, $j] = wp.vec2(4.0 * {inflow} * $s * (1.0 - $s), 0.0)|{vel_out}[$i, $j] = wp.vec2({inflow}, 0.2 * $v[1])⟩
            ⟨1:{dye_out}[$i, $j] = 1.0|{kind_out}[$i, $j] = 2|{p_out}[$i, $j] = {p}[wp.min($i + 1, {nx} - 1), $j]⟩
        ⟨elif $code == {OUTFLOW}:
            $nbr = wp.max($i - 1, 0)
            {vel_out}[$i, $j] = ⟨{vel}[$nbr, $j]|wp.vec2(wp.max({vel}[$nbr, $j][0], 0.0), 0.0)⟩
            ⟨1:{dye_out}[$i, $j] = {dye}[$nbr, $j]|{kind_out}[$i, $j] = 3|{p_out}[$i, $j] = 0.0⟩
        |⟩else:
            ⟨{vel_out}[$i, $j] = $v
            |if {solid2}[$i, wp.max($j - 1, 0)]:
                # free slip at the ground
                {vel_out}[$i, $j] = wp.vec2($v[0], 0.0)
            else:
                {vel_out}[$i, $j] = $v
            ⟩⟨1:{dye_out}[$i, $j] = {dye}[$i, $j]|{kind_out}[$i, $j] = 0|{p_out}[$i, $j] = {p}[$i, $j]⟩
        hook end2
        """,
        threads="i j",
        kinds="control_flow multi_conditional combined fields multi_dim",
    ),
    Idea(
        "strain",
        "velocity_gradient gradient_tensor deformation_tensor",
        "compute ⟨1:the strain rate|the velocity gradient and the divergence|the viscous stress|the Q criterion⟩ of a velocity field",
        stencil("""
        hook begin3
        ⟨9:|||if EDGE3:
            return
        |if EDGE3:
            return
        ⟩
        $ddx = 0.5 * ({vel3}[IP, $j, $k] - {vel3}[IM, $j, $k])
        $ddy = 0.5 * ({vel3}[$i, JP, $k] - {vel3}[$i, JM, $k])
        $ddz = 0.5 * ({vel3}[$i, $j, KP] - {vel3}[$i, $j, KM])
        # columns are derivatives along x, y and z
        $gu = ⟨wp.matrix_from_cols($ddx, $ddy, $ddz)|wp.transpose(wp.matrix_from_rows($ddx, $ddy, $ddz))⟩⟨| * {inv_h}| / {h}⟩
        ⟨1:{grad_u}[$i, $j, $k] = 0.5 * ($gu + wp.transpose($gu))
        |{grad_u}[$i, $j, $k] = $gu
        {div3}[$i, $j, $k] = wp.trace($gu)
        |$strain = 0.5 * ($gu + wp.transpose($gu))
        $stress = 2.0 * $kap3 * $strain
        ⟨if {flags3}[$i, $j, $k] == {INFLOW}:
            # half of the stress at the inlet
            $stress = $stress * 0.5
        |⟩{grad_u}[$i, $j, $k] = $stress
        |$strain = 0.5 * ($gu + wp.transpose($gu))
        $spin = 0.5 * ($gu - wp.transpose($gu))
        $q = 0.5 * (wp.ddot($spin, $spin) - wp.ddot($strain, $strain))
        {meas3}[$i, $j, $k] = $q
        if $q > 0.0:
            # rotation dominates
            wp.atomic_add({changed}, 0, 1)
        ⟩
        hook end3
        """),
        threads="i j k",
        kinds="matrix stencil fields linear_algebra multi_dim",
    ),
)
