"""Random numbers of one scene: the same on every machine and version of Python for a seed and a number."""
import math
import random


class Draw:
    """Draws values rounded to four digits, so that scenes are pleasant to read and repeat exactly."""

    def __init__(self, seed, number):
        self.source = random.Random(f"{seed}/{number}")  # text seeds go through SHA-512

    def chance(self, share):
        return self.source.random() < share

    def pick(self, choices):
        return choices[int(self.source.random() * len(choices))]

    def whole(self, low, high):
        return low + int(self.source.random() * (high - low + 1))

    def uniform(self, low, high):
        return rounded(low + (high - low) * self.source.random())

    def scaled(self, low, high):
        """Evenly distributed over orders of magnitude."""
        return rounded(low * (high / low) ** self.source.random())

    def direction(self):
        z = 2 * self.source.random() - 1
        angle = 2 * math.pi * self.source.random()
        radius = math.sqrt(1 - z * z)
        return [rounded(radius * math.cos(angle)), rounded(radius * math.sin(angle)), rounded(z)]


def rounded(value):
    return float(f"{value:.4g}")
