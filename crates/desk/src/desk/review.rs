//! A review of a game: every state of the line on the board is searched, one after the other.

use super::Desk;
use super::analysis::Purpose;
use crate::fault::Fault;
use crate::game_record::MoveNode;
use crate::position::step;
use crate::report::{SearchReport, proof_json};
use monteverde_game::{Game, Outcome};
use monteverde_players::AnyState;
use monteverde_players::face::side_name;
use serde_json::{Value, json};

/// How long each state is searched where nobody says it.
const PACE: &str = "time=500ms";

/// How far a review has come.
pub(super) struct Review {
    /// The nodes of the line, the start first.
    nodes: Vec<MoveNode>,
    /// Which of them is searched now.
    next: usize,
    /// Of the reports; the page shows them nowhere.
    pub(super) serial: u64,
}

impl Desk {
    /// Searches every state of the line on the board.
    pub(super) fn review(
        &mut self,
        spec: Option<String>,
        pace: Option<&str>,
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        let spec = spec.unwrap_or_else(|| self.game().strongest().to_owned());
        let nodes = (0..=self.record.plies()).filter_map(|ply| self.record.node_at(ply)).collect();
        let review = Review { nodes, next: 0, serial: self.next_serial() };
        self.begin_analysis(&[spec], Some(pace.unwrap_or(PACE)), Purpose::Review(review), tag)?;
        self.pass_ends();
        Ok(())
    }

    /// The state that a review is at; `None` where it is done, or its move was taken back.
    pub(super) fn reviewed_state(&self, review: &Review) -> Option<AnyState> {
        self.record.state_of(*review.nodes.get(review.next)?)
    }

    /// A state has been searched: the page is told, and the next one follows.
    pub(super) fn reviewed(&mut self, report: &SearchReport) {
        let Some(Purpose::Review(review)) = &self.analysis.purpose else { return };
        if let Some(state) = self.reviewed_state(review) {
            self.tell_reviewed(review, &state, Some(report));
        }
        self.next_reviewed();
        self.pass_ends();
    }

    /// States in which the game is over are not searched, nor are moves that were taken back.
    fn pass_ends(&mut self) {
        while let Some(Purpose::Review(review)) = &self.analysis.purpose {
            let is_done = review.next >= review.nodes.len();
            match self.reviewed_state(review) {
                Some(state) if state.outcome().is_none() => return,
                Some(state) => self.tell_reviewed(review, &state, None),
                None if is_done => {
                    self.stop_analysis();
                    self.tell_analysis(None);
                    return;
                }
                None => {}
            }
            self.next_reviewed();
        }
    }

    fn next_reviewed(&mut self) {
        if let Some(Purpose::Review(review)) = &mut self.analysis.purpose {
            review.next += 1;
        }
        let Some(Purpose::Review(review)) = &self.analysis.purpose else { return };
        if let Some(state) = self.reviewed_state(review) {
            for analyst in &mut self.analysis.seats {
                if let Some(held) = &mut analyst.held {
                    held.player.jump(&state);
                }
            }
            self.resume_analysis();
        }
    }

    fn tell_reviewed(&self, review: &Review, state: &AnyState, report: Option<&SearchReport>) {
        let turn = state.turn();
        let ended = state.outcome().map(|outcome| match outcome {
            Outcome::Win(side) if side == turn => 1.0,
            Outcome::Win(_) => -1.0,
            Outcome::Draw => 0.0,
        });
        let best = report.and_then(|report| report.best_move());
        let mean = best.map(|entry| entry.mean).or(report.map(|report| report.mean)).or(ended);
        self.answer(
            json!({
                "type": "reviewed",
                "node": review.nodes[review.next],
                "ply": review.next,
                "of": review.nodes.len() - 1,
                "side": side_name(turn),
                "mean": mean,
                "proof": report.map_or(Value::Null, |report| proof_json(report.proof)),
                "best": report.and_then(|report| report.best).map(|mv| step(state, mv)),
            }),
            None,
        );
    }
}
