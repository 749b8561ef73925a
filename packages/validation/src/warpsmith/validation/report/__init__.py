"""One self-contained HTML page about a dataset: its figures, and a browser of pairs that needs no network.

`scan` reads all lines, `sample` chooses the pairs that are shown, `figures` and `plots` prepare the figures, `pairs` lays out a
pair in highlighted lines with `linemap`, and `page` renders the template. `write` runs these steps. None of them executes the
texts of a pair.
"""
