//! Arguments that several commands share, and how they are read.

use crate::failure::{self, bad_input};
use crate::progress::note;
use monteverde_game::Notation;
use monteverde_players::{Overrides, Playable, Spec, Visitor, arguments};

/// Which game.
#[derive(clap::Args)]
pub(crate) struct GameArg {
    /// The game: chess, loa, banqi, tic-tac-toe or dice-race
    #[arg(long, value_name = "G", default_value = "chess")]
    pub(crate) game: String,
}

/// Which state.
#[derive(clap::Args)]
pub(crate) struct StateArg {
    /// The state: startpos, or as the game writes it (FEN for chess, X-FEN and Shredder-FEN included)
    #[arg(long, value_name = "S", default_value = "startpos")]
    pub(crate) state: String,
}

/// Which player.
#[derive(clap::Args)]
pub(crate) struct PlayerArg {
    /// The player: a name and settings, such as mcc:c=0.5 (see 'monteverde players'); the game's first
    /// player if it is left out
    #[arg(long, value_name = "SPEC")]
    pub(crate) player: Option<String>,
}

impl GameArg {
    /// Runs a visitor's code for the game.
    pub(crate) fn visit<T>(
        &self,
        visitor: impl Visitor<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<T> {
        monteverde_players::visit(&self.game, visitor)
            .map_err(|error| bad_input("--game", error))?
    }
}

impl StateArg {
    /// The state itself.
    pub(crate) fn read<G: Notation>(&self) -> anyhow::Result<G> {
        match self.state.trim() {
            "startpos" => Ok(G::start()),
            text => G::parse_state(text).map_err(|error| bad_input("--state", error)),
        }
    }
}

impl PlayerArg {
    /// The player's spec, with what the command line overrides.
    pub(crate) fn read<G: Playable>(&self, overrides: &Overrides) -> anyhow::Result<Spec> {
        let text = self.player.as_deref().unwrap_or(G::PLAYERS[0].name);
        let spec = Spec::parse::<G>(text).map_err(|error| bad_input("--player", error))?;
        if let Some(missing) = spec.note::<G>() {
            note(&format!("{}: {missing}", spec.name()));
        }
        // Every seed is accepted, so it can only be one of these.
        let place = if overrides.memory.is_some() { "--threads or --memory" } else { "--threads" };
        spec.with(overrides).map_err(|error| bad_input(place, error))
    }
}

/// Whether there is memory for the player's tree.
pub(crate) fn check_memory(spec: &Spec) -> anyhow::Result<()> {
    arguments::check_memory(spec).map_err(failure::of_command)
}

/// Tells what a player of a contest has to do without here. A spec that cannot be read is told about by
/// others.
pub(crate) struct Missing<'a>(pub(crate) &'a str);

impl Visitor for Missing<'_> {
    type Output = ();

    fn visit<G: Playable>(self) {
        let spec = Spec::parse::<G>(self.0);
        if let Some(missing) = spec.ok().and_then(|spec| spec.note::<G>()) {
            note(&format!("{}: {missing}", self.0));
        }
    }
}
