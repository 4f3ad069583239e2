//! Breakthrough (Dan Troyka, 2000): pieces go one square ahead or diagonally ahead, and capture
//! diagonally. Who first reaches the other end of the board wins; so does who captures everything.
//!
//! `Side::First` has crosses, which start below and go up.

use monteverde::face::{
    BoardView, CellStyle, PieceColour, PieceView, SideView, glyph, square_name,
};
use monteverde::mcts::Config;
use monteverde::mcts::playout::{Decisive, Heavy, Playouts, Strategy};
use monteverde::rng::stream_seed;
use monteverde::setting::Setting;
use monteverde::{
    Entry, Game, Greed, Knowledge, Measure, Never, NoOracle, Notation, NotationError, Outcome,
    PlayoutKnowledge, Preset, SearchWith, Searcher, Settings, Side, Step, Ties, field, presets,
};

/// The game for the program.
pub struct Breakthrough;

/// A state. A square is 8 times its rank and its file, on smaller boards too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    files: u8,
    ranks: u8,
    /// The pieces of each side, one bit for each square.
    pieces: [u64; 2],
    turn: Side,
}

/// From a square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Step for Move {
    fn to_bits(self) -> u32 {
        u32::from(self.from) | u32::from(self.to) << 8
    }
    fn from_bits(bits: u32) -> Self {
        Move { from: bits as u8, to: (bits >> 8) as u8 }
    }
}

impl Board {
    fn start_of(files: u8, ranks: u8) -> Board {
        let row = (1 << files) - 1;
        let below = row | row << 8;
        let pieces = [below, below << (8 * (ranks - 2))];
        Board { files, ranks, pieces, turn: Side::First }
    }

    fn own(&self) -> u64 {
        self.pieces[self.turn as usize]
    }

    fn has(&self, side: Side, square: u8) -> bool {
        self.pieces[side as usize] >> square & 1 == 1
    }

    /// The rank where a side wants to be.
    fn goal(&self, side: Side) -> u8 {
        match side {
            Side::First => self.ranks - 1,
            Side::Second => 0,
        }
    }

    fn has_arrived(&self, side: Side) -> bool {
        self.pieces[side as usize] >> (8 * self.goal(side)) & 0xff != 0
    }

    /// How many ranks a piece of that side has left behind.
    fn steps(&self, side: Side, square: u8) -> u8 {
        (square / 8).abs_diff(self.goal(side.other()))
    }
}

/// The squares of a set.
fn squares(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |square| set >> square & 1 == 1)
}

impl Game for Board {
    type Move = Move;
    type Event = Never;

    const NAME: &'static str = "breakthrough";

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let moved_last = self.turn.other();
        (self.own() == 0 || self.has_arrived(moved_last)).then_some(Outcome::Win(moved_last))
    }

    fn ending(&self) -> Option<&'static str> {
        self.outcome()?;
        Some(if self.own() == 0 { "all captured" } else { "breakthrough" })
    }

    /// Whoever has pieces has a move: diagonally ahead of the foremost there is no piece of one's
    /// own.
    fn moves(&self, buffer: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        for from in squares(self.own()) {
            let rank = match self.turn {
                Side::First => from / 8 + 1,
                Side::Second => from / 8 - 1,
            };
            let file = from % 8;
            for to_file in file.saturating_sub(1)..=(file + 1).min(self.files - 1) {
                let to = 8 * rank + to_file;
                let is_blocked = to_file == file && self.has(self.turn.other(), to);
                if !is_blocked && !self.has(self.turn, to) {
                    buffer.push(Move { from, to });
                }
            }
        }
    }

    fn play(&mut self, mv: Move) {
        let other = self.turn.other();
        self.pieces[self.turn as usize] ^= 1 << mv.from | 1 << mv.to;
        self.pieces[other as usize] &= !(1 << mv.to);
        self.turn = other;
    }

    fn key(&self) -> u64 {
        let [first, second] = self.pieces;
        let rest = u64::from(self.files) << 16 | u64::from(self.ranks) << 8 | self.turn as u64;
        stream_seed(stream_seed(first, second), rest)
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }
}

const STATE_FORM: &str = "a state is 3 to 8 ranks of 2 to 8 squares from the top, x and o for pieces, digits for so many \
                          empty squares, and then who moves, such as 'ooooo/ooooo/5/xxxxx/xxxxx x'";

impl Notation for Board {
    fn start() -> Self {
        Board::start_of(8, 8)
    }

    fn parse_state(text: &str) -> Result<Self, NotationError> {
        let wrong = |what: &str| NotationError::new(format!("'{text}': {what}; {STATE_FORM}"));
        let (rows, turn) = text.split_once(' ').ok_or_else(|| wrong("nobody is to move"))?;
        let turn = match turn {
            "x" => Side::First,
            "o" => Side::Second,
            _ => return Err(wrong("nobody is to move")),
        };
        let rows: Vec<Vec<char>> = rows.split('/').map(expanded).collect();
        let (files, ranks) = (rows[0].len(), rows.len());
        if !(2..=8).contains(&files) || !(3..=8).contains(&ranks) {
            return Err(wrong("the board is too small or too large"));
        }
        if rows.iter().any(|row| row.len() != files) {
            return Err(wrong("ranks differ in length"));
        }
        let (files, ranks) = (files as u8, ranks as u8);
        let mut board = Board { files, ranks, pieces: [0; 2], turn };
        for (rank, row) in (0..ranks).rev().zip(&rows) {
            for (file, letter) in (0..files).zip(row) {
                let bit = 1 << (8 * rank + file);
                match letter {
                    'x' => board.pieces[0] |= bit,
                    'o' => board.pieces[1] |= bit,
                    '.' => {}
                    _ => return Err(wrong("there is a letter that is no piece")),
                }
            }
        }
        if board.has_arrived(turn) || board.pieces[turn.other() as usize] == 0 {
            return Err(wrong("the game was over before its last move"));
        }
        Ok(board)
    }

    fn state_text(&self) -> String {
        let row = |row: &str| {
            let mut text = String::new();
            let mut empty = 0;
            // The mark at the end writes the last empty squares down.
            for letter in row.chars().chain(['/']) {
                if letter == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(letter);
            }
            text
        };
        let rows: String = self.picture().lines().map(row).collect();
        let turn = if self.turn == Side::First { 'x' } else { 'o' };
        format!("{} {turn}", rows.trim_end_matches('/'))
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let known: Vec<String> = moves.iter().map(|&mv| self.move_text(mv)).collect();
        let found = known.iter().position(|name| name == text).map(|index| moves[index]);
        found.ok_or_else(|| {
            NotationError::new(format!("'{text}' is no move here; moves: {}", known.join(", ")))
        })
    }

    fn move_text(&self, mv: Move) -> String {
        let name = |square: u8| square_name(square % 8, square / 8);
        let sign = if self.has(self.turn.other(), mv.to) { "x" } else { "" };
        format!("{}{sign}{}", name(mv.from), name(mv.to))
    }

    fn picture(&self) -> String {
        let letter = |square| match (self.has(Side::First, square), self.has(Side::Second, square))
        {
            (true, _) => 'x',
            (_, true) => 'o',
            _ => '.',
        };
        let row = |rank| (0..self.files).map(move |file| letter(8 * rank + file)).chain(['\n']);
        (0..self.ranks).rev().flat_map(row).collect()
    }
}

/// A rank with a point for each empty square.
fn expanded(row: &str) -> Vec<char> {
    let empty = |letter: char| letter.to_digit(9).map(|count| vec!['.'; count as usize]);
    row.chars().flat_map(|letter| empty(letter).unwrap_or(vec![letter])).collect()
}

/// Knows that pieces want to get ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advancement {
    /// The steps of a piece count to this power.
    haste: u32,
}

impl Default for Advancement {
    fn default() -> Self {
        Advancement { haste: 2 }
    }
}

impl Knowledge<Board> for Advancement {
    /// The powers of the steps that the pieces have made, those of the other side taken off.
    fn eval(&self, board: &Board) -> Option<f32> {
        let of = |side: Side| {
            let steps = |square| u32::from(board.steps(side, square)) + 1;
            let worth = |square| steps(square).pow(self.haste);
            squares(board.pieces[side as usize]).map(worth).sum::<u32>()
        };
        Some(of(board.turn) as f32 - of(board.turn.other()) as f32)
    }
}

impl PlayoutKnowledge<Board> for Advancement {}

/// What players have beside the settings of all games.
const SETTINGS: &[Setting<Settings>] =
    &[Setting::<Settings>::whole("haste", 1..=4, field!(Advancement: haste)).means(
        "How much more the last steps of a piece count than the first: their number to this power.",
    )];

/// How often the playouts of `runner` play at random.
const EPSILON: f64 = 0.3;

/// A player whose playouts run.
const RUNNER: Preset = Preset {
    name: "runner",
    about: "UCT with playouts that win where they can, and mostly play the move after which the pieces are furthest ahead.",
    settings: || {
        let greed = Greed { measure: Measure::Eval, ties: Ties::Random };
        let strategy = Strategy::Greedy(Heavy { greed, epsilon: EPSILON });
        let playout = Playouts { strategy, decisive: Decisive::Wins, ..Playouts::default() };
        Settings { config: Config { playout, ..Config::default() }, ..Settings::default() }
    },
};

impl Entry for Breakthrough {
    type Game = Board;

    fn title(&self) -> &'static str {
        "Breakthrough"
    }
    fn sides(&self, _: &Board) -> [SideView; 2] {
        [("White", PieceColour::White), ("Black", PieceColour::Black)]
            .map(|(name, colour)| SideView { name: name.into(), colour: Some(colour) })
    }
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        match ending {
            "breakthrough" => Some("a piece has reached the other end"),
            "all captured" => Some("the other side has lost all its pieces"),
            _ => None,
        }
    }

    fn players(&self) -> &'static [Preset] {
        &[RUNNER, presets::UCT]
    }
    fn own_settings(&self) -> &'static [Setting<Settings>] {
        SETTINGS
    }
    fn searcher(&self, settings: &Settings) -> Box<dyn Searcher<Board>> {
        Box::new(SearchWith { knowledge: settings.own::<Advancement>(), oracle: NoOracle })
    }

    fn board(&self, board: &Board) -> Option<BoardView> {
        let mut view = BoardView::new(board.files, board.ranks, CellStyle::Checkered);
        for (side, letter, name) in
            [(Side::First, 'x', "White pawn"), (Side::Second, 'o', "Black pawn")]
        {
            for square in squares(board.pieces[side as usize]) {
                let piece = PieceView::new(square_name(square % 8, square / 8), letter, Some(side));
                let pawn = format!("{}pawn", glyph::CHESS);
                view.pieces.push(piece.glyph(pawn).named("pawn", name));
            }
        }
        Some(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde::Games;
    use monteverde::conformance::Suite;

    const SMALL: &str = "ooooo/ooooo/5/xxxxx/xxxxx x";

    #[test]
    fn it_keeps_what_a_game_promises() {
        Suite::<Board>::new()
            .states(&[SMALL, "oo/2/xx x", "3/1x1/o1o/3 o", "8/8/8/1o6/2x5/8/8/8 x"])
            .check();
    }

    /// Another program would count on a grid of letters, so that is what is done here.
    #[test]
    fn paths_are_counted_as_on_a_grid_of_letters() {
        let counts = |text: &str, most: u32| -> Vec<u64> {
            let state = Board::parse_state(text).expect("a state");
            (1..=most).map(|depth| state.perft(depth)).collect()
        };
        let start = Board::start().state_text();
        assert_eq!(start, "oooooooo/oooooooo/8/8/8/8/xxxxxxxx/xxxxxxxx x");
        assert_eq!(counts(&start, 4), [22, 484, 11_132, 256_036]);
        for (text, most) in [
            (&*start, 4),
            (SMALL, 6),
            ("oo/2/xx x", 6),
            ("3/1x1/o1o/3 o", 6),
            ("o2/1x1/xo1/3 x", 6),
        ] {
            let (rows, turn) = text.split_once(' ').expect("rows and who moves");
            let rows: Vec<Vec<char>> = rows.split('/').map(expanded).collect();
            let naive: Vec<u64> =
                (1..=most).map(|depth| paths(&rows, turn == "x", depth)).collect();
            assert_eq!(counts(text, most), naive, "{text}");
        }
    }

    /// The paths of so many moves, by the rules as they are written.
    fn paths(rows: &[Vec<char>], is_cross: bool, depth: u32) -> u64 {
        let last = rows.len() - 1;
        let (own, other) = if is_cross { ('x', 'o') } else { ('o', 'x') };
        let other_goal = if is_cross { last } else { 0 };
        let is_over = rows[other_goal].contains(&other) || !rows.concat().contains(&own);
        if depth == 0 || is_over {
            return u64::from(depth == 0);
        }
        let mut count = 0;
        for row in 0..=last {
            for file in 0..rows[row].len() {
                if rows[row][file] != own {
                    continue;
                }
                let ahead = if is_cross { row - 1 } else { row + 1 };
                for aside in [-1, 0, 1] {
                    let Some(to) = file.checked_add_signed(aside) else { continue };
                    let can_go = match rows[ahead].get(to) {
                        Some('.') => true,
                        Some(&letter) => letter == other && aside != 0,
                        None => false,
                    };
                    if can_go {
                        let mut after = rows.to_vec();
                        after[row][file] = '.';
                        after[ahead][to] = own;
                        count += paths(&after, !is_cross, depth - 1);
                    }
                }
            }
        }
        count
    }

    #[test]
    fn it_looks_like_a_board_and_says_how_it_ended() {
        let game = Games::new().with(Breakthrough).game("breakthrough").expect("the game");
        let state = game.parse_state("3/1x1/o1o/3 x").expect("a state");
        let board = state.board().expect("a board");
        assert_eq!((board.files, board.ranks, board.pieces.len()), (3, 4, 3));
        let mv = state.parse_move("b3c4").expect("a move");
        let view = state.move_view(mv);
        assert_eq!((view.from.as_deref(), view.to.as_deref()), (Some("b3"), Some("c4")));
        let mut after = state.clone();
        after.play(mv);
        assert_eq!(after.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(
            game.ending_words(after.ending().expect("over")),
            "a piece has reached the other end"
        );
    }

    #[test]
    fn the_foremost_piece_counts_most() {
        let eval =
            |haste, text| Advancement { haste }.eval(&Board::parse_state(text).expect("a state"));
        assert_eq!(eval(2, "3/1x1/o1o/3 x"), Some(9.0 - 18.0));
        assert_eq!(eval(2, "3/1x1/o1o/3 o"), Some(18.0 - 9.0));
        assert_eq!(eval(1, "3/1x1/o1o/3 o"), Some(6.0 - 3.0));
    }
}
