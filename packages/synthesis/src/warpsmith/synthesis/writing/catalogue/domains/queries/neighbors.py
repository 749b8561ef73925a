"""Ideas of the domain `queries`: sums over neighbours in a hash grid, particles and agents."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

NEIGHBORS = (
    Idea(
        "density",
        "compute_density sph_density estimate_density particle_density",
        "compute the density at each particle from its neighbours ⟨1:|and count them⟩",
        """
        hook particle
        ⟨1:|$count = int(0)
        ⟩⟨3:$total = float(0.0)|$total = {mass}[$p] * @weight(0.0, {rh})⟩
        each ⟨3:around|neighbor⟩:
            hook nbr
            ⟨$r = wp.length({x}[$j] - {x}[$p])|$delta = {x}[$j] - {x}[$p]
            $r = wp.sqrt(wp.dot($delta, $delta) + 1.0e-6)⟩
            if $r < {rh}:
                $total += {mass}[$j] * @weight($r, {rh})
                ⟨1:|$count += 1⟩
        {rho_out}[$p] = $total
        ⟨1:|{deg}[$p] = $count⟩
        """,
        threads="p",
        kinds="hash_grid sph",
    ),
    Idea(
        "pressure_force",
        "pressure_forces sph_accelerations compute_pressure_gradient pressure_gradient",
        "compute the ⟨1:pressure force|pressure force and gravity⟩ on each particle",
        """
        hook particle
        $fs = ⟨1:wp.vec3()|wp.vec3(0.0, -9.81, 0.0)⟩
        each neighbor:
            hook nbr
            $delta = {x}[$p] - {x}[$j]
            ⟨# not too close to zero
            |⟩$r = ⟨wp.max(wp.length($delta), 0.05)|wp.length($delta) + 0.05|wp.sqrt(wp.dot($delta, $delta) + 0.01)⟩
            if $r < {rh}:
                $c = ⟨({prs}[$p] + {prs}[$j]) / (2.0 * {rho}[$p] * {rho}[$j])|{prs}[$p] / ({rho}[$p] * {rho}[$p]) + {prs}[$j] / ({rho}[$j] * {rho}[$j])⟩
                ⟨# along the line between both particles
                |⟩$fs -= $delta * ({mass}[$j] * $c * @slope($r, {rh}) / $r)
        {acc}[$p] = $fs
        """,
        threads="p",
        kinds="hash_grid sph",
    ),
    Idea(
        "viscosity",
        "viscosity_forces smooth_velocities xsph_correction velocity_diffusion",
        "⟨1:sum up the viscous forces of|smooth the velocity of each particle over|align the velocity of each particle with those of⟩ the neighbours",
        """
        hook particle
        $fs = wp.vec3(⟨|0.0, 0.0, 0.0⟩)
        each neighbor:
            hook nbr
            $r = wp.length({x}[$j] - {x}[$p])
            ⟨1:$wgt = {mass}[$j] / {rho}[$j] * @weight($r, {rh})|$wgt = 2.0 * {mass}[$j] / ({rho}[$p] + {rho}[$j]) * @weight($r, {rh})|$wgt = @weight($r, {rh})⟩
            $fs += ({v}[$j] - {v}[$p]) * $wgt
        ⟨1:{visc}[$p] = $fs * {nu}|{dv}[$p] = $fs⟨ * 0.5|⟩|{dv}[$p] = $fs * {k2}⟩
        """,
        threads="p",
        kinds="hash_grid sph",
    ),
    Idea(
        "boids",
        "boids_steering flock_rules update_flock steer_agents",
        "steer each agent ⟨1:towards its neighbours|away from close neighbours|by cohesion, alignment and separation⟩",
        """
        hook particle
        $fs = ⟨wp.vec3()|{v}[$p] * -0.1|{x}[$p] * -0.05⟩
        each neighbor:
            hook nbr
            $delta = {x}[$j] - {x}[$p]
            $r = ⟨wp.max(wp.length($delta), 0.1)|wp.length($delta) + 0.1|wp.sqrt(wp.dot($delta, $delta) + 0.01)⟩
            ⟨1:if $r < {rh}:
                $fs += $delta * {k1} + ({v}[$j] - {v}[$p]) * {k2}|if $r < ⟨0.5 * {rh}|{dmax}⟩:
                $fs -= $delta * ({k3} / ($r⟨ * $r|⟩ + 0.05))|if $r < {rh}⟨| and {kind}[$j] == {kind}[$p]⟩:
                $fs += $delta * {k1}
                $fs += ({v}[$j] - {v}[$p]) * {k2}
                if $r < 0.5 * {rh}:
                    ⟨# too close
                    |⟩$fs -= $delta * ({k3} / $r)⟩
        {steer}[$p] = $fs
        """,
        threads="p",
        kinds="hash_grid particles",
    ),
    Idea(
        "grain_contacts",
        "grain_contacts dem_forces particle_collisions soft_sphere_forces",
        "sum up the contact forces between each ⟨1:ball and its neighbours|ball and its neighbours, with damping⟩",
        """
        hook particle
        $fs = wp.vec3()
        $count = int(0)
        each neighbor:
            $delta = {x}[$p] - {x}[$j]
            $r = wp.length($delta) + ⟨0.02|0.01⟩
            $gap = $r - {rad}[$p] - {rad}[$j]
            if $gap < 0.0⟨| and {team}[$j] != {team}[$p]⟩:
                $n = $delta / $r
                ⟨1:$fs -= $n * ({ke} * $gap)|$vn = wp.dot({v}[$p] - {v}[$j], $n)
                ⟨$fs -= $n * ({ke} * $gap + {kd} * $vn)|if $vn < 0.0:
                    # only while they approach
                    $fs -= $n * ({kd} * $vn)
                $fs -= $n * ({ke} * $gap)⟩⟩
                $count += 1
        {fcon}[$p] = $fs
        ⟨{deg}[$p] = $count|if $count > 0:
            wp.atomic_add({census}, 0, $count)|⟩
        """,
        threads="p",
        kinds="hash_grid contact particles",
    ),
    Idea(
        "count_near",
        "count_neighbors neighbor_census local_crowding degree_of_particles",
        "count the neighbours of each particle ⟨1:|by type|in the same group⟩",
        """
        hook particle
        $count = int(0)
        ⟨1:|$same = int(0)
        |$same = int(0)
        ⟩each neighbor:
            ⟨if wp.length({x}[$j] - {x}[$p]) > {rh}:
                continue
            |if wp.length_sq({x}[$j] - {x}[$p]) > {rh} * {rh}:
                continue
            |⟩$count += 1
            ⟨1:|if {kind}[$j] == {kind}[$p]:
                $same += 1|if {team}[$j] == {team}[$p] and {team}[$j] >= 0:
                $same += 1⟩
        {deg}[$p] = $count
        ⟨1:⟨{is_out}[$p] = ⟨wp.where($count < {few}, 1, 0)|1 if $count < {few} else 0⟩|wp.atomic_add({hist}, wp.min($count, 15), 1)|⟩|{deg2}[$p] = $same⟨|
        wp.atomic_add({hist}, wp.min($same, 15), 1)⟩|{deg2}[$p] = $same⟩
        """,
        threads="p",
        kinds="hash_grid histograms",
        integer=True,
    ),
    Idea(
        "nearest_neighbor",
        "nearest_neighbor find_closest_particle knn_one closest_pairs",
        "find the closest ⟨1:neighbour|neighbour of another type|neighbour of the same group⟩ of each particle",
        """
        hook particle
        $best = int({NONE})
        $least = float({rh})
        each neighbor:
            ⟨1:|if {kind}[$j] == {kind}[$p]:
                continue
            |if {team}[$j] != {team}[$p]:
                continue
            ⟩$d = wp.length({x}[$j] - {x}[$p])
            if $d < $least:
                $least = $d
                $best = $j
        {near_id}[$p] = $best
        ⟨if $best < 0:
            {is_out}[$p] = 1
            ⟨wp.atomic_add({misses}, 0, 1)|⟩|if $best >= 0:
            wp.atomic_add({census}, 0, 1)|⟩
        """,
        threads="p",
        kinds="hash_grid",
    ),
    Idea(
        "link_clusters",
        "propagate_labels cluster_roots least_neighbor connect_components",
        "find the ⟨1:least|largest⟩ index among each particle and its ⟨2:neighbours|neighbours of the same type⟩",
        """
        hook particle
        $root_id = int($p)
        each neighbor:
            ⟨2:if wp.length({x}[$j] - {x}[$p]) < {rh}:
                $root_id = wp.⟨1:min|max⟩($root_id, $j)|if {kind}[$j] == {kind}[$p]:
                if wp.length({x}[$j] - {x}[$p]) < ⟨{rh}|{dmax}⟩:
                    $root_id = wp.⟨1:min|max⟩($root_id, $j)⟩
        {root}[$p] = $root_id
        ⟨if $root_id == $p:
            # a local root
            wp.atomic_add({roots}, 0, 1)|⟩
        """,
        threads="p",
        kinds="hash_grid",
    ),
    Idea(
        "epidemic",
        "infect_neighbors epidemic_step spread_state update_health",
        "compute the next state of each agent: ⟨1:it is infected by neighbours|it is infected by several neighbours and recovers⟩",
        """
        ⟨1:if {sick}[$p] != 0:
            {next_state}[$p] = {sick}[$p]
            return

        |if {sick}[$p] == 2:
            # immune
            {next_state}[$p] = 2
            return

        ⟩$count = int(0)
        each neighbor:
            if {sick}[$j] == 1 and wp.length({x}[$j] - {x}[$p]) < {rh}:
                $count += 1
        ⟨1:{next_state}[$p] = ⟨1 if $count > 0 else 0|wp.min($count, 1)⟩|if {sick}[$p] == 1:
            {next_state}[$p] = ⟨2|2 if $count == 0 else 1⟩
        elif $count ⟨>= {few}|> 1⟩:
            {next_state}[$p] = 1
            wp.atomic_add({cases}, 0, 1)
        else:
            {next_state}[$p] = 0⟩
        """,
        threads="p",
        kinds="hash_grid",
    ),
    Idea(
        "sort_by_cell",
        "gather_cell_order sort_by_cell reorder_particles copy_sorted",
        "copy ⟨1:the positions|the positions and the velocities|the positions and the indices⟩ of the particles in the order of the cells",
        """
        $point_id = wp.hash_grid_point_id({grid}, $p)
        ⟨1:{sorted_out}[$p] = {x}[$point_id]
        ⟨{sorted_kind}[$p] = {kind}[$point_id]|⟩|{sorted_out}[$p] = {x}[$point_id]
        {sorted_v}[$p] = {v}[$point_id]
        ⟨{sorted_kind}[$p] = {kind}[$point_id]|⟩|{sorted_out}[$p] = {x}[$point_id]
        {sorted_id}[$p] = $point_id
        ⟨{sorted_v}[$p] = {v}[$point_id]|{sorted_kind}[$p] = {kind}[$point_id]|⟩⟩
        """,
        threads="p",
        kinds="hash_grid gather_scatter sorting",
    ),
    Idea(
        "coherent_sum",
        "coherent_density sorted_neighbor_sum cell_order_density sph_density_sorted",
        "sum up ⟨1:the weights of|the differences from|the repulsion of⟩ the neighbours, in the order of the cells so that threads read nearby memory",
        """
        # particles in one cell are handled by adjacent threads
        $i = wp.hash_grid_point_id({grid}, $p)
        $x0 = {x}[$i]
        ⟨2:if {pflag}[$i] & {ACTIVE} == 0:
            return
        |⟩⟨1:$total = float(0.0)|$total = float(0.0)|$fs = wp.vec3()⟩
        ⟨for $j in wp.hash_grid_query({grid}, $x0, {rh}):
            |$query = wp.hash_grid_query({grid}, $x0, {rh})
        for $j in $query:
            |$query = wp.hash_grid_query({grid}, $x0, {rh})
        $j = int(0)
        while wp.hash_grid_query_next($query, $j):
            ⟩if $j == $i:
                continue
            $delta = $x0 - {x}[$j]
            $r = wp.length($delta)
            if $r < {rh}:
                ⟨1:$total += {mass}[$j] * @weight($r, {rh})|$total += ({heat}[$j] - {heat}[$i]) * @weight($r, {rh})|$fs += $delta * ({k3} * ({rh} - $r) / ($r + 0.1))⟩
        ⟨1:{rho_out}[$i] = $total|{dheat}[$i] = $total * {RATE}|{acc}[$i] = $fs⟩
        """,
        threads="p",
        kinds="hash_grid sph",
    ),
    Idea(
        "probe_field",
        "interpolate_field sample_particles splat_gather evaluate_at_points",
        "⟨1:interpolate a field of the particles at|count the particles near|sum up the masses around⟩ each query point",
        """
        ⟨1:$total = float(0.0)|$count = int(0)|$total = float(0.0)⟩
        ⟨$query = wp.hash_grid_query({grid}, {qx}[$i], {rh})
        $j = int(0)
        while wp.hash_grid_query_next($query, $j):
            |for $j in wp.hash_grid_query({grid}, {qx}[$i], {rh}):
            ⟩⟨1:$r = wp.length({qx}[$i] - {x}[$j])
            $total += {heat}[$j] * {mass}[$j] / {rho}[$j] * @weight($r, {rh})|if wp.length({qx}[$i] - {x}[$j]) < {rh}⟨| and {kind}[$j] == {which}⟩:
                $count += 1|if wp.length({qx}[$i] - {x}[$j]) < {rh}⟨| and {pflag}[$j] & {ACTIVE} != 0⟩:
                $total += {mass}[$j]⟩
        ⟨1:{qx_out}[$i] = $total|{qx_num}[$i] = $count|{qx_out}[$i] = $total⟩
        """,
        threads="i",
        kinds="hash_grid sph",
    ),
    Idea(
        "surface_normals",
        "color_gradient surface_normals heat_exchange fluid_surface",
        "compute the ⟨1:gradient of the color field|exchange of heat|gradient of the temperature⟩ at each particle",
        """
        hook particle
        ⟨1:$fs = wp.vec3()|$total = float(0.0)|$fs = wp.vec3()⟩
        each neighbor:
            hook nbr
            $delta = {x}[$p] - {x}[$j]
            $r = ⟨wp.max(wp.length($delta), 0.05)|wp.length($delta) + 0.05|wp.sqrt(wp.dot($delta, $delta) + 0.01)⟩
            ⟨1:$fs += $delta * ({mass}[$j] / {rho}[$j] * @slope($r, {rh}) / $r)|$total += ({heat}[$j] - {heat}[$p]) * ({mass}[$j] / {rho}[$j] * @weight($r, {rh}))|$fs += $delta * (({heat}[$j] - {heat}[$p]) * {mass}[$j] / {rho}[$j] * @slope($r, {rh}) / $r)⟩
        ⟨1:{grad}[$p] = $fs|{dheat}[$p] = $total * {RATE}|{grad}[$p] = $fs⟩
        """,
        threads="p",
        kinds="hash_grid sph",
    ),
)
