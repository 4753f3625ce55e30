"""`python -m benchmarks.outcomes`: limits that must hold and objectives that pull apart."""

from benchmarks.campaigns.outcomes import main

if __name__ == "__main__":
    main()
