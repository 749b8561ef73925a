"""The names of tasks, the same in exports and in scoring, and what a record needs for the scorer to judge an answer."""

from __future__ import annotations

from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair

PYTHON_TO_CUDA = "python_to_cuda"
FORWARD_TO_ADJOINT = "forward_to_adjoint"
CUDA_TO_PYTHON = "cuda_to_python"
PYTHON_TO_PLAIN_CUDA = "python_to_plain_cuda"
PYTHON_TO_PROGRAM = "python_to_program"
REPAIR = "repair"
PROGRAM_HOST = "program_host"
PROGRAM_KERNEL = "program_kernel"
PROGRAM_TO_CUDA = "program_to_cuda"

OF_PROGRAMS = (PROGRAM_HOST, PROGRAM_KERNEL, PROGRAM_TO_CUDA)
"""The tasks about programs; others are about pairs."""

SCORED = (
    PYTHON_TO_CUDA, FORWARD_TO_ADJOINT, CUDA_TO_PYTHON, PYTHON_TO_PLAIN_CUDA, PYTHON_TO_PROGRAM, REPAIR, *OF_PROGRAMS,
)  # fmt: skip
"""The tasks that `warpsmith.scoring` judges, some of which exports have, too."""

DESCRIPTION_TO_PYTHON = "description_to_python"
SPECIFICATION_TO_PYTHON = "specification_to_python"
INTENT_TO_PYTHON = "intent_to_python"
CPP_TO_CUDA = "cpp_to_cuda"
CUDA_TO_CPP = "cuda_to_cpp"

NOT_SCORED = (DESCRIPTION_TO_PYTHON, SPECIFICATION_TO_PYTHON, INTENT_TO_PYTHON, CPP_TO_CUDA, CUDA_TO_CPP)
"""The tasks that only exports have."""

SUFFIXES = {
    PYTHON_TO_CUDA: text_format.kernel_prefix("", "cuda") + "forward",
    FORWARD_TO_ADJOINT: text_format.kernel_prefix("", "cuda") + "backward",
    CUDA_TO_PYTHON: "",
    PYTHON_TO_PLAIN_CUDA: "",
    PYTHON_TO_PROGRAM: "_launch",
}
"""What follows the name of the kernel in the name of the function that an answer defines."""


def judged_entry_point(pair: Pair, task: str) -> str | None:
    """Return the function that an answer to an exported task defines, or None if the scorer does not judge such answers.

    The scorer runs CUDA, on the launch of the record. It refuses some kernels besides, such as those with native code.

    Args:
        pair: the pair.
        task: its name.
    """
    is_missing = pair.metadata.launch is None or pair.cuda_ir_forward is None
    if task not in SUFFIXES or is_missing or (task == FORWARD_TO_ADJOINT and pair.cuda_ir_backward is None):
        return None
    return pair.metadata.kernel_name + SUFFIXES[task]
