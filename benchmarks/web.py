"""`python -m benchmarks.web`: how soon a large study is on the screen."""

from benchmarks.service.web import main

if __name__ == "__main__":
    main()
