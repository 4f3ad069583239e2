//! Decisive and anti-decisive moves (Teytaud and Teytaud 2010; *Monte Carlo Chess*, sections 2.2.5
//! and 4.2.1).

use monteverde_game::{Game, Rng};

/// A move that wins at once, unless the game is over already. That question is asked last: it
/// seldom matters.
#[inline(always)]
pub(super) fn winning_move<G: Game>(state: &G, buffer: &mut Vec<G::Move>) -> Option<G::Move> {
    state.winning_move(buffer).filter(|_| state.playout_outcome().is_none())
}

/// Looks a ply ahead for moves that let the opponent win at once, and keeps what it saw, so that no
/// state is asked about twice.
#[derive(Debug)]
pub(super) struct Foresight<G: Game> {
    /// What is known of the state that is to come next: its winning move, if it has one.
    seen: Option<Option<G::Move>>,
    after: G,
    moves: Vec<G::Move>,
    rest: Vec<G::Move>,
}

impl<G: Game> Foresight<G> {
    pub(super) fn new(state: &G) -> Self {
        Foresight { seen: None, after: state.clone(), moves: Vec::new(), rest: Vec::new() }
    }

    /// The next state is not the one that was looked at.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.seen = None;
    }

    /// A winning move of the state that the last call of [`Foresight::avoid`] led to, or of any
    /// other after [`Foresight::forget`].
    #[inline(always)]
    pub(super) fn winning_move(&mut self, state: &G) -> Option<G::Move> {
        match self.seen.take() {
            Some(win) => win,
            None => winning_move(state, &mut self.moves),
        }
    }

    /// The move `drawn` by the strategy, or, if the opponent could then win at once, a uniformly
    /// random one of the moves after which that is not so; `drawn` again if there is none.
    pub(super) fn avoid(&mut self, state: &G, drawn: G::Move, rng: &mut Rng) -> G::Move {
        let Some(reply) = self.reply(state, drawn) else { return drawn };
        self.rest.clear();
        state.moves(&mut self.rest);
        self.rest.retain(|&mv| mv != drawn);
        while !self.rest.is_empty() {
            let mv = self.rest.swap_remove(rng.below(self.rest.len() as u32) as usize);
            if self.reply(state, mv).is_none() {
                return mv;
            }
        }
        self.seen = Some(Some(reply));
        drawn
    }

    /// The reply by which the opponent would win at once. Notes the winning move after `mv`,
    /// whosesoever it is.
    fn reply(&mut self, state: &G, mv: G::Move) -> Option<G::Move> {
        self.after.clone_from(state);
        self.after.advance(mv);
        let win = winning_move(&self.after, &mut self.moves);
        self.seen = Some(win);
        win.filter(|_| self.after.turn() != state.turn())
    }
}
