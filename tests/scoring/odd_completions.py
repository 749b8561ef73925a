"""Odd completions of tasks, from a seed: noise, huge and deeply nested texts, hostile code, and broken right answers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from warpsmith.scoring.tasks.task import Task

Form = Callable[[Task, random.Random], str]


@dataclass(frozen=True, slots=True)
class OddCompletion:
    """A completion with the name of its form."""

    form: str
    task: Task
    text: str


def odd_completions(tasks: list[Task], forms: list[str], seed: int) -> list[OddCompletion]:
    """Return a completion of each form; tasks take turns."""
    rng = random.Random(seed)  # noqa: S311 - reproducible texts
    return [
        OddCompletion(form, task, FORMS[form](task, rng))
        for form, task in zip(forms, (tasks * len(forms))[: len(forms)], strict=True)
    ]


def fenced(task: Task, text: str) -> str:
    """Return a right form of a completion."""
    return f"An answer.\n```{task.language}\n{text}\n```\n"


HOSTILE = {
    "cuda": (
        '#include "/dev/zero"',
        "#include </proc/self/environ>",
        "#define A A A A A A A A\n#define float A",
        "#define A(x) x x x x\nint x = A(A(A(A(A(A(A(A(A(A(A(A(1))))))))))));",
        "__attribute__((constructor)) void early() { for (;;) {} }",
        "template <int N> struct T { T<N + 1> next; };\nT<0> endless;",
        "constexpr int f(int n) { return n ? f(n - 1) + f(n - 2) : 1; }\nconstexpr int n = f(60);",
        "inline CUDA_CALLABLE float f(float x) { return f(x) + f(x); }",
        "static float big[1u << 31];",
        "float big[1000000000];",
        "wp::vec_t<1000000000, wp::float32> v;",
        "for (;;) {}",
        "while (true);",
        'asm("int3");',
        'extern "C" void exit(int);',
        "%:include <x>",
        "??=include <x>",
        'R"x(',
        "'",
        '"',
        "/*",
        "\\",
    ),
    "python": (
        "import os\nos.abort()",
        "while True: pass",
        "x = 10 ** 10 ** 10",
        "x = [0] * 10 ** 12",
        "x = ' ' * (1 << 40)",
        "x = wp.static(10 ** 10 ** 9)",
        "x = " + "9" * 5000,
        "x = wp.vec(length=10 ** 9, dtype=float)",
        "@wp.func\ndef f(x: float) -> float:\n    return f(x) + f(x)",
        "def f(f=lambda: f()): return f()\nf()",
        "class A(metaclass=print): pass",
        "__import__('os')._exit(0)",
        "from __future__ import braces",
        "import warp as os",
        "# -*- coding: utf-7 -*-",
        "# -*- coding: nothing -*-",
        "f'{f\"{1}\"}'",
        "\tx = 1",
        "'''",
        "(",
    ),
}
"""Lines that make compilers read files, grow, loop or run code, by language."""

REPEATED = ("x", "(", " ", "\n", "```\n", "/*", '"', "é", "\0", "~~~~", "[[", "0", "#", "\\\n", "a b ", "\U0001f600")
"""What huge completions consist of."""

NESTED = (
    ("(", "1", ")"),
    ("{", ";", "}"),
    ("[", "0", "]"),
    ("wp::vec_t<1,", "float", ">"),
    ("-", "1", ""),
    ("f(", "1", ")"),
    ("1+", "1", ""),
    ("true ? 1 : ", "1", ""),
)
"""What deeply nested texts consist of."""

NOTHING = (
    "",
    " ",
    "\n\n",
    "\t",
    "# only\n# comments",
    "// only\n// comments",
    "```",
    "```\n```",
    "```cuda",
    "```python",
    "pass",
    ";",
)
"""Completions without an answer."""


def _noise(_: Task, rng: random.Random) -> str:
    return rng.randbytes(rng.randrange(1, 3000)).decode(rng.choice(["latin-1", "utf-16-le"]), "replace")


def _surrogates(task: Task, rng: random.Random) -> str:
    lone = chr(rng.randrange(0xD800, 0xE000))
    return rng.choice([lone, f"{task.reference}\n// {lone}", fenced(task, f"{lone}{task.reference}"), f"```{lone}\nx\n```"])


def _control(task: Task, rng: random.Random) -> str:
    character = rng.choice("\0\x01\x0b\x0c\x1a\x1b\x7f\x85\u2028\u202e\ufeff\ufffe\u200b\U000e0001")
    return fenced(task, _insert(task.reference, character, rng))


def _line_ends(task: Task, rng: random.Random) -> str:
    return fenced(task, task.reference.replace("\n", rng.choice(["\r\n", "\r", "\n\r", "\u2028", "\\\n"])))


def _byte_order_mark(task: Task, _: random.Random) -> str:
    return f"\ufeff{task.reference}"


def _huge(_: Task, rng: random.Random) -> str:
    part = rng.choice(REPEATED)
    return part * (rng.choice([10**6, 5 * 10**6]) // len(part))  # of escaped characters, 64 MiB would be no line


def _tokens(task: Task, rng: random.Random) -> str:
    return fenced(task, task.reference + "\n" + rng.choice(["x ", "+ ", "1 ", "x = 1; ", "- - ", "not "]) * 100_000)


def _nested(task: Task, rng: random.Random) -> str:
    opening, inner, closing = rng.choice(NESTED)
    depth = rng.choice([50, 300, 2_000, 20_000])
    return fenced(task, _in_place_of_a_number(task.reference, opening * depth + inner + closing * depth, rng))


def _fences(task: Task, rng: random.Random) -> str:
    lines = [
        "```",
        "````",
        "~~~",
        f"```{task.language}",
        "   ```",
        "```js",
        task.reference,
        "",
        "text",
        "`" * rng.randrange(1, 200),
    ]
    return "\n".join(rng.choice(lines) for _ in range(rng.randrange(1, 60)))


def _mutated(task: Task, rng: random.Random) -> str:
    tokens = re.findall(r"\w+|\s+|[^\w\s]", task.reference)
    for _ in range(rng.randrange(1, 4)):
        first, second = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        match rng.randrange(4):
            case 0:
                del tokens[first]
            case 1:
                tokens.insert(first, tokens[first])
            case 2:
                tokens[first], tokens[second] = tokens[second], tokens[first]
            case _:
                tokens[first] = tokens[second]
    return fenced(task, "".join(tokens))


def _truncated(task: Task, rng: random.Random) -> str:
    return fenced(task, task.reference).removesuffix("```\n")[: rng.randrange(len(task.reference))]


def _nothing(_: Task, rng: random.Random) -> str:
    return rng.choice(NOTHING)


def _identifiers(task: Task, rng: random.Random) -> str:
    names = sorted(set(re.findall(r"\b[a-z]\w+\b", task.reference)))
    changed = rng.choice(["größe", "х", "ｘ", "𝒙", "名前", "x\u0301", "K", "ﬁ", "x" * 10_000])
    return fenced(task, re.sub(rf"\b{rng.choice(names)}\b", lambda _: changed, task.reference))


def _hostile(task: Task, rng: random.Random) -> str:
    lines = task.reference.split("\n")
    at = rng.choice([0, rng.randrange(len(lines)), len(lines)])
    indent = re.match(r"\s*", lines[at] if at < len(lines) else "")
    assert indent is not None
    return fenced(task, "\n".join([*lines[:at], indent[0] + rng.choice(HOSTILE[task.language]), *lines[at:]]))


def _insert(text: str, inserted: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + inserted + text[at:]


def _in_place_of_a_number(text: str, expression: str, rng: random.Random) -> str:
    found = rng.choice(list(re.finditer(r"(?<![\w.\"])\d+\.?\d*f?(?![\w.\"])", text)))
    return text[: found.start()] + expression + text[found.end() :]


FORMS: dict[str, Form] = {
    "noise": _noise,
    "surrogates": _surrogates,
    "control": _control,
    "line ends": _line_ends,
    "byte order mark": _byte_order_mark,
    "huge": _huge,
    "tokens": _tokens,
    "nested": _nested,
    "fences": _fences,
    "mutated": _mutated,
    "truncated": _truncated,
    "nothing": _nothing,
    "identifiers": _identifiers,
    "hostile": _hostile,
}
"""All forms by name."""
