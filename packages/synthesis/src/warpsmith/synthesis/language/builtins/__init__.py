"""Warp's builtins: signatures from Warp's registry, and rows with the facts that the registry does not contain."""
