"""Machine code -> results: arguments in shared memory, and a process apart that touches nothing else."""
