"""Records: a written record is read back unchanged, and errors name the field."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.errors import RecordError
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import decode, read_lines, read_pairs
from warpsmith.core.records.launch import Argument, Build, Domain, Launch
from warpsmith.core.records.pair import Metadata, Pair, from_dict, to_dict

text = st.text(max_size=20)
maybe = st.none() | text
small = st.integers(0, 2**40)
domains = st.builds(
    Domain,
    kind=st.sampled_from(["uniform", "unit", "near_identity", "fill"]),
    low=st.floats(-1e6, 1e6) | st.integers(-1000, 1000),
    high=st.floats(-1e6, 1e6),
)
shapes = st.lists(st.integers(0, 100), max_size=4).map(tuple)
arguments = st.builds(
    Argument,
    name=text,
    kind=st.sampled_from(["value", "array"]),
    dtype=text,
    role=st.sampled_from(["input", "output", "inout"]),
    shape=shapes,
    domain=st.none() | domains,
    fields=st.just(()),
    build=st.none() | st.builds(Build, width=st.floats(0.0, 9.0), points=text, channels=st.sampled_from([1, 2, 4])),
)
structs = st.builds(
    Argument,
    name=text,
    kind=st.just("struct"),
    dtype=text,
    role=st.just("input"),
    shape=st.just(()),
    domain=st.none(),
    fields=st.lists(arguments, max_size=2).map(tuple),
)
metadata = st.builds(
    Metadata,
    kernel_name=text,
    category=text,
    device=st.sampled_from(["cpu", "cuda", "both"]),
    ir_type=st.sampled_from(["cpp", "cuda", "both"]),
    has_backward=st.booleans(),
    codegen_only=st.booleans(),
    cuda_available=st.booleans(),
    seed=st.none() | small,
    index=st.none() | small,
    launch=st.none() | st.builds(Launch, dim=shapes, args=st.lists(arguments | structs, max_size=3).map(tuple)),
    features=st.lists(text, max_size=3).map(tuple),
    description=text,
    structure=maybe,
    module_options=st.dictionaries(text, st.booleans() | st.integers(-9, 9) | text | st.none(), max_size=3),
    warp_version=text,
    generator_version=text,
    schema_version=st.integers(1, 9),
    domain=text,
    ideas=st.lists(text, max_size=2).map(tuple),
)
pairs = st.builds(
    Pair,
    id=text,
    python_source=text,
    cpp_forward=maybe,
    cpp_backward=maybe,
    cuda_ir_forward=maybe,
    cuda_ir_backward=maybe,
    metadata=metadata,
)


@given(pairs)
def test_a_written_pair_is_read_back(pair: Pair) -> None:
    line = encode(pair)
    assert line.count(b"\n") == 1
    assert decode(line, Path("x"), 1).pair == pair
    assert from_dict(to_dict(pair)) == pair
    assert json.loads(line) == orjson.loads(line), "other JSON readers agree"


@given(pairs)
def test_build_is_written_for_objects_only(pair: Pair) -> None:
    args = pair.metadata.launch.args if pair.metadata.launch else ()
    expected = [leaf for argument in args for leaf in (argument, *argument.fields)]
    written = json.loads(encode(pair))["metadata"]["launch"]
    leaves = [leaf for argument in (written["args"] if written else ()) for leaf in (argument, *argument["fields"])]
    assert [leaf.get("build") is not None for leaf in leaves] == [leaf.build is not None for leaf in expected]
    assert all("build" not in leaf or leaf["build"] for leaf in leaves)


@pytest.fixture
def raw(root: Path) -> dict[str, Any]:
    line = (root / "data" / "samples" / "pairs-00000.jsonl").read_text().splitlines()[0]
    record: dict[str, Any] = json.loads(line)
    return record


def damaged(raw: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    record = copy.deepcopy(raw)
    *parents, last = path.split(".")
    container: Any = record
    for key in parents:
        container = container[int(key)] if key.isdigit() else container[key]
    if value is KeyError:
        del container[last]
    else:
        container[last] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("id", 5, "$.id"),
        ("id", KeyError, "id"),
        ("python_source", None, "$.python_source"),
        ("cuda_ir_forward", ["x"], "$.cuda_ir_forward"),
        ("metadata", "text", "$.metadata"),
        ("metadata.device", "tpu", "$.metadata.device"),
        ("metadata.seed", "2000", "$.metadata.seed"),
        ("metadata.has_backward", 1, "$.metadata.has_backward"),
        ("metadata.launch.dim", 4, "$.metadata.launch.dim"),
        ("metadata.launch.args.0.kind", "list", "$.metadata.launch.args[0].kind"),
        ("metadata.launch.args.0.domain.low", "0", "domain.low"),
        ("metadata.launch.args.0.surprise", 1, "surprise"),
        ("metadata.launch.args.0.build", {"surprise": 1}, "surprise"),
        ("metadata.launch.args.0.build", {"channels": 3}, "channels"),
        ("metadata.launch.args.0.build", 7, "build"),
        ("metadata.surprise", 1, "$.metadata.surprise"),
        ("surprise", None, "$.surprise"),
    ],
)
def test_a_wrong_field_is_named(raw: dict[str, Any], path: str, value: Any, message: str) -> None:
    assert from_dict(raw)
    with pytest.raises(RecordError) as caught:
        from_dict(damaged(raw, path, value))
    assert message in str(caught.value)


@pytest.mark.parametrize("line", [b"{", b"[1]", b"17", b"null", b'"x"', b"\xff\xfe", b"{}", b"\x00" * 10, b'{"id":"x"}'])
def test_an_invalid_line_does_not_affect_others(tmp_path: Path, root: Path, line: bytes) -> None:
    good = (root / "data" / "samples" / "pairs-00000.jsonl").read_bytes().splitlines()[:2]
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(good[0] + b"\n\n" + line + b"\n" + good[1] + b"\n")
    lines = list(read_lines(path))
    assert [item.pair is not None for item in lines] == [True, False, True]
    assert lines[1].number == 3
    assert lines[1].error
    with pytest.raises(RecordError, match=r"pairs\.jsonl:3: "):
        list(read_pairs(path))
