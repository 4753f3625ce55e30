"""`python -m benchmarks.recommendations`: what to recommend from exact results."""

from benchmarks.inference.recommendations import main

if __name__ == "__main__":
    main()
