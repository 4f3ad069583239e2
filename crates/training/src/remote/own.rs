//! Pieces of self-play.

use super::{GAMES, Pieces, check, check_games, text_of};
use crate::opening::Openings;
use crate::selfplay::{SelfPlay, players_of};
use monteverde_game::limit::{Limit, Signal};
use monteverde_lab::adjudication::Adjudication;
use monteverde_lab::crew::{CustomKind, CustomWork};
use monteverde_players::{AnyGame, Games, Spec};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;
use std::sync::Arc;

pub(super) const KIND: CustomKind = CustomKind { name: "selfplay", read };

/// Games of a player against itself, which others play.
#[derive(Clone, Debug)]
pub struct OwnPieces {
    /// How they are played.
    pub how: Arc<SelfPlay>,
    /// Who plays, as a canonical spec.
    pub player: Arc<str>,
}

impl Pieces for OwnPieces {
    fn work(&self, numbers: Range<u32>) -> Arc<dyn CustomWork> {
        let OwnPieces { how, player } = self.clone();
        Arc::new(OwnWork { how, player, numbers })
    }
}

#[derive(Debug)]
struct OwnWork {
    how: Arc<SelfPlay>,
    player: Arc<str>,
    numbers: Range<u32>,
}

/// The work as it travels.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnText {
    game: String,
    player: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    seed: u64,
    random_plies: [u32; 2],
    /// As the command line has them.
    starts: String,
    adjudication: Adjudication,
    drawn_plies: u32,
    keeps_shares: bool,
    numbers: [u32; 2],
}

impl CustomWork for OwnWork {
    fn kind(&self) -> &'static str {
        KIND.name
    }

    fn game(&self) -> AnyGame {
        self.how.game
    }

    fn players(&self) -> Vec<&str> {
        vec![&self.player]
    }

    fn value(&self) -> Value {
        let SelfPlay { game, limit, seed, openings, adjudication, drawn_plies, keeps_shares } =
            &*self.how;
        let starts = openings.starts.iter().map(|(kind, share)| format!("{kind}={share}"));
        let text = OwnText {
            game: game.name().to_owned(),
            player: self.player.to_string(),
            nodes: limit.nodes,
            iterations: limit.iterations,
            seed: *seed,
            random_plies: [*openings.plies.start(), *openings.plies.end()],
            starts: starts.collect::<Vec<_>>().join(","),
            adjudication: *adjudication,
            drawn_plies: *drawn_plies,
            keeps_shares: *keeps_shares,
            numbers: [self.numbers.start, self.numbers.end],
        };
        serde_json::to_value(text).expect("it is plain data")
    }

    fn make(&self, stop: &Signal) -> Result<String, String> {
        let spec = Spec::read(self.how.game, &self.player).map_err(|error| error.to_string())?;
        let player = players_of(&spec);
        let play = |number| self.how.play(number, &player, stop);
        let games: Result<Vec<_>, _> = self.numbers.clone().map(play).collect();
        games.map(|games| text_of(&games)).map_err(|error| error.to_string())
    }

    fn check(&self, product: &str) -> Result<(), String> {
        check_games(product, self.numbers.clone(), |game| check::own_game(&self.how, game))
    }
}

/// More random moves than any game needs.
const MOST_PLIES: u32 = 1000;

fn read(games: &Games, value: Value) -> Result<Arc<dyn CustomWork>, String> {
    let text: OwnText = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let game = games.game(&text.game).map_err(|error| error.to_string())?;
    let ([least, most], [from, to]) = (text.random_plies, text.numbers);
    if least > most || most > MOST_PLIES {
        return Err("its random plies are out of bounds".to_owned());
    }
    if from >= to || to - from > GAMES {
        return Err("its numbers of games are out of bounds".to_owned());
    }
    if text.nodes.is_none() && text.iterations.is_none() {
        return Err("its searches have no end".to_owned());
    }
    let starts = Openings::read_starts(game, &text.starts).map_err(|error| error.to_string())?;
    let how = SelfPlay {
        game,
        limit: Limit { nodes: text.nodes, iterations: text.iterations, ..Limit::none() },
        seed: text.seed,
        openings: Openings { plies: least..=most, starts },
        adjudication: text.adjudication,
        drawn_plies: text.drawn_plies,
        keeps_shares: text.keeps_shares,
    };
    Ok(Arc::new(OwnWork { how: Arc::new(how), player: text.player.into(), numbers: from..to }))
}
