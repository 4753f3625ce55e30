"""`python -m benchmarks.paper`: the paper's experiments, and others, with peers."""

from benchmarks.campaigns.paper import main

if __name__ == "__main__":
    main()
