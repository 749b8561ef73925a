"""A copy of a tree is equal to the tree, and a change of the copy does not change it."""

from __future__ import annotations

import ast
import inspect

from warpsmith.core.descriptions.tree_copy import tree_copy


def test_a_copy_is_equal_and_independent() -> None:
    tree = ast.parse(inspect.getsource(ast))
    before = ast.dump(tree, include_attributes=True)
    copied = tree_copy(tree)
    assert ast.dump(copied, include_attributes=True) == before
    own = {id(node) for node in ast.walk(tree) if node._fields}
    assert not [node for node in ast.walk(copied) if id(node) in own]
    for node in ast.walk(copied):
        for value in vars(node).values():
            if isinstance(value, list):
                value.clear()
    assert ast.dump(tree, include_attributes=True) == before
