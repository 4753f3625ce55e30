"""`python -m benchmarks.optuna_workers`: our Optuna sampler beside GPSampler."""

from benchmarks.campaigns.optuna_workers import main

if __name__ == "__main__":
    main()
