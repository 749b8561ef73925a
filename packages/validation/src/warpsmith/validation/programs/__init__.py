"""Programs: generated Python files of several kernels with their host code, checked by running them in the sandbox.

host_allowlist.py       what the Python of a program may contain
observed_program.py     what a run of a program leaves: its launches with the contents of arrays, and its backward passes
program_observation.py  the run of a program in a fork of the worker
launch_comparison.py    the launches against the interpreter of level `oracle`
program_answer.py       what the worker answers
program_check.py        the check of a program, in a sandboxed worker
program_verdicts.py     programs and their verdicts, for commands and Python
programs_command.py     the command
"""
