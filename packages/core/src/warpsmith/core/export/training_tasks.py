"""Training tasks: questions about a pair and the texts that answer them, as chats and as completions.

Code is the forward text, except in tasks about the adjoint. In questions whose answer is Python, code lacks the comments in
which Warp quotes the Python, because they would contain the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypedDict

from warpsmith.core.descriptions.levels import TextLevel, decorator_note, describe_pair, options_note
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.export.wordings import choose_system_message, choose_wording
from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair


@dataclass(frozen=True, slots=True)
class _Question:
    """A question about a pair, in the words of `wordings`.

    Attributes:
        answer: the field of the pair that answers it.
        shown: the field that the question quotes, or None.
        level: the text about the kernel that the question contains, or None.
    """

    answer: str
    shown: str | None = None
    level: TextLevel | None = None


TASKS = {
    "python_to_cuda": (_Question("cuda_ir_forward", "python_source"),),
    "cuda_to_python": (_Question("python_source", "cuda_ir_forward"),),
    "forward_to_adjoint": (_Question("cuda_ir_backward", "cuda_ir_forward"), _Question("cpp_backward", "cpp_forward")),
    "description_to_python": (_Question("python_source", level="description"),),
    "specification_to_python": (_Question("python_source", level="specification"),),
    "intent_to_python": (_Question("python_source", level="intent"),),
    "python_to_plain_cuda": (_Question("cuda_plain", "python_source"),),
    "cpp_to_cuda": (_Question("cuda_ir_forward", "cpp_forward"),),
    "cuda_to_cpp": (_Question("cpp_forward", "cuda_ir_forward"),),
}
"""All tasks by name; of several questions, the first whose texts the pair has is used."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and the text that answers it; the system message may be empty."""

    task: str
    question: str
    language: str
    text: str
    system: str = ""

    @property
    def messages(self) -> list[Message]:
        """The messages before the answer."""
        system: list[Message] = [{"role": "system", "content": self.system}] if self.system else []
        return [*system, {"role": "user", "content": self.question}]


def exchanges(pair: Pair, tasks: Sequence[str]) -> Iterator[Exchange]:
    """Yield an exchange for each of ``tasks`` whose texts the pair has.

    Wording and system message depend on the id and the task alone. Comments with the place of the Python are left out of
    questions and answers, and questions contain the hashed names of structs that only their answers would contain.
    """
    for task in tasks:
        for question in TASKS[task]:
            texts = _texts(pair, question)
            if texts is not None:
                given, answer = texts
                asked = _ask(pair, task, question, given, answer)
                yield Exchange(task, asked, _language(question.answer), answer, choose_system_message(task, pair.id))
                break


def _texts(pair: Pair, question: _Question) -> tuple[str, str] | None:
    """Return what a question contains, code or text, and its answer; None if the pair lacks one of them."""
    answer: str | None = getattr(pair, question.answer)
    given: str | None = getattr(pair, question.shown) if question.shown else None
    if question.level is not None:
        try:
            given = describe_pair(pair, question.level)
        except WarpsmithError:  # the Python defines no kernel: there is nothing to describe
            return None
    if not given or not answer:
        return None
    if question.shown and _language(question.answer) == "python":
        given = text_format.PYTHON_COMMENT_LINE.sub("", given)
    return _without_places(given), _without_places(answer)


def _without_places(text: str) -> str:
    """Return generated code without the comments that contain the file and the line of the Python."""
    return text_format.LOCATION_COMMENT_LINE.sub("", text)


def _ask(pair: Pair, task: str, question: _Question, given: str, answer: str) -> str:
    """Return the text of a question."""
    language = _language(question.shown) if question.shown else "python"
    code = f"{_fence(given)}{language}\n{_closed(given)}{_fence(given)}"
    wording = choose_wording(task, pair.id)
    words = {"code": code, "language": LANGUAGE_NAMES[language], "name": pair.metadata.kernel_name, "text": given}
    text = re.sub(r"\{(code|language|name|text)\}", lambda match: words[match[1]], wording)
    notes = _notes(pair, question, given, answer)
    if question.shown and "{code}" not in wording:
        return "\n\n".join([" ".join([text, *notes]), code])
    return "\n\n".join([text, *notes])


LANGUAGE_NAMES = {"python": "Python", "cuda": "CUDA", "cpp": "C++"}


def _notes(pair: Pair, question: _Question, given: str, answer: str) -> Iterator[str]:
    """Yield sentences about facts that the answer needs and the rest of the question lacks: decorator, options and hashes."""
    if question.level in ("intent", "description") and "Decorator: " not in given:
        with suppress(WarpsmithError):  # the Python defines no kernel
            yield from filter(None, [decorator_note(pair)])
    if question.level != "specification" and "Module options: " not in given:
        yield from filter(None, [options_note(pair)])
    found = text_format.HASHED_NAME.finditer(answer) if text_format.NAME_HASH.search(answer) else ()
    structs = {match[0]: match[1] for match in found if not match[0].startswith("adj_")}
    for name, struct in structs.items():
        if name not in given and re.search(rf"\bclass {struct}\b", pair.python_source):
            yield f"Warp names the struct `{struct}` `{name}`."


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
    """Return an exchange as messages: a system message, if it has one, the question, and the answer with its code fenced."""
    fence = _fence(exchange.text)
    answer = f"{fence}{exchange.language}\n{_closed(exchange.text)}{fence}"
    return {"messages": [*exchange.messages, {"role": "assistant", "content": answer}], **_origin(pair, exchange)}


def completion(pair: Pair, exchange: Exchange) -> CompletionRow:
    """Return an exchange as a prompt that ends with an opening fence, and a completion that ends with the closing fence."""
    fence = _fence(exchange.text)
    prompt = f"{exchange.question}\n\n{fence}{exchange.language}\n"
    return {"prompt": prompt, "completion": f"{_closed(exchange.text)}{fence}\n", **_origin(pair, exchange)}


def prompt(pair: Pair, exchange: Exchange) -> PromptRow:
    """Return the messages of an exchange before the answer."""
    return {"prompt": exchange.messages, **_origin(pair, exchange)}


def _origin(pair: Pair, exchange: Exchange) -> _Origin:
    return {"id": pair.id, "task": exchange.task, "category": pair.metadata.category}


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
