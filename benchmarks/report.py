"""`python -m benchmarks.report`: docs/results.md and its figures."""

from benchmarks.reports.report import main

if __name__ == "__main__":
    main()
