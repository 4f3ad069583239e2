//! The faces of the games: boards, moves and words for people, from a game's name and states.

mod banqi;
mod chess;
mod loa;
mod tic_tac_toe;

use monteverde_banqi::Banqi;
use monteverde_chess::Chess;
use monteverde_game::fixtures::TicTacToe;
use monteverde_game::{Game, Notation};
use monteverde_loa::Loa;
use monteverde_players::face::{BoardView, MoveView, PieceColour, SideView};
use std::any::Any;

/// The board, `None` for a game that has none of its own.
pub(crate) fn board<G: Game>(state: &G) -> Option<BoardView> {
    let state: &dyn Any = state;
    if let Some(state) = state.downcast_ref::<Chess>() {
        Some(chess::board(state.board()))
    } else if let Some(state) = state.downcast_ref::<Loa>() {
        Some(loa::board(state.board()))
    } else if let Some(state) = state.downcast_ref::<Banqi>() {
        Some(banqi::board(state.board()))
    } else {
        state.downcast_ref::<TicTacToe>().map(tic_tac_toe::board)
    }
}

/// What a legal move looks like on the board.
pub(crate) fn move_view<G: Notation>(state: &G, mv: G::Move) -> MoveView {
    let (any, any_move): (&dyn Any, &dyn Any) = (state, &mv);
    if let (Some(state), Some(&mv)) = (any.downcast_ref::<Chess>(), any_move.downcast_ref()) {
        chess::move_view(state.board(), mv)
    } else if let (Some(state), Some(&mv)) = (any.downcast_ref::<Loa>(), any_move.downcast_ref()) {
        loa::move_view(state.board(), mv)
    } else if let (Some(state), Some(&mv)) = (any.downcast_ref::<Banqi>(), any_move.downcast_ref())
    {
        banqi::move_view(state.board(), mv)
    } else {
        let board = board(state);
        board
            .map_or_else(MoveView::default, |board| MoveView::of_text(&state.move_text(mv), &board))
    }
}

/// How people write a legal move.
pub(crate) fn label<G: Notation>(state: &G, mv: G::Move) -> String {
    let (any, any_move): (&dyn Any, &dyn Any) = (state, &mv);
    match (any.downcast_ref::<Chess>(), any_move.downcast_ref()) {
        (Some(state), Some(&mv)) => monteverde_chess::san::write(state.board(), mv),
        _ => state.move_text(mv),
    }
}

/// What an event of a pending state shows, in words; `None` where its text says it.
pub(crate) fn event_name<G: Game>(event: G::Event) -> Option<String> {
    let event: &dyn Any = &event;
    event.downcast_ref().map(banqi::event_name)
}

/// What people call the two sides, and their colours.
pub(crate) fn sides<G: Game>(state: &G) -> [SideView; 2] {
    let any: &dyn Any = state;
    let colours = any.downcast_ref::<Banqi>().and_then(|state| banqi::sides(state.board()));
    colours.unwrap_or_else(|| titles(G::NAME).1)
}

/// What a game is called on the page, and its sides at the start.
pub(crate) fn titles(game: &str) -> (&str, [SideView; 2]) {
    let side = |name: &'static str, colour| SideView { name: name.into(), colour };
    let colours = |[first, second]: [(&'static str, PieceColour); 2]| {
        [side(first.0, Some(first.1)), side(second.0, Some(second.1))]
    };
    let (white, black) = (("White", PieceColour::White), ("Black", PieceColour::Black));
    match game {
        Chess::NAME => ("Chess", colours([white, black])),
        Loa::NAME => ("Lines of Action", colours([black, white])),
        Banqi::NAME => ("Chinese dark chess", [side("First", None), side("Second", None)]),
        TicTacToe::NAME => {
            ("Tic-tac-toe", colours([("X", PieceColour::Blue), ("O", PieceColour::Red)]))
        }
        other => (other, [side("First", None), side("Second", None)]),
    }
}

/// The end of a game in words.
pub(crate) fn ending_words(reason: &str) -> &str {
    match reason {
        "fifty-moves" => "fifty moves of both sides without a capture or a pawn move",
        "insufficient-material" => "neither side can mate any more",
        "repetition" => "the same position occurred again and again",
        "connection" => "all its pieces are connected",
        "both connected" => "both sides are connected at once",
        "no move" => "the other side cannot move",
        "length" => "the game has become too long",
        "all captured" => "the other side has lost all its pieces",
        "quiet plies" => "too many plies without a capture or a flip",
        "line" => "three in a line",
        "full board" => "the board is full",
        other => other,
    }
}
