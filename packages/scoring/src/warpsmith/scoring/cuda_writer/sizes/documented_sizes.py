"""Names of sizes that the docstring of a kernel, or a comment at a parameter, has in a shape."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from warpsmith.scoring.cuda_writer.layout.docstring_text import read_docstring
from warpsmith.scoring.cuda_writer.layout.documented_shapes import axes_of
from warpsmith.scoring.cuda_writer.layout.parameter_remarks import remarks_of
from warpsmith.scoring.cuda_writer.layout.source_comments import Comments
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import Source


def documented_sizes(node: ast.FunctionDef, comments: Comments, dimensions: Mapping[str, int]) -> dict[Source, str]:
    r"""Return the sizes that shapes of arrays mention: names, and terms such as ``rows+1``.

    Args:
        node: the kernel.
        comments: the comments of its file.
        dimensions: the number of axes of each of its arrays.

    Examples:
        >>> text = 'def f(x, y):\n    "Sum.\\n\\nArgs:\\n    x: Terms, shape (rows, 3).\\n    y: Sums, shape (rows + 1,)."'
        >>> documented_sizes(ast.parse(text).body[0], Comments(text), {"x": 2, "y": 1})
        {('x', 0): 'rows', ('y', 0): 'rows+1'}
    """
    texts = [*remarks_of(comments, node).items(), *read_docstring(ast.get_docstring(node) or "").parameters]
    found: dict[Source, str] = {}
    for array, text in texts:
        axes = axes_of(text)
        if axes and len(axes) == dimensions.get(array):
            found |= {(array, number): axis for number, axis in enumerate(axes) if not axis.isdigit()}
    return found
