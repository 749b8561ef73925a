"""Data that several features of the domain `language` share: samples, indices, labels, vectors, counters."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.ideas.declare import code, data, integer, local, number, size
from warpsmith.synthesis.writing.ideas.parts import Extra, Index

PARAMETERS = (
    size("n", 24, 80, "count n num_items num_elements", "number of elements"),
    size("m", 5, 9, "num_columns m width num_features", "number of columns"),
    size("bins", 6, 10, "num_groups num_bins num_classes n_bins", "number of groups", constants="NUM_GROUPS NUM_BINS NUM_CLASSES"),
    size("worlds", 2, 4, "num_worlds world_count num_envs nworld", "number of worlds"),
    data("x", FLOAT, -3.0, 3.0, "values x samples src", "value of each element"),
    data("y", FLOAT, -3.0, 3.0, "targets y reference rhs", "value that each element is compared with"),
    data("w", FLOAT, 0.2, 2.0, "weights w masses coeff", "weight of each element"),
    data("v", VEC3, -2.0, 2.0, "velocities v vel directions", "vector of each element"),
    data("p", VEC3, -2.0, 2.0, "points p positions xyz", "point of each element in m"),
    data("table", FLOAT, -2.0, 2.0, "features xx rows feature_table", "features of each element", "n m"),
    data("idx", INT, -1, "n", "indices idx gather_ids source_index", "index of the source element, -1 for none", shared=True),
    data("link", INT, 0, "n", "neighbors link next_index partner", "index of the element that each element refers to", shared=True),
    data("lab", INT, 0, "bins", "labels group_ids class_ids bucket", "group of each element"),
    data("flags", INT, 0, 7, "flags status mask_bits attributes", "flag bits of each element"),
    data("keys", INT, 0, 500, "keys codes ids raw_codes", "key of each element"),
    data("x_out", FLOAT, 0.0, 0.0, "values_out y result dst", "result of each element"),
    data("v_out", VEC3, 0.0, 0.0, "vectors_out v_out result_v new_vectors", "resulting vector of each element"),
    data("i_out", INT, 0, 0, "codes_out labels_out result_ids out_index", "resulting code of each element"),
    data("state_out", INT, 0, 0, "status_out state_out flags_out new_status", "resulting state of each element"),
    data("counter", INT, 0, 0, "counter num_selected hit_count total_count", "number of elements that were counted", "1", start=0.0),
    data("group_n", INT, 0, 0, "group_counts bin_counts class_counts members", "number of elements in each group", "bins", start=0.0),
    data("group_x", FLOAT, 0.0, 0.0, "group_sums bin_sums class_totals sums", "sum of the values of each group", "bins", start=0.0),
    number("k", 0.25, 1.5, "alpha scale factor gain", "factor"),
    number("dt", 0.005, 0.05, "dt delta_time time_step", "time step in s", "DT TIME_STEP", (0.01, 0.02)),
    number("cut", 0.4, 1.2, "threshold cutoff limit max_value", "threshold", "THRESHOLD CUTOFF LIMIT", (0.5, 0.75, 1.0)),
    integer("which", 0, 5, "selected group_id active_label target", "group that is selected"),
    code("SKIP", 1, "FLAG_SKIP SKIP_BIT IGNORED", "the element is skipped"),
    code("PINNED", 2, "FLAG_PINNED FIXED_BIT LOCKED", "the element is fixed"),
    code("DIRTY", 4, "FLAG_DIRTY CHANGED_BIT MODIFIED", "the element has changed"),
)  # fmt: skip

INDICES = (
    Index("i", "n", "tid i idx_i thread_id", "element"),
    Index("j", "m", "j col k c", "column"),
)

WORLD = Index("world", "worlds", "world worldid env_id wid", "world")

LOCALS = (
    local("x", "{x}[$i]"),
    local("y", "{y}[$i]"),
    local("w", "{w}[$i]"),
    local("v", "{v}[$i]"),
    local("p", "{p}[$i]"),
    local("lab", "{lab}[$i]"),
    local("flag", "{flags}[$i]"),
    local("key", "{keys}[$i]"),
)

NAMES = {
    "x": "x value x_i val",
    "y": "y target y_i ref",
    "w": "w weight w_i mass",
    "v": "v vel v_i vec",
    "p": "p point pos p_i",
    "lab": "label group g cls",
    "flag": "flag status f bits",
    "key": "key code raw id_i",
    "j": "j other nbr src",
    "q": "q k step it",
    "s": "total acc sum_x s",
    "r": "r result res val_out",
    "row": "row ni r2 neighbor_row",
    "col": "col nj c2 neighbor_col",
    "c": "c center color cc",
    "a": "a feat coeffs m",
    "h": "h half_width half dx",
    "f": "f force mag f_i",
    "l": "l length dist len_d",
    "b": "b bias ref_b other_b",
    "d": "d delta diff offset",
    "n": "count n_found hits c",
    "t": "t blend frac u",
}

EXTRAS = (
    Extra("begin", "if {flags}[$i] & {SKIP} != 0:\n    return\n"),
    Extra("begin", "# only the selected group is processed\nif {lab}[$i] ⟨!=|==⟩ {which}:\n    return\n"),
    Extra("begin", "if {flags}[$i] & {PINNED} ⟨==|!=⟩ 0⟨| or {lab}[$i] == 0⟩:\n    return\n"),
    Extra("begin", "if {keys}[$i] ⟨% 3|% 4⟩ == ⟨0|1⟩:\n    return\n"),
    Extra("end", "wp.atomic_add({counter}, 0, 1)"),
    Extra("end", "wp.atomic_add({group_n}, {lab}[$i], 1)"),
    Extra("end", "if {flags}[$i] & {DIRTY} != 0:\n    wp.atomic_add({group_n}, {lab}[$i], ⟨1|2⟩)"),
    Extra("end", "{state_out}[$i] = ⟨{flags}[$i] | {DIRTY}|{flags}[$i] & ~{DIRTY}|({lab}[$i] << 3) | {flags}[$i]⟩"),
    Extra("end", "if {lab}[$i] == {which} ⟨and|or⟩ {flags}[$i] & {PINNED} != 0:\n    {state_out}[$i] = ⟨{flags}[$i] | {DIRTY}|{flags}[$i] ^ {PINNED}⟩\n    wp.atomic_add({counter}, 0, 1)"),
)  # fmt: skip
