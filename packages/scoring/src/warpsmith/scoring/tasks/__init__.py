"""Tasks: their kinds, prompts and completions."""
