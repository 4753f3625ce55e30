"""Recorded searches as statistics, tables and figures: `docs/results.md`, `docs/results/` and `docs/paper.md`."""
