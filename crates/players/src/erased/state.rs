//! A state of any game.

use super::{AnyGame, AnyStep, Erased, any, real, typed};
use crate::entry::Entry;
use crate::exact::{self, Check};
use crate::face::{BoardView, MoveView, SideView};
use monteverde_game::{
    Game, NoOracle, Notation, NotationError, Outcome, Playout, Rng, Side, perft,
};
use monteverde_minimax::forced::{Answer, Budget, ForcedWins, Question};
use std::any::Any;
use std::fmt;

/// A state of any game.
pub struct AnyState(pub(super) Box<dyn ErasedState>);

impl AnyState {
    /// Its game.
    pub fn game(&self) -> AnyGame {
        self.0.game()
    }
    /// The state as [`AnyGame::parse_state`] reads it.
    pub fn state_text(&self) -> String {
        self.0.state_text()
    }
    /// A picture of the state for a terminal.
    pub fn picture(&self) -> String {
        self.0.picture()
    }
    /// Reads a legal move of this state.
    pub fn parse_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.0.parse_move(text)
    }
    /// A legal move of this state as [`AnyState::parse_move`] reads it.
    pub fn move_text(&self, mv: AnyStep) -> String {
        self.0.move_text(mv)
    }
    /// A legal move as engine protocols write it.
    pub fn engine_text(&self, mv: AnyStep) -> String {
        self.0.engine_text(mv)
    }
    /// Reads a legal move as the Universal Chess Interface writes it.
    pub fn uci_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.0.uci_move(text)
    }
    /// Whether a line of play may go on from this state to the other, so far as notation goes.
    pub fn is_written_like(&self, other: &AnyState) -> bool {
        self.0.is_written_like(other)
    }
    /// Reads an event of this pending state.
    pub fn parse_event(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.0.parse_event(text)
    }
    /// An event as [`AnyState::parse_event`] reads it.
    pub fn event_text(&self, event: AnyStep) -> String {
        self.0.event_text(event)
    }
    /// What an event of this pending state shows, in words; `None` where its text says it.
    pub fn event_name(&self, event: AnyStep) -> Option<String> {
        self.0.event_name(event)
    }
    /// How people write a legal move.
    pub fn label(&self, mv: AnyStep) -> String {
        self.0.label(mv)
    }
    /// What people call the first and the second side here, and their colours.
    pub fn sides(&self) -> [SideView; 2] {
        self.0.sides()
    }
    /// The state as a board.
    pub fn board(&self) -> Option<BoardView> {
        self.0.board()
    }
    /// What a legal move looks like on that board.
    pub fn move_view(&self, mv: AnyStep) -> MoveView {
        self.0.move_view(mv)
    }
    /// The numbers of the state that its game counts, in the order of [`AnyGame::gauges`].
    pub fn gauges(&self) -> Vec<u32> {
        self.0.gauges()
    }
    /// The paths of so many steps by their first step, see [`perft::divide`].
    pub fn divide(&self, depth: u32, counted: &mut dyn FnMut(usize, usize)) -> Vec<(String, u64)> {
        self.0.divide(depth, counted)
    }
    /// Does some work on the state with its type, which the caller must know.
    pub fn downcast<G: Game>(&self) -> Option<&G> {
        self.0.state().downcast_ref()
    }
    /// Whether `mv` wins by force within so many plies, by an exact search.
    pub fn exact_win(&self, mv: AnyStep, plies: u16, most_nodes: u64) -> Check {
        self.0.exact_win(mv, plies, most_nodes)
    }
    /// Whether the side to move wins by force within so many plies, by one of these moves or, if
    /// there are none, by any; see [`ForcedWins`](monteverde_minimax::forced::ForcedWins).
    pub fn forced_win(
        &self,
        plies: u16,
        only: &[AnyStep],
        budget: &mut Budget<'_>,
    ) -> Answer<AnyStep> {
        self.0.forced_win(plies, only, budget)
    }
}

/// The erased form of a state.
pub(super) trait ErasedState: Send + Sync {
    fn duplicate(&self) -> Box<dyn ErasedState>;
    fn state(&self) -> &dyn Any;
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn game(&self) -> AnyGame;
    fn turn(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn ending(&self) -> Option<&'static str>;
    fn moves(&self, buffer: &mut Vec<AnyStep>);
    fn play(&mut self, mv: AnyStep);
    fn key(&self) -> u64;
    fn recomputed_key(&self) -> u64;
    fn is_pending(&self) -> bool;
    fn events(&self, buffer: &mut Vec<(AnyStep, u32)>);
    fn event_weight(&self) -> u32;
    fn settle(&mut self, event: AnyStep);
    fn sample(&self, rng: &mut Rng) -> Result<AnyStep, Outcome>;
    fn sample_event(&self, rng: &mut Rng) -> AnyStep;
    fn sample_by_piece(&self, rng: &mut Rng) -> Result<AnyStep, Outcome>;
    fn playout(&mut self, rng: &mut Rng) -> Playout;
    fn playout_outcome(&self) -> Option<Outcome>;
    fn advance(&mut self, mv: AnyStep);
    fn is_legal_at_a_glance(&self, mv: AnyStep) -> Option<bool>;
    fn winning_move(&self) -> Option<AnyStep>;
    fn is_drawn_by_history(&self) -> bool;
    fn plies_left(&self) -> u32;
    fn reversible_plies(&self) -> Option<u32>;
    fn may_be_drawn_by_repetition(&self) -> bool;
    fn perft(&self, depth: u32) -> u64;
    fn divide(&self, depth: u32, counted: &mut dyn FnMut(usize, usize)) -> Vec<(String, u64)>;
    fn state_text(&self) -> String;
    fn picture(&self) -> String;
    fn parse_move(&self, text: &str) -> Result<AnyStep, NotationError>;
    fn move_text(&self, mv: AnyStep) -> String;
    fn engine_text(&self, mv: AnyStep) -> String;
    fn uci_move(&self, text: &str) -> Result<AnyStep, NotationError>;
    fn is_written_like(&self, other: &AnyState) -> bool;
    fn parse_event(&self, text: &str) -> Result<AnyStep, NotationError>;
    fn event_text(&self, event: AnyStep) -> String;
    fn event_name(&self, event: AnyStep) -> Option<String>;
    fn label(&self, mv: AnyStep) -> String;
    fn sides(&self) -> [SideView; 2];
    fn board(&self) -> Option<BoardView>;
    fn move_view(&self, mv: AnyStep) -> MoveView;
    fn gauges(&self) -> Vec<u32>;
    fn exact_win(&self, mv: AnyStep, plies: u16, most_nodes: u64) -> Check;
    fn forced_win(&self, plies: u16, only: &[AnyStep], budget: &mut Budget<'_>) -> Answer<AnyStep>;
}

/// A state with its type and its game.
pub(super) struct Typed<E: Entry> {
    game: &'static Erased<E>,
    state: E::Game,
}

impl<E: Entry> Typed<E> {
    pub(super) fn any(game: &'static Erased<E>, state: E::Game) -> AnyState {
        AnyState(Box::new(Typed { game, state }))
    }
}

impl<E: Entry> ErasedState for Typed<E> {
    fn duplicate(&self) -> Box<dyn ErasedState> {
        Box::new(Typed { game: self.game, state: self.state.clone() })
    }
    fn state(&self) -> &dyn Any {
        &self.state
    }
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.state, f)
    }
    fn game(&self) -> AnyGame {
        AnyGame(self.game)
    }
    fn turn(&self) -> Side {
        self.state.turn()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }
    fn ending(&self) -> Option<&'static str> {
        self.state.ending()
    }
    fn moves(&self, buffer: &mut Vec<AnyStep>) {
        /// Room for most lists, so that they do not grow step by step.
        const ROOM: usize = 64;
        let mut moves = Vec::with_capacity(ROOM);
        self.state.moves(&mut moves);
        buffer.extend(moves.into_iter().map(any));
    }
    fn play(&mut self, mv: AnyStep) {
        self.state.play(real(mv));
    }
    fn key(&self) -> u64 {
        self.state.key()
    }
    fn recomputed_key(&self) -> u64 {
        self.state.recomputed_key()
    }
    fn is_pending(&self) -> bool {
        self.state.is_pending()
    }
    fn events(&self, buffer: &mut Vec<(AnyStep, u32)>) {
        let mut events = Vec::new();
        self.state.events(&mut events);
        buffer.extend(events.into_iter().map(|(event, weight)| (any(event), weight)));
    }
    fn event_weight(&self) -> u32 {
        self.state.event_weight()
    }
    fn settle(&mut self, event: AnyStep) {
        self.state.settle(real(event));
    }
    fn sample(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.state.sample(rng).map(any)
    }
    fn sample_event(&self, rng: &mut Rng) -> AnyStep {
        any(self.state.sample_event(rng))
    }
    fn sample_by_piece(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.state.sample_by_piece(rng).map(any)
    }
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        self.state.playout(rng)
    }
    fn playout_outcome(&self) -> Option<Outcome> {
        self.state.playout_outcome()
    }
    fn advance(&mut self, mv: AnyStep) {
        self.state.advance(real(mv));
    }
    fn is_legal_at_a_glance(&self, mv: AnyStep) -> Option<bool> {
        self.state.is_legal_at_a_glance(real(mv))
    }
    fn winning_move(&self) -> Option<AnyStep> {
        self.state.winning_move(&mut Vec::new()).map(any)
    }
    fn is_drawn_by_history(&self) -> bool {
        self.state.is_drawn_by_history()
    }
    fn plies_left(&self) -> u32 {
        self.state.plies_left()
    }
    fn reversible_plies(&self) -> Option<u32> {
        self.state.reversible_plies()
    }
    fn may_be_drawn_by_repetition(&self) -> bool {
        self.state.may_be_drawn_by_repetition()
    }
    fn perft(&self, depth: u32) -> u64 {
        self.state.perft(depth)
    }
    fn divide(&self, depth: u32, counted: &mut dyn FnMut(usize, usize)) -> Vec<(String, u64)> {
        perft::divide(&self.state, depth, counted)
    }
    fn state_text(&self) -> String {
        self.state.state_text()
    }
    fn picture(&self) -> String {
        self.state.picture()
    }
    fn parse_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.state.parse_move(text).map(any)
    }
    fn move_text(&self, mv: AnyStep) -> String {
        self.state.move_text(real(mv))
    }
    fn engine_text(&self, mv: AnyStep) -> String {
        self.state.engine_text(real(mv))
    }
    fn uci_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.game.entry.uci_move(&self.state, text).map(any)
    }
    fn is_written_like(&self, other: &AnyState) -> bool {
        self.game.entry.is_written_like(&self.state, typed(other))
    }
    fn parse_event(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.state.parse_event(text).map(any)
    }
    fn event_text(&self, event: AnyStep) -> String {
        self.state.event_text(real(event))
    }
    fn label(&self, mv: AnyStep) -> String {
        self.game.entry.label(&self.state, real(mv))
    }
    fn event_name(&self, event: AnyStep) -> Option<String> {
        self.game.entry.event_name(real(event))
    }
    fn sides(&self) -> [SideView; 2] {
        self.game.entry.sides(&self.state)
    }
    fn board(&self) -> Option<BoardView> {
        self.game.entry.board(&self.state)
    }
    fn move_view(&self, mv: AnyStep) -> MoveView {
        self.game.entry.move_view(&self.state, real(mv))
    }
    fn gauges(&self) -> Vec<u32> {
        self.game.entry.gauges().iter().map(|gauge| (gauge.read)(&self.state)).collect()
    }
    fn exact_win(&self, mv: AnyStep, plies: u16, most_nodes: u64) -> Check {
        exact::check(&self.state, real(mv), plies, most_nodes)
    }
    fn forced_win(&self, plies: u16, only: &[AnyStep], budget: &mut Budget<'_>) -> Answer<AnyStep> {
        let only: Vec<_> = only.iter().map(|&mv| real(mv)).collect();
        let winner = self.state.turn();
        let question = Question { winner, plies, only: &only, oracle: &NoOracle };
        match ForcedWins::default().search(&self.state, question, budget) {
            Answer::Won { plies, line } => {
                Answer::Won { plies, line: line.into_iter().map(any).collect() }
            }
            Answer::Refuted => Answer::Refuted,
            Answer::Undecided => Answer::Undecided,
        }
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState(self.0.duplicate())
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

impl Game for AnyState {
    type Move = AnyStep;
    type Event = AnyStep;

    /// Of no game: ask [`AnyState::game`].
    const NAME: &'static str = "any";

    fn turn(&self) -> Side {
        self.0.turn()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn ending(&self) -> Option<&'static str> {
        self.0.ending()
    }
    fn moves(&self, buffer: &mut Vec<AnyStep>) {
        self.0.moves(buffer);
    }
    fn play(&mut self, mv: AnyStep) {
        self.0.play(mv);
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn recomputed_key(&self) -> u64 {
        self.0.recomputed_key()
    }
    fn is_pending(&self) -> bool {
        self.0.is_pending()
    }
    fn events(&self, buffer: &mut Vec<(AnyStep, u32)>) {
        self.0.events(buffer);
    }
    fn event_weight(&self) -> u32 {
        self.0.event_weight()
    }
    fn settle(&mut self, event: AnyStep) {
        self.0.settle(event);
    }
    fn sample(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.0.sample(rng)
    }
    fn sample_event(&self, rng: &mut Rng) -> AnyStep {
        self.0.sample_event(rng)
    }
    fn sample_by_piece(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.0.sample_by_piece(rng)
    }
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        self.0.playout(rng)
    }
    fn playout_outcome(&self) -> Option<Outcome> {
        self.0.playout_outcome()
    }
    fn advance(&mut self, mv: AnyStep) {
        self.0.advance(mv);
    }
    fn is_legal_at_a_glance(&self, mv: AnyStep) -> Option<bool> {
        self.0.is_legal_at_a_glance(mv)
    }
    fn winning_move(&self, _: &mut Vec<AnyStep>) -> Option<AnyStep> {
        self.0.winning_move()
    }
    fn is_drawn_by_history(&self) -> bool {
        self.0.is_drawn_by_history()
    }
    fn plies_left(&self) -> u32 {
        self.0.plies_left()
    }
    fn reversible_plies(&self) -> Option<u32> {
        self.0.reversible_plies()
    }
    fn may_be_drawn_by_repetition(&self) -> bool {
        self.0.may_be_drawn_by_repetition()
    }
    fn perft(&self, depth: u32) -> u64 {
        self.0.perft(depth)
    }
}
