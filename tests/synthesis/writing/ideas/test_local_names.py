"""Names of locals and functions: nothing that only the catalogue knows is in them."""

from __future__ import annotations

import ast
import re

import pytest

from warpsmith.synthesis.kernel_key import Complexity, KernelKey
from warpsmith.synthesis.writing.generate import write_kernel


@pytest.mark.exhaustive
@pytest.mark.parametrize("complexity", ["medium", "large"])
def test_names_do_not_begin_with_the_topic_of_their_rows(complexity: Complexity) -> None:
    for index in range(150):
        for node in ast.walk(ast.parse(write_kernel(KernelKey(2000, index, complexity=complexity)).source)):
            name = node.name if isinstance(node, ast.FunctionDef) else node.id if isinstance(node, ast.Name) else ""
            assert not re.match(r"_?(?:l(?:g|k|fs|ew|pw|sw|wp|wb)|m\d[a-z]|M\d[A-Z]?)_", name)
