//! Searches beside the game: analysis, comparison, hints.

use super::{Desk, slots_json};
use crate::fault::{Code, Fault};
use crate::host::SearchId;
use crate::request::{Slot, pace};
use crate::search::{EndedSearch, HeldPlayer, PlayerSpec, RunningSearch, SearchJob};
use monteverde_game::limit::Limit;
use monteverde_players::{AnyState, AnyStep, Pace};
use serde_json::{Value, json};

/// How long a hint takes where nobody says it.
const HINT: &str = "time=1s";

/// What becomes of a search when a move is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum After {
    /// It goes on with the state after it.
    Follow,
    /// It is over.
    End,
}

/// The searches beside the game.
pub(super) struct Analysis {
    seats: Vec<Analyst>,
    pace: Option<Pace>,
    after: After,
}

/// One of them.
struct Analyst {
    slot: Slot,
    asked: PlayerSpec,
    held: Option<HeldPlayer>,
    running: Option<RunningSearch>,
}

impl Default for Analysis {
    fn default() -> Self {
        Analysis { seats: Vec::new(), pace: None, after: After::End }
    }
}

impl Analysis {
    pub(super) fn slots(&self) -> Value {
        slots_json(self.seats.iter().map(|analyst| (analyst.slot, analyst.asked.text.clone())))
    }

    /// The player of a slot whose search does not run.
    pub(super) fn idle(&self, slot: Slot) -> Option<&HeldPlayer> {
        self.analyst(slot)?.held.as_ref()
    }

    pub(super) fn is_running(&self, slot: Slot) -> bool {
        self.analyst(slot).is_some_and(|analyst| analyst.running.is_some())
    }

    /// Every search that runs.
    pub(super) fn running(&mut self) -> impl Iterator<Item = &mut RunningSearch> {
        self.seats.iter_mut().filter_map(|analyst| analyst.running.as_mut())
    }

    fn analyst(&self, slot: Slot) -> Option<&Analyst> {
        self.seats.iter().find(|analyst| analyst.slot == slot)
    }
}

impl Analyst {
    /// Stops the search and takes its player back.
    fn halt(&mut self) {
        if let Some(running) = self.running.take() {
            self.held = running.end();
        }
    }
}

impl Desk {
    /// Searches of one or two players.
    pub(super) fn analyse(
        &mut self,
        specs: &[String],
        pace: Option<&str>,
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        if !(1..=2).contains(&specs.len()) {
            let message = format!("'specs' takes one or two specs, not {}", specs.len());
            return Err(Fault::new(Code::BadMessage, message));
        }
        self.begin_analysis(specs, pace, After::Follow)?;
        self.tell_analysis(tag);
        Ok(())
    }

    /// A search that ends by itself and does not follow the game.
    pub(super) fn hint(
        &mut self,
        spec: Option<String>,
        pace: Option<&str>,
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        let spec = spec.unwrap_or_else(|| self.game().strongest().to_owned());
        self.begin_analysis(&[spec], Some(pace.unwrap_or(HINT)), After::End)?;
        self.tell_analysis(tag);
        Ok(())
    }

    fn begin_analysis(
        &mut self,
        specs: &[String],
        text: Option<&str>,
        after: After,
    ) -> Result<(), Fault> {
        let pace = text.map(pace).transpose()?;
        if let Some(Pace::Clock(_)) = pace {
            let message = "analysis has no clock; accepted are time=, iterations=, nodes= and depth=, or no pace";
            return Err(Fault::new(Code::BadPace, message));
        }
        let read = |spec: &String| PlayerSpec::read(self.game(), spec);
        let asked: Result<Vec<_>, _> = specs.iter().map(read).collect();
        let asked = asked?;
        if self.outcome().is_some() {
            return Err(Fault::new(Code::NotNow, "the game is over; there is nothing to search"));
        }
        self.stop_analysis();
        let analyst = |(slot, asked)| Analyst { slot, asked, held: None, running: None };
        let seats = [Slot::A, Slot::B].into_iter().zip(asked).map(analyst).collect();
        self.analysis = Analysis { seats, pace, after };
        self.resume_analysis();
        Ok(())
    }

    /// Starts whatever is to run and does not.
    pub(super) fn resume_analysis(&mut self) {
        let Some(host) = self.host.clone() else { return };
        if self.outcome().is_some() {
            return;
        }
        let limit = self.analysis.pace.map_or(Limit::none(), |pace| pace.limit(None, 1));
        let mut seats = std::mem::take(&mut self.analysis.seats);
        for analyst in seats.iter_mut().filter(|analyst| analyst.running.is_none()) {
            let number = self.next_number();
            let job = SearchJob {
                slot: analyst.slot,
                asked: analyst.asked.clone(),
                held: analyst.held.take(),
                seed: None,
                state: self.state().clone(),
                serial: self.serial,
                limit: limit.clone(),
                opened: self.opened(analyst.slot).clone(),
            };
            match RunningSearch::start(job, number, &host) {
                Ok(running) => analyst.running = Some(running),
                Err(fault) => host.send(&fault.message(None)),
            }
        }
        self.analysis.seats = seats;
    }

    /// A move was played, and chance has decided.
    pub(super) fn follow(&mut self, mv: AnyStep, event: Option<AnyStep>) {
        if self.analysis.after == After::End {
            self.stop_analysis();
            return;
        }
        for analyst in &mut self.analysis.seats {
            analyst.halt();
            if let Some(held) = &mut analyst.held {
                held.player.play(mv);
                if let Some(event) = event {
                    held.player.settle(event);
                }
            }
        }
    }

    /// The state was changed in another way.
    pub(super) fn jump_analysis(&mut self, state: &AnyState) {
        if self.analysis.after == After::End {
            self.stop_analysis();
            return;
        }
        for analyst in &mut self.analysis.seats {
            analyst.halt();
            if let Some(held) = &mut analyst.held {
                held.player.jump(state);
            }
        }
    }

    pub(super) fn stop_analysis(&mut self) {
        for analyst in &mut self.analysis.seats {
            analyst.halt();
        }
        self.analysis = Analysis::default();
    }

    /// A search beside the game has ended by itself.
    pub(super) fn analysed(&mut self, search: SearchId) {
        let analyst = self.analysis.seats.iter_mut().find(|analyst| analyst.slot == search.slot);
        let Some(analyst) = analyst else { return };
        if analyst.running.as_ref().is_none_or(|running| running.id != search) {
            return;
        }
        let ended = analyst.running.take().and_then(RunningSearch::join);
        match (ended, &self.host) {
            (Some(EndedSearch { held, .. }), _) => analyst.held = Some(held),
            (None, Some(host)) => {
                let message = format!("the player '{}' has failed", analyst.asked.text);
                host.send(&Fault::new(Code::Failed, message).message(None));
            }
            (None, None) => {}
        }
    }

    /// Tells the client which searches there are.
    pub(super) fn tell_analysis(&self, tag: Option<&Value>) {
        let pace = self.analysis.pace.map(|pace| pace.to_string());
        self.answer(
            json!({ "type": "analysis", "slots": self.analysis.slots(), "pace": pace }),
            tag,
        );
    }
}
