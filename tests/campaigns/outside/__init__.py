"""Measures runs from outside: starts the program, reads its files, and judges its frames without the program's code."""
