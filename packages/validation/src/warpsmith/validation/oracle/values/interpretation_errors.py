"""The reasons why an interpretation ends early."""

from __future__ import annotations


class Unsupported(Exception):
    """The kernel uses a construct that the interpreter does not support; the message names it in one line."""


class Undefined(Unsupported):
    """The kernel has behaviour that C leaves undefined, such as reading beyond an array; its results cannot be compared."""


class Misuse(Undefined):
    """The kernel accesses what does not exist: an element beyond an array or a tile, or a variable without a value."""


class Exhausted(Unsupported):
    """The kernel takes more steps than the caller allows, for example in an endless loop."""


class Apart(Unsupported):
    """The threads of a launch cannot run together; they have to run one after another."""
