"""Launches of a running program: observation of Warp's launches, and pairs with launches inferred from real arguments.

In the process of the program:

    session.py       `capture`, and the launches that it yields
    recorder.py      the receiver of all launches
    selection.py     the launches of a kernel that are kept: the most different ones
    snapshot.py      copies of the arguments of one launch
    live_objects.py  meshes, BVHs, hash grids and textures behind the handles that kernels receive
    limits.py        how much is kept

A launch of a record from what was observed:

    expressions.py   expressions of generated code
    functions.py     functions of generated code
    accesses.py      which arguments a kernel reads and writes, by its generated code
    domains.py       the values of an array as a domain
    inference.py     the launch
    pair_launch.py   the launch of a pair, from a program or from a user's arguments
    pairs.py         pairs with launches

Launches of kernels that were not run:

    launch_file.py     the user's file
    guess.py           a guess from the signature and the code
    described.py       the launch from descriptions of its arguments
    launch_source.py   which of them a kernel gets
    launch_options.py  the options

``warpsmith-extract --run``:

    command.py       the options
    run.py           the process of the command
    request.py       what both processes exchange
    child.py         the process of the program
    program.py       scripts, modules and commands, run as Python runs them
"""
