"""Renders figures, pairs, style and script into one file that loads nothing and runs only its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from warpsmith.validation.report import extra
from warpsmith.validation.report.page_pairs import PagePair
from warpsmith.validation.report.page_variables import Figures
from warpsmith.validation.report.styles import Styles

_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

_PARTS = ("elements", "filters", "list", "copy", "pair", "marks", "navigation", "keys", "theme")
"""The files of the script, which share one scope, in order."""
_SCRIPT = '"use strict";\n(() => {{\n{}}})();\n'


def render(figures: Figures, pairs: Sequence[PagePair]) -> bytes:
    """Return the page; all content of the dataset is escaped.

    As a second defence, the content security policy allows only the script and the style with the digests that it names.
    """
    library = extra.load("jinja2")
    loader = library.PackageLoader(__package__, ".")
    environment = library.Environment(
        loader=loader, autoescape=True, undefined=library.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.policies["json.dumps_kwargs"] = {}  # keys keep their order, which is that of the levels
    style = loader.get_source(environment, "page.css")[0]
    script = _SCRIPT.format("\n".join(loader.get_source(environment, f"browser/{name}.js")[0] for name in _PARTS))
    page = environment.get_template("page.html.j2").render(
        **figures,
        policy=lambda sheet: _POLICY.format(script=_digest(script), style=_digest(str(sheet))),
        styles=Styles(),
        script=script,
        style=style,
        cards=[pair.card for pair in pairs],
        sheets=[pair.sheet for pair in pairs],
    )
    return str(page).encode()


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
