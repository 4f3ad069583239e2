//! What a game tells an alpha-beta search beyond its rules and its evaluation. Every hook defaults to "nothing".

use monteverde_game::{Game, Knowledge, NoKnowledge};

/// The tactics of a game. States are valued by [`Knowledge::eval`], rounded to whole numbers, so its unit must
/// be fine enough (hundredths of a pawn in chess); without it every state is worth 0.
pub trait Tactics<G: Game>: Knowledge<G> {
    /// What a loud move (a capture, a promotion) wins, in the unit of the evaluation, negative if it loses;
    /// `None` for a quiet move.
    fn loud(&self, state: &G, mv: G::Move) -> Option<i32> {
        let _ = (state, mv);
        None
    }

    /// Appends the legal loud moves. A game may override this so that the others are not generated.
    fn loud_moves(&self, state: &G, buffer: &mut Vec<G::Move>) {
        let start = buffer.len();
        state.moves(buffer);
        let mut kept = start;
        for index in start..buffer.len() {
            if self.loud(state, buffer[index]).is_some() {
                buffer.swap(kept, index);
                kept += 1;
            }
        }
        buffer.truncate(kept);
    }

    /// Turns the state into the one where the side to move has passed. `false` where passing makes no sense, or
    /// where being forced to move may well be a disadvantage, as in endings of chess; the state is then
    /// meaningless.
    fn pass(&self, state: &mut G) -> bool {
        let _ = state;
        false
    }

    /// Whether the side to move faces a threat that a static evaluation cannot judge, such as check.
    fn is_urgent(&self, state: &G) -> bool {
        let _ = state;
        false
    }
}

impl<G: Game> Tactics<G> for NoKnowledge {}
