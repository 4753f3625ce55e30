"""`python -m benchmarks.scores`: scores of recorded searches on measured data and with gross errors."""

from benchmarks.campaigns.scores import main

if __name__ == "__main__":
    main()
