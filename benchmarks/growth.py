"""`python -m benchmarks.growth`: seconds and memory of a question against n, d, p and q, beside peers."""

from benchmarks.speed.growth import main

if __name__ == "__main__":
    main()
