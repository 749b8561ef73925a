"""The sandboxed worker, which parses, loads, compiles and runs the content of pairs."""
