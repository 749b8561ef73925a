"""Croissant metadata of an export: a JSON-LD text with files, digests and fields, for places where no hub makes it.

The vocabulary is version 1.0 of the specification, https://docs.mlcommons.org/croissant/docs/croissant-spec.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from warpsmith.core.datasets.card_sections import LICENCE, is_made_from_a_seed, project_address
from warpsmith.core.export.export_manifest import ExportedFile, ExportManifest
from warpsmith.core.export.formats import FORMATS
from warpsmith.core.extras import EXPORT
from warpsmith.core.files.atomic import write_atomic

CROISSANT = "croissant.json"

Node: TypeAlias = dict[str, object]
"""A node of JSON-LD."""

_LICENCE_ADDRESS = "https://www.apache.org/licenses/LICENSE-2.0"

_CONTEXT: Node = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataBiases": "cr:dataBiases",
    "dataCollection": "cr:dataCollection",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "personalSensitiveInformation": "cr:personalSensitiveInformation",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification gives."""

_TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "int32": "sc:Integer", "int64": "sc:Integer"}

_ENCODINGS = {"parquet": "application/x-parquet", "jsonl": "application/jsonlines", "jsonl.zst": "application/zstd"}


def write_croissant(folder: Path, published: str = "") -> Path:
    """Write `croissant.json` into an export, and return its path.

    Args:
        folder: the export.
        published: the date of its publication, such as ``"2026-12-01"``; empty if it is unknown.

    Raises:
        TargetError: if the folder is no export, or a file of it is missing or changed.
    """
    manifest = ExportManifest.read(folder)
    manifest.check_files(folder)
    described = describe_export(manifest, folder) | ({"datePublished": published} if published else {})
    content = orjson.dumps(described, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    write_atomic(folder / CROISSANT, content)
    return folder / CROISSANT


def describe_export(manifest: ExportManifest, folder: Path) -> Node:
    """Return the metadata of an export: each file is a resource, and each Parquet file a set of records.

    Compressed JSON lines have no records in version 1.0, and JSON lines no declared columns: only their files are described.

    Args:
        manifest: its manifest.
        folder: its folder, whose Parquet files have the columns.
    """
    form = FORMATS[manifest.arguments.format]
    address = project_address()
    described: Node = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": f"warpsmith-{manifest.arguments.format.replace('.', '-')}",
        "description": f"{form.card}, made of {manifest.pairs:,} pairs of a Python kernel and its generated code.",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": _LICENCE_ADDRESS if is_made_from_a_seed(manifest.source) else f"not {LICENCE}: that of the sources",
        "creator": {"@type": "sc:Organization", "name": "The warpsmith authors"},
        "citeAs": "@software{warpsmith, author = {{The warpsmith authors}}, title = {warpsmith}}",
        "version": "1.0.0",
        "isLiveDataset": False,
        "distribution": [_file(entry, form.extension) for entry in manifest.files],
    }
    if address:
        described["url"] = address
    if form.extension == "parquet":
        described["recordSet"] = [_records(entry, folder) for entry in manifest.files]
    return described


def _file(entry: ExportedFile, extension: str) -> Node:
    return {
        "@type": "cr:FileObject",
        "@id": entry.file,
        "name": entry.file,
        "contentUrl": entry.file,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": _ENCODINGS[extension],
        "sha256": entry.sha256,
    }


def _records(entry: ExportedFile, folder: Path) -> Node:
    """Return the set of records in a Parquet file."""
    name = entry.file.removesuffix(".parquet")
    schema = EXPORT.load("pyarrow.parquet").read_schema(folder / entry.file)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{entry.lines:,} rows of the split {entry.split}.",
        "field": [_field(name, entry.file, column) for column in schema],
    }


def _field(records: str, file: str, column: Any) -> Node:
    """Return the field of a column; members of structs and of lists of structs are sub-fields."""
    identity = f"{records}/{column.name}"
    source: Node = {"fileObject": {"@id": file}, "extract": {"column": column.name}}
    field: Node = {"@type": "cr:Field", "@id": identity, "name": identity}
    kind = column.type
    is_list = str(kind).startswith("list")
    element = kind.value_type if is_list else kind
    if str(element).startswith("struct"):
        return {**field, **_repeated(is_list), "subField": list(_members(identity, source, element, is_list))}
    return {**field, **_repeated(is_list), "dataType": _TYPES[str(element)], "source": source}


def _members(identity: str, source: Mapping[str, object], struct: Any, is_list: bool) -> Iterator[Node]:
    for member in struct:
        is_repeated = str(member.type).startswith("list")
        element = member.type.value_type if is_repeated else member.type
        yield {
            "@type": "cr:Field",
            "@id": f"{identity}/{member.name}",
            "name": f"{identity}/{member.name}",
            "dataType": _TYPES[str(element)],
            "source": {**source, "transform": {"jsonPath": member.name}},
            **_repeated(is_list or is_repeated),
        }


def _repeated(is_repeated: bool) -> Node:
    return {"repeated": True} if is_repeated else {}
