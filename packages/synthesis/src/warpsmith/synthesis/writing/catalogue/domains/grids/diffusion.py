"""Ideas of the domain `grids`: diffusion, waves, reactions, phase fields."""

from __future__ import annotations

from warpsmith.synthesis.writing.catalogue.domains.grids.locals import stencil
from warpsmith.synthesis.writing.ideas.parts import Idea

DIFFUSION = (
    Idea(
        "heat",
        "diffuse_heat heat_step update_temperature explicit_diffusion ftcs_step",
        "advance the temperature by one explicit diffusion step ⟨2:|with a heat source|with losses to the surroundings|with decay⟩",
        stencil("""
        hook mask2
        ⟨9:|||if EDGE2:
            # Dirichlet: the rim keeps its value
            {u_out}[$i, $j] = $u
            return
        |if EDGE2:
            return
        ⟩
        ⟨3:|if {flags}[$i, $j] == {SOLID}:
            # insulated obstacle
            {u_out}[$i, $j] = $u
            return
        |⟩
        ⟨1:$lap = {u}[IM, $j] + {u}[IP, $j] + {u}[$i, JM] + {u}[$i, JP] - 4.0 * $u
        |$west = {u}[IM, $j]
        $east = {u}[IP, $j]
        $south = {u}[$i, JM]
        $north = {u}[$i, JP]
        $lap = ($east - 2.0 * $u + $west) + ($north - 2.0 * $u + $south)
        |# nine points, isotropic
        $cross = {u}[IM, $j] + {u}[IP, $j] + {u}[$i, JM] + {u}[$i, JP]
        $diag = {u}[IM, JM] + {u}[IM, JP] + {u}[IP, JM] + {u}[IP, JP]
        $lap = (4.0 * $cross + $diag - 20.0 * $u) / 6.0
        |# fluxes through the four faces
        $flux_x = ({u}[IP, $j] - $u) - ($u - {u}[IM, $j])
        $flux_y = ({u}[$i, JP] - $u) - ($u - {u}[$i, JM])
        $lap = $flux_x + $flux_y
        |# harmonic mean of the conductivities at the faces
        $kc = {conduct}[$i, $j]
        $ke = 2.0 * $kc * {conduct}[IP, $j] / ($kc + {conduct}[IP, $j])
        $kw = 2.0 * $kc * {conduct}[IM, $j] / ($kc + {conduct}[IM, $j])
        $kn = 2.0 * $kc * {conduct}[$i, JP] / ($kc + {conduct}[$i, JP])
        $ks = 2.0 * $kc * {conduct}[$i, JM] / ($kc + {conduct}[$i, JM])
        $lap = $ke * ({u}[IP, $j] - $u) - $kw * ($u - {u}[IM, $j])
        $lap += $kn * ({u}[$i, JP] - $u) - $ks * ($u - {u}[$i, JM])
        ⟩
        # stable for dt below h^2 / (4 kappa)
        $rate = $kap * $lap⟨ * {inv_h} * {inv_h}| / ({h} * {h})|⟩
        ⟨2:|$rate += {source}[$i, $j]|$rate += {decay} * ({ambient} - $u)|$rate -= {decay} * $u⟩
        $next = ⟨$u + {dt} * $rate|wp.max($u + {dt} * $rate, 0.0)|wp.clamp($u + {dt} * $rate, 0.0, 1.0)⟩
        {u_out}[$i, $j] = $next
        ⟨|if $rate > 0.0:
            wp.atomic_add({changed}, 0, 1)|⟩
        hook end2
        """),
        threads="i j",
        kinds="arithmetic stencil fields multi_dim",
        docs="⟨Explicit step of the heat equation on a cell-centred grid|Forward Euler in time, central differences in space⟩",
    ),
    Idea(
        "heat3",
        "diffuse_3d heat_step_3d jacobi_diffuse smooth_field",
        "⟨1:diffuse the field by one explicit step|smooth the field with a weighted Jacobi sweep|replace each cell by the mean of its neighbours⟩ on a 3-D grid",
        stencil("""
        hook begin3
        ⟨9:|||if EDGE3:
            {u3_out}[$i, $j, $k] = {u3}[$i, $j, $k]
            return
        |if EDGE3:
            return
        ⟩
        # value at the cell centre
        $u = {u3}[$i, $j, $k]
        # six neighbours
        $sum = {u3}[IM, $j, $k] + {u3}[IP, $j, $k]
        $sum += {u3}[$i, JM, $k] + {u3}[$i, JP, $k]
        $sum += {u3}[$i, $j, KM] + {u3}[$i, $j, KP]

        ⟨1:$next = $u + $kap3 * {dt} * ($sum - 6.0 * $u)
        |$next = wp.lerp($u, ($sum + {decay} * $u) / (6.0 + {decay}), ⟨0.5|0.8|2.0 / 3.0⟩)
        |$next = ⟨$sum / 6.0|($sum + 2.0 * $u) / 8.0⟩
        ⟩
        ⟨|# cool down above the threshold
        if $u > {theta}:
            $next -= {dt} * {decay} * ($u - {theta})⟨|
            wp.atomic_add({changed}, 0, 1)⟩|if $k < 2:
            # the lowest layers exchange heat with the ground
            $next += {dt} * {decay} * ({ambient} - $u)|if {flags3}[$i, $j, $k] == {INFLOW}:
            $next = {ambient}
        elif {flags3}[$i, $j, $k] == {OUTFLOW}:
            $next = {u3}[$i, $j, ⟨KM|KP⟩]⟩
        {u3_out}[$i, $j, $k] = $next
        hook end3
        """),
        threads="i j k",
        kinds="arithmetic stencil fields multi_dim",
    ),
    Idea(
        "wave",
        "wave_step leapfrog_wave update_wave wave_equation propagate_wave",
        "advance the height of a water surface by one leapfrog step of the wave equation⟨2:| with damping| with absorbing edges| with a rim that is held at zero⟩",
        stencil("""
        hook begin2
        ⟨9:|||if EDGE2:
            ⟨2:return|return|# first-order absorbing edge
            if $i == 0:
                {w_next}[$i, $j] = {w_now}[1, $j]
            elif $i == {nx} - 1:
                {w_next}[$i, $j] = {w_now}[$i - 1, $j]
            elif $j == 0:
                {w_next}[$i, $j] = {w_now}[$i, 1]
            else:
                {w_next}[$i, $j] = {w_now}[$i, $j - 1]
            return|{w_next}[$i, $j] = 0.0
            return⟩
        |if EDGE2:
            {w_next}[$i, $j] = ⟨0.0|{w_now}[$i, $j]⟩
            return
        ⟩
        # displacement in m
        $u = {w_now}[$i, $j]
        $lap = {w_now}[IP, $j] + {w_now}[IM, $j] + {w_now}[$i, JP] + {w_now}[$i, JM] - 4.0 * $u
        ⟨$courant = {speed} * {dt} ⟨/ {h}|* {inv_h}⟩
        $c2 = $courant * $courant|$c2 = {speed} * {speed} * {dt} * {dt}⟩

        # the difference to the previous step is the velocity
        $vel = ⟨$u - {w_prev}[$i, $j]|($u - {w_prev}[$i, $j]) * (1.0 - {damp})|($u - {w_prev}[$i, $j]) * (1.0 - {damp} * {dt})⟩
        # second order in time
        $next = $u + $vel + $c2 * $lap
        ⟨2:|$next = $next * (1.0 - {damp})|
        |⟩
        ⟨|if {flags}[$i, $j] == {INFLOW}:
            # driven cells
            $next = {amp} * wp.sin(0.5 * float($j))|if {bed}[$i, $j] > {theta}:
            # shallow water follows slowly
            $next = 0.5 * ($next + $u)|# limit the height
        $next = wp.clamp($next, -1.0, 1.0)⟩
        {w_next}[$i, $j] = $next
        hook end2
        """),
        threads="i j",
        kinds="arithmetic scalar_param stencil fields multi_dim",
    ),
    Idea(
        "reaction",
        "react_diffuse update_species reaction_diffusion",
        "advance two species of ⟨2:the Gray-Scott model|a predator and prey model|an activator and inhibitor model⟩ by one step",
        stencil("""
        hook begin2
        ⟨9:|||if EDGE2:
            {spec_a_out}[$i, $j] = {spec_a}[$i, $j]
            {spec_b_out}[$i, $j] = {spec_b}[$i, $j]
            return
        |if EDGE2:
            {spec_a_out}[$i, $j] = 1.0
            {spec_b_out}[$i, $j] = 0.0
            return
        ⟩
        # concentrations in the cell
        $a = {spec_a}[$i, $j]
        $b = {spec_b}[$i, $j]
        ⟨1:$lap_a = {spec_a}[IM, $j] + {spec_a}[IP, $j] + {spec_a}[$i, JM] + {spec_a}[$i, JP] - 4.0 * $a
        $lap_b = {spec_b}[IM, $j] + {spec_b}[IP, $j] + {spec_b}[$i, JM] + {spec_b}[$i, JP] - 4.0 * $b
        |# edges count 0.2, corners 0.05
        $lap_a = 0.2 * ({spec_a}[IM, $j] + {spec_a}[IP, $j] + {spec_a}[$i, JM] + {spec_a}[$i, JP]) - $a
        $lap_a += 0.05 * ({spec_a}[IM, JM] + {spec_a}[IP, JM] + {spec_a}[IM, JP] + {spec_a}[IP, JP])
        $lap_b = 0.2 * ({spec_b}[IM, $j] + {spec_b}[IP, $j] + {spec_b}[$i, JM] + {spec_b}[$i, JP]) - $b
        $lap_b += 0.05 * ({spec_b}[IM, JM] + {spec_b}[IP, JM] + {spec_b}[IM, JP] + {spec_b}[IP, JP])
        ⟩
        ⟨2:# a + 2 b -> 3 b
        $react = $a * $b * $b
        $da = {kappa} * $lap_a - $react + {feed} * (1.0 - $a)
        $db = 0.5 * {kappa} * $lap_b + $react - ({feed} + {kill}) * $b
        |$react = $a * $b
        $da = {kappa} * $lap_a + {feed} * $a * (1.0 - $a) - $react
        $db = {kappa} * $lap_b + $react - {kill} * $b
        |$react = $a * $a / (1.0 + $b * $b)
        $da = {kappa} * $lap_a + $react - {kill} * $a
        $db = {kappa} * $lap_b + {feed} * $a * $a - {kill} * $b
        ⟩
        {spec_a_out}[$i, $j] = ⟨$a + {dt} * $da|wp.clamp($a + {dt} * $da, 0.0, 1.0)|wp.max($a + $da * {dt}, 0.0)⟩
        {spec_b_out}[$i, $j] = ⟨$b + {dt} * $db|wp.clamp($b + {dt} * $db, 0.0, 1.0)⟩
        ⟨|# where the second species dominates
        if $b > $a:
            {note}[$i, $j] = 1
        else:
            {note}[$i, $j] = 0|wp.atomic_add({total}, 0, $a + $b)⟩
        hook end2
        """),
        threads="i j",
        kinds="arithmetic scalar_param stencil fields multi_dim",
    ),
    Idea(
        "phase",
        "phase_field_step update_phase evolve_interface",
        "⟨1:compute the chemical potential of a phase field|advance a phase field by one Allen-Cahn step|advance a phase field that is driven by the temperature⟩",
        stencil("""
        hook mask2
        ⟨9:|||if EDGE2:
            return
        |if EDGE2:
            {eta_out}[$i, $j] = {eta}[$i, $j]
            return
        ⟩
        # -1 in one phase, +1 in the other
        $eta = {eta}[$i, $j]
        $lap = ({eta}[IM, $j] + {eta}[IP, $j] + {eta}[$i, JM] + {eta}[$i, JP] - 4.0 * $eta)⟨| * {inv_h} * {inv_h}⟩
        # bulk term and gradient term
        $mu = @well($eta) - {width} * {width} * $lap
        ⟨1:{mu}[$i, $j] = $mu
        ⟨|# bulk or interface
        if wp.abs($eta) < {theta}:
            {kind_out}[$i, $j] = 1
        elif $eta > 0.0:
            {kind_out}[$i, $j] = 2
        else:
            {kind_out}[$i, $j] = 0|if wp.abs($eta) < {theta}:
            wp.atomic_add({changed}, 0, 1)|{eta_out}[$i, $j] = $eta⟩
        |⟨if {solid2}[$i, $j]:
            # no growth inside of walls
            {eta_out}[$i, $j] = -1.0
            return
        |⟩
        {eta_out}[$i, $j] = ⟨$eta - {dt} * $mob * $mu|wp.clamp($eta - {dt} * $mob * $mu, -1.0, 1.0)⟩
        |# undercooled cells freeze faster
        $drive = {lift} * ({ambient} - {u}[$i, $j]) * (1.0 - $eta * $eta)
        $step = {dt} * $mob * ($drive - $mu)
        {eta_out}[$i, $j] = $eta + $step
        ⟨{u_out}[$i, $j] = {u}[$i, $j] + 0.5 * $step
        |⟩⟩
        hook end2
        """),
        threads="i j",
        kinds="arithmetic stencil fields multi_dim",
    ),
    Idea(
        "residual",
        "compute_residual poisson_residual residual_norm apply_operator",
        "compute the residual of the Poisson equation ⟨3:and add its square to a sum|and count the cells that have not converged|in each cell⟩",
        stencil("""
        hook mask2
        ⟨9:|||if EDGE2:
            {res}[$i, $j] = 0.0
            return
        |if EDGE2:
            return
        ⟩
        ⟨1:$ap = 4.0 * {p}[$i, $j] - {p}[IM, $j] - {p}[IP, $j] - {p}[$i, JM] - {p}[$i, JP]
        |$pc = {p}[$i, $j]
        $ap = ($pc - {p}[IM, $j]) + ($pc - {p}[IP, $j])
        $ap += ($pc - {p}[$i, JM]) + ($pc - {p}[$i, JP])
        |# faces towards solid cells have no flux
        $pc = {p}[$i, $j]
        $ap = float(0.0)
        if {flags}[IM, $j] != {SOLID}:
            $ap += $pc - {p}[IM, $j]
        if {flags}[IP, $j] != {SOLID}:
            $ap += $pc - {p}[IP, $j]
        if {flags}[$i, JM] != {SOLID}:
            $ap += $pc - {p}[$i, JM]
        if {flags}[$i, JP] != {SOLID}:
            $ap += $pc - {p}[$i, JP]
        ⟩
        # b - A p
        $r = {rhs}[$i, $j] - $ap⟨| * {inv_h} * {inv_h}| / ({h} * {h})⟩
        {res}[$i, $j] = $r
        ⟨3:wp.atomic_add({total}, 0, $r * $r)|if wp.abs($r) > {theta}:
            wp.atomic_add({changed}, 0, 1)|⟩
        hook end2
        """),
        threads="i j",
        kinds="stencil linear_algebra fields multi_dim",
    ),
)
