"""Gathering and scattering: neighbour lists, compressed rows, indexed arrays, edges of meshes and graphs."""

from __future__ import annotations

from warpsmith.extraction.record import Domain
from warpsmith.synthesis.language.nodes import Kernel, Phrase, Steps
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.categories.category import Category
from warpsmith.synthesis.writing.palette import Palette
from warpsmith.synthesis.writing.phrases import give, inner, need, vary
from warpsmith.synthesis.writing.sketch import Sketch, result

PALETTE = Palette((("arithmetic", 4.0), ("vector", 1.0), ("selection", 1.0), ("physics", 1.0), ("curve", 0.6)))


def draw(s: Sketch) -> Kernel:
    """One of four ways to reach elements by indices, around steps of the grammar."""
    return s.d.choice((_gather, _scatter, _rows, _edges, _indexed))(s)


def _gather(s: Sketch) -> Kernel:
    """Elements of a table, at an index of each thread."""
    d = s.d
    read, (low, high) = s.input(FLOAT), (-3.0, 3.0)
    places = s.array(d.choice(("indices", "sources", "parents", "lookup")), INT, 0, 15)
    table = s.array(d.choice(("table", "palette", "values", "bank")), FLOAT, low, high, ("t",))
    s.size("t", 16, 16)
    opening, at = s.threads()
    i = at[0].name
    text = f"$k = {places.name}[{i}]\n$v = {table.name}[$k]⟨| * ⟨0.5|2.0⟩| - {table.name}[⟨0|15|15 - $k⟩]⟩"
    gather = Phrase(
        vary(text, d),
        (),
        (inner("k", "src", "slot", "k"), give("v", FLOAT, -9.0, 9.0, "gathered", "looked_up", "entry")),
        "a gather",
    )
    body = (*opening, *s.fetch(read, at=at), gather, Steps(1, (FLOAT,), 1), result(s.output(FLOAT), at))
    return s.kernel(d.choice(("gather", "lookup", "fetch", "remap")), body)


def _scatter(s: Sketch) -> Kernel:
    """A value of each thread, added where an index says."""
    d = s.d
    read = s.input(FLOAT)
    places = s.array(d.choice(("indices", "cells", "targets", "owner")), INT, 0, 11)
    s.size("t", 12, 12)
    opening, at = s.threads()
    out = s.output(FLOAT, ("t",), role="inout")
    per_thread = s.output(FLOAT)
    i = at[0].name
    text = f"$k = {places.name}[{i}]\nwp.atomic_⟨add|add|sub⟩({out.name}, $k, {{0}}⟨| * 0.5⟩)"
    scatter = Phrase(vary(text, d), (need(FLOAT, -4.0, 4.0),), (inner("k", "dst", "bin_k", "owner_k"),), "a scatter")
    body = (*opening, *s.fetch(read, at=at), Steps(1, (FLOAT,), 1), scatter, result(per_thread, at))
    return s.kernel(d.choice(("scatter", "splat", "deposit", "bin")), body)


def _rows(s: Sketch) -> Kernel:
    """A product of a sparse matrix in compressed rows with a vector."""
    d = s.d
    read = s.input(FLOAT)
    columns = s.array(d.choice(("columns", "col_indices", "neighbors")), INT, 0, 15, ("n", "k"))
    values = s.array(d.choice(("weights", "coefficients", "nonzeros")), FLOAT, -2.0, 2.0, ("n", "k"))
    x = s.array(d.choice(("x", "state_vec", "field_in")), FLOAT, -2.0, 2.0, ("t",))
    s.size("t", 16, 16)
    s.size("k", 3, 7)
    opening, at = s.threads()
    i = at[0].name
    text = (
        f"$n = {columns.name}.shape[1]\n$t = float(0.0)\nfor $k in range($n):\n"
        f"    ⟨$c = {columns.name}[{i}, $k]\n    $t += {values.name}[{i}, $k] * {x.name}[$c]|$t += {values.name}[{i}, $k] * {x.name}[{columns.name}[{i}, $k]]⟩"
    )
    gives = (
        inner("n", "width_n", "nnz"),
        inner("k", "k", "edge"),
        inner("c", "col", "nb"),
        give("t", FLOAT, -40.0, 40.0, "dot_row", "acc", "spmv", linear=True),
    )
    body = (*opening, *s.fetch(read, at=at), Phrase(vary(text, d), (), gives, "a sparse product"), result(s.output(FLOAT), at))
    return s.kernel(d.choice(("multiply", "spread", "propagate", "aggregate")), body)


def _edges(s: Sketch) -> Kernel:
    """A force of each edge, added to both of its ends."""
    d = s.d
    first, second = s.array("edge_a", INT, 0, 7), s.array("edge_b", INT, 8, 15)
    points = s.array(d.choice(("points", "nodes", "verts")), VEC3, -2.0, 2.0, ("t",))
    rest = s.input(FLOAT)
    s.size("t", 16, 16)
    opening, at = s.threads()
    out = s.output(VEC3, ("t",), role="inout", name=d.choice(("forces", "node_forces", "impulses")))
    i = at[0].name
    text = (
        f"$a = {first.name}[{i}]\n$b = {second.name}[{i}]\n$d = {points.name}[$b] - {points.name}[$a]\n$l = wp.length($d) + ⟨0.1|0.01⟩\n"
        f"$f = $d * (⟨{{0}} * ($l - ⟨0.5|1.0⟩)|{{0}} / $l⟩)\nwp.atomic_add({out.name}, $a, $f)\nwp.atomic_sub({out.name}, $b, $f)"
    )
    gives = (
        inner("a", "a", "ia", "head"),
        inner("b", "b", "ib", "tail"),
        inner("d", "delta", "edge_vec", "dx"),
        inner("l", "dist", "len_e"),
        inner("f", "f", "force_e"),
    )
    per_edge = s.output(FLOAT)
    body = (
        *opening,
        *s.fetch(rest, at=at),
        Steps(1, (FLOAT,), 1),
        Phrase(vary(text, d), (need(FLOAT, -4.0, 4.0),), gives, "forces along edges"),
        result(per_edge, at),
    )
    return s.kernel(d.choice(("apply", "assemble", "accumulate", "solve")), body)


def _indexed(s: Sketch) -> Kernel:
    """Elements that an indexed array selects."""
    d = s.d
    read = s.input(FLOAT)
    opening, at = s.threads()
    about = {
        "kind": "indexed_array",
        "dtype": "float32",
        "shape": s.shape("n"),
        "domain": Domain(kind="uniform", low=-2.0, high=2.0),
    }
    name = s.other(d.choice(("selected", "subset", "active")), "wp.indexedarray(dtype=float)", **about)
    text = f"$v = {name}[{at[0].name}]⟨| * ⟨0.5|3.0⟩⟩"
    phrase = Phrase(vary(text, d), (), (give("v", FLOAT, -6.0, 6.0, "picked", "sel", "active_value"),), "an indexed array")
    body = (*opening, *s.fetch(read, at=at), phrase, Steps(1, (FLOAT,), 1), result(s.output(FLOAT), at))
    return s.kernel(d.choice(("select", "compact", "filter", "mask")), body)


CATEGORY = Category("gather_scatter", draw, PALETTE, "through indices", "arrays", tried=False)
