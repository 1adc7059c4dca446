#!/usr/bin/env python3
"""An environment for reinforcement learning, in the manner of Gymnasium: a wall pushes a soft block
across a floor to a goal. Gymnasium is not needed; where it is installed, the environment is one of
its own.

    python3 examples/python/push_env.py [--episodes 2]
"""

import argparse

import numpy as np

import stiction
from stiction import obstacles, shapes

try:
    from gymnasium import Env, spaces
except ImportError:
    Env, spaces = object, None

SIZE, TICK, FASTEST = 0.1, 0.02, 0.5  # m, s, m/s


def build():
    scene = stiction.Scene()
    scene.add_material("rubber", young="1 MPa", poisson=0.3, density=1000)
    scene.add_body("block", shapes.box(size_x=SIZE, size_y=SIZE, size_z=SIZE, edge=SIZE),
                   translate=[0, 0, SIZE / 2 + 1e-4])
    scene.add_obstacle("floor", obstacles.half_space(), material="wood")
    scene.add_obstacle("wall", obstacles.box(size_x=0.02, size_y=0.3, size_z=0.3),
                       translate=[-SIZE / 2 - 0.02, 0, 0.15], material="wood")
    scene.add_friction(["rubber", "wood"], 0.3)
    scene.set_time(step="10 ms")
    return scene


class PushEnv(Env):
    """Action: the wall's velocity along x, −1 … 1 of the fastest. Observation: place and velocity
    of the block, place of the wall, the goal."""

    metadata: dict = {"render_modes": []}

    def __init__(self, goal=0.1, ticks=40):
        self.goal, self.ticks = goal, ticks
        self.simulation = stiction.Simulation(build())
        if spaces:
            self.action_space = spaces.Box(-1, 1, (1,))
            self.observation_space = spaces.Box(-np.inf, np.inf, (4,))

    def observe(self):
        body = self.simulation.report.bodies["block"]
        wall = self.simulation.pose("wall").translation[0]
        return np.array([body.centre[0], body.velocity[0], wall, self.goal], dtype=np.float32)

    def reset(self, *, seed=None, options=None):
        self.simulation.reset()
        self.random = np.random.default_rng(seed)
        self.simulation.parameters["friction.block|floor.static"] = self.random.uniform(0.2, 0.4)
        self.tick = 0
        return self.observe(), {}

    def step(self, action):
        speed = FASTEST * float(np.clip(np.ravel(action)[0], -1, 1))
        self.simulation.move("wall", [speed, 0, 0])
        self.simulation.step(TICK)
        self.tick += 1
        seen = self.observe()
        away = abs(float(seen[0]) - self.goal)
        return seen, -away, away < 0.005 and abs(seen[1]) < 0.02, self.tick >= self.ticks, {}

    def close(self):
        self.simulation.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=2)
    given = parser.parse_args()
    env = PushEnv()
    for episode in range(given.episodes):
        seen, _ = env.reset(seed=episode)
        total, done, late = 0.0, False, False
        while not (done or late):
            # The slower the closer: the block stays in touch with the wall.
            seen, reward, done, late, _ = env.step([20 * (seen[3] - seen[0])])
            total += reward
        print(f"episode {episode}: block at {1000 * seen[0]:.1f} mm, return {total:.2f}, "
              f"{'reached' if done else 'out of time'}")
    env.close()


if __name__ == "__main__":
    main()
