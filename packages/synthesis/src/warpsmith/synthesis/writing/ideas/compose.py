"""Composition: an idea becomes a kernel, with its description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent

from msgspec import Struct

from warpsmith.synthesis.language.composed_kernel import Kernel, Param
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.form_policy import HEADING_CHANCE
from warpsmith.synthesis.writing.forms.file_style import FileStyle
from warpsmith.synthesis.writing.forms.parameter_notes import Notes
from warpsmith.synthesis.writing.forms.wording import capitalized
from warpsmith.synthesis.writing.ideas.data_layout import batchable_arrays
from warpsmith.synthesis.writing.ideas.decoration import choose_decorator, module_options
from warpsmith.synthesis.writing.ideas.expand import Expansion
from warpsmith.synthesis.writing.ideas.inlining import Inliner
from warpsmith.synthesis.writing.ideas.kernel_names import Names, without_thread
from warpsmith.synthesis.writing.ideas.loads import element_names, load_elements
from warpsmith.synthesis.writing.ideas.local_names import LocalNames
from warpsmith.synthesis.writing.ideas.narrate import describe_data, describe_functions, describe_options, describe_rule
from warpsmith.synthesis.writing.ideas.notation import HELPER, TOPIC, Choices, is_function, tidy, words
from warpsmith.synthesis.writing.ideas.opening import choose_dim, choose_opening, open_body, write_indices
from warpsmith.synthesis.writing.ideas.operands import swap_operands
from warpsmith.synthesis.writing.ideas.outlining.outline import outline
from warpsmith.synthesis.writing.ideas.outlining.surroundings import parameter_kinds, surroundings
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea, Index, Size
from warpsmith.synthesis.writing.ideas.provide import provide
from warpsmith.synthesis.writing.ideas.realize import Parameters
from warpsmith.synthesis.writing.ideas.roles import can_batch
from warpsmith.synthesis.writing.ideas.statement_passes import drop_repeated_exits, drop_unread, reorder_loads
from warpsmith.synthesis.writing.ideas.stress import stress
from warpsmith.synthesis.writing.ideas.style import style_lines
from warpsmith.synthesis.writing.ideas.tree import Node, render
from warpsmith.synthesis.writing.ideas.unrolling import unroll
from warpsmith.synthesis.writing.policy import (
    BATCH_CHANCE,
    BREAK_CHANCE,
    DETAIL_CHANCE,
    KERNEL_SUFFIX_CHANCE,
    REORDER_CHANCE,
    UNROLL_CHANCE,
    Length,
)

_DEFINED = re.compile(r"^(?:(?:def|class) (\w+)[(:]|(\w+) = )", re.MULTILINE)
"""The names that the text of a helper defines."""


class Plan(Struct, frozen=True, gc=False):
    """How a kernel is composed.

    Attributes:
        length: how long it is.
        adjoint: whether it must have an adjoint.
        packs: whether arguments are passed in structs wherever possible.
        stressed: whether it contains constructs that Warp differentiates incorrectly.
        style: the style of its file.
    """

    length: Length
    adjoint: bool = True
    packs: bool = False
    stressed: bool = False
    style: FileStyle = FileStyle()


class Composition:
    """A kernel composed of an idea, by steps that read what the steps before them decided.

    Args:
        domain: the domain of the idea.
        idea: the idea.
        rng: the randomness of the kernel.
        plan: how it is composed.

    Attributes:
        kernel: the kernel.
    """

    def __init__(self, domain: Domain, idea: Idea, rng: RandomStream, plan: Plan) -> None:
        self._domain, self._idea, self._rng, self._plan = domain, idea, rng, plan
        self._choices = Choices(rng)
        self._names = Names(rng)
        rows = {index.key: index for index in domain.indices}
        self._threads = [rows[key] for key in idea.threads.split()]
        self._body = self._write_body()
        self._lines = render(self._body)
        self._helpers = self._find_helpers()
        self._batched = self._may_batch() and rng.chance(BATCH_CHANCE)
        self._name_functions()
        self._indices = self._all_threads()
        self._block = rng.choice(idea.blocks) if idea.blocks else 0
        self._index_names = {index.key: self._names.choose(self._candidates(index)) for index in self._indices}
        self._opening = choose_opening(len(self._indices), self._block, rng)
        inside = "\n".join(self._helpers.values())
        self._parameters = Parameters(
            domain,
            rng,
            self._names,
            open_body(self._opening, "", self._lines),
            inside,
            domain.world if self._batched else None,
            plan.packs,
            self._block,
            plan.style.enums,
        )
        # the kernel does not depend on the choices in its functions
        self._inner_rng = RandomStream(f"functions/{rng.below(1 << 32)}")
        self._inner_names = self._names.fork(self._inner_rng)
        self._locals = LocalNames(domain, self._names, self._inner_names, self._lines, self._index_names, self._threads)
        self._locals.added = element_names(self._body, self._parameters.texts)
        self._outlined: frozenset[str] = frozenset()
        self._detail: str | None = None
        self._outline()
        self.kernel = self._build()

    # ---------------------------------------------------------------------------------------------------------------- text

    def _candidates(self, index: Index) -> Sequence[str]:
        candidates = words(index.names)
        return without_thread(candidates) if len(self._indices) > 1 else candidates

    def _write_body(self) -> list[Node]:
        expansion = Expansion(self._domain, self._rng, self._plan.length.extra_chance, self._plan.length.extra_count)
        body = expansion.expand(self._idea, self._choices)
        provide(body, self._domain, {index.key for index in self._threads}, self._rng, self._choices)
        body = drop_repeated_exits(body)
        if self._plan.length.inlined and not self._plan.stressed:
            Inliner(self._domain, self._choices, self._rng, self._plan.length.inlined).inline(body)
        unroll(body, self._rng, UNROLL_CHANCE)
        drop_unread(body)
        if not self._idea.blocks:
            load_elements(body, self._domain, [index.key for index in self._threads], self._rng)
        if self._rng.chance(REORDER_CHANCE):
            reorder_loads(body, self._rng)
        if self._plan.stressed:
            stress(body, self._domain, self._rng)
        elif not self._idea.generic:
            swap_operands(body, words(self._idea.threads), parameter_kinds(self._domain), self._rng)
        return body

    def _find_helpers(self) -> dict[str, str]:
        """Return the texts of the helper functions that are called, in the order of the file."""
        texts: dict[str, str] = {}
        called = set(HELPER.findall("\n".join(self._lines)))
        for row in reversed(self._domain.helpers):
            if row.key in called:
                text = dedent(self._choices.resolve(self._rng.choice(row.ways))).strip("\n")
                texts[row.key] = text
                called.update(HELPER.findall(text))
        return dict(reversed(texts.items()))

    def _name_functions(self) -> None:
        self._function_names: dict[str, str] = {}
        candidates = {row.key: words(row.names) for row in self._domain.helpers}
        for key, text in self._helpers.items():
            defined = _DEFINED.findall(text)
            if not defined:
                raise ValueError(f"helper {key!r} defines no name")
            first, second = defined[0] if is_function(text) else defined[-1]
            name = self._names.choose(candidates[key] or (TOPIC.sub("", first or second),))
            name = self._function_names[key] = self._private(name) if is_function(text) else name
            if name != (first or second):
                self._helpers[key] = re.sub(rf"(?<![.$@\w]){first or second}\b", name, text)

    def _private(self, name: str) -> str:
        """Return the name of a function in the style of the file."""
        return name if self._plan.style.private == "none" else f"_{name}"

    def _outline(self) -> None:
        """Move statements into functions."""
        if self._plan.stressed or not self._inner_rng.chance(self._plan.length.outlined):
            return
        world = self._domain.world.key if self._batched and self._domain.world else ""
        around = surroundings(self._domain, self._idea, self._parameters, self._helpers, world)
        outlined = outline(self._body, around, self._inner_rng)
        if not outlined.texts:
            return
        self._lines = render(self._body)
        self._locals.added, self._outlined = {**self._locals.added, **outlined.local_names}, frozenset(outlined.texts)
        for key, text in outlined.texts.items():
            self._function_names[key] = self._private(self._inner_names.choose(outlined.names[key]))
            self._helpers[key] = text.replace(f"def {key}(", f"def {self._function_names[key]}(")

    def _may_batch(self) -> bool:
        domain = self._domain
        return domain.world is not None and not self._idea.blocks and can_batch(batchable_arrays(domain), self._lines)

    def _all_threads(self) -> list[Index]:
        world = [self._domain.world] if self._batched and self._domain.world else []
        return [*world, *self._threads]

    # -------------------------------------------------------------------------------------------------------------- kernel

    def _build(self) -> Kernel:
        parameters, idea = self._parameters, self._idea
        names = [(self._index_names[index.key], index) for index in self._indices]
        opening, test = write_indices(self._opening, names, parameters, self._names)
        sizes = tuple(parameters.layout.length(index.over) for index in self._indices)
        dim = (*sizes, self._block) if idea.tiled else choose_dim(self._opening, sizes, self._rng)
        params = parameters.ordered()
        world = self._index_names[self._domain.world.key] if self._batched and self._domain.world else ""
        body = self._finish(parameters.substitute("\n".join(self._lines), world)).split("\n")
        pause = [""] if self._rng.chance(BREAK_CHANCE) else []
        body = open_body(self._opening, test, body)
        statements = style_lines([*opening, *pause, *body], self._rng)
        name = self._names.choose(words(self._choices.resolve(idea.names)))
        name = f"_{name}" if self._plan.style.private == "all" else name
        name += "_kernel" if self._rng.chance(KERNEL_SUFFIX_CHANCE) else ""
        self._functions = helpers = [self._finish_helper(key, text) for key, text in self._helpers.items()]
        imports = ("from typing import Any",) if idea.generic or any("Any" in text for text in helpers) else ()
        self._purpose = self._finish(parameters.substitute(tidy(self._choices.resolve(idea.purpose)), world))
        self._rule = [*opening, *body]
        heading = f"{capitalized(self._purpose)}." if self._rng.chance(HEADING_CHANCE) else ""
        return Kernel(
            name,
            params,
            tuple(statements),
            tuple(parameters.layout.sizes.items()),
            dim,
            imports=imports,
            constants=tuple(parameters.constants),
            doc="" if heading else self._write_docstring(),
            preface=(*parameters.structs, *(f"@wp.func\n{text}" if is_function(text) else text for text in helpers)),
            options=module_options(self._lines, self._block),
            generic=tuple(parameters.texts[key] for key in words(idea.generic) if key in parameters.texts),
            decorator=choose_decorator(idea, self._plan.adjoint, self._rng),
            enumerations=parameters.enumerations,
            heading=heading,
        )

    @property
    def notes(self) -> Notes:
        """What the rows say about the kernel."""
        texts = self._parameters.texts
        sizes = (row for row in self._domain.parameters if isinstance(row, Size) and row.key in self._parameters.layout.sizes)
        lengths = {
            row.key: text if (text := texts.get(row.key, "")).isidentifier() else (words(row.names) or (row.key,))[0]
            for row in sizes
        }
        return Notes(self._parameters.about, lengths, " and ".join(index.item for index in self._indices))

    def _finish(self, text: str) -> str:
        """Replace keys of locals and helper functions by names."""
        return self._locals.finish(HELPER.sub(self._name_helper, text))

    def _name_helper(self, match: re.Match[str]) -> str:
        return self._function_names.get(match[1], match[0])

    def _finish_helper(self, key: str, text: str) -> str:
        """Return the text of a helper function with names."""
        taken = {*self._function_names.values(), *(row.name for row in self._parameters.constants)}
        texts = self._parameters.texts if key in self._outlined else None
        text = HELPER.sub(self._name_helper, self._parameters.substitute(text, ""))
        return self._locals.finish_function(text, taken, texts)

    # ---------------------------------------------------------------------------------------------------------------- style

    def _write_docstring(self) -> str:
        if self._plan.style.docs == "none":
            return ""
        self._detail = tidy(self._choices.resolve(self._idea.docs))
        texts = [self._purpose, *([self._detail] if self._detail and self._rng.chance(DETAIL_CHANCE) else [])]
        return "\n".join(self._write_sentence(text) for text in texts)

    def _write_sentence(self, text: str) -> str:
        """Return a text of the catalogue, with names, as a sentence."""
        return f"{capitalized(self._finish(self._parameters.substitute(text, ''))).rstrip('.')}."

    # ---------------------------------------------------------------------------------------------------------- description

    def describe(self, params: Sequence[Param]) -> str:
        """Return the description: purpose, detail, threads, arguments, constants, options, functions, and the rule.

        Draws after the kernel is complete: the kernel does not depend on the description.

        Args:
            params: the parameters of the file, whose precision may be another one.
        """
        detail = tidy(self._choices.resolve(self._idea.docs)) if self._detail is None else self._detail
        items = " and ".join(index.item for index in self._indices)
        worker = "block of threads" if self._idea.tiled else "thread"
        constants = {constant.name: constant.value for constant in self.kernel.constants} | self._parameters.members
        parts = [f"{capitalized(self._purpose)}.", *([self._write_sentence(detail)] if detail else [])]
        parts.append(f"One {worker} for each {items}.")
        parts += describe_data(params, self._parameters.about, constants, self._functions)
        parts += describe_options(self.kernel.decorator, self.kernel.options)
        return " ".join([*parts, *map(describe_functions, self._functions), f"Rule: {describe_rule(self._rule)}."]).replace(
            "  ", " "
        )
