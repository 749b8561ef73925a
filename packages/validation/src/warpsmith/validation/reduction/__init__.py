"""Makes a pair smaller while it still fails: what there is to leave out, and new generated text for what is left.

`blocks`, `expressions` and `launches` each yield edits of a tree, the big ones first; `smaller` puts them together; `remake`
asks Warp for the text. All of that reads a pair's Python, so that it happens in limited children only; `reduce`, one floor up,
is what asks them.
"""
