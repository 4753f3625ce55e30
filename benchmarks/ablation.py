"""`python -m benchmarks.ablation`: what each safeguard of q-KG does."""

from benchmarks.campaigns.ablation import main

if __name__ == "__main__":
    main()
