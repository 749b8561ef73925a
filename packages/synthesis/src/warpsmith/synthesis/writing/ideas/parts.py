"""The rows of a domain: its data, locals, loops, helper functions, extras and ideas."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.warp_types import Type

Distribution: TypeAlias = Literal["uniform", "unit", "near_identity", "fill", "sorted", "offsets", "permutation"]
"""How the elements of an array are drawn, see ``Domain`` of the record."""


class Size(Struct, frozen=True, gc=False, tag=True, tag_field="row"):
    """The length of a dimension: an argument, the shape of an array, or a module constant.

    Attributes:
        key: the key in texts.
        low: the least length.
        high: the largest length.
        names: candidates for the argument's name, separated by spaces.
        constants: candidates for the name of a module constant; without any, the length is never a constant.
        about: what the length counts.
        choices: the lengths to choose from, for lengths that must be known when the kernel is compiled, such as those of tiles;
            such a length is a module constant or a literal.
    """

    key: str
    low: int
    high: int
    names: str
    constants: str = ""
    about: str = ""
    choices: tuple[int, ...] = ()


class Data(Struct, frozen=True, gc=False, tag=True, tag_field="row"):
    """An array. Whether a kernel reads or writes it follows from the text.

    Attributes:
        key: the key in texts.
        type: the type of the elements.
        low: the least value of a component.
        high: the largest value; the key of a size stands for its last index, or in offsets for the size itself.
        names: candidates for its name, separated by spaces, in the order of the styles of names.
        about: what it contains, with its unit.
        dims: the keys of its dimensions, separated by spaces.
        kind: how its elements are drawn.
        start: the value of each element before the launch, where the kernel changes it in place; None for drawn values.
        shared: whether all worlds share the array, as they share the connectivity of a mesh.
        indexed: whether the argument is an indexed array, which selects half of the elements of another one.
    """

    key: str
    type: Type
    low: int | float
    high: int | float | str
    names: str
    about: str = ""
    dims: str = "n"
    kind: Distribution = "uniform"
    start: int | float | None = None
    shared: bool = False
    indexed: bool = False


class Number(Struct, frozen=True, gc=False, tag=True, tag_field="row"):
    """A number that all threads share: an argument, a module constant or a literal.

    Attributes:
        key: the key in texts.
        type: its type.
        low: the least value.
        high: the largest value.
        names: candidates for the argument's name, separated by spaces.
        about: what it is, with its unit.
        constants: candidates for the name of a module constant; without any, the number is an argument.
        typical: the values of the constant; without any, it is drawn from the range.
    """

    key: str
    type: Type
    low: int | float
    high: int | float
    names: str
    about: str = ""
    constants: str = ""
    typical: tuple[int | float, ...] = ()


class Code(Struct, frozen=True, gc=False, tag=True, tag_field="row"):
    """A number with a fixed meaning, such as a state or a flag: a module constant, sometimes a literal.

    Attributes:
        key: the key in texts.
        value: the number.
        names: candidates for the name of the constant.
        about: what it stands for.
        classes: candidates for the name of the enumeration that it belongs to; the codes of a domain with the same candidates
            are its members. Without any, it is never a member.
    """

    key: str
    value: int | float
    names: str
    about: str = ""
    classes: str = ""


class ObjectParameter(Struct, frozen=True, gc=False, tag=True, tag_field="row"):
    """An object of Warp, such as a mesh, with values in [low, high].

    Attributes:
        key: the key in texts.
        kind: the kind of argument, see `warpsmith.core.records.launch.ArgumentKind`.
        shape: the shape of the array that the object is built from.
        low: the least value.
        high: the largest value.
        names: candidates for its name.
        about: what it contains.
        build: how it is built, see ``Build`` of the record; the key of an array stands for its name in ``points``.
    """

    key: str
    kind: Literal["mesh", "bvh", "hash_grid", "volume", "texture"]
    shape: tuple[int, ...]
    low: int | float
    high: int | float
    names: str
    about: str
    build: tuple[tuple[str, Any], ...] = ()


Parameter: TypeAlias = Size | Data | Number | Code | ObjectParameter


class Index(Struct, frozen=True, gc=False):
    """A thread index.

    Attributes:
        key: the key of the local.
        over: the key of the size.
        names: candidates for its name.
        item: what a thread works on, such as ``"particle"``.
    """

    key: str
    over: str
    names: str
    item: str


class Local(Struct, frozen=True, gc=False):
    """A value that ideas read, and the ways to obtain it: expressions, or lines that assign ``$key``."""

    key: str
    ways: tuple[str, ...]


class Loop(Struct, frozen=True, gc=False):
    """A loop that an idea requests by ``each <key>:``; the idea's lines replace the line ``body``."""

    key: str
    ways: tuple[str, ...]


class Extra(Struct, frozen=True, gc=False):
    """Lines that may be inserted where an idea has the line ``hook <at>``."""

    at: str
    text: str


class Helper(Struct, frozen=True, gc=False):
    """A helper function: texts with the same signature, without the decorator.

    A text that does not begin with ``def`` is put before the kernel as it is: a struct, a decorated function, a native snippet,
    or a function or type made by Python. ``@key`` then stands for the last name that it defines.

    Attributes:
        key: the key in texts.
        ways: the texts; ``$key`` is a parameter or local of the function.
        names: candidates for its name, separated by spaces; without any, it has the name that the text defines.
    """

    key: str
    ways: tuple[str, ...]
    names: str = ""


class Record(Struct, frozen=True, gc=False):
    """A struct that some kernels pass instead of single arguments.

    Attributes:
        classes: candidates for the name of the class.
        names: candidates for the name of the argument.
        members: the keys that may be members.
    """

    classes: str
    names: str
    members: str


class Idea(Struct, frozen=True, eq=False, gc=False):
    """A program: its purpose and its text. Ideas are compared by identity, so that caches need not hash their texts.

    Attributes:
        key: the name of the row, unique in the domain.
        names: candidates for the kernel's name, separated by spaces; they may contain alternatives.
        purpose: what the kernel computes, a phrase with an imperative verb; it may contain alternatives.
        text: the body, without thread indices.
        threads: the keys of the thread indices, separated by spaces.
        categories: the categories that it belongs to, separated by spaces.
        docs: a docstring with more meaning than the purpose, or empty.
        integer: whether it computes without floats.
        forward_only: whether it is written for kernels without an adjoint, because Warp's would be incorrect.
        generic: the keys of the parameters whose type is written ``Any``, separated by spaces.
        blocks: the numbers of threads per block to choose from, for kernels of tiles; sizes may use the key ``block``.
        tiled: whether `wp.tid` is the index of the block, as in a tiled launch.
    """

    key: str
    names: str
    purpose: str
    text: str
    threads: str = "i"
    categories: str = ""
    docs: str = ""
    integer: bool = False
    forward_only: bool = False
    generic: str = ""
    blocks: tuple[int, ...] = ()
    tiled: bool = False


class Domain(Struct, frozen=True, eq=False):
    """All rows of one domain; domains are compared by identity.

    Attributes:
        name: the name of the domain.
        parameters: sizes, arrays, numbers and codes.
        indices: thread indices.
        names: candidates for the names of locals by key; a local without an entry is named by its key.
        locals: values that ideas read without assigning them.
        ideas: the programs.
        loops: see `Loop`.
        extras: see `Extra`.
        helpers: helper functions; one may call those before it.
        records: structs.
        world: the index of the world of a batched kernel, or None.
        anonymous: the parameters of no subject, such as "value of each element"; ideas that read them need not be about one
            thing.
    """

    name: str
    parameters: tuple[Parameter, ...]
    indices: tuple[Index, ...]
    names: dict[str, str]
    locals: tuple[Local, ...]
    ideas: tuple[Idea, ...]
    loops: tuple[Loop, ...] = ()
    extras: tuple[Extra, ...] = ()
    helpers: tuple[Helper, ...] = ()
    records: tuple[Record, ...] = ()
    world: Index | None = None
    anonymous: tuple[Parameter, ...] = ()

    def __post_init__(self) -> None:
        """Check that no two rows have the same key, and that the key of the world is no local.

        Raises:
            ValueError: if one of the two is not true.
        """
        for kind, rows in (("parameters", self.parameters), ("ideas", self.ideas), ("locals", self.locals)):
            if twice := {key for key, count in Counter(row.key for row in rows).items() if count > 1}:
                raise ValueError(f"domain {self.name!r}: several {kind} have the key {', '.join(sorted(twice))}")
        if self.world and self.world.key in {
            *self.names,
            *(row.key for row in self.locals),
            *(row.key for row in self.indices),
        }:
            raise ValueError(f"domain {self.name!r}: a local has the key of the world, {self.world.key!r}")
