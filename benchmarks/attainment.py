"""`python -m benchmarks.attainment`: what share of q-KG each way of maximising it attains."""

from benchmarks.speed.attainment import main

if __name__ == "__main__":
    main()
