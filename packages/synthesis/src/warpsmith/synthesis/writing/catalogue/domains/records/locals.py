"""Locals, loops and extras of the domain `records`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

LOCALS = (
    # the row itself, or the row that the order contains there, for all columns
    local("key", "⟨9:{keys}[$i]|{keys}[$i]|{keys}[{order}[$i]]⟩"),
    local("val", "⟨9:{values}[$i]|{values}[$i]|{values}[{order}[$i]]⟩"),
    local("target", "⟨9:{queries}[$i]|{queries}[$i]|{queries}[{order}[$i]]⟩"),
    local("id", "⟨9:{ids}[$i]|{ids}[$i]|{ids}[{order}[$i]]⟩"),
    local("word", "⟨9:{words_a}[$i]|{words_a}[$i]|{words_a}[{order}[$i]]⟩"),
    local("state_bits", "{state}[$i]"),
    local("grp", "{group}[$i]"),
    local("begin_tick", "{begins}[$i]"),
    local("end_tick", "{begins}[$i] + {lengths}[$i]", "$begin_tick + {lengths}[$i]"),
)

LOOPS = (
    loop(
        "item",
        """
        for $k in range({row_start}[$i], {row_start}[$i + 1]):
            $item = {items}[$k]
            body
        """,
        """
        $first_item = {row_start}[$i]
        $last_item = {row_start}[$i + 1]
        for $k in range($first_item, $last_item):
            $item = {items}[$k]
            body
        """,
        """
        $k = {row_start}[$i]
        while $k < {row_start}[$i + 1]:
            $item = {items}[$k]
            $k += 1
            body
        """,
        """
        $count_items = {row_start}[$i + 1] - {row_start}[$i]
        for $k in range($count_items):
            $item = {items}[{row_start}[$i] + $k]
            body
        """,
    ),
)

EXTRAS = (
    Extra("skip", "if not {valid}[$i]:\n    return"),
    Extra("skip", "⟨# unused rows have no state bits\nif {state}[$i] == 0|if ({state}[$i] & {LIVE}) == 0⟩:\n    return"),
    Extra("skip", "if {part}[$i] != {which}:\n    return"),
    Extra("skip", "$state_bits = {state}[$i]\nif ($state_bits & {LOCKED}) != 0 and ($state_bits & {DIRTY}) == 0:\n    return"),
    Extra("skip", "# heavy rows that are locked wait for the next pass\nif {cost}[$i] > {HEAVY} and ({state}[$i] & {LOCKED}) != 0:\n    return"),
    Extra("skip", "if {ages}[$i] ⟨< {MIN_AGE}|> {MAX_AGE}⟩:\n    return"),
    Extra("group_done", "{out_flag}[$i] = 1"),
    Extra("group_done", "wp.atomic_add({counter}, 0, 1)"),
    Extra("lookup_hit", "wp.atomic_add({counter}, 0, 1)"),
    Extra("lookup_hit", "{out_bool}[$i] = True"),
    Extra("lookup_miss", "wp.atomic_add({misses}, 0, 1)"),
    Extra("lookup_miss", "# count the misses of each partition\nwp.atomic_add({stats}, {part}[$i], 1)"),
    Extra("swapped", "wp.atomic_add({swaps}, 0, 1)"),
    Extra("swapped", "# any exchange means that another pass is needed\nwp.atomic_max({swaps}, 0, 1)"),
    Extra("probe_done", "{out_count}[$i] = $probe"),
    Extra("probe_done", "# long chains hint at a table that is too full\nif $probe >= {PROBES} // 2:\n    wp.atomic_add({stats}, 1, 1)"),
    Extra("probe_done", "wp.atomic_max({stats}, 0, $probe)"),
    Extra("queue_skip", "if {arrivals}[$q] < 0 and {budget}[$q] == 0:\n    return"),
    Extra("queue_skip", "# nothing to do for queues without credits\nif {budget}[$q] == 0:\n    return"),

)  # fmt: skip
