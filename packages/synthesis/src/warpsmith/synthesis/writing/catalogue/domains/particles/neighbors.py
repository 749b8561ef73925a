"""Ideas of the domain `particles`: sums over neighbours for SPH, flocks, labels."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

NEIGHBORS = (
    Idea(
        "density",
        "compute_density eval_density estimate_density sph_density",
        "estimate the density at each particle from its neighbours",
        """
        hook begin
        ⟨1:$sum = float(0.0)|# the particle itself contributes, too
        $sum = {m}[$i] * @weight(0.0, {h})⟩
        each neighbor:
            $d = $x - $xj
            ⟨2:$r = wp.length($d) + 0.001|$r = wp.sqrt(wp.dot($d, $d) + 1.0e-4)⟩
            hook pair
            if $r < {h}:
                ⟨3:$sum += {m}[$j] * @weight($r, {h})|$sum += @weight($r, {h}) / {w}[$j]⟩

        {rho_out}[$i] = $sum
        """,
        kinds="nested_loop combined sph particles",
    ),
    Idea(
        "state_equation",
        "equation_of_state compute_pressure pressure_from_density eval_pressure",
        "compute the pressure from the density with ⟨1:Tait's equation|a linear equation of state⟩",
        """
        hook begin
        # relative density
        $ratio = {rho}[$i] / {rho0}
        ⟨1:⟨2:$press = {stiff} * {rho0} / ⟨5:7.0|3.0⟩ * (wp.pow($ratio, ⟨5:7.0|3.0⟩) - 1.0)|$press = {stiff} * {rho0} / ⟨5:7.0|3.0⟩ * (wp.exp(⟨5:7.0|3.0⟩ * wp.log($ratio)) - 1.0)⟩|⟨$press = {stiff} * ({rho}[$i] - {rho0})|$press = {stiff} * {rho0} * ($ratio - 1.0)⟩⟩
        ⟨3:if $press < 0.0:
            # no tension at the free surface
            $press = 0.0
        |if {mat}[$i] == {SAND}:
            # grains carry no pressure of the fluid
            $press = 0.0
        elif {mat}[$i] == {SNOW}:
            $press = wp.max($press, 0.0)
        |⟩{p_out}[$i] = $press
        ⟨4:⟨1:{sound}[$i] = wp.sqrt({stiff} * wp.pow($ratio, ⟨5:6.0|2.0⟩))|{pterm}[$i] = $press / ({rho}[$i] * {rho}[$i])⟩|{pterm}[$i] = $press / ({rho}[$i] * {rho}[$i])|⟩
        """,
        kinds="math sph particles",
        docs="Pressure of a weakly compressible fluid",
    ),
    Idea(
        "pressure_force",
        "sph_forces compute_forces pressure_viscosity eval_sph_forces",
        "sum up ⟨1:the pressure forces|pressure and viscosity|the viscous forces⟩ of the neighbours",
        """
        hook begin
        $sum = ⟨2:wp.vec3()|wp.vec3(0.0, {gz}, 0.0)|$v * -{drag}⟩
        each neighbor:
            $d = {x}[$i] - $xj
            $r = wp.sqrt(wp.dot($d, $d) + 1.0e-4)
            hook pair
            if $r < {h}:
                ⟨1:⟨# symmetric, so that momentum is conserved
                |⟩⟨3:$c = {p}[$i] / ({rho}[$i] * {rho}[$i]) + {p}[$j] / ({rho}[$j] * {rho}[$j])|$c = ({p}[$i] + {p}[$j]) / (2.0 * {rho}[$i] * {rho}[$j])⟩
                $sum -= $d * ({m}[$j] * $c * @slope($r, {h}) / $r)|⟨3:$c = {p}[$i] / ({rho}[$i] * {rho}[$i]) + {p}[$j] / ({rho}[$j] * {rho}[$j])|$c = ({p}[$i] + {p}[$j]) / (2.0 * {rho}[$i] * {rho}[$j])⟩
                $sum -= $d * ({m}[$j] * $c * @slope($r, {h}) / $r)
                $sum += ($vj - $v) * ({mu} * {m}[$j] / ({rho}[$i] * {rho}[$j]) * @weight($r, {h}))|⟨3:$c = {mu} * {m}[$j] / ({rho}[$i] * {rho}[$j])|$c = 2.0 * {mu} * {m}[$j] / (({rho}[$i] + {rho}[$j]) * {rho}[$i])⟩
                $sum += ($vj - $v) * ($c * ⟨@weight($r, {h})|-@slope($r, {h}) / $r⟩)⟩

        {a_out}[$i] = $sum
        """,
        kinds="nested_loop combined vector sph particles",
    ),
    Idea(
        "flock",
        "boids_steering steer_flock flock_forces update_boids",
        "steer each agent by ⟨1:cohesion and alignment|separation and alignment|cohesion, alignment and separation⟩",
        """
        hook begin
        $sum = ⟨2:wp.vec3()|({goal}[$i] - $x) * 0.1|$v * -{drag}⟩
        each neighbor:
            $d = $xj - $x
            ⟨3:$r = wp.length($d) + 1.0e-3|$r = wp.sqrt(wp.dot($d, $d) + 1.0e-4)⟩
            hook pair
            if $r < ⟨{h}|2.0 * {cut}⟩:
                ⟨1:$sum += $d * {cw}
                $sum += ($vj - $v) * {aw}|$sum += ($vj - $v) * {aw}
                $sum -= $d * ({sw} / $r)|$sum += $d * {cw} + ($vj - $v) * {aw}
                ⟨if $r < ⟨{cut}|0.5 * {h}⟩:
                    # too close
                    |⟩$sum -= $d * ({sw} / ($r * $r⟨ + 0.1| + 0.05⟩))⟩
        {a_out}[$i] = $sum
        """,
        kinds="nested_loop combined vector particles",
        docs="Rules of Reynolds for a flock: stay together, fly in the same direction, keep a distance",
    ),
    Idea(
        "count_kin",
        "count_same_group count_neighbors neighbor_census count_kin",
        "count the neighbours ⟨1:of the same group|of another group|that are active⟩",
        """
        hook begin
        $count = int(0)
        ⟨2:$total = int(0)
        each neighbor:
            $total += 1
            if ⟨1:{group}[$j] == $grp|{group}[$j] != $grp and {group}[$j] >= 0|{flags}[$j] & {ACTIVE} != 0⟩:
                $count += 1
        {deg_out}[$i] = $total
        |each neighbor:
            hook pair
            if ⟨1:{group}[$j] == $grp|{group}[$j] != $grp and {group}[$j] >= 0|{flags}[$j] & {ACTIVE} != 0⟩:
                $count += 1
        |each neighbor:
            if ⟨1:{group}[$j] != $grp|{group}[$j] == $grp or {group}[$j] < 0|{flags}[$j] & {ACTIVE} == 0⟩:
                continue
            $count += 1
        ⟩{match}[$i] = $count
        ⟨3:if $count > ⟨1|2⟩:
            # inside of a cluster
            {label_out}[$i] = 1
        else:
            {label_out}[$i] = 0|if $count == 0:
            # isolated
            {label_out}[$i] = 0
            wp.atomic_add({counter}, 0, 1)
        ⟨elif $count == 1:
            {label_out}[$i] = 1
        |⟩else:
            {label_out}[$i] = 2|⟩
        """,
        kinds="nested_loop multi_conditional gather_scatter",
        integer=True,
    ),
    Idea(
        "vote_label",
        "propagate_labels vote_group majority_label relabel_particles",
        "give each particle the ⟨1:most frequent|largest|smallest⟩ group among its neighbours",
        """
        hook begin
        ⟨1:$best = {NONE}
        $most = int(0)
        for $g in range(5):
            $count = int(0)
            for $k in range({most}):
                $j = {table}[$i, $k]
                if $j >= 0⟨| and {flags}[$j] & {ACTIVE} != 0⟩:
                    if {group}[$j] == $g:
                        $count += 1
            if $count ⟨> $most|>= wp.max($most, 1)⟩:
                $most = $count
                $best = $g|$best = int(⟨-1|{NONE}⟩)
        $most = int(0)
        each neighbor:
            $grp = {group}[$j]
            hook pair
            if $grp > $best:
                $best = $grp
                $most = 1
            elif $grp == $best:
                $most += 1|# larger than all groups
        $best = int(⟨99|8⟩)
        $most = int(0)
        each neighbor:
            $grp = {group}[$j]
            if $grp < 0:
                continue
            if $grp < $best:
                $best = $grp
                $most = 1
            elif $grp == $best:
                $most += 1⟩

        {label_out}[$i] = $best
        ⟨2:{match}[$i] = $most|{match}[$i] = $most
        if $best != {group}[$i]:
            wp.atomic_add({counter}, 0, 1)|if $best != {group}[$i]:
            # the particle changes its group
            wp.atomic_add({counter}, 0, 1)
            {match}[$i] = $most⟩
        """,
        kinds="nested_loop multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "filter_list",
        "filter_neighbors compact_neighbors prune_list trim_neighbors",
        "keep the neighbours ⟨1:of other groups|that are active|with a larger index⟩, packed to the front of the row",
        """
        $count = int(0)
        for $k in range({most}):
            $j = {table}[$i, $k]
            if $j < 0⟨2:| or $j == $i⟩:
                continue
            if ⟨1:{group}[$j] == {group}[$i]|{flags}[$j] & {ACTIVE} == 0|$j < $i⟩:
                continue
            ⟨3:if {status}[$j] == {DEAD}:
                continue
            |⟩{table_out}[$i, $count] = $j
            $count += 1

        ⟨4:# mark the rest of the row
        |⟩⟨5:for $k in range($count, {most}):
            {table_out}[$i, $k] = ⟨-1|{NONE}⟩|$q = $count
        while $q < {most}:
            {table_out}[$i, $q] = ⟨-1|{NONE}⟩
            $q += 1⟩
        {deg_out}[$i] = $count
        ⟨6:if $count == ⟨0|{most}⟩:
            wp.atomic_add({counter}, 0, 1)|wp.atomic_add({counter}, 0, $count)|⟩
        """,
        kinds="nested_loop control_flow gather_scatter while_loop",
        integer=True,
    ),
    Idea(
        "pair_geometry",
        "pair_distances eval_pairs neighbor_offsets compute_pair_geometry",
        "compute the distance and direction of each pair in the table",
        """
        $j = {table}[$i, $q]
        if $j < 0⟨1:| or $j == $i⟩:
            {pair_out}[$i, $q] = ⟨0.0|-1.0⟩
            return

        ⟨2:if ⟨{group}[$j] == {group}[$i]|{flags}[$j] & {ACTIVE} == 0⟩:
            # these do not interact
            return
        |⟩$d = {x}[$j] - {x}[$i]
        ⟨3:$d = wp.vec3(@wrap($d[0], {box}), @wrap($d[1], {box}), @wrap($d[2], {box}))
        |⟩⟨4:$l = wp.length($d) + 1.0e-3|$l = wp.sqrt(wp.dot($d, $d) + 1.0e-4)⟩
        {pair_out}[$i, $q] = ⟨5:$l|$l - {rad}[$i] - {rad}[$j]|wp.max($l - {rad}[$i] - {rad}[$j], 0.0)⟩
        ⟨6:{dir_out}[$i, $q] = $d / $l|if $l < {cut}:
            {dir_out}[$i, $q] = $d / $l
            wp.atomic_add({hits}, 0, 1)|if $l < {cut} and {flags}[$j] & {ACTIVE} != 0:
            {dir_out}[$i, $q] = $d / $l
            # the neighbour moves by half of the overlap
            wp.atomic_add({delta}, $j, $d * (0.5 * ({cut} - $l) / $l))|⟩
        """,
        threads="i q",
        kinds="vector combined multi_dim particles contact",
    ),
)
