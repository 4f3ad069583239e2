"""How fast the package is, as ratios in one run: python speed.py [PLAYOUTS].

Random playouts through the methods of Python's states beside OpenSpiel's; what a search call costs
beyond its iterations; feature batches. Times are of the processor, so that other work on the
machine counts little. Needs a wheel of the release profile and open_spiel. Ends with an error where
a bound is missed.
"""

import random
import sys
import time

import pyspiel

import monteverde as mv

PAIRS = [("chess", "chess"), ("loa", "lines_of_action"), ("banqi", "banqi")]
TIMES = 3  # what OpenSpiel takes is at least so many times as long
MOST_MICROSECONDS = 50
LEAST_POSITIONS = 2_000_000


def ours(game, rng):
    """By the numbers of moves."""
    state, plies, random = game.state(), 0, rng.random
    while True:
        count = state.move_count
        if count:
            state.play_at(int(random() * count))
            plies += 1
        elif state.is_pending:
            state.settle(seed=rng.getrandbits(63))
        else:
            return plies


def by_lists(game, rng):
    """By lists of moves, as OpenSpiel does it; where chance decides next there are none."""
    state, plies, random = game.state(), 0, rng.random
    while not state.is_over:
        codes = state.codes()
        if codes:
            state.play(codes[int(random() * len(codes))])
            plies += 1
        else:
            state.settle(seed=rng.getrandbits(63))
    return plies


def theirs(game, rng):
    state, plies, random = game.new_initial_state(), 0, rng.random
    while not state.is_terminal():
        if state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(actions, shares)[0])
        else:
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            plies += 1
    return plies


def played(play, game, count):
    """Seconds and plies of so many playouts."""
    rng = random.Random(1)
    start = time.process_time()
    plies = sum(play(game, rng) for _ in range(count))
    return time.process_time() - start, plies


def playouts(count):
    """For each game how much longer OpenSpiel takes for so many playouts, the least of all ways."""
    ratios = []
    for name, other in PAIRS:
        game, spiel = mv.game(name), pyspiel.load_game(other)
        seconds, plies = {}, {}
        for way, play, rules in (("numbers", ours, game), ("lists", by_lists, game), ("OpenSpiel", theirs, spiel)):
            played(play, rules, 2)
            seconds[way], plies[way] = played(play, rules, count)
        a_ply = {way: 1e6 * seconds[way] / plies[way] for way in seconds}
        for way in seconds:
            print(f"{name}: {count} playouts by {way} in {seconds[way]:.2f} s, {a_ply[way]:.2f} us a ply "
                  f"({plies[way] / count:.0f} plies)")
        for way in ("numbers", "lists"):
            whole, one = seconds["OpenSpiel"] / seconds[way], a_ply["OpenSpiel"] / a_ply[way]
            print(f"{name}: by {way} {whole:.1f} times OpenSpiel a playout, {one:.1f} times a ply")
            ratios.append(whole)
    return ratios


def overhead():
    """Microseconds of a search call beyond its iterations, by the line through two lengths."""
    costs = []
    for name, _ in PAIRS:
        player, state = mv.player(name), mv.game(name).state()

        def a_call(iterations, times=400):
            player.search(state, iterations=iterations)
            best = 1e9
            for _ in range(5):
                start = time.process_time()
                for _ in range(times):
                    player.search(state, iterations=iterations)
                best = min(best, (time.process_time() - start) / times)
            return best

        one, many = a_call(1), a_call(101, 40)
        cost = 1e6 * (one - (many - one) / 100)
        print(f"{name}: a call of 1 iteration {1e6 * one:.1f} us, of 101 {1e6 * many:.1f} us: {cost:.1f} us beyond them")
        costs.append(cost)
    return costs


def searches():
    """Iterations a second from the start of chess, one uniformly random playout each."""
    state, player = mv.game("chess").state(), mv.player("chess", "mcc")
    player.search(state, iterations=100)
    start = time.process_time()
    player.search(state, iterations=2000)
    own = 2000 / (time.process_time() - start)
    spiel = pyspiel.load_game("chess")
    bot = pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 200, 100, False, 1, False)
    start = time.process_time()
    bot.step(spiel.new_initial_state())
    other = 200 / (time.process_time() - start)
    print(f"search: {own:.0f} iterations a second, OpenSpiel's bot in C++ {other:.0f}: {own / other:.0f} times")


def positions():
    """Positions of chess a second through `features`."""
    rng = random.Random(2)
    state, states = mv.game("chess").state(), []
    while len(states) < 16384:
        state.play(rng.choice(state.codes()))
        states.append(state.copy())
        if state.is_over:
            state = mv.game("chess").state()
    best = 0
    for _ in range(20):
        start = time.process_time()
        mv.features(states)
        best = max(best, len(states) / (time.process_time() - start))
    print(f"features: {best / 1e6:.2f} million positions a second")
    return best


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    missed = []
    if min(playouts(count)) < TIMES:
        missed.append(f"playouts are not {TIMES} times as fast as OpenSpiel's")
    if max(overhead()) > MOST_MICROSECONDS:
        missed.append(f"a search call costs more than {MOST_MICROSECONDS} us")
    searches()
    if positions() < LEAST_POSITIONS:
        missed.append(f"fewer than {LEAST_POSITIONS} positions a second")
    sys.exit("; ".join(missed) or 0)


if __name__ == "__main__":
    main()
