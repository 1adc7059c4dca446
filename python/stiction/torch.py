"""Simulations as functions of PyTorch: gradients of anything computed from positions and velocities
by numbers of the scene. Needs PyTorch, which nothing else of the package does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from ._scene import Scene, SceneLike
from ._set import put
from ._simulation import Simulation

__all__ = ["simulate"]


class _Simulate(torch.autograd.Function):
    """Goes forward along with the simulation, so that going backward only multiplies."""

    @staticmethod
    def forward(context: Any, scene: Scene, keys: Sequence[str], times: Sequence[float],
                threads: int, *values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        wanted = [key for key, needed in zip(keys, context.needs_input_grad[4:]) if needed]
        states, slopes = [], []
        with Simulation(scene, threads=threads) as simulation:
            derivatives = simulation.differentiate(*wanted) if wanted else None
            for time in times:
                simulation.advance_to(time)
                states.append(np.stack([simulation.positions, simulation.velocities]))
                slopes.append([[derivatives.positions(key), derivatives.velocities(key)]
                               for key in wanted])
        context.wanted = dict(zip(wanted, np.moveaxis(np.array(slopes), 0, 2))) if wanted else {}
        context.keys = keys
        context.likes = [(value.dtype, value.device) for value in values]
        positions, velocities = np.moveaxis(np.array(states), 1, 0)
        device = values[0].device if values else None
        return (torch.tensor(positions, device=device), torch.tensor(velocities, device=device))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context: Any, *gradients: torch.Tensor) -> tuple:
        results: list = []
        for key, (dtype, device) in zip(context.keys, context.likes):
            by = context.wanted.get(key)
            total = None if by is None else sum(
                float(np.vdot(gradient.cpu().numpy(), part))
                for gradient, part in zip(gradients, by))
            results.append(None if total is None
                           else torch.tensor(total, dtype=dtype, device=device))
        return (None, None, None, None, *results)


def simulate(scene: SceneLike, numbers: Mapping[str, torch.Tensor], times: Sequence[float], *,
             threads: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
    """Positions and velocities at these times (s, ascending), (times, vertices, 3) each, of a scene
    in which these numbers have these values: ``simulate(scene, {"friction[0].dynamic": mu},
    [0.5])``. Values are tensors of one number, in SI; results are double. Gradients by those that
    require them are found on the way (`Simulation.differentiate`): each costs about as much as the
    run. There are no second derivatives."""
    changed = Scene(scene)  # a copy
    for key, value in numbers.items():
        put(changed.data, key, float(value))
    return _Simulate.apply(changed, tuple(numbers), tuple(times), threads, *numbers.values())
