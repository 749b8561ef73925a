"""Sections of all dataset cards: front matter of the Hugging Face hub, fields, an example, uses, limits and the citation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import metadata
from typing import NamedTuple

import orjson
from msgspec import UnsetType

from warpsmith.core.datasets.manifest import MakeArguments, Origin, Versions, typed_arguments
from warpsmith.core.records.benchmark_mark import BENCHMARK_SEEDS, CANARY, is_benchmark

BYTES_PER_TOKEN = 3.5
"""Bytes of Python and CUDA in a token of current tokenizers, for estimates without a tokenizer."""

EXAMPLE_CHARACTERS = 160
"""The most characters of a text in the example of a card."""

EXAMPLE_ITEMS = 3
"""The most items of a list in the example of a card."""

_FRONT = """---
pretty_name: {pretty_name}
license: {license}
language:
- en
- code
language_creators:
- machine-generated
annotations_creators:
- machine-generated
multilinguality:
- monolingual
source_datasets:
- original
task_categories:
- text-generation
tags:
- code
- cuda
- python
- warp
- synthetic
size_categories:
- {size}
configs:
- config_name: default
  data_files:{files}
---
"""

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))


LICENCE, OTHER_LICENCE = "apache-2.0", "other"
"""The hub's names of the licences of generated records, and of records that were extracted from licensed files."""


class FieldRow(NamedTuple):
    """A field of a row: its name, its type and its content."""

    name: str
    type: str
    content: str


RECORD_FIELDS = (
    FieldRow("id", "string", "`<generator version>-<seed>-<index>`, or the qualified name of an extracted kernel"),
    FieldRow("python_source", "string", "a Python file with one kernel, which runs alone"),
    FieldRow("cpp_forward", "string or null", "the C++ that Warp generates for the kernel and all functions that it calls"),
    FieldRow("cpp_backward", "string or null", "the C++ of its adjoint"),
    FieldRow("cuda_ir_forward", "string or null", "the CUDA C++ that Warp generates"),
    FieldRow("cuda_ir_backward", "string or null", "the CUDA C++ of its adjoint"),
    FieldRow("ptx_forward, ptx_backward", "string", "the PTX of the CUDA; absent unless it was made with `--ptx`"),
    FieldRow("cuda_plain", "string", "stand-alone CUDA with the same results; absent unless it was made with `--plain`"),
    FieldRow("metadata.kernel_name", "string", "the name of the kernel"),
    FieldRow("metadata.category", "string", "the kind of kernel"),
    FieldRow("metadata.device", "string", "`cpu`, `cuda` or `both`: the code that the record has"),
    FieldRow("metadata.ir_type", "string", "`cpp`, `cuda` or `both`"),
    FieldRow("metadata.has_backward", "boolean", "whether there is an adjoint"),
    FieldRow("metadata.codegen_only", "boolean", "whether the kernel was not built"),
    FieldRow("metadata.cuda_available", "boolean", "whether a CUDA device was there when it was built"),
    FieldRow("metadata.seed, metadata.index", "integer or null", "the origin of a generated kernel"),
    FieldRow("metadata.launch", "object or null", "how to run the kernel: sizes, arguments and their values"),
    FieldRow("metadata.features", "list of strings", "builtins, types and constructs in use"),
    FieldRow("metadata.description", "string", "purpose, threads, arguments, constants, options and rule in words"),
    FieldRow("metadata.structure", "string or null", "equal for kernels that differ in names and constants only"),
    FieldRow("metadata.module_options", "object", "Warp's module options that differ from the defaults"),
    FieldRow("metadata.warp_version, metadata.generator_version", "string", "versions that wrote the record"),
    FieldRow("metadata.schema_version", "integer", "the version of these fields"),
    FieldRow("metadata.domain", "string", "the field that a generated kernel is from"),
    FieldRow("metadata.ideas", "list of strings", "the ideas that a generated kernel is written from"),
    FieldRow("metadata.ptx", "object", "registers, spills and counts of the PTX; absent without PTX"),
    FieldRow("metadata.plain", "object", "how the stand-alone CUDA was checked; absent without it"),
    FieldRow("metadata.origin", "object", "file and line of an extracted kernel; absent for generated ones"),
)
"""The fields of a record; `notes/reference/record.md` explains them at length."""

EXCHANGE_FIELDS = {
    row.name: row
    for row in (
        FieldRow("messages", "list of objects", "`role` and `content` of each message: system (in most rows), user, assistant"),
        FieldRow("prompt", "string or list", "the question: a text, or the messages before the answer"),
        FieldRow("completion", "string", "the answer, with the closing fence of its code"),
        FieldRow("id", "string", "the id of the record"),
        FieldRow("task", "string", "what the question asks for"),
        FieldRow("category", "string", "the kind of kernel"),
        FieldRow("task_id", "string or null", "the id of the task of `warpsmith.scoring`; null if it judges no answers"),
        FieldRow("entry_point", "string or null", "the function that an answer defines"),
        FieldRow("pair", "string or null", "the record as JSON text, which an answer is judged by"),
        FieldRow("prompt_tokens", "integer", "tokens of the question"),
        FieldRow("answer_tokens", "integer", "tokens of the answer"),
    )
}
"""The fields of rows made of questions and answers, by name."""


def is_made_from_a_seed(origin: Origin) -> bool:
    """Return whether the records were generated; records that were extracted have no version of the generator."""
    return isinstance(origin.versions, Versions) and bool(origin.versions.generator)


def use_section(arguments: Mapping[str, object] | UnsetType | None) -> str:
    """Return the section about uses, after the mark of benchmarks where the seed belongs to them.

    Args:
        arguments: those that the records were made with, as their manifest contains them.
    """
    made = typed_arguments(arguments, MakeArguments)
    return f"{NOT_FOR_TRAINING if made and is_benchmark(made.seed) else ''}{USES}"


def licence_sentence(is_generated: bool) -> str:
    """Return a sentence about the licence of generated or of extracted records."""
    return "Licence: Apache-2.0." if is_generated else "Licence: that of the files that the kernels come from."


def front_matter(pretty_name: str, lines: int, files: str | Mapping[str, str], licence: str = LICENCE) -> str:
    """Return the front matter of a dataset.

    Args:
        pretty_name: the title on the hub.
        lines: the number of rows.
        files: a pattern for all files, or one for each split.
        licence: the hub's name of the licence.
    """
    if isinstance(files, str):
        listed = f" {files}"
    else:
        listed = "".join(f"\n  - split: {split}\n    path: {pattern}" for split, pattern in files.items())
    size = next((name for limit, name in _SIZES if lines < limit), "10M<n<100M")
    return _FRONT.format(pretty_name=pretty_name, license=licence, size=size, files=listed)


def category_table(categories: Mapping[str, int]) -> str:
    """Return a table with the number of pairs in each category."""
    rows = (f"| {name} | {count:,} |\n" for name, count in categories.items())
    return f"| category | pairs |\n|---|---:|\n{''.join(rows)}"


def field_section(fields: Iterable[FieldRow]) -> str:
    """Return the section with the table of fields."""
    rows = "".join(
        f"| {' · '.join(f'`{name}`' for name in row.name.split(', '))} | {row.type} | {row.content} |\n" for row in fields
    )
    return f"## Fields\n\n| field | type | content |\n|---|---|---|\n{rows}"


def example_section(line: bytes | None) -> str:
    """Return the section with the first row, whose long texts and lists are shortened; nothing without a row.

    Args:
        line: the row as JSON.
    """
    if line is None:
        return ""
    row = orjson.dumps(_shortened(orjson.loads(line)), option=orjson.OPT_INDENT_2).decode()
    return f"\n## Example\n\nThe first row; `…` stands for the rest of a long text or list:\n\n```json\n{row}\n```\n"


def _shortened(value: object) -> object:
    """Return a JSON value with short texts and short lists."""
    if isinstance(value, dict):
        return {name: _shortened(member) for name, member in value.items()}
    if isinstance(value, list):
        rest = ["…"] if len(value) > EXAMPLE_ITEMS else []
        return [*map(_shortened, value[:EXAMPLE_ITEMS]), *rest]
    if isinstance(value, str) and len(value) > EXAMPLE_CHARACTERS:
        return value[:EXAMPLE_CHARACTERS].replace("```", "'''") + "…"
    return value.replace("```", "'''") if isinstance(value, str) else value


def estimated_tokens(size: int) -> str:
    """Return the number of tokens of some bytes of code, estimated, for a sentence.

    Examples:
        >>> estimated_tokens(3_500_000), estimated_tokens(700)
        ('about 1.0 million tokens', 'about 200 tokens')
    """
    count = size / BYTES_PER_TOKEN
    return f"about {count / 1e6:.1f} million tokens" if count >= 50_000 else f"about {count:,.0f} tokens"


USES = """
## Uses

Intended: pretraining, fine-tuning and evaluation of models that read and write NVIDIA Warp, CUDA and adjoints; tests of
compilers, decompilers and tools for such code. To train a model of Warp code, put the dataset beside real code, at about a
quarter of the tokens, and prefer more categories to more pairs.

Out of scope: code for production without review, and claims about speed on a device: kernels are checked for results.
"""
"""The section about uses."""

LIMITS = """
## Limits

- {origin}
- The generated code is that of one Warp release; other releases write other code.
- Checks run sampled launches on a CPU. A verdict `pass` covers these launches and no others, and is no proof.
- English is the only natural language. The dataset contains no personal data.
"""
"""The section about limits; ``origin`` is `SYNTHETIC` or `EXTRACTED`."""

SYNTHETIC = (
    "A program composes the kernels from a catalogue of ideas: nobody wrote or used them, and ideas, names and forms are fewer "
    "than in real code."
)

EXTRACTED = "Kernels come from source files whose licences apply to them; `metadata.origin` names the files."

NOT_FOR_TRAINING = f"""
## Not for training

{CANARY}

The seeds from {BENCHMARK_SEEDS.start:,} to {BENCHMARK_SEEDS.stop - 1:,} belong to benchmarks.
"""
"""The section of the cards of benchmarks."""

CURATION = """
## Creation

{made} Programs make the annotations: the generator the descriptions, `warpsmith-validate` the verdicts, by running the kernels.
No person labelled a row.
"""
"""The section about the creation of the rows and of their annotations."""


def citation_section(subject: str) -> str:
    """Return the section with the citation and, where the installed distribution states one, the address of the project.

    Args:
        subject: the dataset, in words, for the note of the citation.
    """
    address = project_address()
    lines = [
        "@software{warpsmith,",
        "  title = {warpsmith: pairs of Python kernels and generated CUDA code, forward and adjoint, by the ten thousand},",
        "  author = {{The warpsmith authors}},",
        f"  note = {{{subject}}},",
        *([f"  url = {{{address}}},"] if address else []),
        "}",
    ]
    where = f"\nAddress for questions and corrections: {address}\n" if address else ""
    return "\n## Citation\n\n```bibtex\n" + "\n".join(lines) + f"\n```\n{where}"


def project_address() -> str:
    """Return the address that the installed distribution states for the project; empty if it states none."""
    try:
        stated = metadata.metadata("warpsmith-core").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    return next((entry.partition(",")[2].strip() for entry in stated), "")
