"""A trial of a written kernel: run in plain Python, before anybody calls it a kernel, to see that it shows something.

Bounds make a kernel safe, not interesting: ``wp.max(x, 0.25)`` is valid, and constant where x never gets so large. `run` finds
such kernels by what they leave when they run with the values that a judge will give them. In place of Warp they have `vectors`,
`arrays` and `functions`, which know what the renderer writes and nothing else. Numbers are float64, and integers are divided as
Python does it: ``%`` and ``//`` differ from C where the left side is negative, which decides no trial.
"""
