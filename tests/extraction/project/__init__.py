"""A user's package: its kernels use functions, constants and types of several private modules."""

from . import kernels, made
from ._parts import kinds, lengths

__all__ = ["kernels", "kinds", "lengths", "made"]
