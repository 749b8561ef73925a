"""The sections of a host program in one of its forms: a class, functions, or the main function alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from warpsmith.synthesis.programs import program_policy as policy
from warpsmith.synthesis.programs.host_names import renamed
from warpsmith.synthesis.programs.host_sections import HostSections, Parameter, indented, joined
from warpsmith.synthesis.programs.host_signatures import Signatures
from warpsmith.synthesis.programs.program_style import ProgramStyle
from warpsmith.synthesis.random_stream import RandomStream

MAX_VALUES = 9
"""The most values that a function receives or returns; programs that need more are one function."""


@dataclass(frozen=True, slots=True)
class HostCode:
    """The host code of a program.

    Attributes:
        constants: the parameters that are constants of the file.
        definitions: the class or the functions.
        options: the parameters that are options of the command line.
        main: the statements of the main function after the options are read.
        has_function: whether the main function is one; otherwise its statements stand below the test of ``__name__``.
    """

    constants: tuple[Parameter, ...]
    definitions: tuple[str, ...]
    options: tuple[Parameter, ...]
    main: str
    has_function: bool = True


@dataclass(frozen=True, slots=True)
class _Names:
    step: str
    run: str
    function: str
    check: str
    setup: str
    instance: str


class HostWriter:
    """Writes the host code of a program.

    Args:
        sections: the sections, with the kinds of their parameters.
        style: the style of the program.
        title: the name of a class.
        purpose: what the program does.
        rng: the randomness of the program.
        signatures: the annotations of its functions.
    """

    def __init__(
        self,
        sections: HostSections,
        style: ProgramStyle,
        title: str,
        purpose: str,
        rng: RandomStream,
        signatures: Signatures,
    ) -> None:
        self._signatures = signatures
        self._sections, self._style, self._title, self._purpose, self._rng = sections, style, title, purpose, rng
        taken = {*sections.stored("setup", "step", "finish", "check"), *(item.name for item in sections.parameters)}
        self._names = _Names(
            *(
                next(name for name in rng.in_random_order(names) if name not in taken)
                for names in (
                    policy.STEP_NAMES, policy.RUN_NAMES, policy.FUNCTION_NAMES,
                    policy.CHECK_NAMES, policy.SETUP_NAMES, policy.INSTANCES,
                )
            )
        )  # fmt: skip

    def write(self) -> HostCode:
        """Return the host code in the form of the style, or in a simpler one where that form does not fit."""
        form = self._style.form
        if form == "class":
            return self._class()
        if form == "steps" and self._sections.step and not self._leaves_loop and (code := self._steps()):
            return code
        if form in ("run", "steps"):
            return self._function()
        return self._main(has_function=form == "main")

    # ------------------------------------------------------------------------------------------------------------- common parts

    def _loop(self, body: str) -> str:
        """Return the loop around the statements of a step, timed in some programs."""
        header = self._header(body)
        text = f"{header}:\n{indented(body)}" if header else body
        if self._style.timer and text.strip():
            return f'with wp.ScopedTimer("{self._names.run}"):\n{indented(text)}'
        return text

    def _header(self, body: str) -> str:
        """Return the header of the loop; a variable that nothing reads is an underscore."""
        header = self._sections.loop
        if not header.startswith("for "):
            return header
        used = self._sections.free("step")
        for name in self._sections.loop_variables:
            if name not in used and name not in body.split():
                header = renamed(header, {name: "_"})
        return header

    def _doc(self, text: str, described: str = "") -> str:
        if not self._style.method_docs:
            return ""
        summary = f"{text[0].upper()}{text[1:]}."
        return f'"""{summary}\n\n{described}\n"""' if described else f'"""{summary}"""'

    def _define(self, name: str, parameters: Sequence[str], body: Sequence[str], doc: str, results: Sequence[str] = ()) -> str:
        """Return a function; ``doc`` is the summary of its docstring, or the docstring."""
        text = doc if doc.startswith('"""') or not doc else self._doc(doc)
        returns = self._signatures.result(results)
        return f"def {name}({', '.join(parameters)}){returns}:\n{indented(joined([text, *body]) or 'pass')}"

    def _passed(self, parameters: Iterable[Parameter], needs_device: bool) -> str:
        """Return the arguments of the call that starts the program: its options, and its device."""
        arguments = [f"{item.name}=args.{item.name}" for item in parameters if item.kind == "option"]
        return ", ".join([*arguments, *(["device=args.device"] if needs_device and self._style.argparse else [])])

    @property
    def _leaves_loop(self) -> bool:
        """Whether a step may end the loop, so that it is no function of its own."""
        return any(line.strip() in ("break", "continue") for line in self._sections.step.split("\n"))

    @property
    def _needs_device(self) -> bool:
        return self._style.scoped_function or "device" in self._sections.free("setup", "step", "finish", "check")

    def _code(self, definitions: Sequence[str], main: str, *, has_function: bool = True) -> HostCode:
        constants, options = self._sections.of_kind("constant"), self._sections.of_kind("option")
        return HostCode(tuple(constants), tuple(definitions), tuple(options), main, has_function)

    def _locals(self) -> str:
        return "\n".join(
            f"{item.name} = {item.value}{f'  # {item.comment}' if item.comment else ''}"
            for item in self._sections.of_kind("local")
        )

    # -------------------------------------------------------------------------------------------------------------------- forms

    def _attributes(self) -> set[str]:
        """Return the names that several methods of a class use, which are attributes."""
        sections = self._sections
        outside = {*sections.free("step", "loop", "finish", "check"), *sections.free("finish"), *sections.free("check")}
        begun = {*sections.stored("setup"), *(item.name for item in sections.parameters if item.kind != "constant")}
        shared = {name for name in begun if name in outside or name in sections.free("step")}
        shared |= {*sections.carried()} | {name for name in sections.stored("finish") if name in sections.free("check")}
        if "device" in {*sections.free("step"), *sections.free("finish"), *sections.free("check")}:
            shared.add("device")
        return shared - set(sections.loop_variables)

    def _device(self) -> str:
        """Return the statement of the main function that sets the device."""
        if self._style.argparse:
            return "device = args.device"
        return "device = str(wp.get_device())" if self._style.hints else "device = wp.get_device()"

    def _init(self, members: Mapping[str, str], doc: str) -> str:
        """Return the method that makes the attributes ``members`` of a class."""
        arguments, needs_device = self._sections.of_kind("argument", "option"), self._needs_device
        given = [*(item.name for item in arguments), *(["device"] if needs_device else [])]
        begin = {name: text for name, text in members.items() if name not in given}
        kept = "\n".join(f"self.{name} = {name}" for name in given if name in members)
        setup = [kept, renamed(self._locals(), begin), "\n" + renamed(self._sections.setup, begin)]
        checks = self._signatures.begin(arguments, device=needs_device)
        parameters = ["self", *self._signatures.defaults(arguments, device=needs_device)]
        return self._define("__init__", parameters, [checks, *setup], doc)

    def _class(self) -> HostCode:
        sections, names = self._sections, self._names
        in_main = sections.loop.startswith("for ") and not self._leaves_loop and self._rng.chance(0.4)
        arguments, needs_device = sections.of_kind("argument", "option"), self._needs_device
        shared = self._attributes()
        members = {name: f"self.{name}" for name in shared}
        variables = [name for name in sections.loop_variables if name in sections.free("step")]
        described = self._signatures.described(arguments, device=needs_device)
        methods = [self._init(members, "" if described else "create the arrays")]
        step_call = f"{{}}.{names.step}({', '.join(variables)})"
        finish, check = renamed(sections.finish, members), renamed(sections.check, members)
        if sections.step and not self._leaves_loop:
            received = ["self", *self._signatures.annotated(variables)]
            methods.append(self._define(names.step, received, [renamed(sections.step, members)], "advance by one step"))
        body = sections.step if self._leaves_loop else step_call.format("self")
        run = "" if in_main or not sections.step else renamed(self._loop(body), members)
        instance = names.instance
        main = [f"{instance} = {self._title}({self._passed(arguments, needs_device)})"]
        outer = {name: f"{instance}.{name}" for name in shared}
        if in_main:
            main.append(renamed(self._loop(step_call.format(instance)), outer))
            methods.append(self._define(names.check, ["self"], [finish, check], "compare the results with the reference"))
            main.append(f"{instance}.{names.check}()")
        else:
            methods.append(self._define(names.run, ["self"], [run, finish], "run all steps"))
            main.append(f"{instance}.{names.run}()")
            if self._style.check_inside:
                methods.append(self._define(names.check, ["self"], [check], "compare the results with the reference"))
                main.append(f"{instance}.{names.check}()")
            else:
                main.append(renamed(sections.check, outer))
        doc = self._doc(self._purpose, described)
        text = f"class {self._title}:\n{indented((doc + chr(10) * 2 if doc else '') + (chr(10) * 2).join(methods))}"
        return self._code([text], joined(main))

    def _function(self) -> HostCode:
        sections = self._sections
        inside = self._style.check_inside
        results = [name for name in sections.stored("setup", "step", "finish") if name in sections.free("check")]
        arguments = sections.of_kind("argument", "option")
        needs_device = self._needs_device
        loop = self._loop(sections.step) if sections.step else ""
        body = [self._locals(), sections.setup, loop, sections.finish]
        body.append(sections.check if inside else f"return {', '.join(results)}" if results else "")
        if self._style.scoped_function:
            body = [f"with wp.ScopedDevice(device):\n{indented(joined(body))}"]
        body.insert(0, self._signatures.begin(arguments, device=needs_device))
        given = [] if inside else results
        doc = self._doc(self._purpose, self._signatures.described(arguments, device=needs_device, results=given))
        function = self._define(
            self._names.function, self._signatures.defaults(arguments, device=needs_device), body, doc, given
        )
        call = f"{self._names.function}({self._passed(arguments, self._needs_device)})"
        main = call if inside else joined([f"{', '.join(results)} = {call}" if results else call, sections.check])
        return self._code([function], main)

    def _steps(self) -> HostCode | None:
        sections = self._sections
        read = {*sections.free("step"), *sections.free("finish"), *sections.free("check"), *sections.free("loop")}
        made = [name for name in sections.stored("setup") if name in read]
        plain = [item for item in sections.parameters if item.kind != "constant"]
        parameters = {item.name: item for item in plain}
        local = {*made, *sections.loop_variables, *parameters, "device", *sections.stored("step")}
        received = [name for name in sections.free("step") if name in local]
        given = [name for name in [*parameters, "device"] if name in sections.free("setup")]
        carried = list(sections.carried())
        if max(len(made), len(received), len(given)) > MAX_VALUES or len(carried) > 4:
            return None
        taken = [item for item in plain if item.name in given]
        needs_device = "device" in given
        setup = self._define(
            self._names.setup,
            self._signatures.annotated(given),
            [self._signatures.checks(taken), sections.setup, f"return {', '.join(made)}" if made else ""],
            self._doc("create the arrays", self._signatures.described(taken, device=needs_device, results=made)),
            made,
        )
        result = f"return {', '.join(carried)}" if carried else ""
        step = self._define(
            self._names.step,
            self._signatures.annotated(received),
            [sections.step, result],
            "advance by one step",
            carried,
        )
        call = f"{self._names.step}({', '.join(received)})"
        begin = [
            f"{item.name} = args.{item.name}" if item.kind == "option" else f"{item.name} = {item.value}" for item in plain
        ]
        if self._needs_device:
            begin.append(self._device())
        made_call = f"{self._names.setup}({', '.join(given)})"
        main = [
            *begin,
            f"{', '.join(made)} = {made_call}" if made else made_call,
            self._loop(f"{', '.join(carried)} = {call}" if carried else call),
            sections.finish,
            sections.check,
        ]
        return self._code([setup, step], joined(main))

    def _main(self, *, has_function: bool) -> HostCode:
        sections = self._sections
        begin = [
            f"{item.name} = args.{item.name}" if item.kind == "option" else f"{item.name} = {item.value}"
            for item in sections.parameters
            if item.kind != "constant"
        ]
        if self._needs_device:
            begin.append(self._device())
        loop = self._loop(sections.step) if sections.step else ""
        return self._code(
            [], joined([*begin, sections.setup, loop, sections.finish, sections.check]), has_function=has_function
        )
