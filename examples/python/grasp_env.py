#!/usr/bin/env python3
"""Grasps for reinforcement learning: many environments at once, in the manner of Gymnasium's vector
environments. Gymnasium is not needed; where it is installed, this is one of its own. Steps of all
environments run in threads, for the library works without Python's lock.

    python3 examples/python/grasp_env.py [--envs 4] [--episodes 1]
"""

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import stiction
from grasps import FASTEST, FORCE, LIFT, SIZE, TICK, build

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    VectorEnv = object

SEEN = 4  # numbers of an observation


class GraspVectorEnv(VectorEnv):
    """Actions: closing and lifting speed of the fingers, −1 … 1 of the fastest, (envs, 2).
    Observations: force of a finger (N), how far the fingers have closed and risen and the block has
    risen (m), (envs, 4). The reward is how far the block rises in a tick, less what pressing costs.
    An episode ends when the block is 2 cm up; friction is drawn anew for each. One that has ended
    begins again with the next step, whose action it ignores. A step that cannot be solved ends its
    episode, with the reason in the infos, and no other's."""

    def __init__(self, num_envs=4, *, ticks=100, workers=None, edge=0.025):
        self.num_envs, self.ticks = num_envs, ticks
        self.simulations = [stiction.Simulation(build(edge), threads=1) for _ in range(num_envs)]
        self.pool = ThreadPoolExecutor(workers or len(os.sched_getaffinity(0)))
        self.randoms = [np.random.default_rng() for _ in range(num_envs)]
        self.tick = np.zeros(num_envs, dtype=int)
        self.ended = np.zeros(num_envs, dtype=bool)
        if VectorEnv is not object:
            self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
            self.single_action_space = spaces.Box(-1, 1, (2,))
            self.single_observation_space = spaces.Box(-np.inf, np.inf, (SEEN,))
            self.action_space = batch_space(self.single_action_space, num_envs)
            self.observation_space = batch_space(self.single_observation_space, num_envs)

    def observe(self, index):
        simulation = self.simulations[index]
        report, finger = simulation.report, simulation.pose("left").translation
        pairs = report.pairs
        force = (pairs["block|left"].normal_force + pairs["block|right"].normal_force) / 2
        height = report.bodies["block"].centre[2] - SIZE / 2
        return np.array([force, finger[0], finger[2], height], dtype=np.float32)

    def begin(self, index):
        simulation = self.simulations[index]
        simulation.reset()
        simulation.parameters["friction.block|left.dynamic"] = friction = \
            self.randoms[index].uniform(0.4, 0.9)
        simulation.parameters["friction.block|right.dynamic"] = friction
        self.tick[index], self.ended[index] = 0, False
        return self.observe(index)

    def advance(self, index, action):
        """Observation, reward, terminated, truncated, and what went wrong."""
        if self.ended[index]:
            return self.begin(index), 0.0, False, False, None
        simulation, before = self.simulations[index], self.observe(index)
        closing, lifting = np.clip(action, -1, 1) * [FASTEST, LIFT]
        simulation.move("left", [closing, 0, lifting])
        simulation.move("right", [-closing, 0, lifting])
        error = None
        try:
            simulation.step(TICK)
        except stiction.NotSolved as failure:
            error = str(failure)
        self.tick[index] += 1
        seen = self.observe(index)
        reward = float(100 * (seen[3] - before[3]) - 0.001 * seen[0])
        return seen, reward, error is not None or bool(seen[3] > 0.02), \
            bool(self.tick[index] >= self.ticks), error

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.randoms = [np.random.default_rng(one)
                            for one in np.random.SeedSequence(seed).spawn(self.num_envs)]
        return np.stack(list(self.pool.map(self.begin, range(self.num_envs)))), {}

    def step(self, actions):
        found = self.pool.map(self.advance, range(self.num_envs), np.asarray(actions, dtype=float))
        seen, rewards, terminated, truncated, errors = zip(*found)
        terminated, truncated = np.array(terminated), np.array(truncated)
        self.ended = terminated | truncated
        infos = {"error": np.array(errors, dtype=object)} if any(errors) else {}
        return np.stack(seen), np.array(rewards), terminated, truncated, infos

    def close(self, **_):
        self.pool.shutdown()
        for simulation in self.simulations:
            simulation.close()


def policy(seen):
    """Closes until the force is there, then lifts and keeps the force."""
    force, _, risen, _ = seen.T
    closing = np.where(force > 0, 0.1 * (FORCE - force), 0.5)
    return np.stack([closing, (force > 0.95 * FORCE) | (risen > 0)], axis=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--envs", type=int, default=4)
    parser.add_argument("--episodes", type=int, default=1, help="of each environment")
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    envs = GraspVectorEnv(given.envs, workers=given.workers)
    seen, _ = envs.reset(seed=1)
    returns, done, lifted = np.zeros(given.envs), np.zeros(given.envs, dtype=int), 0
    while done.min() < given.episodes:
        seen, rewards, terminated, truncated, infos = envs.step(policy(seen))
        returns += rewards
        done += terminated | truncated
        lifted += np.count_nonzero(terminated)
        for error in filter(None, infos.get("error", [])):
            print(error)
    print(f"{done.sum()} episodes, {lifted} lifted the block, mean return {returns.mean():.4f}")
    envs.close()


if __name__ == "__main__":
    main()
