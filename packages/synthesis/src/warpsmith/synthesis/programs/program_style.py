"""The style of a program: what differs between authors and does not change what is computed."""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.synthesis.language.layout.file_layout import Layout
from warpsmith.synthesis.language.render import STYLES, Style
from warpsmith.synthesis.programs import program_policy as policy
from warpsmith.synthesis.random_stream import RandomStream


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramStyle:
    """The style of a program; `program_policy` explains the choices.

    Attributes:
        form: the form of the host code.
        device: how the device is chosen.
        argparse: whether the program has options.
        placement: where other parameters have their values.
        checks: how arrays are compared.
        conditions: how conditions are checked.
        launches: how ``wp.launch`` is called.
        tape: how a tape is opened.
        timer: whether the loop or the run is timed.
        logs: whether the steps print values.
        reports: whether results are printed.
        comments: the share of comments that are kept.
        kernel_docs: whether kernels have docstrings.
        module_doc: the docstring of the file.
        method_docs: whether functions of the host have docstrings.
        hints: whether parameters of the host are annotated.
        typed_arrays: whether annotations of arrays have the type of their elements.
        launcher: what names of functions that launch a kernel begin with; empty if the program has none.
        early_return: whether these functions return where there is nothing to do.
        validate: whether functions check their parameters.
        joined_checks: whether one statement checks several parameters.
        contiguous: whether functions that launch a kernel copy an array that is not contiguous.
        default: how a device that is not given is found.
        argument_docs: whether docstrings of functions describe parameters.
        verbose: whether a parameter decides what is printed.
        filled: whether arrays are allocated first and filled in a second statement.
        shape: whether ``shape=`` is written where arrays are allocated.
        init: whether the program calls ``wp.init()``.
        short_types: whether ``wp.vec3`` is written for ``wp.vec3f``.
        check_inside: whether results are checked where they are computed.
        spelling: how types of kernels are written.
        layout: how long lines are wrapped.
    """

    form: str
    device: str
    argparse: bool
    placement: str
    checks: str
    conditions: str
    launches: str
    tape: str
    timer: bool
    logs: bool
    reports: bool
    comments: float
    kernel_docs: bool
    module_doc: str
    method_docs: bool
    hints: bool
    typed_arrays: bool
    launcher: str
    early_return: bool
    validate: bool
    joined_checks: bool
    contiguous: bool
    default: str
    argument_docs: bool
    verbose: bool
    filled: bool
    shape: bool
    init: bool
    short_types: bool
    check_inside: bool
    spelling: Style
    layout: Layout

    @property
    def scoped_function(self) -> bool:
        """Whether the function that runs the program has the device as a parameter, and runs on it."""
        return self.device == "scoped" and not self.argparse and self.form == "run"

    def device_default(self, device: str) -> list[str]:
        """Return the statements that set a device that is not given to ``device``."""
        if self.default == "if":
            return ["if device is None:", f"    device = {device}"]
        if self.default == "is":
            return [f"device = {device} if device is None else device"]
        return [f"device = device if device is not None else {device}"] if self.default == "is not" else []


def choose_program_style(rng: RandomStream) -> ProgramStyle:
    """Choose the style of a program."""
    form = rng.choice(policy.FORMS)
    argparse = rng.chance(policy.ARGPARSE_CHANCE)
    device = rng.choice(policy.DEVICES)
    hints = rng.chance(policy.HINT_CHANCE)
    return ProgramStyle(
        form=form,
        device=device,
        argparse=argparse,
        placement=rng.choice(policy.PLACEMENTS),
        checks=rng.choice(policy.CHECKS),
        conditions=rng.choice(policy.CONDITIONS),
        launches=rng.choice(policy.LAUNCHES),
        tape=rng.choice(policy.TAPES),
        timer=rng.chance(policy.TIMER_CHANCE),
        logs=rng.chance(policy.LOG_CHANCE),
        reports=rng.chance(policy.REPORT_CHANCE),
        comments=rng.choice(policy.COMMENT_SHARES),
        kernel_docs=rng.chance(policy.KERNEL_DOC_CHANCE),
        module_doc=rng.choice(policy.MODULE_DOCS),
        method_docs=rng.chance(policy.METHOD_DOC_CHANCE),
        hints=hints,
        typed_arrays=rng.chance(policy.TYPED_ARRAY_CHANCE),
        launcher=rng.choice(policy.LAUNCHERS) if rng.chance(policy.LAUNCHER_CHANCES[hints]) else "",
        early_return=rng.chance(policy.EARLY_RETURN_CHANCE),
        validate=rng.chance(policy.VALIDATE_CHANCE),
        joined_checks=rng.chance(policy.JOINED_CHECK_CHANCE),
        contiguous=rng.chance(policy.CONTIGUOUS_CHANCE),
        default=rng.choice(policy.DEVICE_DEFAULTS),
        argument_docs=rng.chance(policy.ARGUMENT_DOC_CHANCE),
        verbose=rng.chance(policy.VERBOSE_CHANCE),
        filled=rng.chance(policy.FILL_CHANCE),
        shape=rng.chance(policy.SHAPE_CHANCE),
        init=rng.chance(policy.QUIET_CHANCE),
        short_types=rng.chance(policy.SHORT_TYPES_CHANCE),
        check_inside=rng.chance(policy.CHECK_INSIDE_CHANCE),
        spelling=rng.choice(STYLES),
        layout=Layout(length=rng.choice(policy.LINE_LENGTHS)),
    )
