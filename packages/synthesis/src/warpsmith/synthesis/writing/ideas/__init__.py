"""Program ideas: kernels with a purpose, composed from the rows of one domain.

A domain declares data, locals, loops, helper functions and ideas (`parts`, `declare`). `choose` selects ideas that go together
(`footprint`). `compose` expands their text (`notation`, `expand`), adds what they read (`provide`), removes what is superfluous
(`passes`), decides how parameters are passed (`realize`, `layout`, `structs`), and describes the kernel (`narrate`).
"""
