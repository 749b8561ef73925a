"""The names that the structs of a launch have in the file of a pair, where two structs of one name get different ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from warpsmith.core.records.launch import Argument, Launch


def with_names_of_file(launch: Launch, source: str, kernel_name: str) -> Launch:
    """Return a launch whose structs are named as in a file.

    Args:
        launch: the launch, whose structs may have the names of the project.
        source: the Python of the pair.
        kernel_name: the name of the kernel in it.
    """
    tree = ast.parse(source)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    aliases = {
        target.id: node.value.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    annotations = dict(_kernel_annotations(tree, kernel_name))
    return replace(launch, args=_File(classes, aliases).renamed(launch.args, annotations))


@dataclass(frozen=True, slots=True)
class _File:
    """The classes of a file by name, and its other names for them."""

    classes: Mapping[str, ast.ClassDef]
    aliases: Mapping[str, str]

    def renamed(self, arguments: Sequence[Argument], annotations: Mapping[str, ast.expr]) -> tuple[Argument, ...]:
        """Return arguments, or members of a struct, with the names of structs in their annotations."""
        return tuple(self._renamed(argument, annotations.get(argument.name)) for argument in arguments)

    def _renamed(self, argument: Argument, annotation: ast.expr | None) -> Argument:
        definition = self._class(annotation)
        if definition is None or not (argument.fields or argument.kind in ("struct", "null_array")):
            return argument
        members = {
            node.target.id: node.annotation
            for node in definition.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        }
        return replace(argument, dtype=definition.name, fields=self.renamed(argument.fields, members))

    def _class(self, annotation: ast.expr | None) -> ast.ClassDef | None:
        """Return the class that an annotation, or the type of the elements in it, names; None for other types."""
        match annotation:
            case ast.Name(id=name):
                while name in self.aliases and name not in self.classes:
                    name = self.aliases[name]
                return self.classes.get(name)
            case ast.Constant(value=str(text)):
                return self._class(ast.parse(text, mode="eval").body)
            case ast.Call(args=positional, keywords=keywords):
                named = [keyword.value for keyword in keywords if keyword.arg == "dtype"]
                return self._class(next(iter([*named, *positional]), None))
            case ast.Subscript(slice=inner):
                return self._class(inner)
        return None


def _kernel_annotations(tree: ast.Module, kernel_name: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of a kernel's arguments with their types; those of an overload come last."""
    names: list[str] = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) if name == kernel_name:
                names = [argument.arg for argument in node.args.args]
                yield from ((argument.arg, argument.annotation) for argument in node.args.args if argument.annotation)
            case ast.Expr(value=ast.Call(args=[ast.Name(id=name), ast.List(elts=types)])) if name == kernel_name:
                yield from zip(names, types, strict=False)
