"""Gradients through PyTorch; skipped where it is not installed."""

import unittest

try:
    import torch
except ImportError:
    torch = None

import stiction
from world import floor


def slide():
    scene = floor(friction=0.3)
    scene.data["bodies"]["block"]["velocity"] = [1, 0, 0]
    scene.data["solver"] = {"velocity_tolerance": 1e-11, "change_tolerance": 1e-11}
    return scene


@unittest.skipUnless(torch, "PyTorch is not installed")
class Torch(unittest.TestCase):
    def test_gradcheck(self):
        from stiction.torch import simulate

        def places(mu, speed):
            positions, velocities = simulate(
                slide(), {"friction[0].dynamic": mu, "bodies.block.velocity[0]": speed},
                [0.05, 0.1])
            return positions.mean(dim=1), velocities.mean(dim=1)

        values = [torch.tensor(value, dtype=torch.float64, requires_grad=True)
                  for value in (0.3, 1.0)]
        self.assertTrue(torch.autograd.gradcheck(places, values, eps=1e-5, atol=1e-5))

    def test_descent_finds_the_speed_of_a_throw(self):
        from stiction.torch import simulate
        speed = torch.tensor(1.0, requires_grad=True)
        optimiser = torch.optim.SGD([speed], lr=40)
        for _ in range(20):
            optimiser.zero_grad()
            positions, _ = simulate(slide(), {"bodies.block.velocity[0]": speed}, [0.1])
            miss = positions[0, :, 0].mean() - 0.2
            (miss * miss).backward()
            optimiser.step()
        # x = v t − ½ μ g t², but for the hair by which it drops first
        self.assertAlmostEqual(speed.item(), (0.2 + 0.5 * 0.3 * 9.81 * 0.01) / 0.1, delta=0.02)
        self.assertEqual(speed.grad.dtype, torch.float32)

    def test_numbers_without_gradients(self):
        from stiction.torch import simulate
        positions, _ = simulate(slide(), {"friction[0].dynamic": torch.tensor(0.5)}, [0.05])
        self.assertFalse(positions.requires_grad)
        with self.assertRaises(stiction.BadInput):
            simulate(slide(), {"friction[3].dynamic": torch.tensor(0.5)}, [0.05])


if __name__ == "__main__":
    unittest.main()
