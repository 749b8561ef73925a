"""Extras of the domain `particles`: early exits, limits, bookkeeping."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Extra

EXTRAS = (
    # a thread of a particle begins
    Extra("begin", "⟨# fixed particles do not move\nif {flags}[$i] & {ACTIVE} == 0|if {flags}[$i] & {PINNED} != 0⟩:\n    return\n"),
    Extra("begin", "⟨if {group}[$i] != {which}|# no group, nothing to do\nif {group}[$i] < 0⟩:\n    return\n"),
    Extra("begin", "if {mat}[$i] == ⟨{SAND}|{SNOW}|{WATER}⟩:\n    return\n"),
    Extra("begin", "if {status}[$i] == {DEAD}:\n    return\n"),
    # the velocity $v is known and may change
    Extra("velocity", "# limit the speed\n$speed = wp.length($v)\nif $speed > {vmax}:\n    $v = $v * ({vmax} / $speed)\n"),
    Extra("velocity", "$v = $v * (1.0 - {damp} * {dt})"),
    Extra("velocity", "if {mat}[$i] == {SAND}:\n    # grains are slowed down by their friction\n    $v = ⟨$v * (1.0 - {drag} * {dt})|$v / (1.0 + {drag} * {dt})⟩\n"),
    Extra("velocity", "if {flags}[$i] & {PINNED} != 0:\n    $v = wp.vec3(⟨0.0, 0.0, 0.0|⟩)\n"),
    Extra("velocity", "if {group}[$i] == {which}:\n    # only this group feels the wind\n    $v += ({wind}[$i] - $v) * ({drag} * {dt})"),
    # the position $x is known and may change
    Extra("position", "if $x[1] < {ground}:\n    # push the particle back to the ground\n    $x = wp.vec3($x[0], {ground}, $x[2])\n"),
    Extra("position", "⟨# keep the particle in the box\n|⟩$x = wp.vec3(wp.clamp($x[0], -{box}, {box}), $x[1], wp.clamp($x[2], -{box}, {box}))"),
    Extra("position", "$r = wp.length($x)\nif $r > {ball}:\n    $x = $x * ({ball} / $r)\n"),
    # both are final
    Extra("moved", "wp.atomic_add({energy}, 0, 0.5 * {m}[$i] * wp.dot($v, $v))"),
    Extra("moved", "{speed_out}[$i] = wp.length($v)"),
    Extra("moved", "wp.atomic_add({drift}, 0, $v * {m}[$i])"),
    Extra("moved", "if wp.length_sq($v) < {vsleep} * {vsleep}:\n    wp.atomic_add({counter}, 0, 1)"),
    # a spring begins, with its particles $a and $b
    Extra("spring", "if ⟨{color}[$s] != {batch}|{group}[$a] != {group}[$b]|{group}[$a] != {which} and {group}[$b] != {which}⟩:\n    return\n"),
    Extra("spring", "# both ends are held\nif ({flags}[$a] & {flags}[$b] & {PINNED}) != 0:\n    return\n"),
    Extra("spring", "if $a == $b:\n    return\n"),
    # in a loop over neighbours $j
    Extra("pair", "if {group}[$j] != {which}:\n    continue"),
    Extra("pair", "if {flags}[$j] & {ACTIVE} == 0:\n    continue"),
    Extra("pair", "if {mat}[$j] != {mat}[$i]:\n    continue"),
    Extra("pair", "if {status}[$j] == {DEAD}:\n    continue"),
)  # fmt: skip
