"""Lines that are no records, records with odd values, and ids that are also paths, markup or other pairs' ids."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hostile.row import Record, Row, Setting, edited, record_of, to_line


def raw(name: str, attempts: str, change: Callable[[bytes], bytes], level: str | None = "schema", lines: int = 1) -> Row:
    """Return a row that changes the bytes of a line; ``change`` receives them without the newline."""

    def content(_: Setting) -> bytes:
        return change(to_line(record_of() | {"id": f"hostile-{name}"}).rstrip(b"\n")) + b"\n"

    return Row(f"json_{name}", attempts, content, level, lines)


def _field(name: str, attempts: str, level: str | None = "schema", **changes: Any) -> Row:
    return edited(f"field_{name}", attempts, lambda record: record.update(changes), level, record_of)


def _metadata(name: str, attempts: str, level: str | None = "schema", **changes: Any) -> Row:
    return edited(f"metadata_{name}", attempts, lambda record: record["metadata"].update(changes), level, record_of)


def _identity(name: str, attempts: str, identity: str, level: str | None = None) -> Row:
    return edited(f"id_{name}", attempts, lambda record: record.update(id=identity), level, record_of)


def _insert(text: bytes) -> Callable[[bytes], bytes]:
    """Return a change that puts members before those of the record."""
    return lambda line: line.replace(b"{", b"{" + text + b",", 1)


JSON = (
    raw("empty_object", "Is an empty object.", lambda _: b"{}"),
    raw("array", "Is an array.", lambda line: b"[" + line + b"]"),
    raw("null", "Is null.", lambda _: b"null"),
    raw("number", "Is a number beyond floats.", lambda _: b"1e999999"),
    raw("digits", "Is a number of a million digits.", lambda _: b"9" * 1_000_000),
    raw("nesting", "Nests arrays 100,000 times.", lambda _: b"[" * 100_000 + b"]" * 100_000),
    raw("nested_objects", "Nests objects in the metadata.",
        lambda line: line.replace(b'"metadata":{', b'"metadata":{"a":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b",")),
    raw("half", "Is half a line.", lambda line: line[: len(line) // 2]),
    raw("two_records", "Has two records in a line.", lambda line: line + line),
    raw("two_records_with_a_space", "Has two records in a line, with a space.", lambda line: line + b" " + line),
    raw("comma", "Ends with a comma.", lambda line: line + b","),
    raw("comment", "Ends with a comment.", lambda line: line + b" // comment"),
    raw("single_quotes", "Is written as Python.", lambda line: repr(json.loads(line)).encode()),
    raw("byte_order_mark", "Starts with a byte order mark.", lambda line: b"\xef\xbb\xbf" + line),
    raw("utf16", "Is encoded in another way.", lambda line: line.decode().encode("utf-16").replace(b"\n", b"")),
    raw("latin1", "Contains bytes that are not UTF-8.", lambda line: line.replace(b"A test.", b"A t\xe9st.")),
    raw("overlong", "Contains an overlong encoding of a slash.", lambda line: line.replace(b"A test.", b"A t\xc0\xafst.")),
    raw("surrogate", "Contains half of a character.", lambda line: line.replace(b"A test.", b"\\ud800")),
    raw("surrogate_bytes", "Contains half of a character as bytes.", lambda line: line.replace(b"A test.", b"\xed\xa0\x80")),
    raw("null_byte", "Contains a null byte.", lambda line: line.replace(b"A test.", b"A \0test.")),
    raw("null_bytes", "Consists of null bytes.", lambda _: b"\0" * 10_000),
    raw("escaped_null", "Contains an escaped null byte in the Python.",
        lambda line: line.replace(b'"python_source":"', b'"python_source":"# \\u0000'), "parse"),
    raw("carriage_return", "Ends with a carriage return.", lambda line: line + b"\r", None),
    raw("lone_carriage_return", "Contains a carriage return between members.", lambda line: line.replace(b",", b",\r", 3), None),
    raw("form_feed", "Contains a form feed between members.", lambda line: line.replace(b",", b",\f", 1)),
    raw("next_line", "Contains characters that are newlines to some readers.",
        lambda line: line.replace(b"A test.", "A \x85\u2028test.".encode()), None),
    raw("trailing_garbage", "Has bytes after the record.", lambda line: line + b"\0\0\0"),
    raw("duplicate_id", "Has two ids, the second of which is another's.", _insert(b'"id":"3-2000-0"'), None),
    raw("duplicate_source", "Has two sources, the first of which is hostile.", _insert(b'"python_source":"import os"'), None),
    raw("duplicate_metadata", "Has two metadata.", _insert(b'"metadata":{"kernel_name":"x"}'), None),
    raw("unknown_field", "Has an unknown member.", _insert(b'"deed":1')),
    raw("prototype", "Has a member that JavaScript gives a meaning.", _insert(b'"__proto__":{"a":1}')),
    raw("many_fields", "Has 100,000 unknown members.", _insert(b",".join(b'"a%d":1' % n for n in range(100_000)))),
    raw("long_line", "Has 30 MB of spaces.", lambda line: line.replace(b"{", b"{" + b" " * 30_000_000, 1), None),
    raw("blank_lines", "Has 10,000 blank lines before.", lambda line: b" \n" * 10_000 + line, None, 10_001),
    raw("lines_of_text", "Has 2,000 lines that are no records.", lambda line: b"not JSON\n" * 2_000 + line, None, 2_001),
)  # fmt: skip

FIELDS = (
    _field("id_number", "Has a number as id.", id=1),
    _field("id_null", "Has no id.", id=None),
    _field("source_null", "Has no source.", python_source=None),
    _field("source_empty", "Has an empty source.", "parse", python_source=""),
    _field("source_list", "Has a list as source.", python_source=["import warp as wp"]),
    _field("source_large", "Has a source of a million lines.", "parse", python_source="a = 1\n" * 1_000_000),
    _field("forward_null", "Has no forward text.", cpp_forward=None),
    _field("forward_number", "Has a number as text.", cuda_ir_forward=1.5),
    _field("backward_null", "Has no backward text.", cpp_backward=None),
    _field("metadata_list", "Has a list as metadata.", metadata=[]),
    _field("metadata_null", "Has no metadata.", metadata=None),
    _metadata("category_markup", "Has markup as category.", None,
              category="</script><img src=x onerror=alert(1)>[bold red]|`\n# Title\x1b[31m"),
    _metadata("category_path", "Has a path as category.", None, category="../../../etc/passwd"),
    _metadata("category_long", "Has a category of a megabyte.", None, category="c" * 1_000_000),
    _metadata("category_yaml", "Has a category that ends the header of a card.", None, category="a\n---\nlicense: x\n---\n"),
    _metadata("features_many", "Has 200,000 features.", None, features=[f"f{n}" for n in range(200_000)]),
    _metadata("features_markup", "Has markup as features.", None, features=["</script>", ":smile:", "\x1b]0;a\x07", "", "\0"]),
    _metadata("features_numbers", "Has numbers as features.", features=[1, 2]),
    _metadata("description_markup", "Has markup as description.", None, description="</textarea><script>alert(1)</script>${a}`\x1b[2J"),
    _metadata("description_long", "Has a description of a megabyte.", None, description="d " * 500_000),
    _metadata("kernel_name_markup", "Has markup as the name of the kernel.", "parse", kernel_name="<script>"),
    _metadata("kernel_name_path", "Has a path as the name of the kernel.", "parse", kernel_name="../../tmp/x"),
    _metadata("kernel_name_macro", "Has a macro as the name of the kernel.", "parse", kernel_name="hostile\n#define wp pw\n"),
    _metadata("kernel_name_pattern", "Has a pattern as the name of the kernel.", "parse", kernel_name="(.*)*"),
    _metadata("structure_markup", "Has markup as structure.", None, structure="<b>" * 1_000),
    _metadata("seed_only", "Has a seed without an index.", seed=1),
    _metadata("seed_large", "Has a seed beyond 64 bits.", seed=2**70, index=1),
    _metadata("seed_negative", "Has a negative seed.", seed=-1, index=-1),
    _metadata("schema_large", "Has a version of the record beyond 64 bits.", schema_version=2**65),
    _metadata("schema_zero", "Has an earlier version of the record.", schema_version=0),
    _metadata("warp_version", "Has another version of Warp.", None, warp_version="0.0.0\n<script>"),
    _metadata("device_unknown", "Has an unknown device.", device="tpu"),
    _metadata("device_of_another", "Has a device that its texts lack.", device="cpu", ir_type="cpp"),
    _metadata("has_backward_text", "Has a text as truth.", has_backward="false"),
    _metadata("launch_list", "Has a list as launch.", launch=[]),
    _metadata("launch_null", "Has no launch.", None, launch=None),
    _metadata("options_preamble", "Has text of C++ in an option.", None,
              module_options={"cpu_preamble": "#define wp pw\n", "preamble": "#define wp pw\n"}),
    _metadata("options_unknown", "Has an unknown option.", None, module_options={"deed": "__import__('os')"}),
    _metadata("options_types", "Has options of odd types.", None, module_options={"block_dim": "256", "fast_math": 2, "mode": None}),
    _metadata("options_block", "Has a block of no threads.", "schema", module_options={"block_dim": 0}),
    _metadata("options_large_block", "Has a block of very many threads.", "schema", module_options={"block_dim": 2**62}),
    _metadata("options_negative_block", "Has a negative block.", "schema", module_options={"block_dim": -64}),
    _metadata("options_block_text", "Has text as a block.", "schema", module_options={"block_dim": "64"}),
    _metadata("options_no_block", "Has no number as a block.", "schema", module_options={"block_dim": None}),
    _metadata("options_unroll", "Unrolls loops without end.", None, module_options={"max_unroll": 2**31 - 1}),
    _metadata("options_infinite", "Has an option that is no number.", "schema", module_options={"max_unroll": float("nan")}),
    _metadata("options_list", "Has a list in its options.", module_options={"block_dim": [1]}),
    _metadata("options_mode", "Has a mode with arguments of compilers.", None,
              module_options={"mode": "debug -include /etc/passwd", "cuda_output": "/var/x"}),
    _metadata("options_many", "Has 20,000 options.", None, module_options={f"o{n}": n for n in range(20_000)}),
)  # fmt: skip

IDENTITIES = (
    _identity("empty", "Has an empty id.", ""),
    _identity("path", "Has a path as id.", "../../../../tmp/warpsmith-id"),
    _identity("absolute_path", "Has an absolute path as id.", "/etc/passwd"),
    _identity("null", "Has a null character in its id.", "a\0b"),
    _identity("newline", "Has a line of its own in its id.", 'a\n{"id":"3-2000-0","level":"schema","status":"fail"}'),
    _identity("escapes", "Has escapes of terminals in its id.", "\x1b]0;deed\x07\x1b[2J\x1b[31m\x9b1m"),
    _identity("emoji", "Has codes of emoji and markup of terminals in its id.", ":bomb: [bold red]a[/] [link=file:///etc]b[/]"),
    _identity("html", "Has markup in its id.", "</script><script>alert(1)</script>'\"&<!--"),
    _identity("long", "Has an id of a megabyte.", "i" * 1_000_000),
    _identity("option", "Has an option of a command as id.", "--help"),
    _identity("right_to_left", "Has an id that is shown reversed.", "\u202egnol"),
    _identity("look_alike", "Has an id that looks like another's.", "2\u20112000\u20110"),
    _identity("of_a_line", "Has the id of a line that is no record.", "pairs-00000.jsonl:1"),
    _identity("of_a_pattern", "Has a pattern as id.", "*(a+)+$"),
    _identity("of_json", "Has JSON as id.", '{"a": 1}'),
    _identity("of_a_template", "Has a template as id.", "{{7*7}}${7*7}%s%n{0}"),
    edited("id_of_another_seed", "Has the seed of another pair.",
           lambda record: (record.update(id="3-2000-500"), record["metadata"].update(seed=2000, index=501))[0], "schema", record_of),
)  # fmt: skip


def _twice(name: str, attempts: str, bad: Callable[[Record], object], good_first: bool) -> Row:
    def content(_: Setting) -> bytes:
        good = record_of() | {"id": f"hostile-twice_{name}"}
        broken = json.loads(json.dumps(good))
        bad(broken)
        records = [good, broken] if good_first else [broken, good]
        return b"".join(map(to_line, records))

    return Row(f"twice_{name}", attempts, content, "schema", 2)


def _break(record: Record) -> None:
    record["cpp_backward"] = record["cpp_backward"].replace("adj_2", "adj_3")


TWICE = (
    _twice("good_and_bad", "Repeats the id of a good pair in a bad one.", _break, good_first=True),
    _twice("bad_and_good", "Repeats the id of a bad pair in a good one.", _break, good_first=False),
    _twice("same", "Repeats a pair.", lambda _: None, good_first=True),
)

ROWS = (*JSON, *FIELDS, *IDENTITIES, *TWICE)
