"""`python -m benchmarks.outcomes_speed`: what one batch costs where several outcomes count."""

from benchmarks.campaigns.outcomes_speed import main

if __name__ == "__main__":
    main()
