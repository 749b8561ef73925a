"""Locals, loops, extras and helper functions of the domain `graphs`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper, local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

NAMES = {
    "j": "nbr other w_id neighbor",
    "p": "k p ptr edge_pos",
    "t": "k slot s col_id",
    "u": "u src_id a node_a",
    "v": "v dst_id b node_b",
    "begin": "begin start row_begin lo",
    "end": "end stop row_end hi",
    "wt": "w wij weight edge_w",
    "c": "cost length_uv step c",
    "cur": "cur level_now current step_id",
    "d": "d deg degree row_len",
    "sum": "acc total accum msg",
    "best": "best best_val chosen best_id",
    "count": "count num cnt hits",
    "r": "root r rep top",
    "mine": "mine own self_val own_id",
    "theirs": "theirs nbr_val other_val nbr_id",
    "bits": "used forbidden bits mask_bits",
    "xi": "xi p_i pos_i center",
    "diff": "diff d edge_vec rel",
    "len": "length dist edge_length r_ij",
    "slot": "slot bucket_id pos idx",
    "rng": "state rng rng_state",
    "cand": "candidate cand alt new_dist",
}

LOCALS = (
    local("u", "⟨9:{src}[$e]|{pairs}[$e, 0]|{flat}[2 * $e]⟩"),
    local("v", "⟨9:{dst}[$e]|{pairs}[$e, 1]|{flat}[2 * $e + 1]⟩"),
    local("begin", "{row}[$i]"),
    local("end", "{row}[$i + 1]"),
    local("d", "{row}[$i + 1] - {row}[$i]", "$end - $begin", "{deg}[$i]"),
    local("cur", "{now}", "{iter}[0]"),
    local("xi", "{x}[$i]"),
    local("c", "{cost}[$e]"),
)

LOOPS = (
    loop(
        "nbr",
        """
        for $p in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$p]
            body
        """,
        """
        $begin = {row}[$i]
        $end = {row}[$i + 1]
        for $p in range($begin, $end):
            $j = {col}[$p]
            if $j != $i:
                body
        """,
        """
        for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j < 0⟨| or $j == $i⟩:
                continue
            body
        """,
        """
        for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j ⟨!= {NONE}|>= 0⟩:
                body
        """,
        """
        $begin = {row}[$i]
        # rows may be empty
        for $t in range({row}[$i + 1] - $begin):
            $j = {col}[$begin + $t]
            body
        """,
    ),
    loop(
        "arc",
        """
        for $p in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$p]
            $wt = {w}[$p]
            body
        """,
        """
        $begin = {row}[$i]
        $end = {row}[$i + 1]
        for $p in range($begin, $end):
            # disabled edges carry nothing
            if {emask}[$p] == 0:
                continue
            $j = {col}[$p]
            $wt = {w}[$p]
            body
        """,
        """
        for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j ⟨< 0|== {NONE}⟩:
                continue
            $wt = {ellw}[$i, $t]
            body
        """,
        """
        for $p in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$p]
            if $j != $i:
                $wt = {w}[$p]
                body
        """,
    ),
    loop(
        "road",
        """
        for $p in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$p]
            $c = {cost}[$p]
            body
        """,
        """
        $begin = {row}[$i]
        $end = {row}[$i + 1]
        for $p in range($begin, $end):
            $j = {col}[$p]
            if {etype}[$p] == {relation}:
                $c = {cost}[$p]
                body
        """,
        """
        for $p in range({row}[$i], {row}[$i + 1]):
            if {emask}[$p] == 0:
                continue
            $j = {col}[$p]
            $c = {cost}[$p]
            body
        """,
    ),
)

EXTRAS = (
    Extra("begin", "⟨# padding|# not part of the graph|⟩\nif {active}[$i] == 0:\n    return\n"),
    Extra("begin", "if not {alive}[$i]:\n    return\n"),
    Extra("begin", "if {mask}[$i] & {FROZEN} != 0:\n    return\n"),
    Extra("begin", "# ghost nodes are updated by their owner\nif {kind}[$i] == {GHOST}:\n    return\n"),
    Extra("edge", "# removed edge\nif {emask}[$e] == 0:\n    return\n"),
    Extra("edge", "if not {epass}[$e]:\n    return\n"),
    Extra("edge", "# starts at a node that was not reached\nif {level}[$u] < 0:\n    return\n"),
    Extra("edge", "if {state}[$v] == {OUT}:\n    return\n"),
    Extra("edge", "if {kind}[$u] == {GHOST}:\n    return\n"),
    Extra("edge", "if not {alive}[$u] or not {alive}[$v]:\n    return\n"),
    Extra("edge", "# both ends are frozen\nif ({mask}[$u] & {mask}[$v]) & {FROZEN} != 0:\n    return\n"),
    Extra("nbr", "if {active}[$j] == 0:\n    continue"),
    Extra("nbr", "if not {alive}[$j]:\n    continue"),
    Extra("nbr", "if {part}[$j] != {part}[$i]:\n    continue"),
    Extra("nbr", "# frozen neighbours do not count\nif {mask}[$j] & {FROZEN} != 0:\n    continue"),
    Extra("tally", "wp.atomic_add({stat}, ⟨0|2⟩, 1)"),
    Extra("tally", "if {mask}[$i] & {SEEN} != 0:\n    wp.atomic_add({stat}, 1, 1)"),
    Extra("tally", "wp.atomic_add({load}, {part}[$i], 1)"),
    Extra("tally", "if $d > {kmin}:\n    wp.atomic_max({maxdeg}, 0, $d)"),
    Extra("etally", "wp.atomic_add({stat}, ⟨0|1⟩, 1)"),
    Extra("etally", "if {part}[$u] != {part}[$v]:\n    wp.atomic_add({stat}, 3, 1)"),
    Extra("etally", "wp.atomic_add({cut}, {part}[$u], {part}[$v], 1)"),
    Extra("qtally", "wp.atomic_add({stat}, 2, 1)"),
)

HELPERS = (
    helper(
        "hash",
        """
        def ⟨hash_id|node_hash⟩(key: int, salt: int)⟨| -> int⟩:
            # xorshift keeps the value in 31 bits
            x = (key + 1) * 7919 + salt * 31
            x = x ^ (x >> 7)
            x = (x & 65535) * 25173 + 13849
            return (x ^ (x >> 9)) & 65535
        """,
        """
        def ⟨mix_bits|hash_int⟩(key: int, salt: int)⟨| -> int⟩:
            h = (key ^ salt) & 32767
            h = h * 30011 + 12345
            h = h ^ (h >> 11)
            return h & ⟨65535|32767⟩
        """,
    ),
    helper(
        "find",
        """
        def find_root(parents: wp.array(dtype=int), node: int)⟨| -> int⟩:
            # links always lead to smaller ids
            r = int(node)
            while parents[r] < r:
                r = parents[r]
            return r
        """,
        """
        def ⟨uf_find|get_root⟩(link: wp.array(dtype=int), node: int):
            cur = int(node)
            up = link[cur]
            while up < cur:
                cur = up
                up = link[cur]
            return cur
        """,
    ),
    helper(
        "row_of",
        """
        def ⟨find_row|upper_row⟩(offsets: wp.array(dtype=int), count: int, pos: int)⟨| -> int⟩:
            # last row whose first entry is not beyond pos
            lo = int(0)
            hi = int(count)
            while hi - lo > 1:
                mid = (lo + hi) // 2
                if offsets[mid] <= pos:
                    lo = mid
                else:
                    hi = mid
            return lo
        """,
    ),
    helper(
        "beats",
        """
        def ⟨has_priority|beats⟩(prio_a: int, a: int, prio_b: int, b: int):
            # the id breaks ties
            if prio_a == prio_b:
                return a > b
            return prio_a > prio_b
        """,
        """
        def ⟨wins_over|precedes⟩(pa: int, a: int, pb: int, b: int)⟨| -> bool⟩:
            return pa > pb or (pa == pb and a < b)
        """,
    ),
    helper(
        "leaky",
        """
        def leaky_relu(x: float, slope: float)⟨| -> float⟩:
            if x > 0.0:
                return x
            return slope * x
        """,
        """
        def ⟨leaky|lrelu⟩(z: float, a: float):
            return wp.where(z > 0.0, z, a * z)
        """,
    ),
    helper(
        "edge_cost",
        """
        def ⟨traversal_cost|edge_length⟩(base: int, kind: int)⟨| -> int⟩:
            # highways, roads, tracks and closed roads
            if kind == 0:
                return base
            elif kind == 1:
                return base + ⟨1|2⟩
            elif kind == 2:
                return 2 * base
            return 3 * base + 4
        """,
    ),
)
