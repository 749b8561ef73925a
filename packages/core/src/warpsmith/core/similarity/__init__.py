"""How alike texts are: their tokens, their sets of shingles, and a search for sets that are nearly the same.

Texts are taken apart, never executed. Statistics ask what repeats itself, exports what may not stand on both sides of a split.
"""
