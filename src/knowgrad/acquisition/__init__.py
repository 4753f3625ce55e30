"""Which batch to measure next, given a model: arrays in the unit cube.

`problem` is the question and the answer; `criteria` say what a batch is worth, `search` finds one, `methods` are both
together, one file each.

May import: space, gp.
"""
