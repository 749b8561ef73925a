"""Level `program`: the gradient of a whole program, by its tape, against the derivatives of its launches.

    consistency.py       whether the numbers in a recording refer to what it contains
    flat_memory.py       numbers at addresses of the program as slots of one array
    recorded_tape.py     a recording with its contents, and which gradient belongs to which number
    launch_tangents.py   the derivative of one launch along a direction
    tangent_chain.py     the derivatives of all launches, one after another
    gradient_chain.py    the gradients of the backward pass, launch by launch, against these derivatives
    replay.py            all launches once more, from inputs that are moved
    fault_causes.py      what else uses the arrays of a launch
    tape_faults.py       what is wrong at the launch where they part
    tape_answer.py       what the worker answers
    tape_check.py        the check of a recording, in a sandboxed worker
    program_results.py   recordings and their verdicts, for commands

Let ``t`` be the derivative of all memory along a direction before some launch, and ``g`` the gradient of all memory after the
adjoint of that launch. If the tape is right, the product of both is the same number at each launch: the derivative of the loss.
The first launch, in the order of the backward pass, at which the product changes is where the tape goes wrong.
"""
