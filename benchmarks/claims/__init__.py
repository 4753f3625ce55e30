"""What the package says of itself, held against the truth: intervals, gains, noise, and what it recommends.

Searches on problems of six kinds (`problems`) are recorded once (`searches`). A state of them is judged without running
a search again (`judge`), by rules of what to recommend too (`rules`). `compare` is the command, `report` its tables,
`keep` what is committed. May import `problems`, `peers` and `reports`.
"""
