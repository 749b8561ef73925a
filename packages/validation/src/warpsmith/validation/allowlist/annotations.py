"""A grammar of types for the annotations of a pair's Python: Warp evaluates annotations that are strings.

A type is a listed name of a module, a type of Python, a struct or an alias of the same file, or one of these with arguments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from warpsmith.validation.allowlist.members import dotted, has_member, split_chain

_PYTHON_TYPES = frozenset("bool int float str tuple list dict".split())
_CALLABLE = re.compile(
    r"(types\.)?(((indexed|fabric|indexedfabric)?array([1-4]d)?|fixedarray)|tile|vec|mat|vector|matrix|quaternion|transformation)"
)
_SIMPLE = re.compile(r"\w*", re.ASCII)


@dataclass(frozen=True)
class TypeNames:
    """The names of a file that annotations may contain.

    Attributes:
        modules: the modules that names mean.
        types: names of types.
        factories: the functions of Warp that make types, such as ``warp.types.vector``, by the names that they are imported as.
        sizes: names of numbers.
    """

    modules: Mapping[str, str]
    types: set[str] = field(default_factory=set)
    factories: dict[str, str] = field(default_factory=dict)
    sizes: set[str] = field(default_factory=set)

    def violation(self, annotation: ast.expr | None) -> Iterator[str]:
        """Yield why an annotation is not a type; nothing if it is one."""
        if annotation is not None and not self.is_type(annotation):
            yield f"line {annotation.lineno}: an annotation that is not a type"

    def is_type(self, node: ast.expr) -> bool:
        """Return whether an expression is a type."""
        match node:
            case ast.Constant(str(text)):
                return self._is_text_of_type(text)
            case ast.Constant(value):
                return value is None
            case ast.Name(name):
                return name in self.types or name in _PYTHON_TYPES
            case ast.Attribute():
                return self._member(node) is not None
            case ast.BinOp(left, ast.BitOr(), right):
                return self.is_type(left) and self.is_type(right)
            case ast.Subscript(value, index):
                return self._is_type_with_index(value, index)
            case ast.Call(function, arguments, keywords):
                values = [*arguments, *(keyword.value for keyword in keywords if keyword.arg)]
                return (
                    self._makes_types(function)
                    and all(keyword.arg for keyword in keywords)
                    and all(map(self._is_argument, values))
                )
        return False

    def is_size(self, node: ast.expr) -> bool:
        """Return whether an expression is a number that contains nothing but numbers."""
        match node:
            case ast.Constant(value):
                return isinstance(value, int | float)
            case ast.Name(name):
                return name in self.sizes
            case ast.UnaryOp(_, operand):
                return self.is_size(operand)
            case ast.BinOp(left, _, right):
                return self.is_size(left) and self.is_size(right)
        return False

    def _is_text_of_type(self, text: str) -> bool:
        try:
            return self.is_type(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False

    def _is_type_with_index(self, value: ast.expr, index: ast.expr) -> bool:
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if self._is_literal(value):
            return all(
                isinstance(part, ast.Constant) and (not isinstance(part.value, str) or bool(_SIMPLE.fullmatch(part.value)))
                for part in parts
            )
        return isinstance(value, ast.Name | ast.Attribute) and self.is_type(value) and all(map(self._is_argument, parts))

    def _is_literal(self, node: ast.expr) -> bool:
        name = dotted(node)
        return name == "typing.Literal" or (name == "Literal" and name in self.types)

    def _is_argument(self, node: ast.expr) -> bool:
        """Return whether an expression may be an argument of a type: a type, a number, or some of them."""
        if isinstance(node, ast.Tuple | ast.List):
            return all(map(self._is_argument, node.elts))
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            return True
        return self.is_size(node) or self.is_type(node)

    def _makes_types(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            return function.id in self.factories
        member = self._member(function)
        return member is not None and _CALLABLE.fullmatch(member) is not None

    def _member(self, node: ast.expr) -> str | None:
        """Return the member of Warp or typing that ``node`` names, or None."""
        root, members = split_chain(node)
        if not isinstance(root, ast.Name) or not members:
            return None
        module, member = self.modules.get(root.id, ""), ".".join(members)
        return member if module in _MODULES_OF_TYPES and has_member(module, member) else None


_MODULES_OF_TYPES = frozenset({"warp", "warp.types", "warp.fem", "warp.sparse", "typing", "typing_extensions"})


def type_names(tree: ast.Module, modules: Mapping[str, str], host_nodes: list[ast.AST]) -> TypeNames:
    """Return the names that mean types and numbers wherever the file binds them.

    Args:
        tree: the file.
        modules: the modules that names mean.
        host_nodes: all nodes outside device code.
    """
    names = TypeNames(modules)
    for node in tree.body:
        match node:
            case ast.ImportFrom(module, aliases) if module in _MODULES_OF_TYPES:
                listed = [alias for alias in aliases if has_member(module, alias.name)]
                names.types.update(alias.asname or alias.name for alias in listed)
                makers = [alias for alias in listed if _CALLABLE.fullmatch(alias.name)]
                names.factories.update((alias.asname or alias.name, f"{module}.{alias.name}") for alias in makers)
            case ast.ClassDef(name):
                names.types.add(name)
            case ast.Assign([ast.Name(name)], value) if not isinstance(value, ast.Constant) and names.is_type(value):
                names.types.add(name)
            case ast.Assign([ast.Name(name)], value) if names.is_size(value):
                names.sizes.add(name)
    for name in _bound_otherwise(tree, host_nodes):
        names.types.discard(name)
        names.factories.pop(name, None)
        names.sizes.discard(name)
    for name in names.types & names.sizes:
        names.sizes.discard(name)
    return names


def _bound_otherwise(tree: ast.Module, host_nodes: list[ast.AST]) -> set[str]:
    """Return the names that the file binds elsewhere than at its top level, or twice."""
    top: list[str] = []
    top_nodes: set[int] = set()
    for node in tree.body:
        match node:
            case ast.ClassDef(name):
                top.append(name)
                top_nodes.add(id(node))
            case ast.Assign([ast.Name(name) as target]):
                top.append(name)
                top_nodes.add(id(target))
            case ast.ImportFrom(_, aliases):
                top += [alias.asname or alias.name for alias in aliases]
                top_nodes.update(map(id, aliases))
    elsewhere = {name for node in host_nodes if id(node) not in top_nodes for name in _bound_names(node)}
    return elsewhere | {name for name in top if top.count(name) > 1}


def _bound_names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(name, ast.Store()):
            yield name
        case ast.arg(name) | ast.ClassDef(name) | ast.FunctionDef(name):
            yield name
        case ast.alias(name, other):
            yield other or name
