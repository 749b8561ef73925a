"""Recordings of tapes: what the launches of a program, and the backward pass over them, read and wrote.

kept_contents.py       different contents, kept once
live_leaves.py         the leaves of live arguments, and where their numbers are
fresh_memory.py        memory that nothing has written
drafts.py              what is kept of launches and copies until the backward pass
tape_entries.py        what a tape has recorded, and the events that belong to it
tape_limits.py         the bounds of recordings
tape_recorder.py       the receiver of launches, copies and backward passes
gradient_recorder.py   the observer of a capture, which passes them on
recorded_pass.py       what is kept of a backward pass that is over
recordings.py          recordings of the drafts, with the pairs of their kernels
"""
