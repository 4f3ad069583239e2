"""The speed of plain UCT in Lines of Action or Chinese dark chess beside OpenSpiel's (pip: open_spiel), in one run.

    open_spiel.py BINARY [loa|banqi [ITERATIONS [ROUNDS]]]

Both search the start of the game by OpenSpiel's rules with one uniformly random playout an iteration: OpenSpiel by its
C++ `MCTSBot`, this project by `monteverde search --player uct`. The rounds alternate, and what counts is processor time,
so that load changes both alike; our start-up is counted against us. Our playouts of Lines of Action do without
repetitions, which makes them longer than OpenSpiel's. Prints iterations a second of both, and their ratio.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time

import pyspiel

# By game: OpenSpiel's name of it, and the start by its rules.
GAMES = {
    "loa": ("lines_of_action",
            "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b simultaneous=mover,repetition=2,nomove=loss"),
    "banqi": ("banqi(max_no_progress=40)",
              "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 repetition=off"),
}
# Theirs is v + c sqrt(ln n / n_i) with v in -1..1; ours w + c sqrt(2 ln n / n_i) with w in 0..1 and c = 1.
UCT_C = 2 * 2**0.5
MEMORY_MB = 1024
ITERATIONS = 2000
ROUNDS = 5


def main() -> int:
    name = sys.argv[2] if len(sys.argv) > 2 else "loa"
    if not 2 <= len(sys.argv) <= 5 or name not in GAMES:
        print("usage: open_spiel.py BINARY [loa|banqi [ITERATIONS [ROUNDS]]]", file=sys.stderr)
        return 2
    binary = os.path.abspath(sys.argv[1])
    iterations = int(sys.argv[3]) if len(sys.argv) > 3 else ITERATIONS
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else ROUNDS
    game = pyspiel.load_game(GAMES[name][0])
    theirs, ours = [], []
    for seed in range(1, rounds + 1):
        theirs.append(iterations / open_spiel_seconds(game, iterations, seed))
        ours.append(iterations / our_seconds(binary, name, iterations, seed))
        print(f"round {seed}: OpenSpiel {theirs[-1]:,.0f}, ours {ours[-1]:,.0f} iterations a second", flush=True)
    ratio = statistics.median(our / their for our, their in zip(ours, theirs))
    print(f"{iterations} iterations, median of {rounds} rounds: OpenSpiel {statistics.median(theirs):,.0f}, "
          f"ours {statistics.median(ours):,.0f} iterations a second of processor time; ratio {ratio:.1f}")
    return 0


def open_spiel_seconds(game, iterations: int, seed: int) -> float:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, iterations, MEMORY_MB, False, seed, False)
    began = time.process_time()
    root = bot.mcts_search(game.new_initial_state())
    spent = time.process_time() - began
    # The search counts a visit of the root for every iteration.
    assert root.explore_count == iterations, root.explore_count
    return spent


def our_seconds(binary: str, name: str, iterations: int, seed: int) -> float:
    command = [binary, "search", "--game", name, "--player", "uct", "--state", GAMES[name][1], "--json",
               "--iterations", str(iterations), "--seed", str(seed)]
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert found["iterations"] == iterations, found["iterations"]
    return ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime


if __name__ == "__main__":
    sys.exit(main())
