//! What the page has opened of the trees.

use super::{Desk, MOST_PATHS};
use crate::fault::{Code, Fault};
use crate::nodes::{self, MOST_CHILDREN, OpenNode, OpenNodes};
use crate::report::Stage;
use crate::request::Slot;
use crate::search::{HeldPlayer, tell_nodes};
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
        let nodes = paths.into_iter().map(|path| OpenNode::new(self.state(), path)).collect();
        let opened = OpenNodes { nodes, most };
        // Where no search runs, nobody else would tell.
        if let Some(host) = &self.host {
            let about = (slot, self.serial);
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
        for opened in &self.opened {
            let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
            if !opened.nodes.is_empty() {
                opened.nodes = vec![OpenNode::new(self.record.state(), Vec::new())];
            }
        }
    }
}
