"""`python -m benchmarks.large`: questions about larger problems."""

from benchmarks.speed.large import main

if __name__ == "__main__":
    main()
