"""`python -m benchmarks.plan`: the batch sizes that plans choose, beside every fixed one."""

from benchmarks.claims.plans import main

if __name__ == "__main__":
    main()
