"""Source text of structs, enumerations and other classes."""

from __future__ import annotations

import ast
import builtins
import enum
import sys
from typing import Any

from warpsmith.core.errors import KernelRejected
from warpsmith.extraction.source.definition_text import edited, new_name, parse_class, source_of, without_methods
from warpsmith.extraction.source.function_headers import can_be_copied
from warpsmith.extraction.source.name_edits import Scope, name_edits
from warpsmith.extraction.source.source_file import SourceFile
from warpsmith.extraction.source.source_names import names_in, stored_names
from warpsmith.extraction.warp.objects import struct_class, struct_members


def struct_text(file: SourceFile, struct: Any, name: str) -> str:
    """Return the source of a struct: its own, or, for structs made by a function, written from Warp's types."""
    try:
        with file.attempt():
            return _copied_struct(file, struct_class(struct), name)
    except KernelRejected:
        members = [f"    {member}: {file.type_text(member_type)}" for member, member_type in struct_members(struct).items()]
        return "\n".join(["@wp.struct", f"class {name}:", *(members or ["    pass"])]) + "\n"


def _copied_struct(file: SourceFile, cls: type, name: str) -> str:
    source = source_of(cls)
    tree = parse_class(source)
    if "<locals>" in cls.__qualname__ or not can_be_copied(tree):
        raise KernelRejected("source", "the header of the struct cannot be copied")
    return _edited_class(file, cls, without_methods(tree, source), name)


def class_text(file: SourceFile, cls: type, name: str) -> str:
    """Return the source of an enumeration without its methods, or of another class with all of its methods."""
    if not issubclass(cls, enum.Enum):
        return _edited_class(file, cls, source_of(cls), name)
    try:
        with file.attempt():
            return _copied_enumeration(file, cls, name)
    except KernelRejected:
        base = next(base for base in cls.__mro__ if base.__module__ == "enum")
        members = [f"    {member} = {file.expression(value.value)}" for member, value in cls.__members__.items()]
        return "\n".join([f"class {name}({file.reference(base.__name__, base)}):", *(members or ["    pass"])]) + "\n"


def _copied_enumeration(file: SourceFile, cls: type, name: str) -> str:
    source = source_of(cls)
    tree = parse_class(source)
    if tree.decorator_list:
        raise KernelRejected("source", "the enumeration has decorators")
    if _calls_auto(cls, tree):
        raise KernelRejected("source", "the values of the enumeration are not written in it")
    return _edited_class(file, cls, without_methods(tree, source), name)


def _calls_auto(cls: type, tree: ast.ClassDef) -> bool:
    """Return whether members of an enumeration get their values from ``enum.auto``, which pairs may not call."""
    scope = vars(sys.modules[cls.__module__])
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    names = (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in calls)
    return any(name == "auto" or scope.get(name) is enum.auto for name in names)


def _edited_class(file: SourceFile, cls: type, source: str, name: str) -> str:
    tree = parse_class(source)
    scope = {**vars(builtins), **vars(sys.modules[cls.__module__])}
    local = frozenset({tree.name, *(stored_names(tree) if issubclass(cls, enum.Enum) else ())})
    unknown = set(names_in(tree)) - set(scope) - local
    if unknown and "<locals>" in cls.__qualname__:
        raise KernelRejected("source", f"{', '.join(sorted(unknown))} out of scope")
    edits = [edit for node in ast.iter_child_nodes(tree) for edit in name_edits(file, node, Scope(scope, local))]
    if name != tree.name:
        edits.append(new_name(tree, source, name))
    return edited(source, edits)
