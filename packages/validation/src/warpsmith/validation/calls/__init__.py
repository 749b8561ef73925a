"""Run C++ texts as sequences of calls of compiled statements, instead of compiling each text.

Generated text is nearly a bytecode: the same statements with the same types occur in most kernels. Each is compiled once; a
program consists of their addresses, the places of the variables, and jumps. `notes/explanation/compiled_statements.md`
says why the results are those of the compiled text, and how that is tested. A text that contains anything else is compiled as
a whole.
"""
