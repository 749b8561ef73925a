"""Run machine code: arguments in shared memory, and a forked process that may write nothing else."""
