"""Outlining: runs of statements of a kernel become functions, which may be divided in the same way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import INDENT, LOCAL, PARAMETER
from warpsmith.synthesis.writing.ideas.outlining.cuts import Cut, find_cuts, is_connected
from warpsmith.synthesis.writing.ideas.outlining.data_flow import Flow
from warpsmith.synthesis.writing.ideas.outlining.function_names import Endings, FunctionNamer
from warpsmith.synthesis.writing.ideas.outlining.functions import (
    Function,
    Inputs,
    copy_nodes,
    finish_body,
    loads_from,
    loads_of,
    reassigned,
    render_head,
    take_loads,
)
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import is_call, read_line
from warpsmith.synthesis.writing.ideas.outlining.long_values import LongValues, singular
from warpsmith.synthesis.writing.ideas.outlining.repeats import Run, find_repeats, replace_runs
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType, Kind, Results, Scope
from warpsmith.synthesis.writing.ideas.outlining.surroundings import Surroundings
from warpsmith.synthesis.writing.ideas.style import style_lines
from warpsmith.synthesis.writing.ideas.tree import Node, render, walk
from warpsmith.synthesis.writing.outline_policy import (
    ANNOTATED_RESULT_CHANCE,
    CHAINED_RETURN_CHANCE,
    EARLY_RETURN_CHANCE,
    FUNCTION_DOCSTRING_CHANCE,
    HOISTED_LOAD_CHANCE,
    INLINE_CALL_CHANCE,
    INLINE_RETURN_CHANCE,
    NESTED_FUNCTION_CHANCES,
    OUTLINE_TARGETS,
    REPEATED_OUTLINE_CHANCE,
    SAME_NAME_CHANCE,
    TRIED_CUTS,
)


@dataclass(slots=True)
class Outlined:
    """The functions of a kernel.

    Attributes:
        texts: the text of each function by its key, in the order of the file.
        names: candidates for the name of each.
        local_names: candidates for the names of locals that are in no row.
    """

    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    local_names: dict[str, str] = field(default_factory=dict)


def outline(body: list[Node], around: Surroundings, rng: RandomStream) -> Outlined:
    """Move statements of a kernel into functions; ``body`` is changed in place."""
    return _Outliner(around, rng).outline(body)


MIN_REMAINDER = 2
"""The least number of operators and calls that remain in a function when a part of it becomes another one."""


class _Outliner:
    """The functions of one kernel, made one after another."""

    def __init__(self, around: Surroundings, rng: RandomStream) -> None:
        self._around, self._rng = around, rng
        self._functions: list[Function] = []
        self._values = LongValues()
        self._names = around.names
        self._hoists = rng.chance(HOISTED_LOAD_CHANCE)
        self._number = 0
        self._made: dict[str, Function] = {}

    def outline(self, body: list[Node]) -> Outlined:
        self._values.split(body, self._names)
        self._names.update(self._values.names)
        self._namer = FunctionNamer(body, self._values, self._names, self._around, self._rng)
        self._divide(body, self._around.known, (), 0)
        self._finish(body, ())
        annotated = self._rng.chance(ANNOTATED_RESULT_CHANCE)
        found = Outlined(local_names=self._names)
        for function in self._functions:
            self._finish(function.body, function.results)
            found.texts[function.key] = self._render(function, annotated)
            found.names[function.key] = function.names
        return found

    def _finish(self, body: list[Node], results: Iterable[str]) -> None:
        """Put values back, and many calls in the place of their only use in the next line."""
        reads = Counter(key for node in walk(body) if node.text[:1] != "#" for key in LOCAL.findall(node.text))
        reads.update(list(results))
        lines = [read_line(node.text) for node in walk(body)]
        calls = [line.targets[0] for line in lines if len(line.targets) == 1 and line.calls and is_call(line.value)]
        self._values.merge(body, {key for key in calls if reads[key] == 2 and self._rng.chance(INLINE_CALL_CHANCE)})

    def _results_of(self, key: str) -> Results:
        if key in self._made:
            return tuple(self._made[key].results.values())
        return self._around.results_of(key)

    def _is_pure(self, key: str) -> bool:
        return key in self._made or self._around.is_pure(key)

    # --------------------------------------------------------------------------------------------------------------- cuts

    def _divide(self, body: list[Node], known: Mapping[str, Kind], results: Iterable[str], depth: int) -> None:
        """Make functions of parts of a kernel or function."""
        chance = NESTED_FUNCTION_CHANCES[depth]
        while self._rng.chance(chance):
            flow = Flow(body, self._is_pure, tuple(results))
            scope = Scope(body, known, self._around.kinds, self._results_of)
            cuts = find_cuts(flow, self._count_arguments, self._rng.choice(OUTLINE_TARGETS[depth]), self._rng)
            if depth:
                cuts = [cut for cut in cuts if _leaves_enough(cut, flow) and cut.outputs != flow.mask(tuple(results))]
            function = next(filter(None, (self._cut(cut, flow, scope, depth) for cut in cuts[:TRIED_CUTS])), None)
            if function is None:
                break
            chance *= REPEATED_OUTLINE_CHANCE

    def _count_arguments(self, keys: frozenset[str]) -> int:
        return len(keys & self._around.arguments)

    def _cut(self, cut: Cut, flow: Flow, scope: Scope, depth: int) -> Function | None:
        """Make a function of a cut and replace the statements by its call; return None if a type is unknown."""
        results = {key: scope.local(key) for key in flow.keys(cut.outputs)}
        values: dict[str, Kind] = {
            key: kind for key, kind in results.items() if kind is not None and not isinstance(kind, ArrayType)
        }
        if len(values) < len(results) or not is_connected(cut):
            return None
        items, nodes = cut.items, cut.block.nodes
        body = copy_nodes(nodes[items[0].first : items[-1].stop])
        inputs = self._find_inputs(body, cut, flow, scope)
        if inputs is None:
            return None
        lines = [read_line(node.text) for node in walk(body)]
        order = [key for line in lines for key in (*line.targets, *sorted(line.changes)) if key in values]
        ordered = {key: values[key] for key in dict.fromkeys(order)}
        self._number += 1
        parameters = {key: inputs.kinds[key] for key in inputs.ordered()}
        function = Function(
            f"outlined_{self._number}", inputs.body, parameters, ordered, [inputs.arguments[key] for key in parameters]
        )
        function.names = self._namer.names(function)
        if not function.names:
            return None
        function.doc = self._describe(function)
        self._made[function.key] = function
        runs = [Run(nodes, items[0].first, items[-1].stop, f"{', '.join(f'${key}' for key in ordered)} = {function.call}")]
        runs += find_repeats(cut, function, flow, scope, self._around.arguments, self._around.batched)
        replace_runs(runs)
        if depth + 1 < len(NESTED_FUNCTION_CHANCES):
            self._divide(function.body, parameters, tuple(ordered), depth + 1)
        self._functions.append(function)
        return function

    # ------------------------------------------------------------------------------------------------------------- inputs

    def _find_inputs(self, body: list[Node], cut: Cut, flow: Flow, scope: Scope) -> Inputs | None:
        """Find the parameters of a function and write them into its statements; return None if a type is unknown."""
        inputs = Inputs(body)
        changed = set(flow.keys(cut.changed))
        if self._hoists:
            self._hoist(inputs, changed, set(flow.keys(cut.outputs)), scope)
        keys = dict.fromkeys(key for node in walk(body) if node.text[:1] != "#" for key in PARAMETER.findall(node.text))
        uses_world = False
        for key in keys:
            if key not in self._around.arguments:
                continue
            kind = self._around.kinds.get(key)
            if kind is None or (isinstance(kind, ArrayType) and kind.indexed):
                return None  # Warp has no adjoint of a call with an indexed array
            local = f"{key}__p"
            self._names.setdefault(local, self._names.get(f"{{{key}}}", key))
            if key in self._around.batched and isinstance(kind, ArrayType):
                uses_world, kind = True, ArrayType(kind.element, kind.ndim + 1, kind.indexed)
                inputs.replace(f"{{{key}}}[", f"{local}[${self._around.world}, ")
            inputs.replace(f"{{{key}}}", local)
            inputs.add(local, kind, f"{{{key}}}")
        read = {key for node in walk(body) for key in read_line(node.text).reads}
        if uses_world:
            read.add(self._around.world)
        for key in sorted(read & (set(flow.keys(cut.inputs)) | {self._around.world}) - inputs.kinds.keys()):
            kind = scope.local(key)
            if kind is None:
                return None
            inputs.add(key, kind, f"${key}")
        known = inputs.kinds.keys() | {key for node in walk(body) for key in read_line(node.text).targets}
        complete = all(key in known for node in walk(body) if node.text[:1] != "#" for key in LOCAL.findall(node.text))
        return inputs if complete and any(node.is_statement for node in body) and inputs.kinds else None

    def _hoist(self, inputs: Inputs, changed: set[str], results: set[str], scope: Scope) -> None:
        """Pass elements of arrays instead of arrays with indices, if at most two of an array are read."""
        loads = loads_of(inputs.body, scope, changed)
        text = "\n".join(render(inputs.body))
        arrays = [array for array, _ in loads.values()]
        kept = reassigned(inputs.body)
        chosen = {
            load: (array, kind)
            for load, (array, kind) in loads.items()
            if arrays.count(array) <= 2
            and load not in kept
            and text.count(array) == sum(map(text.count, loads_from(array, loads)))
        }
        loaded = take_loads(inputs.body, chosen, results)
        endings, taken = Endings(self._rng), set(LOCAL.findall(text))
        for load, (array, kind) in sorted(chosen.items(), key=lambda entry: -len(entry[0])):
            if not any(load in argument for argument in inputs.arguments.values()):
                key = loaded.get(load) or self._name_load(load, array, taken, endings if arrays.count(array) > 1 else None)
                inputs.replace(load, key)
                inputs.add(key, kind, load)

    def _name_load(self, load: str, array: str, taken: set[str], endings: Endings | None) -> str:
        """Return the key of a local for an element of an array, with candidates for its name."""
        usual = self._around.loaded.get(load, "")
        if usual and usual not in taken and endings is None:
            return usual
        owner = array.strip("{}$").removesuffix("__p")
        ending = endings.of(load[len(array) + 1 : -1]) if endings is not None else ""
        named = [self._around.texts.get(owner, owner).rpartition(".")[2]]
        if not self._rng.chance(SAME_NAME_CHANCE):
            named = self._names.get(array.removeprefix("$"), owner).split()
        self._number += 1
        key = f"{owner}__e{self._number}"
        self._names[key] = " ".join(dict.fromkeys(f"{singular(word)}{ending}" for word in named))
        return key

    def _describe(self, function: Function) -> str:
        """Return a docstring that says which values of the kernel a function returns, or an empty text."""
        receivers = [self._namer.stored.get(key, "").strip("{}") for key in function.results]
        about = [self._around.about.get(key, "") for key in receivers]
        if len(about) != 1 or not about[0] or not self._rng.chance(FUNCTION_DOCSTRING_CHANCE):
            return ""
        return f"Return the {re.sub(r'^(?:the|a|an) ', '', about[0]).replace(' of each ', ' of one ')}."

    def _render(self, function: Function, annotated: bool) -> str:
        rng = self._rng
        inline, early = rng.chance(INLINE_RETURN_CHANCE), rng.chance(EARLY_RETURN_CHANCE)
        body = finish_body(
            function.body, tuple(function.results), inline=inline, early=early, chained=rng.chance(CHAINED_RETURN_CHANCE)
        )
        lines = style_lines(render(body), rng)
        if function.doc:
            lines.insert(0, f'"""{function.doc}"""')
        return "\n".join([render_head(function, annotated), *(f"{INDENT}{line}" if line else "" for line in lines)])


def _leaves_enough(cut: Cut, flow: Flow) -> bool:
    """Return whether a function without the statements of a cut is more than a call of another one."""
    statements = sum(item.statements for item in flow.top.items)
    weight = sum(item.weight for item in flow.top.items)
    return cut.statements < statements and weight - cut.weight >= MIN_REMAINDER
