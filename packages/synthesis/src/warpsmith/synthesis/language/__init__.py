"""What a kernel is: types, trees, Warp's builtins, what makes a tree well-formed, and how it is printed."""
