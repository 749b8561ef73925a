"""`extract_ir`: the C++ and CUDA code that Warp generates for a kernel, without a GPU and without a compiler."""

from __future__ import annotations

from typing import Any

from warpsmith.core.errors import KernelRejected, WarpsmithError, describe
from warpsmith.core.records.ir import TARGETS, Code, Device, KernelIR
from warpsmith.extraction.codegen.split import split
from warpsmith.extraction.warp import codegen, registries
from warpsmith.extraction.warp.interleave import Steps, run_alone
from warpsmith.extraction.warp.objects import is_generic_kernel, overloads_of, registered_name


def extract_ir(kernel: Any, device: Device = "cpu", include_backward: bool = True) -> KernelIR:
    r"""Return the code that Warp generates for ``kernel``.

    The text is byte for byte the text that ``wp.compile_aot_module(strip_hash=True)`` writes to disk.

    Args:
        kernel: a Warp kernel; for a generic kernel, an overload (the result of ``wp.overload``) or the kernel itself if it has
            exactly one.
        device: ``"cpu"`` for C++, ``"cuda"`` for CUDA, ``"both"`` for both from one build of the adjoint.
        include_backward: whether to generate the adjoint; a kernel with ``enable_backward=False`` has none in any case.

    Raises:
        KernelRejected: if Warp cannot generate the kernel, with Warp's reason.
        WarpsmithError: if ``device`` is unknown or ``kernel`` is not a Warp kernel.

    Examples:
        >>> from warpsmith.extraction.targets.loading import loaded_kernel
        >>> source = "import warp as wp\n\n@wp.kernel\ndef fill(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"
        >>> with loaded_kernel(source) as kernel:
        ...     ir = extract_ir(kernel, device="cuda")
        >>> "fill_cuda_kernel_forward(" in ir.forward_code
        True
    """
    return run_alone(extract_stepwise(kernel, device, include_backward))


def extract_stepwise(kernel: Any, device: Device, include_backward: bool) -> Steps[KernelIR]:
    """Do the work of `extract_ir` in steps."""
    if device not in TARGETS:
        raise WarpsmithError(f"unknown device {device!r}: use 'cpu', 'cuda' or 'both'")
    if not registries.is_kernel(kernel):
        raise WarpsmithError(f"expected a Warp kernel, got {type(kernel).__name__}: decorate it with @wp.kernel")
    kernel = _concrete(kernel)
    try:
        modules = yield from codegen.generate_text_stepwise(kernel, TARGETS[device], include_backward)
    except Exception as error:
        raise KernelRejected("codegen", describe(error)) from error
    yield
    codes = {target: split(modules.pop(target), target) for target in TARGETS[device]}
    first = next(iter(codes.values()))
    if not include_backward:
        codes = {target: Code(code.kernel_name, code.forward_code, None) for target, code in codes.items()}
    note = _no_backward_reason(kernel) if include_backward and first.backward_code is None else None
    return KernelIR(first.kernel_name, device, codes, note)


def _concrete(kernel: Any) -> Any:
    """Return the kernel, or the only overload of a generic kernel."""
    if not is_generic_kernel(kernel):
        return kernel
    overloads = overloads_of(kernel)
    if len(overloads) == 1:
        return overloads[0]
    raise KernelRejected(
        "codegen",
        f"generic kernel {registered_name(kernel)!r} has {len(overloads)} overloads: name the types with wp.overload()",
    )


def _no_backward_reason(kernel: Any) -> str:
    if "enable_backward" in codegen.decorator_options(kernel):
        return "the kernel sets enable_backward=False"
    return "the kernel's module sets enable_backward=False"
