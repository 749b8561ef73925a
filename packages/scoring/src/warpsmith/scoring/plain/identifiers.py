"""The names of a plain CUDA text: those that it declares, those that CUDA has, and those that the emulation lacks."""

from __future__ import annotations

from warpsmith.scoring.plain import plain_names
from warpsmith.scoring.policy.lexer import LINKAGE, NAME, PUNCTUATION, STRING, Tokens
from warpsmith.scoring.policy.violation import Violation

CLOSING = {"(": ")", "[": "]", "{": "}"}
"""The bracket that closes another."""

_BEFORE_DECLARATORS = ("*", "&", *plain_names.QUALIFIERS, *plain_names.FUNCTION_WORDS)
_WORDS = plain_names.STATEMENTS | plain_names.QUALIFIERS | plain_names.CASTS | plain_names.FUNCTION_WORDS | plain_names.MEMORY


class UnsupportedError(Violation):
    """The text uses something of CUDA that the emulation lacks."""


class Identifiers:
    """The tokens of a text, whose names can be checked.

    Attributes:
        structs: the structs that the text defines.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.kinds, self.texts, self.lines = tokens.kinds, tokens.texts, tokens.lines
        starts = range(len(self.texts) - 1)
        self.structs = {self.texts[at + 1] for at in starts if self.texts[at] == "struct" and self.kinds[at + 1] == NAME}

    def check(self) -> None:
        """Check all names, strings and brackets of the text.

        Raises:
            UnsupportedError: a name of CUDA that the emulation lacks.
            Violation: a name that the text does not declare, or a construct that no plain text contains.
        """
        declared = self._declared()
        self._check_unsupported(declared)
        for at in range(len(self.texts)):
            self._check_token(at, declared)

    def refuse(self, at: int, reason: str) -> Violation:
        """Return the violation at a token."""
        return Violation.at(self.lines[at], reason)

    def _check_unsupported(self, declared: set[str]) -> None:
        for at, text in enumerate(self.texts):
            is_declared = text in declared or (at > 0 and self.texts[at - 1] in (".", "->"))
            if self.kinds[at] == NAME and plain_names.UNSUPPORTED.fullmatch(text) and not is_declared:
                raise UnsupportedError.at(self.lines[at], f"'{text[:60]}' is not supported")

    def _is_type(self, at: int) -> bool:
        text = self.texts[at]
        return text in plain_names.TYPE_WORDS or text in plain_names.TYPES or text in self.structs

    def _is_declared_here(self, at: int) -> bool:
        """Return whether a name follows a type, perhaps with stars, qualifiers and bounds of a launch between them."""
        before = at - 1
        if self.texts[before] == ")" and "__launch_bounds__" in self.texts[max(before - 5, 0) : before]:
            before = at - 2 - self.texts[before - 1 :: -1].index("__launch_bounds__") - 1
        while before >= 0 and self.texts[before] in _BEFORE_DECLARATORS:
            before -= 1
        return before >= 0 and self._is_type(before) and self.texts[at + 1] != "::"

    def _declared(self) -> set[str]:
        """Return all names that the text declares: names after types, further ones after commas, and labels."""
        found, declaring = set(self.structs), [False]
        for at, text in enumerate(self.texts):
            if text in CLOSING:
                declaring.append(False)
            elif text in CLOSING.values() and len(declaring) > 1:
                declaring.pop()
            elif text == ";":
                declaring[-1] = False
            elif text == "," and declaring[-1]:
                found |= self._names_after(at)
            elif self.kinds[at] == NAME and at and not self._is_type(at) and text not in _WORDS:
                if self._is_declared_here(at):
                    declaring[-1] = True
                    found.add(self._free(at))
                elif self.texts[at + 1] == ":" and self.texts[at - 1] in (";", "{", "}") and text not in plain_names.STATEMENTS:
                    found.add(self._free(at))
        return found

    def _names_after(self, at: int) -> set[str]:
        """Return the name that a declaration declares after a comma; a parameter starts with its type instead."""
        at += 1
        while self.texts[at] in _BEFORE_DECLARATORS:
            at += 1
        return set() if self._is_type(at) else {self._free(at)}

    def _free(self, at: int) -> str:
        """Return a name that the text declares."""
        name = self.texts[at]
        if self.kinds[at] != NAME or not plain_names.is_free(name):
            raise self.refuse(at, f"the name '{name[:60]}' is not allowed here")
        return name

    def _check_token(self, at: int, declared: set[str]) -> None:
        kind, text = self.kinds[at], self.texts[at]
        if kind == NAME:
            self._check_name(at, text, declared)
        elif kind == STRING and not (text == LINKAGE and at and self.texts[at - 1] == "extern"):
            raise self.refuse(at, "a string is not allowed")
        elif kind == PUNCTUATION and text == "::":
            raise self.refuse(at, "'::' is not allowed")
        elif text == "[" and (not at or self._cannot_be_indexed(at - 1)):
            raise self.refuse(at, "an attribute or a lambda is not allowed")

    def _cannot_be_indexed(self, at: int) -> bool:
        if self.kinds[at] == NAME:
            return self.texts[at] in plain_names.STATEMENTS or self._is_type(at)
        return self.texts[at] not in ("]", ")")

    def _check_name(self, at: int, text: str, declared: set[str]) -> None:
        is_member = at > 0 and (self.texts[at - 1] == "." or self.texts[at - 1] == "->")
        if is_member:
            if "__" in text:
                raise self.refuse(at, f"the name '{text[:60]}' is not allowed")
            return
        if text in plain_names.CASTS and self.texts[at + 1] != "<":
            raise self.refuse(at, f"the name '{text}' is not allowed here")
        known = text in declared or text in plain_names.BUILTINS or text in _WORDS or self._is_type(at)
        if not known:
            raise self.refuse(at, f"the name '{text[:60]}' is not known here")
