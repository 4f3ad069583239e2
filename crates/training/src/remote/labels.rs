//! Pieces of labelling. The games that are to be scored travel with them.

use super::{GAMES, Pieces, check, check_games, games_of, text_of};
use crate::data::{GameData, StepData};
use crate::label::{Labels, Unlabelled};
use crate::selfplay::players_of;
use monteverde_game::limit::{Limit, Signal};
use monteverde_lab::crew::{CustomKind, CustomWork};
use monteverde_players::{AnyGame, AnyStep, Games, Spec};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) const KIND: CustomKind = CustomKind { name: "label", read };

/// Games that others score.
#[derive(Debug)]
pub struct LabelPieces<'a> {
    /// The games.
    pub of: &'a Unlabelled,
    /// Who scores, as a canonical spec.
    pub player: &'a str,
    /// The nodes or the iterations of each search.
    pub limit: Limit<AnyStep>,
    /// Where the random numbers start.
    pub seed: u64,
    /// Whether the shares of visits are kept.
    pub keeps_shares: bool,
}

impl Pieces for LabelPieces<'_> {
    fn work(&self, numbers: Range<u32>) -> Arc<dyn CustomWork> {
        let games = &self.of.games[numbers.start as usize..numbers.end as usize];
        Arc::new(LabelWork {
            of: Unlabelled {
                path: PathBuf::new(),
                game: self.of.game,
                games: games.iter().map(bare).collect(),
            },
            player: self.player.to_owned(),
            limit: self.limit.clone(),
            seed: self.seed,
            keeps_shares: self.keeps_shares,
        })
    }
}

/// A game without what is known of its states, which is not asked for.
fn bare(game: &GameData) -> GameData {
    let steps = game.steps.iter().map(|step| StepData::bare(step.kind, step.index));
    GameData { steps: steps.collect(), start: game.start.clone(), ..*game }
}

#[derive(Debug)]
struct LabelWork {
    of: Unlabelled,
    player: String,
    limit: Limit<AnyStep>,
    seed: u64,
    keeps_shares: bool,
}

/// The work as it travels.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelText {
    game: String,
    player: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    seed: u64,
    keeps_shares: bool,
    games: String,
}

impl CustomWork for LabelWork {
    fn kind(&self) -> &'static str {
        KIND.name
    }

    fn game(&self) -> AnyGame {
        self.of.game
    }

    fn players(&self) -> Vec<&str> {
        vec![&self.player]
    }

    fn value(&self) -> Value {
        let text = LabelText {
            game: self.of.game.name().to_owned(),
            player: self.player.clone(),
            nodes: self.limit.nodes,
            iterations: self.limit.iterations,
            seed: self.seed,
            keeps_shares: self.keeps_shares,
            games: text_of(&self.of.games),
        };
        serde_json::to_value(text).expect("it is plain data")
    }

    fn make(&self, stop: &Signal) -> Result<String, String> {
        let spec = Spec::read(self.of.game, &self.player).map_err(|error| error.to_string())?;
        let labels = Labels {
            of: &self.of,
            player: &players_of(&spec),
            limit: self.limit.clone(),
            seed: self.seed,
            keeps_shares: self.keeps_shares,
        };
        let games: Result<Vec<_>, _> =
            self.of.games.iter().map(|game| labels.label(game, stop)).collect();
        games.map(|games| text_of(&games)).map_err(|error| error.to_string())
    }

    fn check(&self, product: &str) -> Result<(), String> {
        let first = self.of.games.first().map_or(0, |game| game.number);
        check_games(product, self.of.games.iter().map(|game| game.number), |game| {
            let old = &self.of.games[(game.number - first) as usize];
            check::labelled_game(self.of.game, old, game, self.keeps_shares)
        })
    }
}

fn read(games: &Games, value: Value) -> Result<Arc<dyn CustomWork>, String> {
    let text: LabelText = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let game = games.game(&text.game).map_err(|error| error.to_string())?;
    let unlabelled = games_of(&text.games)?;
    let first = unlabelled.first().map_or(0, |game| game.number);
    let are_in_a_row =
        unlabelled.iter().map(|game| game.number).eq((first..).take(unlabelled.len()));
    if unlabelled.is_empty() || unlabelled.len() > GAMES as usize || !are_in_a_row {
        return Err("its games are none, too many or not in a row".to_owned());
    }
    if text.nodes.is_none() && text.iterations.is_none() {
        return Err("its searches have no end".to_owned());
    }
    Ok(Arc::new(LabelWork {
        of: Unlabelled { path: PathBuf::new(), game, games: unlabelled },
        player: text.player,
        limit: Limit { nodes: text.nodes, iterations: text.iterations, ..Limit::none() },
        seed: text.seed,
        keeps_shares: text.keeps_shares,
    }))
}
