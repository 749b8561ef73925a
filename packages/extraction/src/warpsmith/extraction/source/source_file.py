"""A Python file under construction: names, what they mean, and the blocks of text that define them.

A name keeps its meaning from the project where it can. If two objects of a project have one name, the second gets another
name in the file, and the sources that use it are edited.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, TypeAlias, TypeVar

import numpy as np
import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.extraction.source.identity import constant_text, identity, is_same
from warpsmith.extraction.source.source_names import (
    MISSING,
    function_in_object,
    import_line,
    is_importable,
    name_outside,
)
from warpsmith.extraction.source.source_repr import source_repr, type_repr
from warpsmith.extraction.warp.objects import is_builtin, name_of_definition, registered_name
from warpsmith.extraction.warp.type_properties import Struct, is_constant

WriteDefinition: TypeAlias = Callable[["SourceFile", Any, str], None]
"""Writes the source of a function, struct or class to the file, under a name."""


class SourceFile:
    """Imports, then blocks in the order of their dependencies.

    Attributes:
        replaces_statics: whether expressions of ``wp.static`` are replaced by their values.
        postponed_annotations: whether the file starts with ``from __future__ import annotations``.
    """

    def __init__(self, write_definition: WriteDefinition, replaces_statics: bool = False) -> None:
        self.replaces_statics = replaces_statics
        self.postponed_annotations = False
        self._write_definition = write_definition
        self._imports: dict[str, str] = {}
        self._blocks: list[str] = []
        self._values: dict[str, Any] = {}
        self._definitions: dict[object, str] = {}
        self._other_names: dict[tuple[str, object], str] = {}
        self._kept: list[Any] = []  # the objects whose identity is a key: no other object may get it
        self.reference("wp", wp)

    def text(self) -> str:
        """Return the text of the file."""
        future = ["from __future__ import annotations\n\n"] if self.postponed_annotations else []
        text = "".join([*future, *(f"{line}\n" for line in sorted(self._imports.values()))])
        previous = ""
        for block in self._blocks:
            is_adjacent = _is_single_line(previous) and _is_single_line(block)
            text += block if is_adjacent else f"\n\n{block}"
            previous = block
        return text

    def add(self, block: str) -> None:
        """Append a block to the file."""
        self._blocks.append(block if block.endswith("\n") else f"{block}\n")

    def reserve(self, name: str, value: Any) -> None:
        """Give ``name`` a meaning that the caller writes to the file itself."""
        self._values[name] = value
        self._definitions[identity(value)] = name
        self._kept.append(value)

    @contextlib.contextmanager
    def attempt(self) -> Iterator[None]:
        """Undo all changes of the block if it raises `KernelRejected`."""
        tables: list[dict[Any, Any]] = [self._imports, self._values, self._definitions, self._other_names]
        before = [dict(table) for table in tables]
        blocks, postponed = len(self._blocks), self.postponed_annotations
        try:
            yield
        except KernelRejected:
            for table, content in zip(tables, before, strict=True):
                table.clear()
                table.update(content)
            del self._blocks[blocks:]
            self.postponed_annotations = postponed
            raise

    # ----------------------------------------------------------------------------------------------------------------- names

    def resolve(self, chain: tuple[str, ...], value: Any, local: frozenset[str], is_device_code: bool) -> tuple[int, str]:
        """Define what a name with attributes reads, and return the text for it.

        Modules of the project do not exist where the file runs. Of these, and of other objects that cannot be written, the
        object that the attributes reach is defined instead.

        Args:
            chain: the name and its attributes.
            value: what the name means.
            local: names that mean something else where the chain is read.
            is_device_code: whether Warp compiles the text that contains the chain.

        Returns:
            The number of attributes that the text replaces, and the text.

        Raises:
            KernelRejected: if the object cannot be written as source text.
        """
        if (found := function_in_object(chain, value)) is not None:
            return found[0], self.reference(name_outside(local, chain[: found[0] + 1]), found[1])
        depth, owner = 0, None
        while depth + 1 < len(chain) and self._is_left_out(value, chain[depth + 1]):
            depth, owner = depth + 1, value
            value = getattr(owner, chain[depth], MISSING)
            if value is MISSING:
                raise KernelRejected("source", f"{'.'.join(chain[: depth + 1])} does not exist")
        if depth == 0:
            return 0, self.reference(chain[0], value)
        if isinstance(value, enum.Enum) or is_builtin(value):
            return depth, self.expression(value)
        if is_device_code and is_constant(value):
            return depth, self._constant(name_outside(local, chain[:depth]), owner, chain[depth], value)
        return depth, self.reference(name_outside(local, chain[: depth + 1]), value)

    def _constant(self, group: str, owner: Any, attribute: str, value: Any) -> str:
        """Define a constant as an attribute of a class: Warp declares attributes at each use, and plain names once."""
        key = (group, id(owner))
        if key not in self._other_names:
            name = self._other_names[key] = self.unused(group, owner)
            self._values[name] = owner
            self._kept.append(owner)
            title = f"Constants of {getattr(owner, '__name__', group)}."
            self.add(f'class {name}:\n    """{title}"""\n\n    {attribute} = {self.expression(value)}')
            self._values[f"{name}.{attribute}"] = value
        path = f"{self._other_names[key]}.{attribute}"
        if path not in self._values:
            self._values[path] = value
            self.add(f"{path} = {self.expression(value)}")
        return path

    def _is_left_out(self, value: Any, attribute: str) -> bool:
        """Return whether the file has an attribute of ``value`` without ``value`` itself."""
        if isinstance(value, ModuleType):
            return not is_importable(value.__name__)
        if isinstance(value, type):  # functions of Warp in classes are not methods
            is_function = isinstance(getattr(value, attribute, None), wp.Function)
            return is_function or (self._needs_definition("", value) and not issubclass(value, enum.Enum))
        if isinstance(value, wp.Function):  # the project may add attributes to a function
            return attribute in vars(value)
        if isinstance(value, Struct | FunctionType | enum.Enum | TypeVar) or import_line("", value) is not None:
            return False
        return source_repr(value, self._name_of) is None

    def reference(self, name: str, value: Any) -> str:
        """Return the name that means ``value`` in the file: ``name``, unless another object has it.

        Raises:
            KernelRejected: if ``value`` cannot be written as source text.
        """
        if name in self._values and is_same(self._values[name], value):
            return name
        if self._needs_definition(name, value):
            defined = self._definition(value)
            if defined == name or name in self._values:
                return defined
            self._values[name] = value
            self.add(f"{name} = {defined}")
            return name
        key = (name, constant_text(value) or id(value))
        if key not in self._other_names:
            chosen = self.unused(name, value)
            self._define(chosen, value)
            self._other_names[key] = chosen
        return self._other_names[key]

    def expression(self, value: Any) -> str:
        """Return an expression for ``value``, and define what it contains.

        Raises:
            KernelRejected: if there is none.
        """
        if is_builtin(value):
            return f"wp.{registered_name(value)}"
        text = source_repr(value, self._name_of)
        if text is None:
            raise KernelRejected("source", f"a {type(value).__name__} cannot be written as source text")
        self._import_numpy(text)
        return text

    def type_text(self, annotation: Any) -> str:
        """Return the source text of a type, and define the structs in it.

        Raises:
            KernelRejected: if there is none.
        """
        text = type_repr(annotation, self._name_of)
        if text is None:
            raise KernelRejected("source", f"the type {annotation!r} cannot be written as source text")
        return text

    def _name_of(self, value: Any) -> str | None:
        """Return the text of an object that has no literal, and define it."""
        if value is Any:
            return self.reference("Any", value)
        if isinstance(value, enum.Enum):
            owner = self._definition(type(value)) if import_line("", type(value)) is None else self._imported(type(value))
            return f"{owner}.{value.name}" if value.name in type(value).__members__ else f"{owner}({value.value!r})"
        if isinstance(value, TypeVar):
            return self.reference(value.__name__, value)
        if isinstance(value, ModuleType):
            return None
        if import_line("", value) is not None:
            return self._imported(value)
        return self._definition(value) if self._needs_definition("", value) else None

    def _imported(self, value: Any) -> str:
        return self.reference(str(value.__name__), value)

    def unused(self, name: str, value: Any) -> str:
        """Return a free name for ``value``: ``name``, the name qualified by the module of the object, or a numbered one."""
        if name not in self._values:
            return name
        module = str(getattr(value, "__module__", "")).rpartition(".")[2].strip("_")
        qualified = f"{module}_{name.lstrip('_')}" if module.isidentifier() else name
        if qualified not in self._values and qualified != name:
            return qualified
        number = 2
        while f"{qualified}_{number}" in self._values:
            number += 1
        return f"{qualified}_{number}"

    # ----------------------------------------------------------------------------------------------------------- definitions

    def _needs_definition(self, name: str, value: Any) -> bool:
        """Return whether ``value`` is a function, struct or class of the project, whose source is copied."""
        if isinstance(value, wp.Function):
            return not is_builtin(value)
        if isinstance(value, Struct):
            return True
        if not isinstance(value, FunctionType | type):
            return False
        return import_line(name, value) is None and type_repr(value, lambda _: None) is None

    def _definition(self, value: Any) -> str:
        """Write the source of a function, struct or class once, and return its name."""
        if identity(value) not in self._definitions:
            original = name_of_definition(value)
            name = self.unused(original, value)
            self.reserve(name, value)
            self._write_definition(self, value, name)
        return self._definitions[identity(value)]

    def _define(self, name: str, value: Any) -> None:
        """Write a definition of ``name`` that is one line."""
        self._values[name] = value
        self._kept.append(value)
        if isinstance(value, ModuleType):
            self._import_module(name, value)
        elif isinstance(value, wp.Function):
            self.add(f"{name} = wp.{registered_name(value)}")
        elif line := import_line(name, value):
            self._imports[name] = line
        elif isinstance(value, TypeVar):
            self.add(f"{name} = {self._type_variable(value)}")
        else:
            text = source_repr(value, self._name_of)
            if text is None:
                raise KernelRejected("source", f"{name!r} is a {type(value).__name__}, which cannot be written as source text")
            self._import_numpy(text)
            self.add(f"{name} = {text}")

    def _import_module(self, name: str, module: ModuleType) -> None:
        path = module.__name__
        if not is_importable(path):
            raise KernelRejected("source", f"{name!r} is the module {path}, which is not installed where the file runs")
        self._imports[name] = f"import {path}" if path == name else f"import {path} as {name}"

    def _import_numpy(self, text: str) -> None:
        if "np." in text and self.reference("np", np) != "np":
            raise KernelRejected("source", "a NumPy constant cannot be written where 'np' is another object")

    def _type_variable(self, variable: TypeVar) -> str:
        types = [self.type_text(constraint) for constraint in variable.__constraints__]
        return f"{self.reference('TypeVar', TypeVar)}({', '.join([repr(variable.__name__), *types])})"


def _is_single_line(block: str) -> bool:
    """Return whether a block is one line, a constant or an alias; such blocks follow each other without empty lines."""
    return block.count("\n") == 1
