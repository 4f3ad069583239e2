//! What a search has found, as the lines that interfaces read.
//!
//! - `depth` is the mean depth at which iterations left the tree, rounded, and `seldepth` the
//!   greatest; for a player that searches by alpha-beta the depth that it has finished;
//! - `nodes` are iterations of this search, so that `nps` is `nodes` over `time`; visits kept from
//!   earlier searches are not counted;
//! - `score` and `wdl` come from the mean of the rewards alone, see [`centipawns`] and [`wdl`],
//!   unless the result is proven: `score mate` counts moves to the win, and a result that Syzygy
//!   files know is 20,000 centipawns; a search by alpha-beta has a value in centipawns of its own
//!   where its game counts in pawns;
//! - `hashfull` is the part of the tree's memory that is in use.

use monteverde_game::report::{Report, RootMove};
use monteverde_game::{Game, Proof};
use monteverde_players::{AnyGame, AnyState, AnyStep};

/// How reports are written; fixed when a search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InfoStyle {
    /// How many of the best moves have a line each.
    pub multi_pv: usize,
    /// Whether scores come with shares of wins, draws and losses.
    pub show_wdl: bool,
}

/// The `info` lines of a report on `state`: one for each of the best moves, the chosen one first,
/// then the most visited. Moves without a visit have no line, except the chosen one.
pub fn info_lines(report: &Report<AnyState>, state: &AnyState, style: InfoStyle) -> Vec<String> {
    let Some(best) = report.best else { return Vec::new() };
    let game = state.game();
    let lines = InfoLines { report, state, style };
    let first = match report.best_move() {
        Some(found) => lines.line(1, MoveValue::of(found, game), &found.pv),
        None => {
            lines.line(1, MoveValue { mean: 0.0, centipawns: None, proof: Proof::Open }, &[best])
        }
    };
    let others = report.moves.iter().filter(|found| found.mv != best && found.visits > 0);
    let others = others.zip(2..=style.multi_pv);
    let others =
        others.map(|(found, rank)| lines.line(rank, MoveValue::of(found, game), &found.pv));
    std::iter::once(first).chain(others).collect()
}

/// The `bestmove` line: the chosen move and the reply to expect, if the search knows one.
///
/// # Panics
/// If the chosen move or the reply is not legal: that would be a mistake of the search.
pub fn best_move_line(best: Option<AnyStep>, pv: &[AnyStep], state: &AnyState) -> String {
    let Some(best) = best else { return "bestmove (none)".to_owned() };
    let mut line = format!("bestmove {}", checked_text(state, best));
    if let [_, reply, ..] = *pv {
        let mut after = state.clone();
        after.play(best);
        line += &format!(" ponder {}", checked_text(&after, reply));
    }
    line
}

fn checked_text(state: &AnyState, mv: AnyStep) -> String {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    assert!(moves.contains(&mv), "{mv:?} is not legal in '{}'", state.state_text());
    state.engine_text(mv)
}

/// The value of a mean in -1..1 on the scale of pawns: the advantage at which a player whose rating
/// is higher by as many points would score that mean. A pawn is 100 points; so 64 of 100 games are
/// worth a pawn. Monotone, odd, and never beyond 2400.
pub fn centipawns(mean: f64) -> i32 {
    /// Scores nearer to 0 or 1 than this count as this near.
    const EDGE: f64 = 1e-6;
    /// The points of the rating scale at which the odds are ten to one.
    const TENFOLD: f64 = 400.0;
    let score = ((mean + 1.0) / 2.0).clamp(EDGE, 1.0 - EDGE);
    (TENFOLD * (score / (1.0 - score)).log10()).round() as i32
}

/// Shares of wins, draws and losses in thousandths, which add up to 1000: as if the two half points
/// of the game were won independently, each with probability (1 + mean) / 2. So wins less losses
/// are the mean.
pub fn wdl(mean: f64) -> [u32; 3] {
    let half_point = ((mean + 1.0) / 2.0).clamp(0.0, 1.0);
    let thousandths = |share: f64| (share * 1000.0).round() as u32;
    let (wins, losses) = (thousandths(half_point.powi(2)), thousandths((1.0 - half_point).powi(2)));
    [wins, 1000 - wins - losses, losses]
}

/// The centipawns of a win that is certain, nobody knows when: more than any other eval.
const CERTAIN: i32 = 20_000;

/// What a move is worth to the side that plays it.
#[derive(Clone, Copy)]
struct MoveValue {
    mean: f64,
    /// What a search without rewards says.
    centipawns: Option<i32>,
    proof: Proof,
}

impl MoveValue {
    fn of(found: &RootMove<AnyState>, game: AnyGame) -> MoveValue {
        let centipawns = found.eval.and_then(|eval| game.centipawns(eval));
        MoveValue { mean: found.mean, centipawns, proof: found.proof }
    }

    fn score(self) -> String {
        let moves = |plies: u16| plies.div_ceil(2);
        match self.proof {
            Proof::Win(Proof::FAR..) => format!("cp {CERTAIN}"),
            Proof::Loss(Proof::FAR..) => format!("cp -{CERTAIN}"),
            Proof::Open => {
                format!("cp {}", self.centipawns.unwrap_or_else(|| centipawns(self.mean)))
            }
            Proof::Draw => "cp 0".to_owned(),
            Proof::Win(plies) => format!("mate {}", moves(plies)),
            Proof::Loss(plies) => format!("mate -{}", moves(plies)),
        }
    }

    fn wdl(self) -> [u32; 3] {
        match self.proof {
            Proof::Open => wdl(self.mean),
            Proof::Draw => [0, 1000, 0],
            Proof::Win(_) => [1000, 0, 0],
            Proof::Loss(_) => [0, 0, 1000],
        }
    }
}

/// What the lines of one report have in common.
struct InfoLines<'a> {
    report: &'a Report<AnyState>,
    state: &'a AnyState,
    style: InfoStyle,
}

impl InfoLines<'_> {
    /// The line of the `rank`-th best move, with which `pv` begins.
    fn line(&self, rank: usize, value: MoveValue, pv: &[AnyStep]) -> String {
        let figures = &self.report.figures;
        let depth = (figures.depth.round() as u32).max(1);
        let mut line = format!(
            "info depth {depth} seldepth {} multipv {rank} score {}",
            figures.deepest.max(depth),
            value.score()
        );
        if self.style.show_wdl {
            let [wins, draws, losses] = value.wdl();
            line += &format!(" wdl {wins} {draws} {losses}");
        }
        line += &format!(
            " nodes {} nps {} hashfull {} time {} pv",
            figures.iterations,
            self.report.per_second() as u64,
            (self.report.fullness * 1000.0) as u32,
            figures.elapsed.as_millis()
        );
        let mut state = self.state.clone();
        for &mv in pv {
            line.push(' ');
            line += &state.engine_text(mv);
            state.play(mv);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::limit::{Limit, NoClock, Signal};
    use monteverde_game::report::Control;
    use monteverde_games::games;
    use monteverde_players::Spec;
    use std::time::Duration;

    #[test]
    fn centipawns_are_monotone_odd_and_bounded() {
        assert_eq!(centipawns(0.0), 0);
        assert_eq!(centipawns(0.28), 100);
        assert_eq!((centipawns(1.0), centipawns(-1.0)), (2400, -2400));
        let means = || (-1000..=1000).map(|n| f64::from(n) / 1000.0);
        assert!(means().map(centipawns).is_sorted());
        assert!(means().all(|mean| centipawns(mean) == -centipawns(-mean)));
    }

    #[test]
    fn shares_add_up_and_differ_by_the_mean() {
        for n in -1000..=1000 {
            let [wins, draws, losses] = wdl(f64::from(n) / 1000.0);
            assert_eq!(wins + draws + losses, 1000);
            assert!((wins as i32 - losses as i32 - n).abs() <= 1, "mean {n}");
        }
        assert_eq!(wdl(0.0), [250, 500, 250]);
        assert_eq!(wdl(1.0), [1000, 0, 0]);
    }

    #[test]
    fn proofs_are_scores_in_moves() {
        let score = |proof| MoveValue { mean: 0.5, centipawns: None, proof }.score();
        assert_eq!(score(Proof::Win(1)), "mate 1");
        assert_eq!(score(Proof::Win(3)), "mate 2");
        assert_eq!(score(Proof::Loss(2)), "mate -1");
        assert_eq!(score(Proof::Loss(4)), "mate -2");
        assert_eq!(score(Proof::Win(Proof::FAR + 2)), "cp 20000");
        assert_eq!(score(Proof::Loss(Proof::FAR)), "cp -20000");
        assert_eq!(score(Proof::Draw), "cp 0");
        assert_eq!(score(Proof::Open), "cp 191");
    }

    fn report(text: &str, iterations: u64) -> (Report<AnyState>, AnyState) {
        let chess = games().game("chess").expect("a game of ours");
        let state = chess.read_state(text).expect("a state of the test");
        let spec = Spec::read(chess, "mcc:memory=4MiB").expect("a spec of the test");
        let (clock, signal) = (&NoClock, &Signal::default());
        let control = Control { clock, signal, every: Duration::MAX, observe: &mut |_| () };
        (spec.make(&state).think(&Limit::iterations(iterations), control), state)
    }

    #[test]
    fn each_of_the_best_moves_has_a_line_with_legal_moves() {
        let (report, state) = report("startpos", 3000);
        let lines = info_lines(&report, &state, InfoStyle { multi_pv: 5, show_wdl: true });
        assert_eq!(lines.len(), 5);
        for (line, rank) in lines.iter().zip(1..) {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(line.contains(&format!(" multipv {rank} score cp ")), "{line}");
            assert!(line.contains(" wdl ") && line.contains(" nodes 3000 nps "), "{line}");
            let pv = words.iter().position(|&word| word == "pv").expect("a pv") + 1;
            assert!(words.len() > pv, "{line}");
            let mut state = state.clone();
            for word in &words[pv..] {
                let mv = state.parse_move(word).expect("the pv is legal");
                state.play(mv);
            }
        }
        let first = info_lines(&report, &state, InfoStyle { multi_pv: 1, show_wdl: false });
        assert_eq!(first.len(), 1);
        assert!(!first[0].contains("wdl"));
        let best = best_move_line(report.best, &report.pv, &state);
        assert!(best.starts_with("bestmove ") && best.contains(" ponder "), "{best}");
    }

    #[test]
    fn without_iterations_the_line_has_the_first_move() {
        let (report, state) = report("7k/8/8/8/8/8/8/K5R1 w - - 0 1", 0);
        let lines = info_lines(&report, &state, InfoStyle { multi_pv: 3, show_wdl: false });
        assert_eq!(lines.len(), 1);
        assert!(
            lines[0].starts_with("info depth 1 seldepth 1 multipv 1 score cp 0 nodes 0 nps 0 ")
        );
    }

    #[test]
    fn where_there_is_no_move_there_is_none_to_play() {
        let (report, state) = report("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 10);
        assert_eq!(
            info_lines(&report, &state, InfoStyle { multi_pv: 1, show_wdl: false }).len(),
            0
        );
        assert_eq!(best_move_line(report.best, &report.pv, &state), "bestmove (none)");
    }
}
