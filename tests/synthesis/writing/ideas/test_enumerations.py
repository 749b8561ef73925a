"""Enumerations of the catalogue: members, names, and kernels that name them."""

from __future__ import annotations

import ast
import re
from enum import IntEnum

from warpsmith.extraction.warp.interleave import run_alone
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.structure import hash_structure
from warpsmith.synthesis.writing.catalogue.domains import all_domains
from warpsmith.synthesis.writing.generate import Draft, write_draft
from warpsmith.synthesis.writing.ideas.enumerations import member_name, members_of
from warpsmith.synthesis.writing.ideas.parts import Code


def drafts(category: str, count: int) -> list[Draft]:
    """Return drafts whose files have an enumeration."""
    found = [run_alone(write_draft(KernelKey(31, index, category=category)))[0] for index in range(count)]
    return [draft for draft in found if draft.kernel.enumerations and hasattr(draft, "sample")]


def test_members_have_different_names_and_values() -> None:
    for domain in all_domains():
        for rows in members_of(domain).values():
            assert len({row.value for row in rows}) == len(rows)
            names = [member_name(row) for row in rows]
            assert len(set(names)) == len(names)
            IntEnum("Codes", names)  # every name is allowed


def test_first_words_that_the_class_repeats_are_dropped() -> None:
    assert member_name(Code("STATE_FREE", 0, "FREE", "", "JointState")) == "FREE"
    assert member_name(Code("NO_GRAVITY", 0, "X", "", "BodyFlags")) == "NO_GRAVITY"
    assert member_name(Code("FLAG_OLD", 0, "X", "", "TrackBits")) == "OLD"


def test_files_declare_the_members_that_kernels_name() -> None:
    found = drafts("early_exit", 60)
    assert found
    for draft in found:
        tree = ast.parse(draft.source)
        classes = {node.name: ast.unparse(node) for node in tree.body if isinstance(node, ast.ClassDef) and node.bases}
        named = re.findall(r"\b([A-Z]\w*)\.([A-Z][A-Z_0-9]*)\b", "\n".join((*draft.kernel.body, *draft.kernel.preface)))
        members = [(name, member) for name, member in named if name in classes]
        assert members
        for name, member in members:
            value = re.search(rf"\b{member} = (-?\d+)", classes[name])
            assert value, classes[name]
            assert f"{name}.{member} = {value[1]}" in draft.sample.description


def test_names_of_members_are_not_part_of_the_structure() -> None:
    draft = drafts("early_exit", 60)[0]
    kernel = draft.kernel
    row = kernel.enumerations[0]
    renamed = type(row)("Other", row.members)
    texts = [tuple(re.sub(rf"\b{row.name}\.", "Other.", text) for text in lines) for lines in (kernel.body, kernel.preface)]
    other = type(kernel)(
        **{name: getattr(kernel, name) for name in kernel.__struct_fields__}
        | {"enumerations": (renamed, *kernel.enumerations[1:]), "body": texts[0], "preface": texts[1]}
    )
    assert hash_structure(other) == hash_structure(kernel)
