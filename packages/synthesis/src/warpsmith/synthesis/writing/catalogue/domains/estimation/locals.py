"""Locals, loops and extras of the domain `estimation`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra, Local

# the position in the list, or the place in the table that the list contains there, for all values of a track
_TRACK = "⟨9:{%s}[$i]|{%s}[$i]|{%s}[{slot}[$i]]⟩"
_SAMPLE = "⟨9:{%s}[$s]|{%s}[$s]|{%s}[{lane}[$s]]⟩"

_ELEMENT = "⟨9:{%s}[$el]|{%s}[$el]|{%s}[{el_slot}[$el]]⟩"


def _element(key: str, array: str) -> Local:
    return local(key, _ELEMENT % (array, array, array))


def _tracked(key: str, array: str) -> Local:
    return local(key, _TRACK % (array, array, array))


def _sampled(key: str, array: str) -> Local:
    return local(key, _SAMPLE % (array, array, array))


_BY_TRACK = {
    "x2": "x2", "x3": "x3", "x4": "x4", "v3": "v3", "P2": "P2", "P3": "P3", "P4": "P4", "z2": "z2", "z3": "z3", "z1": "z1", "h3": "h3",
    "A2": "A2", "A3": "A3", "A4": "A4", "b2": "b2", "b3": "b3", "b4": "b4", "R": "rot", "T": "pose", "q": "quat", "axis": "axis", "angle": "angle",
    "wt": "weight",
    "var_i": "var", "st": "mode",
}  # fmt: skip
_BY_ELEMENT = {
    "Fd": "defgrad", "eps": "strain", "sig": "stress", "I_b": "inertia", "om": "omega", "lever": "lever", "mass_i": "mass", "R_el": "el_rot",
    "q_el": "el_quat",
}  # fmt: skip
_BY_SAMPLE = {
    "a_raw": "acc",
    "w_raw": "gyro",
    "field": "mag",
    "q_s": "att",
    "v_s": "vel",
    "p_s": "pos",
    "rgb": "color",
    "stat": "status",
}

LOCALS = (
    *(_tracked(key, array) for key, array in _BY_TRACK.items()),
    *(_element(key, array) for key, array in _BY_ELEMENT.items()),
    *(_sampled(key, array) for key, array in _BY_SAMPLE.items()),
    local("sid", "{sensor}[$i]"),
    local("dev_id", "{src}[$s]"),
    local("mode_i", "{model}[$i]"),
    local("cl", "{group}[$i]"),
    local("cl_el", "{el_group}[$el]"),
    local("eye2", "wp.identity(n=2, dtype=float)", "wp.mat22(1.0, 0.0, 0.0, 1.0)"),
    local("eye3", "wp.identity(n=3, dtype=float)", "wp.diag(wp.vec3(1.0, 1.0, 1.0))"),
    local("eye4", "wp.identity(n=4, dtype=float)", "wp.diag(wp.vec4(1.0, 1.0, 1.0, 1.0))"),
)

LOOPS = (
    loop(
        "sensor",
        """
        for $k in range({c}):
            if {enabled}[$k] == 1:
                body
        """,
        """
        for $k in range({c}):
            # sensors that are off contribute nothing
            if {enabled}[$k] == 0:
                continue
            body
        """,
        """
        for $k in range({c}):
            body
        """,
        """
        for $k in range({c}):
            # only the other sensors
            if {enabled}[$k] != 0 and $k != {sensor}[$i]:
                body
        """,
    ),
    loop(
        "row",
        """
        for $k in range({r}):
            body
        """,
        """
        for $k in range({r}):
            if {inlier}[$i, $k] == 1:
                body
        """,
        """
        for $k in range({r}):
            # rows that were rejected
            if {inlier}[$i, $k] == 0:
                continue
            body
        """,
    ),
)

EXTRAS = (
    Extra("track", "if {mode}[$i] ⟨== {FREE}|== {LOST}|!= {SURE}⟩:\n    return"),
    Extra("track", "if not {valid}[$i]:\n    return"),
    Extra("track", "# fixed tracks keep their estimate\nif ({bits}[$i] & {BIT_FIX}) != 0:\n    return"),
    Extra("track", "if {miss}[$i] ⟨> {MAX_MISS}|!= 0 and {age}[$i] > {max_age}⟩:\n    return"),
    Extra("track", "# time stamps of the future\nif {now} - {stamp}[$i] < 0:\n    return"),
    Extra("track", "if {label}[$i] ⟨== {wanted}|!= {wanted}⟩:\n    return"),
    Extra("track", "if {hit}[$i] < {MIN_HITS} and {age}[$i] < {max_age}:\n    return"),
    Extra("done", "{flag}[$i] = 1"),
    Extra("done", "wp.atomic_add({count}, 0, 1)"),
    Extra("done", "# usage of each sensor\nwp.atomic_add({by_sensor}, {sensor}[$i], 1)"),
    Extra("done", "if {hit}[$i] >= {MIN_HITS}:\n    wp.atomic_add({per_mode}, {SURE}, 1)"),
    Extra("done", "{age_out}[$i] = {age}[$i] + 1"),
    Extra("element", "if not {el_on}[$el]:\n    return"),
    Extra("element", "if {kind}[$el] == ⟨{SOFT}|{ELASTIC}⟩:\n    return"),
    Extra("element", "if {el_group}[$el] ⟨< 0|== {NONE}⟩:\n    return"),
    Extra("element_done", "{el_flag}[$el] = 1"),
    Extra("element_done", "wp.atomic_add({per_mode}, {kind}[$el], 1)"),
    Extra("element_done", "if {el_on}[$el]:\n    wp.atomic_add({count}, 0, 1)"),
    Extra("sample", "if {status}[$s] ⟨== {CLIP}|!= {GOOD}|>= {CLIP}⟩:\n    return"),
    Extra("sample", "if {still}[$s]:\n    return"),
    Extra("sample", "# samples that arrived too late\nif {tick}[$s] > {max_age}:\n    return"),
    Extra("sample_done", "wp.atomic_add({by_sensor}, {src}[$s], 1)"),
    Extra("sample_done", "{s_flag}[$s] = 1"),
    Extra("sample_done", "if {status}[$s] == {NOISY}:\n    wp.atomic_add({count}, 0, 1)"),
)  # fmt: skip
