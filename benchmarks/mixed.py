"""`python -m benchmarks.mixed`: whole numbers, steps and choices."""

from benchmarks.campaigns.mixed import main

if __name__ == "__main__":
    main()
