"""PettingZoo's own test, and games of OpenSpiel."""

import pyspiel
import pytest
from pettingzoo.test import api_test, seed_test

import monteverde as mv
from monteverde import openspiel, pettingzoo


@pytest.mark.parametrize("name", ["chess", "loa", "banqi"])
def test_environments_pass_pettingzoos_test(name):
    api_test(pettingzoo.env(name), num_cycles=300)
    seed_test(lambda: pettingzoo.env(name), num_cycles=50)


def test_an_environment_plays_a_whole_game(rng):
    env = pettingzoo.env("banqi", render_mode="ansi")
    env.reset(seed=3)
    total = {"player_0": 0, "player_1": 0}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        over = terminated or truncated
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if over else int(rng.choice(list(legal))))
    assert total["player_0"] == -total["player_1"] == env.state_of_game.returns[0]
    assert env.render() == env.state_of_game.picture()
    env.reset(seed=3)
    with pytest.raises(ValueError, match="action mask"):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmin()))
    with pytest.raises(ValueError, match="no features"):
        pettingzoo.env("tic-tac-toe")
    with pytest.raises(ValueError, match="render mode"):
        pettingzoo.env("chess", render_mode="film")


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough(rows=5,columns=4)", "pig"])
def test_a_game_of_openspiel_conforms(name):
    game = openspiel.load(name)
    mv.conformance(game.name, games=4)
    found = mv.player(game).search(game.state(), iterations=50)
    assert found.best in game.state().moves() if not game.state().is_pending else True


def test_openspiel_is_an_oracle_for_our_own_rules():
    """Our tic-tac-toe and OpenSpiel's have the same number of lines."""
    theirs, ours = openspiel.load("tic_tac_toe"), mv.game("tic-tac-toe")
    for depth in range(6):
        assert theirs.state().perft(depth) == ours.state().perft(depth)


def test_openspiel_is_an_opponent():
    from open_spiel.python.bots.uniform_random import UniformRandomBot
    import numpy

    class Random:
        """The bot for both sides, since it is bound to one."""

        def __init__(self, seed):
            self.rng = numpy.random.RandomState(seed)

        def step(self, state):
            return UniformRandomBot(state.current_player(), self.rng).step(state)

    game = openspiel.load("connect_four")
    counts = openspiel.meet(
        mv.player(game, "uct:solver=wins"), lambda spiel, seed: Random(seed), games=4, iterations=100
    )
    assert sum(counts.values()) == 4 and counts["win"] >= 3
    with pytest.raises(ValueError, match="not loaded from OpenSpiel"):
        openspiel.meet(mv.player("chess"), lambda spiel, seed: Random(seed), games=1, iterations=10)


def test_games_that_do_not_fit_are_refused():
    for name, says in [
        ("nothing", "does not load"),
        ("kuhn_poker", "perfect information"),
        ("catch", "two players"),
        ("matching_pennies_3p", "two players"),
    ]:
        with pytest.raises(ValueError, match=says):
            openspiel.load(name)
    assert "connect_four" in pyspiel.registered_names()
