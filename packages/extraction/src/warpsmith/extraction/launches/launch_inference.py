"""A launch of a record, inferred from copies of real arguments and from what the kernel reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.stored import MAX_STORED_BYTES, encode_values
from warpsmith.core.records.launch import Argument, Build, Domain, Launch
from warpsmith.extraction.launches import value_domains
from warpsmith.extraction.launches.argument_accesses import Accesses
from warpsmith.extraction.launches.snapshot import NotExpressible, Snapshot, Values
from warpsmith.extraction.launches.valid_launch import valid_launch

STORED_BYTES = 256 << 10
"""The most characters of encoded values in a launch."""

SMALL_BYTES = 4 << 10
"""Floats of up to this many bytes are stored themselves; domains describe larger arrays of floats."""

_NOT_WRITTEN = Domain(kind="fill", low=0, high=0)
"""The values of what is only written."""


def infer_launch(dim: Sequence[int], snapshots: Sequence[Snapshot], accesses: Accesses, dimensions: int | None) -> Launch:
    """Return the launch that describes real arguments.

    Args:
        dim: the dimensions of the launch.
        snapshots: copies of the arguments, made before the launch.
        accesses: what the kernel reads and writes.
        dimensions: how many coordinates ``wp.tid()`` returns, if known: further dimensions of length 1 are dropped.

    Raises:
        NotExpressible: if the record cannot describe the launch; the message is the reason.
    """
    builder = _Builder(accesses)
    pending = tuple(builder.argument(snapshot, "") for snapshot in snapshots)
    builder.choose_stored()
    arguments = tuple(map(builder.finished, pending))
    return valid_launch(Launch(dim=_dimensions(dim, dimensions), args=arguments, stored=builder.stored))


def _dimensions(dim: Sequence[int], dimensions: int | None) -> tuple[int, ...]:
    lengths = tuple(map(int, dim))
    known = len(lengths) if dimensions is None else max(dimensions, 1)
    return lengths[:known] + tuple(length for length in lengths[known:] if length != 1)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """Values that have no domain yet, or have one that the values themselves may replace.

    Attributes:
        name: the name of the leaf.
        values: the numbers.
        domain: the domain that describes them; None if only the values themselves do.
        urgency: which leaf is stored first; those of the same urgency by size.
        address: where the points of a hash grid are; an argument there can replace them.
    """

    name: str
    values: Values
    domain: Domain | None
    urgency: int
    address: int = 0


@dataclass(slots=True)
class _Builder:
    """The arguments of a launch under construction.

    Attributes:
        accesses: what the kernel reads and writes.
        waiting: leaves whose values may be stored.
        stored: encoded values by leaf.
        final: the domains of leaves that are decided.
        points: arrays of points that are only read, by address.
        shared: hash grids whose points are another argument, with its name.
    """

    accesses: Accesses
    waiting: list[_Leaf] = field(default_factory=list)
    stored: dict[str, str] = field(default_factory=dict)
    final: dict[str, Domain] = field(default_factory=dict)
    points: dict[int, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)

    def argument(self, snapshot: Snapshot, prefix: str) -> _Pending:
        """Return an argument without domains, and remember the leaves that need one."""
        path = prefix + snapshot.name
        if snapshot.kind == "null_array" or (snapshot.kind == "struct" and not snapshot.fields):
            return _Pending(_argument(snapshot, "input"), path)
        if snapshot.fields:
            members = tuple(self.argument(member, f"{path}.") for member in snapshot.fields)
            roles = {member.argument.role for member in members}
            return _Pending(_argument(snapshot, roles.pop() if len(roles) == 1 else "inout"), path, members)
        if snapshot.values is None:
            self._object(snapshot, path)
            return _Pending(_argument(snapshot, "input"), path)
        role: Any = self.accesses.role(path)
        if snapshot.kind == "value" and not prefix:
            role = "input"
        if role == "output":
            self.final[path] = _NOT_WRITTEN
        else:
            self._numbers(snapshot, snapshot.values, path)
        form = snapshot.kind, snapshot.dtype, len(snapshot.shape), role
        if snapshot.address and form == ("array", "vec3f", 1, "input"):
            self.points[snapshot.address] = path
        return _Pending(_argument(snapshot, role), path)

    def _numbers(self, snapshot: Snapshot, values: Values, path: str) -> None:
        if (domain := value_domains.constant(values)) is not None:
            self.final[path] = domain
            return
        try:
            shape = element(snapshot.dtype)[1]
        except WarpsmithError as error:
            raise NotExpressible(f"argument {path!r}: {error}") from None
        if values.dtype.kind != "f":
            described = value_domains.integers(values) if not shape else Domain(kind="uniform", **_ends(values))
            self.waiting.append(_Leaf(path, values, described, 1))
            return
        described_floats = value_domains.floats(values, shape, snapshot.dtype) if snapshot.kind != "value" else None
        if described_floats is None or values.nbytes <= SMALL_BYTES:
            self.waiting.append(_Leaf(path, values, described_floats, 0 if described_floats is None else 2))
        else:
            self.final[path] = described_floats

    def _object(self, snapshot: Snapshot, path: str) -> None:
        ends = [value_domains.bounds(values) for name, values in snapshot.parts.items() if name != "indices"]
        low, high = (min(end[0] for end in ends), max(end[1] for end in ends)) if ends else (0, 0)
        self.final[path] = Domain(kind="stored", low=low, high=high)
        for name, values in snapshot.parts.items():
            self.waiting.append(_Leaf(f"{path}.{name}" if name else path, values, None, 0, snapshot.address))

    def choose_stored(self) -> None:
        """Store the values of leaves, the most urgent and smallest first, as long as they fit; the other ones get domains."""
        left = STORED_BYTES
        for leaf in sorted(self.waiting, key=lambda leaf: (leaf.urgency, leaf.values.nbytes)):
            text = encode_values(leaf.values) if leaf.values.nbytes <= MAX_STORED_BYTES else None
            if text is not None and len(text) <= left:
                left -= len(text)
                self.stored[leaf.name] = text
                self.final.setdefault(leaf.name, value_domains.stored(leaf.values))
            elif leaf.domain is not None:
                self.final[leaf.name] = leaf.domain
            elif leaf.address in self.points:
                self.shared[leaf.name.removesuffix(".points")] = self.points[leaf.address]
            else:
                raise NotExpressible(f"argument {leaf.name!r}: {leaf.values.nbytes} bytes of values that only fit as they are")

    def finished(self, pending: _Pending) -> Argument:
        """Return an argument with its domain."""
        if pending.members:
            return replace(pending.argument, fields=tuple(map(self.finished, pending.members)))
        if pending.path in self.shared:
            build = replace(pending.argument.build or Build(), points=self.shared[pending.path])
            return replace(pending.argument, build=build)
        return replace(pending.argument, domain=self.final.get(pending.path))


@dataclass(frozen=True, slots=True)
class _Pending:
    """An argument without domain, and the name of its leaf."""

    argument: Argument
    path: str
    members: tuple[_Pending, ...] = ()


def _argument(snapshot: Snapshot, role: Any) -> Argument:
    return Argument(
        name=snapshot.name, kind=snapshot.kind, dtype=snapshot.dtype, role=role, shape=snapshot.shape, domain=None,
        build=snapshot.build,
    )  # fmt: skip


def _ends(values: Values) -> dict[str, int | float]:
    low, high = value_domains.bounds(values)
    return {"low": low, "high": high}
