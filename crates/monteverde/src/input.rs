//! Arguments that several commands share, and how they are read.

use crate::failure::bad_input;
use crate::progress::note;
use anyhow::bail;
use monteverde_players::{AnyGame, AnyState, Games, Overrides, Spec, text};

/// Which game.
#[derive(clap::Args)]
pub(crate) struct GameArg {
    /// The game: {games}
    #[arg(long, value_name = "G")]
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
    /// The game itself.
    pub(crate) fn find(&self, games: &Games) -> anyhow::Result<AnyGame> {
        games.game(&self.game).map_err(|error| bad_input("--game", error))
    }
}

impl StateArg {
    /// The state itself.
    pub(crate) fn read(&self, game: AnyGame) -> anyhow::Result<AnyState> {
        game.read_state(&self.state).map_err(|error| bad_input("--state", error))
    }
}

impl PlayerArg {
    /// The player's spec, with what the command line overrides.
    pub(crate) fn read(&self, game: AnyGame, overrides: &Overrides) -> anyhow::Result<Spec> {
        self.read_or(game, game.default_player(), overrides)
    }

    /// The same, with another player in the place of the game's first.
    pub(crate) fn read_or(
        &self,
        game: AnyGame,
        default: &str,
        overrides: &Overrides,
    ) -> anyhow::Result<Spec> {
        let text = self.player.as_deref().unwrap_or(default);
        let spec = Spec::read(game, text).map_err(|error| bad_input("--player", error))?;
        note_missing(game, &spec, spec.name());
        // Every seed is accepted, so it can only be one of these.
        let place = if overrides.memory.is_some() { "--threads or --memory" } else { "--threads" };
        spec.with(overrides).map_err(|error| bad_input(place, error))
    }
}

/// Says what a player has to do without here, if anything.
pub(crate) fn note_missing(game: AnyGame, spec: &Spec, name: &str) {
    if let Some(missing) = spec.missing(game) {
        note(&format!("{name}: {missing}"));
    }
}

/// Whether there is memory for the player's tree.
pub(crate) fn check_memory(spec: &Spec) -> anyhow::Result<()> {
    if !spec.has_memory() {
        bail!(
            "the system does not give the tree {}; less can be asked for, such as --player {}:memory=256MiB",
            text::bytes(spec.memory() as u64),
            spec.name()
        );
    }
    Ok(())
}
