"""Recordings of tapes: what the launches of a program, and the backward pass over them, read and wrote.

contents.py        different contents, kept once
live_leaves.py     the leaves of live arguments, and where their numbers are
drafts.py          what is kept of launches and copies until the backward pass
tape_recorder.py   the receiver of launches, copies and backward passes
recordings.py      recordings of the drafts, with the pairs of their kernels
"""
