//! Tables of the empty board and of slider attacks, all computed at compile time.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // PEXT's tables are for x86 alone.

/// What is known about each square, in one cache line: hot code that asks one thing about a square
/// soon asks another.
#[repr(align(64))]
pub(crate) struct About {
    /// Where a knight goes from here.
    pub(crate) knight: u64,
    /// Where a king goes from here.
    pub(crate) king: u64,
    /// What a pawn of each colour attacks from here.
    pub(crate) pawn: [u64; 2],
    /// The rest of the file.
    pub(crate) file: u64,
    /// The squares whose occupation a bishop's attacks depend on: its lines without their last
    /// squares.
    pub(crate) bishop_mask: u64,
    /// Where a bishop's attacks from here start in [`BISHOP_ATTACKS`].
    pub(crate) bishop_offset: u64,
}

pub(crate) static ABOUT: [About; 64] = about();

/// The squares strictly between two squares on one line, else none.
pub(crate) static BETWEEN: [[u64; 64]; 64] = pairs(Span::Between);

/// The whole line, from edge to edge, through two different squares on one line, else none.
pub(crate) static LINE: [[u64; 64]; 64] = pairs(Span::Line);

/// The rest of the diagonal and of the antidiagonal through each square.
pub(crate) static DIAGONALS: [u64; 64] = lines((1, 1));
pub(crate) static ANTIDIAGONALS: [u64; 64] = lines((1, -1));

/// Where a rook goes on the empty board.
pub(crate) static ROOK: [u64; 64] = unions(&lines((0, 1)), &lines((1, 0)));

/// Where a bishop goes on the empty board.
pub(crate) static BISHOP: [u64; 64] = unions(&DIAGONALS, &ANTIDIAGONALS);

/// The attacks along a rank: at four times the byte of its occupied squares, without the two edges,
/// plus the file of the slider.
pub(crate) static RANK_ATTACKS: [u8; 512] = rank_attacks();

/// Over all squares, how many occupations a bishop's attacks depend on.
const BISHOP_OCCUPATIONS: usize = 5_248;

/// The attacks of bishops: for each square one entry per subset of its mask, in the order in which
/// PEXT numbers the subsets.
pub(crate) static BISHOP_ATTACKS: [u64; BISHOP_OCCUPATIONS] = bishop_attacks();

/// The square so many files and ranks away, if it is on the board.
const fn step(square: usize, by: (i8, i8)) -> Option<usize> {
    let file = (square % 8) as i8 + by.0;
    let rank = (square / 8) as i8 + by.1;
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        Some((rank * 8 + file) as usize)
    } else {
        None
    }
}

const fn leaps<const N: usize>(steps: [(i8, i8); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = step(square, steps[i]) {
                table[square] |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares from one square in a direction, up to and including the first occupied one.
const fn ray(square: usize, by: (i8, i8), occupied: u64) -> u64 {
    let mut set = 0;
    let mut here = square;
    while let Some(to) = step(here, by) {
        set |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
        here = to;
    }
    set
}

const fn lines(by: (i8, i8)) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray(square, by, 0) | ray(square, (-by.0, -by.1), 0);
        square += 1;
    }
    table
}

const fn unions(a: &[u64; 64], b: &[u64; 64]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = a[square] | b[square];
        square += 1;
    }
    table
}

#[derive(Clone, Copy)]
enum Span {
    Between,
    Line,
}

const fn pairs(span: Span) -> [[u64; 64]; 64] {
    let steps = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 8 {
            let mut between = 0;
            let line = 1 << a | ray(a, steps[i], 0) | ray(a, (-steps[i].0, -steps[i].1), 0);
            let mut here = a;
            while let Some(b) = step(here, steps[i]) {
                table[a][b] = match span {
                    Span::Between => between,
                    Span::Line => line,
                };
                between |= 1 << b;
                here = b;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

const fn rank_attacks() -> [u8; 512] {
    let mut table = [0; 512];
    let mut index = 0;
    while index < 512 {
        let (row, file) = (index as u64 / 8 * 2, index % 8);
        table[index] = (ray(file, (1, 0), row) | ray(file, (-1, 0), row)) as u8;
        index += 1;
    }
    table
}

const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

const fn about() -> [About; 64] {
    const EDGES: u64 = 0xff81_8181_8181_81ff;
    let knight = leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
    let king = leaps([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
    let pawn = [leaps([(1, 1), (-1, 1)]), leaps([(1, -1), (-1, -1)])];
    let file = lines((0, 1));
    let mut offset = 0;
    let mut table = [const {
        About { knight: 0, king: 0, pawn: [0; 2], file: 0, bishop_mask: 0, bishop_offset: 0 }
    }; 64];
    let mut square = 0;
    while square < 64 {
        let bishop_mask = BISHOP[square] & !EDGES;
        table[square] = About {
            knight: knight[square],
            king: king[square],
            pawn: [pawn[0][square], pawn[1][square]],
            file: file[square],
            bishop_mask,
            bishop_offset: offset,
        };
        offset += 1 << bishop_mask.count_ones();
        square += 1;
    }
    table
}

const fn bishop_attacks() -> [u64; BISHOP_OCCUPATIONS] {
    let mut table = [0; BISHOP_OCCUPATIONS];
    let mut index = 0;
    let mut square = 0;
    while square < 64 {
        let mask = ABOUT[square].bishop_mask;
        // Subtracting the mask and masking steps through its subsets in PEXT's order.
        let mut subset = 0u64;
        loop {
            let mut i = 0;
            while i < 4 {
                table[index] |= ray(square, BISHOP_STEPS[i], subset);
                i += 1;
            }
            index += 1;
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}
