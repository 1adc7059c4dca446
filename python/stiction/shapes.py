"""Shapes of bodies, one function each; give the result as `shape` of a body.
Made from the schema of scenes, so that it knows what the library knows."""

from ._schema import makers

_made = makers(__name__)
globals().update(_made)
__all__ = list(_made)
