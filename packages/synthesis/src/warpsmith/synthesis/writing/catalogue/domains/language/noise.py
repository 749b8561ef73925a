"""Random numbers, samples of shapes and distributions, and procedural noise."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, TYPES, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import code, data, helper, integer, local, number, size
from warpsmith.synthesis.writing.ideas.parts import Extra, Idea, Index

PARAMETERS = (
    size("cats", 12, 16, "num_entries cdf_size num_categories", "number of entries of the distribution"),
    data("cdf", FLOAT, 0.05, 1.0, "cdf cumulative prob_sum distribution", "cumulative probabilities in ascending order", "cats", "sorted", shared=True),
    data("rp", VEC3, -2.0, 2.0, "points p sample_pos positions", "point of each element in m"),
    data("ruv", VEC2, -2.0, 2.0, "uv coords texcoord plane_pos", "coordinates of each element"),
    data("rv0", VEC3, -1.0, 1.0, "vertices_a v0 tri_a corner_a", "first corner of each triangle in m"),
    data("rv1", VEC3, -1.0, 1.0, "vertices_b v1 tri_b corner_b", "second corner of each triangle in m"),
    data("rv2", VEC3, -1.0, 1.0, "vertices_c v2 tri_c corner_c", "third corner of each triangle in m"),
    data("rn", VEC3, -1.0, 1.0, "normals n surface_normal up_dirs", "unit normal of each element", "n", "unit"),
    data("sigma", FLOAT, 0.05, 0.6, "noise_scales sigma std_dev jitter_radius", "standard deviation of the noise of each element"),
    data("rate", FLOAT, 0.5, 4.0, "rates lam expected_events intensity", "expected number of events of each element"),
    data("height", FLOAT, 0.0, 0.0, "heights terrain elevation height_map", "height of each cell in m", "n m"),
    data("mask2", INT, 0, 0, "biomes terrain_class material_map cell_kind", "kind of each cell", "n m"),
    data("rp_out", VEC3, 0.0, 0.0, "points_out samples new_pos jittered", "resulting point of each element in m"),
    data("ruv_out", VEC2, 0.0, 0.0, "uv_out samples2d offsets2d lens_pos", "resulting point of each element in the plane"),
    data("rx_out", FLOAT, 0.0, 0.0, "noisy values_out density noise_out", "resulting value of each element"),
    data("ri_out", INT, 0, 0, "picks chosen draws_out events", "integer drawn for each element"),
    data("ru_out", TYPES["uint32"], 0, 0, "random_bits words_out seeds_out states_out", "random word of each element"),
    data("hit_n", INT, 0, 0, "hit_count num_inside accepted tally", "number of accepted samples", "1", start=0.0),
    data("cat_n", INT, 0, 0, "pick_counts histogram draws_per_entry frequency", "number of draws of each entry", "cats", start=0.0),
    data("estimate", FLOAT, 0.0, 0.0, "estimates integral_out means mc_out", "estimate of each element"),
    integer("seed", 1, 999, "seed rng_seed base_seed", "seed of the random numbers", "SEED RNG_SEED BASE_SEED"),
    integer("frame", 0, 60, "frame step iteration frame_index", "number of the step"),
    number("freq", 0.4, 1.5, "frequency freq noise_scale scale", "frequency of the noise in 1/m", "FREQUENCY NOISE_SCALE", (0.5, 0.8, 1.2)),
    number("amp", 0.2, 1.2, "amplitude amp strength gain", "amplitude of the noise", "AMPLITUDE STRENGTH", (0.5, 1.0)),
    number("prob", 0.2, 0.8, "probability p_keep keep_prob rate", "probability of an event"),
    code("OCEAN", 0, "OCEAN WATER LOWLAND", "kind of a low cell"),
    code("PLAIN", 1, "PLAIN GRASS MIDLAND", "kind of a medium cell"),
    code("PEAK", 2, "PEAK ROCK HIGHLAND", "kind of a high cell"),
)  # fmt: skip

INDICES = (Index("sm", "n", "tid i idx sample_id", "sample"),)

NAMES = {
    "rng": "rng state rng_state rstate",
    "field": "state rng noise_state seed_state",
    "elev": "h elev z height_ij",
    "u": "u xi r01 sample_u",
    "dir": "dir d sample_dir omega",
    "bary": "bary uv bc st",
}

LOCALS = (
    local(
        "rng",
        "$rng = wp.rand_init({seed}, $sm)",
        "$rng = wp.rand_init({seed} + {frame}, $sm)",
        "$rng = wp.rand_init({seed}, {frame} * {n} + $sm)",
        "$rng = wp.rand_init({seed} * 31 + {frame}, $sm * ⟨7 + 3|2 + 1⟩)",
    ),
    local("field", "$field = wp.rand_init({seed})", "$field = wp.rand_init({seed} + ⟨1|7|13⟩)"),
)

HELPERS = (
    helper(
        "fbm",
        '''
def ⟨fbm|fractal_noise⟩(state: wp.uint32, q: wp.vec3) -> float:
    """Sum three octaves, each with half of the amplitude."""
    s = float(0.0)
    a = float(1.0)
    f = float(1.0)
    for k in range(3):
        s += a * wp.noise(state, q * f)
        a *= 0.5
        f *= 2.0
    return s
''',
        '''
def ⟨turbulence|ridged_noise⟩(state: wp.uint32, q: wp.vec3) -> float:
    n0 = wp.noise(state, q)
    n1 = wp.noise(state, q * 2.03)
    return ⟨wp.abs(n0) + 0.5 * wp.abs(n1)|n0 * n0 + 0.5 * n1|n0 + 0.5 * n1⟩
''',
    ),
    helper(
        "gauss_pair",
        '''
def ⟨box_muller|gaussian_pair⟩(u1: float, u2: float) -> wp.vec2:
    """Transform two uniform numbers to two normal ones."""
    r = wp.sqrt(-2.0 * wp.log(1.0 - 0.99 * u1))
    return wp.vec2(r * wp.cos(6.2831853 * u2), r * wp.sin(6.2831853 * u2))
''',
    ),
)  # fmt: skip

EXTRAS = (
    Extra("drawn", "wp.atomic_add({hit_n}, 0, 1)"),
    Extra("drawn", "if {flags}[$sm] & {DIRTY} != 0:\n    wp.atomic_add({hit_n}, 0, ⟨1|{lab}[$sm]⟩)"),
    Extra("before", "if {flags}[$sm] & {PINNED} != 0:\n    return\n"),
    Extra("before", "# only part of the elements draw a number\nif {lab}[$sm] ⟨>|==⟩ {which}:\n    return\n"),
)

NOISE = (
    Idea(
        "jitter_points",
        "jitter_points perturb_positions add_noise scatter_points",
        "jitter points by ⟨1:normal|uniform|spherical|cubic⟩ noise",
        """
        hook before
        ⟨1:$d = wp.vec3(wp.randn($rng), wp.randn($rng), wp.randn($rng)) * {sigma}[$sm]|$d = wp.vec3(wp.randf($rng, -1.0, 1.0), ⟨0.0|wp.randf($rng, -1.0, 1.0)⟩, wp.randf($rng, -1.0, 1.0)) * {amp}|$d = wp.sample_unit_sphere($rng) * {sigma}[$sm]|$d = wp.sample_unit_cube($rng) * {amp}⟩
        ⟨2:{rp_out}[$sm] = {rp}[$sm] + $d|if wp.length($d) > ⟨0.3|0.2⟩:
            {rp_out}[$sm] = {rp}[$sm]
        else:
            {rp_out}[$sm] = {rp}[$sm] + $d|{rp_out}[$sm] = {rp}[$sm] + $d - {rn}[$sm] * wp.dot($d, {rn}[$sm])⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise vector",
    ),
    Idea(
        "sample_hemisphere",
        "sample_hemisphere scatter_rays bounce_directions diffuse_rays",
        "draw a direction ⟨1:on the hemisphere|in the hemisphere|on the sphere|of the cosine lobe⟩ around each normal",
        """
        hook before
        ⟨1:$dir = wp.sample_unit_hemisphere_surface($rng)|$dir = wp.sample_unit_hemisphere($rng)|$dir = wp.sample_unit_sphere_surface($rng)|$u = wp.sample_unit_disk($rng)
        $dir = wp.vec3($u[0], $u[1], wp.sqrt(wp.max(1.0 - wp.dot($u, $u), 0.01)))⟩
        ⟨2:# reflect what points into the surface
        if wp.dot($dir, {rn}[$sm]) < 0.0:
            $dir = -$dir
        {rp_out}[$sm] = $dir|{rp_out}[$sm] = wp.normalize({rn}[$sm] * ⟨1.5|2.0⟩ + $dir)|$t = {rn}[$sm] + $dir
        {rp_out}[$sm] = {rp}[$sm] + $t * {amp}⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise ray_tracing",
    ),
    Idea(
        "sample_lens",
        "sample_lens sample_plane aperture_offsets scatter_2d",
        "draw a point ⟨1:of the unit disk|of the unit square|of the unit ring|by Box and Muller⟩ for each element",
        """
        hook before
        ⟨1:$u = wp.sample_unit_disk($rng)|$u = wp.sample_unit_square($rng)|$u = wp.sample_unit_ring($rng)|$u = @gauss_pair(wp.randf($rng), wp.randf($rng))⟩
        ⟨2:{ruv_out}[$sm] = {ruv}[$sm] + $u * {amp}|{ruv_out}[$sm] = $u * {sigma}[$sm]|if $u[0] > ⟨0.1|0.0⟩:
            wp.atomic_add({hit_n}, 0, 1)
        {ruv_out}[$sm] = $u⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise",
    ),
    Idea(
        "sample_triangles",
        "sample_triangles points_on_faces surface_samples sample_surface",
        "draw a uniform point of each triangle",
        """
        hook before
        ⟨2:$bary = wp.sample_triangle($rng)
        $a = $bary[0]
        $b = $bary[1]|# fold the unit square to the triangle
        $u = wp.sqrt(wp.randf($rng, 0.01, 1.0))
        $a = 1.0 - $u
        $b = $u * wp.randf($rng)⟩
        $q = {rv0}[$sm] * $a + {rv1}[$sm] * $b + {rv2}[$sm] * (1.0 - $a - $b)
        ⟨3:{rp_out}[$sm] = $q|{rp_out}[$sm] = $q + {rn}[$sm] * {amp}|{rp_out}[$sm] = $q
        {rx_out}[$sm] = wp.noise($field, $q * {freq})⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise",
    ),
    Idea(
        "sample_table",
        "sample_cdf draw_entries pick_categories importance_sample",
        "draw an entry of a discrete distribution for each element⟨2:| and count the draws| and its deviation from the label⟩",
        """
        hook before
        $q = wp.min(wp.sample_cdf($rng, {cdf}), {cats} - 1)
        {ri_out}[$sm] = $q
        ⟨2:{rx_out}[$sm] = {cdf}[$q]|wp.atomic_add({cat_n}, $q, 1)|if $q > {lab}[$sm]:
            {rx_out}[$sm] = {cdf}[$q] * {amp}
        else:
            {rx_out}[$sm] = 0.0⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise histograms",
    ),
    Idea(
        "poisson_events",
        "draw_events poisson_counts simulate_arrivals spawn_counts",
        "draw the number of ⟨2:events|events, at most a limit⟩ of each element from a Poisson distribution",
        """
        hook before
        $q = int(wp.poisson($rng, {rate}[$sm]⟨| * {w}[$sm]⟩))
        ⟨2:{ri_out}[$sm] = $q|if $q > ⟨3|4⟩:
            $q = ⟨3|4⟩
            wp.atomic_add({hit_n}, 0, 1)
        {ri_out}[$sm] = $q⟩
        ⟨3:{rx_out}[$sm] = float($q) * {amp}|wp.atomic_add({group_n}, {lab}[$sm], $q)|⟩
        """,
        threads="sm",
        kinds="random_noise monte_carlo",
        forward_only=True,
    ),
    Idea(
        "random_words",
        "random_bits draw_words make_seeds random_masks",
        "draw ⟨1:random words|random integers|random bits|random indices⟩ for each element",
        """
        hook before
        ⟨1:{ru_out}[$sm] = wp.randu($rng)⟨| ^ wp.uint32({keys}[$sm])| % wp.uint32(1000)⟩|$q = wp.randi($rng, ⟨0, 100|-5, 6|1, 7⟩)
        {ri_out}[$sm] = $q⟨| + {keys}[$sm]⟩|$b = wp.randu($rng, wp.uint32(0), wp.uint32(⟨16|64⟩))
        if $b & wp.uint32(1) == wp.uint32(1):
            wp.atomic_add({hit_n}, 0, 1)
        {ru_out}[$sm] = $b|$q = int(wp.randu($rng) % wp.uint32({n}))
        {ri_out}[$sm] = {keys}[$q]⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise integer_bits",
        integer=True,
    ),
    Idea(
        "dropout",
        "dropout_mask drop_elements bernoulli_mask random_select",
        "⟨1:drop elements at random and scale the others|flip labels at random|skip elements at random⟩",
        """
        ⟨1:if wp.randf($rng) < {prob}:
            {rx_out}[$sm] = {x}[$sm] / {prob}
            hook drawn
        else:
            {rx_out}[$sm] = 0.0|$q = {lab}[$sm]
        if wp.randf($rng) > {prob}:
            $q = wp.randi($rng, 0, {bins})
            wp.atomic_add({hit_n}, 0, 1)
        {ri_out}[$sm] = $q|if wp.randf($rng) > {prob}:
            return
        {rx_out}[$sm] = {x}[$sm] ⟨+ wp.randn($rng) * {sigma}[$sm]|* {amp}⟩
        hook drawn⟩
        """,
        threads="sm",
        kinds="random_noise control_flow",
    ),
    Idea(
        "estimate_integral",
        "estimate_integral monte_carlo_mean integrate_random mc_estimate",
        "estimate ⟨2:the mean of a Gaussian|the mean of a sine|the volume of a ball⟩ from random samples",
        """
        hook before
        $s = float(0.0)
        for $q in range(⟨8|4|16⟩):
            ⟨2:$u = (2.0 * wp.randf($rng) - 1.0) * {amp}
            $s += wp.exp(-$u * $u * {w}[$sm])|$u = wp.randf($rng) * {w}[$sm]
            $s += wp.sin($u) * ⟨$u|{amp}⟩|$u = wp.vec3(wp.randf($rng), wp.randf($rng), wp.randf($rng))
            if wp.length_sq($u) < {w}[$sm]⟨| * {w}[$sm]⟩:
                $s += 1.0⟩
        {estimate}[$sm] = $s
        hook drawn
        """,
        threads="sm",
        kinds="random_noise monte_carlo",
    ),
    Idea(
        "noise_terrain",
        "generate_terrain noise_heights fill_heightmap make_terrain",
        "fill a height field with ⟨2:noise|periodic noise|two octaves of noise⟩ ⟨3:|and classify its cells⟩",
        """
        $q = wp.vec2(float($i), float($j)) * ({freq} * ⟨0.3|0.2⟩)
        ⟨2:$elev = wp.noise($field, $q) * {amp}|$elev = wp.pnoise($field, $q, ⟨4, 4|8, 2|4, 8⟩) * {amp}|$elev = wp.noise($field, $q) + 0.5 * wp.noise($field, $q * 2.0)⟩
        {height}[$i, $j] = ⟨{table}[$i, $j] * 0.5 + $elev|$elev * {w}[$i]|wp.max({table}[$i, $j], $elev)⟩
        ⟨3:|if $elev < -0.1:
            {mask2}[$i, $j] = {OCEAN}
        elif $elev < ⟨0.1|0.15⟩:
            {mask2}[$i, $j] = {PLAIN}
        else:
            {mask2}[$i, $j] = {PEAK}⟩
        """,
        threads="i j",
        kinds="random_noise multi_dim",
    ),
    Idea(
        "noise_field",
        "sample_noise noise_density evaluate_noise cloud_density",
        "evaluate ⟨2:noise in space|fractal noise|noise along a line|periodic noise|noise that changes with time⟩ at each element",
        """
        hook before
        ⟨2:$r = wp.noise($field, {rp}[$sm] * {freq})|$r = @fbm($field, {rp}[$sm] * {freq})|$r = wp.noise($field, {x}[$sm] * {freq})|$r = wp.pnoise($field, {x}[$sm] * {freq}, ⟨4|8⟩)|$q = {rp}[$sm]
        $r = wp.noise($field, wp.vec4($q[0], $q[1], $q[2], float({frame}) * 0.1))⟩
        ⟨3:{rx_out}[$sm] = $r * {amp}|{rx_out}[$sm] = ⟨wp.max($r, 0.0)|wp.abs($r)⟩ * {amp}|if $r > ⟨0.05|0.0⟩:
            {rx_out}[$sm] = {w}[$sm] * $r
            wp.atomic_add({hit_n}, 0, 1)
        else:
            {rx_out}[$sm] = 0.0⟩
        """,
        threads="sm",
        kinds="random_noise fields",
    ),
    Idea(
        "curl_flow",
        "advect_curl_noise swirl_points turbulent_flow curl_velocity",
        "move points by ⟨2:curl noise|two octaves of curl noise|curl noise of the plane⟩",
        """
        hook before
        ⟨2:$d = wp.curlnoise($field, {rp}[$sm] * {freq})
        {rp_out}[$sm] = {rp}[$sm] + $d * {dt}|$d = wp.curlnoise($field, {rp}[$sm] * {freq}, wp.uint32(2), 2.0, 0.5)
        {rp_out}[$sm] = ⟨{rp}[$sm] + $d * {dt}|$d * {amp}⟩|$d = wp.curlnoise($field, {ruv}[$sm] * {freq})
        {ruv_out}[$sm] = {ruv}[$sm] + $d * ({dt} * {amp})⟩
        ⟨3:{rx_out}[$sm] = wp.length($d)|⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise fields",
    ),
    Idea(
        "random_walk",
        "random_walk brownian_step diffuse_walkers langevin_step",
        "advance walkers by a few random steps on ⟨1:a line|a lattice|a sphere⟩",
        """
        hook before
        ⟨1:$s = {x}[$sm]
        for $q in range(⟨3|4|6⟩):
            $s += {sigma}[$sm] * wp.randn($rng)
        {rx_out}[$sm] = $s|$c = {lab}[$sm]
        for $q in range(⟨4|8⟩):
            $u = wp.randi($rng, 0, 3)
            if $u == 0 and $c > 0:
                $c -= 1
            elif $u == 2 and $c + 1 < {bins}:
                $c += 1
        {ri_out}[$sm] = $c|$d = {rn}[$sm]
        for $q in range(⟨2|3⟩):
            $d = wp.normalize($d * 2.0 + wp.sample_unit_sphere($rng))
        {rp_out}[$sm] = $d⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise monte_carlo",
    ),
    Idea(
        "init_random",
        "init_random reset_random spawn_random randomize_state",
        "initialize ⟨1:points in a box|points in a ball|values⟩ at random",
        """
        ⟨1:{rp_out}[$sm] = wp.vec3(wp.randf($rng, -1.0, 1.0), wp.randf($rng⟨|, 0.0, 2.0⟩), wp.randf($rng, -1.0, 1.0))|{rp_out}[$sm] = wp.sample_unit_⟨sphere|cube|sphere_surface|hemisphere⟩($rng)⟨| * {sigma}[$sm]⟩|{rx_out}[$sm] = ⟨wp.randf($rng)|wp.randn($rng) * {sigma}[$sm]|(2.0 * wp.randf($rng) - 1.0) * {w}[$sm]⟩⟩
        hook drawn
        """,
        threads="sm",
        kinds="random_noise",
    ),
)
