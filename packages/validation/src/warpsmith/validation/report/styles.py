"""Styles of single elements as classes: a content security policy can name the digest of a style sheet, not of attributes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_ATTRIBUTE = re.compile(r' style="([^"]*)"')


@dataclass(slots=True)
class Styles:
    r"""The classes of a page, one for each different style.

    Examples:
        >>> styles = Styles()
        >>> styles.without_attributes('<path style="fill: none"/><path style="fill: none"/>')
        '<path class="y0"/><path class="y0"/>'
        >>> styles.sheet()
        '.y0.y0.y0{fill: none}\n'
    """

    _classes: dict[str, str] = field(default_factory=dict)

    def rule(self, style: str) -> str:
        """Return the class of elements with a style."""
        return self._classes.setdefault(style, f"y{len(self._classes)}")

    def without_attributes(self, drawing: str) -> str:
        """Return SVG with classes in place of its style attributes; it contains no text of a dataset, and no class."""
        return _ATTRIBUTE.sub(lambda found: f' class="{self.rule(found[1])}"', drawing)

    def sheet(self) -> str:
        """Return the rules of all classes; like attributes, they take precedence over other rules."""
        return "".join(f".{name}.{name}.{name}{{{style}}}\n" for style, name in self._classes.items())
