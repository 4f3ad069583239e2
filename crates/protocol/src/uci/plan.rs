//! What a `go` asks for, as limits of a search.
//!
//! The search ends at the first limit that is reached; `infinite` and `ponder` decide when its
//! result may be told. Time is counted from the moment when the line was read.

use super::command::Go;
use super::options::Options;
use monteverde_game::limit::Limit;
use monteverde_game::{Game, NotationError};
use monteverde_players::{AnyState, AnyStep, Budget, ClockUse};
use std::time::Duration;

/// A search as it was asked for.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    /// The limits, except for time.
    pub limit: Limit<AnyStep>,
    /// How long it may take, from the beginning or, where it begins by pondering, from
    /// `ponderhit`.
    pub time: Option<Duration>,
    /// What has to happen before the result may be told.
    pub hold: ResultHold,
    /// A win within that many plies is enough.
    pub mate: Option<u32>,
    /// Whether only `stop` ends it once it is not, or no longer, pondering.
    pub endless: bool,
    /// Whether nothing but a proof ends it.
    pub until_proof: bool,
}

/// What a plan must know of the player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EngineDefaults {
    /// How it spends a game clock.
    pub clock_use: ClockUse,
}

/// The plies of an immediate win. While only `stop` ends the search, no other keeps it from looking
/// for a shorter one.
const SHORTEST: u32 = 1;

/// What has to happen before the result of a search may be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultHold {
    /// Nothing.
    Free,
    /// `stop`.
    UntilStop,
    /// `ponderhit` or `stop`.
    UntilPonderHit,
}

/// A forced move on a running clock gets so many iterations: enough to expect a reply.
const FORCED: u64 = 100;
/// The least time a search gets, however late it is.
const LEAST: Duration = Duration::from_millis(1);

impl SearchPlan {
    /// The plan for a `go` in a state, for a player with these defaults. An illegal move among
    /// those to search is an error.
    pub fn new(
        go: &Go,
        state: &AnyState,
        options: &Options,
        defaults: EngineDefaults,
    ) -> Result<SearchPlan, NotationError> {
        let parse = |text: &String| state.uci_move(text);
        let only = go.search_moves.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        let budget = own_clock(go, state, options.overhead);
        let clock = budget.map(|budget| budget.move_time(defaults.clock_use));
        let fixed = go.move_time.map(|time| time.saturating_sub(options.overhead).max(LEAST));
        // Whoever asks for more than a move wants the search whole.
        let is_whole = fixed.is_some() || go.mate.is_some() || go.infinite || options.analyse;
        let own = clock.map(|time| if is_whole { time.usual } else { time.most });
        let time = [own, fixed].into_iter().flatten().min();
        let mate = go.mate.map(plies);
        let forced = clock.is_some() && !options.analyse && has_one_move(state, &only);
        let limited = options.strength().map(|strength| strength.iterations);
        let iterations = [go.nodes, forced.then_some(FORCED), limited].into_iter().flatten().min();
        let is_limited = time.is_some() || go.depth.is_some() || go.nodes.is_some();
        let until_proof = mate.is_some() && !is_limited;
        let endless = go.infinite || !(is_limited || until_proof);
        let hold = match (go.ponder, endless) {
            (true, _) => ResultHold::UntilPonderHit,
            (false, true) => ResultHold::UntilStop,
            (false, false) => ResultHold::Free,
        };
        let near = mate.or(endless.then_some(SHORTEST));
        let clock = clock.filter(|_| !is_whole);
        let limit = Limit { iterations, clock, depth: go.depth, mate: near, only, ..Limit::none() };
        Ok(SearchPlan { limit, time, hold, mate, endless, until_proof })
    }
}

/// The plies of a mate in so many moves.
fn plies(moves: u32) -> u32 {
    moves.saturating_mul(2).saturating_sub(1)
}

/// The clock of the side to move, `None` if the game has none. Where an interface tells only the
/// other side's time, ours is taken to be the same.
fn own_clock(go: &Go, state: &AnyState, overhead: Duration) -> Option<Budget> {
    let letters = state.game().engine_sides();
    let is_white = letters.is_none_or(|letters| letters[state.turn() as usize] == 'w');
    let (own, other) = if is_white { (0, 1) } else { (1, 0) };
    let has_clock = go.moves_to_go.is_some()
        || go.time.iter().chain(&go.increment).any(|setting| setting.is_some());
    has_clock.then(|| Budget {
        remaining: go.time[own].or(go.time[other]).unwrap_or_default(),
        increment: go.increment[own].unwrap_or_default(),
        moves_to_go: go.moves_to_go,
        overhead,
    })
}

fn has_one_move(state: &AnyState, only: &[AnyStep]) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.retain(|mv| only.is_empty() || only.contains(mv));
    moves.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::Command;
    use monteverde_games::games;
    use monteverde_players::AnyGame;

    const FRACTION: u32 = 30;
    const DEFAULTS: EngineDefaults =
        EngineDefaults { clock_use: ClockUse { fraction: FRACTION, stretch: 1.0 } };

    fn chess() -> AnyGame {
        games().game("chess").expect("a game of ours")
    }

    fn plan_at(fen: &str, line: &str) -> SearchPlan {
        let state = chess().read_state(fen).expect("a FEN of the test");
        let Ok(Command::Go(go)) = line.parse() else { panic!("{line:?} is not a go") };
        SearchPlan::new(&go, &state, &Options::new(chess()), DEFAULTS).expect("legal moves")
    }

    fn plan(line: &str) -> SearchPlan {
        plan_at("startpos", line)
    }

    fn ms(ms: u64) -> Option<Duration> {
        Some(Duration::from_millis(ms))
    }

    /// What a clock gives the move, all in milliseconds.
    fn from_clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Option<Duration> {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        let overhead = Options::new(chess()).overhead;
        Some(Budget { remaining, increment, moves_to_go, overhead }.for_move(FRACTION))
    }

    #[test]
    fn the_own_clock_counts() {
        let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(plan("go wtime 30000 btime 1").time, from_clock(30_000, 0, None));
        assert_eq!(
            plan("go wtime 30000 btime 1 winc 110 binc 7").time,
            from_clock(30_000, 110, None)
        );
        assert_eq!(plan("go movestogo 2 wtime 2000").time, from_clock(2000, 0, Some(2)));
        assert_eq!(
            plan_at(black, "go wtime 1 btime 30000 winc 1").time,
            from_clock(30_000, 0, None)
        );
        assert_eq!(plan("go btime 30000").time, from_clock(30_000, 0, None));
        assert_eq!(plan("go wtime -20 btime 1000").time, from_clock(0, 0, None));
        assert_eq!(plan("go winc 1000").time, from_clock(0, 1000, None));
        assert_eq!(plan("go nodes 5").time, None);
    }

    /// In Lines of Action Black moves first.
    #[test]
    fn clocks_belong_to_colours() {
        let Ok(Command::Go(go)) = "go wtime 1 btime 30000 winc 1 binc 110".parse() else {
            panic!("a go")
        };
        let loa = games().game("loa").expect("a game of ours");
        let plan = SearchPlan::new(&go, &loa.start(), &Options::new(loa), DEFAULTS);
        assert_eq!(plan.expect("no moves").time, from_clock(30_000, 110, None));
    }

    #[test]
    fn a_fixed_time_is_less_the_overhead_and_the_lesser_time_counts() {
        assert_eq!(plan("go movetime 510").time, ms(500));
        assert_eq!(plan("go movetime 0").time, ms(1));
        assert_eq!(plan("go movetime 510 wtime 300000 btime 1").time, ms(500));
        let clock = plan("go movetime 99999999 wtime 30000 btime 1").time;
        assert_eq!(clock, from_clock(30_000, 0, None));
    }

    /// A player's rules for its clock hold where nobody asks for more than a move.
    #[test]
    fn a_clock_may_be_left_early_or_stretched_in_a_game_alone() {
        let clock_use = ClockUse { fraction: FRACTION, stretch: 2.0 };
        let stretched = |line: &str| {
            let Ok(Command::Go(go)) = line.parse() else { panic!("{line:?} is not a go") };
            let defaults = EngineDefaults { clock_use };
            let plan = SearchPlan::new(&go, &chess().start(), &Options::new(chess()), defaults);
            plan.expect("no moves")
        };
        let usual = from_clock(30_000, 100, None);
        for line in ["go", "go ponder", "go nodes 1000000000"] {
            let plan = stretched(&format!("{line} wtime 30000 winc 100"));
            assert_eq!(plan.time, usual.map(|usual| 2 * usual), "{line}");
            assert_eq!(plan.limit.clock.map(|time| time.usual), usual, "{line}");
        }
        for line in ["go movetime 500000", "go infinite", "go mate 5"] {
            let plan = stretched(&format!("{line} wtime 30000 winc 100"));
            assert_eq!((plan.time, plan.limit.clock), (usual, None), "{line}");
        }
        assert_eq!(stretched("go movetime 510").limit.clock, None);
        assert_eq!(stretched("go nodes 5").limit.clock, None);
    }

    #[test]
    fn limits_are_combined() {
        let limit = plan("go nodes 7 depth 9 mate 3").limit;
        assert_eq!((limit.iterations, limit.depth, limit.mate), (Some(7), Some(9), Some(5)));
        assert_eq!(plan("go mate 3").mate, Some(5));
        assert_eq!(plan("go searchmoves e2e4 d2d4 nodes 1").limit.only.len(), 2);
    }

    #[test]
    fn a_mate_is_looked_for_until_it_is_decided_or_at_a_limit() {
        let mate = plan("go mate 3");
        assert_eq!((mate.limit.mate, mate.limit.depth), (Some(5), None));
        assert_eq!((mate.hold, mate.until_proof), (ResultHold::Free, true));
        assert!(!plan("go mate 3 nodes 100").until_proof);
        assert!(!plan("go mate 3 depth 100").until_proof);
        assert_eq!(plan("go infinite").limit.mate, Some(SHORTEST));
        assert_eq!(plan("go nodes 100").limit.mate, None);
    }

    #[test]
    fn results_are_held_back() {
        assert_eq!(plan("go nodes 5").hold, ResultHold::Free);
        assert_eq!(plan("go wtime 1 btime 1").hold, ResultHold::Free);
        assert_eq!(plan("go").hold, ResultHold::UntilStop);
        assert_eq!(plan("go searchmoves e2e4").hold, ResultHold::UntilStop);
        assert_eq!(plan("go infinite nodes 5").hold, ResultHold::UntilStop);
        let ponder = plan("go ponder wtime 30010 btime 1");
        assert_eq!((ponder.hold, ponder.endless), (ResultHold::UntilPonderHit, false));
        assert!(plan("go ponder").endless && plan("go ponder infinite nodes 3").endless);
    }

    #[test]
    fn a_forced_move_is_hardly_searched_on_a_clock() {
        let check = "7k/8/8/8/8/8/6qP/7K w - - 0 1";
        assert_eq!(plan_at(check, "go wtime 1000 btime 1000").limit.iterations, Some(FORCED));
        assert_eq!(plan_at(check, "go nodes 5 wtime 1000").limit.iterations, Some(5));
        assert_eq!(plan_at(check, "go movetime 1000").limit.iterations, None);
        assert_eq!(plan_at(check, "go infinite").limit.iterations, None);
        assert_eq!(plan("go wtime 1000 btime 1000").limit.iterations, None);
        let only = plan("go wtime 1000 btime 1000 searchmoves e2e4");
        assert_eq!(only.limit.iterations, Some(FORCED));
    }

    #[test]
    fn an_illegal_move_to_search_is_an_error() {
        let Ok(Command::Go(go)) = "go searchmoves e2e5".parse() else { panic!("a go") };
        let error = SearchPlan::new(&go, &chess().start(), &Options::new(chess()), DEFAULTS);
        assert!(error.is_err_and(|error| error.to_string().starts_with("'e2e5' is not legal")));
    }
}
