"""Locals of the domain `queries`: their names, the ways to obtain them, loops and extras."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

NAMES = {
    "x": "pos x p point",
    "query": "query q res hit",
    "cp": "closest cp surface_pos proj",
    "delta": "delta diff d offset",
    "d": "dist d distance sdf",
    "gap": "gap penetration c depth",
    "n": "n normal nrm up",
    "f": "force f f_total fc",
    "vrel": "v_rel rel_vel vrel dv",
    "vn": "vn v_n normal_vel approach",
    "vt": "vt v_t tangent_vel slide",
    "face": "face face_id f tri",
    "w": "w bary_w w2 rest_w",
    "v0": "i0 v0 a ia",
    "v1": "i1 v1 b ib",
    "v2": "i2 v2 c ic",
    "target": "target goal new_pos dest",
    "lower": "lower lo box_min bmin",
    "upper": "upper hi box_max bmax",
    "size": "half size ext extent",
    "count": "count num c cnt",
    "total": "total s acc result",
    "first": "first lowest best first_id",
    "last": "last highest max_id last_id",
    "best": "best best_id selected winner",
    "least": "best_dist least d_min min_d",
    "tree": "tree bvh mesh_bvh hierarchy",
    "start": "root group_root start node",
    "ro": "origin ro ray_origin start",
    "rd": "direction rd ray_dir dir",
    "t": "t hit_t travel dist_t",
    "hit": "hit hit_face hit_id found",
    "to": "to_light to_l light_vec l",
    "far": "far max_t reach length",
    "cosine": "cosine n_dot_l lambert ndl",
    "phi": "phi angle azimuth theta",
    "ground": "ground ground_z height floor_z",
    "step": "step motion move dx",
    "rest": "rest remaining leftover slide",
    "geo": "m geo mesh_data geom",
    "a": "p0 a v0 x0",
    "b": "p1 b v1 x1",
    "c": "p2 c v2 x2",
    "b1": "p1 b v1 x1",
    "ta": "q0 ta u0 w0",
    "tb": "q1 tb u1 w1",
    "i": "i index particle point_id",
    "x0": "x xi pos p",
    "point_id": "i index src particle",
    "prio": "priority prio level rank",
    "most": "top_priority best_prio highest max_prio",
    "same": "same kin friends matches",
    "root_id": "root label min_id rep",
    "code": "code mask bits result",
    "su": "u su tex_u s",
    "sv": "v sv tex_v t",
    "next": "ahead next_value forward plus",
    "here": "center here value c0",
    "right": "right east r_val px",
    "left": "left west l_val mx",
    "above": "above upper u_val py",
    "under": "below lower d_val my",
    "up": "up above u_val north",
    "graded": "graded mapped out_rgb result",
    "h0": "height h elevation z",
    "around": "neighbors_sum around total nb",
    "mixed": "combined result mixed out_val",
    "mark": "mark label code marker",
    "voxels": "voxels num_active n_vox total_voxels",
    "len": "length norm grad_len mag",
    "di": "di ox a dx",
    "dj": "dj oy b dy",
    "dk": "dk oz c dz",
    "q0": "level q bin_id step",
    "p0": "local_p p pos q",
    "st": "st params res edge_st",
    "va": "va vel_a v0 vel0",
    "vb": "vb vel_b v1 vel1",
    "vc": "vc vel_c v2 vel2",
    "vel": "vel velocity v v_mean",
    "steep": "slope steep incline tilt",
    "item": "item bound box_id j",
    "j": "j nbr other index",
    "r": "r dist length_ij rij",
    "xj": "x_j other_pos q nbr_pos",
    "grp": "group g my_group team",
    "sum": "total sum_w acc s",
    "fs": "f_sum accum force total_f",
    "wgt": "w weight wij kernel",
    "uv_at": "uv st coords tc",
    "texel": "value texel sample s",
    "rgba": "rgba texel color sample",
    "rgb": "rgb color albedo tint",
    "uvw": "uvw local coords index_pos",
    "grad": "grad gradient g slope",
    "vi0": "i vx ix ci",
    "vj0": "j vy iy cj",
    "vk0": "k vz iz ck",
    "label": "label mat_id lab region",
    "lin": "lin voxel_id slot k_lin",
    "value": "value val s phi",
    "world_pos": "world_pos center xw p",
}

LOCALS = (
    local("x", "{pt}[$i]"),
    local("grp", "{qgroup}[$q]"),
)

LOOPS = (
    loop(
        "neighbor",
        """
        for $j in wp.hash_grid_query({grid}, {x}[$p], {rh}):
            if $j == $p:
                continue
            body
        """,
        """
        $query = wp.hash_grid_query({grid}, {x}[$p], {rh})
        for $j in $query:
            if $j != $p:
                body
        """,
        """
        $query = wp.hash_grid_query({grid}, {x}[$p], {rh})
        $j = int(0)
        while wp.hash_grid_query_next($query, $j):
            if $j == $p:
                continue
            body
        """,
    ),
    loop(
        "around",
        """
        for $j in wp.hash_grid_query({grid}, {x}[$p], {rh}):
            body
        """,
        """
        $query = wp.hash_grid_query({grid}, {x}[$p], {rh})
        for $j in $query:
            body
        """,
        """
        $query = wp.hash_grid_query({grid}, {x}[$p], {rh})
        $j = int(0)
        while wp.hash_grid_query_next($query, $j):
            body
        """,
    ),
    loop(
        "candidate",
        """
        $item = int(0)
        while wp.bvh_query_next($query, $item):
            body
        """,
        """
        $item = int(-1)
        while wp.bvh_query_next($query, $item):
            if ⟨{bgroup}[$item] < 0|{bmask}[$item] & {layer} == 0⟩:
                continue
            body
        """,
        """
        $item = int(0)
        while wp.bvh_query_next($query, $item):
            # the own item does not count
            if $item == {qid}[$q]:
                continue
            body
        """,
    ),
)

EXTRAS = (
    Extra("point", "if {pmask}[$i] & {ACTIVE} == 0:\n    return\n"),
    Extra("point", "if {pgroup}[$i] ⟨< 0|!= {which}⟩:\n    return\n"),
    Extra("point", "if not {on}[$i]:\n    return\n"),
    Extra("mask", "if {pmask}[$i] & {ACTIVE} == 0:\n    # switched off\n    return\n"),
    Extra("mask", "if {pgroup}[$i] != {which}:\n    return\n"),
    Extra("mask", "if not {on}[$i]:\n    ⟨wp.atomic_add({misses}, 0, 1)\n    |⟩return\n"),
    Extra("found", "if $query.result:\n    wp.atomic_add({hits}, 0, 1)"),
    Extra("found", "if $query.result:\n    # visits of each face\n    wp.atomic_add({fhit}, $query.face, 1)"),
    # a query of boxes begins
    Extra("query", "if {qgroup}[$q] ⟨< 0|!= {which}⟩:\n    return\n"),
    Extra("query", "if {qlast}[$q] == {NONE}:\n    # it found nothing before\n    return\n"),
    # a candidate was found
    Extra("item", "if {bgroup}[$item] == {qgroup}[$q]:\n    continue"),
    Extra("item", "if {bmask}[$item] & {layer} == 0:\n    continue"),
    # a particle begins
    Extra("particle", "if {pflag}[$p] & {ACTIVE} == 0:\n    return\n"),
    Extra("particle", "if {team}[$p] ⟨< 0|!= {which}⟩:\n    return\n"),
    Extra("particle", "if {kind}[$p] == ⟨0|3⟩:\n    # boundary particles\n    return\n"),
    # in a loop over neighbours
    Extra("nbr", "if {pflag}[$j] & {FIXED} != 0:\n    continue"),
    Extra("nbr", "if {kind}[$j] != {kind}[$p]:\n    continue"),
    Extra("nbr", "if {team}[$j] < 0:\n    continue"),
    # a sample or a probe begins
    Extra("sample", "if {tmat}[$t] == ⟨0|3⟩:\n    # this material has no texture\n    return\n"),
    Extra("probe", "if {vf}[$a] & {ACTIVE} == 0:\n    return\n"),
    Extra("probe", "if {vf}[$a] & {FIXED} != 0:\n    # attached elsewhere\n    return\n"),
)  # fmt: skip
