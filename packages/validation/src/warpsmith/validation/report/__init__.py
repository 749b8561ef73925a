"""One self-contained HTML page about a dataset: its figures, and a browser of pairs that needs no network.

`dataset_scan` reads all lines, `page_choice` chooses the pairs that are shown, `figures` and `plots` prepare the figures,
`page_pairs` lays out a pair in highlighted lines with `linemap`, and `page` renders the template. `write` runs these steps.
None of them executes the texts of a pair.
"""
