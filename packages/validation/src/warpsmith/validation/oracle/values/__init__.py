"""Values of the interpreter: NumPy scalars and arrays with the semantics of Warp's types, for one thread or for several."""
