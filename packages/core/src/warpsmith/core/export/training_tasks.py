"""Training tasks: questions about a pair and the texts that answer them, as chats and as completions.

Code is the forward text, except in tasks about the adjoint. In questions whose answer is Python, code lacks the comments in
which Warp quotes the Python, because they would contain the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair


@dataclass(frozen=True, slots=True)
class _Question:
    """A question about a pair.

    Attributes:
        answer: the field of the pair that answers it.
        shown: the field that is quoted below the instruction, or None.
        instruction: the instruction; ``{name}`` and ``{description}`` are replaced by those of the kernel.
    """

    answer: str
    shown: str | None
    instruction: str


_ADJOINT = (
    "NVIDIA Warp generated this {language} code for the forward pass of a kernel. "
    "Write the code that it generates for the backward pass, the adjoint."
)

TASKS = {
    "python_to_cuda": (
        _Question(
            "cuda_ir_forward",
            "python_source",
            "Write the CUDA code that NVIDIA Warp generates for the forward pass of this kernel.",
        ),
    ),
    "cuda_to_python": (
        _Question(
            "python_source",
            "cuda_ir_forward",
            "NVIDIA Warp generated this CUDA code. Write a Python file with the Warp kernel that it comes from.",
        ),
    ),
    "forward_to_adjoint": (
        _Question("cuda_ir_backward", "cuda_ir_forward", _ADJOINT.replace("{language}", "CUDA")),
        _Question("cpp_backward", "cpp_forward", _ADJOINT.replace("{language}", "C++")),
    ),
    "description_to_python": (
        _Question("python_source", None, "Write a Python file with an NVIDIA Warp kernel named `{name}`. {description}"),
    ),
    "python_to_plain_cuda": (
        _Question(
            "cuda_plain",
            "python_source",
            "Write CUDA without NVIDIA Warp that does the work of this Warp kernel: a `__global__` function with pointers and "
            "sizes, and the device functions that it needs.",
        ),
    ),
    "cpp_to_cuda": (
        _Question(
            "cuda_ir_forward",
            "cpp_forward",
            "NVIDIA Warp generated this C++ code for a kernel. Write the CUDA code that it generates for the same kernel.",
        ),
    ),
    "cuda_to_cpp": (
        _Question(
            "cpp_forward",
            "cuda_ir_forward",
            "NVIDIA Warp generated this CUDA code for a kernel. Write the C++ code that it generates for the same kernel.",
        ),
    ),
}
"""All tasks by name; of several questions, the first whose texts the pair has is used."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and the text that answers it."""

    task: str
    question: str
    language: str
    text: str


def exchanges(pair: Pair, tasks: Sequence[str]) -> Iterator[Exchange]:
    """Yield an exchange for each of ``tasks`` whose texts the pair has."""
    for task in tasks:
        for question in TASKS[task]:
            shown = question.shown and getattr(pair, question.shown)
            answer = getattr(pair, question.answer)
            if answer and (shown or question.shown is None):
                yield Exchange(task, _text(pair, question, shown), _language(question.answer), answer)
                break


class Message(TypedDict):
    """One message of a chat."""

    role: str
    content: str


class _Origin(TypedDict):
    """The columns of every row: the pair and the task that it comes from."""

    id: str
    task: str
    category: str


class ChatRow(_Origin):
    """A question and its answer as messages."""

    messages: list[Message]


class CompletionRow(_Origin):
    """A question and its answer as texts."""

    prompt: str
    completion: str


class PromptRow(_Origin):
    """A question as a message."""

    prompt: list[Message]


def chat(pair: Pair, exchange: Exchange) -> ChatRow:
    """Return an exchange as two messages, the code fenced."""
    fence = _fence(exchange.text)
    answer = f"{fence}{exchange.language}\n{_closed(exchange.text)}{fence}"
    messages: list[Message] = [{"role": "user", "content": exchange.question}, {"role": "assistant", "content": answer}]
    return {"messages": messages, **_origin(pair, exchange)}


def completion(pair: Pair, exchange: Exchange) -> CompletionRow:
    """Return an exchange as a prompt that ends with an opening fence, and a completion that ends with the closing fence."""
    fence = _fence(exchange.text)
    prompt = f"{exchange.question}\n\n{fence}{exchange.language}\n"
    return {"prompt": prompt, "completion": f"{_closed(exchange.text)}{fence}\n", **_origin(pair, exchange)}


def prompt(pair: Pair, exchange: Exchange) -> PromptRow:
    """Return the question of an exchange alone, as one message."""
    return {"prompt": [{"role": "user", "content": exchange.question}], **_origin(pair, exchange)}


def _origin(pair: Pair, exchange: Exchange) -> _Origin:
    return {"id": pair.id, "task": exchange.task, "category": pair.metadata.category}


def _text(pair: Pair, question: _Question, shown: str | None) -> str:
    instruction = question.instruction.replace("{name}", pair.metadata.kernel_name).replace(
        "{description}", pair.metadata.description
    )
    if question.shown is None or shown is None:
        return instruction
    text = text_format.PYTHON_COMMENT_LINE.sub("", shown) if _language(question.answer) == "python" else shown
    fence = _fence(text)
    return f"{instruction}\n\n{fence}{_language(question.shown)}\n{_closed(text)}{fence}"


def _language(field: str) -> str:
    """Return the language of a field for its fence: ``"python"``, ``"cuda"`` or ``"cpp"``."""
    return field.partition("_")[0]


def _closed(text: str) -> str:
    """Return the text without leading and trailing empty lines, with one newline at its end."""
    return text.strip("\n") + "\n"


def _fence(text: str) -> str:
    """Return a fence that does not occur in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return fence
