//! Arguments that several commands share, and how they are read.

use crate::console::Terminal;
use crate::failure::{bad_input, of_command};
use crate::progress::note;
use monteverde_players::arguments::{self, PlayerArg};
use monteverde_players::{AnyGame, AnyState, Games, Overrides, Spec};
use std::io::Write;

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
    /// The state: startpos, or as the game writes it (FEN for chess, X-FEN and Shredder-FEN
    /// included)
    #[arg(long, value_name = "S", default_value = "startpos")]
    pub(crate) state: String,
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

/// A player's spec, the game's first if there is none, with what the command line overrides.
pub(crate) fn read_player(
    arg: &PlayerArg,
    game: AnyGame,
    overrides: &Overrides,
    out: &mut dyn Write,
) -> anyhow::Result<Spec> {
    let console = &mut Terminal { out };
    arg.read(game, game.default_player(), overrides, console).map_err(of_command)
}

/// Says what a player has to do without here, if anything, unless that was said before.
pub(crate) fn note_missing(game: AnyGame, spec: &Spec, name: &str) {
    if let Some(missing) = spec.missing(game).filter(|missing| game.is_news(missing)) {
        note(&format!("{name}: {missing}"));
    }
}

/// Whether there is memory for the player's tree.
pub(crate) fn check_memory(spec: &Spec) -> anyhow::Result<()> {
    arguments::check_memory(spec).map_err(of_command)
}
