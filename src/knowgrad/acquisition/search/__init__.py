"""How a batch is found: where to begin, how to ascend, what to exchange, in which order. Any criterion will do.

May import: gp, the domain of space, and criteria.
"""
