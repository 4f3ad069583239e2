//! What the page looks at: the state on the board, or one of the past or of a variation.

use super::Desk;
use crate::fault::{Code, Fault};
use crate::game_record::MoveNode;
use crate::position::position;
use monteverde_players::AnyState;
use serde_json::{Value, json};

/// A state that is looked at in place of the one on the board.
pub(super) struct ShownPosition {
    pub(super) node: MoveNode,
    pub(super) state: AnyState,
    pub(super) serial: u64,
}

impl Desk {
    /// Shows a position, which analysis is of from now on. The game is not changed by it.
    pub(super) fn show(
        &mut self,
        ply: Option<usize>,
        node: Option<MoveNode>,
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        let node = match (ply, node) {
            (None, Some(node)) => node,
            (Some(ply), None) => self.record.node_at(ply).ok_or_else(|| {
                let plies = self.record.plies();
                let message = format!("the game has no ply {ply}; accepted are 0 to {plies}");
                Fault::new(Code::BadMessage, message)
            })?,
            _ => {
                let message = "'show' takes either 'ply' or 'node'";
                return Err(Fault::new(Code::BadMessage, message));
            }
        };
        let state = self.state_of(node)?;
        if node != self.shown_node() {
            self.shown = None;
            if node != self.record.tip() {
                let serial = self.next_serial();
                self.shown = Some(ShownPosition { node, state: state.clone(), serial });
            }
            self.jump_analysis(&state);
            self.close_nodes();
            self.resume_analysis();
        }
        let message = json!({
            "type": "position",
            "ply": self.record.depth(node),
            "node": node,
            "serial": self.shown_serial(),
            "position": position(&state, self.record.last_of(node)),
        });
        self.answer(message, tag);
        Ok(())
    }

    /// The state of a node.
    pub(super) fn state_of(&self, node: MoveNode) -> Result<AnyState, Fault> {
        self.record.state_of(node).ok_or_else(|| {
            let message =
                format!("there is no node {node} in this game; a state lists those there are");
            Fault::new(Code::BadMessage, message)
        })
    }

    /// The state that is looked at.
    pub(super) fn shown_state(&self) -> &AnyState {
        self.shown.as_ref().map_or(self.record.state(), |shown| &shown.state)
    }

    pub(super) fn shown_serial(&self) -> u64 {
        self.shown.as_ref().map_or(self.serial, |shown| shown.serial)
    }

    fn shown_node(&self) -> MoveNode {
        self.shown.as_ref().map_or(self.record.tip(), |shown| shown.node)
    }

    pub(super) fn next_serial(&mut self) -> u64 {
        self.serials += 1;
        self.serials
    }
}
