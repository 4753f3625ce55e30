"""`python -m benchmarks.subsets`: of very many results, which the model should rest on."""

from benchmarks.inference.subsets import main

if __name__ == "__main__":
    main()
