"""`python -m benchmarks.hostile`: an honest client while others attack the HTTP service."""

from benchmarks.service.hostile import main

if __name__ == "__main__":
    main()
