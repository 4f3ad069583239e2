//! What a player does with the rest of its limit once the root is proven: a proof says that a win
//! is forced, not that it is the soonest. An exact search looks for a shorter one, two plies deeper
//! at a time, and by turns with it the tree below what is proven, until the length is known to be
//! the least or the limit is over.
//!
//! What it finds is not in the tree. So the player keeps its word: after its own move and any reply
//! it first looks for the win that it has announced, which takes no more nodes than before.

use monteverde_game::limit::{Clock, Limit, Signal};
use monteverde_game::report::{Report, RootMove};
use monteverde_game::{Game, Oracle, Proof, Side};
use monteverde_minimax::forced::{Answer, Budget, ForcedWins, Question};

/// The tree is searched so little where the win is known already: for a report.
const BRIEF: u64 = 64;

/// The nodes of the exact search's first turn, and the iterations of the tree's; each later one is
/// twice as long.
pub(crate) const FIRST_SHARE: u64 = 1_000;

/// A win in so many plies is the soonest: a search ends with one only after every move of the root
/// has been tried, so that a win at once would have been seen.
const SEEN: u16 = 3;

/// Finds shorter ways.
pub(crate) struct Shortener<G: Game> {
    wins: ForcedWins<G>,
    /// What is known of the present root.
    known: Option<KnownWin<G::Move>>,
    /// Nodes of the present search.
    nodes: u64,
}

/// A forced win.
struct KnownWin<M> {
    winner: Side,
    /// From the present root.
    plies: u16,
    way: WinSource<M>,
}

/// How a win is known.
enum WinSource<M> {
    /// From a search before the last moves: to be looked for again.
    Announced,
    /// The tree has proven it.
    InTree(Length),
    /// An exact search has found it, and no sooner one: both sides' best moves.
    Line(Vec<M>),
}

/// What is known of the length of a win that the tree has proven.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// There is no sooner one.
    Least,
    /// There may be one.
    Any,
}

impl<M> KnownWin<M> {
    fn is_least(&self) -> bool {
        matches!(self.way, WinSource::InTree(Length::Least) | WinSource::Line(_))
    }
}

impl<G: Game> Default for Shortener<G> {
    fn default() -> Self {
        Shortener { wins: ForcedWins::default(), known: None, nodes: 0 }
    }
}

impl<G: Game> Shortener<G> {
    /// A side plays a move at the root. The winner must play the one that wins; whatever the other
    /// side plays loses. What the tree has proven it still knows.
    pub(crate) fn play(&mut self, turn: Side, mv: G::Move) {
        self.wins.forget();
        let holds = |known: &KnownWin<G::Move>| match &known.way {
            WinSource::InTree(_) => false,
            WinSource::Announced => known.winner != turn,
            WinSource::Line(line) => known.winner != turn || line.first() == Some(&mv),
        };
        self.known = self.known.take().filter(|known| known.plies > 1 && holds(known));
        if let Some(known) = &mut self.known {
            (known.plies, known.way) = (known.plies - 1, WinSource::Announced);
        }
    }

    /// Chance settles the root, which wins whatever it decides.
    pub(crate) fn settle(&mut self) {
        self.wins.forget();
        if let Some(known) = &mut self.known {
            known.way = WinSource::Announced;
        }
    }

    /// Before the tree is searched: looks for the win that was announced before the last moves.
    /// Gives what is left of the limit for the tree, which a proof of any length ends.
    pub(crate) fn keep_word(
        &mut self,
        state: &G,
        limit: &Limit<G::Move>,
        (oracle, clock, signal): (&dyn Oracle<G>, &dyn Clock, &Signal),
    ) -> Limit<G::Move> {
        self.nodes = 0;
        let is_due = |known: &&KnownWin<G::Move>| {
            matches!(known.way, WinSource::Announced) && known.winner == state.turn()
        };
        if let Some(&KnownWin { winner, plies, .. }) = self.known.as_ref().filter(is_due) {
            let nodes = left(limit, 0, 0).unwrap_or(u64::MAX);
            let question = Question { winner, plies, only: &limit.only, oracle };
            self.search(state, question, Budget { nodes, clock, signal });
        }
        let knows = matches!(self.known, Some(KnownWin { way: WinSource::Line(_), .. }));
        let less = |most: u64| match most.saturating_sub(self.nodes) {
            left if knows => left.min(BRIEF),
            left => left,
        };
        Limit {
            iterations: limit.iterations.map(less).or(knows.then_some(BRIEF)),
            nodes: limit.nodes.map(less),
            mate: None,
            ..limit.clone()
        }
    }

    /// After the tree was searched: looks for a shorter way for so many nodes, and says what the
    /// tree should do next for as many iterations. `None` where nothing is left to do.
    pub(crate) fn shorten(
        &mut self,
        state: &G,
        limit: &Limit<G::Move>,
        (oracle, clock, signal): (&dyn Oracle<G>, &dyn Clock, &Signal),
        (report, share): (&Report<G>, u64),
    ) -> Option<Limit<G::Move>> {
        let (winner, proven) = proven(state, report)?;
        // Tables know the least distance; what has happened before can only make it longer.
        let is_least = oracle.probe(state) == report.proof;
        self.note(winner, proven, if is_least { Length::Least } else { Length::Any });
        let only = if winner == state.turn() { limit.only.as_slice() } else { &[] };
        // A tree of some moves only is made anew by every search, so it gets no turn.
        let share = if limit.only.is_empty() { share } else { u64::MAX };
        let nodes = self.nodes_left(limit, report).min(share);
        let plies = self.improvable(limit).filter(|_| nodes > 0)? - 2;
        let question = Question { winner, plies, only, oracle };
        self.search(state, question, Budget { nodes, clock, signal });
        let plies = self.improvable(limit)?;
        let left = self.nodes_left(limit, report).min(share);
        let is_told = signal.is_stopped() || signal.is_due(clock.elapsed());
        let is_over = is_told || left == 0 || !limit.only.is_empty();
        (!is_over).then(|| Limit {
            iterations: Some(left),
            nodes: limit.nodes.map(|_| left),
            mate: Some(u32::from(plies) - 1),
            depth: None,
            ..limit.clone()
        })
    }

    /// The plies of what is known, if a shorter way is worth looking for.
    fn improvable(&self, limit: &Limit<G::Move>) -> Option<u16> {
        let is_enough = |plies: u16| limit.mate.is_some_and(|most| u32::from(plies) <= most);
        let known = self.known.as_ref().filter(|known| !known.is_least() && known.plies > SEEN)?;
        Some(known.plies).filter(|&plies| !is_enough(plies))
    }

    /// Puts what it has found and spent into a report. Says whether it has spent anything.
    pub(crate) fn complete(&self, turn: Side, report: &mut Report<G>) -> bool {
        self.tell(turn, report);
        report.figures.iterations += self.nodes;
        report.figures.nodes = report.figures.nodes.map(|nodes| nodes + self.nodes);
        self.nodes > 0
    }

    /// Takes note of what the tree has proven, unless an exact search knows better.
    fn note(&mut self, winner: Side, plies: u16, length: Length) {
        let is_as_good = |known: &KnownWin<G::Move>| match known.way {
            WinSource::Announced => false,
            WinSource::InTree(_) => known.plies == plies && length == Length::Any,
            WinSource::Line(_) => known.plies <= plies,
        };
        if !self.known.as_ref().is_some_and(is_as_good) {
            self.known = Some(KnownWin { winner, plies, way: WinSource::InTree(length) });
        }
    }

    /// How many nodes are left of the limit.
    fn nodes_left(&self, limit: &Limit<G::Move>, report: &Report<G>) -> u64 {
        let iterations = report.figures.iterations;
        let nodes = report.figures.nodes.unwrap_or(0);
        match left(limit, iterations + self.nodes, nodes + self.nodes) {
            Some(nodes) => nodes,
            // To a depth the tree has needed so much, and as much again is spent at most.
            None if limit.depth.is_some() && limit.time.is_none() => iterations,
            None => u64::MAX,
        }
    }

    /// Looks for a win within so many plies.
    fn search(&mut self, state: &G, question: Question<'_, G>, mut budget: Budget<'_>) {
        let (winner, before) = (question.winner, budget.nodes);
        match self.wins.search(state, question, &mut budget) {
            Answer::Won { plies, line } => {
                self.known = Some(KnownWin { winner, plies, way: WinSource::Line(line) });
            }
            Answer::Refuted => {
                if let Some(KnownWin { way: WinSource::InTree(length), .. }) = &mut self.known {
                    *length = Length::Least;
                }
            }
            Answer::Undecided => {}
        }
        self.nodes += before - budget.nodes;
    }

    /// Puts a line that was found into a report.
    fn tell(&self, turn: Side, report: &mut Report<G>) {
        let Some(KnownWin { winner, plies, way: WinSource::Line(line) }) = &self.known else {
            return;
        };
        let Some(&best) = line.first() else { return };
        let proof = if *winner == turn { Proof::Win(*plies) } else { Proof::Loss(*plies) };
        (report.proof, report.best) = (proof, Some(best));
        report.pv.clone_from(line);
        let is_best = |entry: &&mut RootMove<G>| entry.mv == best;
        if let Some(entry) = report.moves.iter_mut().find(is_best) {
            entry.proof = proof;
            entry.pv.clone_from(line);
        }
    }
}

/// Who wins by the report's proof, and in how many plies; `None` where that is not known.
fn proven<G: Game>(state: &G, report: &Report<G>) -> Option<(Side, u16)> {
    let plies = report.proof.plies().filter(|_| !state.is_pending())?;
    let is_won = matches!(report.proof, Proof::Win(_));
    Some((if is_won { state.turn() } else { state.turn().other() }, plies))
}

/// What is left of the limits that count, after so many iterations and nodes; `None` without any.
fn left<M>(limit: &Limit<M>, iterations: u64, nodes: u64) -> Option<u64> {
    let iterations = limit.iterations.map(|most| most.saturating_sub(iterations));
    let nodes = limit.nodes.map(|most| most.saturating_sub(nodes));
    [iterations, nodes].into_iter().flatten().min()
}
