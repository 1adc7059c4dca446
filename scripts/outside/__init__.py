"""What is known of a run from outside: readers of its files, and a judge of its frames, that share no code with the
program. Used by random-scenes and contact-cases."""
