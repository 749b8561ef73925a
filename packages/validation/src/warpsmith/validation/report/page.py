"""Puts figures, pairs, style and script into one file that may load nothing and run nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

from warpsmith.validation.report import extra
from warpsmith.validation.report.pairs import Shown

_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def render(figures: dict[str, Any], shown: Sequence[Shown]) -> bytes:
    """Return the page: whatever comes from a dataset is escaped, and its texts are packed.

    Should an escape be missing, the policy still lets nothing run: it names the digest of the one script.
    """
    library = extra.jinja2()
    loader = library.PackageLoader(__package__, ".")
    environment = library.Environment(
        loader=loader, autoescape=True, undefined=library.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    script, style = (loader.get_source(environment, name)[0] for name in ("page.js", "page.css"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = environment.get_template("page.html.j2").render(
        **figures,
        policy=_POLICY.format(script=digest),
        script=script,
        style=style,
        cards=[pair.card for pair in shown],
        sheets=[pair.sheet for pair in shown],
    )
    return str(page).encode()
