"""Program ideas: kernels with a purpose, composed from the rows of one domain.

A domain declares data, locals, loops, helper functions and ideas (`parts`). `idea_choice` selects an idea. `compose` expands
its text (`notation`, `expand`), adds what it reads (`provide`), removes what is superfluous (`statement_passes`), decides how
parameters are passed (`realize`, `data_layout`, `argument_structs`), makes functions of statements (`outlining`), chooses names
(`kernel_names`, `local_names`), and describes the kernel (`narrate`).
"""
