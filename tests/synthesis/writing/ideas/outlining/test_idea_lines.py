"""Lines of ideas: what they assign, read, change and call."""

from __future__ import annotations

import pytest

from warpsmith.synthesis.writing.ideas.outlining.idea_lines import mark, read_expression, read_line, shape_of, unmark


@pytest.mark.parametrize(
    ("text", "kind", "targets", "reads", "changes", "pure"),
    [
        ("$x = wp.length({pos}[$i] - $b)", "assign", ("x",), {"i", "b"}, set(), True),
        ("$a, $b = @f($x)", "assign", ("a", "b"), {"x"}, set(), True),
        ("$x: float = 1.0", "assign", ("x",), set(), set(), True),
        ("$x += {masses}[$j]", "change", (), {"x", "j"}, {"x"}, True),
        ("$v[0] = 1.0", "change", (), {"v"}, {"v"}, True),
        ("{out}[$i] = $x * 2.0", "store", (), {"i", "x"}, set(), False),
        ("wp.atomic_add({out}, $i, $x)", "effect", (), {"i", "x"}, set(), False),
        ("$slot = wp.atomic_add({out}, 0, 1)", "effect", (), {"slot"}, set(), False),
        ("for $k in range({n}):", "for", ("k",), set(), set(), True),
        ("while wp.bvh_query_next($q, $b):", "while", (), {"q", "b"}, {"q", "b"}, True),
        ("elif $x > 1.0:", "elif", (), {"x"}, set(), True),
        ("$u = wp.randf($state)", "assign", ("u",), {"state"}, {"state"}, True),
        ("$t = wp.tile_load({x}, shape=4)", "assign", ("t",), set(), set(), False),
        ("return", "jump", (), set(), set(), True),
        ("# $x = 1.0", "blank", (), set(), set(), True),
        ("assert $x > 0.0", "other", (), {"x"}, set(), False),
    ],
)
def test_lines_are_taken_apart(
    text: str, kind: str, targets: tuple[str, ...], reads: set[str], changes: set[str], pure: bool
) -> None:
    line = read_line(text)
    assert (line.kind, line.targets, set(line.reads), set(line.changes), line.pure) == (kind, targets, reads, changes, pure)


def test_a_line_names_parameters_functions_and_what_it_changes() -> None:
    line = read_line("wp.atomic_add({forces}, $j, @spring({rest}[$i], $d) * 2.0)")
    assert line.parameters == {"forces", "rest"}
    assert (line.calls, line.owner, line.weight) == ({"spring"}, "{forces}", 3)


def test_expressions_keep_their_texts() -> None:
    expression = read_expression("$a + {x}[$i, {n} - 1] * @f(1.0e-6)")
    assert expression is not None
    assert expression.text_of(expression.node) == "$a + {x}[$i, {n} - 1] * @f(1.0e-6)"
    assert unmark(mark("$a @ $b + {x}[@f($c)]")) == "$a @ $b + {x}[@f($c)]"
    assert read_expression("$a = 1") is None


def test_shapes_have_no_names() -> None:
    assert shape_of("$a = {x}[{ids}[$i]] - $b * {gain}") == "# = # - # * #"
