"""The judgement of tasks about programs: answers are put into the program, which runs in a sandboxed worker."""
