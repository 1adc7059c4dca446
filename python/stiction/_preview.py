"""A small picture of bodies, as SVG: what notebooks show of a simulation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

_WIDTH, _MOST = 360, 4000  # pixels; triangles, beyond which only some are drawn
_COLOURS = ((86, 140, 200), (222, 142, 68), (104, 170, 96), (196, 92, 96), (140, 116, 186),
            (150, 120, 96))
_LIGHT = np.array([0.3, -0.5, 0.81])


def _view() -> np.ndarray:
    """Rows: to the right, up, and towards the eye, which looks down from the front."""
    eye = np.array([0.5, -0.75, 0.45])
    eye /= np.linalg.norm(eye)
    right = np.cross([0.0, 0.0, 1.0], eye)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(eye, right), eye])


def _thin(triangles: np.ndarray, count: int) -> np.ndarray:
    return triangles[::-(-count // _MOST)] if count > _MOST else triangles


def svg(bodies: Iterable[tuple[np.ndarray, np.ndarray]]) -> str:
    """Bodies are positions (n, 3) and triangles (m, 3); those nearest to the eye come last."""
    parts = [(points, triangles) for points, triangles in bodies if len(triangles)]
    if not parts:
        return ""
    total = sum(len(triangles) for _, triangles in parts)
    view = _view()
    corners, colours = [], []
    for index, (points, triangles) in enumerate(parts):
        shape = points[_thin(triangles, total)]
        normal = np.cross(shape[:, 1] - shape[:, 0], shape[:, 2] - shape[:, 0])
        length = np.linalg.norm(normal, axis=1)
        shade = 0.55 + 0.45 * np.abs(normal @ _LIGHT) / np.where(length > 0, length, 1)
        corners.append(shape @ view.T)
        colours.append(np.outer(shade, _COLOURS[index % len(_COLOURS)]))
    seen, colour = np.concatenate(corners), np.concatenate(colours).clip(0, 255).astype(int)
    low, high = seen.min(axis=(0, 1)), seen.max(axis=(0, 1))
    scale = _WIDTH / max(high[0] - low[0], 1e-12)
    height = min(max((high[1] - low[1]) * scale, 1), 2 * _WIDTH)
    flat = (seen[:, :, :2] - [low[0], high[1]]) * [scale, -scale]
    drawn = [f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in flat[i])}Z" '
             f'fill="rgb({colour[i][0]},{colour[i][1]},{colour[i][2]})"/>'
             for i in np.argsort(seen[:, :, 2].mean(axis=1))]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height:.0f}" '
            f'viewBox="0 0 {_WIDTH} {height:.0f}" stroke="rgba(0,0,0,0.25)" stroke-width="0.4">'
            f'{"".join(drawn)}</svg>')
