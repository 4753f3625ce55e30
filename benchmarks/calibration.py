"""`python -m benchmarks.calibration`: does the package keep its word?"""

from benchmarks.claims.compare import main

if __name__ == "__main__":
    main()
