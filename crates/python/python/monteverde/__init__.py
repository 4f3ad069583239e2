"""Monte-Carlo tree search in chess, Lines of Action and Chinese dark chess, and its laboratory.

>>> import monteverde as mv
>>> state = mv.game("loa").state()
>>> result = mv.player("loa", "best").search(state, iterations=1000)
>>> result.best in state.moves()
True
"""

from . import _monteverde, training
from ._monteverde import (
    Game,
    Network,
    Node,
    Player,
    Record,
    SearchResult,
    Session,
    State,
    Store,
    __version__,
    conformance,
    features,
    game,
    games,
    network,
    player,
)
from .experiments import Experiment, experiments
from .lab import MatchResult, SweepResult, TournamentResult, match, sweep, tournament
from .own import register

_monteverde._loaded_from(_monteverde.__file__)

__all__ = [
    "Experiment",
    "Game",
    "MatchResult",
    "Network",
    "Node",
    "Player",
    "Record",
    "SearchResult",
    "Session",
    "State",
    "Store",
    "SweepResult",
    "TournamentResult",
    "__version__",
    "conformance",
    "experiments",
    "features",
    "game",
    "games",
    "match",
    "network",
    "player",
    "register",
    "sweep",
    "tournament",
]
