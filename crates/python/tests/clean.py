"""Tries the package where nothing else is installed: run by check.sh in another version of Python."""

import pickle
import sys

import monteverde as mv

for name in mv.games():
    state = mv.game(name).state()
    result = mv.player(name).search(state, iterations=50)
    assert result.best in state.moves(), name
    assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()
    session = mv.player(name).session(state)
    session.play(result.best)
    assert session.state.history == [result.best]
network = mv.Network.random("chess")
assert len(pickle.loads(pickle.dumps(network)).evaluate(mv.game("chess").state())["policy"]) == 20
match = mv.match("uct", "uct:c=0.5", game="tic-tac-toe", games=2, iterations=20)
assert match.count == 2
for absent in ("pandas", "matplotlib", "pettingzoo", "pyspiel"):
    assert absent not in sys.modules
try:
    result.frame()
except ImportError as error:
    assert "pandas" in str(error)
else:
    raise AssertionError("this environment was to be clean")
print(f"the wheel works in Python {sys.version.split()[0]} without other packages")
