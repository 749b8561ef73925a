"""Programs: whole Python files of several kernels and the host code that launches them.

program_rows.py        the rows of the catalogue, `catalogue/<domain>/<topic>.programs`
program_catalogue.py   the files of the catalogue, read once
program_text.py        a scheme resolved: its parts, alternatives, names and numbers
program_policy.py      the chances of all styles
program_style.py       the style of a program
kernel_spelling.py     the types and docstrings of kernels
host_spelling.py       launches, arrays, tapes, checks and reports as authors write them
host_names.py          the names that statements read and assign, and how they are renamed
host_sections.py       the statements of a host program by section, and the names that sections share
host_forms.py          the sections as a class, as functions or as one function
host_mains.py          the main function, its arguments and its checks
program_key.py         the key of a program, and the version of the generator
host_figures.py        the lines of a program, and the structure of its host code
program_writer.py      the stages from a key to a Python file
"""
