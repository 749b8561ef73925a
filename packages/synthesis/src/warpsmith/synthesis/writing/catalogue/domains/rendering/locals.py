"""Locals, loops and extras of the domain `rendering`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

LOCALS = (
    # the position in the queue, or the pixel that the queue contains there, for all values of a ray
    local(
        "o",
        "⟨9:{origins}[$i]|{origins}[$i]|{origins}[$i]|{origins}[{pixel_of}[$i]]⟩",
        "⟨9:{origins}[$i]|{origins}[$i]|{origins}[$i]|{origins}[{pixel_of}[$i]]⟩ + $d * {EPS}",
    ),
    local("d", "⟨9:{dirs}[$i]|{dirs}[$i]|{dirs}[$i]|{dirs}[{pixel_of}[$i]]⟩"),
    local("n", "⟨9:{hit_n}[$i]|{hit_n}[$i]|{hit_n}[$i]|{hit_n}[{pixel_of}[$i]]⟩"),
    local(
        "p",
        "⟨9:{hit_p}[$i]|{hit_p}[$i]|{hit_p}[$i]|{hit_p}[{pixel_of}[$i]]⟩",
        "⟨9:{hit_p}[$i]|{hit_p}[$i]|{hit_p}[$i]|{hit_p}[{pixel_of}[$i]]⟩",
        "$o + $d * {hit_t}[$i]",
    ),
    local(
        "l",
        "⟨9:{light_dir}[$i]|{light_dir}[$i]|{light_dir}[$i]|{light_dir}[{pixel_of}[$i]]⟩",
        "wp.normalize(⟨9:{light_dir}[$i]|{light_dir}[$i]|{light_dir}[$i]|{light_dir}[{pixel_of}[$i]]⟩)",
    ),
    local("obj", "{hit_id}[$i]"),
    local("rgb_in", "{color}[$y, $x]"),
    local("pt", "{pts}[$p]"),
    local("q_pose", "{inst_pose}[$q]"),
)

LOOPS = (
    loop(
        "light",
        """
        for $light in range({lights}):
            if {light_on}[$light]:
                body
        """,
        """
        for $light in range({lights}):
            # lights that are off contribute nothing
            if not {light_on}[$light]:
                continue
            body
        """,
        """
        for $light in range({lights}):
            body
        """,
    ),
)

EXTRAS = (
    Extra("ray", "if not {alive}[$i]:\n    return"),
    Extra("ray", "# only rays that wait for this pass\nif {ray_state}[$i] ⟨== {R_DONE}|!= {R_NEW} and {ray_state}[$i] != {R_TRACED}|== {R_SHADOW}⟩:\n    return"),
    Extra("ray", "if {bounce}[$i] > {max_bounce}:\n    return"),
    Extra("ray", "# the ray can hit nothing\nif {ray_mask}[$i] == 0:\n    return"),
    Extra("ray", "if {ray_state}[$i] >= {R_DONE} or {bounce}[$i] == 0:\n    return"),
    Extra("pixel", "# background\nif {ids}[$y, $x] < 0:\n    return"),
    Extra("pixel", "if {depth}[$y, $x] > 0.3 * {far}:\n    return"),
    Extra("pixel", "if ($x + $y) % 2 != {frame} % 2:\n    return"),
    Extra("pixel", "if {ids}[$y, $x] == {wanted}:\n    return"),
    Extra("point", "if {pt_flags}[$p] & {VISIBLE} == 0:\n    return"),
    Extra("point", "# too small to see\nif {pt_size}[$p] < 0.4:\n    return"),
    Extra("instance", "if {inst_flags}[$q] & {VISIBLE} == 0:\n    return"),
    Extra("instance", "# static instances are handled once\nif ({inst_flags}[$q] & {STATIC}) != 0 and {frame} > 0:\n    return"),
    Extra("hit_end", "if $best_id >= 0:\n    wp.atomic_add({stats}, 0, 1)"),
    Extra("hit_end", "# count the hits of each object\nif $best_id != {NO_HIT}:\n    {out_flag}[$i] = 1\n    wp.atomic_add({per_obj}, $best_id, 1)"),
    Extra("hit_end", "if $best_id >= 0 and {bounce}[$i] < {max_bounce}:\n    {out_state}[$i] = {R_TRACED}\nelse:\n    {out_state}[$i] = {R_DONE}"),
    Extra("shade", "$rgb = $rgb * {exposure}"),
    Extra("shade", "$rgb = wp.cw_mul($rgb, {throughput}[$i])"),
    Extra("shade", "# fog between the camera and the surface\n$rgb = $rgb * wp.exp(-{fog} * {hit_t}[$i])"),
    Extra("tone", "# highlights lose their saturation\n$luma = @luminance($rgb)\nif $luma > {threshold}:\n    $rgb = $rgb * 0.5 + wp.vec3(0.5, 0.5, 0.5) * $luma"),
)  # fmt: skip
