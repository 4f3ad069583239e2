//! What is known of Chinese dark chess as a search asks for it.

use super::likely;
use super::material::{self, PIECE_WEIGHTS, balance};
use super::moves::MoveEval;
use monteverde_banqi::{Banqi, Board, Colour, Likely, Move, Weights};
use monteverde_game::playout_knowledge::{EvalSource, Verdicts, WeightedPlayout};
use monteverde_game::{Game, Knowledge, Outcome, Playout, PlayoutKnowledge, Rng, Side};

/// What is known of Chinese dark chess, with the numbers that a player may choose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BanqiKnowledge {
    /// How likely playouts play each move.
    pub weights: Weights,
    /// How moves are evaluated; `None` where nothing is to be known of them.
    pub moves: Option<MoveEval>,
    /// The material that makes the odds `e` to 1, in the unit of the piece weights, more than 0.
    pub scale: f64,
    /// c_w: how much the weights of the winner's pieces count beside their number in the quality
    /// of a result.
    pub quality_weight: f64,
}

impl BanqiKnowledge {
    /// Captures in proportion to what they take, and each other move by a weight of its own.
    pub const fn playout_weights(others: u32) -> Weights {
        Weights::new(PIECE_WEIGHTS, others)
    }
}

/// Paper 004 prints the weights of captures and not that of other moves. With 2 a playout from the
/// initial board takes 147 plies on average, the paper's takes 148.4.
const OTHER_MOVES: u32 = 2;

/// The paper prints no scale of its sigmoid function. Ours: a guard more, and the odds are `e` to
/// 1.
const SCALE: f64 = PIECE_WEIGHTS[1] as f64;

/// c_w (paper 004, section 4.1.3).
const QUALITY_WEIGHT: f64 = 0.02;

/// The paper prints no scale of the sigmoid function of qualities either. Formula 9 gives 1 to 23;
/// ours keeps all of them apart.
const QUALITY_SCALE: f64 = 10.0;

impl Default for BanqiKnowledge {
    fn default() -> Self {
        BanqiKnowledge {
            weights: BanqiKnowledge::playout_weights(OTHER_MOVES),
            moves: None,
            scale: SCALE,
            quality_weight: QUALITY_WEIGHT,
        }
    }
}

impl Knowledge<Banqi> for BanqiKnowledge {
    /// In the unit of the piece weights.
    fn prior(&self, state: &Banqi, mv: Move) -> Option<f32> {
        self.moves.map(|moves| moves.eval(state.board(), mv))
    }

    /// The weight of what is captured, or that of all other moves.
    fn weight(&self, state: &Banqi, mv: Move) -> Option<f32> {
        let board = state.board();
        let taken = board.piece(mv.to()).filter(|_| !mv.is_flip());
        let weight =
            taken.map_or(self.weights.others(), |taken| self.weights.capture(taken.kind()));
        Some(weight as f32)
    }

    /// By the material alone.
    fn verdict(&self, state: &Banqi) -> Option<Outcome> {
        likely::verdict(state.board())
    }

    /// In the unit of the piece weights. Before the first flip nobody is ahead.
    fn eval(&self, state: &Banqi) -> Option<f32> {
        Some(material_of_mover(state.board()) as f32)
    }

    /// That material through a sigmoid function (paper 004, section 3.2.2).
    fn expectation(&self, state: &Banqi) -> Option<f32> {
        Some(sigmoid(f64::from(material_of_mover(state.board())) / self.scale) as f32)
    }

    /// How many pieces the winner has left and how much they weigh (paper 004, formula 9), through
    /// a sigmoid function.
    fn quality(&self, state: &Banqi, winner: Side) -> Option<f32> {
        let colour = colour_of(state.board(), winner)?;
        let (count, weight) = (state.board().left(colour), material::total(state.board(), colour));
        let quality = f64::from(count) + self.quality_weight * f64::from(weight);
        Some(sigmoid(quality / QUALITY_SCALE) as f32)
    }
}

impl PlayoutKnowledge<Banqi> for BanqiKnowledge {
    fn sample_weighted(&self, state: &Banqi, rng: &mut Rng) -> Option<Result<Move, Outcome>> {
        Some(state.sample_weighted(&self.weights, rng))
    }

    fn playout_weighted(
        &self,
        state: &mut Banqi,
        verdicts: Verdicts,
        rng: &mut Rng,
    ) -> Option<WeightedPlayout> {
        if verdicts == Verdicts::Ignored {
            return Some(state.playout_weighted(&self.weights, |_| Likely::Unknown, rng));
        }
        if state.is_pending() {
            state.settle(state.sample_event(rng));
        }
        if let Some(outcome) = self.verdict(state)
            && state.playout_outcome().is_none()
        {
            let playout = Playout { outcome, plies: 0 };
            return Some(WeightedPlayout { playout, source: EvalSource::Verdict });
        }
        // Material changes by captures alone.
        let guess = likely::guesses(state.board());
        Some(state.playout_weighted(&self.weights, guess, rng))
    }
}

fn material_of_mover(board: &Board) -> i32 {
    board.colours().map_or(0, |colours| balance(board, colours.mover))
}

fn colour_of(board: &Board, side: Side) -> Option<Colour> {
    Colour::ALL.into_iter().find(|&colour| board.side(colour) == Some(side))
}

/// From -1 to 1, for the logarithm of odds. The system's exponential differs from machine to
/// machine; this one does not.
fn sigmoid(value: f64) -> f64 {
    2.0 / (1.0 + libm::exp(-value)) - 1.0
}
