//! When games are ended early, as the command line says it.

use crate::failure::bad_input;
use monteverde_lab::adjudication::{
    Adjudication, DrawRule, MOST_SCORE, ResignRule, ResignSides, TABLES, value_of_centipawns,
};
use monteverde_players::arguments::parse_within;

#[derive(clap::Args)]
pub(crate) struct AdjudicationArgs {
    /// Games of this many plies are drawn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// Games of this many moves of both sides are drawn, as with -maxmoves of fastchess
    #[arg(
        long, value_name = "N", conflicts_with = "max_plies",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    max_moves: Option<u32>,
    /// Draws games in which both players see equality: from ply FROM on, in so many MOVES of each
    /// in a row, with values at most WITHIN (in 0..1) from 0; or as -draw of fastchess,
    /// movenumber=40,movecount=8,score=10
    #[arg(long, value_name = "FROM,MOVES,WITHIN")]
    draw: Option<String>,
    /// Ends games that both players see lost for the same one: in so many MOVES of each in a row,
    /// with values at least BEYOND (in 0..1) from 0; ',loser' asks the loser alone. Or as
    /// -resign of fastchess, movecount=3,score=600,twosided=true
    #[arg(long, value_name = "MOVES,BEYOND")]
    resign: Option<String>,
    /// Ends games that endgame tables of up to this many pieces (3 to 5) decide, with their result
    #[arg(long, value_name = "PIECES", value_parser = parse_tables)]
    tables: Option<u32>,
}

impl AdjudicationArgs {
    pub(crate) fn read(&self) -> anyhow::Result<Adjudication> {
        let draw = match self.draw.as_deref() {
            Some(text) => Some(draw(text).ok_or_else(|| {
                let accepted = "a ply, a number of moves from 1 and a value in 0..1 are accepted, such as \
                                80,8,0.02, or movenumber=40,movecount=8,score=10 with a score in hundredths of \
                                a pawn";
                bad_input("--draw", format!("'{text}' is no rule; {accepted}"))
            })?),
            None => None,
        };
        let resign = match self.resign.as_deref() {
            Some(text) => Some(resign(text).ok_or_else(|| {
                let accepted = "a number of moves from 1 and a value in 0..1 are accepted, such as 4,0.95 or \
                                4,0.95,loser, or movecount=3,score=600,twosided=true with a score in hundredths \
                                of a pawn";
                bad_input("--resign", format!("'{text}' is no rule; {accepted}"))
            })?),
            None => None,
        };
        let length = self.max_plies.or(self.max_moves.map(|moves| 2 * moves));
        Ok(Adjudication { draw, resign, length, tables: self.tables })
    }
}

fn parse_tables(text: &str) -> Result<u32, String> {
    let (least, most) = TABLES.into_inner();
    parse_within(text, u64::from(least)..=u64::from(most)).map(|pieces| pieces as u32)
}

fn draw(text: &str) -> Option<DrawRule> {
    if text.contains('=') {
        let [from, moves, score] = pairs(text, ["movenumber", "movecount", "score"])?;
        // A move is one of both sides.
        let from = number(from?)?.checked_mul(2)?;
        return Some(DrawRule { from, moves: count(moves?)?, within: score_of(score?)? });
    }
    let [from, moves, within] = *text.split(',').collect::<Vec<_>>().as_slice() else {
        return None;
    };
    Some(DrawRule { from: number(from)?, moves: count(moves)?, within: value(within)? })
}

fn resign(text: &str) -> Option<ResignRule> {
    if text.contains('=') {
        let [moves, score, two] = pairs(text, ["movecount", "score", "twosided"])?;
        let sides = match two.unwrap_or("false") {
            "true" => ResignSides::Both,
            "false" => ResignSides::Loser,
            _ => return None,
        };
        return Some(ResignRule { moves: count(moves?)?, beyond: score_of(score?)?, sides });
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let (moves, beyond, sides) = match *parts.as_slice() {
        [moves, beyond] => (moves, beyond, ResignSides::Both),
        [moves, beyond, "loser"] => (moves, beyond, ResignSides::Loser),
        _ => return None,
    };
    Some(ResignRule { moves: count(moves)?, beyond: value(beyond)?, sides })
}

/// The values of `key=value` pairs with these keys, none of them twice.
fn pairs<'t, const N: usize>(text: &'t str, keys: [&str; N]) -> Option<[Option<&'t str>; N]> {
    let mut values = [None; N];
    for pair in text.split([',', ' ']).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=')?;
        let place = &mut values[keys.iter().position(|known| *known == key.trim())?];
        if place.replace(value.trim()).is_some() {
            return None;
        }
    }
    Some(values)
}

fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok()
}

fn count(text: &str) -> Option<u32> {
    /// More moves than a game can have would overflow when both players' are counted.
    const MOST_MOVES: u32 = 1_000_000;
    number(text).filter(|moves| (1..=MOST_MOVES).contains(moves))
}

fn value(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value| (0.0..=1.0).contains(value))
}

fn score_of(text: &str) -> Option<f64> {
    let score = text.parse().ok().filter(|score| (0.0..=MOST_SCORE).contains(score))?;
    Some(value_of_centipawns(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_nonsense_is_not() {
        let both = ResignSides::Both;
        assert_eq!(draw("80, 8,0.02"), Some(DrawRule { from: 80, moves: 8, within: 0.02 }));
        assert_eq!(resign("4,0.95"), Some(ResignRule { moves: 4, beyond: 0.95, sides: both }));
        for text in [
            "",
            "4",
            "0,0.5",
            "4,1.5",
            "4,nan",
            "x,0.5",
            "4,0.5,1",
            "4294967295,0.5",
            "movecount=3",
            "movecount=3,score=-1",
            "movecount=3,score=5,score=6",
            "movecount=3,score=5,sides=2",
            "movecount=3,score=5,twosided=maybe",
        ] {
            assert_eq!(resign(text), None, "{text}");
        }
        assert_eq!(draw("8,0.02"), None);
        assert_eq!(draw("movenumber=4294967295,movecount=8,score=10"), None);
    }

    #[test]
    fn rules_of_fastchess_are_read() {
        let beyond = value_of_centipawns(600.0);
        let loser = ResignRule { moves: 3, beyond, sides: ResignSides::Loser };
        assert_eq!(resign("movecount=3 score=600"), Some(loser));
        let both = ResignRule { sides: ResignSides::Both, ..loser };
        assert_eq!(resign("movecount=3,score=600,twosided=true"), Some(both));
        assert!((beyond - 0.938).abs() < 0.001);
        let within = value_of_centipawns(10.0);
        let drawn = DrawRule { from: 80, moves: 8, within };
        assert_eq!(draw("movenumber=40,movecount=8,score=10"), Some(drawn));
    }
}
