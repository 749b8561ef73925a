"""Why a kernel was not interpreted to its end."""

from __future__ import annotations


class Unsupported(Exception):
    """The kernel uses something that is not in the oracle's language; one line says what."""


class Undefined(Unsupported):
    """The kernel does what C leaves undefined, such as reading beyond an array; no result could be held against it."""


class Exhausted(Unsupported):
    """The kernel takes more steps than the caller allows, as an endless loop does."""
