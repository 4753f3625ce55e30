"""`python -m knowgrad.cli` is `knowgrad`."""

from knowgrad.cli import main

main(prog_name="knowgrad")
