"""`python -m benchmarks.model`: which inference finds better points."""

from benchmarks.inference.searches import main

if __name__ == "__main__":
    main()
