"""Shapes of obstacles, one function each; give the result as `shape` of an obstacle.
Generated from the scene schema, so it matches the library."""

from ._schema import makers

_made = makers(__name__)
globals().update(_made)
__all__ = list(_made)
