"""A bridge to OpenSpiel, if ``open_spiel`` is installed.

``load("connect_four")`` makes any sequential two-player zero-sum game of perfect information a game
of this package, named ``openspiel-connect-four``: every search runs on it, it meets players in
matches, and it is an oracle for rules of one's own. Its rules are C++ behind Python, so it is slow
here; ``meet`` lets one of our players play against a bot of OpenSpiel.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any


from . import _monteverde
from .own import register

SIDES = ("first", "second")
OTHER_SIDE = {"first": "second", "second": "first"}

# What was loaded, by our names.
_LOADED = {}


def load(name: str) -> _monteverde.Game:
    """The OpenSpiel game of that name, with parameters if you like: ``"breakthrough(rows=6)"``."""
    import pyspiel

    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise ValueError(f"OpenSpiel does not load '{name}': {error}") from error
    kind = game.get_type()
    wanted = {
        "two players": game.num_players() == 2,
        "perfect information": kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION,
        "moves one after another": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
        "a sum of zero": kind.utility == pyspiel.GameType.Utility.ZERO_SUM,
        "chance whose outcomes are listed": kind.chance_mode
        != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    }
    missing = [words for words, holds in wanted.items() if not holds]
    if missing:
        raise ValueError(f"'{name}' cannot be loaded: a game is needed that has {', '.join(missing)}")
    chance = kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    cls = _rules(game, chance)
    letters = (letter if letter.isalnum() else "-" for letter in name.lower())
    own = "openspiel-" + "".join(letters).strip("-")
    register(cls, own)
    _LOADED[own] = name
    return _monteverde.game(own)


def _rules(spiel, has_chance):
    """The class of a game: its states hold those of OpenSpiel."""

    class Rules:
        source = str(spiel)  # what the class is, beside its own source

        def __init__(self, text="start", state=None, side="first"):
            self.state, self.side = state, side
            if state is not None:
                return
            self.state = spiel.new_initial_state()
            actions = [] if text == "start" else text.split(",")
            for action in actions:
                known = {str(number): number for number in self._actions()}
                if action not in known:
                    raise ValueError(
                        f"'{text}' is no line of play of {spiel.get_type().short_name}: "
                        "'start', or the numbers of its actions separated by commas, is accepted"
                    )
                self._take(known[action])

        def _actions(self):
            if self.state.is_terminal():
                return []
            if self.state.is_chance_node():
                return [action for action, _ in self.state.chance_outcomes()]
            return self.state.legal_actions()

        def _take(self, action):
            """Goes on by an action, and knows whose turn it is then; while chance decides, whose it was."""
            mover = self.turn()
            self.state.apply_action(action)
            player = self.state.current_player()
            if player >= 0:
                self.side = SIDES[player]
            else:
                self.side = OTHER_SIDE[mover] if self.state.is_terminal() else mover

        def _after(self, word):
            after = Rules(state=self.state.clone(), side=self.side)
            after._take(_words(self.state)[word])
            return after

        def turn(self):
            player = self.state.current_player()
            return SIDES[player] if player >= 0 else self.side

        def moves(self):
            return [] if self.state.is_terminal() or self.state.is_chance_node() else list(_words(self.state))

        def play(self, move):
            return self._after(move)

        def outcome(self):
            if not self.state.is_terminal():
                return None
            first = self.state.returns()[0]
            return "draw" if first == 0 else "first" if first > 0 else "second"

        def text(self):
            return ",".join(map(str, self.state.history())) or "start"

        def picture(self):
            return str(self.state)

    if has_chance:

        def events(self):
            if not self.state.is_chance_node():
                return []
            shares = dict(self.state.chance_outcomes())
            whole = 2**20
            return [
                (word, max(1, round(shares[action] * whole)))
                for word, action in _words(self.state).items()
            ]

        Rules.events = events
        Rules.settle = Rules._after
    Rules.__name__ = Rules.__qualname__ = "OpenSpiel" + spiel.get_type().short_name
    return Rules


def meet(
    player: _monteverde.Player,
    bot: Callable[[Any, int], Any],
    *,
    games: int,
    iterations: int,
    seed: int = 1,
) -> dict[str, int]:
    """Lets a Player of a loaded game meet a bot of OpenSpiel, each first in every other game.

    ``bot`` is a function that makes a bot for the OpenSpiel game and a seed. Gives the games won,
    drawn and lost by the player.
    """
    import pyspiel

    name = player.game.name
    spiel_name = _loaded_name(player)
    counts = {"win": 0, "draw": 0, "loss": 0}
    rng = random.Random(seed)
    for number in range(games):
        spiel = pyspiel.load_game(spiel_name)
        own_side = number % 2
        other = bot(spiel, seed + number)
        one = player.replace(seed=seed + number)
        ours, theirs = _monteverde.game(name).state(), spiel.new_initial_state()
        while not ours.is_over:
            if ours.is_pending:
                events, weights = zip(*ours.events())
                word = rng.choices(events, weights)[0]
                ours.settle(word)
            elif ours.turn == SIDES[own_side]:
                word = one.search(ours, iterations=iterations).best
                ours.play(word)
            else:
                action = other.step(theirs)
                word = next(word for word, known in _words(theirs).items() if known == action)
                ours.play(word)
            theirs.apply_action(_words(theirs)[word])
        value = ours.returns[own_side]
        counts["win" if value > 0 else "draw" if value == 0 else "loss"] += 1
    return counts


def _loaded_name(player):
    found = _LOADED.get(player.game.name)
    if found is None:
        raise ValueError(f"{player.game.name} was not loaded from OpenSpiel; load(\"...\") does that")
    return found


def _words(state):
    """The actions of a state by their words, which have no blanks in them."""
    chance = state.is_chance_node()
    actions = [action for action, _ in state.chance_outcomes()] if chance else state.legal_actions()
    player, words = state.current_player(), {}
    for action in actions:
        word = "_".join(state.action_to_string(player, action).split())
        words[word if word and word not in words else str(action)] = action
    return words
