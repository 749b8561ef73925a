"""Ideas of the domain `sampling`: random walks, chains and estimates."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

DRAWS = (
    Idea(
        "lattice_walk",
        "walk_lattice random_walk move_walkers lattice_walk",
        "move each walker at random over a lattice with ⟨1:walls|periodic edges|closed edges⟩",
        """
        hook begin
        $rng = wp.rand_init({seed}, ⟨$i|$i + {epoch} * ⟨256|1024⟩|{seeds}[$i]⟩)
        $cx = int({col}[$i])
        $cy = int({row}[$i])
        $count = int(0)
        for $k in range(⟨2:{walk}|8|12⟩):
            $nx = int($cx)
            $ny = int($cy)
            # one of the four directions⟨3:|, or stay⟩
            $d = wp.randi($rng, 0, ⟨3:4|5⟩)
            if $d == 0:
                $nx += 1
            elif $d == 1:
                $nx -= 1
            elif $d == 2:
                $ny += 1
            ⟨3:else|elif $d == 3⟩:
                $ny -= 1
            ⟨1:if $nx < 0 or $ny < 0 or $nx > 8 or $ny > 8:
                continue
            if {wall}[$nx, $ny] ⟨!= 0|> 0⟩:
                # blocked, the walker stays
                $count += 1
                continue|$nx = ($nx + 9) % 9
            $ny = ($ny + 9) % 9
            ⟨if {wall}[$nx, $ny] != 0:
                continue
            |⟩$count += 1|$nx = wp.clamp($nx, 0, 8)
            $ny = ⟨wp.clamp($ny, 0, 8)|wp.max(0, wp.min($ny, 8))⟩
            if $nx == $cx and $ny == $cy:
                $count += 1⟩
            $cx = $nx
            $cy = $ny

        {col_out}[$i] = $cx
        {row_out}[$i] = $cy
        ⟨4:{hit_out}[$i] = $count|wp.atomic_add({visit}, $cx, $cy, 1)|wp.atomic_add({visit}, $cx, $cy, 1)
        wp.atomic_add({hits}, 0, $count)⟩
        """,
        kinds="multi_conditional control_flow monte_carlo random_noise",
        integer=True,
    ),
    Idea(
        "hit_or_miss",
        "estimate_area count_inside hit_or_miss sample_area",
        "count the random points that fall ⟨1:into a disk|into a diamond|under a curve|into a ring⟩",
        """
        hook begin
        $rng = wp.rand_init(⟨{seed}, $i|{seed} + {epoch}, $i|{seed}, {seeds}[$i]⟩)
        # points in the ⟨1:square around the origin|square around the origin|rectangle above the axis|square around the origin⟩
        $hits = int(0)
        ⟨2:$r = {r}[$i]
        |⟩for $k in range(⟨4:{trials}|16|24⟩):
            $u = wp.randf($rng, -1.0, 1.0)
            $u2 = wp.randf($rng, ⟨1:-1.0|-1.0|0.0|-1.0⟩, 1.0)
            if ⟨1:$u * $u + $u2 * $u2 < ⟨2:$r * $r|1.0⟩|wp.abs($u) + wp.abs($u2) < ⟨2:$r|0.8⟩|$u2 < ⟨wp.exp(-$u * $u)|wp.cos($u)⟩ * ⟨2:$r|0.7⟩|wp.abs(wp.sqrt($u * $u + $u2 * $u2) - ⟨2:$r|0.6⟩) < 0.2⟩:
                $hits += 1
                ⟨3:# where the hits lie along the axis
                wp.atomic_add({hcount}, wp.min(int((0.5 * $u + 0.5) * float({bins})), {bins} - 1), 1)
                |⟩
        # the share of hits estimates the area
        {hit_out}[$i] = $hits
        ⟨5:wp.atomic_add({hits}, 0, $hits)|wp.atomic_add({lost}, 0, ⟨4:{trials}|16|24⟩ - $hits)|wp.atomic_max({top}, 0, $hits)|⟩
        """,
        kinds="monte_carlo random_noise control_flow",
    ),
    Idea(
        "expectation",
        "estimate_integral mc_expectation integrate_samples estimate_mean",
        "estimate an expectation from ⟨1:independent|stratified|antithetic⟩ random numbers",
        """
        hook begin
        $rng = wp.rand_init({seed}, ⟨$i|{seeds}[$i]|$i + {epoch}⟩)
        hook value
        $sum = float(0.0)
        ⟨1:for $k in range(⟨2:4|8|6⟩):
            $u = ⟨3:wp.randf($rng)|wp.randn($rng)|wp.randf($rng, {lo}, {hi})⟩|for $k in range(⟨2:4|8|6⟩):
            # one draw in each stratum
            $u = (float($k) + wp.randf($rng)) / ⟨2:4|8|6⟩.0|for $k in range(⟨2:4|8|6⟩):
            $z = wp.randn($rng)
            $u = ⟨$z|$z * {r}[$i]⟩
            $sum += ⟨4:wp.cos($x - $u)|wp.exp(-($x - $u) * ($x - $u))|wp.log(1.0 + wp.exp($x - $u))|($x - $u) * ($x - $u)|wp.tanh($x - $u)|1.0 / (1.0 + ($x - $u) * ($x - $u))⟩⟩
            $sum += ⟨4:wp.cos($x + $u)|wp.exp(-($x + $u) * ($x + $u))|wp.log(1.0 + wp.exp($x + $u))|($x + $u) * ($x + $u)|wp.tanh($x + $u)|1.0 / (1.0 + ($x + $u) * ($x + $u))⟩

        # mean over the draws
        {est_out}[$i] = ⟨1:$sum|$sum|0.5 * $sum⟩ / ⟨2:4|8|6⟩.0
        ⟨5:wp.atomic_add({gsum}, $g, ⟨$sum|$sum * $w⟩)|wp.atomic_add({gsum}, $g, $sum)
        wp.atomic_add({gcount}, $g, 1)|{z_out}[$i] = (⟨1:$sum|$sum|0.5 * $sum⟩ / ⟨2:4|8|6⟩.0 - {mean}[$g]) / {dev}[$g]|⟩
        """,
        kinds="math monte_carlo random_noise",
    ),
    Idea(
        "diffuse",
        "diffuse_walkers brownian_step langevin_step propagate_walkers",
        "move each walker by ⟨1:Brownian motion|Brownian motion with drift|an Ornstein-Uhlenbeck process⟩",
        """
        hook begin
        $rng = wp.rand_init(⟨{seed}, $i|{seeds}[$i]|{seed} + {epoch}, $i⟩)
        $p = {p}[$i]
        ⟨# scale of a step
        |⟩⟨2:$spread = wp.sqrt({dt})⟨| * {r}[$i]⟩|$spread = {step}|$spread = wp.sqrt(2.0 * {dt} / {beta})⟩
        for $k in range(⟨3|4|2|5⟩):
            ⟨3:$z = wp.vec2(wp.randn($rng), wp.randn($rng))|$z = wp.vec2(wp.randf($rng, -1.0, 1.0), wp.randf($rng, -1.0, 1.0))⟩
            ⟨1:$p = $p + $z * $spread|$p = $p + ⟨wp.vec2({dt}, 0.0)|{vel}[$i] * {dt}⟩ + $z * $spread|$p = $p - $p * ({kappa} * {dt}) + $z * $spread⟩
            ⟨4:if $p[0] > {clip}:
                # reflect at the right wall
                $p = wp.vec2(2.0 * {clip} - $p[0], $p[1])
            |$p = wp.vec2(wp.clamp($p[0], {lo}, {hi}), ⟨$p[1]|wp.clamp($p[1], {lo}, {hi})⟩)
            |⟩
        ⟨5:{p_out}[$i] = $p|{p_out}[$i] = $p
        {est_out}[$i] = ⟨wp.length_sq($p - {p}[$i])|wp.dot($p, {p}[$i])⟩|{p_out}[$i] = $p
        if wp.length($p) ⟨< 1.0:
            wp.atomic_add({hits}, 0, 1)|> 1.0:
            # left the unit disc
            wp.atomic_add({lost}, 0, 1)⟩⟩
        """,
        kinds="vector combined monte_carlo random_noise",
    ),
    Idea(
        "metropolis",
        "metropolis_step mcmc_step propose_accept sample_chain",
        "propose a move for each chain, and accept it with the Metropolis rule",
        """
        hook begin
        $rng = wp.rand_init(⟨{seed}, $i|{seeds}[$i] + {epoch}|{seed} + {epoch}, $i⟩)
        $a = {x}[$i]
        # symmetric proposal
        $prop = $a + ⟨1:{step} * wp.randn($rng)|wp.randf($rng, -0.5, 0.5)|{step} * {r}[$i] * wp.randn($rng)⟩
        ⟨2:$e = {beta} * ($a * $a - $prop * $prop)|$e = {beta} * 0.5 * (($a - {y}[$i]) * ($a - {y}[$i]) - ($prop - {y}[$i]) * ($prop - {y}[$i]))|$e = {beta} * (wp.cos($prop) - wp.cos($a))|# a double well
        $e = {beta} * (($a * $a - 1.0) * ($a * $a - 1.0) - ($prop * $prop - 1.0) * ($prop * $prop - 1.0))⟩

        ⟨3:if wp.log(wp.randf($rng) + 1.0e-6) < $e:
            {x_out}[$i] = $prop
            {hit_out}[$i] = 1⟨
            wp.atomic_add({hits}, 0, 1)|⟩
        else:
            {x_out}[$i] = $a
            {hit_out}[$i] = 0|$next = $a
        if wp.randf($rng) < wp.exp(wp.min($e, 0.0)):
            $next = $prop
            ⟨wp.atomic_add({hits}, 0, 1)|wp.atomic_add({gcount}, $g, 1)⟩
        {x_out}[$i] = $next|$u = wp.randf($rng)
        if $prop < {lo} or $prop > {hi}:
            # outside of the support
            {x_out}[$i] = $a
            wp.atomic_add({lost}, 0, 1)
        elif $u < wp.exp(wp.min($e, 0.0)):
            {x_out}[$i] = $prop
            wp.atomic_add({hits}, 0, 1)
        else:
            {x_out}[$i] = $a⟩
        ⟨4:wp.atomic_add({gsum}, $g, $a)|{many_out}[$i] = {many}[$i] + 1|⟩
        """,
        kinds="multi_conditional math monte_carlo random_noise",
    ),
    Idea(
        "flip_spins",
        "ising_step flip_spins update_spins sweep_lattice",
        "flip ⟨1:each spin|each second spin⟩ of a lattice by a table of probabilities",
        """
        ⟨1:⟨5:if {wall}[$gi, $gj] == 2:
            # a vacant site
            {spin_out}[$gi, $gj] = ⟨{MISSING}|0⟩
            return
        |⟩|if ($gi + $gj) % 2 ⟨!=|==⟩ {epoch} % 2:
            {spin_out}[$gi, $gj] = {spin}[$gi, $gj]
            return
        ⟩
        ⟨2:# periodic neighbours
        |⟩⟨3:$count = {spin}[($gi + 1) % {gx}, $gj] + {spin}[($gi + {gx} - 1) % {gx}, $gj]
        $count += {spin}[$gi, ($gj + 1) % {gy}] + {spin}[$gi, ($gj + {gy} - 1) % {gy}]|$count = int(0)
        for $d in range(-1, 2, 2):
            $nx = ($gi + $d + {gx}) % {gx}
            $ny = ($gj + $d + {gy}) % {gy}
            $count += {spin}[$nx, $gj] + {spin}[$gi, $ny]|# open edges
        $count = int(0)
        if $gi > 0:
            $count += {spin}[$gi - 1, $gj]
        if $gi + 1 < {gx}:
            $count += {spin}[$gi + 1, $gj]
        if $gj > 0:
            $count += {spin}[$gi, $gj - 1]
        if $gj + 1 < {gy}:
            $count += {spin}[$gi, $gj + 1]⟩
        ⟨4:if {spin}[$gi, $gj] == 0:
            $count = 4 - $count
        |⟩$rng = wp.rand_init({seed}, $gi * ⟨{gy}|64|128⟩ + $gj)
        # probability per mille for this number of ⟨4:equal neighbours|neighbours in state 1⟩
        if wp.randi($rng, 0, 1000) < {accept}[$count]:
            {spin_out}[$gi, $gj] = 1 - {spin}[$gi, $gj]⟨
            wp.atomic_add({hits}, 0, 1)|⟩
        else:
            {spin_out}[$gi, $gj] = {spin}[$gi, $gj]
        """,
        threads="gi gj",
        kinds="control_flow multi_dim monte_carlo random_noise cellular_automata stencil",
        integer=True,
    ),
    Idea(
        "jitter",
        "jitter_samples stratified_points generate_points sample_grid",
        "place one ⟨1:random|quasi-random⟩ point in each cell of the unit square",
        """
        ⟨2:if {wall}[$gi, $gj] != 0:
            {jit_out}[$gi, $gj] = wp.vec2(-1.0, -1.0)
            return

        |⟩⟨1:$rng = wp.rand_init({seed} + {epoch}, ⟨$gi * {gy} + $gj|$gj * {gx} + $gi|$gi + $gj * 64⟩)
        $u = wp.randf($rng⟨|, 0.1, 0.9|, 0.25, 0.75⟩)
        $u2 = wp.randf($rng⟨|, 0.1, 0.9|, 0.25, 0.75⟩)|$k = ⟨$gi * {gy} + $gj|$gj * {gx} + $gi + {shift}⟩
        $u = @radical($k)
        $u2 = ⟨0.618034 * float($k) - wp.floor(0.618034 * float($k))|float($k % 7) / 7.0|@radical($k + {epoch})⟩⟩
        ⟨3:if {spin}[$gi, $gj] == 0:
            # inactive, the center of the cell
            $u = float(0.5)
            $u2 = float(0.5)
        |if ($gi + $gj) % 2 == 1:
            $u = 1.0 - $u
        |⟩{jit_out}[$gi, $gj] = wp.vec2((float($gi) + $u) / float({gx}), (float($gj) + $u2) / float({gy}))
        """,
        threads="gi gj",
        kinds="arithmetic multi_dim monte_carlo random_noise helper_functions",
    ),
)
