"""`python3 -m stiction` is the program `stiction`."""

from ._program import main

main()
