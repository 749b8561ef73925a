"""An allow list for plain CUDA text: structs, constants, device functions and one kernel, with declared or listed names only.

The list keeps compiler and emulation from reading a text differently, and names what is missing. It does not bound pointers: a
text that passes may read and write any memory of the process that runs it, which therefore contains nothing of value.
"""

from __future__ import annotations

import re

from warpsmith.scoring.plain import plain_names
from warpsmith.scoring.plain.identifiers import CLOSING, Identifiers, UnsupportedError
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.scoring.policy.lexer import END, LINKAGE, NAME, NUMBER, Tokens, tokenize
from warpsmith.scoring.policy.violation import Violation

MAX_LENGTH = 100_000
"""The longest text, in characters."""

_OUTSIDE = frozenset("struct extern inline __global__ __device__ __host__ __constant__ __launch_bounds__".split())
_IN_STRUCTS = frozenset("*,;[]+-")
_IGNORED = ("const", "__restrict__", "__restrict")


def check_plain(text: str, signature: Signature) -> None:
    """Check that a text defines the kernel of a signature, with structs, constants and functions, and nothing else.

    Raises:
        UnsupportedError: the text contains something of CUDA that the emulation lacks.
        Violation: the text contains something else.
    """
    if len(text) > MAX_LENGTH:
        raise Violation(f"line 1: the text has {len(text):,} characters, more than {MAX_LENGTH:,}")
    try:
        tokens = tokenize(text)
    except Violation as violation:
        if "string" in str(violation) and (found := plain_names.WITH_STRINGS.search(text)):
            raise UnsupportedError.at(text.count("\n", 0, found.start()) + 1, f"'{found[0]}' is not supported") from None
        raise
    _Reader(tokens, signature).read()


class _Reader(Identifiers):
    """A text that is checked."""

    def __init__(self, tokens: Tokens, signature: Signature) -> None:
        super().__init__(tokens)
        self.signature = signature
        self.kernels = 0
        self.prototypes: dict[str, int] = {}
        self.functions: set[str] = set()

    def read(self) -> None:
        """Check the whole text."""
        self.check()
        at = 0
        while self.kinds[at] != END:
            at = self._declaration(at)
        if self.kernels != 1:
            line = self.lines[-1]
            raise Violation.at(line, f"the kernel '{self.signature.name}' is defined {self.kernels} times, not once")
        for name in self.signature.structs.keys() - self.structs:
            raise Violation.at(self.lines[-1], f"the struct '{name}' is not defined")
        for name, at in self.prototypes.items():
            if name not in self.functions:
                raise self.refuse(at, f"the function '{name[:60]}' is declared and not defined")

    def _declaration(self, at: int) -> int:
        """Check a declaration outside of functions; return the index after it."""
        if self.texts[at] == ";":
            return at + 1
        if self.texts[at] == "struct" and self.texts[at + 2] == "{":
            return self._struct(at)
        end = at
        while self.texts[end] not in ("(", "=", ";", "{", "[", "") or self._is_launch_bound(end):
            end = self._skip(end) if self.texts[end] == "(" else end + 1
        if self.texts[end] == "(":
            return self._function(at, end)
        return self._constant(at, end)

    def _is_launch_bound(self, at: int) -> bool:
        return self.texts[at] == "(" and self.texts[at - 1] == "__launch_bounds__"

    def _skip(self, at: int) -> int:
        """Return the index after the bracket that closes the one at an index."""
        stack = [CLOSING[self.texts[at]]]
        while stack:
            at += 1
            text = self.texts[at]
            if self.kinds[at] == END:
                raise self.refuse(at, "a bracket is not closed")
            if text in CLOSING:
                stack.append(CLOSING[text])
            elif text in CLOSING.values() and text != stack.pop():
                raise self.refuse(at, f"'{text}' closes another bracket")
        return at + 1

    def _struct(self, at: int) -> int:
        name, end = self.texts[at + 1], self._skip(at + 2)
        if not plain_names.is_free(name):
            raise self.refuse(at, f"the name '{name[:60]}' is not allowed")
        for inside in range(at + 3, end - 1):
            if self.kinds[inside] not in (NAME, NUMBER) and self.texts[inside] not in _IN_STRUCTS:
                raise self.refuse(inside, f"'{self.texts[inside][:20]}' is not allowed in a struct")
            if self.texts[inside] in plain_names.FUNCTION_WORDS or self.texts[inside] == "__shared__":
                raise self.refuse(inside, f"'{self.texts[inside]}' is not allowed in a struct")
        expected = self.signature.structs.get(name)
        if expected is not None and self.texts[at + 3 : end - 1] != _words(expected):
            raise self.refuse(at, f"the struct '{name}' has other members than the one that is given")
        if self.texts[end] != ";":
            raise self.refuse(end, "a variable behind a struct is not allowed")
        return end + 1

    def _constant(self, at: int, end: int) -> int:
        """Check a constant outside of functions."""
        words = self.texts[at:end]
        while self.texts[end] == "[":
            end = self._skip(end)
        is_constant = {"const", "constexpr", "__constant__"} & set(words) and not {"*", "&", "extern"} & set(words)
        if self.texts[end] != "=" or not is_constant:
            what = f"'{self.texts[at][:60]}' begins no struct, constant or function"
            raise self.refuse(at, f"{what}; global variables are not allowed")
        if "__shared__" in words or "__global__" in words:
            raise self.refuse(at, "global variables are not allowed")
        while self.texts[end] != ";":
            if self.kinds[end] == END:
                raise self.refuse(end, "a constant does not end")
            if self.texts[end] in ("(", "{", "["):
                end = self._skip(end)
            elif self.texts[end] == ",":
                raise self.refuse(end, "a declaration outside of functions declares one constant")
            else:
                end += 1
        return end + 1

    def _function(self, at: int, opening: int) -> int:
        """Check a function; return the index after it."""
        words = self.texts[at : opening - 1]
        name, end = self.texts[opening - 1], self._skip(opening)
        is_kernel = "__global__" in words
        self._check_function_words(at, words, is_kernel)
        if not plain_names.is_free(name) or name in plain_names.BUILTINS:
            raise self.refuse(opening - 1, f"the function name '{name[:60]}' is not allowed")
        if "=" in self.texts[opening:end]:
            raise self.refuse(opening, "default values of parameters are not allowed")
        if self.texts[end] == ";" and not is_kernel:
            self.prototypes.setdefault(name, at)
            return end + 1
        if self.texts[end] != "{":
            raise self.refuse(end, f"'{self.texts[end][:60]}' is not allowed here")
        if is_kernel:
            self._check_kernel(at, name, opening, end)
        self.functions.add(name)
        after = self._skip(end)
        self._check_body(end + 1, after - 1)
        return after

    def _check_function_words(self, at: int, words: list[str], is_kernel: bool) -> None:
        if not is_kernel and "__device__" not in words:
            raise self.refuse(at, "a function that is neither __global__ nor __device__ is not allowed")
        if "extern" in words and not (is_kernel and words[:2] == ["extern", LINKAGE]):
            raise self.refuse(at, "'extern' is allowed before the kernel only")
        if {"__shared__", "__constant__", "="} & set(words):
            raise self.refuse(at, "such a function is not allowed")

    def _check_kernel(self, at: int, name: str, opening: int, end: int) -> None:
        self.kernels += 1
        if name != self.signature.name:
            raise self.refuse(at, f"the kernel is called '{name[:60]}', expected '{self.signature.name}'")
        found = _parameter_types(self.texts[opening + 1 : end - 1])
        expected = [_normal(_words(parameter.ctype)) for parameter in self.signature.parameters]
        if len(found) != len(expected):
            raise self.refuse(at, f"the kernel has {len(found)} parameters, expected {len(expected)}")
        for number, (written, required) in enumerate(zip(found, expected, strict=True)):
            if written != required:
                parameter = self.signature.parameters[number]
                raise self.refuse(
                    at, f"parameter {number + 1} of the kernel is '{' '.join(written)[:60]}', expected '{parameter}'"
                )

    def _check_body(self, start: int, end: int) -> None:
        for at in range(start, end):
            text = self.texts[at]
            if text in (
                "struct",
                "extern",
                "__global__",
                "__device__",
                "__host__",
                "__constant__",
                "inline",
                "__launch_bounds__",
            ):
                raise self.refuse(at, f"'{text}' is not allowed in a function")
            if text == "static" and self.texts[at + 1] not in ("const", "constexpr"):
                raise self.refuse(at, "static variables are not allowed")
            if text == "__shared__":
                self._check_shared(at)
            has_parameters = self.texts[at + 1] in (")", "const") or self._is_type(at + 1)
            if text == "(" and has_parameters and self.kinds[at - 1] == NAME and self._is_declared_here(at - 1):
                raise self.refuse(at, "a declaration of a function is not allowed in a function")

    def _check_shared(self, at: int) -> None:
        if self.texts[at - 1] not in (";", "{", "}"):
            raise self.refuse(at, "a declaration of shared memory starts with '__shared__'")
        end = at + 1
        while self.texts[end] != ";":
            if self.kinds[end] == END or self.texts[end] in ("=", "{", "&", "("):
                raise self.refuse(end, "shared memory is declared without a value")
            end += 1


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text)


def _parameter_types(texts: list[str]) -> list[list[str]]:
    """Return the types of parameters, each without its name."""
    found: list[list[str]] = [[]]
    for text in texts:
        if text == ",":
            found.append([])
        else:
            found[-1].append(text)
    if found == [[]]:
        return []
    return [_normal(_without_name(words)) for words in found]


def _without_name(words: list[str]) -> list[str]:
    if words[-2:] == ["[", "]"]:
        return [*words[:-3], "*"]
    return words[:-1]


def _normal(words: list[str]) -> list[str]:
    """Return the words of a type in one order: ``const`` of what a pointer refers to, and the type in its shortest form."""
    is_pointer = "*" in words
    star = words.index("*") if is_pointer else len(words)
    constant = ["const"] if is_pointer and "const" in words[:star] else []
    base = sorted(word for word in words[:star] if word not in (*_IGNORED, "struct"))
    stars = [word for word in words[star:] if word not in _IGNORED]
    if base == ["unsigned"]:
        base = ["int", "unsigned"]
    if len(base) > 1 and "int" in base and ("long" in base or "short" in base):
        base.remove("int")
    return constant + base + stars
