"""`python -m benchmarks.storage`: what a study of 10,000 trials costs its users."""

from benchmarks.service.storage import main

if __name__ == "__main__":
    main()
