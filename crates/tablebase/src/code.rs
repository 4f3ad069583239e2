//! An entry of a table: a proof in one byte.
//!
//! 0 is a draw; anything else is one more than the plies to mate. Their parity tells who mates: the
//! side to move wins in an odd number of plies and loses in an even one. The longest mate of five
//! pieces, 254 plies for the side that is mated, just fits.

use monteverde_game::Proof;

/// A draw.
pub(crate) const DRAW: u8 = 0;

/// The side to move is mated where it stands.
pub(crate) const MATED: u8 = 1;

/// The proof that an entry stands for.
#[inline(always)]
pub(crate) fn proof(code: u8) -> Proof {
    match code {
        DRAW => Proof::Draw,
        code if is_win(code) => Proof::Win(u16::from(code) - 1),
        code => Proof::Loss(u16::from(code) - 1),
    }
}

/// The entry of a proof, if it has one.
pub(crate) fn of(proof: Proof) -> Option<u8> {
    let (plies, parity) = match proof {
        Proof::Open => return None,
        Proof::Draw => return Some(DRAW),
        Proof::Win(plies) => (plies, 1),
        Proof::Loss(plies) => (plies, 0),
    };
    u8::try_from(plies.checked_add(1)?).ok().filter(|_| plies % 2 == parity)
}

/// Whether the side to move wins.
#[inline(always)]
pub(crate) fn is_win(code: u8) -> bool {
    code != DRAW && code.is_multiple_of(2)
}

/// Whether the side to move loses.
#[inline(always)]
pub(crate) fn is_loss(code: u8) -> bool {
    code % 2 == 1
}

/// The same knowledge one ply earlier, for the other side.
///
/// # Panics
/// If the distance no longer fits.
#[inline(always)]
pub(crate) fn before(code: u8) -> u8 {
    match code {
        DRAW => DRAW,
        code => code.checked_add(1).expect("no mate with five pieces takes more than 254 plies"),
    }
}

/// The better of two entries for the side to move: the sooner win, else the draw, else the later
/// loss.
#[inline(always)]
pub(crate) fn better(a: u8, b: u8) -> u8 {
    if rank(a) >= rank(b) { a } else { b }
}

#[inline(always)]
fn rank(code: u8) -> i16 {
    match code {
        DRAW => 0,
        code if is_win(code) => 512 - i16::from(code),
        code => i16::from(code) - 512,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_proofs() {
        for code in 0..=u8::MAX {
            assert_eq!(of(proof(code)), Some(code));
            assert!(code == u8::MAX || proof(before(code)) == proof(code).before());
        }
        assert_eq!(of(Proof::Win(2)), None);
        assert_eq!(of(Proof::Loss(256)), None);
        assert_eq!(of(Proof::Open), None);
    }

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        let order = [Proof::Loss(0), Proof::Loss(2), Proof::Draw, Proof::Win(3), Proof::Win(1)];
        let codes = order.map(|proof| of(proof).expect("it fits"));
        for pair in codes.windows(2) {
            assert_eq!(better(pair[0], pair[1]), pair[1]);
            assert_eq!(better(pair[1], pair[0]), pair[1]);
        }
    }
}
