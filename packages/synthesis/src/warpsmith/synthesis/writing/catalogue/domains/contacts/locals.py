"""Locals, loops and extras of the domain `contacts`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

LOCALS = (
    local("sa", "{c_a}[$c]"),
    local("sb", "{c_b}[$c]"),
    local("ba", "$ba = int(-1)\nif $sa >= 0:\n    $ba = {gbody}[$sa]", "$ba = int(-1)\nif $sa != -1:\n    $ba = {gbody}[$sa]"),
    local("bb", "$bb = int(-1)\nif $sb >= 0:\n    $bb = {gbody}[$sb]", "# static shapes have no body\n$bb = int(-1)\nif $sb != -1:\n    $bb = {gbody}[$sb]"),
    local("X_a", "$X_a = wp.transform_identity()\nif $ba >= 0:\n    $X_a = {body_q}[$ba]"),
    local("X_b", "$X_b = wp.transform_identity()\nif $bb >= 0:\n    $X_b = {body_q}[$bb]"),
    local("xa", "wp.transform_point($X_a, {pt_a}[$c])"),
    local("xb", "wp.transform_point($X_b, {pt_b}[$c])"),
    local("ra", "$ra = $xa - wp.transform_get_translation($X_a)", "$ra = wp.transform_vector($X_a, {pt_a}[$c])"),
    local("rb", "$rb = $xb - wp.transform_get_translation($X_b)", "$rb = wp.transform_vector($X_b, {pt_b}[$c])"),
    local("va", "$va = wp.vec3(0.0, 0.0, 0.0)\nif $ba >= 0:\n    $va = @point_velocity({body_qd}[$ba], $ra)", "$va = wp.vec3(0.0)\nif $ba >= 0:\n    $va = wp.spatial_bottom({body_qd}[$ba]) + wp.cross(wp.spatial_top({body_qd}[$ba]), $ra)"),
    local("vb", "$vb = wp.vec3(0.0, 0.0, 0.0)\nif $bb >= 0:\n    $vb = @point_velocity({body_qd}[$bb], $rb)", "$vb = wp.vec3(0.0)\nif $bb >= 0:\n    $vb = wp.spatial_bottom({body_qd}[$bb]) + wp.cross(wp.spatial_top({body_qd}[$bb]), $rb)"),
    local("n", "{normal}[$c]"),
    local("d", "{dist}[$c]", "wp.dot($xa - $xb, $n)"),
    local("mu_c", "{mu}[$c]", "$mu_c = {cmu}\nif $sa >= 0 and $sb >= 0:\n    $mu_c = 0.5 * ({gmu}[$sa] + {gmu}[$sb])"),
    local("vrel", "$va - $vb"),
    local("vn", "wp.dot($n, $vrel)", "wp.dot($vrel, $n)"),
    local("ga", "{pa}[$p]"),
    local("gb", "{pb}[$p]"),
    local("X", "{X_ws}[$g]"),
    local("ext", "{gsize}[$g]"),
)  # fmt: skip

LOOPS = (
    loop(
        "body_contact",
        "for $k in range({con_start}[$b], {con_start}[$b + 1]):\n    $con = {con_list}[$k]\n    body",
        "$begin = {con_start}[$b]\n$end = {con_start}[$b + 1]\nfor $k in range($begin, $end):\n    $con = {con_list}[$k]\n    body",
        "for $k in range({con_start}[$b], {con_start}[$b + 1]):\n    $con = {con_list}[$k]\n    if {invalid}[$con]:\n        continue\n    body",
        "$first = {con_start}[$b]\n$num = {con_start}[$b + 1] - $first\nfor $k in range($num):\n    $con = {con_list}[$first + $k]\n    body",
    ),
)

EXTRAS = (
    Extra("contact", "⟨|# the list may be longer than the number of contacts\n⟩if $c >= {ncon}[0]:\n    return\n"),
    Extra("contact", "if {invalid}[$c]:\n    return\n"),
    Extra("contact", "# separated contacts carry no load\nif {state}[$c] == {SEPARATE}:\n    return\n"),
    Extra("contact", "if {c_a}[$c] == {c_b}[$c]:\n    return\n"),
    Extra("shape", "if {gflags}[$g] & {COLLIDE} == 0:\n    return\n"),
    Extra("shape", "# group 0 collides with nothing\nif {group}[$g] == 0:\n    return\n"),
    Extra("shape", "# shapes without a category\nif {contype}[$g] == 0:\n    return\n"),
    Extra("body", "if {motion}[$b] == {STATIC}:\n    return\n"),
    Extra("body", "# bodies without contacts\nif {con_start}[$b + 1] == {con_start}[$b]:\n    return\n"),
    Extra("friction", "# friction within the cone\n$limit = $mu_c * wp.max($fn, 0.0)\n$len = wp.length($ft) + 1.0e-4\nif $len > $limit:\n    $ft = $ft * ($limit / $len)\n"),
    Extra("friction", "# smooth limit of the friction cone\n$limit = $mu_c * wp.max($fn, 0.0)\n$ft = $ft * ($limit / ($limit + wp.length($ft) + 1.0e-4))"),
    Extra("friction", "if {condim}[$c] == 1:\n    # frictionless contact\n    $ft = wp.vec3(0.0, 0.0, 0.0)\n"),
    Extra("distance", "$dist = $dist - {margin}[$ga] - {margin}[$gb]"),
    Extra("distance", "if {gflags}[$ga] & {SENSOR} != 0:\n    # sensors report a wider distance\n    $dist -= {pad}\n"),
    Extra("distance", "$dist -= wp.max({margin}[$ga], {margin}[$gb])"),
)  # fmt: skip
