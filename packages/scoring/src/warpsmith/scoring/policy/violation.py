"""The error of a text that the policy refuses."""

from __future__ import annotations


class Violation(Exception):
    """A text contains something that the policy does not allow; the message is one line with the line number and the cause."""

    @classmethod
    def at(cls, line: int, reason: str) -> Violation:
        """Return the violation of a line."""
        return cls(f"line {line}: {reason}")

    @classmethod
    def name(cls, line: int, name: str) -> Violation:
        """Return the violation of a name."""
        return cls(f"line {line}: the name '{name[:60]}' is not allowed")
