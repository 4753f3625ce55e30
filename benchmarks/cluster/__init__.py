"""Many workers on one study: how busy they are, and what their search finds.

May import: problems.
"""
