"""`python -m workers` is `pairl`."""

from workers.cli import main

main()
