"""Measures runs from outside: readers of their files, and a judge of their frames, which share no code with the
program. Used by random-scenes and contact-cases."""
