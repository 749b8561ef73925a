"""The interpreter of a kernel's Python: definitions, closures of its syntax, and its launch."""
