"""`python -m benchmarks.cheap`: cheap looks against the expensive ones alone."""

from benchmarks.campaigns.cheap import main

if __name__ == "__main__":
    main()
