"""The functions that a kernel can reach, and those of them that can be active twice in a thread."""

from __future__ import annotations

import re
from collections.abc import Set

from warpsmith.simt.ptx.syntax import Function, ModuleSyntax

_WORDS = re.compile(r"[A-Za-z_$%][\w$]*")
_PROTOTYPE = re.compile(r"\.callprototype\b")

FEW_NAMES = 16
"""Names that are searched for one by one; for more, all words of a body are read."""


class CallGraph:
    """The calls of a kernel and of the functions that it reaches.

    Attributes:
        called: the functions with a body that the kernel can reach, each after those that it calls.
    """

    def __init__(self, module: ModuleSyntax, kernel: Function) -> None:
        self._module = module
        self._candidates = {
            name for name, function in module.functions.items() if not function.is_kernel and function.start >= 0
        }
        self._tables = [variable for variable in module.variables.values() if variable.addresses]
        self._names = self._candidates | {variable.name for variable in self._tables}
        self._kernel = kernel
        self._callees: dict[str, list[str]] = {}
        self.called = self._reachable() if self._candidates else []

    def active_twice(self) -> set[str]:
        """Return the functions that can be active twice in a thread, and some of those between them.

        With calls through pointers, these can be all.
        """
        module = self._module
        if any(_PROTOTYPE.search(module.text, function.start, function.end) for function in (*self.called, self._kernel)):
            return {function.name for function in self.called}
        callees = {function.name: set(self._callees[function.name]) for function in self.called}
        callers: dict[str, set[str]] = {name: set() for name in callees}
        for name, called in callees.items():
            for callee in called:
                callers[callee].add(name)
        return _on_cycles(callers, _on_cycles(callees, set(callees)))

    def _reachable(self) -> list[Function]:
        kernel = self._kernel
        result: dict[str, Function] = {}
        visited = {kernel.name}
        path = [(kernel, iter(self._read(kernel)))]
        while path:
            function, callees = path[-1]
            for name in callees:
                if name not in visited:
                    visited.add(name)
                    callee = self._module.functions[name]
                    path.append((callee, iter(self._read(callee))))
                    break
            else:
                path.pop()
                if function is not kernel:
                    result[function.name] = function
        return list(result.values())

    def _read(self, function: Function) -> list[str]:
        """Return the functions that a function names, itself or through variables with addresses of functions.

        A function that calls through pointers can reach all functions whose addresses are in variables.
        """
        module = self._module
        indirect = _PROTOTYPE.search(module.text, function.start, function.end) is not None
        named = mentioned(module, function, self._names)
        for variable in self._tables:
            if indirect or variable.name in named:
                named |= {name for _, name, _ in variable.addresses}
        callees = self._callees[function.name] = sorted(named & self._candidates)
        return callees


def mentioned(module: ModuleSyntax, function: Function, names: Set[str]) -> set[str]:
    """Return those names that occur in the body of a function."""
    if len(names) > FEW_NAMES:
        return set(_WORDS.findall(module.text, function.start, function.end)) & names
    return {name for name in names if _occurs(module, function, name)}


def _occurs(module: ModuleSyntax, function: Function, name: str) -> bool:
    if module.text.find(name, function.start, function.end) < 0:
        return False
    word = re.compile(rf"(?<![\w$%]){re.escape(name)}(?![\w$])")
    return word.search(module.text, function.start, function.end) is not None


def _on_cycles(edges: dict[str, set[str]], nodes: set[str]) -> set[str]:
    """Return the nodes that remain when those without an edge to a remaining node are removed, again and again."""
    counts = {node: len(edges[node] & nodes) for node in nodes}
    backwards: dict[str, list[str]] = {node: [] for node in nodes}
    for node in nodes:
        for other in edges[node] & nodes:
            backwards[other].append(node)
    waiting, remaining = [node for node, count in counts.items() if not count], set(nodes)
    while waiting:
        node = waiting.pop()
        remaining.discard(node)
        for other in backwards[node]:
            counts[other] -= 1
            if not counts[other]:
                waiting.append(other)
    return remaining
