"""Category `gather_scatter`: tables, neighbour lists, compressed rows, edges of meshes and graphs."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary import THEMES
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, total
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 1.0), ("selection", 1.0), ("physics", 1.0), ("curve", 0.6)))

PARAMETERS = (
    length("t", 16, 16, "table_size", "num_nodes"),
    length("w", 3, 7, "row_width", "max_nnz"),
    array("at", INT, 0, 15, "indices", "sources", "parents", "lookup"),
    array("to", INT, 0, 11, "cells_of", "targets", "owner", "bin_ids"),
    array("table", FLOAT, -3.0, 3.0, "table", "palette", "values_in", "bank", dims=("t",)),
    array("cols", INT, 0, 15, "columns", "col_indices", "neighbors", dims=("n", "w")),
    array("vals", FLOAT, -2.0, 2.0, "coefficients", "nonzeros", "edge_weights", dims=("n", "w")),
    array("ea", INT, 0, 7, "edge_a", "heads"),
    array("eb", INT, 8, 15, "edge_b", "tails"),
    array("x", VEC3, -2.0, 2.0, "points", "nodes", "verts", dims=("t",)),
    total("sum", FLOAT, "scattered", "deposited", "binned", dims=("t",)),
    total("f", VEC3, "forces", "node_forces", "impulses_out", dims=("t",)),
)
S, C = inner("s", "src", "slot", "k"), inner("c", "col", "nb")
E = inner("e", "k", "edge", "entry_k")
A, B, D, L, F = (
    inner("a", "a", "ia", "head"),
    inner("b", "b", "ib", "tail"),
    inner("d", "delta", "edge_vec", "dx"),
    inner("l", "dist", "len_e"),
    inner("f", "f", "force_e"),
)
V = template_output("v", FLOAT, -12.0, 12.0, "gathered", "looked_up", "entry")
DOT = template_output("t", FLOAT, -60.0, 60.0, "dot_row", "acc", "spmv", linear=True)
W, K = template_input(FLOAT, -4.0, 4.0), template_input(FLOAT, 0.1, 2.0)
ENDS = "$a = {ea}[{i}]\n$b = {eb}[{i}]\n$d = {x}[$b] - {x}[$a]\n"

TEMPLATES = (
    Template("a gather", "$s = {at}[{i}]\n$v = {table}[$s]⟨| * {0}| - {table}[⟨0|15|15 - $s⟩]| + 0.5 * {table}[($s + 1) % 16]⟩", (K,), (S, V)),
    Template("a gather of a gather", "$s = {at}[{at}[{i}] % {n}]\n$v = {table}[$s]⟨| * {0}⟩", (K,), (S, V)),
    Template("a lookup with a blend", "$s = {at}[{i}]\n$v = wp.lerp({table}[$s], {table}[⟨15 - $s|wp.min($s + 1, 15)|($s + 1) % 16⟩], ⟨0.5|0.25|{0} * 0.5⟩)", (K,), (S, V)),
    Template("a scatter", "$s = {to}[{i}]\nwp.atomic_⟨add|add|sub⟩({sum}, $s, {0}⟨| * 0.5| * {0}⟩)", (W,), (S,)),
    Template("a scatter to two places", "$s = {to}[{i}]\nwp.atomic_add({sum}, $s, {0}⟨| * 0.5⟩)\nwp.atomic_⟨add|sub⟩({sum}, ⟨$s + 1|11 - $s⟩, {0} * ⟨0.5|0.25⟩)", (W,), (S,)),
    Template("a sparse product", "$t = float(0.0)\nfor $e in range({w}):\n    ⟨$c = {cols}[{i}, $e]\n    $t += {vals}[{i}, $e] * {table}[$c]|$t += {vals}[{i}, $e] * {table}[{cols}[{i}, $e]]⟩", (), (C, E, DOT)),
    Template("a sum over neighbours", "$t = float(0.0)\nfor $e in range({w}):\n    $t += {table}[{cols}[{i}, $e]]⟨| * 0.5| - {table}[{at}[{i}]]⟩", (), (E, DOT)),
    Template("forces along edges", ENDS + "$l = wp.length($d) + ⟨0.1|0.01⟩\n$f = $d * (⟨{0} * ($l - ⟨0.5|1.0⟩)|{0} / $l⟩)\nwp.atomic_add({f}, $a, $f)\nwp.atomic_sub({f}, $b, $f)", (W,), (A, B, D, L, F)),
    Template("a difference along an edge", "$a = {ea}[{i}]\n$b = {eb}[{i}]\n$v = ({table}[$b] - {table}[$a]) * {0}⟨|\nwp.atomic_add({sum}, $a, $v)\nwp.atomic_sub({sum}, $b, $v)⟩", (K,), (A, B, V)),
    Template("the length of an edge", ENDS + "$v = ⟨wp.length($d) - {0}|wp.length_sq($d) * 0.1|wp.dot($d, {x}[$a])⟩", (K,), (A, B, D, V)),
)  # fmt: skip

DOMAIN = DomainTemplate(THEMES, TEMPLATES, ("gather", "lookup", "scatter", "deposit", "propagate", "assemble"), PARAMETERS)
CATEGORY = Category("gather_scatter", DOMAIN.draw, WEIGHTS, "through indices", "arrays", dry_run=False)
