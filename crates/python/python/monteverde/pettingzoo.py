"""PettingZoo environments of the games, if ``pettingzoo`` is installed.

``env("chess")``, ``env("loa")`` and ``env("banqi")`` are AEC environments of two agents, "player_0",
who moves first, and "player_1". An action is the policy output of a legal move (see ``monteverde.features``), an observation
the active inputs as zeros and ones, seen from the side to move, with the mask of the legal actions.
Chance is drawn by the environment's own seed.
"""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from . import _monteverde

AGENTS = ("player_0", "player_1")
OF_SIDE = {"first": AGENTS[0], "second": AGENTS[1]}


def env(game: str | _monteverde.Game, render_mode: str | None = None) -> GameEnv:
    """The environment of a game that has features."""
    return GameEnv(game, render_mode)


class GameEnv(AECEnv):
    """A game as an environment; ``state_of_game`` is the state itself."""

    metadata = {"render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, game, render_mode=None):
        super().__init__()
        self.game = game if isinstance(game, _monteverde.Game) else _monteverde.game(game)
        said = self.game.features
        if said is None:
            raise ValueError(f"{self.game.name} has no features, so it has no environment")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"'{render_mode}' is no render mode; None, 'ansi' and 'svg' are accepted")
        self.metadata = {**self.metadata, "name": f"monteverde_{self.game.name}_v1"}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._inputs, self._outputs = said["inputs"], said["outputs"]
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self._inputs,), np.int8),
                "action_mask": spaces.Box(0, 1, (self._outputs,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self._outputs) for agent in AGENTS}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        """A new game, from ``options["state"]`` if that is given."""
        self._rng = np.random.default_rng(seed)
        self.state_of_game = self.game.state((options or {}).get("state", "startpos"))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._settle()

    def step(self, action):
        """Plays the legal move whose policy output is the action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = np.flatnonzero(self._legal == action)
        if len(legal) != 1:
            raise ValueError(f"the action {action} is none of the action mask")
        self._cumulative_rewards[agent] = 0
        self.state_of_game.play(self.state_of_game.codes()[legal[0]])
        self._settle()
        self._accumulate_rewards()

    def _settle(self):
        """Lets chance decide, and looks at what has come of it."""
        state = self.state_of_game
        while state.is_pending:
            state.settle(seed=int(self._rng.integers(2**63)))
        over = state.is_over
        seen = _monteverde.features([state], moves=True)
        self._active = seen["inputs"]
        self._legal = seen["legal"][:0] if over else seen["legal"]
        self.terminations = dict.fromkeys(AGENTS, over)
        self.rewards = dict(zip(AGENTS, state.returns)) if over else dict.fromkeys(AGENTS, 0)
        self.agent_selection = OF_SIDE[state.turn]

    def observe(self, agent):
        observation = np.zeros(self._inputs, np.int8)
        observation[self._active] = 1
        mask = np.zeros(self._outputs, np.int8)
        if agent == self.agent_selection:
            mask[self._legal] = 1
        return {"observation": observation, "action_mask": mask}

    def render(self):
        if self.render_mode == "ansi":
            return self.state_of_game.picture()
        return self.state_of_game._repr_svg_() if self.render_mode == "svg" else None

    def close(self):
        pass
