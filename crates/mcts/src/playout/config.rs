//! The settings of playouts as plain data.

use monteverde_game::{Greed, Ties};

/// How playouts go. The default is uniformly random moves to the end of the game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Playouts {
    /// Which moves are played.
    pub strategy: Strategy,
    /// Whether winning moves are looked for first.
    pub decisive: Decisive,
    /// Whether a playout ends where the oracle knows the result.
    pub tables: Tables,
    /// Ends a playout where knowledge guesses the outcome.
    pub verdict: Option<Verdict>,
    /// Ends a playout whose eval is decided.
    pub cutoff: Option<Cutoff>,
    /// A playout of so many plies ends as a draw (*Monte-Carlo Tree Search Solver*, section 3.1:
    /// 200 moves).
    pub most_plies: Option<u32>,
    /// Whether a playout ends where a state occurs again.
    pub repetition: Repetition,
    /// Ends a playout after some plies with the expectation of the state reached.
    pub truncate: Option<Truncate>,
    /// A drawn playout is discarded and repeated until so many have been played in all (*Monte
    /// Carlo Chess*, section 5.1.1: six); only the last may count as a draw.
    pub redraw: Option<u32>,
}

/// Which moves a playout plays.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Strategy {
    /// Each legal move with equal probability.
    #[default]
    Uniform,
    /// First a piece, then one of its moves, see [`monteverde_game::Game::sample_by_piece`].
    ByPiece,
    /// The move that looks best, or a random one.
    Greedy(Heavy),
    /// Each move in proportion to [`monteverde_game::Knowledge::weight`] (*Monte-Carlo Tree Search
    /// Solver*, section 3.1, where it is the transition probability of the move's category).
    Categories,
    /// Corrective moves, then those of a small search.
    Mixed(Mixed),
    /// Each move that rules of thumb leave with equal probability, see
    /// [`monteverde_game::PlayoutKnowledge::sample_filtered`].
    Filtered,
}

impl Strategy {
    /// The search that chooses its moves, if one does.
    pub(super) fn search(self) -> Option<AlphaBeta> {
        match self {
            Strategy::Mixed(Mixed { then: Then::AlphaBeta(alphabeta), .. }) => Some(alphabeta),
            _ => None,
        }
    }

    /// How it samples moves in the tree, as the first ply of a playout.
    pub(super) fn in_tree(self) -> Strategy {
        match self {
            Strategy::Mixed(mixed) if mixed.tree == TreeMoves::Corrective => {
                Strategy::Mixed(Mixed { corrective: 1, ..mixed })
            }
            strategy => strategy,
        }
    }
}

/// What a playout makes of a state that has occurred before, in it, in the tree or in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repetition {
    /// What the game's own playouts make of it; those of chess do without.
    #[default]
    ByGame,
    /// The first repetition draws, as engines have it in their search. Which one *Monte Carlo
    /// Chess* had follows from the engine that it was built on, and is not printed. In games that
    /// do not count [`monteverde_game::Game::occurrences`] it changes nothing.
    First,
}

/// Epsilon-greedy playouts (*Monte Carlo Chess*, section 4.2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Heavy {
    /// By what the best move is found.
    pub greed: Greed,
    /// The probability of a uniformly random move, in 0..=1. With 1 the playouts are uniform ones,
    /// with 0 and [`Ties::First`] they are not random at all.
    pub epsilon: f64,
}

/// The mixed strategy of Winands and Björnsson (*αβ-based Play-outs in Monte-Carlo Tree Search*,
/// sections III-B and IV; *Monte Carlo Chess*, section 2.2.6): corrective moves for some plies,
/// then those of a small search. The papers end it by a [`Cutoff`] that looks at every ply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mixed {
    /// How many plies are corrective; in Lines of Action it is one, or none where each turn is
    /// searched.
    pub corrective: u32,
    /// How moves are sampled in the tree.
    pub tree: TreeMoves,
    /// The weight of a corrective move after which the eval is lower than before. The papers say
    /// "close to zero".
    pub least_weight: f32,
    /// By how much a corrective move must raise the eval to be twice as likely as one of the same
    /// [`monteverde_game::Knowledge::weight`] that keeps it. Ours: *Monte Carlo Chess* speaks of a
    /// probability according to the eval and prints no formula. `None`: by the weight alone, as in
    /// Lines of Action.
    pub spread: Option<f32>,
    /// Every eval is off by a random whole number of points, at most so many either way: "a small
    /// random factor in the evaluation function preventing games from being repeated" (*αβ-based
    /// Play-outs in Monte-Carlo Tree Search*, section V-B), whose size is not printed.
    pub noise: Option<u32>,
    /// What follows the corrective plies.
    pub then: Then,
}

impl Default for Mixed {
    /// One corrective ply as in Lines of Action; a hundredth is our "close to zero", and a spread
    /// of 100 is a pawn in chess.
    fn default() -> Self {
        let then = Then::Greedy(Greedy { considered: None, ties: Ties::First });
        let tree = TreeMoves::AsFirstPly;
        Mixed { corrective: 1, tree, least_weight: 0.01, spread: Some(100.0), noise: None, then }
    }
}

/// How [`Mixed`] samples moves in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeMoves {
    /// As it plays the first ply of a playout.
    AsFirstPly,
    /// By the corrective strategy, whatever playouts do: "if the node has been visited fewer times
    /// than this threshold, the next move is selected according to the Corrective strategy"
    /// (*αβ-based Play-outs in Monte-Carlo Tree Search*, section III-B), while the search of
    /// section IV is called on each turn of a playout.
    Corrective,
}

/// What follows the corrective plies of [`Mixed`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Then {
    /// The move that leads to the highest eval.
    Greedy(Greedy),
    /// The move that a small search finds.
    AlphaBeta(AlphaBeta),
}

/// The greedy strategy (*αβ-based Play-outs in Monte-Carlo Tree Search*, section III-B).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Greedy {
    /// Only so many moves, those with the highest weight, are evaluated; the others are looked at
    /// for an immediate win. `None`: all moves are evaluated.
    pub considered: Option<u32>,
    /// Which of equally good moves is played: the one with the higher weight where only some are
    /// considered.
    pub ties: Ties,
}

/// The selective search of two plies (*αβ-based Play-outs in Monte-Carlo Tree Search*, section IV,
/// Figure 3), or of more. Its window is that of the [`Cutoff`]; without one it is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlphaBeta {
    /// How many moves of the playout's state are searched, at least 1.
    pub width: u32,
    /// How many replies to each are evaluated, at least 1. A search of more plies tries as many
    /// moves at each ply below the first: the paper speaks of such searches (section VI) and does
    /// not print their widths.
    pub replies: u32,
    /// How many plies are searched, at least 2.
    pub plies: u32,
    /// Whether killers come first.
    pub killers: Killers,
    /// Where moves beyond the widths are looked at for an immediate win.
    pub look: Look,
}

impl Default for AlphaBeta {
    /// As in the paper.
    fn default() -> Self {
        AlphaBeta { width: 7, replies: 5, plies: 2, killers: Killers::On, look: Look::Root }
    }
}

/// Whether the search of a playout tries killers before other moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Killers {
    /// The last two moves that were best, or caused a cutoff, at that level of the playout.
    On,
    /// Moves come by their weight alone. The paper has its player slower by 10% then (section IV).
    Off,
}

/// Where moves that are not searched are looked at for an immediate win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Nowhere.
    Nowhere,
    /// Among the moves of the playout's state.
    Root,
    /// Among the replies to them, too, and at every ply below.
    Everywhere,
}

/// Whether playouts look for winning moves (Teytaud and Teytaud 2010; *Monte Carlo Chess*, sections
/// 2.2.5 and 4.2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decisive {
    /// No.
    #[default]
    Off,
    /// A move that wins at once is played.
    Wins,
    /// Also, a move after which the opponent can win at once is only played where there is no
    /// other.
    Anti,
}

/// Whether playouts ask the oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tables {
    /// No.
    #[default]
    Ignore,
    /// In every state, unless [`monteverde_game::Oracle::is_useful_at`] says that it is of no use
    /// in this search.
    Probe,
}

/// A playout ends where [`monteverde_game::Knowledge::verdict`] speaks (the study of Chinese dark
/// chess, section 3.1), unless it does so at the root already.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Verdict {
    /// The probability that a guessed win counts as a loss and a guessed loss as a win, in 0..=1:
    /// 0 but to see what wrong guesses do (Figure 5 there).
    pub error: f64,
}

/// A playout ends when the eval passes a threshold, as a win of the side that it speaks for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cutoff {
    /// The eval that decides, in the unit of the game's evaluation.
    pub threshold: f32,
    /// The eval is asked for after every so many plies; 0 is taken as 1.
    pub every: u32,
    /// What becomes of it where the eval of the root is beyond the threshold already.
    pub decided_root: DecidedRoot,
}

impl Default for Cutoff {
    /// As in *Monte-Carlo Tree Search Solver*, section 3.1: 1,000 points, every three plies.
    fn default() -> Self {
        Cutoff { threshold: 1000.0, every: 3, decided_root: DecidedRoot::CutsOff }
    }
}

/// What a [`Cutoff`] does in a search whose root is beyond its threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DecidedRoot {
    /// Playouts end there as elsewhere, so that all but the moves that throw the lead away look
    /// alike. In Lines of Action such a lead is soon a connection.
    #[default]
    CutsOff,
    /// Playouts go on to the end of the game. In chess such a lead is far from a mate, and has to
    /// be turned into one.
    PlaysOn,
}

/// A playout ends after some plies, and its reward is the expectation of the state reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truncate {
    /// The plies; with 0 nothing is played.
    pub plies: u32,
}

/// How the moves are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pace {
    /// By the game's own loop.
    Plain,
    /// By the loop of knowledge, if it has one.
    Weighted,
    /// Move by move.
    Stepwise,
}

impl Playouts {
    /// How the moves are made, as far as the oracle is not asked.
    pub(super) fn pace(&self) -> Pace {
        let interferes = self.decisive != Decisive::Off
            || self.cutoff.is_some()
            || self.most_plies.is_some()
            || self.repetition == Repetition::First
            || self.truncate.is_some();
        match self.strategy {
            _ if interferes => Pace::Stepwise,
            Strategy::Categories => Pace::Weighted,
            Strategy::Uniform if self.verdict.is_none() => Pace::Plain,
            Strategy::Greedy(heavy) if self.verdict.is_none() && heavy.epsilon >= 1.0 => {
                Pace::Plain
            }
            _ => Pace::Stepwise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the tree samples by has a corrective first ply, and what playouts go by stays.
    #[test]
    fn the_tree_may_be_corrective_where_playouts_are_not() {
        let then = Then::AlphaBeta(AlphaBeta::default());
        let searched = Mixed { corrective: 0, then, ..Mixed::default() };
        let strategy = Strategy::Mixed(searched);
        assert_eq!(strategy.in_tree(), strategy);
        let both = Strategy::Mixed(Mixed { tree: TreeMoves::Corrective, ..searched });
        let Strategy::Mixed(in_tree) = both.in_tree() else { panic!("it stays mixed") };
        assert_eq!((in_tree.corrective, in_tree.then), (1, then));
        assert_eq!(Strategy::Uniform.in_tree(), Strategy::Uniform);
    }
}
