"""Locals, loops and extras of the domain `grids`: indices of neighbours, boundary rules, bookkeeping."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

EDGE2 = "$i == 0 or $j == 0 or $i >= {nx} - 1 or $j >= {ny} - 1"
EDGE3 = "$i < 1 or $j < 1 or $k < 1 or $i >= {nx} - 1 or $j >= {ny} - 1 or $k >= {nz} - 1"


def stencil(text: str) -> str:
    """Replace the tokens IM, IP, JM, JP, KM and KP by indices of neighbours, and EDGE2 and EDGE3 by tests for the rim.

    The first three of five boundary rules use locals; the last two need an idea that leaves at the rim.
    """
    for axis in "ijk":
        upper = axis.upper()
        text = text.replace(f"{upper}M", f"⟨9:${axis}m|${axis}m|${axis}m|${axis} - 1|${axis} - 1⟩")
        text = text.replace(f"{upper}P", f"⟨9:${axis}p|${axis}p|${axis}p|${axis} + 1|${axis} + 1⟩")
    return text.replace("EDGE2", EDGE2).replace("EDGE3", EDGE3)


LOCALS = (
    local("im", "⟨8:wp.max($i - 1, 0)|($i + {nx} - 1) % {nx}|wp.abs($i - 1)|$i - 1 if $i > 0 else 0⟩"),
    local("ip", "⟨8:wp.min($i + 1, {nx} - 1)|($i + 1) % {nx}|wp.min($i + 1, 2 * {nx} - 3 - $i)|$i + 1 if $i < {nx} - 1 else {nx} - 1⟩"),
    local("jm", "⟨8:wp.max($j - 1, 0)|($j + {ny} - 1) % {ny}|wp.abs($j - 1)|$j - 1 if $j > 0 else 0⟩"),
    local("jp", "⟨8:wp.min($j + 1, {ny} - 1)|($j + 1) % {ny}|wp.min($j + 1, 2 * {ny} - 3 - $j)|$j + 1 if $j < {ny} - 1 else {ny} - 1⟩"),
    local("km", "⟨8:wp.max($k - 1, 0)|($k + {nz} - 1) % {nz}|wp.abs($k - 1)|$k - 1 if $k > 0 else 0⟩"),
    local("kp", "⟨8:wp.min($k + 1, {nz} - 1)|($k + 1) % {nz}|wp.min($k + 1, 2 * {nz} - 3 - $k)|$k + 1 if $k < {nz} - 1 else {nz} - 1⟩"),
    local("u", "{u}[$i, $j]"),
    local("code", "{flags}[$i, $j]"),
    local("mat", "{material}[$i, $j]"),
    local("kap", "{kappa}", "{mat_kappa}[{material}[$i, $j]]", "{mat_kappa}[$mat]"),
    local("kap3", "{kappa}", "{mat_kappa}[{material3}[$i, $j, $k]]", "$m3 = {material3}[$i, $j, $k]\n$kap3 = {mat_kappa}[$m3]"),
    local("rest", "{rest}", "{mat_rest}[{material}[$i, $j]]", "{mat_rest}[$mat]"),
    local("tau", "{tau}", "{mat_tau}[{material}[$i, $j]]", "{mat_tau}[$mat]"),
    local("mob", "{mobility}", "{mat_mob}[{material}[$i, $j]]", "{mat_mob}[$mat]"),
    local("odds", "{odds}", "{mat_odds}[{material}[$i, $j]]", "{mat_odds}[$mat]"),
    local("lin", "$i * {ny} + $j", "$j * {nx} + $i"),
)  # fmt: skip

LOOPS = (
    # the eight cells around a cell, with wrap-around
    loop(
        "around",
        """
        for $di in range(-1, 2):
            for $dj in range(-1, 2):
                if $di != 0 or $dj != 0:
                    $ii = ($i + $di + {nx}) % {nx}
                    $jj = ($j + $dj + {ny}) % {ny}
                    body
        """,
        """
        for $di in range(3):
            for $dj in range(3):
                if $di == 1 and $dj == 1:
                    continue
                $ii = ($i + $di - 1 + {nx}) % {nx}
                $jj = ($j + $dj - 1 + {ny}) % {ny}
                body
        """,
        """
        for $di in range(-1, 2):
            $ii = $i + $di
            if $ii < 0 or $ii >= {nx}:
                continue
            for $dj in range(-1, 2):
                $jj = $j + $dj
                if $jj < 0 or $jj >= {ny}:
                    continue
                if $di != 0 or $dj != 0:
                    body
        """,
        """
        for $d in range(9):
            $ii = $i + $d // 3 - 1
            $jj = $j + $d % 3 - 1
            if $d != 4 and $ii >= 0 and $ii < {nx} and $jj >= 0 and $jj < {ny}:
                body
        """,
        """
        for $d in range(9):
            # the cell itself
            if $d == 4:
                continue
            $ii = @wrap($i + $d % 3 - 1, {nx})
            $jj = @wrap($j + $d // 3 - 1, {ny})
            body
        """,
        """
        for $di in range(-1, 2):
            for $dj in range(-1, 2):
                if ($di != 0 or $dj != 0) and @inside($i + $di, $j + $dj, {nx}, {ny}):
                    $ii = $i + $di
                    $jj = $j + $dj
                    body
        """,
    ),
    # the four cells next to a cell
    loop(
        "side",
        """
        for $d in range(4):
            $ii = $i
            $jj = $j
            if $d == 0:
                $ii = wp.max($i - 1, 0)
            elif $d == 1:
                $ii = wp.min($i + 1, {nx} - 1)
            elif $d == 2:
                $jj = wp.max($j - 1, 0)
            else:
                $jj = wp.min($j + 1, {ny} - 1)
            body
        """,
        """
        for $d in range(4):
            $ii = ($i + {nx} + (1 - $d % 2 * 2) * (1 - $d // 2)) % {nx}
            $jj = ($j + {ny} + (1 - $d % 2 * 2) * ($d // 2)) % {ny}
            body
        """,
        """
        for $di in range(-1, 2):
            for $dj in range(-1, 2):
                # no diagonals
                if wp.abs($di) + wp.abs($dj) != 1:
                    continue
                $ii = wp.clamp($i + $di, 0, {nx} - 1)
                $jj = wp.clamp($j + $dj, 0, {ny} - 1)
                body
        """,
        """
        for $di in range(-1, 2):
            for $dj in range(-1, 2):
                $ii = $i + $di
                $jj = $j + $dj
                if $di * $dj == 0 and $di + $dj != 0 and @inside($ii, $jj, {nx}, {ny}):
                    body
        """,
    ),
    # the six or twenty-six voxels around a voxel
    loop(
        "shell",
        """
        for $di in range(-1, 2):
            for $dj in range(-1, 2):
                for $dk in range(-1, 2):
                    $ii = $i + $di
                    $jj = $j + $dj
                    $kk = $k + $dk
                    if $ii < 0 or $jj < 0 or $kk < 0 or $ii >= {nx} or $jj >= {ny} or $kk >= {nz}:
                        continue
                    ⟨if $di != 0 or $dj != 0 or $dk != 0|if wp.abs($di) + wp.abs($dj) + wp.abs($dk) == 1⟩:
                        body
        """,
        """
        for $d in range(27):
            $di = $d // 9 - 1
            $dj = ($d // 3) % 3 - 1
            $dk = $d % 3 - 1
            if ⟨$d == 13|wp.abs($di) + wp.abs($dj) + wp.abs($dk) != ⟨1|2⟩⟩:
                continue
            $ii = @wrap($i + $di, {nx})
            $jj = @wrap($j + $dj, {ny})
            $kk = wp.clamp($k + $dk, 0, {nz} - 1)
            body
        """,
        """
        for $d in range(6):
            # -1 and +1 along x, y and z
            $sign = 2 * ($d % 2) - 1
            $ii = $i
            $jj = $j
            $kk = $k
            if $d < 2:
                $ii = $i + $sign
            elif $d < 4:
                $jj = $j + $sign
            else:
                $kk = $k + $sign
            if $ii >= 0 and $ii < {nx} and $jj >= 0 and $jj < {ny} and $kk >= 0 and $kk < {nz}:
                body
        """,
    ),
)

EXTRAS = (
    Extra("begin2", "# tiles at rest are skipped\n$tl = {tile}[$i, $j]\nif {tile_state}[$tl] == 0:\n    return\n"),
    Extra("begin2", "# tiles of low priority are skipped\n$tl = {tile}[$i, $j]\nif {tile_rank}[$tl] > 5:\n    return\n"),
    Extra("mask2", "# tiles at rest are skipped\n$tl = {tile}[$i, $j]\nif {tile_state}[$tl] == 0:\n    return\n"),
    Extra("mask2", "# tiles of low priority are skipped\n$tl = {tile}[$i, $j]\nif {tile_rank}[$tl] > 5:\n    return\n"),
    Extra("end2", "# extent of the block that contains the cell\n$blk = {block}[$i, $j]\nif $blk >= 0:\n    wp.atomic_add({block_cells}, $blk, 1)\n    wp.atomic_min({block_lo}, $blk, $i)\n    wp.atomic_max({block_hi}, $blk, $i)"),
    Extra("end2", "$blk = {block}[$i, $j]\nif $blk != -1:\n    # the block stays awake\n    {rank_out}[$i, $j] = {tile_rank}[$blk]\n    wp.atomic_max({block_awake}, $blk, 1)\nelse:\n    {rank_out}[$i, $j] = -1"),
    Extra("end2", "$blk = {block}[$i, $j]\nif $blk >= 0 and {tile_state}[$blk] != 0:\n    $rank = {tile_rank}[$blk]\n    {rank_out}[$i, $j] = $rank\n    wp.atomic_add({tally}, $rank, 1)"),
    Extra("end2", "wp.atomic_add({block_cells}, {tile}[$i, $j], 1)"),
    Extra("end3", "# cells of each block\n$blk = {block3}[$i, $j, $k]\nif $blk >= 0:\n    wp.atomic_add({block_cells}, $blk, 1)\n    wp.atomic_min({block_lo}, $blk, $k)\n    wp.atomic_max({block_hi}, $blk, $k)"),
    Extra("end3", "$blk = {block3}[$i, $j, $k]\nif $blk != -1 and {tile_state}[$blk] == 1:\n    {rank3_out}[$i, $j, $k] = {tile_rank}[$blk]"),
    Extra("begin3", "# the tile is at rest\n$tl = {tile3}[$i, $j, $k]\nif {tile_state}[$tl] == 0:\n    return\n"),
    Extra("begin2", "# nothing to do inside of obstacles\nif {flags}[$i, $j] == {SOLID}:\n    return\n"),
    Extra("begin2", "if not {mask}[$i, $j]:\n    return\n"),
    Extra("begin2", "if {level}[$i, $j] != {which}:\n    return\n"),
    Extra("begin2", "if {solid2}[$i, $j] or {level}[$i, $j] > {which}:\n    return\n"),
    Extra("mask2", "if not {mask}[$i, $j]:\n    return\n"),
    Extra("mask2", "if {level}[$i, $j] != {which}:\n    # another level of the hierarchy handles this cell\n    return\n"),
    Extra("end2", "wp.atomic_add({tally}, {level}[$i, $j], 1)"),
    Extra("end2", "# count the updates of observed cells\nif {probe}[$i, $j]:\n    {touched}[$i, $j] = {touched}[$i, $j] + 1"),
    Extra("end2", "{touched}[$i, $j] = {touched}[$i, $j] + 1"),
    Extra("end2", "# count the cells of each type\nwp.atomic_add({tally}, {flags}[$i, $j], 1)"),
    Extra("begin3", "if {flags3}[$i, $j, $k] == {SOLID}:\n    return\n"),
    Extra("begin3", "if not {mask3}[$i, $j, $k]:\n    return\n"),
    Extra("begin3", "# inactive cells of the layer at the bottom\nif $k == 0 and not {mask3}[$i, $j, $k]:\n    return\n"),
    Extra("end3", "wp.atomic_add({tally}, {flags3}[$i, $j, $k], 1)"),
    Extra("end3", "# types of the observed cells\nif {probe3}[$i, $j, $k]:\n    wp.atomic_add({tally}, {flags3}[$i, $j, $k], 1)"),
    Extra("cell", "if {cflag}[$c] == {SOLID}:\n    return\n"),
    Extra("particle", "# rigid particles\nif {pkind}[$pt] == 2:\n    return\n"),
    Extra("particle", "# this material is not simulated\nif {pkind}[$pt] == {lane}:\n    return\n"),
)  # fmt: skip
