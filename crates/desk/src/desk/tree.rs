//! What the page has opened of the trees.

use super::{Desk, MOST_PATHS};
use crate::fault::{Code, Fault};
use crate::nodes::{self, MOST_CHILDREN, OpenNode, OpenNodes};
use crate::report::Stage;
use crate::request::Slot;
use crate::search::{HeldPlayer, tell_nodes};
use monteverde_players::AnyState;
use std::sync::{Arc, Mutex, PoisonError};

/// So many children of a node are told at most.
const MOST_TOLD: usize = 200;

impl Desk {
    pub(super) fn opened(&self, slot: Slot) -> &Arc<Mutex<OpenNodes>> {
        &self.opened[slot as usize]
    }

    /// Opens nodes of a slot's tree.
    pub(super) fn open(
        &mut self,
        slot: Slot,
        paths: Vec<Vec<String>>,
        most: Option<usize>,
    ) -> Result<(), Fault> {
        let most = most.unwrap_or(MOST_CHILDREN);
        if paths.len() > MOST_PATHS || !(1..=MOST_TOLD).contains(&most) {
            let message = format!(
                "a tree takes at most {MOST_PATHS} paths, and 'most' from 1 to {MOST_TOLD}"
            );
            return Err(Fault::new(Code::Limit, message));
        }
        let nodes = paths.into_iter().map(|path| OpenNode::new(self.root(slot), path)).collect();
        let opened = OpenNodes { nodes, most };
        // Where no search runs, nobody else would tell.
        if let Some(host) = &self.host {
            let about = (slot, self.serial_of(slot));
            match self.idle(slot) {
                Some(held) => tell_nodes(held, about, &opened, &**host),
                None if self.is_running(slot) => {}
                None => {
                    host.send(&nodes::message(about, None, &opened, Stage::Final));
                }
            }
        }
        *self.opened(slot).lock().unwrap_or_else(PoisonError::into_inner) = opened;
        Ok(())
    }

    /// The state that the tree of a slot begins with.
    fn root(&self, slot: Slot) -> &AnyState {
        if slot == Slot::Game { self.record.state() } else { self.shown_state() }
    }

    fn serial_of(&self, slot: Slot) -> u64 {
        if slot == Slot::Game { self.serial } else { self.shown_serial() }
    }

    /// The player of a slot whose search does not run.
    pub(super) fn idle(&self, slot: Slot) -> Option<&HeldPlayer> {
        match slot {
            Slot::Game if self.thinking.is_some() => None,
            Slot::Game => self.players[self.thinker as usize].as_ref(),
            slot => self.analysis.idle(slot),
        }
    }

    pub(super) fn is_running(&self, slot: Slot) -> bool {
        match slot {
            Slot::Game => self.thinking.is_some(),
            slot => self.analysis.is_running(slot),
        }
    }

    /// After a change of the state only roots stay open: paths led from the state before.
    pub(super) fn close_nodes(&mut self) {
        for slot in [Slot::Game, Slot::A, Slot::B] {
            let mut opened = self.opened(slot).lock().unwrap_or_else(PoisonError::into_inner);
            if !opened.nodes.is_empty() {
                opened.nodes = vec![OpenNode::new(self.root(slot), Vec::new())];
            }
        }
    }
}
