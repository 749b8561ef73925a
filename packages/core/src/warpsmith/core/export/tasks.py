"""What a trainer asks and wants to hear: the tasks that a pair holds, as chats and as completions.

Code is the forward text, except where the adjoint is asked for. Code that Python is asked of goes without the comments in which
Warp quotes the Python: they would be the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair


@dataclass(frozen=True, slots=True)
class _Ask:
    """How one text of a pair is asked for.

    Attributes:
        wanted: the field of the pair that answers.
        given: the field that stands below the instruction, if any.
        instruction: what to do, with the kernel's ``{name}`` and ``{description}``.
    """

    wanted: str
    given: str | None
    instruction: str


_ADJOINT = (
    "NVIDIA Warp generated this {language} code for the forward pass of a kernel. "
    "Write the code that it generates for the backward pass, the adjoint."
)

TASKS = {
    "python-cuda": (
        _Ask(
            "cuda_ir_forward",
            "python_source",
            "Write the CUDA code that NVIDIA Warp generates for the forward pass of this kernel.",
        ),
    ),
    "cuda-python": (
        _Ask(
            "python_source",
            "cuda_ir_forward",
            "NVIDIA Warp generated this CUDA code. Write a Python file with the Warp kernel that it comes from.",
        ),
    ),
    "forward-backward": (
        _Ask("cuda_ir_backward", "cuda_ir_forward", _ADJOINT.replace("{language}", "CUDA")),
        _Ask("cpp_backward", "cpp_forward", _ADJOINT.replace("{language}", "C++")),
    ),
    "description-kernel": (
        _Ask("python_source", None, "Write a Python file with an NVIDIA Warp kernel named `{name}`. {description}"),
    ),
    "cpp-cuda": (
        _Ask(
            "cuda_ir_forward",
            "cpp_forward",
            "NVIDIA Warp generated this C++ code for a kernel. Write the CUDA code that it generates for the same kernel.",
        ),
    ),
    "cuda-cpp": (
        _Ask(
            "cpp_forward",
            "cuda_ir_forward",
            "NVIDIA Warp generated this CUDA code for a kernel. Write the C++ code that it generates for the same kernel.",
        ),
    ),
}
"""All tasks by name; of several ways to ask, the first is taken whose texts a pair has."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and the text that answers it."""

    task: str
    question: str
    language: str
    text: str


def exchanges(pair: Pair, tasks: Sequence[str]) -> Iterator[Exchange]:
    """Yield those of ``tasks`` that the pair has the texts for."""
    for task in tasks:
        for ask in TASKS[task]:
            given = ask.given and getattr(pair, ask.given)
            wanted = getattr(pair, ask.wanted)
            if wanted and (given or ask.given is None):
                yield Exchange(task, _question(pair, ask, given), _language(ask.wanted), wanted)
                break


def chat(pair: Pair, exchange: Exchange) -> dict[str, Any]:
    """Return an exchange as two messages, the code fenced."""
    fence = _fence(exchange.text)
    answer = f"{fence}{exchange.language}\n{_closed(exchange.text)}{fence}"
    messages = [{"role": "user", "content": exchange.question}, {"role": "assistant", "content": answer}]
    return {"messages": messages, **_origin(pair, exchange)}


def completion(pair: Pair, exchange: Exchange) -> dict[str, Any]:
    """Return an exchange as a prompt that ends with an open fence, and what closes it."""
    fence = _fence(exchange.text)
    prompt = f"{exchange.question}\n\n{fence}{exchange.language}\n"
    return {"prompt": prompt, "completion": f"{_closed(exchange.text)}{fence}\n", **_origin(pair, exchange)}


def _origin(pair: Pair, exchange: Exchange) -> dict[str, str]:
    return {"id": pair.id, "task": exchange.task, "category": pair.metadata.category}


def _question(pair: Pair, ask: _Ask, given: str | None) -> str:
    instruction = ask.instruction.replace("{name}", pair.metadata.kernel_name).replace(
        "{description}", pair.metadata.description
    )
    if ask.given is None or given is None:
        return instruction
    text = text_format.PYTHON_COMMENT_LINE.sub("", given) if _language(ask.wanted) == "python" else given
    fence = _fence(text)
    return f"{instruction}\n\n{fence}{_language(ask.given)}\n{_closed(text)}{fence}"


def _language(field: str) -> str:
    """The word behind the fence of a field's text: ``"python"``, ``"cuda"`` or ``"cpp"``."""
    return field.partition("_")[0]


def _closed(text: str) -> str:
    """The text without empty lines around it, and with a newline."""
    return text.strip("\n") + "\n"


def _fence(text: str) -> str:
    """A fence that does not occur in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return fence
