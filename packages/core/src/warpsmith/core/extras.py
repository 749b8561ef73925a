"""Optional dependencies: imported on first use, with an error that names the extra to install."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.installation import install_command


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of a distribution, and the feature that needs it.

    Examples:
        >>> Extra("warpsmith-core[hub]", "an upload").missing
        "an upload needs the extra warpsmith-core[hub]: ...pip install ...'huggingface-hub>=0.30'"
        >>> Extra("warpsmith-core[export]", "export").load("json").dumps([1])
        '[1]'
    """

    name: str
    feature: str

    @property
    def missing(self) -> str:
        """The message for users who have not installed the extra."""
        return f"{self.feature} needs the extra {self.name}: {install_command(self.name)}"

    def load(self, module: str) -> ModuleType:
        """Import a module of the extra.

        Raises:
            WarpsmithError: if it is not installed.
        """
        try:
            return importlib.import_module(module)
        except ImportError as error:
            raise WarpsmithError(f"{self.missing} ({error})") from None

    def has(self, module: str) -> bool:
        """Return whether a module of the extra can be imported."""
        try:
            importlib.import_module(module)
        except ImportError:
            return False
        return True


EXPORT = Extra("warpsmith-core[export]", "export")
HUB = Extra("warpsmith-core[hub]", "--push-to-hub")
NEAR = Extra("warpsmith-core[near]", "the search for near duplicates")
RAY = Extra("warpsmith-core[ray]", "--executor ray")
REMOTE = Extra("warpsmith-core[remote]", "a folder in an object store")
