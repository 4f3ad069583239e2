//! Searches beside the game: analysis, comparison, hints.

use super::review::Review;
use super::{Desk, slots_json};
use crate::fault::{Code, Fault};
use crate::host::SearchId;
use crate::request::{Slot, pace};
use crate::search::{EndedSearch, HeldPlayer, PlayerSpec, RunningSearch, SearchJob};
use monteverde_game::Game;
use monteverde_game::limit::Limit;
use monteverde_players::{AnyState, AnyStep, ClockUse, Pace};
use serde_json::{Value, json};

/// How long a hint takes where nobody says it.
const HINT: &str = "time=1s";

/// What searches beside the game are for.
pub(super) enum Purpose {
    /// They are of the state that is looked at, whichever that is.
    Analysis,
    /// It is of one state, ends by itself, and is over when the state changes.
    Hint,
    /// It goes through the states of a line, whatever is looked at.
    Review(Review),
}

/// The searches beside the game.
#[derive(Default)]
pub(super) struct Analysis {
    pub(super) seats: Vec<Analyst>,
    pace: Option<Pace>,
    /// `None` where nothing runs.
    pub(super) purpose: Option<Purpose>,
}

/// One of them.
pub(super) struct Analyst {
    slot: Slot,
    asked: PlayerSpec,
    pub(super) held: Option<HeldPlayer>,
    running: Option<RunningSearch>,
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
        self.check_shown()?;
        self.begin_analysis(specs, pace, Purpose::Analysis, tag)
    }

    /// A search that ends by itself and does not follow the game.
    pub(super) fn hint(
        &mut self,
        spec: Option<String>,
        pace: Option<&str>,
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        let spec = spec.unwrap_or_else(|| self.game().strongest().to_owned());
        self.check_shown()?;
        self.begin_analysis(&[spec], Some(pace.unwrap_or(HINT)), Purpose::Hint, tag)
    }

    /// Whether there is something to search in the state that is looked at.
    fn check_shown(&self) -> Result<(), Fault> {
        match self.shown_state().outcome() {
            Some(_) => {
                let message = "the game is over in this position; there is nothing to search";
                Err(Fault::new(Code::NotNow, message))
            }
            None => Ok(()),
        }
    }

    /// Tells the client of the searches, and begins them. In this order: a short one may have ended
    /// before anything else is said.
    pub(super) fn begin_analysis(
        &mut self,
        specs: &[String],
        text: Option<&str>,
        purpose: Purpose,
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        let pace = text.map(pace).transpose()?;
        if let Some(Pace::Clock(_)) = pace {
            let message = "analysis has no clock; accepted are time=, iterations=, nodes= and depth=, or no pace";
            return Err(Fault::new(Code::BadPace, message));
        }
        let read = |spec: &String| PlayerSpec::read(self.game(), spec);
        let asked: Result<Vec<_>, _> = specs.iter().map(read).collect();
        let asked = asked?;
        self.stop_analysis();
        let analyst = |(slot, asked)| Analyst { slot, asked, held: None, running: None };
        let seats = [Slot::A, Slot::B].into_iter().zip(asked).map(analyst).collect();
        self.analysis = Analysis { seats, pace, purpose: Some(purpose) };
        self.tell_analysis(tag);
        self.resume_analysis();
        Ok(())
    }

    /// Starts whatever is to run and does not.
    pub(super) fn resume_analysis(&mut self) {
        let Some(host) = self.host.clone() else { return };
        let (state, serial) = match &self.analysis.purpose {
            Some(Purpose::Review(review)) => match self.reviewed_state(review) {
                Some(state) => (state, review.serial),
                None => return,
            },
            _ => (self.shown_state().clone(), self.shown_serial()),
        };
        if state.outcome().is_some() {
            return;
        }
        let limit =
            self.analysis.pace.map_or(Limit::none(), |pace| pace.limit(None, ClockUse::fixed(1)));
        let mut seats = std::mem::take(&mut self.analysis.seats);
        for analyst in seats.iter_mut().filter(|analyst| analyst.running.is_none()) {
            let number = self.next_number();
            let job = SearchJob {
                slot: analyst.slot,
                asked: analyst.asked.clone(),
                held: analyst.held.take(),
                seed: None,
                state: state.clone(),
                serial,
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
        if !self.follows() {
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

    /// Another state is looked at, and no move led there.
    pub(super) fn jump_analysis(&mut self, state: &AnyState) {
        if !self.follows() {
            return;
        }
        for analyst in &mut self.analysis.seats {
            analyst.halt();
            if let Some(held) = &mut analyst.held {
                held.player.jump(state);
            }
        }
    }

    /// Whether the searches go on with another state. A hint ends, and the page is told so.
    fn follows(&mut self) -> bool {
        match self.analysis.purpose {
            Some(Purpose::Hint) => {
                self.stop_analysis();
                self.tell_analysis(None);
                false
            }
            Some(Purpose::Review(_)) => false,
            Some(Purpose::Analysis) | None => true,
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
        let Some(EndedSearch { held, report }) = ended else {
            let message = format!("the player '{}' has failed", analyst.asked.text);
            if let Some(host) = &self.host {
                host.send(&Fault::new(Code::Failed, message).message(None));
            }
            self.stop_analysis();
            self.tell_analysis(None);
            return;
        };
        analyst.held = Some(held);
        match self.analysis.purpose {
            Some(Purpose::Hint) => {
                self.stop_analysis();
                self.tell_analysis(None);
            }
            Some(Purpose::Review(_)) => self.reviewed(&report),
            Some(Purpose::Analysis) | None => {}
        }
    }

    /// Tells the client which searches there are.
    pub(super) fn tell_analysis(&self, tag: Option<&Value>) {
        let pace = self.analysis.pace.map(|pace| pace.to_string());
        let purpose = self.analysis.purpose.as_ref().map(|purpose| match purpose {
            Purpose::Analysis => "analysis",
            Purpose::Hint => "hint",
            Purpose::Review(_) => "review",
        });
        let slots = self.analysis.slots();
        self.answer(
            json!({ "type": "analysis", "slots": slots, "pace": pace, "purpose": purpose }),
            tag,
        );
    }
}
