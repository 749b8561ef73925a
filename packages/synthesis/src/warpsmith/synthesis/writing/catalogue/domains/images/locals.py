"""Locals, loops and extras of the domain `images`: windows with border rules, bookkeeping."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

LOCALS = (
    local("xl", "⟨8:wp.max($x - 1, 0)|wp.abs($x - 1)|$x - 1 if $x > 0 else 0|($x + {w} - 1) % {w}⟩"),
    local("xr", "⟨8:wp.min($x + 1, {w} - 1)|wp.min($x + 1, 2 * {w} - 3 - $x)|$x + 1 if $x < {w} - 1 else {w} - 1|($x + 1) % {w}⟩"),
    local("yu", "⟨8:wp.max($y - 1, 0)|wp.abs($y - 1)|$y - 1 if $y > 0 else 0|($y + {h} - 1) % {h}⟩"),
    local("yd", "⟨8:wp.min($y + 1, {h} - 1)|wp.min($y + 1, 2 * {h} - 3 - $y)|$y + 1 if $y < {h} - 1 else {h} - 1|($y + 1) % {h}⟩"),
    local("cls", "{label}[$y, $x]"),
    local("cm", "{cam}[$y, $x]"),
    local("tlow", "{low}", "{class_low}[{label}[$y, $x]]", "{class_low}[$cls]"),
    local("thigh", "{high}", "{class_high}[{label}[$y, $x]]", "{class_high}[$cls]"),
    local("cut", "{cut}", "{class_cut}[{label}[$y, $x]]", "{class_cut}[$cls]"),
    local("expo", "{expo}", "{cam_expo}[{cam}[$y, $x]]", "{cam_expo}[$cm]"),
    local("amount", "{amount}", "{cam_amount}[{cam}[$y, $x]]", "{cam_amount}[$cm]"),
    local("sig", "{sigma_r}", "{cam_sigma}[{cam}[$y, $x]]", "{cam_sigma}[$cm]"),
    local("src", "{chan_map}[$c]", "$src = $c\nif {keep}[$c] == 2:\n    # shuffled channel\n    $src = {chan_map}[$c]"),
    local("col", "{rgb}[$y, $x]"),
)  # fmt: skip

LOOPS = (
    # a window of 3 x 3 pixels
    loop(
        "window",
        """
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                $yy = wp.clamp($y + $dy, 0, {h} - 1)
                $xx = wp.clamp($x + $dx, 0, {w} - 1)
                body
        """,
        """
        for $dy in range(-1, 2):
            $yy = $y + $dy
            if $yy < 0 or $yy >= {h}:
                continue
            for $dx in range(-1, 2):
                $xx = $x + $dx
                if $xx >= 0 and $xx < {w}:
                    body
        """,
        """
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                $yy = @reflect($y + $dy, {h})
                $xx = @reflect($x + $dx, {w})
                body
        """,
        """
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                if not @inside($y + $dy, $x + $dx, {h}, {w}):
                    continue
                $yy = $y + $dy
                $xx = $x + $dx
                body
        """,
        """
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                # the border wraps around
                $yy = ($y + $dy + {h}) % {h}
                $xx = ($x + $dx + {w}) % {w}
                body
        """,
    ),
    # the eight pixels around a pixel
    loop(
        "around",
        """
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                if $dy == 0 and $dx == 0:
                    continue
                $yy = $y + $dy
                $xx = $x + $dx
                if $yy < 0 or $xx < 0 or $yy >= {h} or $xx >= {w}:
                    continue
                body
        """,
        """
        for $m in range(9):
            $yy = $y + $m // 3 - 1
            $xx = $x + $m % 3 - 1
            if $m != 4 and $yy >= 0 and $yy < {h} and $xx >= 0 and $xx < {w}:
                body
        """,
        """
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                # four neighbours only
                if wp.abs($dy) + wp.abs($dx) == 1:
                    $yy = wp.clamp($y + $dy, 0, {h} - 1)
                    $xx = wp.clamp($x + $dx, 0, {w} - 1)
                    body
        """,
        """
        for $m in range(4):
            # up, right, down, left
            $yy = $y
            $xx = $x
            if $m == 0:
                $yy = $y - 1
            elif $m == 1:
                $xx = $x + 1
            elif $m == 2:
                $yy = $y + 1
            else:
                $xx = $x - 1
            if @inside($yy, $xx, {h}, {w}):
                body
        """,
    ),
)

EXTRAS = (
    Extra("begin", "$trk = {track}[$y, $x]\nif $trk < 0:\n    return\n"),
    Extra("begin", "# pixels of hidden objects are skipped\n$obj = {object}[$y, $x]\nif $obj == {NONE}:\n    return\nif {obj_state}[$obj] == 0:\n    return\n"),
    Extra("end", "# extent of the part\n$part = {part}[$y, $x]\nif $part >= 0:\n    wp.atomic_add({obj_area}, $part, 1)\n    wp.atomic_min({obj_top}, $part, $y)\n    wp.atomic_max({obj_bottom}, $part, $y)"),
    Extra("end", "$inst = {instance}[$y, $x]\nif $inst >= 0 and {obj_state}[wp.max($inst, 0)] == 1:\n    # visible objects are painted\n    {paint}[$y, $x] = {obj_color}[$inst]\n    wp.atomic_add({obj_area}, $inst, 1)\nelse:\n    {paint}[$y, $x] = -1"),
    Extra("end", "$inst = {instance}[$y, $x]\nif $inst != {NONE}:\n    $tone = {obj_color}[$inst]\n    {paint}[$y, $x] = $tone\n    wp.atomic_add({color_count}, $tone, 1)"),
    Extra("begin", "if not {roi}[$y, $x]:\n    return\n"),
    Extra("begin", "# only pixels of one zone\nif {zone}[$y, $x] != {zone_id}:\n    return\n"),
    Extra("begin", "if {locked}[$y, $x] or {label}[$y, $x] == {BACKGROUND}:\n    return\n"),
    Extra("begin", "if {view}[$y, $x] < 0:\n    # no camera sees the pixel\n    return\n"),
    Extra("end", "if {flagged}[$y, $x]:\n    wp.atomic_add({marked}, 0, 1)"),
    Extra("end", "wp.atomic_add({class_count}, {label}[$y, $x], 1)"),
    Extra("end", "{visits}[$y, $x] = {visits}[$y, $x] + 1"),
    Extra("end", "# a camera sees the pixel\nif {view}[$y, $x] ⟨>= 0|!= {NONE}⟩:\n    {visits}[$y, $x] += 1"),
    Extra("channel", "if {keep}[$c] == 0:\n    return\n"),
    Extra("channel", "# frozen channels and protected pixels keep zeros\nif {keep}[$c] == 3 or {locked}[$y, $x]:\n    return\n"),
    Extra("channel_end", "if {mask}[$y, $x]:\n    wp.atomic_add({used}, $c, 1)"),
    Extra("channel_end", "if {label}[$y, $x] == {which}:\n    wp.atomic_add({used}, $c, 1)"),
    Extra("flat", "if {kinds}[$p] == {BACKGROUND}:\n    return\n"),
    Extra("flat", "if {kinds}[$p] != {which}:\n    return\n"),
    Extra("box", "if {box_label}[$b] == {ignore}:\n    return\n"),
)  # fmt: skip
