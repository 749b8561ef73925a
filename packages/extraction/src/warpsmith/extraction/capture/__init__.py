"""Launches of a running program: observation of Warp's launches, and pairs with launches inferred from real arguments.

limits.py       how much of a program's launches is kept
snapshot.py     copies of the arguments of one launch
live_objects.py meshes, BVHs, hash grids, volumes and textures behind the handles that kernels receive
selection.py    the launches of a kernel that are kept: the most different ones
recorder.py     the receiver of all launches of a program
expressions.py  expressions of generated code
accesses.py     which arguments the generated code of a kernel reads and writes
domains.py      the values of an array as a domain of a record
inference.py    a launch of a record from a snapshot
session.py      `capture`, and the pairs of what was captured
"""
