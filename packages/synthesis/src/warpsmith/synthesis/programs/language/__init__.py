"""The language of kernels: types, trees, Warp's builtins, rules for well-formed trees, and rendering."""
