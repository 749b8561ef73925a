"""The judge: launches, the worker that compiles and runs texts, and the comparison with a reference."""
