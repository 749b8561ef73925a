"""Extras of the domain `sampling`: early exits, limits, bookkeeping."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Extra

EXTRAS = (
    # a thread of a sample begins
    Extra("begin", "# skip masked samples\nif not {valid}[$i]:\n    return\n"),
    Extra("begin", "if {flag}[$i] ⟨== {BAD}|>= {BAD}⟩:\n    return\n"),
    Extra("begin", "if {grp}[$i] == {only}:\n    return\n"),
    Extra("begin", "⟨if {tag}[$i] == {MISSING}|# not usable\nif {tag}[$i] < 0⟩:\n    return\n"),
    # the value $x is known and may change
    Extra("value", "$x = wp.clamp($x, -{clip}, {clip})"),
    Extra("value", "if $x > {clip}:\n    # an outlier\n    $x = {clip}\n"),
    Extra("value", "# the mean of the group in place of a doubtful value\n$x = wp.where({flag}[$i] == {SUSPECT}, {mean}[{grp}[$i]], $x)"),
    Extra("value", "# soft limit\n$x = {clip} * wp.tanh($x / {clip})"),
    # a channel begins
    Extra("channel", "if {bad}[$c] == 3:\n    return\n"),
    Extra("channel", "# too short\nif {len}[$c] < 12:\n    return\n"),
    Extra("channel", "if {bad}[$c] == ⟨1|2⟩ or {len}[$c] < 14:\n    return\n"),
    # an option, with its value $pay
    Extra("payoff", "if $pay > {cap}:\n    # capped\n    $pay = {cap}\n"),
    Extra("payoff", "$pay = ⟨$pay - {fee}|$pay * (1.0 - {fee})|wp.max($pay - {fee}, 0.0)⟩"),
    # an agent begins
    Extra("agent", "if {region}[$ag] == {only}:\n    # a closed region\n    return\n"),
    Extra("agent", "if {sir}[$ag] == {D}:\n    return\n"),
    Extra("agent", "if {vax}[$ag]⟨| and {band}[$ag] > 1⟩:\n    return\n"),
)  # fmt: skip
