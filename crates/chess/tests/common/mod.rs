//! Boards for the tests of the rules, read by the peer library so that these tests do not depend on
//! our own notation.

use monteverde_chess::{Board, Color, Piece, Setup, Square, Variant};

/// The board of a FEN, with castling rights by `KQkq` or by the file of the rook.
pub(crate) fn board(fen: &str) -> Board {
    from_peer(&peer(fen))
}

/// The peer's board of a FEN.
pub(crate) fn peer(fen: &str) -> cozy_chess::Board {
    cozy_chess::Board::from_fen(fen, false)
        .or_else(|_| cozy_chess::Board::from_fen(fen, true))
        .unwrap_or_else(|error| panic!("{fen}: {error:?}"))
}

/// Our board of a board of the peer.
pub(crate) fn from_peer(peer: &cozy_chess::Board) -> Board {
    let mut setup = Setup::empty();
    for square in Square::all() {
        let theirs = cozy_chess::Square::index(square.index());
        setup.pieces[square.index()] = peer
            .piece_on(theirs)
            .zip(peer.color_on(theirs))
            .map(|(piece, color)| (Color::ALL[color as usize], Piece::ALL[piece as usize]));
    }
    setup.turn = Color::ALL[peer.side_to_move() as usize];
    for color in Color::ALL {
        let rights = peer.castle_rights(cozy_chess::Color::ALL[color.index()]);
        let rank = if color == Color::White { 0 } else { 7 };
        setup.castling[color.index()] =
            [rights.short, rights.long].map(|file| file.map(|file| Square::at(file as u8, rank)));
    }
    let passed_rank = if setup.turn == Color::White { 5 } else { 2 };
    setup.en_passant = peer.en_passant().map(|file| Square::at(file as u8, passed_rank));
    setup.halfmoves = u16::from(peer.halfmove_clock());
    setup.fullmoves = peer.fullmove_number();
    setup.variant = Variant::Chess960;
    Board::from_setup(&setup).unwrap_or_else(|error| panic!("{peer}: {error}"))
}
