"""Searches for bugs of Warp: kernels made of forms, comparisons that need no oracle, and a ledger of what is known.

`forms` and `form_text` make kernels, `case_runs` and `case_workers` run them, `comparisons` finds what is wrong, `form_search`
reduces it, `clusters` counts causes, and `ledger` says which of them are known. None of these modules imports `levels`.
"""
