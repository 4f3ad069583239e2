//! When games are ended early, as the command line says it.

use crate::failure::bad_input;
use monteverde_lab::adjudication::{Adjudication, DrawRule, ResignRule, TABLES};
use monteverde_players::arguments::parse_within;

#[derive(clap::Args)]
pub(crate) struct AdjudicationArgs {
    /// Draws games of so many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// Draws games in which both players see equality: from ply FROM on, in so many MOVES of each in a
    /// row, with values at most WITHIN (in 0..1) from 0
    #[arg(long, value_name = "FROM,MOVES,WITHIN")]
    draw: Option<String>,
    /// Ends games that both players see lost for the same one: in so many MOVES of each in a row, with
    /// values at least BEYOND (in 0..1) from 0
    #[arg(long, value_name = "MOVES,BEYOND")]
    resign: Option<String>,
    /// Ends games that endgame tables of up to so many pieces (3 to 5) decide, with what they say
    #[arg(long, value_name = "PIECES", value_parser = parse_tables)]
    tables: Option<u32>,
}

impl AdjudicationArgs {
    pub(crate) fn read(&self) -> anyhow::Result<Adjudication> {
        let draw = match self.draw.as_deref() {
            Some(text) => Some(draw(text).ok_or_else(|| {
                let accepted = "a ply, a number of moves from 1 and a value in 0..1 are accepted, such as \
                                80,8,0.02";
                bad_input("--draw", format!("'{text}' is no rule; {accepted}"))
            })?),
            None => None,
        };
        let resign = match self.resign.as_deref() {
            Some(text) => Some(resign(text).ok_or_else(|| {
                let accepted =
                    "a number of moves from 1 and a value in 0..1 are accepted, such as 4,0.95";
                bad_input("--resign", format!("'{text}' is no rule; {accepted}"))
            })?),
            None => None,
        };
        Ok(Adjudication { draw, resign, length: self.max_plies, tables: self.tables })
    }
}

fn parse_tables(text: &str) -> Result<u32, String> {
    let (least, most) = TABLES.into_inner();
    parse_within(text, u64::from(least)..=u64::from(most)).map(|pieces| pieces as u32)
}

fn draw(text: &str) -> Option<DrawRule> {
    let (from, rest) = text.split_once(',')?;
    let ResignRule { moves, beyond: within } = resign(rest)?;
    Some(DrawRule { from: from.trim().parse().ok()?, moves, within })
}

fn resign(text: &str) -> Option<ResignRule> {
    /// More moves than a game can have would overflow when both players' are counted.
    const MOST_MOVES: u32 = 1_000_000;
    let (moves, beyond) = text.split_once(',')?;
    let moves = moves.trim().parse().ok().filter(|moves| (1..=MOST_MOVES).contains(moves))?;
    let beyond = beyond.trim().parse().ok().filter(|value| (0.0..=1.0).contains(value))?;
    Some(ResignRule { moves, beyond })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_nonsense_is_not() {
        assert_eq!(draw("80, 8,0.02"), Some(DrawRule { from: 80, moves: 8, within: 0.02 }));
        assert_eq!(resign("4,0.95"), Some(ResignRule { moves: 4, beyond: 0.95 }));
        for text in ["", "4", "0,0.5", "4,1.5", "4,nan", "x,0.5", "4,0.5,1", "4294967295,0.5"] {
            assert_eq!(resign(text), None, "{text}");
        }
        assert_eq!(draw("8,0.02"), None);
    }
}
