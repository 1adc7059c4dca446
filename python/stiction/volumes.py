"""Models of volume fillings, one function each; give the result to Scene.add_volume.
Generated from the scene schema, so it matches the library."""

from ._schema import makers

_made = makers(__name__)
globals().update(_made)
__all__ = list(_made)
