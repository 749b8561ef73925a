"""The encoding of records and other values as JSON lines."""

from __future__ import annotations

from typing import Any

import orjson

_OMITTED = (
    (b',"cuda_plain":null,"metadata":', b',"metadata":'),
    (b',"ptx_forward":null,"ptx_backward":null,"metadata":', b',"metadata":'),
    (b',"ptx_forward":null,"ptx_backward":null,"cuda_plain":', b',"cuda_plain":'),
    (b',"ptx":null,"origin":', b',"origin":'),
    (b',"plain":null,"ptx":', b',"ptx":'),
    (b',"plain":null,"origin":', b',"origin":'),
    (b'],"build":null}', b"]}"),
    (b'],"stored":{}}', b"]}"),
    (b',"origin":null}', b"}"),
    (b',"domain":"","ideas":[],"origin":', b',"origin":'),
)
"""Keys of records, arguments, launches and metadata that most records lack, with what stands there where they are empty.

Replacing text is safe: no other object has these keys in this place, and quotes inside strings are escaped.
"""


def encode(value: Any) -> bytes:
    r"""Return ``value``, a dataclass or JSON values, as one line with its newline.

    Keys that most records lack are omitted where they are empty, see `_OMITTED`.

    Examples:
        >>> encode({"id": "5-2000-17"})
        b'{"id":"5-2000-17"}\n'
    """
    line = orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    for key, without in _OMITTED:
        line = line.replace(key, without)
    return line
