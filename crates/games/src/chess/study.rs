//! The player of the king-and-rook study: its published program, rule by rule.
//!
//! What the program knows of a game is a [`Study`]: the board, the placements of the last plies,
//! how many were played, and by all that whether a line is over. The search is ours, over studies
//! instead of states of chess, with the three habits of that program as options of its
//! configuration (`walk=restarts`, `root=visited`, `tree-ties=random`). The rules of thumb are in
//! `monteverde_knowledge::chess::lone_king`.
//!
//! Where no side has a lone king there is no study, and the player searches chess.

mod history;
mod state;

use super::tables::ChessTables;
use monteverde_chess::{Chess, Move};
use monteverde_game::limit::Limit;
use monteverde_game::report::{Control, Report, RootMove};
use monteverde_game::{
    Game, Knowledge, Never, Oracle, Outcome, PlayoutKnowledge, Proof, Rng, Side,
};
use monteverde_knowledge::chess::ChessKnowledge;
use monteverde_mcts::Explore;
use monteverde_players::{PlayOne, Player, SearchWith, Searcher, Settings};
use state::{Start, Study};

/// By whose rules a player searches and takes a game for over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Rules {
    /// Those of chess.
    #[default]
    Chess,
    /// Those of the king-and-rook study's program, where one side has a lone king.
    Study,
}

/// Makes players and playouts of the study, or of chess where there is none.
#[derive(Clone)]
pub(super) struct StudySearcher {
    chess: SearchWith<ChessKnowledge, ChessTables>,
    study: SearchWith<StudyKnowledge<ChessKnowledge>, StudyKnowledge<ChessTables>>,
}

impl StudySearcher {
    pub(super) fn new(knowledge: ChessKnowledge, oracle: ChessTables) -> StudySearcher {
        let study = SearchWith {
            knowledge: StudyKnowledge(knowledge),
            oracle: StudyKnowledge(oracle.clone()),
        };
        StudySearcher { chess: SearchWith { knowledge, oracle }, study }
    }
}

/// What is known of chess, asked about boards of a study; and the study's own rules of thumb.
#[derive(Clone, Debug)]
struct StudyKnowledge<K>(K);

impl Knowledge<Study> for StudyKnowledge<ChessKnowledge> {
    fn prior(&self, state: &Study, mv: Move) -> Option<f32> {
        self.0.prior(&state.chess(), mv)
    }
    fn log_priors(&self, state: &Study, moves: &[Move], priors: &mut Vec<f32>) {
        self.0.log_priors(&state.chess(), moves, priors);
    }
    fn weight(&self, state: &Study, mv: Move) -> Option<f32> {
        self.0.weight(&state.chess(), mv)
    }
    fn weights(&self, state: &Study, moves: &[Move], weights: &mut Vec<f32>) {
        self.0.weights(&state.chess(), moves, weights);
    }
    fn eval(&self, state: &Study) -> Option<f32> {
        self.0.eval(&state.chess())
    }
    fn gain(&self, state: &Study, mv: Move) -> Option<f32> {
        self.0.gain(&state.chess(), mv)
    }
    fn expectation(&self, state: &Study) -> Option<f32> {
        self.0.expectation(&state.chess())
    }
    fn verdict(&self, state: &Study) -> Option<Outcome> {
        self.0.verdict(&state.chess())
    }
    fn quality(&self, state: &Study, winner: Side) -> Option<f32> {
        self.0.quality(&state.chess(), winner)
    }
}

impl PlayoutKnowledge<Study> for StudyKnowledge<ChessKnowledge> {
    #[inline(always)]
    fn sample_filtered(
        &self,
        state: &Study,
        _: &mut Vec<u64>,
        rng: &mut Rng,
    ) -> Result<Move, Outcome> {
        if let Some(outcome) = state.outcome() {
            return Err(outcome);
        }
        state.draw(rng).ok_or(Outcome::Win(state.turn().other()))
    }
    fn sample_past_end(&self, state: &Study, rng: &mut Rng) -> Option<Move> {
        state.draw(rng)
    }
}

impl Oracle<Study> for StudyKnowledge<ChessTables> {
    fn probe(&self, state: &Study) -> Proof {
        self.0.probe(&state.chess())
    }
    fn best_moves(&self, root: &Study) -> Option<Vec<Move>> {
        self.0.best_moves(&root.chess())
    }
    fn is_useful_at(&self, root: &Study) -> bool {
        self.0.is_useful_at(&root.chess())
    }
}

impl Searcher<Chess> for StudySearcher {
    fn player(self: Box<Self>, settings: &Settings, state: Chess) -> Box<dyn Player<Chess>> {
        let game = Study::new(state.board(), Start::Counted);
        let search = StudySearch::new(&self, settings, &state);
        Box::new(StudyPlayer { searcher: *self, settings: settings.clone(), search, game, state })
    }

    fn playouts<'a>(&'a self, settings: &Settings, state: &Chess) -> Box<dyn PlayOne + 'a> {
        match Study::new(state.board(), Start::Forgotten) {
            None => self.chess.playouts(settings, state),
            Some(study) => self.study.playouts(settings, &study),
        }
    }

    fn priors(&self, state: &Chess, moves: &[Move]) -> Option<Vec<f32>> {
        self.chess.priors(state, moves)
    }

    fn probe(&self, state: &Chess) -> Proof {
        self.chess.probe(state)
    }
}

/// What is searched.
enum StudySearch {
    Chess(Box<dyn Player<Chess>>),
    Study(Box<dyn Player<Study>>),
}

impl StudySearch {
    fn new(searcher: &StudySearcher, settings: &Settings, state: &Chess) -> StudySearch {
        match Study::new(state.board(), Start::Forgotten) {
            None => {
                StudySearch::Chess(Box::new(searcher.chess.clone()).player(settings, state.clone()))
            }
            Some(study) => {
                StudySearch::Study(Box::new(searcher.study.clone()).player(settings, study))
            }
        }
    }
}

/// Searches studies, and tells of them in the moves of chess, which are the same.
struct StudyPlayer {
    searcher: StudySearcher,
    settings: Settings,
    search: StudySearch,
    /// The real game, by whose past it may be over.
    game: Option<Study>,
    state: Chess,
}

impl StudyPlayer {
    /// Goes to a state by the way that is given for either kind of search.
    fn go(
        &mut self,
        state: &Chess,
        chess: fn(&mut dyn Player<Chess>, &Chess),
        study: fn(&mut dyn Player<Study>, &Study),
    ) {
        self.state = state.clone();
        self.game = Study::new(state.board(), Start::Counted);
        match (&mut self.search, Study::new(state.board(), Start::Forgotten)) {
            (StudySearch::Chess(player), None) => chess(&mut **player, state),
            (StudySearch::Study(player), Some(begun)) => study(&mut **player, &begun),
            _ => self.search = StudySearch::new(&self.searcher, &self.settings, state),
        }
    }

    /// Thinks, and tells of it in the moves of chess.
    fn thought(
        &mut self,
        limit: &Limit<Move>,
        control: Control<'_, Chess>,
        look: &mut dyn FnMut(&dyn Explore),
        way: ThoughtStart,
    ) -> Report<Chess> {
        match &mut self.search {
            StudySearch::Chess(player) => think(&mut **player, limit, control, look, way),
            StudySearch::Study(player) => {
                let Control { clock, signal, every, observe } = control;
                let observe = &mut |report: &Report<Study>| observe(&in_chess(report));
                let control = Control { clock, signal, every, observe };
                in_chess(&think(&mut **player, limit, control, look, way))
            }
        }
    }
}

/// How a thought begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ThoughtStart {
    /// See [`Player::think_openly`].
    Openly,
    /// See [`Player::think_on`].
    On,
}

fn think<G: Game>(
    player: &mut dyn Player<G>,
    limit: &Limit<G::Move>,
    control: Control<'_, G>,
    look: &mut dyn FnMut(&dyn Explore),
    way: ThoughtStart,
) -> Report<G> {
    match way {
        ThoughtStart::Openly => player.think_openly(limit, control, look),
        ThoughtStart::On => player.think_on(limit, control, look),
    }
}

impl Player<Chess> for StudyPlayer {
    fn begin(&mut self, state: &Chess) {
        self.go(state, |player, state| player.begin(state), |player, state| player.begin(state));
    }
    fn jump(&mut self, state: &Chess) {
        self.go(state, |player, state| player.jump(state), |player, state| player.jump(state));
    }
    fn play(&mut self, mv: Move) {
        self.state.play(mv);
        if let Some(game) = &mut self.game {
            game.play(mv);
        }
        match &mut self.search {
            StudySearch::Chess(player) => player.play(mv),
            StudySearch::Study(player) => player.play(mv),
        }
    }
    fn settle(&mut self, event: Never) {
        match event {}
    }
    fn think(&mut self, limit: &Limit<Move>, control: Control<'_, Chess>) -> Report<Chess> {
        self.think_openly(limit, control, &mut |_| {})
    }
    fn think_openly(
        &mut self,
        limit: &Limit<Move>,
        control: Control<'_, Chess>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<Chess> {
        self.thought(limit, control, look, ThoughtStart::Openly)
    }
    fn think_on(
        &mut self,
        limit: &Limit<Move>,
        control: Control<'_, Chess>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<Chess> {
        self.thought(limit, control, look, ThoughtStart::On)
    }
    fn explore(&self, look: &mut dyn FnMut(&dyn Explore)) {
        match &self.search {
            StudySearch::Chess(player) => player.explore(look),
            StudySearch::Study(player) => player.explore(look),
        }
    }
    fn state(&self) -> &Chess {
        &self.state
    }
    fn outcome(&self) -> Option<Outcome> {
        match &self.game {
            Some(game) => game.game_outcome(),
            None => self.state.outcome(),
        }
    }
}

/// A report in the moves of chess.
fn in_chess(report: &Report<Study>) -> Report<Chess> {
    let root_move = |entry: &RootMove<Study>| RootMove {
        mv: entry.mv,
        visits: entry.visits,
        mean: entry.mean,
        eval: entry.eval,
        prior: entry.prior,
        policy: entry.policy,
        proof: entry.proof,
        bounds: entry.bounds,
        pv: entry.pv.clone(),
    };
    Report {
        best: report.best,
        moves: report.moves.iter().map(root_move).collect(),
        pv: report.pv.clone(),
        mean: report.mean,
        outlook: report.outlook,
        proof: report.proof,
        bounds: report.bounds,
        figures: report.figures,
        nodes: report.nodes,
        edges: report.edges,
        tree_bytes: report.tree_bytes,
        tree_limit: report.tree_limit,
        fullness: report.fullness,
    }
}

#[cfg(test)]
mod tests;
