"""The comments that a Python file has at the parameters of a function, and where a text puts them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from warpsmith.scoring.cuda_writer.layout.docstring_text import without_commas
from warpsmith.scoring.cuda_writer.layout.documented_shapes import without_first_shape, without_shapes
from warpsmith.scoring.cuda_writer.layout.source_comments import Comments

_HEADING = re.compile(
    r"(?:data |input |output )?(?:in|out|data|inputs?|outputs?|param(?:eter)?s|results?|arrays|scalars)", re.IGNORECASE
)
"""Comments above groups of parameters; a text has the parameters in another order."""


def remarks_of(comments: Comments, node: ast.FunctionDef) -> dict[str, str]:
    """Return the comments behind or above parameters that are alone on a line, by the names of these."""
    found: dict[str, str] = {}
    ends = {node.lineno, *(each.end_lineno or each.lineno for each in node.args.args)}
    for parameter in node.args.args:
        line, end = parameter.lineno, parameter.end_lineno or parameter.lineno
        if sum(each.lineno == line for each in node.args.args) > 1 or line == node.lineno:
            continue
        above = line
        while above - 1 not in ends and comments.alone(above - 1, above - 1):
            above -= 1
        texts = [each.text for each in comments.alone(above, line - 1)]
        texts = [text for text in texts if not _HEADING.fullmatch(text.strip("-=: "))]
        if text := comments.behind(line, end) or " ".join(texts):
            found[parameter.arg] = text
    return found


def with_shown_names(remarks: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Return comments by the names that parameters have in a text, without shapes that name something else than parameters.

    Args:
        remarks: the comments by the names in the Python.
        names: the names in the text by those in the Python.

    Examples:
        >>> with_shown_names({"q": "(num_cells,) Heat in J", "n": "[rows, cols]"}, {"q": "q", "n": "n_"})
        {'q': 'Heat in J'}
    """
    known = set(names.values())
    found = {}
    for name, remark in remarks.items():
        text = without_commas(without_shapes(without_first_shape(remark, known), known)).strip()
        if name in names and text:
            found[names[name]] = text
    return found
