"""Searches for bugs of Warp: kernels made of forms, comparisons that need no oracle, and a ledger of what is known.

`grammar` makes kernels, `case_runs` and `case_worker` run them, `comparisons` says what is wrong, `form_search` and
`source_search` reduce it, `fault_clusters` counts causes, `ledger` says which of them are known, and `fuzz_run` is the search.
"""
