"""Structs: inputs that a kernel receives as members of one argument."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from warpsmith.core.records.launch import Argument
from warpsmith.synthesis.language.composed_kernel import OpaqueParameter
from warpsmith.synthesis.writing.ideas.data_layout import Layout, annotation_of
from warpsmith.synthesis.writing.ideas.kernel_names import Names
from warpsmith.synthesis.writing.ideas.notation import words
from warpsmith.synthesis.writing.ideas.parts import Data, Number, Record, Size

CLASHES = ("ret",)
"""Names that no member has: the function of a struct's adjoint has a parameter of this name.

`notes/explanation/warp_findings.md` has an example.
"""


class Packed(Struct, frozen=True, gc=False):
    """A struct with some inputs of a kernel.

    Attributes:
        parameter: the argument.
        text: the class.
        members: the text of each key, such as ``state.positions``.
        about: a phrase for each of these texts.
    """

    parameter: OpaqueParameter
    text: str
    members: dict[str, str]
    about: dict[str, str]


def pack(record: Record, rows: Sequence[Size | Data | Number], layout: Layout, names: Names) -> Packed:
    """Put inputs into a struct."""
    owner, class_name = names.choose(words(record.names)), names.choose(words(record.classes))
    fields: list[Argument] = []
    lines, members, about = ["@wp.struct", f"class {class_name}:"], {}, {}
    for row in rows:
        name = names.usual([word for word in words(row.names) if word not in CLASHES])
        while name in {field.name for field in fields}:
            name += "_"
        fields.append(layout.argument(row, name))
        lines.append(f"    {name}: {annotation_of(row, len(fields[-1].shape))}")
        members[row.key] = f"{owner}.{name}"
        about[members[row.key]] = row.about
    argument = Argument(name=owner, kind="struct", dtype=class_name, role="input", shape=(), domain=None, fields=tuple(fields))
    return Packed(OpaqueParameter(owner, class_name, argument), "\n".join(lines), members, about)
