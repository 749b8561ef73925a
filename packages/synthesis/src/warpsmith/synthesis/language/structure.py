"""The structure of a kernel, without names and constants, and the features that it uses."""

from __future__ import annotations

import hashlib
import keyword
import re

from warpsmith.synthesis.language.composed_kernel import Array, Kernel, Param, Scalar

_WORD = re.compile(r"(?<![.\w])(?:\d[\w.]*|[A-Za-z_]\w*)")
_KEPT = frozenset([*keyword.kwlist, "wp", "float", "int", "bool", "range", "Any"])
_COMMENT = re.compile(r"#[^\n]*")
_DOCSTRING = re.compile(r'"""(?:[^"]|"(?!""))*"""')
_MEMBER = re.compile(r"\bwp\.(\w+)")
_STATEMENT = re.compile(r"^ *(for|while|if|elif|return|break|continue|assert)\b", re.MULTILINE)


def hash_structure(kernel: Kernel) -> str:
    """Return a hash that two kernels share if they differ in names and constants only (BLAKE2b, 16 hexadecimal digits)."""
    numbers: dict[str, int] = {}
    member = _member_pattern(kernel)
    words = [kernel.decorator]
    words += [_abstract(member.sub(r"\1_\2", block), numbers) for block in kernel.preface]
    words += [f"{numbers.setdefault(param.name, len(numbers))}{_type_of(param)}" for param in kernel.params]
    words += [f"{numbers[name]}Any" for name in kernel.generic]
    text = "\n".join(line for line in kernel.body if line.lstrip()[:1] not in ("", "#"))
    words.append(_abstract(member.sub(r"\1_\2", text), numbers))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).hexdigest()


def _member_pattern(kernel: Kernel) -> re.Pattern[str]:
    """Return the pattern of members of enumerations, which are names of constants."""
    return re.compile(
        rf"\b({'|'.join(row.name for row in kernel.enumerations)})\.(\w+)" if kernel.enumerations else r"(?!)()()"
    )


def _type_of(param: Param) -> str:
    match param:
        case Array():
            return param.element.name + str(len(param.dims))
        case Scalar():
            return param.type.name
    return param.argument.kind


def _abstract(text: str, numbers: dict[str, int]) -> str:
    """Replace names in a text by numbers, and numbers by zero; names after a dot, of Warp or of members, stay."""

    def word(match: re.Match[str]) -> str:
        name = match[0]
        if name[0].isdigit():
            return "0"
        return name if name in _KEPT else f"_{numbers.setdefault(name, len(numbers))}"

    return _WORD.sub(word, _COMMENT.sub("", _DOCSTRING.sub("", text)))


def list_features(kernel: Kernel) -> tuple[str, ...]:
    """Return the builtins, types and constructs that a kernel uses, sorted."""
    names: set[str] = set()
    for param in kernel.params:
        if isinstance(param, Array):
            names.update((param.element.name, f"array{len(param.dims)}d"))
        elif isinstance(param, Scalar):
            names.add(param.type.name)
        else:
            names.add(param.argument.kind)
    if kernel.generic:
        names.add("overload")
    text = "\n".join((*kernel.preface, *kernel.body))
    names.update(_MEMBER.findall(text))
    names.update("if" if word == "elif" else word for word in _STATEMENT.findall(text))
    return tuple(sorted(names))
