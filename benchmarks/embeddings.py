"""`python -m benchmarks.embeddings`: how a model had best see parameters that do not exist."""

from benchmarks.inference.embeddings import main

if __name__ == "__main__":
    main()
