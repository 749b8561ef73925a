"""The tree of a kernel: frozen expressions and statements, and the holes a skeleton has in their place.

Every expression knows its type and bounds on its value: each component lies in [low, high] for every input that the kernel's
``launch`` allows. Bounds are found while the tree is built (see `ranges`), so no kernel ever leaves the finite numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from warpsmith.extraction.record import Argument
from warpsmith.synthesis.language.types import BOOL, INT, Type


@dataclass(frozen=True, slots=True)
class Name:
    """A variable: a local, a loop counter, a scalar parameter or a module constant.

    ``extent`` names the array dimension that the value surely indexes, such as ``"n"``; empty if it is no index.
    """

    name: str
    type: Type
    low: float
    high: float
    extent: str = ""


@dataclass(frozen=True, slots=True)
class Const:
    """A literal."""

    value: float | int | bool
    type: Type

    @property
    def low(self) -> float:
        """The value itself."""
        return self.value

    @property
    def high(self) -> float:
        """The value itself."""
        return self.value


@dataclass(frozen=True, slots=True)
class Apply:
    """A builtin of Warp's registry applied to arguments; operators are builtins too, ``a + b`` is ``add``."""

    key: str
    args: tuple[Expr, ...]
    type: Type
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a helper function of the same kernel."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Construct:
    """A vector or matrix made of its components, or of one value for all of them."""

    args: tuple[Expr, ...]
    type: Type
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Load:
    """An element of an array parameter."""

    array: str
    indices: tuple[Expr, ...]
    type: Type
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Component:
    """A component of a vector or an entry of a matrix; ``letters`` writes it ``v.x`` instead of ``v[0]``."""

    value: Expr
    indices: tuple[Expr, ...]
    type: Type
    low: float
    high: float
    letters: bool = False


@dataclass(frozen=True, slots=True)
class Ternary:
    """``a if condition else b``."""

    condition: Expr
    then: Expr
    other: Expr
    type: Type
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison, chained if there are more than two operands."""

    operators: tuple[str, ...]
    operands: tuple[Expr, ...]
    type: Type = BOOL
    low: float = 0
    high: float = 1


@dataclass(frozen=True, slots=True)
class Logic:
    """``and`` or ``or`` of conditions, or ``not`` of one."""

    operator: str
    operands: tuple[Expr, ...]
    type: Type = BOOL
    low: float = 0
    high: float = 1


@dataclass(frozen=True, slots=True)
class Size:
    """``array.shape[dimension]``."""

    array: str
    dimension: int
    low: float
    high: float
    extent: str
    type: Type = INT


@dataclass(frozen=True, slots=True)
class Hole:
    """An expression that is still to be written.

    Attributes:
        type: its type.
        low: bounds that the value must keep.
        high: see ``low``.
        size: about how many operations it takes.
        uses: variables that it must read.
        gather: whether it should read what nothing has read yet, as results do.
    """

    type: Type
    low: float = -100.0
    high: float = 100.0
    size: int = 2
    uses: tuple[str, ...] = ()
    gather: bool = False


Expr: TypeAlias = Name | Const | Apply | Call | Construct | Load | Component | Ternary | Compare | Logic | Size | Hole


@dataclass(frozen=True, slots=True)
class Assign:
    """``name = value``. In a skeleton an empty name is to be found by what the value turns out to be."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Declare:
    """The start value of a variable that changes later, written ``name = float(0.0)`` as Warp wants it."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Augment:
    """``name += value`` or another operator of its registry key; ``name[at] += value`` for one component of a vector."""

    name: str
    key: str
    value: Expr
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """``array[indices] = value``."""

    array: str
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Atomic:
    """``wp.atomic_add(array, index, value)`` or another atomic of its registry key."""

    key: str
    array: str
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Threads:
    """``i = wp.tid()`` for one name, ``i, j = wp.tid()`` for two."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class If:
    """A condition with its branches; an ``orelse`` that is one ``If`` is written ``elif``."""

    condition: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """``for counter in range(start, stop)``; ``trips`` is the most times that it runs."""

    counter: Name
    start: Expr
    stop: Expr
    trips: int
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class While:
    """``while condition``; ``trips`` is the most times that it runs."""

    condition: Expr
    trips: int
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """``return``, ``break`` or ``continue``."""

    word: str


@dataclass(frozen=True, slots=True)
class Return:
    """``return value`` of a helper function."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Comment:
    """A line of comment."""

    text: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """In a skeleton: read the element at ``indices`` of an array into a local, or leave it to be read in place."""

    array: str
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """In a skeleton: ``count`` assignments of values of these types, each made of what came before."""

    count: int
    types: tuple[Type, ...]
    size: int = 2


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines as people write them, for what the grammar has no nodes of: tiles, queries, structs, slices.

    Attributes:
        text: the lines, indented from zero; ``{0}``, ``{1}`` stand for ``args``.
        args: names, literals and elements that the text reads.
        gives: the variables that it assigns for others to read.
        says: what it contributes to a sentence about the kernel, or empty.
    """

    text: str
    args: tuple[Expr, ...]
    gives: tuple[Name, ...]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Give:
    """A variable that a `Phrase` assigns.

    Attributes:
        key: how the phrase's text calls it, without the ``$``.
        type: its type; None for what only the phrase itself reads.
        low: bounds of its components.
        high: see ``low``.
        names: what it may be called.
        linear: whether it may only be summed up, see `scope.Value`.
    """

    key: str
    type: Type | None
    low: float
    high: float
    names: tuple[str, ...]
    linear: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """In a skeleton: a `Verbatim` whose arguments are to be filled, and whose variables, ``$key``, are to be named."""

    text: str
    needs: tuple[Hole, ...] = ()
    gives: tuple[Give, ...] = ()
    says: str = ""


Stmt: TypeAlias = (
    Assign
    | Declare
    | Augment
    | Store
    | Atomic
    | Threads
    | If
    | For
    | While
    | Leave
    | Return
    | Comment
    | Fetch
    | Steps
    | Verbatim
    | Phrase
)


Kind: TypeAlias = Literal["uniform", "unit", "near_identity", "fill"]
"""How a parameter's components are drawn, see ``Domain`` of the record."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A parameter that is a value. ``extent`` names the array dimension whose length it is, if it is one."""

    name: str
    type: Type
    low: float
    high: float
    kind: Kind = "uniform"
    extent: str = ""


@dataclass(frozen=True, slots=True)
class Array:
    """A parameter that is an array.

    Attributes:
        name: the parameter.
        element: type of its elements.
        dims: a symbol for each dimension, such as ``("n",)``; `Kernel.sizes` gives their lengths.
        low: bounds of the components at launch, the diagonal of ``near_identity`` included.
        high: see ``low``.
        kind: how they are drawn.
        role: whether the kernel reads it, writes it or does both.
        local: the name of a local that holds one element, such as ``"pos"`` for ``"positions"``.
    """

    name: str
    element: Type
    dims: tuple[str, ...]
    low: float
    high: float
    kind: Kind = "uniform"
    role: Literal["input", "output", "inout"] = "input"
    local: str = ""


@dataclass(frozen=True, slots=True)
class Other:
    """A parameter that is neither: a struct, an object such as a mesh, an indexed array.

    Attributes:
        name: the parameter.
        annotation: its type in source text.
        argument: what the record says of it.
    """

    name: str
    annotation: str
    argument: Argument

    @property
    def role(self) -> str:
        """Whether the kernel reads or writes it, as for arrays."""
        return self.argument.role


Param: TypeAlias = Scalar | Array | Other


@dataclass(frozen=True, slots=True)
class Function:
    """A helper, ``@wp.func``, of value parameters; ``word`` says what it returns, and [low, high] bounds it."""

    name: str
    params: tuple[Scalar, ...]
    result: Type
    body: tuple[Stmt, ...]
    doc: str = ""
    low: float = 0.0
    high: float = 0.0
    annotated: bool = False
    word: str = "value"


@dataclass(frozen=True, slots=True)
class Constant:
    """A module constant."""

    name: str
    value: Const
    wrapped: bool = True


@dataclass(frozen=True, slots=True)
class Kernel:
    """A whole kernel with all that its file holds.

    Attributes:
        name: of the kernel.
        params: in order.
        body: statements.
        sizes: the length of each array dimension by its symbol.
        dim: launch shape, threads per dimension.
        functions: helpers, in the order in which they stand in the file.
        constants: module constants.
        doc: docstring, or empty.
        preface: structs, functions and other definitions that stand before the kernel, as text.
        options: the module options that differ from Warp's defaults.
        generic: parameters whose type is written ``Any``; an overload behind the kernel names it.
    """

    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    sizes: tuple[tuple[str, int], ...]
    dim: tuple[int, ...]
    functions: tuple[Function, ...] = ()
    constants: tuple[Constant, ...] = ()
    doc: str = ""
    preface: tuple[str, ...] = ()
    options: tuple[tuple[str, int], ...] = ()
    generic: tuple[str, ...] = ()
