"""`python -m benchmarks.failures`: what failed trials should tell the search."""

from benchmarks.campaigns.failures import main

if __name__ == "__main__":
    main()
