"""Recorded searches as statistics, tables and figures: `docs/results.md` and `docs/paper.md`."""
