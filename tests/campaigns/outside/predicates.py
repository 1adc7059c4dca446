"""Exact signs of determinants: floating point where that is certain, fractions otherwise."""
from fractions import Fraction

import numpy as np

# Bound on the rounding error of the determinant below over its permanent: Shewchuk's (7 + 56 ε) ε, rounded up.
ERROR = 8e-16


def orientation(a, b, c, d):
    """Sign of the volume of tets (a, b, c, d), row by row: 1 where d lies on the side that b−a × c−a points to."""
    u, v, w = b - a, c - a, d - a
    terms = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    value, permanent = np.zeros(len(a)), np.zeros(len(a))
    for i, j, k in terms:
        left, right = u[:, j] * v[:, k], u[:, k] * v[:, j]
        value += w[:, i] * (left - right)
        permanent += np.abs(w[:, i]) * (np.abs(left) + np.abs(right))
    sign = np.sign(value).astype(int)
    for row in np.flatnonzero(np.abs(value) <= ERROR * permanent):
        sign[row] = exact_orientation(a[row], b[row], c[row], d[row])
    return sign


def exact_orientation(a, b, c, d):
    a, b, c, d = ([Fraction(float(x)) for x in point] for point in (a, b, c, d))
    u, v, w = ([x - y for x, y in zip(point, a)] for point in (b, c, d))
    value = (w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2])
             + w[2] * (u[0] * v[1] - u[1] * v[0]))
    return (value > 0) - (value < 0)
