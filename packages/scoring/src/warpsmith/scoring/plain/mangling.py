"""The names that C++ compilers give to plain kernels in PTX, by the Itanium ABI."""

from __future__ import annotations

from warpsmith.scoring.plain.plain_signature import Signature

_LETTERS = {
    "float": "f", "double": "d", "bool": "b", "signed char": "a", "unsigned char": "h", "short": "s", "unsigned short": "t",
    "int": "i", "unsigned int": "j", "long long": "x", "unsigned long long": "y",
}  # fmt: skip


def kernel_names(signature: Signature) -> tuple[str, ...]:
    """Return the names of the kernel in PTX: with C++ linkage and with C linkage.

    Examples:
        >>> from warpsmith.scoring.plain.plain_signature import Parameter
        >>> parameters = (Parameter("n", "int"), Parameter("x", "const float*"), Parameter("y", "const float*"))
        >>> kernel_names(Signature("add", parameters, {}, 1))
        ('_Z3addiPKfS0_', 'add')
    """
    known: list[str] = []
    types = "".join(_mangled(parameter.ctype, known) for parameter in signature.parameters) or "v"
    return f"_Z{len(signature.name)}{signature.name}{types}", signature.name


def _mangled(ctype: str, known: list[str]) -> str:
    """Return the mangled type; ``known`` are the types so far that a repetition refers to, and grows."""
    if ctype.endswith("*"):
        return _referred(ctype, "P", ctype[:-1], known)
    if ctype.startswith("const "):
        return _referred(ctype, "K", ctype.removeprefix("const "), known)
    if ctype in _LETTERS:
        return _LETTERS[ctype]
    return _referred(ctype, f"{len(ctype)}{ctype}", "", known)


def _referred(ctype: str, prefix: str, inner: str, known: list[str]) -> str:
    if ctype in known:
        number = known.index(ctype)
        return f"S{_in_base_36(number - 1) if number else ''}_"
    text = prefix + (_mangled(inner, known) if inner else "")
    known.append(ctype)
    return text


def _in_base_36(number: int) -> str:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return (_in_base_36(number // 36) if number >= 36 else "") + digits[number % 36]
