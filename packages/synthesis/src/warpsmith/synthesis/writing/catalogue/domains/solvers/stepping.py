"""Ideas of the domain `solvers`: time steps and tables."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

STEPPING = (
    Idea(
        "ode_step",
        "ode_step integrate_oscillator advance_state step_oscillators",
        "advance the state of each oscillator by one ⟨1:Runge-Kutta|Heun|midpoint|implicit⟩ step",
        """
        hook system
        $yv = {y2}[$b]
        $dt0 = ⟨{dt}|{h}[$b]⟩
        $t0 = {time}[$b]
        $fr = {freq}[$b]
        ⟨1:# classical fourth order
        $k1 = @oscillator($yv, $t0, $fr)
        $k2 = @oscillator($yv + 0.5 * $dt0 * $k1, $t0 + 0.5 * $dt0, $fr)
        $k3 = @oscillator($yv + 0.5 * $dt0 * $k2, $t0 + 0.5 * $dt0, $fr)
        $k4 = @oscillator($yv + $dt0 * $k3, $t0 + $dt0, $fr)
        $yn = $yv + ($dt0 / 6.0) * ($k1 + 2.0 * $k2 + 2.0 * $k3 + $k4)|$k1 = @oscillator($yv, $t0, $fr)
        $k2 = @oscillator($yv + $dt0 * $k1, $t0 + $dt0, $fr)
        $yn = $yv + 0.5 * $dt0 * ($k1 + $k2)|$k1 = @oscillator($yv, $t0, $fr)
        $yn = $yv + $dt0 * @oscillator($yv + 0.5 * $dt0 * $k1, $t0 + 0.5 * $dt0, $fr)|# (1 + 2 z w h + w^2 h^2) v' = v - w^2 h x
        $den = 1.0 + 2.0 * {zeta} * $fr * $dt0 + $fr * $fr * $dt0 * $dt0
        $vel = ($yv[1] - $fr * $fr * $dt0 * $yv[0]) / $den
        $yn = wp.vec2($yv[0] + $dt0 * $vel, $vel)⟩
        ⟨if $yn[0] < ⟨2:-0.5|0.0⟩:
            # the stop takes half of the speed
            $yn = wp.vec2(⟨2:-0.5|-$yn[0]⟩, -0.5 * $yn[1])|if wp.abs($yn[1]) > {cap}:
            $yn = wp.vec2($yn[0], {cap} * wp.sign($yn[1]))|⟩

        {y2_out}[$b] = $yn
        {t_out}[$b] = $t0 + $dt0
        """,
        threads="b",
        kinds="vector helper_functions",
    ),
    Idea(
        "step_control",
        "adapt_step_size step_controller error_control accept_ode_step",
        "accept or reject the time step of each system and choose the next one",
        """
        $er = {err}[$b]
        $fac = ⟨0.9 * wp.pow($er, -0.2)|0.9 / wp.sqrt($er)|0.8 * wp.exp(-0.25 * wp.log($er))⟩
        $fac = wp.clamp($fac, ⟨{shrink}|0.2⟩, {grow})
        if $er ⟨<= 1.0|< 1.0⟩:
            {t_out}[$b] = {time}[$b] + {h}[$b]
            ⟨{y2_out}[$b] = {y2}[$b]
            |⟩{status_out}[$b] = {RUNNING}
            ⟨wp.atomic_add({count}, 0, 1)|⟩
        elif {h}[$b] ⟨<|<=⟩ {hmin}:
            # cannot be shorter
            {t_out}[$b] = {time}[$b]
            {status_out}[$b] = {FAILED}
            ⟨|$fac = 1.0⟩
        else:
            {t_out}[$b] = {time}[$b]
            {status_out}[$b] = ⟨{STALLED}|{RUNNING}⟩
            $fac = wp.min($fac, ⟨0.5|1.0⟩)

        {h_out}[$b] = $fac * {h}[$b]
        ⟨|{iters_out}[$b] = {iters}[$b] + 1⟩
        """,
        threads="b",
        kinds="multi_conditional math scalar_param",
    ),
    Idea(
        "interpolate",
        "interp_table lookup_table table_interpolate evaluate_curve",
        "interpolate a table at each query",
        """
        $xq = {qx}[$q]
        ⟨3:$last = {knots} - 1|⟩
        if $xq ⟨<|<=⟩ {ku}[0]:
            # constant below the table
            {qy}[$q] = {kv}[0]
            {qseg}[$q] = ⟨-1|0⟩
            return
        if $xq >= {ku}[⟨3:$last|{knots} - 1⟩]:
            {qy}[$q] = {kv}[⟨3:$last|{knots} - 1⟩]
            {qseg}[$q] = ⟨3:$last|{knots} - 1⟩
            ⟨wp.atomic_add({count}, 0, 1)|⟩
            return

        $lo_i = @segment({ku}, {knots}, $xq)
        $x0 = {ku}[$lo_i]
        $width_k = {ku}[$lo_i + 1] - $x0
        $fr = ($xq - $x0) / wp.max($width_k, 0.05)
        ⟨2:|# no kinks at the knots
        $fr = $fr * $fr * (3.0 - 2.0 * $fr)⟩
        {qy}[$q] = ⟨(1.0 - $fr) * {kv}[$lo_i] + $fr * {kv}[$lo_i + 1]|{kv}[$lo_i] + $fr * ({kv}[$lo_i + 1] - {kv}[$lo_i])|wp.lerp({kv}[$lo_i], {kv}[$lo_i + 1], $fr)⟩
        {qseg}[$q] = $lo_i
        """,
        threads="q",
        kinds="control_flow while_loop early_exit",
        docs="⟨2:linear|smooth⟩ interpolation between the knots, constant outside",
    ),
)
