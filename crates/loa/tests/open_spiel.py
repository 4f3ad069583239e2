"""Random games beside OpenSpiel's `lines_of_action` (pip: open_spiel), move by move.

    cargo run --release -p monteverde-games --example games -- loa 1000 1 simultaneous=mover,repetition=2,nomove=loss |
        python3 crates/loa/tests/open_spiel.py

In every state the legal moves must be the same, and so must be whether the game is over and who has won. Prints what
was compared and ends with a status other than 0 at the first difference.
"""

import collections
import sys

import pyspiel

RETURNS = {"first": [1.0, -1.0], "second": [-1.0, 1.0], "draw": [0.0, 0.0]}


def main():
    game = pyspiel.load_game("lines_of_action")
    state = game.new_initial_state()
    plies = moves = 0
    endings = collections.Counter()
    for number, line in enumerate(sys.stdin, 1):
        words = line.split()
        if words[0] == "over":
            if not state.is_terminal() or state.returns() != RETURNS[words[1]]:
                sys.exit(f"line {number}: {line.strip()}, but OpenSpiel has {state.returns()} in\n{state}")
            endings[" ".join(words[1:])] += 1
            state = game.new_initial_state()
            continue
        split = words.index(">")
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        if sorted(words[:split]) != sorted(actions):
            sys.exit(f"line {number}: {line.strip()}, but OpenSpiel has {sorted(actions)} in\n{state}")
        state.apply_action(actions[words[split + 1]])
        plies += 1
        moves += len(actions)
    print(f"{sum(endings.values())} games, {plies} states with {moves} legal moves agree; endings: {dict(endings)}")


main()
