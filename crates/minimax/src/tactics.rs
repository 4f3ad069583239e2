//! What a game tells an alpha-beta search beyond its rules and its evaluation. Every hook defaults
//! to "nothing".

use monteverde_game::{Game, Knowledge, NoKnowledge};

/// The tactics of a game. States are valued by [`Knowledge::eval`], rounded to whole numbers, so
/// its unit must be fine enough (hundredths of a pawn in chess); without it every state is worth 0.
pub trait Tactics<G: Game>: Knowledge<G> {
    /// What a loud move (a capture, a promotion) wins, in the unit of the evaluation, negative if
    /// it loses; `None` for a quiet move. Quiescence goes on with the loud moves that lose nothing.
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

    /// When a move is to be tried. By default loud moves by what they win, before all others or, if
    /// they lose, after all.
    fn rank(&self, state: &G, mv: G::Move) -> Rank {
        match self.loud(state, mv) {
            Some(gain) if gain >= 0 => Rank::First(gain),
            Some(loss) => Rank::Last(loss),
            None => Rank::Quiet,
        }
    }

    /// How surprising a move is: minus the logarithm to base 2 of the probability that it is
    /// played, in bits, not negative. `None` where nothing is known. See
    /// [`Realization`](crate::config::Realization).
    fn surprise(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }

    /// Turns the state into the one where the side to move has passed. `false` where passing makes
    /// no sense, or where being forced to move may well be a disadvantage, as in endings of chess;
    /// the state is then meaningless.
    fn pass(&self, state: &mut G) -> bool {
        let _ = state;
        false
    }

    /// Whether the side to move faces a threat that a static evaluation cannot judge, such as
    /// check.
    fn is_urgent(&self, state: &G) -> bool {
        let _ = state;
        false
    }
}

/// The groups in which moves are tried, after the move that the table knows. Within a group the
/// larger number is earlier, equals in generation order. Numbers are between
/// [`-MOST_RANK`](MOST_RANK) and [`MOST_RANK`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// Before the killers. Such a move speaks for itself: it is never a killer, and its success is
    /// not counted.
    First(i32),
    /// After the killers, before the quiet moves. It may become a killer.
    Early(i32),
    /// By killers and history.
    Quiet,
    /// After all others; else as `First`.
    Last(i32),
}

/// The largest number of a [`Rank`].
pub const MOST_RANK: i32 = 1 << 25;

impl<G: Game> Tactics<G> for NoKnowledge {}
